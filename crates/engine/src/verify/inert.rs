//! Documents that differ and that code names: what it opens there is part of what it does. A name is the file's own, that of
//! a folder it stands in, or a pattern that fits it, in a string of any source of either side. Runs nothing.

use proctor_experiments::constants;
use proctor_lab::{Halt, sources_within};
use proctor_lang::{is_code, parent};
use proctor_tools::is_manifest;
use proctor_world::listing::Listing;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;

/// A source that is larger is not searched.
const MOST_READ: u64 = 1024 * 1024;
/// How Go takes a file into a program.
const EMBED: &str = "//go:embed ";

/// Of these documents those that a source of one of the sides names.
pub(super) fn named(
    shadow: &Shadow,
    sides: [&Listing; 2],
    documents: &[&String],
) -> Result<BTreeSet<String>, Halt> {
    let mut named = BTreeSet::new();
    if documents.is_empty() {
        return Ok(named);
    }
    let mut read = BTreeSet::new();
    for listing in sides {
        // Most sources are the same on both sides.
        let fresh = |path: &str| {
            let seen = listing.get(path).is_some_and(|entry| read.contains(&entry.oid));
            is_code(path) && !is_manifest(path) && !seen
        };
        let (sources, _) = sources_within(shadow, listing, MOST_READ, fresh)?;
        for (path, bytes) in sources.0.iter().filter(|(path, _)| fresh(path)) {
            let text = String::from_utf8_lossy(bytes);
            let words = words(path, &text);
            let is_named = |document: &&&String| {
                path != **document && words.iter().any(|word| names(word, document))
            };
            named.extend(documents.iter().filter(is_named).map(|document| (*document).clone()));
        }
        read.extend(listing.values().map(|entry| entry.oid.clone()));
    }
    Ok(named)
}

/// The strings of a source that may be a path. Where it can't be parsed, all of its words.
fn words(path: &str, text: &str) -> Vec<String> {
    let plain = |text: &str| -> Vec<String> {
        text.split(|c: char| c.is_whitespace() || "\"'`(),;".contains(c))
            .map(str::to_owned)
            .collect()
    };
    let mut words = constants(path, text).unwrap_or_else(|| plain(text));
    words.retain(|word| !word.is_empty() && !word.contains(char::is_whitespace));
    let embeds = text.lines().filter_map(|line| line.trim().strip_prefix(EMBED));
    words.extend(embeds.flat_map(plain));
    words
}

/// Whether a string of the code is the name of a document, of a folder around it, or a pattern that fits it.
fn names(word: &str, document: &str) -> bool {
    let name = document.rsplit('/').next().unwrap_or(document);
    if word.contains(name) {
        return true;
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| format!(".{ending}"));
    if ending.is_some_and(|ending| word == ending || word.ends_with(&format!("*{ending}"))) {
        return true;
    }
    let word = word.trim_start_matches("../").trim_start_matches("./").trim_end_matches("/*");
    let word = word.trim_end_matches("/**").trim_matches('/');
    let mut folder = parent(document);
    while !folder.is_empty() {
        let last = folder.rsplit('/').next().unwrap_or(folder);
        if word == folder || word == last || word.ends_with(&format!("/{folder}")) {
            return true;
        }
        folder = parent(folder);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_named_by_its_name_its_folder_or_a_pattern() {
        let document = "docs/prices/list.txt";
        for word in
            ["list.txt", "../docs/prices/list.txt", "docs", "prices", "*.txt", ".txt", "./docs/*"]
        {
            assert!(names(word, document), "{word}");
        }
        for word in ["doc", "price", "*.md", "x", "list", "docs.example"] {
            assert!(!names(word, document), "{word}");
        }
        assert!(!names("x", "README.md"));
    }

    #[test]
    fn what_go_embeds_is_named_and_what_a_comment_says_is_not() {
        assert_eq!(
            words("a.go", "package a\n\n//go:embed data.txt\nvar data string\n"),
            ["data.txt"]
        );
        assert!(
            words("a.py", "# see docs/readme.txt\nx = 1\n").iter().all(|w| !w.contains("docs"))
        );
        assert!(words("a.py", "open('docs/readme.txt')\n").contains(&"docs/readme.txt".to_owned()));
    }
}
