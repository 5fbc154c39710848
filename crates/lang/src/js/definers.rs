//! Which calls define a suite or a test, by the names that vitest, jest, mocha and `node:test` share, and how they
//! are marked. Titles and bodies are not read here.

use super::names::{Imported, Names};
use super::script::{arguments, bare, is_function};
use crate::syntax;
use crate::words::Words;
use tree_sitter::Node;

/// What a call defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definer {
    pub kind: Kind,
    pub mark: Mark,
    pub times: Times,
}

/// What is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Suite,
    Test,
}

/// Whether it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Runs,
    /// Skipped, to do, or expected to fail.
    Skipped,
}

/// How often it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    Once,
    /// Once for each row of a table.
    Each,
}

/// Modules whose exports are the tool's own words, whatever they are called here.
const TOOLS: Words = Words(
    "vitest @jest/globals node:test mocha bun:test @playwright/test @std/testing/bdd test \
    jest-circus ava tap tape uvu",
);

/// Modules that are the function which defines a test.
const FUNCTIONS: Words = Words("node:test ava tape");

/// How far an alias is followed.
const HOPS: u8 = 4;

/// Reads callees of one file. `contexts` are the names of the running tests' own contexts: `t` in `t.test(…)`.
pub struct Definers<'a> {
    pub names: &'a Names<'a>,
    pub source: &'a str,
}

impl Definers<'_> {
    /// What a call defines, if anything.
    pub fn of_call(&self, call: Node<'_>, contexts: &[String]) -> Option<Definer> {
        let definer = self.of(call.child_by_field_name("function")?, contexts, HOPS)?;
        let arguments = arguments(call);
        let skipped = arguments.iter().any(|n| self.options_skip(*n));
        // A test without a body is one that is still to be written. Node takes a lone function for its body.
        let bodiless = match (definer.kind, arguments.as_slice()) {
            (Kind::Test, [only]) => {
                let name = syntax::text(*only, self.source);
                !is_function(*only)
                    && only.kind() != "object"
                    && !self.names.functions.contains_key(name)
            }
            _ => false,
        };
        let mark = if skipped || bodiless { Mark::Skipped } else { definer.mark };
        (!arguments.is_empty()).then_some(Definer { mark, ..definer })
    }

    fn of(&self, callee: Node<'_>, contexts: &[String], hops: u8) -> Option<Definer> {
        let callee = bare(callee);
        match callee.kind() {
            "identifier" => self.of_name(syntax::text(callee, self.source), contexts, hops),
            "ternary_expression" => {
                let branch = |name| self.of(callee.child_by_field_name(name)?, contexts, hops);
                let (one, other) = (branch("consequence")?, branch("alternative")?);
                let both = one.mark == Mark::Skipped && other.mark == Mark::Skipped;
                Some(Definer { mark: if both { Mark::Skipped } else { Mark::Runs }, ..one })
            }
            "member_expression" => self.of_member(callee, contexts, hops),
            // `it.skip ?? xit`
            "binary_expression" if syntax::field(callee, "operator", self.source) == "??" => {
                self.of(callee.child_by_field_name("left")?, contexts, hops)
            }
            // `it.each(rows)`, `it.skipIf(x)`: what is called in the end.
            "call_expression" => {
                let function = callee.child_by_field_name("function")?;
                let object = function.child_by_field_name("object")?;
                let definer = self.of(object, contexts, hops)?;
                match syntax::field(function, "property", self.source) {
                    "each" | "for" => Some(Definer { times: Times::Each, ..definer }),
                    "skipIf" | "runIf" | "extend" | "override" => Some(definer),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn of_name(&self, name: &str, contexts: &[String], hops: u8) -> Option<Definer> {
        if self.names.functions.contains_key(name) {
            // A function of the file that is called like one of the tool's.
            return None;
        }
        if let Some(import) = self.names.only_import(name) {
            let tool = TOOLS.has(import.specifier.as_str());
            return match &import.what {
                Imported::Named(original) if tool => word(original),
                // `import test from 'node:test'`: the module is the function.
                Imported::Default | Imported::Whole if FUNCTIONS.has(import.specifier.as_str()) => {
                    word("test")
                }
                Imported::Default | Imported::Named(_) | Imported::Whole => word(name),
            };
        }
        if hops > 0
            && let Some(value) = self.names.only_const(name)
        {
            let definer = self.of(value, contexts, hops - 1);
            // `const test = something.we.know.nothing.about` is still taken by its name.
            return definer.or_else(|| word(name));
        }
        word(name)
    }

    fn of_member(&self, member: Node<'_>, contexts: &[String], hops: u8) -> Option<Definer> {
        let object = bare(member.child_by_field_name("object")?);
        let property = syntax::field(member, "property", self.source);
        if property == "test" && syntax::text(object, self.source) == "Deno" {
            return word("test");
        }
        let name =
            if object.kind() == "identifier" { syntax::text(object, self.source) } else { "" };
        if property == "test" && contexts.iter().any(|c| c == name) {
            return word("test");
        }
        let whole = self
            .names
            .only_import(name)
            .filter(|i| i.what != Imported::Default || !FUNCTIONS.has(i.specifier.as_str()));
        if let Some(import) = whole.filter(|i| TOOLS.has(i.specifier.as_str()))
            && !matches!(import.what, Imported::Named(_))
            && let Some(definer) = word(property)
        {
            return Some(definer);
        }
        let definer = self.of(object, contexts, hops)?;
        match property {
            "only" | "concurrent" | "sequential" | "shuffle" | "serial" | "parallel" => {
                Some(definer)
            }
            "skip" | "ignore" | "todo" | "fails" | "failing" | "fixme" | "fail"
            | "expectFailure" => Some(Definer { mark: Mark::Skipped, ..definer }),
            "describe" | "suite" => Some(Definer { kind: Kind::Suite, ..definer }),
            "it" | "test" => Some(Definer { kind: Kind::Test, ..definer }),
            _ => None,
        }
    }

    /// `{ skip: true }`, `{ todo: 'later' }`, `{ fails: true }` as an argument.
    fn options_skip(&self, argument: Node<'_>) -> bool {
        argument.kind() == "object"
            && syntax::children(argument).into_iter().filter(|n| n.kind() == "pair").any(|pair| {
                let key = syntax::field(pair, "key", self.source).trim_matches(['"', '\'']);
                let value = pair.child_by_field_name("value");
                matches!(key, "skip" | "todo" | "fails" | "failing" | "expectFailure")
                    && value.is_some_and(|v| match v.kind() {
                        "true" => true,
                        "string" | "template_string" => syntax::text(v, self.source).len() > 2,
                        _ => false,
                    })
            })
    }
}

fn word(name: &str) -> Option<Definer> {
    let (kind, mark) = match name {
        "describe" | "suite" | "context" | "fdescribe" | "fcontext" => (Kind::Suite, Mark::Runs),
        "it" | "test" | "specify" | "fit" | "ftest" => (Kind::Test, Mark::Runs),
        "xdescribe" | "xcontext" | "xsuite" => (Kind::Suite, Mark::Skipped),
        "xit" | "xtest" | "xspecify" => (Kind::Test, Mark::Skipped),
        _ => return None,
    };
    Some(Definer { kind, mark, times: Times::Once })
}
