//! The titles of suites and tests, as far as reading tells them.

use super::names::{Imported, Names};
use super::script::{bare, string, unescaped};
use crate::syntax;
use tree_sitter::Node;

/// The text up to the first part that only a run would tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    pub(crate) text: String,
    pub(crate) known: Known,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Whole,
    /// Something follows that reading can't tell.
    Start,
}

impl Title {
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: Known::Whole }
    }

    pub(crate) fn unknown() -> Self {
        Self { text: String::new(), known: Known::Start }
    }

    /// The title of a table's row: `%s` and `$name` are filled in by the tool.
    pub(crate) fn of_row(self) -> Self {
        match self.text.find(['%', '$']) {
            Some(at) => {
                Self { text: self.text.get(..at).unwrap_or("").to_owned(), known: Known::Start }
            }
            None => self,
        }
    }

    fn then(mut self, more: &Self) -> Self {
        if self.known == Known::Whole {
            self.text.push_str(&more.text);
            self.known = more.known;
        }
        self
    }
}

/// Names that are bound around a call: parameters and loop variables, with their value where it is known.
pub(crate) type Scope = Vec<(String, Title)>;

pub(crate) struct Titles<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) source: &'a str,
}

/// How far a constant made of constants is followed.
const HOPS: u8 = 4;

impl Titles<'_> {
    /// A title as it stands as an argument: a function or class stands for its name.
    pub(crate) fn of(&self, node: Node<'_>, scope: &Scope) -> Title {
        let node = bare(node);
        let text = syntax::text(node, self.source);
        match node.kind() {
            "identifier" if !is_bound(text, scope) && self.names.only_const(text).is_none() => {
                self.function_name(text).unwrap_or_else(Title::unknown)
            }
            // `test(function adds() {})`: node takes the function's own name.
            "function_expression" | "generator_function" => {
                match syntax::field(node, "name", self.source) {
                    "" => Title::whole("<anonymous>"),
                    name => Title::whole(name),
                }
            }
            "arrow_function" => Title::whole("<anonymous>"),
            _ => self.value(node, scope, HOPS),
        }
    }

    fn value(&self, node: Node<'_>, scope: &Scope, hops: u8) -> Title {
        let node = bare(node);
        if let Some(text) = string(node, self.source) {
            return Title::whole(text);
        }
        let text = syntax::text(node, self.source);
        match node.kind() {
            "template_string" => self.template(node, scope, hops),
            "number" if text.bytes().all(|b| b.is_ascii_digit()) => Title::whole(text),
            "binary_expression" if syntax::field(node, "operator", self.source) == "+" => {
                let side = |name| {
                    node.child_by_field_name(name)
                        .map_or_else(Title::unknown, |n| self.value(n, scope, hops))
                };
                Self::sum(node, side("left"), &side("right"))
            }
            "identifier" => {
                if let Some((_, title)) = scope.iter().rev().find(|(name, _)| name == text) {
                    return title.clone();
                }
                match self.names.only_const(text) {
                    Some(value) if hops > 0 => self.value(value, &Scope::new(), hops - 1),
                    _ => Title::unknown(),
                }
            }
            "member_expression" if syntax::field(node, "property", self.source) == "name" => {
                let object =
                    node.child_by_field_name("object").filter(|n| n.kind() == "identifier");
                let name = object.map_or("", |n| syntax::text(n, self.source));
                let free = !is_bound(name, scope) && self.names.only_const(name).is_none();
                self.function_name(name).filter(|_| free).unwrap_or_else(Title::unknown)
            }
            _ => Title::unknown(),
        }
    }

    /// Two numbers would be added, not joined.
    fn sum(node: Node<'_>, left: Title, right: &Title) -> Title {
        let number =
            |name: &str| node.child_by_field_name(name).is_some_and(|n| n.kind() == "number");
        if number("left") && number("right") { Title::unknown() } else { left.then(right) }
    }

    fn template(&self, node: Node<'_>, scope: &Scope, hops: u8) -> Title {
        let mut title = Title::whole("");
        let mut at = node.start_byte() + 1;
        for part in syntax::children(node) {
            if part.kind() != "template_substitution" {
                continue;
            }
            let before = self.source.get(at..part.start_byte()).unwrap_or("");
            let inner = syntax::children(part).first().copied();
            let value = inner.map_or_else(Title::unknown, |n| self.value(n, scope, hops));
            title = title.then(&Title::whole(unescaped(before))).then(&value);
            at = part.end_byte();
        }
        let rest = self.source.get(at..node.end_byte().saturating_sub(1)).unwrap_or("");
        title.then(&Title::whole(unescaped(rest)))
    }

    /// The name of a function or class that an identifier stands for.
    fn function_name(&self, name: &str) -> Option<Title> {
        if self.names.functions.contains_key(name) || self.names.classes.contains_key(name) {
            return Some(Title::whole(name));
        }
        let import = self.names.only_import(name)?;
        let original = match &import.what {
            Imported::Named(original) => original,
            Imported::Default => name,
            Imported::Whole => return None,
        };
        // `import { TITLE }` is a text that stands elsewhere.
        let constant = original.len() > 1 && !original.chars().any(char::is_lowercase);
        (!constant).then(|| Title::whole(original))
    }
}

fn is_bound(name: &str, scope: &Scope) -> bool {
    scope.iter().any(|(bound, _)| bound == name)
}
