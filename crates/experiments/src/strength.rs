//! How much a test asserts, read from its source: enough to say that a changed test asserts less than before, and that
//! a new one asserts too little. Compares texts; runs nothing, and decides nothing alone.

mod around;
mod claims;
mod compare;
mod force;
mod go;
mod java;
mod loops;
mod model;
mod own;
mod python;
mod rust;
mod scope;
mod script;
mod tokens;
use around::Guard;
use compare::{Files, calls_itself, is_hollow};
use force::Force;
use model::{Mock, Source, Test};
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

/// What makes the later text of a test weaker than the earlier one, each in one line; empty where nothing does.
/// Each test is given by its file, the file's source, and the line where it begins.
pub fn weakened(before: (&str, &str, u32), after: (&str, &str, u32)) -> Vec<String> {
    let (Some((old, before)), Some((new, after))) = (read(before), read(after)) else {
        return Vec::new();
    };
    let files = Files { before: tokens::tokens(&before), after: tokens::tokens(&after) };
    compare::compare(&old, &new, &files)
}

/// What is hollow about one test, each in one line: it asserts on a stand-in alone, accepts any exception, expects
/// what the same call gives, asserts constants, or asserts only where it may not come.
pub fn oracle(file: &str, source: &str, line: u32) -> Vec<String> {
    let Some((test, _)) = read((file, source, line)) else {
        return Vec::new();
    };
    let mut told = Vec::new();
    for check in &test.checks {
        if is_hollow(check) {
            told.push(format!("`{}` holds whatever the code does", check.text));
        } else if let Some(text) = calls_itself(check) {
            told.push(text);
        }
    }
    let asking: Vec<_> = test.checks.iter().filter(|c| !is_hollow(c)).collect();
    let broad = |force: &Force| {
        force.is_broad_exception()
            || matches!(force, Force::Raises { kinds, message: force::Message::Any } if kinds == &["panic"])
    };
    if let Some(check) = asking.first().filter(|_| asking.iter().all(|c| broad(&c.claim.1))) {
        told.push(format!(
            "`{}` accepts any failure: ask for its kind or its message",
            model::short(&check.text)
        ));
    }
    if !asking.is_empty() && asking.iter().all(|c| c.mock == Mock::Calls) {
        told.push("it asserts on nothing but a stand-in".to_owned());
    }
    if let Some(check) = asking.first().filter(|_| asking.iter().all(|c| c.guard != Guard::None)) {
        told.push(format!("nothing is always checked: `{}` is {}", check.text, check.guard.told()));
    }
    told
}

/// Whether no assertion of a test depends on what the code does: all are of constants, or of a thing with itself.
pub fn is_vacuous(file: &str, source: &str, line: u32) -> bool {
    let says_nothing = |check: &model::Check| is_hollow(check) || calls_itself(check).is_some();
    let test = read((file, source, line)).map(|(test, _)| test);
    test.is_some_and(|test| !test.checks.is_empty() && test.checks.iter().all(says_nothing))
}

/// The test at a line, and its file without comments.
fn read((file, text, line): (&str, &str, u32)) -> Option<(Test, String)> {
    let language = Language::of(file)?;
    let tree = language.parse(text)?;
    let text = without_comments(tree.root_node(), text);
    let source = Source::new(language, &text, &tree);
    let found = source.read(&source.test_at(line)?);
    Some((found, text))
}

/// The text with spaces for comments, so that every place stays where it is.
fn without_comments(root: Node<'_>, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    syntax::walk(root, &|_| true, &mut |node| {
        if matches!(node.kind(), "comment" | "line_comment" | "block_comment") {
            for byte in bytes.get_mut(node.byte_range()).unwrap_or_default() {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    });
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests;
