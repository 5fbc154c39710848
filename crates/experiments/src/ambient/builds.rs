//! Switches of a build that the change asks: what `cfg` says of features, profiles and platforms, and what stands in the
//! environment while it is built.

use super::{Kind, Question, edit, squeezed};
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What decides whether this is a test, or for whom documents are made, has experiments of its own.
const NO_SWITCH: [&str; 4] = ["test", "doc", "doctest", "miri"];

/// The switches in these lines of a Rust source.
pub(super) fn switches(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<Question> {
    let mut asked: Vec<(Node<'_>, &str)> = Vec::new();
    let mut everywhere: Vec<(usize, usize, &str)> = Vec::new();
    let mut found = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| {
        let text = syntax::text(node, source);
        let is_attribute = node.kind() == "attribute" && text.starts_with("cfg");
        if is_attribute {
            for (from, to) in predicates(text) {
                let Some(word) = text.get(from..to) else { continue };
                everywhere.push((node.start_byte() + from, node.start_byte() + to, word));
                if lines.contains(&syntax::line(node)) {
                    asked.push((node, word));
                }
            }
        } else if node.kind() == "macro_invocation"
            && syntax::field(node, "macro", source) == "option_env"
            && lines.contains(&syntax::line(node))
        {
            found.push(Question {
                text: squeezed(text),
                line: syntax::line(node),
                yes: edit(node, node.start_byte(), "Some(\"1\")".to_owned(), "answered with yes"),
                no: edit(node, node.start_byte(), "None::<&str>".to_owned(), "answered with no"),
                kind: Kind::Condition,
            });
        }
    });
    found.extend(folders(source, lines));
    let mut seen = BTreeSet::new();
    for (node, word) in asked.into_iter().filter(|(_, word)| seen.insert(*word)) {
        let own = everywhere.iter().filter(|(.., other)| *other == word);
        let places: Vec<(usize, usize)> = own.map(|(from, to, _)| (*from, *to)).collect();
        let answered = |with: &str, what: &str| answered(node, source, &places, (with, what));
        let pair = answered("all()", "built with it").zip(answered("any()", "built without it"));
        let Some((yes, no)) = pair else { continue };
        let (text, line) = (format!("cfg({word})"), syntax::line(node));
        found.push(Question { text, line, yes, no, kind: Kind::Condition });
    }
    found
}

/// The folder that a crate is built in, where it is kept in the program: on a user's machine it is not there. What is taken in
/// while it is built is no question.
fn folders(source: &str, lines: &BTreeSet<u32>) -> Vec<Question> {
    const FOLDER: &str = "env!(\"CARGO_MANIFEST_DIR\")";
    let question = |(from, _): (usize, &str)| {
        let before = source.get(..from)?;
        let line = u32::try_from(before.matches('\n').count() + 1).ok()?;
        let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
        let built_in = statement.contains("include") || before.ends_with("option_");
        let answer = |text: &str, what: &str| proctor_lang::Edit {
            line,
            from,
            to: from + FOLDER.len(),
            text: text.to_owned(),
            what: what.to_owned(),
        };
        (lines.contains(&line) && !built_in).then(|| Question {
            text: FOLDER.to_owned(),
            line,
            yes: answer(FOLDER, "as it is here"),
            no: answer("\"/srv/users/ada\"", "another folder"),
            kind: Kind::Value,
        })
    };
    source.match_indices(FOLDER).filter_map(question).collect()
}

/// One edit that puts this in all those places.
fn answered(
    node: Node<'_>,
    source: &str,
    places: &[(usize, usize)],
    (with, what): (&str, &str),
) -> Option<proctor_lang::Edit> {
    let (from, to) = (places.first()?.0, places.last()?.1);
    let (mut text, mut at) = (String::new(), from);
    for (start, end) in places {
        text.push_str(source.get(at..*start)?);
        text.push_str(with);
        at = *end;
    }
    let mut whole = edit(node, from, text, what);
    whole.to = to;
    Some(whole)
}

/// The single predicates of a `cfg`, by where they are in its text: `feature = "x"`, `debug_assertions`, `unix`.
fn predicates(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut begin) = (Vec::new(), None);
    let mut keep = |from: usize, to: usize| {
        let raw = text.get(from..to).unwrap_or_default();
        let word = raw.trim();
        let start = from + (raw.len() - raw.trim_start().len());
        if !word.is_empty() && !NO_SWITCH.contains(&word) {
            found.push((start, start + word.len()));
        }
    };
    for (at, letter) in text.char_indices() {
        match letter {
            // What stood before it was `all`, `any`, `not` or `cfg` itself.
            '(' => begin = Some(at + 1),
            ',' | ')' => {
                if let Some(from) = begin.take() {
                    keep(from, at);
                }
                if letter == ',' {
                    begin = Some(at + 1);
                }
            }
            _ => {}
        }
        // The rest of a `cfg_attr` is what it puts there.
        if letter == ',' && text.starts_with("cfg_attr") && depth(text, at) == 1 {
            break;
        }
    }
    found
}

fn depth(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.matches('(').count().saturating_sub(before.matches(')').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_build_is_another_where_a_program_keeps_it() {
        let source = "const A: &str = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/a\");\nconst B: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/a\"));\n";
        let all = folders(source, &BTreeSet::from([1, 2]));
        assert_eq!(all.len(), 1);
        assert!(all[0].no.apply(source).starts_with("const A: &str = concat!(\"/srv/users/ada\","));
    }

    #[test]
    fn the_single_predicates_of_a_switch_are_found() {
        let of = |text: &'static str| -> Vec<&str> {
            predicates(text).into_iter().map(|(from, to)| &text[from..to]).collect()
        };
        assert_eq!(of("cfg(feature = \"x\")"), ["feature = \"x\""]);
        assert_eq!(of("cfg(all(unix, not(feature = \"x\"), test))"), ["unix", "feature = \"x\""]);
        assert_eq!(of("cfg_attr(debug_assertions, derive(Debug))"), ["debug_assertions"]);
        assert_eq!(of("cfg(test)"), Vec::<&str>::new());
    }
}
