//! Network, waiting, and checks that are switched off. Often honest: a note for whoever reads the change.

use super::facts::{Facts, Use, What};
use super::{Hit, SuspicionKind, first_of};
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

const NETWORK: [&str; 50] = [
    "socket.socket",
    "socket.create_connection",
    "socket.create_server",
    "urllib.request",
    "urllib3",
    "requests.get",
    "requests.post",
    "requests.put",
    "requests.delete",
    "requests.request",
    "requests.Session",
    "httpx",
    "aiohttp",
    "http.client",
    "ftplib",
    "smtplib",
    "asyncio.open_connection",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "axios",
    "node-fetch",
    "got",
    "undici",
    "http.request",
    "http.get",
    "https.request",
    "https.get",
    "net.connect",
    "net.createConnection",
    "tls.connect",
    "dgram.createSocket",
    "net.Dial",
    "net.DialTimeout",
    "net.Listen",
    "net.Dialer",
    "net/http.Get",
    "net/http.Post",
    "net/http.Head",
    "net/http.PostForm",
    "net/http.NewRequest",
    "net/http.NewRequestWithContext",
    "net/http.DefaultClient",
    "std.net",
    "tokio.net",
    "reqwest",
    "ureq",
    "java.net",
    "Socket",
];

const SLEEP: [&str; 13] = [
    "time.sleep",
    "asyncio.sleep",
    "trio.sleep",
    "gevent.sleep",
    "time.Sleep",
    "std.thread.sleep",
    "thread.sleep",
    "tokio.time.sleep",
    "async_std.task.sleep",
    "Thread.sleep",
    "timers/promises.setTimeout",
    "Atomics.wait",
    "Bun.sleep",
];

const COMMENTS: [&str; 25] = [
    "noqa",
    "type: ignore",
    "pragma: no cover",
    "pragma: no branch",
    "pragma: no mutate",
    "pylint: disable",
    "pyright: ignore",
    "mypy: ignore",
    "nosec",
    "eslint-disable",
    "@ts-ignore",
    "@ts-expect-error",
    "@ts-nocheck",
    "biome-ignore",
    "oxlint-disable",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "stryker disable",
    "nolint",
    "lint:ignore",
    "lcov_excl",
    "grcov-excl",
    "nosonar",
    "coverage:ignore",
];

pub(super) fn hits<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    let mut found = Vec::new();
    for fact in &facts.list {
        let hit = match &fact.what {
            What::Path(path, used) => path_hit(facts, fact.node, path, *used),
            What::Comment(text) => {
                let lower = text.to_lowercase();
                COMMENTS.iter().find(|c| says(&lower, c)).map(|word| off(word))
            }
            What::Attribute(text) => attribute_hit(facts.language, text),
            What::Text(..) | What::Import(_) | What::Definition(_) => None,
        };
        found.extend(hit.map(|(kind, text)| Hit::new(kind, fact.node, text)));
    }
    found
}

fn off(word: &str) -> (SuspicionKind, String) {
    (SuspicionKind::Suppression, format!("`{word}` switches a check off"))
}

/// Whether a comment has these words by themselves.
fn says(comment: &str, word: &str) -> bool {
    comment.match_indices(word).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let before = comment.get(..at).and_then(|t| t.chars().next_back());
        let after = comment.get(at + word.len()..).and_then(|t| t.chars().next());
        !letter(before) && !letter(after)
    })
}

fn path_hit(
    facts: &Facts<'_>,
    node: Node<'_>,
    path: &str,
    used: Use,
) -> Option<(SuspicionKind, String)> {
    let spelled =
        || if facts.language == Language::Rust { path.replace('.', "::") } else { path.to_owned() };
    if first_of(path, &SLEEP).is_some() || is_promised_wait(node, path, facts.source) {
        return Some((SuspicionKind::Sleep, format!("`{}` waits", spelled())));
    }
    let name = first_of(path, &NETWORK)?;
    // A bare name is only this one where it is called and not the file's own.
    let bare = !name.contains('.');
    if bare && (used != Use::Called || facts.defines(name)) {
        return None;
    }
    if name == "Socket" && facts.language != Language::Java {
        return None;
    }
    Some((SuspicionKind::Network, format!("`{}` reaches the network", spelled())))
}

/// `new Promise(r => setTimeout(r, 100))`
fn is_promised_wait(node: Node<'_>, path: &str, source: &str) -> bool {
    path == "setTimeout"
        && node.kind() == "call_expression"
        && std::iter::successors(node.parent(), Node::parent).take(6).any(|n| {
            n.kind() == "new_expression" && syntax::field(n, "constructor", source) == "Promise"
        })
}

fn attribute_hit(language: Language, text: &str) -> Option<(SuspicionKind, String)> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let word = match language {
        Language::Rust => {
            let inner =
                bare.trim_start_matches("#!").trim_start_matches('#').trim_start_matches('[');
            let names = [
                "allow(",
                "expect(",
                "coverage(off)",
                "mutants::skip",
                "no_coverage",
                "rustfmt::skip",
            ];
            names.iter().find(|n| inner.starts_with(**n)).map(|_| text)?
        }
        Language::Java => {
            ["SuppressWarnings", "SuppressFBWarnings"].iter().find(|n| bare.contains(**n))?
        }
        Language::Python => ["no_type_check"].iter().find(|n| bare.contains(**n))?,
        Language::Go | Language::Script(_) => return None,
    };
    Some(off(word))
}
