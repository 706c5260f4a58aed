//! A Model Context Protocol server of revision 2026-07-28 over streamable HTTP, whose tools need the
//! client's roots.
//!
//! The official Rust SDK carries the messages, `mcp-roots` decides about roots. The decision is made on
//! the text of a request's `params`, before the SDK reads it. The official conformance runner and the
//! tests of this package are its clients.
//!
//! ```
//! use mcp_roots_conformance::{Server, Strict};
//! let server = Server::start(Strict)?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod call;
pub mod figures;
mod tools;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::middleware::from_fn_with_state;
use mcp_roots::{RootsInput, roots_input};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// The id under which roots are asked for.
pub const CLIENT_ROOTS: &str = "client_roots";

/// Who decides about roots. [`Strict`] does it right; tests put in others, to see them caught.
pub trait Roots: Send + Sync + 'static {
    /// The decision on a request with these `params`, JSON text: the roots that came with it, or the
    /// input request to ask with.
    ///
    /// # Errors
    ///
    /// What the peer is told instead.
    fn decide(&self, params: &str) -> Result<Input, Refusal>;
}

/// What a request says of roots.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The client's roots, in its order.
    Given(Vec<Root>),
    /// The input request to put to the client.
    Required(Value),
}

/// A root as the client named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its URI, byte for byte.
    pub uri: String,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// Why a request is refused, as the peer is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The JSON-RPC error object.
    pub error: Value,
    /// Whether the request itself is invalid (J, C5), and not only for a tool that needs roots.
    pub is_of_request: bool,
}

impl Refusal {
    /// The refusal of a request under this rule.
    #[must_use]
    pub fn new(rule: &str, error: Value) -> Self {
        Self { error, is_of_request: rule.starts_with('J') || rule == "C5" }
    }
}

impl From<mcp_roots::Error> for Refusal {
    fn from(error: mcp_roots::Error) -> Self {
        Self::new(error.rule(), error.to_json_rpc())
    }
}

/// Decides by `mcp-roots`, and by nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Strict;

impl Roots for Strict {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        Ok(match roots_input(params, CLIENT_ROOTS)? {
            RootsInput::Given(result) => {
                let root = |root: &mcp_roots::Root<'_>| Root {
                    uri: root.uri().to_owned(),
                    name: root.name().map(str::to_owned),
                };
                Input::Given(result.roots().iter().map(root).collect())
            }
            RootsInput::Required(request) => Input::Required(json!(request)),
        })
    }
}

/// A running server, on a free port of the loopback interface until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server that decides about roots so, on a thread of its own.
    ///
    /// # Errors
    ///
    /// Where the system gives no port or thread.
    pub fn start(roots: impl Roots) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, router(Arc::new(roots))).await
        };
        let thread = std::thread::Builder::new().spawn(move || {
            runtime.block_on(async {
                let server = tokio::spawn(serve);
                let _ = stopped.await;
                server.abort();
            });
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where a client finds it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The SDK's transport, with the decision about roots before it.
fn router(roots: Arc<dyn Roots>) -> Router {
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service =
        StreamableHttpService::new(|| Ok(tools::Tools), Arc::new(NeverSessionManager::default()), config);
    Router::new().route_service("/mcp", service).layer(from_fn_with_state(roots, call::decide))
}
