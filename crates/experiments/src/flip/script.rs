//! Flipped twins of tests of vitest, jest and `node --test`.

use super::change::Reach;
use super::twins::{Flow, Rank, Twins};
use proctor_lang::edit::Edit;
use proctor_lang::js::names::{Imported, Names};
use proctor_lang::js::script::{arguments, bare, chain, is_function};
use proctor_lang::syntax;
use proctor_lang::{Language, test_at};
use tree_sitter::Node;

/// Matchers that want the same value.
const EQUAL: [&str; 9] = [
    "toBe",
    "toEqual",
    "toStrictEqual",
    "toMatchObject",
    "equal",
    "equals",
    "eql",
    "eq",
    "toHaveReturnedWith",
];

const EQUAL_ASSERTS: [&str; 4] = ["equal", "strictEqual", "deepEqual", "deepStrictEqual"];

/// Functions of `node:assert` and what says the opposite.
const OPPOSITES: [(&str, &str); 8] = [
    ("notEqual", "equal"),
    ("notStrictEqual", "strictEqual"),
    ("notDeepEqual", "deepEqual"),
    ("notDeepStrictEqual", "deepStrictEqual"),
    ("throws", "doesNotThrow"),
    ("rejects", "doesNotReject"),
    ("match", "doesNotMatch"),
    ("doesNotMatch", "match"),
];

pub(super) fn flips(language: Language, source: &str, line: u32) -> Vec<Edit> {
    let Some(parsed) = language.parse(source) else {
        return Vec::new();
    };
    let names = Names::of(parsed.root_node(), source);
    let Some(call) = test_at(language, parsed.root_node(), source, line) else {
        return Vec::new();
    };
    let mut test = Test { twins: Twins::new(source, language), names: &names };
    let body = arguments(call).into_iter().rev().map(bare).find(|n| is_function(*n));
    if let Some(body) = body {
        test.function(body);
    }
    test.twins.done()
}

struct Test<'t, 's, 'n> {
    twins: Twins<'s>,
    names: &'n Names<'t>,
}

/// Whether what an expression gives is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    Yes,
    No,
}

impl<'t> Test<'t, '_, '_> {
    fn function(&mut self, function: Node<'t>) -> Flow {
        match function.child_by_field_name("body") {
            Some(body) if body.kind() == "statement_block" => self.block(body),
            Some(body) => {
                self.expression(body, Waits::Yes);
                Flow::Goes
            }
            None => Flow::Goes,
        }
    }

    fn block(&mut self, block: Node<'t>) -> Flow {
        for statement in syntax::children(block) {
            if self.statement(statement) == Flow::MayEnd {
                return Flow::MayEnd;
            }
        }
        Flow::Goes
    }

    fn statement(&mut self, node: Node<'t>) -> Flow {
        match node.kind() {
            "expression_statement" => {
                if let Some(inner) = node.named_child(0) {
                    self.expression(inner, Waits::No);
                }
                Flow::Goes
            }
            "return_statement" => {
                if let Some(inner) = node.named_child(0) {
                    self.expression(inner, Waits::Yes);
                }
                Flow::MayEnd
            }
            "statement_block" => self.block(node),
            "for_in_statement" => {
                let (over, body) =
                    (node.child_by_field_name("right"), node.child_by_field_name("body"));
                if let (Some(over), Some(body)) = (over, body)
                    && self.is_filled(over)
                    && ends(body) == Flow::Goes
                {
                    self.statement(body);
                }
                ends(node)
            }
            "try_statement" if node.child_by_field_name("handler").is_none() => {
                node.child_by_field_name("body").map_or(Flow::Goes, |body| self.block(body))
            }
            _ => ends(node),
        }
    }

    fn is_filled(&self, node: Node<'t>) -> bool {
        let node = bare(node);
        match node.kind() {
            "array" => syntax::children(node)
                .iter()
                .any(|n| n.kind() != "spread_element" && n.kind() != "comment"),
            "identifier" => {
                self.names.only_const(self.twins.text(node)).is_some_and(|v| self.is_filled(v))
            }
            _ => false,
        }
    }

    fn expression(&mut self, node: Node<'t>, waits: Waits) {
        match node.kind() {
            "await_expression" => {
                if let Some(inner) = node.named_child(0) {
                    self.expression(inner, Waits::Yes);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = node.named_child(0) {
                    self.expression(inner, waits);
                }
            }
            "call_expression" => self.call(node, waits),
            // chai: `expect(x).to.be.true`
            "member_expression" => {
                if let Some((expect, _)) = self.expectation(node) {
                    let at = expect.end_byte();
                    self.turned(node, at);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: Node<'t>, waits: Waits) {
        let Some(function) = call.child_by_field_name("function").map(bare) else {
            return;
        };
        let given = arguments(call);
        if let Some((expect, later)) = self.expectation(function) {
            // A promise that nobody waits for may fail after the end of its test.
            if later && waits == Waits::No {
                return;
            }
            self.matcher(call, function, expect, &given);
            return;
        }
        if let Some((word, name)) = self.assert_word(function) {
            let waited = waits == Waits::Yes || word != "rejects";
            if waited {
                self.node_assert(&word, name, &given);
            }
            return;
        }
        // `[1, 2].forEach((n) => { … })`, and a test within a test.
        let property = self.twins.field(function, "property");
        let each = property == "forEach"
            && function.child_by_field_name("object").is_some_and(|o| self.is_filled(o));
        let inner = property == "test" && waits == Waits::Yes;
        if let Some(body) =
            given.last().copied().map(bare).filter(|n| is_function(*n) && (each || inner))
        {
            self.function(body);
        }
    }

    /// The `expect(…)` that a chain begins with, and whether the chain is about a promise.
    fn expectation(&self, node: Node<'t>) -> Option<(Node<'t>, bool)> {
        let mut at = node;
        let mut later = false;
        loop {
            match at.kind() {
                "member_expression" => {
                    let word = self.twins.field(at, "property");
                    later |= matches!(word, "resolves" | "rejects" | "eventually");
                    at = at.child_by_field_name("object")?;
                }
                "call_expression" => {
                    let function = bare(at.child_by_field_name("function")?);
                    let words = chain(function, self.twins.source);
                    let root = words.first()?;
                    let is_expect = *root == "expect"
                        || self
                            .names
                            .only_import(root)
                            .is_some_and(|i| i.what == Imported::Named("expect".to_owned()));
                    return match words.as_slice() {
                        [_] | [_, "soft"] if is_expect => Some((at, later)),
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
    }

    fn matcher(
        &mut self,
        call: Node<'t>,
        function: Node<'t>,
        expect: Node<'t>,
        given: &[Node<'t>],
    ) {
        let words = chain(function, self.twins.source);
        let Some(word) = words.last().copied() else {
            return;
        };
        let subject = arguments(expect).first().copied();
        if !subject.is_some_and(depends) || word.contains("Snapshot") {
            return;
        }
        let chai = matches!(words.get(1), Some(&("to" | "be" | "that" | "is")));
        if !words.contains(&"not") {
            let changed = match (word, given) {
                (word, [wanted, ..]) if EQUAL.contains(&word) => {
                    if !self.twins.value(*wanted, Reach::Next) {
                        self.twins.wrapped(*wanted);
                    }
                    true
                }
                ("toHaveLength" | "toHaveBeenCalledTimes" | "lengthOf", [wanted, ..]) => {
                    self.twins.value(*wanted, Reach::Next)
                }
                ("toBeCloseTo" | "closeTo", [wanted, ..]) => self.twins.value(*wanted, Reach::Far),
                ("toContain", [wanted, ..]) => self.twins.marked(*wanted),
                _ => false,
            };
            if changed {
                return;
            }
        }
        if chai {
            self.turned(function, expect.end_byte());
        } else if word.starts_with("to") {
            let at =
                function.child_by_field_name("object").map_or(call.start_byte(), |o| o.end_byte());
            self.turned(function, at);
        }
    }

    /// `.not` put in here, or taken out where it stands in the chain.
    fn turned(&mut self, chain: Node<'t>, at: usize) {
        let mut node = chain;
        while node.kind() == "member_expression" {
            let Some(object) = node.child_by_field_name("object") else {
                return;
            };
            if self.twins.field(node, "property") == "not" {
                self.twins.replace(Rank::Turned, object.end_byte()..node.end_byte(), "");
                return;
            }
            node = object;
        }
        self.twins.replace(Rank::Turned, at..at, ".not");
    }

    /// The function of `node:assert` that is called, and where its name can be changed.
    fn assert_word(&self, function: Node<'t>) -> Option<(String, Option<Node<'t>>)> {
        let words = chain(function, self.twins.source);
        let root = *words.first()?;
        let module = ["assert", "node:assert", "assert/strict", "node:assert/strict"];
        let import =
            self.names.only_import(root).filter(|i| module.contains(&i.specifier.as_str()));
        let property = function.child_by_field_name("property");
        match (import.map(|i| &i.what), words.as_slice()) {
            (Some(Imported::Default | Imported::Whole), [_]) => Some(("ok".to_owned(), None)),
            (Some(Imported::Named(name)), [_]) if name == "assert" || name == "strict" => {
                Some(("ok".to_owned(), None))
            }
            (Some(Imported::Named(name)), [_]) => Some((name.clone(), None)),
            (Some(_), [_, .., word]) => Some(((*word).to_owned(), property)),
            (None, [.., "assert", word]) if words.len() < 4 => Some(((*word).to_owned(), property)),
            (Some(_) | None, _) => None,
        }
    }

    fn node_assert(&mut self, word: &str, name: Option<Node<'t>>, given: &[Node<'t>]) {
        if !given.iter().any(|n| depends(*n)) {
            return;
        }
        match (word, given) {
            (word, [left, right, ..]) if EQUAL_ASSERTS.contains(&word) => {
                let changed = (depends(*left) && self.twins.value(*right, Reach::Next))
                    || (depends(*right) && self.twins.value(*left, Reach::Next));
                if !changed {
                    self.twins.wrapped(*right);
                }
            }
            ("ok", [condition, ..]) => self.condition(*condition),
            _ => {
                let opposite = OPPOSITES.iter().find(|(one, _)| *one == word);
                if let (Some((_, other)), Some(name)) = (opposite, name) {
                    self.twins.replace(Rank::Turned, name.byte_range(), other);
                }
            }
        }
    }

    fn condition(&mut self, node: Node<'t>) {
        let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
        if let ("binary_expression", [Some(left), Some(right)]) = (node.kind(), sides)
            && matches!(self.twins.field(node, "operator"), "==" | "===")
        {
            let changed = (depends(left) && self.twins.value(right, Reach::Next))
                || (depends(right) && self.twins.value(left, Reach::Next));
            if changed {
                return;
            }
        }
        self.twins.negated(node, "!(", ")");
    }
}

/// Whether an expression asks anything but literals.
fn depends(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= matches!(
            n.kind(),
            "identifier"
                | "call_expression"
                | "member_expression"
                | "await_expression"
                | "new_expression"
                | "shorthand_property_identifier"
                | "this"
        );
    });
    found
}

fn ends(node: Node<'_>) -> Flow {
    let mut found = false;
    syntax::walk(node, &|n| !is_function(n), &mut |n| {
        found |= matches!(n.kind(), "return_statement" | "break_statement" | "continue_statement");
    });
    if found { Flow::MayEnd } else { Flow::Goes }
}
