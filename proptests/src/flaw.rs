//! Flaws: every way to break every rule, one at a time.
//!
//! A flaw is a line in a table: what is done to a valid document, and the rule and place under which
//! a validator must then refuse it. Where several places will do, dice decide.

use mcp_roots::Revision;

use crate::json::Dice;
use crate::model::Model;
use crate::{Case, Expected, Json, Sample, Style, Target};

/// One way to break one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong, in a few words.
    pub name: &'static str,
    /// The rule that is broken.
    pub rule: &'static str,
    /// The documents that can have it; `None` is all.
    target: Option<Target>,
    /// The revisions in which it is a flaw.
    era: Era,
    /// Where it is reported: a pointer with `*` for the root's index.
    at: &'static str,
    edit: Edit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Era {
    Every,
    /// Where requests have an envelope.
    Initialize,
    /// Where they have none.
    Bare,
    /// Where roots have a `_meta` that is judged.
    RootMeta,
}

/// What is done to the document. Paths are steps of a pointer, `*` for a root chosen by the dice;
/// values are JSON text, or what stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// The value at the path becomes this one; what it stands in is made if it is not there.
    Set(&'static str, &'static str),
    /// A root becomes this.
    Entry(&'static str),
    /// The member at the path goes.
    Remove(&'static str),
    /// The document becomes this one.
    Replace(&'static str),
    /// The value at the path becomes the only item of an array.
    Wrap(&'static str),
    /// The document becomes the only member, under this name, of an object.
    Under(&'static str),
    /// The member at the path, made from this value if it is not there, stands in its object twice.
    Twice(&'static str, &'static str),
    /// A member that means nothing has this value, somewhere.
    Ignored(&'static [u8]),
    /// A member that means nothing goes deeper than the limit in all, with these brackets.
    Deep(&'static str, &'static str),
    /// This goes before the written document, and this after it.
    Around(&'static [u8], &'static [u8]),
    /// The written document ends before its last byte that is no space.
    Cut,
    /// The URI of a root becomes this.
    Uri(&'static str),
    /// This goes into the path of a root's URI.
    IntoPath(&'static str),
    /// The request becomes this.
    Asked(&'static str),
}

const fn flaw(
    name: &'static str,
    rule: &'static str,
    target: Option<Target>,
    era: Era,
    at: &'static str,
    edit: Edit,
) -> Flaw {
    Flaw { name, rule, target, era, at, edit }
}

/// Every flaw.
#[rustfmt::skip]
pub static FLAWS: &[Flaw] = &[
    // J1: UTF-8.
    flaw("a stray continuation byte in an ignored string", "J1", None, Era::Every, "", Edit::Ignored(b"\"\x80\"")),
    flaw("an overlong slash in an ignored string", "J1", None, Era::Every, "", Edit::Ignored(b"\"\xc0\xaf\"")),
    flaw("an encoded surrogate in an ignored string", "J1", None, Era::Every, "", Edit::Ignored(b"\"\xed\xa0\x80\"")),
    flaw("a cut sequence in an ignored string", "J1", None, Era::Every, "", Edit::Ignored(b"\"\xe2\x82\"")),
    flaw("a byte beyond Unicode in an ignored string", "J1", None, Era::Every, "", Edit::Ignored(b"\"\xf5\x80\x80\x80\"")),
    flaw("a byte that is not UTF-8 before the document", "J1", None, Era::Every, "", Edit::Around(b"\xff", b"")),
    flaw("a byte that is not UTF-8 after the document", "J1", None, Era::Every, "", Edit::Around(b"", b" \xff")),
    flaw("an ignored name that is not UTF-8", "J1", None, Era::Every, "", Edit::Ignored(b"{\"\xff\":0}")),
    // J2: RFC 8259 text, one value.
    flaw("NaN", "J2", None, Era::Every, "", Edit::Ignored(b"NaN")),
    flaw("Infinity", "J2", None, Era::Every, "", Edit::Ignored(b"Infinity")),
    flaw("minus infinity", "J2", None, Era::Every, "", Edit::Ignored(b"-Infinity")),
    flaw("a leading zero", "J2", None, Era::Every, "", Edit::Ignored(b"01")),
    flaw("a plus sign", "J2", None, Era::Every, "", Edit::Ignored(b"+1")),
    flaw("no digit after the point", "J2", None, Era::Every, "", Edit::Ignored(b"1.")),
    flaw("no digit before the point", "J2", None, Era::Every, "", Edit::Ignored(b".5")),
    flaw("no digit in the exponent", "J2", None, Era::Every, "", Edit::Ignored(b"1e")),
    flaw("a lone minus", "J2", None, Era::Every, "", Edit::Ignored(b"-")),
    flaw("hexadecimal", "J2", None, Era::Every, "", Edit::Ignored(b"0x10")),
    flaw("a separator in a number", "J2", None, Era::Every, "", Edit::Ignored(b"1_000")),
    flaw("an upper-case literal", "J2", None, Era::Every, "", Edit::Ignored(b"TRUE")),
    flaw("a cut literal", "J2", None, Era::Every, "", Edit::Ignored(b"nul")),
    flaw("undefined", "J2", None, Era::Every, "", Edit::Ignored(b"undefined")),
    flaw("no value", "J2", None, Era::Every, "", Edit::Ignored(b"")),
    flaw("single quotes", "J2", None, Era::Every, "", Edit::Ignored(b"'a'")),
    flaw("an unquoted name", "J2", None, Era::Every, "", Edit::Ignored(b"{a:1}")),
    flaw("a trailing comma in an object", "J2", None, Era::Every, "", Edit::Ignored(b"{\"a\":1,}")),
    flaw("a trailing comma in an array", "J2", None, Era::Every, "", Edit::Ignored(b"[1,]")),
    flaw("a leading comma", "J2", None, Era::Every, "", Edit::Ignored(b"[,1]")),
    flaw("no comma", "J2", None, Era::Every, "", Edit::Ignored(b"[1 2]")),
    flaw("no colon", "J2", None, Era::Every, "", Edit::Ignored(b"{\"a\" 1}")),
    flaw("an array closed as an object", "J2", None, Era::Every, "", Edit::Ignored(b"[1}")),
    flaw("an object closed as an array", "J2", None, Era::Every, "", Edit::Ignored(b"{\"a\":1]")),
    flaw("an open array", "J2", None, Era::Every, "", Edit::Ignored(b"[1")),
    flaw("an open string", "J2", None, Era::Every, "", Edit::Ignored(b"\"a")),
    flaw("a number for a name", "J2", None, Era::Every, "", Edit::Ignored(b"{1:2}")),
    flaw("a block comment", "J2", None, Era::Every, "", Edit::Ignored(b"1/*c*/")),
    flaw("a line comment", "J2", None, Era::Every, "", Edit::Ignored(b"1//c\x0a")),
    flaw("a raw line break in a string", "J2", None, Era::Every, "", Edit::Ignored(b"\"a\x0ab\"")),
    flaw("a raw NUL in a string", "J2", None, Era::Every, "", Edit::Ignored(b"\"a\x00b\"")),
    flaw("a raw tab in a string", "J2", None, Era::Every, "", Edit::Ignored(b"\"a\x09b\"")),
    flaw("an unknown escape", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\x41\"")),
    flaw("a short escape", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\u00e\"")),
    flaw("an escape that is no hex", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\u00zz\"")),
    flaw("an octal escape", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\101\"")),
    flaw("a form feed for a space", "J2", None, Era::Every, "", Edit::Ignored(b"\x0c1")),
    flaw("a no-break space", "J2", None, Era::Every, "", Edit::Ignored(b"\xc2\xa01")),
    flaw("a byte order mark", "J2", None, Era::Every, "", Edit::Around(b"\xef\xbb\xbf", b"")),
    flaw("text before the document", "J2", None, Era::Every, "", Edit::Around(b")]}'", b"")),
    flaw("text after the document", "J2", None, Era::Every, "", Edit::Around(b"", b"x")),
    flaw("a second document", "J2", None, Era::Every, "", Edit::Around(b"", b"\n{}")),
    flaw("a brace too many", "J2", None, Era::Every, "", Edit::Around(b"", b"}")),
    flaw("a NUL after the document", "J2", None, Era::Every, "", Edit::Around(b"", b"\0")),
    flaw("a document cut short", "J2", None, Era::Every, "", Edit::Cut),
    flaw("an empty document", "J2", None, Era::Every, "", Edit::Replace("")),
    flaw("a blank document", "J2", None, Era::Every, "", Edit::Replace(" \n")),
    // J3, under J2: what a value cannot hold.
    flaw("a number over the range", "J2", None, Era::Every, "", Edit::Ignored(b"1e999")),
    flaw("a number under the range", "J2", None, Era::Every, "", Edit::Ignored(b"-1e999")),
    flaw("a long number over the range", "J2", None, Era::Every, "", Edit::Ignored(b"10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000")),
    flaw("a lone high surrogate", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\ud800\"")),
    flaw("a lone low surrogate", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\udc00\"")),
    flaw("surrogates the wrong way round", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\udc00\\ud800\"")),
    flaw("a high surrogate before a letter", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\ud800a\"")),
    flaw("a high surrogate before an escape", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\ud800\\n\"")),
    flaw("two high surrogates", "J2", None, Era::Every, "", Edit::Ignored(b"\"\\ud800\\ud800\"")),
    flaw("a lone surrogate in an ignored name", "J2", None, Era::Every, "", Edit::Ignored(b"{\"\\udfff\":0}")),
    flaw("arrays below the limit of depth", "J2", None, Era::Every, "", Edit::Deep("[", "]")),
    flaw("objects below the limit of depth", "J2", None, Era::Every, "", Edit::Deep("{\"a\":", "}")),
    // J6: a name twice.
    flaw("a name twice in an ignored object", "J6", None, Era::Every, "", Edit::Ignored(b"{\"a\":1,\"a\":1}")),
    flaw("a name twice, once escaped", "J6", None, Era::Every, "", Edit::Ignored(b"{\"a\":1,\"\\u0061\":2}")),
    flaw("the empty name twice", "J6", None, Era::Every, "", Edit::Ignored(b"{\"\":1,\"\":1}")),
    flaw("a name twice deep in an ignored array", "J6", None, Era::Every, "", Edit::Ignored(b"[[{\"b\":{\"a\":1,\"c\":2,\"a\":3}}]]")),
    flaw("a name twice among many", "J6", None, Era::Every, "", Edit::Ignored(b"{\"n0\":0,\"n1\":0,\"n2\":0,\"n3\":0,\"n4\":0,\"n5\":0,\"n6\":0,\"n7\":0,\"n8\":0,\"n9\":0,\"n10\":0,\"n11\":0,\"n12\":0,\"n13\":0,\"n14\":0,\"n15\":0,\"n16\":0,\"n17\":0,\"n18\":0,\"n19\":0,\"n7\":1}")),
    flaw("a name twice among more than sixty-four", "J6", None, Era::Every, "", Edit::Ignored(b"{\"n0\":0,\"n1\":0,\"n2\":0,\"n3\":0,\"n4\":0,\"n5\":0,\"n6\":0,\"n7\":0,\"n8\":0,\"n9\":0,\"n10\":0,\"n11\":0,\"n12\":0,\"n13\":0,\"n14\":0,\"n15\":0,\"n16\":0,\"n17\":0,\"n18\":0,\"n19\":0,\"n20\":0,\"n21\":0,\"n22\":0,\"n23\":0,\"n24\":0,\"n25\":0,\"n26\":0,\"n27\":0,\"n28\":0,\"n29\":0,\"n30\":0,\"n31\":0,\"n32\":0,\"n33\":0,\"n34\":0,\"n35\":0,\"n36\":0,\"n37\":0,\"n38\":0,\"n39\":0,\"n40\":0,\"n41\":0,\"n42\":0,\"n43\":0,\"n44\":0,\"n45\":0,\"n46\":0,\"n47\":0,\"n48\":0,\"n49\":0,\"n50\":0,\"n51\":0,\"n52\":0,\"n53\":0,\"n54\":0,\"n55\":0,\"n56\":0,\"n57\":0,\"n58\":0,\"n59\":0,\"n60\":0,\"n61\":0,\"n62\":0,\"n63\":0,\"n64\":0,\"n65\":0,\"n66\":0,\"n67\":0,\"n68\":0,\"n69\":0,\"n35\":0}")),
    flaw("a surrogate pair and its character", "J6", None, Era::Every, "", Edit::Ignored(b"{\"\xf0\x9f\x98\x80\":1,\"\\ud83d\\ude00\":2}")),
    flaw("roots twice (response)", "J6", Some(Target::Response), Era::Every, "", Edit::Twice("/roots", "[]")),
    flaw("roots uri twice (response)", "J6", Some(Target::Response), Era::Every, "", Edit::Twice("/roots/*/uri", "\"file:///a\"")),
    flaw("roots name twice (response)", "J6", Some(Target::Response), Era::Every, "", Edit::Twice("/roots/*/name", "\"a\"")),
    flaw("roots _meta twice (response)", "J6", Some(Target::Response), Era::Every, "", Edit::Twice("/roots/*/_meta", "{}")),
    flaw("_meta twice (response)", "J6", Some(Target::Response), Era::Every, "", Edit::Twice("/_meta", "{}")),
    flaw("method twice (request)", "J6", Some(Target::Request), Era::Every, "", Edit::Twice("/method", "\"roots/list\"")),
    flaw("params twice (request)", "J6", Some(Target::Request), Era::Every, "", Edit::Twice("/params", "{}")),
    flaw("params _meta twice (request)", "J6", Some(Target::Request), Era::Every, "", Edit::Twice("/params/_meta", "{}")),
    flaw("roots twice (capabilities)", "J6", Some(Target::Capabilities), Era::Every, "", Edit::Twice("/roots", "{}")),
    flaw("the answer twice (inputresponses)", "J6", Some(Target::InputResponses), Era::Every, "", Edit::Twice("/client_roots", "{\"roots\":[]}")),
    flaw("clientCapabilities twice (requestmeta)", "J6", Some(Target::RequestMeta), Era::Every, "", Edit::Twice("/io.modelcontextprotocol~1clientCapabilities", "{}")),
    flaw("id twice (request)", "J6", Some(Target::Request), Era::Initialize, "", Edit::Twice("/id", "1")),
    flaw("listChanged twice (capabilities)", "J6", Some(Target::Capabilities), Era::Every, "", Edit::Twice("/roots/listChanged", "true")),
    // Q2: the method.
    flaw("no method", "Q2", Some(Target::Request), Era::Every, "", Edit::Remove("/method")),
    flaw("another method", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"tools/list\"")),
    flaw("the method in upper case", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"ROOTS/LIST\"")),
    flaw("the method with a capital", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"Roots/list\"")),
    flaw("the method and a blank", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"roots/list \"")),
    flaw("a blank and the method", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\" roots/list\"")),
    flaw("the empty method", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"\"")),
    flaw("a longer method", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "\"roots/list_changed\"")),
    flaw("method null", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "null")),
    flaw("method a number", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "1")),
    flaw("method an array", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "[\"roots/list\"]")),
    flaw("method an object", "Q2", Some(Target::Request), Era::Every, "/method", Edit::Set("/method", "{\"roots/list\":{}}")),
    flaw("request null", "Q2", Some(Target::Request), Era::Bare, "", Edit::Replace("null")),
    flaw("request null, on the wire", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Replace("null")),
    flaw("request an array", "Q2", Some(Target::Request), Era::Bare, "", Edit::Replace("[\"roots/list\",{}]")),
    flaw("request an array, on the wire", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Replace("[\"roots/list\",{}]")),
    flaw("request a string", "Q2", Some(Target::Request), Era::Bare, "", Edit::Replace("\"roots/list\"")),
    flaw("request a string, on the wire", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Replace("\"roots/list\"")),
    flaw("request a number", "Q2", Some(Target::Request), Era::Bare, "", Edit::Replace("7")),
    flaw("request a number, on the wire", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Replace("7")),
    flaw("request true", "Q2", Some(Target::Request), Era::Bare, "", Edit::Replace("true")),
    flaw("request true, on the wire", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Replace("true")),
    // Q3: no other member.
    flaw("an id in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/id", "1")),
    flaw("a null id in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/id", "null")),
    flaw("a version in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/jsonrpc", "\"2.0\"")),
    flaw("an unknown member in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/extra", "null")),
    flaw("a result in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/result", "{}")),
    flaw("_meta beside params in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/_meta", "{}")),
    flaw("Params with a capital in a bare request", "Q3", Some(Target::Request), Era::Bare, "", Edit::Set("/Params", "{}")),
    // Q4: params of a bare request.
    flaw("params null", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params", "null")),
    flaw("params null, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params", Edit::Set("/params", "null")),
    flaw("_meta of params null", "Q4", Some(Target::Request), Era::Bare, "/params/_meta", Edit::Set("/params/_meta", "null")),
    flaw("_meta of params null, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta", Edit::Set("/params/_meta", "null")),
    flaw("params an array", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params", "[]")),
    flaw("params an array, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params", Edit::Set("/params", "[]")),
    flaw("_meta of params an array", "Q4", Some(Target::Request), Era::Bare, "/params/_meta", Edit::Set("/params/_meta", "[]")),
    flaw("_meta of params an array, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta", Edit::Set("/params/_meta", "[]")),
    flaw("params a string", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params", "\"x\"")),
    flaw("params a string, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params", Edit::Set("/params", "\"x\"")),
    flaw("_meta of params a string", "Q4", Some(Target::Request), Era::Bare, "/params/_meta", Edit::Set("/params/_meta", "\"x\"")),
    flaw("_meta of params a string, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta", Edit::Set("/params/_meta", "\"x\"")),
    flaw("params a number", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params", "0")),
    flaw("params a number, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params", Edit::Set("/params", "0")),
    flaw("_meta of params a number", "Q4", Some(Target::Request), Era::Bare, "/params/_meta", Edit::Set("/params/_meta", "0")),
    flaw("_meta of params a number, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta", Edit::Set("/params/_meta", "0")),
    flaw("params false", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params", "false")),
    flaw("params false, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params", Edit::Set("/params", "false")),
    flaw("_meta of params false", "Q4", Some(Target::Request), Era::Bare, "/params/_meta", Edit::Set("/params/_meta", "false")),
    flaw("_meta of params false, on the wire", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta", Edit::Set("/params/_meta", "false")),
    flaw("a cursor", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params/cursor", "\"x\"")),
    flaw("an unknown param", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params/extra", "null")),
    flaw("a progress token outside _meta", "Q4", Some(Target::Request), Era::Bare, "/params", Edit::Set("/params/progressToken", "1")),
    // Q5: the envelope.
    flaw("no version", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Remove("/jsonrpc")),
    flaw("no id", "Q5", Some(Target::Request), Era::Initialize, "", Edit::Remove("/id")),
    flaw("another version", "Q5", Some(Target::Request), Era::Initialize, "/jsonrpc", Edit::Set("/jsonrpc", "\"1.0\"")),
    flaw("a longer version", "Q5", Some(Target::Request), Era::Initialize, "/jsonrpc", Edit::Set("/jsonrpc", "\"2.0.0\"")),
    flaw("a numeric version", "Q5", Some(Target::Request), Era::Initialize, "/jsonrpc", Edit::Set("/jsonrpc", "2.0")),
    flaw("version null", "Q5", Some(Target::Request), Era::Initialize, "/jsonrpc", Edit::Set("/jsonrpc", "null")),
    flaw("version an array", "Q5", Some(Target::Request), Era::Initialize, "/jsonrpc", Edit::Set("/jsonrpc", "[\"2.0\"]")),
    flaw("id null", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "null")),
    flaw("progress token null", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "null")),
    flaw("id a fraction", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "1.5")),
    flaw("progress token a fraction", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "1.5")),
    flaw("id a tiny fraction", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "1e-7")),
    flaw("progress token a tiny fraction", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "1e-7")),
    flaw("id a boolean", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "true")),
    flaw("progress token a boolean", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "true")),
    flaw("id an object", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "{}")),
    flaw("progress token an object", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "{}")),
    flaw("id an array", "Q5", Some(Target::Request), Era::Initialize, "/id", Edit::Set("/id", "[1]")),
    flaw("progress token an array", "Q5", Some(Target::Request), Era::Initialize, "/params/_meta/progressToken", Edit::Set("/params/_meta/progressToken", "[1]")),
    // C1 and C3: the declaration.
    flaw("no roots capability", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Remove("/roots")),
    flaw("the capability with a capital", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("{\"Roots\":{}}")),
    flaw("roots under experimental", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Under("experimental")),
    flaw("roots capability null", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "null")),
    flaw("capabilities null", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("null")),
    flaw("roots capability true", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "true")),
    flaw("capabilities true", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("true")),
    flaw("roots capability false", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "false")),
    flaw("capabilities false", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("false")),
    flaw("roots capability an empty array", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "[]")),
    flaw("capabilities an empty array", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("[]")),
    flaw("roots capability an array of an object", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "[{}]")),
    flaw("capabilities an array of an object", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("[{}]")),
    flaw("roots capability a string", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "\"yes\"")),
    flaw("capabilities a string", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("\"yes\"")),
    flaw("roots capability a number", "C1", Some(Target::Capabilities), Era::Every, "/roots", Edit::Set("/roots", "0")),
    flaw("capabilities a number", "C1", Some(Target::Capabilities), Era::Every, "", Edit::Replace("0")),
    flaw("listChanged null", "C3", Some(Target::Capabilities), Era::Initialize, "/roots/listChanged", Edit::Set("/roots/listChanged", "null")),
    flaw("listChanged a string", "C3", Some(Target::Capabilities), Era::Initialize, "/roots/listChanged", Edit::Set("/roots/listChanged", "\"true\"")),
    flaw("listChanged a number", "C3", Some(Target::Capabilities), Era::Initialize, "/roots/listChanged", Edit::Set("/roots/listChanged", "1")),
    flaw("listChanged an array", "C3", Some(Target::Capabilities), Era::Initialize, "/roots/listChanged", Edit::Set("/roots/listChanged", "[]")),
    flaw("listChanged an object", "C3", Some(Target::Capabilities), Era::Initialize, "/roots/listChanged", Edit::Set("/roots/listChanged", "{}")),
    flaw("capabilities for a request with an id", "Q3", Some(Target::Capabilities), Era::Every, "", Edit::Asked("{\"id\":1,\"method\":\"roots/list\"}")),
    flaw("capabilities for another request", "Q2", Some(Target::Capabilities), Era::Every, "/method", Edit::Asked("{\"method\":\"sampling/createMessage\"}")),
    // C5: the capabilities in a request's _meta.
    flaw("no client capabilities", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Remove("/io.modelcontextprotocol~1clientCapabilities")),
    flaw("client capabilities under nested names", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("{\"io.modelcontextprotocol\":{\"clientCapabilities\":{}}}")),
    flaw("client capabilities null", "C5", Some(Target::RequestMeta), Era::Every, "/io.modelcontextprotocol~1clientCapabilities", Edit::Set("/io.modelcontextprotocol~1clientCapabilities", "null")),
    flaw("_meta of a request null", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("null")),
    flaw("client capabilities an array", "C5", Some(Target::RequestMeta), Era::Every, "/io.modelcontextprotocol~1clientCapabilities", Edit::Set("/io.modelcontextprotocol~1clientCapabilities", "[]")),
    flaw("_meta of a request an array", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("[]")),
    flaw("client capabilities a string", "C5", Some(Target::RequestMeta), Era::Every, "/io.modelcontextprotocol~1clientCapabilities", Edit::Set("/io.modelcontextprotocol~1clientCapabilities", "\"{}\"")),
    flaw("_meta of a request a string", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("\"{}\"")),
    flaw("client capabilities true", "C5", Some(Target::RequestMeta), Era::Every, "/io.modelcontextprotocol~1clientCapabilities", Edit::Set("/io.modelcontextprotocol~1clientCapabilities", "true")),
    flaw("_meta of a request true", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("true")),
    flaw("client capabilities a number", "C5", Some(Target::RequestMeta), Era::Every, "/io.modelcontextprotocol~1clientCapabilities", Edit::Set("/io.modelcontextprotocol~1clientCapabilities", "0")),
    flaw("_meta of a request a number", "C5", Some(Target::RequestMeta), Era::Every, "", Edit::Replace("0")),
    // R1: the result.
    flaw("no roots", "R1", Some(Target::Response), Era::Every, "", Edit::Remove("/roots")),
    flaw("roots null", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "null")),
    flaw("roots an object", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "{}")),
    flaw("roots an object of roots", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "{\"0\":{\"uri\":\"file:///a\"}}")),
    flaw("roots a string", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "\"file:///a\"")),
    flaw("roots a number", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "0")),
    flaw("roots true", "R1", Some(Target::Response), Era::Every, "/roots", Edit::Set("/roots", "true")),
    flaw("result null", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("null")),
    flaw("result a string", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("\"file:///a\"")),
    flaw("result a number", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("12345")),
    flaw("result true", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("true")),
    flaw("result a list of roots", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("[{\"uri\":\"file:///a\"}]")),
    flaw("result an empty list", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("[]")),
    flaw("result an empty object", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{}")),
    flaw("result an error", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{\"error\":{\"code\":-32601,\"message\":\"no\"}}")),
    flaw("result an elicitation answer", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{\"action\":\"accept\",\"content\":{}}")),
    flaw("result a sampling answer", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"t\"},\"model\":\"m\"}")),
    flaw("result Roots with a capital", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{\"Roots\":[]}")),
    flaw("result roots of the prototype", "R1", Some(Target::Response), Era::Every, "", Edit::Replace("{\"__proto__\":{\"roots\":[]}}")),
    flaw("a result in an array", "R1", Some(Target::Response), Era::Every, "", Edit::Wrap("")),
    flaw("a result in an envelope", "R1", Some(Target::Response), Era::Every, "", Edit::Under("result")),
    // R2: the entries.
    flaw("root null", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("null")),
    flaw("root a string", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("\"file:///a\"")),
    flaw("root a number", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("1")),
    flaw("root false", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("false")),
    flaw("root an empty array", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("[]")),
    flaw("root an array of its members", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("[\"file:///a\",null,null]")),
    flaw("root a nested list", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Entry("[{\"uri\":\"file:///a\"}]")),
    flaw("no uri", "R2", Some(Target::Response), Era::Every, "/roots/*", Edit::Remove("/roots/*/uri")),
    flaw("uri null", "R2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Set("/roots/*/uri", "null")),
    flaw("uri a number", "R2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Set("/roots/*/uri", "42")),
    flaw("uri true", "R2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Set("/roots/*/uri", "true")),
    flaw("uri an array", "R2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Set("/roots/*/uri", "[\"file:///a\"]")),
    flaw("uri an object", "R2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Set("/roots/*/uri", "{\"path\":\"/a\"}")),
    // R3 to R5: names and _meta.
    flaw("name null", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "null")),
    flaw("name a number", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "7")),
    flaw("name a fraction", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "1.5")),
    flaw("name true", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "true")),
    flaw("name an array", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "[\"a\"]")),
    flaw("name an object", "R3", Some(Target::Response), Era::Every, "/roots/*/name", Edit::Set("/roots/*/name", "{}")),
    flaw("_meta of a root null", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "null")),
    flaw("_meta of the result null", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "null")),
    flaw("_meta of a root a number", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "0")),
    flaw("_meta of the result a number", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "0")),
    flaw("_meta of a root a string", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "\"x\"")),
    flaw("_meta of the result a string", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "\"x\"")),
    flaw("_meta of a root false", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "false")),
    flaw("_meta of the result false", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "false")),
    flaw("_meta of a root an empty array", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "[]")),
    flaw("_meta of the result an empty array", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "[]")),
    flaw("_meta of a root an array of an object", "R4", Some(Target::Response), Era::RootMeta, "/roots/*/_meta", Edit::Set("/roots/*/_meta", "[{}]")),
    flaw("_meta of the result an array of an object", "R5", Some(Target::Response), Era::Initialize, "/_meta", Edit::Set("/_meta", "[{}]")),
    // U1: the prefix.
    flaw("uri empty", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("")),
    flaw("uri /home/me", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("/home/me")),
    flaw("uri C:\\Users\\me", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("C:\\Users\\me")),
    flaw("uri \\\\server\\share", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("\\\\server\\share")),
    flaw("uri ~", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("~")),
    flaw("uri file:", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:")),
    flaw("uri file:/a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:/a")),
    flaw("uri file:/x", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:/x")),
    flaw("uri FILE:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("FILE:///a")),
    flaw("uri File:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("File:///a")),
    flaw("uri  file:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri(" file:///a")),
    flaw("uri \u{feff}file:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("\u{feff}file:///a")),
    flaw("uri http://a/", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("http://a/")),
    flaw("uri https://a/file:///", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("https://a/file:///")),
    flaw("uri vscode-remote://wsl/a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("vscode-remote://wsl/a")),
    flaw("uri view-source:file:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("view-source:file:///a")),
    flaw("uri files:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("files:///a")),
    flaw("uri file:\\\\a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:\\\\a")),
    flaw("uri %66ile:///a", "U1", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("%66ile:///a")),
    // U2: the grammar.
    flaw("a space in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath(" ")),
    flaw("a letter that is not ASCII in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("é")),
    flaw("an emoji in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("😀")),
    flaw("a backslash in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\\")),
    flaw("a quotation mark in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\"")),
    flaw("a less-than sign in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("<")),
    flaw("a greater-than sign in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath(">")),
    flaw("a caret in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("^")),
    flaw("a grave accent in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("`")),
    flaw("an opening brace in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("{")),
    flaw("a bar in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("|")),
    flaw("a closing brace in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("}")),
    flaw("an opening bracket in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("[")),
    flaw("a closing bracket in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("]")),
    flaw("a NUL in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\0")),
    flaw("a tab in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\t")),
    flaw("a line break in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\n")),
    flaw("an escape character in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\u{1b}")),
    flaw("a DEL in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\u{7f}")),
    flaw("a no-break space in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\u{a0}")),
    flaw("a right-to-left override in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("\u{202e}")),
    flaw("a lone percent sign in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%")),
    flaw("half a percent-encoding in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%2")),
    flaw("a percent-encoding that is no hex in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%zz")),
    flaw("a percent-encoding half hex in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%2g")),
    flaw("a percent-encoding with a sign in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%+1")),
    flaw("a percent sign after one in a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::IntoPath("%%20")),
    flaw("a space after sixteen bytes of a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///0123456789abcdef ")),
    flaw("a space after thirty-two bytes of a path", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///0123456789abcdef0123456789abcdef ")),
    flaw("a space in a host", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://a b/c")),
    flaw("a port that is no number", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://host:x/a")),
    flaw("two ports", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://host:1:2/a")),
    flaw("two at signs", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://a@b@c/")),
    flaw("an open IP literal", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[::1/a")),
    flaw("text after an IP literal", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[::1]x/a")),
    flaw("an IPv6 address with too many groups", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[1:2:3:4:5:6:7:8:9]/")),
    flaw("an IPv6 address with two gaps", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[1::2::3]/")),
    flaw("a zone", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[fe80::1%25eth0]/")),
    flaw("an IPv4 part over 255", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[::ffff:1.2.3.256]/")),
    flaw("an IPvFuture without a version", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[v.a]/")),
    flaw("an empty IP literal", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[]/")),
    flaw("an address without brackets", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://::1/")),
    flaw("two fragments", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a#b#c")),
    flaw("a bracket in a query", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a?[b]")),
    flaw("a space in a query", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a?b c")),
    flaw("a bad percent in a query", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a?%")),
    flaw("a space in a fragment", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a#b c")),
    flaw("a bad percent in a fragment", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a#%1")),
    flaw("a bad percent in a host", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://%/a")),
    flaw("a bad percent in a user", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://%@host/")),
    flaw("a bracket in a user", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://[@host/")),
    flaw("a trailing blank", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a ")),
    flaw("a trailing line break", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a\n")),
    flaw("a percent sign at the end", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file:///a%")),
    flaw("a backslash for a slash", "U2", Some(Target::Response), Era::Every, "/roots/*/uri", Edit::Uri("file://\\a")),
    // A2 and A4: the map.
    flaw("input responses null", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("null")),
    flaw("input responses an array", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("[]")),
    flaw("input responses an array of the answer", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("[{\"roots\":[]}]")),
    flaw("input responses a string", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("\"client_roots\"")),
    flaw("input responses a number", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("0")),
    flaw("input responses true", "A2", Some(Target::InputResponses), Era::Every, "", Edit::Replace("true")),
    flaw("an answer to a request with an id", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{\"id\":1,\"method\":\"roots/list\"}")),
    flaw("an answer to a request of another method", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{\"method\":\"elicitation/create\"}")),
    flaw("an answer to a request with params null", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{\"method\":\"roots/list\",\"params\":null}")),
    flaw("an answer to a request with a cursor", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{\"method\":\"roots/list\",\"params\":{\"cursor\":\"\"}}")),
    flaw("an answer to a request that is no object", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("[]")),
    flaw("an answer to a request that is no JSON", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{")),
    flaw("an answer to a request with a name twice", "A4", Some(Target::InputResponses), Era::Every, "", Edit::Asked("{\"method\":\"roots/list\",\"method\":\"roots/list\"}")),
];

impl Flaw {
    /// Whether a document of this target can have the flaw in this revision. A map can have the flaws
    /// of the answer in it.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::{FLAWS, Target};
    /// let flaw = FLAWS.iter().find(|flaw| flaw.rule == "R5").unwrap();
    /// assert!(flaw.applies(Target::Response, Revision::V2025_11_25));
    /// assert!(!flaw.applies(Target::Response, Revision::V2026_07_28));
    /// ```
    #[must_use]
    pub fn applies(&self, target: Target, revision: Revision) -> bool {
        let is_of_target = self
            .target
            .is_none_or(|own| own == target || own == Target::Response && target == Target::InputResponses);
        let is_of_era = match self.era {
            Era::Every => true,
            Era::Initialize => revision.is_initialize_era(),
            Era::Bare => !revision.is_initialize_era(),
            Era::RootMeta => !matches!(revision, Revision::V2024_11_05 | Revision::V2025_03_26),
        };
        is_of_target && is_of_era && target.exists_in(revision)
    }

    /// Puts the flaw into a valid document and writes it.
    ///
    /// # Panics
    ///
    /// Where the flaw does not apply to the document.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::model::{ListRootsResult, Model};
    /// use mcp_roots_proptests::{FLAWS, Style};
    /// let flaw = FLAWS.iter().find(|flaw| flaw.name == "roots null").unwrap();
    /// let model = Model::Response(ListRootsResult::default());
    /// let sample = flaw.put(&model, Revision::default(), Style::PLAIN, 0);
    /// assert_eq!(sample.doc, br#"{"roots":null}"#);
    /// assert_eq!(sample.expected.unwrap().to_string(), "reject R1 /roots");
    /// ```
    #[must_use]
    pub fn put(&'static self, model: &Model, revision: Revision, style: Style, dice: u64) -> Sample {
        let target = model.target();
        assert!(self.applies(target, revision), "{} is no flaw of {target} in {revision}", self.name);
        let mut json = model.json(revision);
        // What is asked of a result is asked of the answer in a map.
        let is_in_answer = target == Target::InputResponses && self.target == Some(Target::Response);
        let mut editor = Editor { dice: Dice(dice), root: 0 };
        let subject =
            if target == Target::InputResponses && (is_in_answer || matches!(self.edit, Edit::Asked(_))) {
                reach(&mut json, Case::ID, r#"{"roots":[]}"#)
            } else {
                &mut json
            };
        editor.edit(subject, &self.edit, target);
        let mut doc = json.write(style);
        match self.edit {
            Edit::Around(before, after) => doc = [before, &doc, after].concat(),
            Edit::Cut => doc.truncate(doc.trim_ascii_end().len() - 1),
            _ => {}
        }
        // A fault under J is the whole document's (E5).
        let under = if is_in_answer && !self.rule.starts_with('J') {
            format!("/{}", Case::ID)
        } else {
            String::new()
        };
        let at = under + &self.at.replace('*', &editor.root.to_string());
        Sample {
            target,
            revision,
            doc,
            request: if let Edit::Asked(request) = self.edit { Some(request) } else { None },
            flaw: Some(self),
            expected: Some(Expected::Reject { rule: self.rule.to_owned(), at }),
        }
    }
}

struct Editor {
    dice: Dice,
    root: usize,
}

/// The member of that name; made from this text if it is not there.
fn reach<'j>(json: &'j mut Json, name: &str, text: &str) -> &'j mut Json {
    let members = json.members_mut().expect("a valid document is made of objects here");
    let index = members.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
        members.push((name.to_owned(), Json::Raw(text.into())));
        members.len() - 1
    });
    let value = &mut members[index].1;
    if let Json::Raw(text) = value {
        // Steps lead into what was just made.
        *value = match &**text {
            b"{}" => Json::empty_object(),
            b"[]" => Json::Array(Vec::new()),
            br#"{"roots":[]}"# => Json::Object(vec![("roots".to_owned(), Json::Array(Vec::new()))]),
            _ => Json::Raw(text.clone()),
        };
    }
    value
}

impl Editor {
    fn edit(&mut self, json: &mut Json, edit: &Edit, target: Target) {
        let raw = |text: &str| Json::Raw(text.as_bytes().to_vec());
        match *edit {
            Edit::Set(path, value) => {
                let (object, name) = self.object_of(json, path);
                *reach(object, &name, value) = raw(value);
            }
            Edit::Entry(value) => *self.walk(json, "roots/*".split('/')) = raw(value),
            Edit::Remove(path) => {
                let (object, name) = self.object_of(json, path);
                object.members_mut().expect("an object").retain(|(other, _)| *other != name);
            }
            Edit::Replace(value) => *json = raw(value),
            Edit::Wrap(path) => {
                let value = self.walk(json, path.split('/').skip(1));
                *value = Json::Array(vec![std::mem::replace(value, Json::Null)]);
            }
            Edit::Under(name) => {
                *json = Json::Object(vec![(name.to_owned(), std::mem::replace(json, Json::Null))]);
            }
            Edit::Twice(path, value) => {
                let (object, name) = self.object_of(json, path);
                let copy = (name.clone(), reach(object, &name, value).clone());
                let members = object.members_mut().expect("an object");
                let index = self.dice.roll(members.len() + 1);
                members.insert(index, copy);
            }
            Edit::Ignored(value) => self.ignore(json, target, Json::Raw(value.to_vec())),
            Edit::Deep(open, close) => {
                let deep = format!("{}0{}", open.repeat(126), close.repeat(126));
                self.ignore(json, target, Json::Array(vec![raw(&deep)]));
            }
            Edit::Uri(uri) => *self.uri(json) = Json::string(uri),
            Edit::IntoPath(text) => {
                let uri = self.uri(json);
                *uri = Json::string(format!("file:///home/user/projects/{text}/and/a/long/way/below"));
            }
            Edit::Around(..) | Edit::Cut | Edit::Asked(_) => {}
        }
    }

    /// The object that a path's last step names a member of, and that step.
    fn object_of<'j>(&mut self, json: &'j mut Json, path: &str) -> (&'j mut Json, String) {
        let (object, name) = path.rsplit_once('/').expect("a pointer to a member");
        let object = self.walk(json, object.split('/').skip(1));
        if !matches!(object, Json::Object(_)) {
            // Something that means nothing in this revision stands there.
            *object = Json::empty_object();
        }
        (object, name.replace("~1", "/"))
    }

    fn walk<'j, 'p>(
        &mut self,
        json: &'j mut Json,
        mut steps: impl Iterator<Item = &'p str> + Clone,
    ) -> &'j mut Json {
        let Some(step) = steps.next() else { return json };
        let next = if step == "*" {
            self.entry(json)
        } else {
            let is_list = steps.clone().next() == Some("*");
            reach(json, &step.replace("~1", "/"), if is_list { "[]" } else { "{}" })
        };
        self.walk(next, steps)
    }

    /// A root; made if there is none.
    fn entry<'j>(&mut self, roots: &'j mut Json) -> &'j mut Json {
        let Json::Array(entries) = roots else { panic!("a list") };
        if entries.is_empty() {
            entries.push(Json::Object(vec![("uri".to_owned(), Json::string("file:///"))]));
        }
        self.root = self.dice.roll(entries.len());
        &mut entries[self.root]
    }

    fn uri<'j>(&mut self, json: &'j mut Json) -> &'j mut Json {
        let root = self.walk(json, "roots/*".split('/'));
        reach(root, "uri", "null")
    }

    /// Adds a member that means nothing, to one of the objects that may have one.
    fn ignore(&mut self, json: &mut Json, target: Target, value: Json) {
        let is_bare_request = target == Target::Request && json.member_mut("jsonrpc").is_none();
        let open = if is_bare_request { self.walk(json, "params/_meta".split('/')) } else { json };
        if !matches!(open, Json::Object(_)) {
            *open = Json::empty_object();
        }
        let mut count = 0;
        open.visit_mut(&mut |json| count += usize::from(matches!(json, Json::Object(_))));
        let chosen = self.dice.roll(count);
        let mut index = 0;
        let mut value = Some(value);
        open.visit_mut(&mut |json| {
            if let Json::Object(members) = json {
                if index == chosen
                    && let Some(value) = value.take()
                {
                    members.insert(members.len() / 2, ("means nothing".to_owned(), value));
                }
                index += 1;
            }
        });
    }
}
