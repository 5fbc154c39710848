//! Doubles of a test that give the code what the test gives, and hold another expectation against it; the test with one of
//! two equal values changed; a file of tests without the statements that use a name. Nothing is run or judged here.

use super::literals::{self, Literal, Value};
use super::other;
use crate::observe::{parsed, span};
use proctor_core::observation::{Sort, Swap, Variation};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::literal::stepped;
use proctor_lang::syntax::{children, line, text, walk};
use std::ops::Range;
use tree_sitter::Node;

/// How many expectations of one test are others at most.
const MOST: usize = 6;

/// In how many ways values that a test gives in several places are no longer the same.
const MOST_APART: usize = 4;
/// How many places of a test have nothing in them at most.
const MOST_EDGES: usize = 16;

/// Statements that can be left out as a whole.
const STATEMENTS: [&str; 7] = [
    "expression_statement",
    "lexical_declaration",
    "variable_declaration",
    "short_var_declaration",
    "assignment_statement",
    "let_declaration",
    "local_variable_declaration",
];

/// How many numbers that are expected are tried a little further off.
const MOST_NEAR: usize = 2;

/// One double, and what it changes; places count from the beginning of the test's span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    pub swap: Swap,
    pub line: u32,
    pub was: String,
    pub now: String,
    pub edits: Vec<Edit>,
}

/// The doubles of the test that begins at this line.
pub fn doubles(file: &str, source: &str, at: u32) -> Vec<Double> {
    let Some((span, language)) = span(file, source, at).zip(Language::of(file)) else {
        return Vec::new();
    };
    let Some(tree) = parsed(language, source) else { return Vec::new() };
    let root = tree.root_node();
    let found = literals::of(language, root, source, &span);
    let decides = |l: &&Literal| {
        !is_index(root, &l.range) && !is_message(root, &l.range) && !is_way(root, &l.range, source)
    };
    let expected: Vec<&Literal> =
        found.literals.iter().filter(|l| l.expected).filter(decides).collect();
    let far = expected.iter().filter_map(|literal| {
        let is_field = is_field(root, &literal.range);
        let swap = if is_field { Swap::Field } else { Swap::Expectation };
        Some(Double { swap, ..swapped(literal, &span, source)? })
    });
    let near = expected.iter().filter_map(|literal| nearer(literal, &span, source));
    let again = found.literals.iter().filter(|l| !l.expected && is_said_again(l, &found.literals));
    let again = again.filter(decides).filter_map(|literal| {
        Some(Double { swap: Swap::Alone, ..swapped(literal, &span, source)? })
    });
    far.take(MOST).chain(near.take(MOST_NEAR)).chain(again.take(MOST)).collect()
}

/// Whether a literal stands in a value that is built there: it is expected in a field.
fn is_field(root: Node<'_>, range: &Range<usize>) -> bool {
    let node = root.descendant_for_byte_range(range.start, range.end);
    let built = ["struct_expression", "composite_literal", "new_expression"];
    let ends = |n: &Node<'_>| !n.kind().contains("block") && !n.kind().ends_with("statement");
    std::iter::successors(node, Node::parent).take_while(ends).any(|n| built.contains(&n.kind()))
}

/// Whether what a test gives stands as a word in something else that it gives: it may be what is expected of that.
fn is_said_again(literal: &Literal, all: &[Literal]) -> bool {
    let said = literal.value.shown();
    if literal.is_edge() || said.trim().is_empty() {
        return false;
    }
    let whole = |text: &str| {
        text.match_indices(&said).any(|(at, _)| {
            let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            ends(before) && ends(text.get(at + said.len()..).and_then(|rest| rest.chars().next()))
        })
    };
    let longer = |other: &Literal| {
        other.range != literal.range
            && !other.expected
            && other.string().is_some_and(|text| text.len() > said.len() && whole(text))
    };
    all.iter().any(longer)
}

/// The test with half as much again in the place of a number that is expected.
fn nearer(literal: &Literal, span: &Range<usize>, source: &str) -> Option<Double> {
    let now = match &literal.value {
        Value::Whole(n) if n.unsigned_abs() > 1 && n.unsigned_abs() < 1 << 64 => {
            (n + n / 2).to_string()
        }
        Value::Float(x) => format!("{:?}", x.parse::<f64>().ok().filter(|x| *x != 0.0)? * 1.5),
        _ => return None,
    };
    Some(Double { swap: Swap::Near, ..with(literal, now, (span, source))? })
}

/// The test with another value in one of the places that it gives the same in: what belongs together no longer does.
pub fn apart(file: &str, source: &str, at: u32) -> Vec<(Variation, Vec<Edit>)> {
    let Some((span, language)) = span(file, source, at).zip(Language::of(file)) else {
        return Vec::new();
    };
    let Some(tree) = parsed(language, source) else { return Vec::new() };
    let found = literals::of(language, tree.root_node(), source, &span);
    let given = |l: &&Literal| !l.expected && !l.is_edge();
    let again = |l: &&Literal| {
        found
            .literals
            .iter()
            .any(|o| given(&o) && o.range.start > l.range.start && o.value == l.value)
    };
    let other = |l: &Literal| {
        let double = swapped(l, &span, source)?;
        let (was, now) = (double.was, double.now);
        let (known, named) = (false, false);
        let given = vec![now.clone()];
        let way = Variation { sort: Sort::Word, was, now, known, named, given, pairs: Vec::new() };
        Some((way, double.edits))
    };
    let several = found.literals.iter().filter(given).filter(again);
    several.filter_map(other).take(MOST_APART).collect()
}

/// The test with nothing in each place that it gives something in, and with a number below nothing where the language
/// takes one wherever it takes a number.
pub fn edges(file: &str, source: &str, at: u32) -> Vec<(Variation, Vec<Edit>)> {
    let Some((span, language)) = span(file, source, at).zip(Language::of(file)) else {
        return Vec::new();
    };
    let Some(tree) = parsed(language, source) else { return Vec::new() };
    let found = literals::of(language, tree.root_node(), source, &span);
    let below = matches!(language, Language::Python | Language::Script(_));
    let values = |l: &Literal| match &l.value {
        Value::Whole(n) if below => vec!["0".to_owned(), (-n).to_string()],
        Value::Whole(_) => vec!["0".to_owned()],
        Value::Float(_) => vec!["0.0".to_owned()],
        // A key without quotes has to have letters.
        Value::String(_) if !l.is_bare() => vec![String::new()],
        Value::String(_) | Value::Letter(_) => Vec::new(),
    };
    let given = found.literals.iter().filter(|l| !l.expected);
    let all = given.flat_map(|l| values(l).into_iter().map(move |now| (l, now)));
    let other = |(literal, now): (&Literal, String)| {
        let Double { was, now, edits, .. } = with(literal, now, (&span, source))?;
        let given = vec![now.clone()];
        let (sort, known, named, pairs) = (Sort::Far, false, false, Vec::new());
        Some((Variation { sort, was, now, known, named, given, pairs }, edits))
    };
    all.filter_map(other).take(MOST_EDGES).collect()
}

fn swapped(literal: &Literal, span: &Range<usize>, source: &str) -> Option<Double> {
    let now = match &literal.value {
        // Small numbers stay small: they may have to fit into a byte.
        Value::Whole(n) if n.unsigned_abs() < 300 => stepped(*n, 41).to_string(),
        Value::Whole(n) if n.unsigned_abs() < 1 << 64 => stepped(*n, n / 2 + 617).to_string(),
        Value::Whole(_) => return None,
        Value::Float(x) => format!("{:?}", x.parse::<f64>().ok()? * 2.0 + 41.5),
        Value::String(said) if said.is_empty() => "Zuqo".to_owned(),
        value @ (Value::String(_) | Value::Letter(_)) => other::all(value, 0)?,
    };
    with(literal, now, (span, source))
}

fn with(literal: &Literal, now: String, (span, source): (&Range<usize>, &str)) -> Option<Double> {
    let was = literal.value.shown();
    let edit = cut(&literal.range, span, literal.written(&now));
    let before = source.get(..literal.range.start)?;
    let line = u32::try_from(before.matches('\n').count() + 1).ok()?;
    let swap = Swap::Expectation;
    (now != was).then(|| Double { swap, line, was, now, edits: vec![edit] })
}

/// A file of tests without the statements that use a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Without {
    pub name: String,
    pub line: u32,
    pub text: String,
}

/// The file without the statements that use the first of these names for which that can be done: not where an assertion
/// uses it, or anything but a statement and an import.
pub fn without(file: &str, source: &str, names: &[String]) -> Option<Without> {
    let language = Language::of(file)?;
    let tree = parsed(language, source)?;
    let last = |name: &String| name.rsplit(['.', ':', '/']).next().map(str::to_owned);
    let mut names = names.iter().filter_map(last);
    names.find_map(|name| cut_out(tree.root_node(), source, language, name))
}

fn cut_out(root: Node<'_>, source: &str, language: Language, name: String) -> Option<Without> {
    let nothing = if language == Language::Python { "pass" } else { "" };
    let mut uses = Vec::new();
    walk(root, &|n| !is_import(n), &mut |n| {
        if n.named_child_count() == 0 && text(n, source) == name {
            uses.push(n);
        }
    });
    let mut found: Vec<Node<'_>> = Vec::new();
    for used in uses {
        let mut at = Some(used);
        while let Some(node) = at.filter(|n| !STATEMENTS.contains(&n.kind())) {
            at = node.parent();
        }
        let statement = at.filter(|n| !asks(text(*n, source)))?;
        if !found.contains(&statement) {
            found.push(statement);
        }
    }
    let line = line(*found.first()?);
    let edits: Vec<Edit> = found
        .iter()
        .map(|n| cut(&n.byte_range(), &(0..source.len()), nothing.to_owned()))
        .collect();
    Some(Without { name, line, text: Edit::applied(source, &edits) })
}

fn is_import(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.contains("import") || kind == "use_declaration" || kind == "comment"
}

/// Whether a statement may hold an assertion, or one of its own.
fn asks(said: &str) -> bool {
    let lower = said.to_lowercase();
    ["assert", "expect", "check", "require", "verify", "fatal", "{\n"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a literal says which part of a value is meant.
fn is_index(root: Node<'_>, range: &Range<usize>) -> bool {
    let node = root.descendant_for_byte_range(range.start, range.end);
    let mut at = node;
    while let Some(above) = at.and_then(|n| n.parent()) {
        let kind = above.kind();
        if kind.contains("subscript") || kind.contains("index_expression") || kind.contains("slice")
        {
            let first = children(above).first().map(Node::byte_range);
            return first.is_none_or(|first| !first.contains(&range.start));
        }
        at = Some(above).filter(|n| n.byte_range() == *range || kind == "slice_element");
    }
    false
}

/// Whether a literal is what is said when something fails, or how exact it must be: behind the two that are compared.
fn is_message(root: Node<'_>, range: &Range<usize>) -> bool {
    let node = root.descendant_for_byte_range(range.start, range.end);
    let place = |n: Node<'_>| {
        let above = n.parent()?;
        let sides = match above.kind() {
            "assert_statement" => 1,
            "arguments" | "argument_list" => 2,
            _ => return None,
        };
        Some(children(above).iter().position(|child| *child == n)? >= sides)
    };
    std::iter::successors(node, Node::parent).find_map(place).unwrap_or(false)
}

/// Whether a literal stands in a condition that no failure hangs on: it says which way a test goes, not what it expects.
fn is_way(root: Node<'_>, range: &Range<usize>, source: &str) -> bool {
    let node = root.descendant_for_byte_range(range.start, range.end);
    let decides = |n: &Node<'_>| {
        let condition = n.child_by_field_name("condition")?;
        let rest = [
            source.get(n.start_byte()..condition.start_byte())?,
            source.get(condition.end_byte()..n.end_byte())?,
        ];
        let within = condition.start_byte() <= range.start && range.end <= condition.end_byte();
        within.then(|| rest.iter().any(|said| ends(said)))
    };
    let own = std::iter::successors(node, Node::parent)
        .take_while(|n| !is_function(n.kind()) || n.byte_range() == *range)
        .find_map(|n| decides(&n));
    own == Some(false)
}

fn is_function(kind: &str) -> bool {
    kind.contains("function") || kind.contains("method_declaration") || kind == "func_literal"
}

/// Whether statements may fail a test, or end it before something else does.
fn ends(said: &str) -> bool {
    let lower = said.to_lowercase();
    asks(&said.replace("{\n", ""))
        || [
            "error", "fail", "panic", "raise", "throw", "return", "break", "continue", "exit",
            "skip",
        ]
        .iter()
        .any(|word| lower.contains(word))
}

fn cut(range: &Range<usize>, span: &Range<usize>, text: String) -> Edit {
    let (from, to) = (range.start - span.start, range.end - span.start);
    Edit { line: 0, from, to, text, what: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(file: &str, text: &str, at: u32) -> Vec<String> {
        let whole = &text[span(file, text, at).unwrap()];
        let all = doubles(file, text, at);
        all.iter().map(|double| Edit::applied(whole, &double.edits)).collect()
    }

    #[test]
    fn a_key_without_quotes_is_never_nothing() {
        let text = "test('a', () => {\n  assert.equal(f({ wide: 4, name: 'b' }), 1);\n});\n";
        let all = edges("a.test.js", text, 1);
        let all: Vec<(&str, &str)> = all.iter().map(|(v, _)| (&*v.was, &*v.now)).collect();
        assert_eq!(all, [("4", "0"), ("4", "-4"), ("b", "")]);
    }

    #[test]
    fn each_expectation_becomes_another_far_from_it() {
        let text =
            "def test_net():\n    assert net(200, 10) == 180\n    assert name(1)[0] == 'ab'\n";
        let made = of("test_a.py", text, 1);
        assert_eq!(made.len(), 3, "{made:#?}");
        assert!(made[2].contains("net(200, 10) == 270"), "{made:#?}");
        assert!(made[0].contains("net(200, 10) == 221"), "{made:#?}");
        assert!(made[1].contains("name(1)[0] == '") && !made[1].contains("'ab'"), "{made:#?}");
        let all = doubles("test_a.py", text, 1);
        assert_eq!((all[0].line, all[0].was.as_str()), (2, "180"));
    }

    #[test]
    fn what_is_expected_in_a_field_and_what_stands_in_another_text_is_another_alone() {
        let of = |swap: Swap, file: &str, text: &str, at: u32| -> Vec<String> {
            let all = doubles(file, text, at).into_iter();
            all.filter(|d| d.swap == swap).map(|d| d.was).collect()
        };
        let text =
            "#[test]\nfn a() {\n    assert_eq!(next(&of(3)), Version { major: 1, minor: 3 });\n}\n";
        assert_eq!(of(Swap::Field, "tests/a.rs", text, 2), ["1", "3"]);
        let text =
            "def test_a():\n    same(parse('page=4&sort=name'), {'page': '4', 'size': '9'})\n";
        assert_eq!(of(Swap::Alone, "test_a.py", text, 1), ["page", "4"]);
    }

    #[test]
    fn a_title_that_is_put_together_is_no_expectation() {
        let text = "for (const t of tests) {\n  test(t.input + ' of a \"bar\"', () => {\n    expect(f(t.input)).toBe(t.out);\n  });\n}\n";
        assert_eq!(doubles("a.test.js", text, 2), []);
    }

    #[test]
    fn a_condition_that_no_failure_hangs_on_is_no_expectation() {
        let text = "func TestA(t *testing.T) {\n\tif body != \"\" {\n\t\tr = strings.NewReader(body)\n\t}\n\tif got := sum(1); got != 2 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n";
        let lines = |file, text| {
            let all = doubles(file, text, 1);
            let far = all.iter().filter(|double| double.swap != Swap::Near);
            far.map(|double| double.line).collect::<Vec<_>>()
        };
        assert_eq!(lines("a_test.go", text), [5]);
        let text = "def test_a():\n    if kind == 'x':\n        value = 1\n    if sum(1) != 2:\n        pytest.fail('no')\n    assert sum(2) == 4\n";
        assert_eq!(lines("test_a.py", text), [4, 6]);
        let early = "def test_a():\n    if sum(1) == 2:\n        return\n    fail()\n";
        assert_eq!(lines("test_a.py", early), [2]);
    }

    #[test]
    fn what_is_given_in_two_places_is_another_in_one() {
        let text = "def test_a():\n    assert opens(b'word', digest(b'word'))\n";
        let whole = &text[span("test_a.py", text, 1).unwrap()];
        let all = apart("test_a.py", text, 1);
        assert_eq!(all.len(), 1, "{all:#?}");
        let made = Edit::applied(whole, &all[0].1);
        assert!(made.contains("digest(b'word')") && !made.contains("opens(b'word'"), "{made}");
        assert_eq!(apart("test_a.py", "def test_a():\n    assert net(200, 10) == 180\n", 1), []);
    }

    #[test]
    fn statements_that_use_a_missing_name_are_left_out_where_no_assertion_uses_it() {
        let left = |file: &str, text: &str, name: &str| {
            without(file, text, &[name.to_owned()]).map(|without| without.text)
        };
        let text = "from shop import reset\n\n\ndef fixture():\n    shop.reset([1])\n    return 1\n\n\ndef test_a():\n    assert shop.total(1) == 1\n";
        let made = left("test_a.py", text, "shop.reset").unwrap();
        assert!(made.contains("def fixture():\n    pass\n    return 1\n"), "{made}");
        assert!(made.starts_with("from shop import reset\n"), "{made}");
        assert_eq!(left("test_a.py", text, "total"), None);
        let text = "#[test]\nfn a() {\n    let x = [1];\n    shop::reset(&x);\n    assert_eq!(shop::total(&x), 1);\n}\n";
        assert!(!left("tests/a.rs", text, "reset").unwrap().contains("reset"));
    }
}
