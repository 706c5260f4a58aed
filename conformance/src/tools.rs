//! The tools that the runner's scenarios call.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    InputRequests, InputRequiredResult, JsonObject, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::call::{CLIENT_CAPABILITIES, Call};
use crate::{CLIENT_ROOTS, Input, Root};

/// The tools of the server. Nothing is kept between two requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tools;

/// A name, the inputs that it asks the client for, and whether it needs them all.
///
/// One that does not need them all asks for those that the client declared.
const TOOLS: [(&str, &[Wanted], bool); 4] = [
    ("test_input_required_result_list_roots", &[Wanted::Roots], true),
    ("test_input_required_result_elicitation", &[Wanted::Name], true),
    ("test_input_required_result_multiple_inputs", &[Wanted::Name, Wanted::Greeting, Wanted::Roots], true),
    ("test_input_required_result_capabilities", &[Wanted::Name, Wanted::Greeting, Wanted::Roots], false),
];

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(const { &[ProtocolVersion::V_2026_07_28] })
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema: Arc<JsonObject> = Arc::new(JsonObject::from_iter([("type".to_owned(), json!("object"))]));
        let tool = |(name, _, _)| Tool::new(name, "Asks the client for input.", Arc::clone(&schema));
        Ok(ListToolsResult::with_all_items(TOOLS.map(tool).to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (_, inputs, needs_all) =
            TOOLS.into_iter().find(|(name, ..)| *name == request.name).ok_or_else(invalid_params)?;
        // Only a request on which the decision about roots was made comes this far.
        let parts = context.extensions.get::<Parts>();
        let call = parts.and_then(|parts| parts.extensions.get::<Arc<Call>>()).ok_or_else(invalid_params)?;
        respond(call, inputs, needs_all)
    }
}

/// An input that only the client can give.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Name,
    Greeting,
    Roots,
}

/// What is known of an input after a request.
enum Known {
    Here(Given),
    Asked(&'static str, Value),
    Undeclared(ErrorData),
}

/// An input that the client gave.
enum Given {
    Text(String),
    Roots(Vec<Root>),
}

/// All that was asked for, or a request for what is missing.
fn respond(call: &Call, inputs: &[Wanted], needs_all: bool) -> Result<CallToolResponse, ErrorData> {
    let mut content = Vec::new();
    let mut structured = None;
    let mut missing = InputRequests::new();
    for input in inputs {
        match input.known(call)? {
            Known::Here(Given::Text(text)) => content.push(ContentBlock::text(text)),
            Known::Here(Given::Roots(roots)) => {
                content.extend(roots.iter().map(|root| ContentBlock::text(root.uri.clone())));
                structured = Some(json!({"roots": roots.iter().map(Root::json).collect::<Vec<_>>()}));
            }
            Known::Asked(id, request) => {
                let request = serde_json::from_value(request).map_err(|_| internal_error())?;
                missing.insert(id.to_owned(), request);
            }
            Known::Undeclared(error) if needs_all => return Err(error),
            Known::Undeclared(_) => {}
        }
    }
    if missing.is_empty() {
        let mut result = CallToolResult::success(content);
        result.structured_content = structured;
        return Ok(result.into());
    }
    // It holds nothing, and what comes back under its name is not read.
    let state = (inputs.len() > 1).then(|| "nothing".to_owned());
    Ok(InputRequiredResult::new(Some(missing), state).into())
}

impl Wanted {
    fn known(self, call: &Call) -> Result<Known, ErrorData> {
        match self {
            Self::Roots => match &call.roots {
                Ok(Input::Given(roots)) => Ok(Known::Here(Given::Roots(roots.clone()))),
                Ok(Input::Required(request)) => Ok(Known::Asked(CLIENT_ROOTS, request.clone())),
                Err(refusal) => {
                    let error: ErrorData =
                        serde_json::from_value(refusal.error.clone()).map_err(|_| internal_error())?;
                    if error.code == ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY {
                        Ok(Known::Undeclared(error))
                    } else {
                        Err(error)
                    }
                }
            },
            Self::Name => call.another_input("elicitation", "user_name", "/content/name", ask_for_a_name),
            Self::Greeting => call.another_input("sampling", "greeting", "/content/text", ask_for_a_greeting),
        }
    }
}

fn ask_for_a_name() -> Value {
    let properties = json!({"name": {"type": "string"}});
    let schema = json!({"type": "object", "properties": properties, "required": ["name"]});
    json!({
        "method": "elicitation/create",
        "params": {"message": "What is your name?", "requestedSchema": schema},
    })
}

fn ask_for_a_greeting() -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": "Generate a greeting"}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 50}})
}

impl Call {
    /// An input that is not about roots: judged as far as the tools need it.
    fn another_input(
        &self,
        capability: &str,
        id: &'static str,
        place: &str,
        request: fn() -> Value,
    ) -> Result<Known, ErrorData> {
        if !self.params["_meta"][CLIENT_CAPABILITIES][capability].is_object() {
            let data = json!({"requiredCapabilities": {capability: {}}});
            return Ok(Known::Undeclared(ErrorData::new(
                ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
                "Missing required client capability",
                Some(data),
            )));
        }
        let answer = match self.params.get("inputResponses") {
            None => None,
            Some(Value::Object(answers)) => answers.get(id),
            Some(_) => return Err(invalid_params()),
        };
        match answer {
            None => Ok(Known::Asked(id, request())),
            Some(answer) => match answer.pointer(place) {
                Some(Value::String(text)) => Ok(Known::Here(Given::Text(text.clone()))),
                _ => Err(invalid_params()),
            },
        }
    }
}

impl Root {
    fn json(&self) -> Value {
        let mut root = json!({"uri": self.uri});
        if let Some(name) = &self.name {
            root["name"] = json!(name);
        }
        root
    }
}

fn invalid_params() -> ErrorData {
    ErrorData::invalid_params("Invalid params", None)
}

fn internal_error() -> ErrorData {
    ErrorData::internal_error("Internal error", None)
}
