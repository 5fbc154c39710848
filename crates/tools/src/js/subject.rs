//! What stands in a source at the place where a test broke: the expression whose name is not there, and whether it is
//! in a hook. Reads sources, judges nothing.

use super::frames::Frame;
use proctor_core::report::Owner;
use proctor_lang::js::names::Names;
use proctor_lang::js::script::{Script, arguments, bare, is_function};
use proctor_lang::syntax;
use proctor_lang::tree::FolderTree;
use std::path::Path;
use tree_sitter::{Node, Point};

/// A missing name and the name in the source that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// As the source has it, without calls: `basket`, `shop.basket`, `cart.total`.
    pub(crate) name: String,
    pub(crate) owner: Owner,
}

/// What is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The called value is no function.
    Callee,
    /// The value that a member was read from is `undefined`.
    Object,
    /// The member itself, as a type checker says.
    Member,
}

/// One file of the tree, parsed.
pub(crate) struct Scene<'a> {
    root: &'a Path,
    script: Script,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(root: &'a Path, file: &str) -> Option<Self> {
        Script::read(&FolderTree::new(root), file).map(|script| Self { root, script })
    }

    fn node_at(&self, line: u32, column: u32) -> Option<Node<'_>> {
        let row = usize::try_from(line.checked_sub(1)?).ok()?;
        let text = self.script.source.lines().nth(row)?;
        // Columns of JavaScript count UTF-16 units, those of the parser bytes.
        let units = usize::try_from(column.saturating_sub(1)).ok()?;
        let mut seen = 0;
        let mut bytes = 0;
        for c in text.chars() {
            if seen >= units {
                break;
            }
            seen += c.len_utf16();
            bytes += c.len_utf8();
        }
        let point = Point { row, column: bytes };
        self.script.root().named_descendant_for_point_range(point, point)
    }

    /// The expression at a frame that lacks something; none where the source does not say.
    pub(crate) fn subject(&self, frame: &Frame, lack: Lack) -> Option<Subject> {
        let at = self.node_at(frame.line, frame.column)?;
        let expression = match lack {
            Lack::Callee => callee(at)?,
            // What a call gave back is a value: that it is undefined says nothing about names.
            Lack::Object => {
                bare(enclosing(at, "member_expression")?.child_by_field_name("object")?)
            }
            Lack::Member => enclosing(at, "member_expression")?,
        };
        let expression = bare(expression);
        if lack == Lack::Object && !self.is_path(expression) {
            return None;
        }
        if !matches!(expression.kind(), "identifier" | "member_expression") {
            return None;
        }
        let name = self.path(expression)?;
        Some(Subject { owner: self.owner(&name), name })
    }

    /// The names that lead to a value, the calls between them left out: `new Cart().total` is `Cart.total`.
    fn path(&self, node: Node<'_>) -> Option<String> {
        let source = &self.script.source;
        let node = bare(node);
        match node.kind() {
            "identifier" | "this" => Some(syntax::text(node, source).to_owned()),
            "member_expression" => {
                let object = self.path(node.child_by_field_name("object")?)?;
                Some(format!("{object}.{}", syntax::field(node, "property", source)))
            }
            "call_expression" => self.path(node.child_by_field_name("function")?),
            "new_expression" => self.path(node.child_by_field_name("constructor")?),
            _ => None,
        }
    }

    /// A name that was imported, or members of a name, without a call between.
    fn is_path(&self, node: Node<'_>) -> bool {
        let node = bare(node);
        match node.kind() {
            "identifier" => {
                let names = Names::of(self.script.root(), &self.script.source);
                names.only_import(syntax::text(node, &self.script.source)).is_some()
            }
            "member_expression" => {
                let mut object = node.child_by_field_name("object").map(bare);
                while let Some(inner) = object.filter(|n| n.kind() == "member_expression") {
                    object = inner.child_by_field_name("object").map(bare);
                }
                object.is_some_and(|n| n.kind() == "identifier")
            }
            _ => false,
        }
    }

    pub(crate) fn owner(&self, name: &str) -> Owner {
        proctor_lang::js::imports::owner(self.root, &self.script.path, name)
    }

    /// The hook around a frame: `beforeEach(() => { … })`, or a function that is given to one.
    pub(crate) fn hook(&self, frame: &Frame) -> Option<String> {
        let source = &self.script.source;
        let mut node = self.node_at(frame.line, frame.column)?;
        let mut within: Vec<&str> = Vec::new();
        loop {
            if node.kind() == "call_expression" {
                let callee = syntax::field(node, "function", source);
                if HOOKS.contains(&callee) {
                    return Some(callee.to_owned());
                }
                if ["it", "test"].iter().any(|t| callee.split(['.', '(']).next() == Some(t)) {
                    return None;
                }
            }
            if is_function(node) {
                within.push(syntax::field(node, "name", source));
            }
            let Some(parent) = node.parent() else { break };
            if is_function(node) && parent.kind() == "variable_declarator" {
                within.push(syntax::field(parent, "name", source));
            }
            node = parent;
        }
        within.retain(|name| !name.is_empty());
        let mut found = None;
        syntax::walk(self.script.root(), &|_| true, &mut |n| {
            if n.kind() == "call_expression" {
                let callee = syntax::field(n, "function", source);
                let given = arguments(n).first().map(|a| syntax::text(*a, source));
                if HOOKS.contains(&callee) && given.is_some_and(|g| within.contains(&g)) {
                    found = Some(callee.to_owned());
                }
            }
        });
        found
    }

    /// The first line that is no proper source.
    pub(crate) fn syntax_error(&self) -> Option<u32> {
        let root = self.script.root();
        if !root.has_error() {
            return None;
        }
        let mut line = None;
        syntax::walk(root, &|n| n.has_error(), &mut |n| {
            if line.is_none() && (n.is_error() || n.is_missing()) {
                line = Some(syntax::line(n));
            }
        });
        line
    }
}

/// Stack frames point at the called name, at the start of the call, or at `new`.
fn callee(at: Node<'_>) -> Option<Node<'_>> {
    let mut node = at;
    for _ in 0..6 {
        match node.kind() {
            "call_expression" => return node.child_by_field_name("function").map(bare),
            "new_expression" => return node.child_by_field_name("constructor").map(bare),
            // A statement that begins with the call.
            "expression_statement" | "return_statement" => return None,
            _ => node = node.parent()?,
        }
    }
    None
}

const HOOKS: [&str; 6] = ["beforeAll", "beforeEach", "afterAll", "afterEach", "before", "after"];

fn enclosing<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut at = node;
    for _ in 0..4 {
        if at.kind() == kind {
            return Some(at);
        }
        at = at.parent()?;
    }
    None
}
