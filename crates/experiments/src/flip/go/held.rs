//! The literals behind names and rows of tables in a Go test.

use super::{Table, Test};
use proctor_lang::syntax;
use tree_sitter::Node;

impl<'t> Test<'t, '_> {
    /// The rows of a literal, or of the one that a name holds.
    pub(super) fn table(&self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            "composite_literal" => {
                let body = node.child_by_field_name("body")?;
                (!elements(body).is_empty()).then_some(body)
            }
            "identifier" => self.bound(self.twins.text(node)).and_then(|v| self.table(v)),
            _ => None,
        }
    }

    /// What a name is bound to, where that happens once in the test.
    fn bound(&self, name: &str) -> Option<Node<'t>> {
        let mut values = Vec::new();
        syntax::walk(self.function, &|_| true, &mut |n| match n.kind() {
            "short_var_declaration" | "assignment_statement" => {
                let (left, right) = (n.child_by_field_name("left"), n.child_by_field_name("right"));
                let lefts = left.map(syntax::children).unwrap_or_default();
                let rights = right.map(syntax::children).unwrap_or_default();
                if let Some(at) = lefts.iter().position(|l| self.twins.text(*l) == name) {
                    values.push(rights.get(at).copied().filter(|_| lefts.len() == rights.len()));
                }
            }
            "var_spec" | "const_spec" if self.twins.field(n, "name") == name => {
                values.push(n.child_by_field_name("value").and_then(|v| v.named_child(0)));
            }
            _ => {}
        });
        match values.as_slice() {
            [one] => *one,
            _ => None,
        }
    }

    /// The literal behind a name or a field of a row that is used for this comparison alone.
    pub(super) fn held(&self, side: Node<'t>) -> Option<Node<'t>> {
        match side.kind() {
            "identifier" => {
                let name = self.twins.text(side);
                self.is_only_compared(name).then(|| self.bound(name))?
            }
            "selector_expression" => {
                let row = self.twins.field(side, "operand");
                let field = self.twins.field(side, "field");
                let table = self.tables.iter().rev().find(|t| t.row == row)?;
                self.is_only_compared(self.twins.text(side)).then(|| self.cell(table, field))?
            }
            _ => None,
        }
    }

    /// Whether no call but those that report a failure gets this value.
    fn is_only_compared(&self, path: &str) -> bool {
        let mut only = true;
        syntax::walk(self.function, &|_| true, &mut |n| {
            if !matches!(n.kind(), "identifier" | "selector_expression")
                || self.twins.text(n) != path
            {
                return;
            }
            let mut at = n.parent();
            while let Some(node) = at {
                match node.kind() {
                    "call_expression" => {
                        let function = self.twins.field(node, "function");
                        let (holder, name) = function.rsplit_once('.').unwrap_or(("", function));
                        only &= self.is_test(holder)
                            || self.checkers.contains(holder)
                            || ["DeepEqual", "Equal", "Diff", "len"].contains(&name);
                    }
                    "range_clause" | "if_statement" | "for_statement" | "index_expression" => {
                        only &= node.kind() == "if_statement" && is_condition(node, n);
                        break;
                    }
                    // Put into something else, it may go anywhere from there.
                    "composite_literal"
                    | "short_var_declaration"
                    | "assignment_statement"
                    | "var_spec"
                    | "return_statement" => {
                        let left =
                            node.child_by_field_name("left").or(node.child_by_field_name("name"));
                        only &= left.is_some_and(|left| n.end_byte() <= left.end_byte());
                    }
                    "block" | "func_literal" => break,
                    _ => {}
                }
                at = node.parent();
            }
        });
        only
    }

    /// The first cell of a column in which a literal stands.
    fn cell(&self, table: &Table<'t>, field: &str) -> Option<Node<'t>> {
        let rows = elements(table.composite);
        // `map[string]row{"name": {…}}`
        let row_of = |n: Node<'t>| match n.kind() {
            "keyed_element" => syntax::children(n).pop().map(unwrapped),
            _ => Some(unwrapped(n)),
        };
        rows.into_iter().filter_map(row_of).find_map(|row| {
            let row = row.child_by_field_name("body").unwrap_or(row);
            if row.kind() != "literal_value" {
                return None;
            }
            let cells = elements(row);
            let keyed = cells.iter().find_map(|cell| {
                let parts = syntax::children(*cell);
                let named = parts.first().is_some_and(|k| self.twins.text(*k) == field);
                parts.last().copied().filter(|_| named && cell.kind() == "keyed_element")
            });
            let at = || self.columns(table)?.iter().position(|c| c == field);
            keyed.or_else(|| at().and_then(|at| cells.get(at).copied()))
        })
    }

    /// The fields of a table whose type is written where it is.
    fn columns(&self, table: &Table<'t>) -> Option<Vec<String>> {
        let kind = table.composite.parent()?.child_by_field_name("type")?;
        let mut found = Vec::new();
        syntax::walk(kind, &|_| true, &mut |n| {
            if n.kind() == "field_declaration" {
                let mut cursor = n.walk();
                let names = n.children_by_field_name("name", &mut cursor);
                found.extend(names.map(|name| self.twins.text(name).to_owned()));
            }
        });
        (!found.is_empty()).then_some(found)
    }
}

/// Whether a node stands in the condition of this `if`.
fn is_condition(statement: Node<'_>, node: Node<'_>) -> bool {
    statement
        .child_by_field_name("condition")
        .is_some_and(|c| c.start_byte() <= node.start_byte() && node.end_byte() <= c.end_byte())
}

fn elements(literal: Node<'_>) -> Vec<Node<'_>> {
    syntax::children(literal).into_iter().filter(|n| n.kind() != "comment").collect()
}

fn unwrapped(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "literal_element" | "unary_expression" => {
            syntax::children(node).pop().map_or(node, unwrapped)
        }
        _ => node,
    }
}
