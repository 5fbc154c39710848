//! A Rust source as an ordinary build sees its production code, while its tests stay compiled: `test` in a condition is
//! made true or false, place by place. Lines keep their numbers.
//!
//! What the test build only adds (helpers, test modules, derived traits) stays. What it exchanges is as without it: an item
//! that has a twin for the ordinary build, a statement or an arm inside production code, `cfg!(test)` there.

use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::rust::split::{is_test_attribute, is_test_function_attribute};
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Whose a file is as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Production,
    /// Reached only in the test build.
    Test,
}

/// The edits that make one file ordinary.
pub(super) fn edits(source: &str, side: Side) -> Vec<Edit> {
    let Some(parsed) = Language::Rust.parse(source) else { return Vec::new() };
    let mut mask = Mask { source, edits: Vec::new(), only_in_tests: BTreeSet::new() };
    mask.collect_names(parsed.root_node());
    mask.container(parsed.root_node(), side);
    mask.edits
}

const TRUE: &str = "all()";
const FALSE: &str = "any()";

struct Mask<'a> {
    source: &'a str,
    edits: Vec<Edit>,
    /// Statics, fields and functions that are there only in the test build.
    only_in_tests: BTreeSet<String>,
}

impl Mask<'_> {
    fn replace(&mut self, node: Node<'_>, text: &str) {
        self.edits.push(edit(node.start_byte(), node.end_byte(), syntax::line(node), text));
    }

    fn text(&self, node: Node<'_>) -> &str {
        syntax::text(node, self.source)
    }

    fn collect_names(&mut self, root: Node<'_>) {
        let source = self.source;
        let mut found = BTreeSet::new();
        syntax::walk(root, &|_| true, &mut |node| {
            let mut marked = false;
            for child in syntax::children(node) {
                if child.kind() == "attribute_item" {
                    marked |= is_test_attribute(syntax::text(child, source));
                    continue;
                }
                let kinds = ["static_item", "const_item", "field_declaration", "macro_invocation"];
                if marked && kinds.contains(&child.kind()) {
                    let name = syntax::field(child, "name", source);
                    // `thread_local! { static NAME … }`
                    let inner = syntax::text(child, source).split("static ").nth(1).unwrap_or(name);
                    let end = inner.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                    found.insert(inner.get(..end.unwrap_or(inner.len())).unwrap_or("").to_owned());
                }
                marked = false;
            }
        });
        found.remove("");
        self.only_in_tests = found;
    }

    /// The children of a file, a block or a list, each with its attributes.
    fn container(&mut self, container: Node<'_>, side: Side) {
        let children = syntax::children(container);
        let switched = self.switches(&children);
        let mut lead: Vec<Node<'_>> = Vec::new();
        for node in children {
            match node.kind() {
                "attribute_item" => lead.push(node),
                "inner_attribute_item" => self.inner(node),
                "line_comment" | "block_comment" => {}
                _ => {
                    self.item(node, &lead, side, &switched);
                    lead.clear();
                }
            }
        }
    }

    fn item(&mut self, node: Node<'_>, lead: &[Node<'_>], side: Side, switched: &BTreeSet<String>) {
        let test = lead.iter().any(|a| is_test_attribute(self.text(*a)));
        let value = if side == Side::Production && self.is_switch(node, lead, switched) {
            FALSE
        } else {
            TRUE
        };
        for attribute in lead {
            let plain = self.text(*attribute).replace(char::is_whitespace, "");
            if ["#[test]", "#[ignore]", "#[should_panic]"].contains(&plain.as_str())
                || plain.starts_with("#[should_panic(")
                || plain.starts_with("#[ignore=")
            {
                self.replace(*attribute, "");
            } else if plain.starts_with("#[cfg(") || plain.starts_with("#[cfg_attr(") {
                let path = side == Side::Production && plain.starts_with("#[cfg_attr(test,path=");
                self.conditions(*attribute, if path { FALSE } else { value });
            }
        }
        let called = lead.iter().any(|a| is_test_function_attribute(self.text(*a)));
        self.visible(node, called);
        let inner = if test && value == TRUE { Side::Test } else { side };
        self.below(node, inner);
    }

    /// What is asked inside of a node: `cfg!(test)`, and what lies in blocks and lists.
    fn below(&mut self, node: Node<'_>, side: Side) {
        const LISTS: [&str; 10] = [
            "block",
            "declaration_list",
            "match_block",
            "field_declaration_list",
            "field_initializer_list",
            "enum_variant_list",
            "ordered_field_declaration_list",
            "parameters",
            "arguments",
            "array_expression",
        ];
        if LISTS.contains(&node.kind()) {
            self.container(node, side);
            return;
        }
        let mut asked = false;
        for child in syntax::children(node) {
            if asked && child.kind() == "token_tree" {
                self.conditions(child, if side == Side::Production { FALSE } else { TRUE });
            } else {
                self.below(child, side);
            }
            let text = self.text(child);
            asked = text == "cfg" || text.ends_with("::cfg");
        }
    }

    /// Every `test` in a condition.
    fn conditions(&mut self, condition: Node<'_>, value: &str) {
        let mut found = Vec::new();
        let source = self.source;
        syntax::walk(condition, &|_| true, &mut |node| {
            if node.kind() == "identifier" && syntax::text(node, source) == "test" {
                found.push(node);
            }
        });
        for node in found {
            self.replace(node, value);
        }
    }

    /// `#![cfg(test)]` holds, and no lint stops the build.
    fn inner(&mut self, attribute: Node<'_>) {
        let text = self.text(attribute).to_owned();
        // A program has the standard library.
        if text.contains("no_std") {
            self.replace(attribute, "");
            return;
        }
        self.conditions(attribute, TRUE);
        for word in ["deny", "forbid"] {
            let Some(at) = text.find(word).filter(|_| text.starts_with("#![")) else { continue };
            if text.get(3..at).is_some_and(|before| before.trim().is_empty()) {
                let from = attribute.start_byte() + at;
                let line = syntax::line(attribute);
                self.edits.push(edit(from, from + word.len(), line, "allow"));
            }
        }
    }

    /// Whether the test build exchanges something here.
    fn is_switch(&self, node: Node<'_>, lead: &[Node<'_>], switched: &BTreeSet<String>) -> bool {
        if lead.iter().all(|a| !self.text(*a).contains("test")) {
            return false;
        }
        match node.kind() {
            "match_arm" => true,
            kind if kind.ends_with("_item") || kind == "use_declaration" => {
                self.names(node).iter().any(|name| switched.contains(name))
            }
            "field_declaration"
            | "field_initializer"
            | "shorthand_field_initializer"
            | "enum_variant"
            | "parameter"
            | "macro_definition"
            | "foreign_mod_item" => false,
            // A statement. One that only counts for the tests stays, or they would find nothing counted.
            _ => {
                let text = self.text(node);
                let words: BTreeSet<&str> =
                    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
                let counts = self.only_in_tests.iter().any(|name| words.contains(name.as_str()));
                !counts || words.contains("return") || words.contains("let")
            }
        }
    }

    /// The names that the test build and the ordinary one both declare among these.
    fn switches(&self, children: &[Node<'_>]) -> BTreeSet<String> {
        let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
        let mut lead: Vec<&str> = Vec::new();
        for node in children {
            if node.kind() == "attribute_item" {
                lead.push(self.text(*node));
                continue;
            }
            let plain = |a: &&str| a.replace(char::is_whitespace, "");
            let not =
                lead.iter().map(plain).any(|a| a.starts_with("#[cfg(") && a.contains("not(test"));
            let only = lead.iter().any(|a| is_test_attribute(a));
            if not {
                without.extend(self.names(*node));
            } else if only {
                with.extend(self.names(*node));
            }
            lead.clear();
        }
        with.intersection(&without).cloned().collect()
    }

    /// What an item declares, with its kind where names of two kinds may be the same.
    fn names(&self, node: Node<'_>) -> Vec<String> {
        match node.kind() {
            "use_declaration" => {
                let text = self.text(node);
                let leaves = text.split([',', '{', '}', ';']).filter_map(|part| {
                    let part = part.split(" as ").last()?.rsplit("::").next()?.trim();
                    (!part.is_empty() && part != "*").then(|| part.to_owned())
                });
                leaves.collect()
            }
            "impl_item" => {
                let text = self.text(node);
                vec![syntax::folded(text.split('{').next().unwrap_or(text))]
            }
            _ => {
                let name = syntax::field(node, "name", self.source);
                if name.is_empty() { Vec::new() } else { vec![name.to_owned()] }
            }
        }
    }

    /// Modules and test functions can be reached from the root of the crate.
    fn visible(&mut self, node: Node<'_>, called: bool) {
        let module = node.kind() == "mod_item";
        let function = node.kind() == "function_item" && called;
        let has = syntax::children(node).iter().any(|c| c.kind() == "visibility_modifier");
        if (module || function) && !has {
            let at = node.start_byte();
            self.edits.push(edit(at, at, syntax::line(node), "pub(crate) "));
        }
    }
}

fn edit(from: usize, to: usize, line: u32, text: &str) -> Edit {
    Edit { line, from, to, text: text.to_owned(), what: String::new() }
}

#[cfg(test)]
#[path = "mask_tests.rs"]
mod tests;
