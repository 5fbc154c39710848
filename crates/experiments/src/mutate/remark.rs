//! The same code in other words: a comment in each changed function and one behind all, in Python also a name that nobody
//! reads. No test may notice that, unless the code looks at itself.

use super::part::is_function;
use super::words::language_of;
use proctor_lang::edit::Edit;
use proctor_lang::{Language, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// A source with remarks in the functions of these lines; none where it can't be read, or would not be read any more.
pub fn remarked(file: &str, source: &str, lines: &BTreeSet<u32>) -> Option<String> {
    let language = language_of(file)?;
    let tree = language.parse(source).filter(|tree| !tree.root_node().has_error())?;
    let functions = syntax::nodes(tree.root_node()).filter(|n| is_function(*n));
    let changed = functions.filter(|n| syntax::touches(*n, lines));
    let edits: Vec<Edit> = changed.filter_map(|n| remark(language, n, source)).collect();
    let mut text = Edit::applied(source, &edits);
    let end = if language == Language::Python { "# end" } else { "// end" };
    text.push_str(if text.ends_with('\n') { "" } else { "\n" });
    text.push_str(end);
    text.push('\n');
    language.parse(&text).is_some_and(|tree| !tree.root_node().has_error()).then_some(text)
}

fn remark(language: Language, function: Node<'_>, source: &str) -> Option<Edit> {
    let body = function.child_by_field_name("body")?;
    let put = |at: usize, text: String| Some(crate::observe::put(at, at, text));
    if language != Language::Python {
        let opens = source.get(body.start_byte()..)?.starts_with('{');
        return opens.then(|| put(body.start_byte() + 1, " /* as before */".to_owned())).flatten();
    }
    // The expression of a lambda has no place for a statement.
    if body.kind() != "block" {
        return None;
    }
    let last = syntax::children(body).into_iter().rfind(|n| n.kind() != "comment")?;
    let from = source.get(..last.start_byte())?.rfind('\n').map_or(0, |at| at + 1);
    let indent = source.get(from..last.start_byte())?;
    // A body beside its head has no line of its own, and one that is only said has nothing to run.
    let own = indent.chars().all(char::is_whitespace)
        && last.named_child(0).map(|n| n.kind()) != Some("string");
    own.then(|| put(last.start_byte(), format!("_as_before = None\n{indent}"))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_stand_in_the_functions_that_changed_and_behind_all() {
        let python = "def f(a):\n    \"\"\"Doc.\"\"\"\n    if a:\n        return 1\n    return 2\n\ndef g():\n    return 3\n";
        assert_eq!(
            remarked("a.py", python, &BTreeSet::from([4])).unwrap(),
            "def f(a):\n    \"\"\"Doc.\"\"\"\n    if a:\n        return 1\n    _as_before = None\n    return 2\n\ndef g():\n    return 3\n# end\n"
        );
        let go = "package a\n\nfunc f() int { return 1 }\n\nfunc g() int {\n\treturn 2\n}";
        assert_eq!(
            remarked("a.go", go, &BTreeSet::from([6])).unwrap(),
            "package a\n\nfunc f() int { return 1 }\n\nfunc g() int { /* as before */\n\treturn 2\n}\n// end\n"
        );
        let script = "export const f = (a) => a + 1;\nfunction g() {\n  return 1;\n}\n";
        let told = remarked("a.js", script, &BTreeSet::from([1, 3])).unwrap();
        assert!(told.contains("(a) => a + 1;\nfunction g() { /* as before */\n"), "{told}");
    }

    #[test]
    fn what_cannot_be_read_gets_none() {
        assert_eq!(remarked("a.py", "def f(:\n", &BTreeSet::from([1])), None);
        assert_eq!(remarked("a.sql", "select 1\n", &BTreeSet::from([1])), None);
        let lambda = "f = lambda a: (\n    a\n    + 1)\n";
        assert_eq!(
            remarked("a.py", lambda, &BTreeSet::from([2])).unwrap(),
            format!("{lambda}# end\n")
        );
        let beside = "def f(): return 1\n";
        assert_eq!(
            remarked("a.py", beside, &BTreeSet::from([1])).unwrap(),
            "def f(): return 1\n# end\n"
        );
    }
}
