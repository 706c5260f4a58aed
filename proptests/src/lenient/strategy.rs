//! Results whose roots have URIs of all kinds, or none.

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::paths::hostile::hostile_uri;
use crate::strategy::{Of, json, revision, sample_of, style, valid};
use crate::{Json, Sample, Target};

/// What clients have sent for URIs, and what is near to one.
pub const URIS: &[&str] = &[
    "file:///home/me",
    "file://nas/share",
    "vscode-remote://wsl%2Bubuntu/home/me",
    "vscode-vfs://github/org/repo",
    "untitled:Untitled-1",
    "git+ssh://git@host/a.git",
    "s3://bucket/key",
    "https://x.example/#a",
    "mailto:me",
    "a:",
    "FILE:///home/me",
    "File:///home/me",
    "file:/home/me",
    "file:home",
    "file:",
    "C:/work",
    "C:\\work",
    "\\\\server\\share",
    "/home/me",
    "~/work",
    "~",
    ".",
    "",
    "U",
    "//host/a",
    "file",
    "://a",
    "1a:b",
    "a b://c",
    "urn:a b",
    "file:///My Project",
    "file:///a\\b",
    "file:///проект",
    "file:///[slug]",
    "file:///100%",
    "file:///a\n",
    " file:///a",
    "file:///a ",
    "https://x.example/a b",
    "https://[::1",
    "https://x.example/100%",
    "${workspaceFolder}",
];

fn uri() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(URIS).prop_map(str::to_owned),
        2 => hostile_uri().prop_map(|uri| uri.text()),
        1 => "[a-zA-Z0-9+.:/-]{0,12}",
        1 => ".{0,8}",
    ]
}

/// A result with URIs of all kinds; one in ten has a root that is none or has a bad member.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::lenient::{laws, strategy};
/// use proptest::prelude::*;
/// proptest!(|(sample in strategy::mixed())| {
///     prop_assert!(laws::all(&Core, &sample.case()) > 1);
/// });
/// ```
pub fn mixed() -> impl Strategy<Value = Sample> {
    let uris = vec(weighted(0.8, uri()), 6);
    let fault = weighted(0.1, (any::<usize>(), select(&["", "uri", "name", "_meta"][..]), json()));
    (valid(Target::Response), uris, fault, revision(), style()).prop_map(
        |(model, uris, fault, revision, style)| {
            let mut doc = model.json(revision);
            if let Some(Json::Array(roots)) = doc.member_mut("roots") {
                for (root, uri) in roots.iter_mut().zip(uris) {
                    if let (Some(old), Some(uri)) = (root.member_mut("uri"), uri) {
                        *old = Json::String(uri);
                    }
                }
                if let Some((index, name, json)) = fault
                    && let Some(index) = index.checked_rem(roots.len())
                {
                    let root = &mut roots[index];
                    match root.member_mut(name) {
                        Some(member) => *member = json,
                        None => *root = json,
                    }
                }
            }
            let doc = doc.write(style);
            Sample { target: Target::Response, revision, doc, request: None, flaw: None, expected: None }
        },
    )
}

/// A result: mostly [`mixed`], else as the strict reading gets them.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::lenient::{laws, strategy};
/// use proptest::prelude::*;
/// proptest!(|(sample in strategy::result())| {
///     prop_assert!(laws::all(&Core, &sample.case()) > 1);
/// });
/// ```
pub fn result() -> impl Strategy<Value = Sample> {
    let of = |kind| sample_of(kind, Target::Response);
    prop_oneof![6 => mixed(), 1 => of(Of::Valid), 1 => of(Of::Undirected), 2 => of(Of::Flawed)]
}
