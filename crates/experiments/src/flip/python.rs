//! Flipped twins of pytest and unittest tests.

mod filled;

use super::change::Reach;
use super::twins::{Flow, Rank, Twins};
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Language, test_at};
use tree_sitter::Node;

/// An exception that nobody raises.
const UNRELATED: &str = "__import__(\"zlib\").error";

/// unittest's methods and what says the opposite.
const OPPOSITES: [(&str, &str); 14] = [
    ("assertNotEqual", "assertEqual"),
    ("assertTrue", "assertFalse"),
    ("assertFalse", "assertTrue"),
    ("assertIsNone", "assertIsNotNone"),
    ("assertIsNotNone", "assertIsNone"),
    ("assertIs", "assertIsNot"),
    ("assertIsNot", "assertIs"),
    ("assertIsInstance", "assertNotIsInstance"),
    ("assertNotIsInstance", "assertIsInstance"),
    ("assertGreater", "assertLessEqual"),
    ("assertGreaterEqual", "assertLess"),
    ("assertLess", "assertGreaterEqual"),
    ("assertLessEqual", "assertGreater"),
    ("assertNotIn", "assertIn"),
];

const EQUALITIES: [&str; 9] = [
    "assertEqual",
    "assertEquals",
    "assertListEqual",
    "assertTupleEqual",
    "assertDictEqual",
    "assertSetEqual",
    "assertSequenceEqual",
    "assertCountEqual",
    "assertMultiLineEqual",
];

pub(super) fn flips(source: &str, line: u32) -> Vec<Edit> {
    let Some(parsed) = Language::Python.parse(source) else {
        return Vec::new();
    };
    let Some(function) = test_at(Language::Python, parsed.root_node(), source, line) else {
        return Vec::new();
    };
    let mut test =
        Test { twins: Twins::new(source, Language::Python), root: parsed.root_node(), function };
    if let Some(body) = function.child_by_field_name("body").filter(|_| !test.is_marked()) {
        test.block(body, Around::Body);
    }
    test.twins.done()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Body,
    Loop,
}

struct Test<'t, 's> {
    twins: Twins<'s>,
    root: Node<'t>,
    function: Node<'t>,
}

impl<'t> Test<'t, '_> {
    /// Skipped, or expected to fail: then a failure shows nothing.
    fn is_marked(&self) -> bool {
        let decorated = self.function.parent().filter(|p| p.kind() == "decorated_definition");
        let marks = decorated.map(syntax::children).unwrap_or_default();
        marks.into_iter().filter(|n| n.kind() == "decorator").any(|n| {
            let text = self.twins.text(n);
            ["skip", "xfail", "expectedFailure"].iter().any(|word| text.contains(word))
        })
    }

    fn block(&mut self, block: Node<'t>, around: Around) -> Flow {
        for statement in syntax::children(block) {
            if self.statement(statement, around) == Flow::MayEnd {
                return Flow::MayEnd;
            }
        }
        Flow::Goes
    }

    fn statement(&mut self, node: Node<'t>, around: Around) -> Flow {
        match node.kind() {
            "assert_statement" => {
                let condition = node.named_child(0);
                if let Some(condition) = condition.filter(|c| depends(*c)) {
                    self.condition(condition);
                }
                Flow::Goes
            }
            "expression_statement" => {
                if let Some(call) = node.named_child(0) {
                    self.call(call);
                }
                Flow::Goes
            }
            "with_statement" => self.with(node, around),
            "for_statement" => {
                let (over, body) =
                    (node.child_by_field_name("right"), node.child_by_field_name("body"));
                if let (Some(over), Some(body)) = (over, body)
                    && self.is_filled(over)
                {
                    self.block(body, Around::Loop);
                }
                ends(node, Around::Body)
            }
            "try_statement" => {
                let caught = syntax::children(node)
                    .into_iter()
                    .any(|n| matches!(n.kind(), "except_clause" | "except_group_clause"));
                match node.child_by_field_name("body").filter(|_| !caught) {
                    Some(body) => self.block(body, around),
                    None => ends(node, around),
                }
            }
            _ => ends(node, around),
        }
    }

    fn with(&mut self, node: Node<'t>, around: Around) -> Flow {
        let clause = syntax::children(node).into_iter().find(|n| n.kind() == "with_clause");
        let mut swallows = false;
        let mut calls = Vec::new();
        if let Some(clause) = clause {
            syntax::walk(clause, &|n| n.kind() != "call", &mut |n| {
                if n.kind() == "call" {
                    calls.push(n);
                }
            });
        }
        for call in calls {
            let name = last(self.twins.field(call, "function"));
            swallows |= ["raises", "assertRaises", "assertRaisesRegex", "suppress", "RaisesGroup"]
                .contains(&name);
            self.expected_exception(call, name);
        }
        match node.child_by_field_name("body").filter(|_| !swallows) {
            Some(body) => self.block(body, around),
            None => Flow::Goes,
        }
    }

    /// `pytest.raises(X)` and the like, with another exception.
    fn expected_exception(&mut self, call: Node<'t>, name: &str) -> bool {
        let given = given(call);
        let Some(first) = given.first().copied().filter(|n| n.kind() != "keyword_argument") else {
            return false;
        };
        let unrelated = match name {
            "raises" | "assertRaises" | "assertRaisesRegex" => UNRELATED,
            "warns" | "assertWarns" => "UnicodeWarning",
            _ => return false,
        };
        let clear = match name {
            "raises" | "assertRaises" | "assertRaisesRegex" => !self.twins.source.contains("zlib"),
            _ => !matches!(self.twins.text(first), "Warning" | "UnicodeWarning"),
        };
        if clear {
            self.twins.replace(Rank::Turned, first.byte_range(), unrelated);
        }
        clear
    }

    fn condition(&mut self, node: Node<'t>) {
        match node.kind() {
            "parenthesized_expression" => {
                if let Some(inner) = syntax::children(node).first() {
                    self.condition(*inner);
                }
            }
            "comparison_operator" => self.comparison(node),
            "boolean_operator" if self.twins.field(node, "operator") == "and" => {
                let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
                let equal = sides.into_iter().flatten().find(|side| {
                    side.kind() == "comparison_operator"
                        && operators(*side) == ["=="]
                        && syntax::children(*side).iter().any(|n| self.twins.has_value(*n))
                });
                match equal {
                    Some(side) => self.comparison(side),
                    None => self.twins.negated(node, "not (", ")"),
                }
            }
            // `assert (a, "text")` always holds.
            "tuple" => {}
            "not_operator" => {
                if let Some(inner) = node.child_by_field_name("argument") {
                    let text = format!("({})", self.twins.text(inner));
                    self.twins.replace(Rank::Turned, node.byte_range(), &text);
                }
            }
            _ => self.twins.negated(node, "not (", ")"),
        }
    }

    fn comparison(&mut self, node: Node<'t>) {
        let sides = syntax::children(node);
        let words = operators(node);
        let ([left, right], [operator]) = (sides.as_slice(), words.as_slice()) else {
            self.twins.negated(node, "not (", ")");
            return;
        };
        let between = left.end_byte()..right.start_byte();
        if *operator == "==" {
            self.equality(*left, *right);
            return;
        }
        if *operator == "in" && self.twins.marked(*left) {
            return;
        }
        let turned = match *operator {
            "!=" | "<>" => "==",
            "is" => "is not",
            "is not" => "is",
            "in" => "not in",
            "not in" => "in",
            "<" => ">=",
            "<=" => ">",
            ">" => "<=",
            ">=" => "<",
            _ => return,
        };
        let text = format!(" {turned} ");
        let what = format!("`{operator}` becomes `{turned}`");
        self.twins.push(Rank::Turned, between, text, what);
    }

    /// Two sides that must be equal: one gets another value.
    fn equality(&mut self, left: Node<'t>, right: Node<'t>) {
        for side in [right, left] {
            if let Some(about) = self.approximate(side) {
                if !self.twins.value(about, Reach::Far) {
                    self.twins.wrapped(side);
                }
                return;
            }
        }
        for (side, other) in [(right, left), (left, right)] {
            if depends(other) && self.twins.value(side, Reach::Next) {
                return;
            }
        }
        self.twins.wrapped(right);
    }

    /// What `pytest.approx` is given.
    fn approximate(&self, node: Node<'t>) -> Option<Node<'t>> {
        let approx = node.kind() == "call" && last(self.twins.field(node, "function")) == "approx";
        given(node).first().copied().filter(|_| approx)
    }

    fn call(&mut self, node: Node<'t>) {
        if node.kind() == "await" {
            if let Some(inner) = node.named_child(0) {
                self.call(inner);
            }
            return;
        }
        if node.kind() != "call" {
            return;
        }
        let Some(function) = node.child_by_field_name("function") else {
            return;
        };
        let path = self.twins.text(function);
        let name = last(path);
        let given: Vec<Node<'t>> =
            given(node).into_iter().filter(|n| n.kind() != "keyword_argument").collect();
        if self.expected_exception(node, name) {
            return;
        }
        let name_range = function.end_byte() - name.len()..function.end_byte();
        if path.starts_with("self.") || path.starts_with("cls.") {
            self.unittest(name, name_range, &given);
        } else if path.contains("testing.")
            && (name == "assert_equal" || name == "assert_array_equal")
        {
            if let [left, right, ..] = given.as_slice() {
                self.equality(*left, *right);
            }
        } else if function.kind() == "attribute" {
            let turned = match name {
                "assert_not_called" => "assert_called",
                "assert_called" | "assert_called_once" => "assert_not_called",
                "assert_called_with" | "assert_called_once_with" => {
                    given.iter().any(|n| self.twins.value(*n, Reach::Next));
                    return;
                }
                _ => return,
            };
            self.twins.replace(Rank::Turned, name_range, turned);
        }
    }

    fn unittest(&mut self, name: &str, range: std::ops::Range<usize>, given: &[Node<'t>]) {
        match (name, given) {
            (name, [left, right, ..]) if EQUALITIES.contains(&name) => {
                self.equality(*left, *right);
            }
            ("assertAlmostEqual" | "assertAlmostEquals", [left, right, ..]) => {
                let far = depends(*left) && self.twins.value(*right, Reach::Far)
                    || depends(*right) && self.twins.value(*left, Reach::Far);
                if !far {
                    self.twins.replace(Rank::Turned, range, "assertNotAlmostEqual");
                }
            }
            ("assertIn", [member, ..]) => {
                if !self.twins.marked(*member) {
                    self.twins.replace(Rank::Turned, range, "assertNotIn");
                }
            }
            (name, [first, ..]) => {
                let opposite = OPPOSITES.iter().find(|(one, _)| *one == name);
                if let Some((_, other)) = opposite.filter(|_| depends(*first) || given.len() > 1) {
                    self.twins.replace(Rank::Turned, range, other);
                }
            }
            (_, []) => {}
        }
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The operators of a comparison, in their words.
fn operators(node: Node<'_>) -> Vec<&str> {
    let mut cursor = node.walk();
    let mut found: Vec<&str> = Vec::new();
    for child in node.children(&mut cursor).filter(|n| !n.is_named()) {
        found.push(match child.kind() {
            "is not" => "is not",
            "not in" => "not in",
            other => other,
        });
    }
    // Older grammars give `is not` and `not in` as two words.
    match found.as_slice() {
        ["is", "not"] => vec!["is not"],
        ["not", "in"] => vec!["not in"],
        _ => found,
    }
}

/// Whether an expression asks anything but literals.
fn depends(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= matches!(n.kind(), "identifier" | "call" | "attribute" | "await");
    });
    found
}

/// Whether a statement may end the block around it while the test still passes.
fn ends(node: Node<'_>, around: Around) -> Flow {
    let mut found = false;
    let into =
        |n: Node<'_>| !matches!(n.kind(), "function_definition" | "lambda" | "class_definition");
    syntax::walk(node, &into, &mut |n| {
        found |= n.kind() == "return_statement"
            || around == Around::Loop
                && matches!(n.kind(), "break_statement" | "continue_statement");
    });
    if found { Flow::MayEnd } else { Flow::Goes }
}

fn given(call: Node<'_>) -> Vec<Node<'_>> {
    let list = call.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    list.into_iter().filter(|n| n.kind() != "comment").collect()
}
