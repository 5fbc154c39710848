//! What the variables of a test stand for where they are used, so that renaming one changes nothing.

use super::tokens::{Kind, Token, is_literal, split, tokens};
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

/// Longer values are left as names.
const LONG: usize = 300;

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// From where on, the name, and its value in tokens.
    bound: Vec<(usize, String, Vec<Token>)>,
}

#[derive(Clone, Copy)]
enum Tables {
    ByName,
    SpelledOut,
}

impl Scope {
    pub(super) fn bind(&mut self, from: usize, name: &str, value: Vec<Token>) {
        if value.len() <= LONG && !name.is_empty() && name != "_" {
            self.bound.push((from, name.to_owned(), value));
        }
    }

    fn value(&self, name: &str, at: usize, tables: Tables) -> Option<&[Token]> {
        let known = || self.bound.iter().filter(|(from, n, _)| n == name && *from <= at);
        let (_, _, value) = known().max_by_key(|(from, ..)| *from)?;
        let many = self.bound.iter().filter(|(_, n, _)| n == name).count() > 1;
        let fixed = match tables {
            Tables::SpelledOut => true,
            // A container is filled later, and a flag is set in a callback: both may have another value by now.
            Tables::ByName => !is_literal(value) || (value.len() == 1 && !many),
        };
        fixed.then_some(value.as_slice())
    }

    /// An expression at a place, its variables replaced by what they stand for.
    pub(super) fn resolved(&self, text: &str, at: usize) -> Vec<Token> {
        self.replaced(text, at, Tables::ByName)
    }

    /// The same, with tables written out too.
    pub(super) fn spelled_out(&self, text: &str, at: usize) -> Vec<Token> {
        self.replaced(text, at, Tables::SpelledOut)
    }

    fn replaced(&self, text: &str, at: usize, tables: Tables) -> Vec<Token> {
        let plain = tokens(text);
        let mut found: Vec<Token> = Vec::new();
        for (i, token) in plain.iter().enumerate() {
            let after_point =
                i > 0 && (plain[i - 1].is(".") || plain[i - 1].is("::") || plain[i - 1].is("?."));
            let names_part = plain.get(i + 1).is_some_and(|t| t.is("=") || t.is(":") || t.is("::"));
            let value = if token.kind == Kind::Name && !after_point && !names_part {
                self.value(&token.text, at, tables)
            } else {
                None
            };
            match value {
                Some(value) if found.len() + value.len() <= 2 * LONG => {
                    found.extend_from_slice(value);
                }
                _ => found.push(token.clone()),
            }
        }
        found
    }

    /// Adds what is bound in a body.
    pub(super) fn read(&mut self, language: Language, body: Node<'_>, source: &str) {
        syntax::walk(body, &|_| true, &mut |node| self.note(language, node, source));
    }

    fn note(&mut self, language: Language, node: Node<'_>, source: &str) {
        let (name, value) = match (language, node.kind()) {
            (Language::Python, "assignment")
            | (Language::Go, "short_var_declaration" | "assignment_statement")
            | (Language::Script(_), "assignment_expression") => ("left", "right"),
            (Language::Python, "named_expression")
            | (
                Language::Go | Language::Java | Language::Script(_),
                "var_spec" | "variable_declarator",
            ) => ("name", "value"),
            (Language::Rust, "let_declaration") => ("pattern", "value"),
            (Language::Python, "augmented_assignment")
            | (Language::Script(_), "augmented_assignment_expression")
            | (Language::Rust, "assignment_expression" | "compound_assignment_expr") => {
                // It stands for itself from here on.
                let name = syntax::field(node, "left", source);
                self.bind(node.end_byte(), name, tokens(name));
                return;
            }
            (Language::Go, "inc_statement" | "dec_statement")
            | (Language::Script(_), "update_expression") => {
                let name = syntax::text(node, source).trim_matches(['+', '-']);
                self.bind(node.end_byte(), name, tokens(name));
                return;
            }
            // The names of a loop stand for themselves, not for what they were before.
            (Language::Python, "for_statement") | (Language::Script(_), "for_in_statement") => {
                for name in tokens(syntax::field(node, "left", source)) {
                    self.bind(node.start_byte(), &name.text, vec![name.clone()]);
                }
                return;
            }
            _ => return,
        };
        let (Some(name), Some(value)) =
            (node.child_by_field_name(name), node.child_by_field_name(value))
        else {
            return;
        };
        if syntax::text(value, source).len() > 2000 || is_function(value) {
            return;
        }
        let given = self.spelled_out(syntax::text(value, source), node.start_byte());
        let changes = syntax::field(node, "operator", source);
        if !matches!(changes, "" | "=" | ":=") {
            // `n += 1` of Go: it stands for itself from here on.
            let name = syntax::text(name, source);
            self.bind(node.end_byte(), name, tokens(name));
            return;
        }
        self.pattern(node.end_byte(), &tokens(syntax::text(name, source)), &given, language);
    }

    fn pattern(&mut self, from: usize, pattern: &[Token], value: &[Token], language: Language) {
        let pattern: Vec<Token> = pattern
            .iter()
            .filter(|t| !t.is("mut") && !t.is("ref") && !t.is("&"))
            .cloned()
            .collect();
        let object = pattern.first().is_some_and(|t| t.is("{"));
        let inner = match pattern.as_slice() {
            [one] => {
                self.bind(from, &one.text, value.to_vec());
                return;
            }
            [open, inner @ .., close]
                if (open.is("(") && close.is(")"))
                    || (open.is("[") && close.is("]"))
                    || (open.is("{") && close.is("}")) =>
            {
                inner
            }
            whole => whole,
        };
        let names = split(inner, ",");
        let values = split(value, ",");
        for (i, name) in names.iter().enumerate() {
            let [name] = name else {
                continue;
            };
            let point = Token { kind: Kind::Mark, text: ".".into() };
            let part = if values.len() == names.len() && values.len() > 1 {
                values[i].to_vec()
            } else if object {
                [value, &[point, name.clone()]].concat()
            } else if i == 0 && language == Language::Go {
                value.to_vec()
            } else {
                [value, &[point, Token { kind: Kind::Number, text: i.to_string() }]].concat()
            };
            self.bind(from, &name.text, part);
        }
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "lambda"
            | "arrow_function"
            | "function_expression"
            | "closure_expression"
            | "func_literal"
            | "lambda_expression"
    )
}
