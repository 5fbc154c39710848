//! Literals of a change by which it does not decide: those that it adds to a table, list or choice of the base (one more unit,
//! format or option is no answer that was learnt by heart), and those that it only tells somebody. Nothing is judged here.

use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::literal::{self, Kind};
use proctor_lang::syntax::{above, line, nodes, nodes_into, text};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// How far above a literal its table is looked for.
const DEEP: usize = 8;
/// So many entries of the base make a table.
const ENTRIES: usize = 2;

/// The literals on these lines that stand in a table with entries on other lines or with strings that the base has, or are
/// only told: strings between their quotes, numbers as they are written.
pub fn extended(
    file: &str,
    source: &str,
    lines: &BTreeSet<u32>,
    old: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tree = Language::of(file).and_then(|language| language.parse(source));
    let Some(tree) = tree else { return found };
    let root = tree.root_node();
    for node in literals(root).filter(|n| lines.contains(&line(*n))) {
        let around = above(root, node).into_iter().take(DEEP).find(|n| is_table(*n));
        let extends = around.is_some_and(|table| others(table, source, (lines, old)) >= ENTRIES);
        if extends || is_told(root, node) {
            let inner = inner(node, source).filter(|_| literal::kind(node) == Some(Kind::Text));
            found.insert(inner.unwrap_or(text(node, source)).to_owned());
        }
    }
    found
}

/// The words on these lines that stand in a table of words of which the tests give less than half: months, units, states. A
/// table that was learnt by heart holds what the tests give.
pub fn vocabulary(
    file: &str,
    source: &str,
    lines: &BTreeSet<u32>,
    is_given: &dyn Fn(&str) -> bool,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tree = Language::of(file).and_then(|language| language.parse(source));
    let Some(tree) = tree else { return found };
    for table in nodes(tree.root_node()).filter(|n| is_table(*n)) {
        let is_word = |w: &&str| w.chars().count() > 1 && w.chars().all(char::is_alphabetic);
        let own = literals(table).filter(|n| lines.contains(&line(*n)));
        let texts = own.filter(|n| literal::kind(*n) == Some(Kind::Text));
        let words: BTreeSet<&str> =
            texts.filter_map(|n| inner(n, source)).filter(is_word).collect();
        let given = words.iter().filter(|word| is_given(word)).count();
        if given * 2 < words.len() && words.len() > ENTRIES {
            found.extend(words.into_iter().map(str::to_owned));
        }
    }
    found
}

/// The constants of a source: strings between their quotes, patterns, numbers in decimal digits. What is only said about the
/// code is none. None at all where the language is not read.
pub fn constants(file: &str, source: &str) -> Option<Vec<String>> {
    let tree = Language::of(file)?.parse(source)?;
    let mut found = Vec::new();
    let is_one = |n: Node<'_>| literal::kind(n).is_some() || n.kind() == "regex";
    for n in nodes_into(tree.root_node(), |n| !is_one(n) && !is_doc(n)) {
        let said = text(n, source);
        match literal::kind(n) {
            Some(Kind::Number) => {
                found.push(literal::Number::read(said).map_or(said.to_owned(), |n| n.shown()));
            }
            Some(Kind::Text | Kind::Letter) => {
                found.push(inner(n, source).unwrap_or(said).to_owned());
            }
            None if n.kind() == "regex" => found.push(said.to_owned()),
            Some(Kind::Truth | Kind::Nothing) | None => {}
        }
    }
    Some(found)
}

/// What is said about the code in strings of its own.
pub fn descriptions(file: &str, source: &str) -> Vec<String> {
    let tree = Language::of(file).and_then(|language| language.parse(source));
    let Some(tree) = tree else { return Vec::new() };
    let all = nodes_into(tree.root_node(), |n| !is_doc(n)).filter(|n| is_doc(*n));
    all.map(|n| text(n, source).to_owned()).collect()
}

fn is_doc(node: Node<'_>) -> bool {
    let said = || node.named_child(0).is_some_and(|s| s.kind() == "string");
    node.kind() == "expression_statement" && said()
}

/// Whether a literal only stands in a call whose answer nobody looks at: it is written somewhere, nothing is decided by it.
fn is_told(root: Node<'_>, node: Node<'_>) -> bool {
    let around = above(root, node);
    let statement = around.iter().position(|n| n.kind() == "expression_statement");
    let decides = |n: &Node<'_>| {
        let kind = n.kind();
        Words("if match switch comparison binary conditional ternary lambda function closure")
            .any(|word| kind.contains(word))
    };
    let assigns = |n: &Node<'_>| n.kind().contains("assignment");
    let inner = statement.and_then(|at| around.get(..at)).unwrap_or_default();
    let calls = inner
        .last()
        .is_some_and(|n| matches!(n.kind(), "call" | "call_expression" | "macro_invocation"));
    // What stands in a list of its own is kept, whoever is told.
    calls && !inner.iter().any(|n| decides(n) || assigns(n) || is_table(*n))
}

fn is_table(node: Node<'_>) -> bool {
    Words("dictionary list set object array switch_body literal_value expression_switch_statement match_block \
            array_expression match_statement").has(node.kind())
}

/// How many literals of a table stand on other lines than these, or are strings of the base: a table may be laid out anew.
fn others(
    table: Node<'_>,
    source: &str,
    (lines, old): (&BTreeSet<u32>, &BTreeSet<String>),
) -> usize {
    let counts = |n: &Node<'_>| {
        let kind = literal::kind(*n);
        let there = || inner(*n, source).is_some_and(|inner| old.contains(inner));
        matches!(kind, Some(Kind::Text | Kind::Number | Kind::Letter))
            && (!lines.contains(&line(*n)) || kind == Some(Kind::Text) && there())
    };
    literals(table).filter(counts).count()
}

fn literals(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is = |n: Node<'_>| literal::kind(n).is_some();
    nodes_into(node, move |n| !is(n)).filter(move |n| is(*n))
}

/// What stands between the quotes of a literal.
fn inner<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let said = text(node, source);
    literal::inside(said).and_then(|range| said.get(range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_what_the_code_holds_and_not_what_is_said_about_it() {
        let python = "def f(x):\n    'says 12'\n    # 13\n    return x == 'ab 5' or x < 1_000\n";
        assert_eq!(constants("a.py", python).unwrap(), ["ab 5", "1000"]);
        assert_eq!(descriptions("a.py", python), ["'says 12'"]);
        assert_eq!(constants("a.js", "if (/b\\.c/.test(x)) y = '1'").unwrap(), ["/b\\.c/", "1"]);
        assert_eq!(constants("a.txt", "12"), None);
    }

    #[test]
    fn a_table_of_words_that_no_test_gives_is_a_vocabulary() {
        let text = "M = ['May', 'June', 'July']\nOWN = {'May': 'x', 'June': 'y'}\n";
        let of = |line: u32, given: &[&str]| {
            vocabulary("a.py", text, &BTreeSet::from([line]), &|word| given.contains(&word))
        };
        assert_eq!(of(1, &["May"]).len(), 3);
        assert!(of(1, &["May", "June"]).is_empty());
        assert!(of(2, &["May", "June"]).is_empty());
    }

    #[test]
    fn what_is_only_told_decides_nothing_and_a_list_that_is_handed_over_may() {
        let text = "def f():\n    log('abc')\n    kept.extend([49, 25])\n";
        let found = extended("a.py", text, &BTreeSet::from([2, 3]), &BTreeSet::new());
        assert_eq!(found, BTreeSet::from(["abc".to_owned()]));
    }

    #[test]
    fn one_more_entry_of_a_table_is_told_from_a_table_of_ones_own() {
        let old = "UNITS = {\n    'm': 1,\n    'km': 1000,\n    'mi': 1609,\n}\nOWN = {'ab': 1, 'cd': 2}\n";
        let found = extended("a.py", old, &BTreeSet::from([4, 6]), &BTreeSet::new());
        assert_eq!(found, BTreeSet::from(["mi".to_owned(), "1609".to_owned()]));
        let anew = "UNITS = {\n    'm': 1,\n    'km': 1000,\n    'mi': 1609,\n}\n";
        let there = BTreeSet::from(["m".to_owned(), "km".to_owned()]);
        let found = extended("a.py", anew, &BTreeSet::from([1, 2, 3, 4, 5]), &there);
        assert!(found.contains("mi"));
        let go = "package a\nfunc f(s string) int {\n\tswitch s {\n\tcase \"a\":\n\t\treturn 10\n\tcase \"b\":\n\t\treturn 20\n\tcase \"c\":\n\t\treturn 30\n\t}\n\treturn 0\n}\n";
        assert!(extended("a.go", go, &BTreeSet::from([8, 9]), &BTreeSet::new()).contains("c"));
    }
}
