//! Flipped twins of Go tests: conditions that fail the test, testify's assertions, and tables.

mod held;

use super::change::Reach;
use super::twins::{Flow, Rank, Twins};
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Language, test_at};
use std::collections::BTreeSet;
use tree_sitter::Node;

const FAILING: [&str; 6] = ["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

/// testify's functions and what says the opposite.
const OPPOSITES: [(&str, &str); 24] = [
    ("Equal", "NotEqual"),
    ("NotEqual", "Equal"),
    ("EqualValues", "NotEqualValues"),
    ("True", "False"),
    ("False", "True"),
    ("Nil", "NotNil"),
    ("NotNil", "Nil"),
    ("NoError", "Error"),
    ("Error", "NoError"),
    ("ErrorIs", "NotErrorIs"),
    ("Empty", "NotEmpty"),
    ("NotEmpty", "Empty"),
    ("Contains", "NotContains"),
    ("NotContains", "Contains"),
    ("Zero", "NotZero"),
    ("NotZero", "Zero"),
    ("Same", "NotSame"),
    ("Panics", "NotPanics"),
    ("NotPanics", "Panics"),
    ("Regexp", "NotRegexp"),
    ("Greater", "LessOrEqual"),
    ("GreaterOrEqual", "Less"),
    ("Less", "GreaterOrEqual"),
    ("LessOrEqual", "Greater"),
];

pub(super) fn flips(source: &str, line: u32) -> Vec<Edit> {
    let Some(parsed) = Language::Go.parse(source) else {
        return Vec::new();
    };
    let Some(function) = test_at(Language::Go, parsed.root_node(), source, line) else {
        return Vec::new();
    };
    let mut test = Test::of(function, source);
    if let Some(body) = function.child_by_field_name("body") {
        test.block(body);
    }
    test.twins.done()
}

/// A table that a loop goes over: what its rows are called, and its rows.
struct Table<'t> {
    row: String,
    composite: Node<'t>,
}

struct Test<'t, 's> {
    twins: Twins<'s>,
    function: Node<'t>,
    /// What the test, its subtests and their checkers are called.
    tests: BTreeSet<String>,
    checkers: BTreeSet<String>,
    tables: Vec<Table<'t>>,
}

impl<'t, 's> Test<'t, 's> {
    fn of(function: Node<'t>, source: &'s str) -> Self {
        let mut tests = BTreeSet::new();
        let mut checkers: BTreeSet<String> = ["assert", "require"].map(str::to_owned).into();
        if let Some(receiver) =
            function.child_by_field_name("receiver").and_then(|r| r.named_child(0))
        {
            let name = syntax::field(receiver, "name", source);
            checkers.insert(name.to_owned());
            checkers.insert(format!("{name}.Require()"));
            checkers.insert(format!("{name}.Assert()"));
        }
        syntax::walk(function, &|_| true, &mut |n| match n.kind() {
            "parameter_declaration" => {
                let kind = syntax::field(n, "type", source);
                let last = kind.rsplit(['.', '*']).next().unwrap_or_default();
                if matches!(last, "T" | "TB" | "F") {
                    tests.insert(syntax::field(n, "name", source).to_owned());
                }
            }
            "short_var_declaration" => {
                let made = syntax::field(n, "right", source);
                if made.starts_with("assert.New(") || made.starts_with("require.New(") {
                    checkers.insert(syntax::field(n, "left", source).to_owned());
                }
            }
            _ => {}
        });
        Self {
            twins: Twins::new(source, Language::Go),
            function,
            tests,
            checkers,
            tables: Vec::new(),
        }
    }

    fn block(&mut self, block: Node<'t>) -> Flow {
        for statement in statements(block) {
            if self.statement(statement) == Flow::MayEnd {
                return Flow::MayEnd;
            }
        }
        Flow::Goes
    }

    fn statement(&mut self, node: Node<'t>) -> Flow {
        match node.kind() {
            "if_statement" => {
                let body = node.child_by_field_name("consequence");
                let condition = node.child_by_field_name("condition");
                let fails = body.is_some_and(|b| self.fails(b));
                match condition.filter(|_| fails) {
                    Some(condition) => {
                        self.must_not(condition);
                        let other = node.child_by_field_name("alternative");
                        other.map_or(Flow::Goes, |o| self.ends(o))
                    }
                    None => self.ends(node),
                }
            }
            "block" => self.block(node),
            "expression_statement" => {
                if let Some(call) = node.named_child(0).filter(|n| n.kind() == "call_expression") {
                    self.call(call);
                }
                Flow::Goes
            }
            "for_statement" => {
                self.over(node);
                self.ends(node)
            }
            _ => self.ends(node),
        }
    }

    /// A loop over a table that has rows.
    fn over(&mut self, node: Node<'t>) {
        let clause = syntax::children(node).into_iter().find(|n| n.kind() == "range_clause");
        let (Some(clause), Some(body)) = (clause, node.child_by_field_name("body")) else {
            return;
        };
        let Some(composite) = clause.child_by_field_name("right").and_then(|r| self.table(r))
        else {
            return;
        };
        let names = self.twins.field(clause, "left");
        let row = names.rsplit(',').next().unwrap_or_default().trim().to_owned();
        self.tables.push(Table { row, composite });
        self.block(body);
        self.tables.pop();
    }

    /// Whether a block fails the test whenever it is run.
    fn fails(&self, block: Node<'t>) -> bool {
        statements(block).into_iter().any(|statement| {
            let call =
                statement.named_child(0).filter(|_| statement.kind() == "expression_statement");
            let function = call.map(|c| self.twins.field(c, "function")).unwrap_or_default();
            function
                .rsplit_once('.')
                .is_some_and(|(holder, name)| self.is_test(holder) && FAILING.contains(&name))
        })
    }

    fn is_test(&self, holder: &str) -> bool {
        self.tests.contains(holder) || self.checkers.iter().any(|c| holder == format!("{c}.T()"))
    }

    /// A condition under which the test fails: it must not hold, and then it must.
    fn must_not(&mut self, node: Node<'t>) {
        let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
        match (node.kind(), sides) {
            ("parenthesized_expression", _) => {
                if let Some(inner) = node.named_child(0) {
                    self.must_not(inner);
                }
            }
            ("binary_expression", [Some(left), Some(right)]) => {
                let Some(operator) = node.child_by_field_name("operator") else {
                    return;
                };
                match self.twins.text(operator) {
                    "!=" => {
                        if !self.other_value(left, right) {
                            let nil = [left, right].iter().any(|n| n.kind() == "nil");
                            let rank = if nil { Rank::Guard } else { Rank::Turned };
                            self.twins.replace(rank, operator.byte_range(), "==");
                        }
                    }
                    "==" => self.twins.replace(Rank::Turned, operator.byte_range(), "!="),
                    // Not by a sign before all of it: of what is no number neither holds.
                    "<" => self.twins.replace(Rank::Turned, operator.byte_range(), ">="),
                    "<=" => self.twins.replace(Rank::Turned, operator.byte_range(), ">"),
                    ">" => self.twins.replace(Rank::Turned, operator.byte_range(), "<="),
                    ">=" => self.twins.replace(Rank::Turned, operator.byte_range(), "<"),
                    "||" => {
                        let unequal = [left, right].into_iter().find(|n| self.is_unequal_value(*n));
                        match unequal {
                            Some(side) => self.must_not(side),
                            None => self.twins.negated(node, "!(", ")"),
                        }
                    }
                    _ => self.twins.negated(node, "!(", ")"),
                }
            }
            ("unary_expression", _) if self.twins.text(node).starts_with('!') => {
                let Some(inner) = node.child_by_field_name("operand") else {
                    return;
                };
                if inner.kind() == "call_expression" {
                    let name = self.twins.field(inner, "function");
                    let same = ["DeepEqual", "Equal"].iter().any(|n| name.ends_with(n));
                    let holder = inner.child_by_field_name("function").and_then(held_by);
                    let asked = match (given(inner).as_slice(), holder) {
                        ([left, right, ..], _) => Some((*left, *right)),
                        ([right], Some(left)) => Some((left, *right)),
                        _ => None,
                    };
                    if let (Some((left, right)), true) = (asked, same)
                        && self.other_value(left, right)
                    {
                        return;
                    }
                }
                let text = format!("({})", self.twins.text(inner));
                self.twins.replace(Rank::Turned, node.byte_range(), &text);
            }
            _ if depends(node) => self.twins.negated(node, "!(", ")"),
            _ => {}
        }
    }

    fn is_unequal_value(&self, node: Node<'t>) -> bool {
        node.kind() == "binary_expression"
            && self.twins.field(node, "operator") == "!="
            && ["left", "right"]
                .iter()
                .filter_map(|side| node.child_by_field_name(side))
                .any(|n| self.twins.has_value(n))
    }

    /// Another value for one of two sides: a literal, one that a name holds, or one of a table's row.
    fn other_value(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        for (side, other) in [(right, left), (left, right)] {
            if !depends(other) {
                continue;
            }
            if self.twins.value(side, Reach::Next) {
                return true;
            }
            if let Some(value) = self.held(side)
                && self.twins.value(value, Reach::Next)
            {
                return true;
            }
        }
        false
    }

    fn call(&mut self, call: Node<'t>) {
        let Some(function) = call.child_by_field_name("function") else {
            return;
        };
        let path = self.twins.text(function);
        let Some((holder, name)) = path.rsplit_once('.') else {
            return;
        };
        let mut given = given(call);
        if self.is_test(holder) || self.checkers.contains(holder) && name == "Run" {
            let body =
                given.last().copied().filter(|n| n.kind() == "func_literal" && name == "Run");
            if let Some(body) = body.and_then(|b| b.child_by_field_name("body")) {
                self.block(body);
            }
            return;
        }
        if !self.checkers.contains(holder) {
            return;
        }
        if given.first().is_some_and(|n| self.tests.contains(self.twins.text(*n))) {
            given.remove(0);
        } else if matches!(holder, "assert" | "require") {
            return;
        }
        let Some(word) = function.child_by_field_name("field") else {
            return;
        };
        self.testify(word, name, &given);
    }

    fn testify(&mut self, word: Node<'t>, name: &str, given: &[Node<'t>]) {
        let (plain, format) = match name.strip_suffix('f') {
            Some(plain) if plain.len() > 1 => (plain, "f"),
            _ => (name, ""),
        };
        if !given.iter().any(|n| depends(*n)) {
            return;
        }
        let changed = match (plain, given) {
            (
                "Equal" | "EqualValues" | "ElementsMatch" | "Exactly" | "EqualError",
                [left, right, ..],
            ) => self.other_value(*right, *left),
            ("Len", [_, wanted, ..]) => self.twins.value(*wanted, Reach::Next),
            ("InDelta" | "InEpsilon", [wanted, got, ..]) => {
                depends(*got) && self.twins.value(*wanted, Reach::Far)
            }
            ("Contains" | "ErrorContains", [_, member, ..]) => self.twins.marked(*member),
            _ => false,
        };
        let opposite = OPPOSITES.iter().find(|(one, _)| *one == plain);
        if let Some((_, other)) = opposite.filter(|_| !changed) {
            let rank = if plain == "NoError" { Rank::Guard } else { Rank::Turned };
            self.twins.replace(rank, word.byte_range(), &format!("{other}{format}"));
        }
    }

    /// Whether a statement may end the block around it while the test still passes.
    fn ends(&self, node: Node<'t>) -> Flow {
        let mut found = false;
        let into = |n: Node<'t>| {
            let failing = n.kind() == "if_statement"
                && n.child_by_field_name("alternative").is_none()
                && n.child_by_field_name("consequence").is_some_and(|b| self.fails(b));
            n.kind() != "func_literal" && !failing
        };
        syntax::walk(node, &into, &mut |n| {
            let loops =
                matches!(n.kind(), "break_statement" | "continue_statement" | "goto_statement");
            found |= n.kind() == "return_statement" || (loops && node.kind() != "for_statement");
        });
        if found { Flow::MayEnd } else { Flow::Goes }
    }
}

/// The statements of a block. Newer grammars put them into a list of their own.
fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    for child in syntax::children(block) {
        if child.kind() == "statement_list" {
            found.extend(syntax::children(child));
        } else {
            found.push(child);
        }
    }
    found.retain(|n| n.kind() != "comment");
    found
}

/// Whether an expression asks anything but literals.
fn depends(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|n| n.kind() != "composite_literal", &mut |n| {
        found |= matches!(n.kind(), "identifier" | "call_expression" | "selector_expression");
    });
    found
}

/// What a method is called on.
fn held_by(function: Node<'_>) -> Option<Node<'_>> {
    function.child_by_field_name("operand").filter(|_| function.kind() == "selector_expression")
}

fn given(call: Node<'_>) -> Vec<Node<'_>> {
    let list = call.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    list.into_iter().filter(|n| n.kind() != "comment").collect()
}
