//! Every path of this repository that our documents name must exist: in backticks from the root, in links
//! from the document's own folder.

use crate::fault::Fault;
use crate::tree::{Tree, has_ending};

/// What a path in backticks begins with to be taken for one of this repository.
const OURS: [&str; 6] = ["crates/", "docs/", "scripts/", ".ci/", ".config/", ".cargo/"];
const AT_ROOT: [&str; 3] = ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"];

pub fn check(tree: &Tree) -> Vec<Fault> {
    let documents = tree.texts().filter(|(path, _)| {
        AT_ROOT.contains(path) || (path.starts_with("docs/") && has_ending(path, "md"))
    });
    documents.flat_map(|(path, text)| faults(tree, path, text)).collect()
}

fn faults(tree: &Tree, document: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (line, text) in prose(text) {
        for (written, path) in named(document, text) {
            if path.as_ref().is_some_and(|path| tree.holds(path)) {
                continue;
            }
            faults.push(Fault::error(
                format!("{document}:{line}"),
                format!("`{written}` is not in the repository"),
                "the path of a file or folder that is there; `<name>` or `*` where any will do",
            ));
        }
    }
    faults
}

/// The numbered lines outside fenced blocks: those show examples, often of the user's own repository.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|m| start.starts_with(m));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => lines.push((number, line)),
            (Some(_), _) => {}
        }
    }
    lines
}

/// The paths of ours in one line, as written and from the root; none for one that leaves the repository.
fn named(document: &str, line: &str) -> Vec<(String, Option<String>)> {
    let (spans, rest) = code_spans(line);
    let mut found = Vec::new();
    for span in spans {
        if OURS.iter().any(|ours| span.starts_with(ours)) && is_one_path(span) {
            found.push((span.to_owned(), resolve("", without_place(span))));
        }
    }
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    for target in links(&rest) {
        if !is_elsewhere(target) {
            found.push((target.to_owned(), resolve(folder, without_place(target))));
        }
    }
    found
}

/// The texts between backticks, and the line without them.
fn code_spans(line: &str) -> (Vec<&str>, String) {
    let (mut spans, mut rest) = (Vec::new(), String::new());
    let mut left = line;
    while let Some(open) = left.find('`') {
        rest.push_str(&left[..open]);
        let ticks = left[open..].len() - left[open..].trim_start_matches('`').len();
        let inside = &left[open + ticks..];
        let Some(end) = inside.find(&left[open..open + ticks]) else {
            left = inside;
            continue;
        };
        spans.push(inside[..end].trim());
        left = &inside[end + ticks..];
    }
    rest.push_str(left);
    (spans, rest)
}

/// The targets of `[text](target)` and `[text](target "title")`.
fn links(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut left = line;
    while let Some(at) = left.find("](") {
        left = &left[at + 2..];
        let end = left.find(')').unwrap_or(left.len());
        let target = left[..end].split_whitespace().next().unwrap_or_default();
        found.push(target.trim_start_matches('<').trim_end_matches('>'));
    }
    found
}

/// Not a pattern, a placeholder or a sentence.
fn is_one_path(span: &str) -> bool {
    !span.contains(|c: char| c.is_whitespace() || "*<>{}$…".contains(c)) && !span.contains("...")
}

/// Another host, a place in the same document, or nothing.
fn is_elsewhere(target: &str) -> bool {
    target.is_empty()
        || target.starts_with('#')
        || target.contains("://")
        || target.starts_with("mailto:")
}

/// Without `#heading`, `::item`, `:line` or `?query`.
fn without_place(path: &str) -> &str {
    path.split(['#', ':', '?']).next().unwrap_or_default()
}

/// The path from the root; none where it leaves the repository.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: [(&str, &str); 3] =
        [("crates/core/src/turn.rs", ""), ("docs/book/start.md", ""), ("LICENSE-MIT", "")];

    fn wrong(document: &str, text: &str) -> Vec<String> {
        let mut files = TREE.to_vec();
        files.push((document, text));
        let faults = check(&Tree::of(&files));
        faults.into_iter().map(|fault| format!("{} {}", fault.place, fault.what)).collect()
    }

    #[test]
    fn a_path_in_backticks_must_be_there() {
        let text = "See `crates/core/src/turn.rs` and\n`crates/core/src/gone.rs`.\n";
        assert_eq!(
            wrong("ARCHITECTURE.md", text),
            ["ARCHITECTURE.md:2 `crates/core/src/gone.rs` is not in the repository"]
        );
    }

    #[test]
    fn folders_lines_items_and_patterns_are_understood() {
        let text = "`crates/core/` `crates/core/src/turn.rs:12` `crates/core/src/turn.rs::schema` \
            `crates/*/src` `crates/<name>/tests` `docs/…` `crates/core and more` ``docs/book``\n";
        assert_eq!(wrong("README.md", text), [""; 0]);
    }

    #[test]
    fn what_is_not_a_path_of_ours_is_left_alone() {
        let text = "`tests/test_calc.py` `proctor.toml` `a/b` `src/lib.rs`\n";
        assert_eq!(wrong("README.md", text), [""; 0]);
    }

    #[test]
    fn a_link_is_followed_from_the_folder_of_its_document() {
        let text = "[a](start.md) [b](../../LICENSE-MIT#top) [c](../missing.md \"t\") [d](#x)\n\
            [e](https://example.com/x.md) [f](../../../out.md) `[g](no.md)`\n";
        assert_eq!(
            wrong("docs/book/more.md", text),
            [
                "docs/book/more.md:1 `../missing.md` is not in the repository",
                "docs/book/more.md:2 `../../../out.md` is not in the repository"
            ]
        );
    }

    #[test]
    fn fenced_blocks_are_examples() {
        let text = "```\n`crates/no`\n~~~\n```\n`crates/yes`\n";
        assert_eq!(
            wrong("CONTRIBUTING.md", text),
            ["CONTRIBUTING.md:5 `crates/yes` is not in the repository"]
        );
    }

    #[test]
    fn other_documents_are_not_read() {
        assert_eq!(wrong("CHANGELOG.md", "`crates/no`"), [""; 0]);
    }
}
