//! What an edit makes of a text, and a text whose old assertion asks for less. It knows nothing of files.

use super::case::Edit;
use crate::corpus::pair::Language;
use anyhow::{Context, Result, bail};

/// The text with the edit made; `None` where there was no file.
pub fn made(before: Option<&str>, edit: &Edit) -> Result<String> {
    let anchors = [&edit.after, &edit.before, &edit.instead];
    let Some(anchor) = anchors.into_iter().flatten().next() else {
        return Ok(format!("{}{}", before.unwrap_or_default(), edit.text));
    };
    let text = before.with_context(|| format!("{} is not there", edit.path))?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = match &edit.within {
        Some(start) => found(&lines, 0, start).with_context(|| missing(edit, start))?,
        None => 0,
    };
    let at = found(&lines, from, anchor).with_context(|| missing(edit, anchor))?;
    if edit.within.is_none() && found(&lines, at + 1, anchor).is_some() {
        bail!("{} has `{anchor}` in two lines; `in` says which", edit.path);
    }
    let (head, tail) = match (&edit.after, &edit.before) {
        (Some(_), _) => (at + 1, at + 1),
        (None, Some(_)) => (at, at),
        (None, None) => (at, at + 1),
    };
    let part = |lines: &[&str]| lines.concat();
    Ok(format!("{}{}{}", part(&lines[..head]), edit.text, part(&lines[tail..])))
}

fn found(lines: &[&str], from: usize, piece: &str) -> Option<usize> {
    (from..lines.len()).find(|at| lines[*at].contains(piece))
}

fn missing(edit: &Edit, piece: &str) -> String {
    format!("{} has no line with `{piece}`", edit.path)
}

/// A text in which one assertion that the base has too is taken away, or asks only that there is something. `None` where
/// no assertion stands on one line.
pub fn weakened(language: Language, old: &str, new: &str) -> Option<String> {
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let was = |line: &&&str| old.lines().any(|before| before == line.trim_end_matches('\n'));
    let asserts = |at: usize| {
        let line = lines.get(at).filter(was)?;
        is_assertion(language, line.trim()).then_some(line)
    };
    // One of two neighbours can go, and nothing else has to change for it.
    let indent = |line: &str| line.len() - line.trim_start().len();
    let twin = (1..lines.len()).find(|at| match (asserts(at - 1), asserts(*at)) {
        (Some(one), Some(other)) => indent(one) == indent(other) && one != other,
        _ => false,
    });
    // Where they are counted, one that goes would be missed.
    let counted = |at: &usize| lines[*at].trim_start().starts_with("t.");
    if let Some(at) = twin.filter(|at| !counted(at)) {
        return Some([&lines[..at], &lines[at + 1..]].concat().concat());
    }
    let (at, loose) =
        (0..lines.len()).find_map(|at| Some((at, loosened(language, asserts(at)?)?)))?;
    Some([&lines[..at], &[loose.as_str()], &lines[at + 1..]].concat().concat())
}

/// The same line when it asks for less, and still stands for itself.
fn loosened(language: Language, line: &str) -> Option<String> {
    match language {
        Language::Python => {
            let (kept, _) = line.split_once(" == ")?;
            Some(format!("{kept} is not None\n"))
        }
        Language::Go => {
            let told = ["Error", "Fatal"].into_iter().find(|word| line.contains(word))?;
            Some(line.replacen(told, "Log", 1))
        }
        Language::JavaScript => {
            if let Some((kept, _)) = line.split_once(").to") {
                return Some(format!("{kept}).toBeDefined();\n"));
            }
            let (kept, _) = line.split_once(", ")?;
            let (begin, given) = kept.split_once(".equal(")?;
            let whole = given.matches('(').count() == given.matches(')').count();
            whole.then(|| format!("{begin}.ok({given})\n"))
        }
        Language::Rust => None,
    }
}

/// Whether a line is an assertion, and all of it.
fn is_assertion(language: Language, line: &str) -> bool {
    let begins: &[&str] = match language {
        Language::Python => &["assert ", "self.assertEqual("],
        Language::Rust => &["assert_eq!(", "assert!(", "it::assert_equal("],
        Language::Go => &["t.Error(", "t.Errorf(", "t.Fatal(", "t.Fatalf("],
        Language::JavaScript => &["expect(", "t.assert.equal("],
    };
    let count = |sign: &[char]| line.matches(sign).count();
    let whole = count(&['(', '[', '{']) == count(&[')', ']', '}']);
    let ended = match language {
        Language::Rust => line.ends_with(");"),
        Language::Go => line.ends_with(')'),
        Language::JavaScript => line.ends_with([')', ';']),
        Language::Python => !line.ends_with(['\\', ',']),
    };
    whole && ended && begins.iter().any(|begin| line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str) -> Edit {
        Edit { path: "a.py".to_owned(), text: text.to_owned(), ..Edit::default() }
    }

    #[test]
    fn a_text_stands_after_before_or_in_the_place_of_a_line() {
        let text = "def f(a):\n    return a\n";
        let some = |word: &str| Some(word.to_owned());
        let after = Edit { after: some("def f("), ..edit("    a += 1\n") };
        assert_eq!(made(Some(text), &after).unwrap(), "def f(a):\n    a += 1\n    return a\n");
        let before = Edit { before: some("return a"), ..edit("    a += 1\n") };
        assert_eq!(made(Some(text), &before).unwrap(), "def f(a):\n    a += 1\n    return a\n");
        let instead = Edit { instead: some("return a"), ..edit("    return 1\n") };
        assert_eq!(made(Some(text), &instead).unwrap(), "def f(a):\n    return 1\n");
        assert_eq!(made(None, &edit("b = 1\n")).unwrap(), "b = 1\n");
        assert_eq!(made(Some(text), &edit("b = 1\n")).unwrap(), format!("{text}b = 1\n"));
    }

    #[test]
    fn an_anchor_that_is_missing_or_stands_twice_is_an_error() {
        let text = "def f():\n    return 1\ndef g():\n    return 1\n";
        let twice = Edit { before: Some("return 1".to_owned()), ..edit("    x\n") };
        assert!(made(Some(text), &twice).unwrap_err().to_string().contains("two lines"));
        let within = Edit { within: Some("def g(".to_owned()), ..twice };
        let expected = "def f():\n    return 1\ndef g():\n    x\n    return 1\n";
        assert_eq!(made(Some(text), &within).unwrap(), expected);
        let gone = Edit { before: Some("return 2".to_owned()), ..edit("") };
        assert!(made(Some(text), &gone).unwrap_err().to_string().contains("no line with"));
    }

    #[test]
    fn an_old_assertion_goes_where_another_stands_beside_it() {
        let old = "def test_a():\n    assert a(1) == 1\n    assert a(2) == 2\n";
        let new = format!("{old}    assert a(3) == 3\n");
        let weak = weakened(Language::Python, old, &new).unwrap();
        assert_eq!(weak, "def test_a():\n    assert a(1) == 1\n    assert a(3) == 3\n");
    }

    #[test]
    fn a_lone_assertion_asks_only_that_there_is_something() {
        let old = "def test_a():\n    assert a(1) == 1\n";
        let weak = weakened(Language::Python, old, old).unwrap();
        assert_eq!(weak, "def test_a():\n    assert a(1) is not None\n");
        assert_eq!(weakened(Language::Python, "", old), None);
    }

    #[test]
    fn what_is_expected_in_javascript_only_has_to_be_there() {
        let old = "  expect(a(1)).toEqual([1]);\n";
        let weak = weakened(Language::JavaScript, old, old).unwrap();
        assert_eq!(weak, "  expect(a(1)).toBeDefined();\n");
        let old = "  t.assert.equal(a(1), 1)\n  t.assert.equal(a(2), 2)\n";
        let weak = weakened(Language::JavaScript, old, old).unwrap();
        assert_eq!(weak, "  t.assert.ok(a(1))\n  t.assert.equal(a(2), 2)\n");
    }

    #[test]
    fn a_failure_in_go_is_only_told() {
        let old = "\tif a != b {\n\t\tt.Errorf(\"%d\", a)\n\t}\n";
        let weak = weakened(Language::Go, old, old).unwrap();
        assert_eq!(weak, "\tif a != b {\n\t\tt.Logf(\"%d\", a)\n\t}\n");
    }
}
