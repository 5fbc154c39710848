//! What the names in a test stand for: its testing values, what checks, what is a variable. Judged by how they are
//! declared, without types.

use super::super::Source;
use proctor_lang::Words;
use proctor_lang::syntax::{children, field, text, walk};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// Libraries of checks that ask for an interface, by a piece of their path.
const LIBRARIES: Words = Words("testify/ gotest.tools alecthomas/assert");

pub(super) struct Names {
    /// Testing values with their types, as they are written.
    pub(super) tests: BTreeMap<String, String>,
    /// What the test itself is called inside, or `nil`.
    pub(super) own: String,
    /// A suite that the test is a method of.
    pub(super) suite: Option<String>,
    /// What was made of a testing value to check with.
    pub(super) checkers: BTreeSet<String>,
    /// Variables of the test, never constants.
    locals: BTreeSet<String>,
    /// Testing values whose names stand for something else too.
    shadowed: BTreeSet<String>,
    /// Packages of checks that ask for an interface.
    libraries: BTreeSet<String>,
    /// Functions that tell themselves what they see.
    helped: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(function: Node<'_>, source: &Source<'_>) -> Self {
        let mut found = Self {
            tests: BTreeMap::new(),
            own: "nil".to_owned(),
            suite: None,
            checkers: BTreeSet::new(),
            locals: BTreeSet::new(),
            shadowed: BTreeSet::new(),
            libraries: libraries(source.root, source.text),
            helped: source.helped.clone(),
        };
        let mut said = BTreeSet::new();
        walk(function, &|_| true, &mut |n| found.declared(n, source.text, &mut said));
        found.shadowed = said;
        let first = |name| {
            let list = function.child_by_field_name(name).and_then(|list| list.named_child(0));
            list.map_or("", |one| field(one, "name", source.text))
        };
        if function.kind() == "method_declaration" {
            found.suite = Some(first("receiver").to_owned());
            found.own = format!("{}.T()", first("receiver"));
        } else if !matches!(first("parameters"), "" | "_") {
            first("parameters").clone_into(&mut found.own);
        }
        found
    }

    fn declared(&mut self, n: Node<'_>, source: &str, other: &mut BTreeSet<String>) {
        match n.kind() {
            "parameter_declaration" | "variadic_parameter_declaration" => {
                let kind = field(n, "type", source);
                let mut cursor = n.walk();
                for name in n.children_by_field_name("name", &mut cursor) {
                    let name = text(name, source).to_owned();
                    if is_testing(kind) {
                        self.tests.insert(name.clone(), kind.to_owned());
                    } else if kind.rsplit(['.', '*']).next() == Some("C") {
                        self.checkers.insert(name.clone());
                    } else {
                        other.insert(name.clone());
                    }
                    self.locals.insert(name);
                }
            }
            "short_var_declaration" | "range_clause" | "receive_statement" => {
                let made = field(n, "right", source);
                let new = made.contains(".New(") && n.kind() == "short_var_declaration";
                for name in n.child_by_field_name("left").map(children).unwrap_or_default() {
                    let name = text(name, source).to_owned();
                    if new && self.tests.keys().any(|t| made.ends_with(&format!(".New({t})"))) {
                        self.checkers.insert(name.clone());
                    }
                    other.insert(name.clone());
                    self.locals.insert(name);
                }
            }
            "var_spec" => {
                let mut cursor = n.walk();
                for name in n.children_by_field_name("name", &mut cursor) {
                    self.locals.insert(text(name, source).to_owned());
                    other.insert(text(name, source).to_owned());
                }
            }
            _ => {}
        }
    }

    /// Whether this is a testing value: `t`, or `s.T()` of a suite.
    pub(super) fn is_test(&self, holder: &str) -> bool {
        self.tests.contains_key(holder)
            || self.suite.as_ref().is_some_and(|s| holder == format!("{s}.T()"))
    }

    /// The type of a `*testing.T` whose name stands for nothing else.
    pub(super) fn sure(&self, name: &str) -> Option<&str> {
        let kind = self.tests.get(name).filter(|kind| kind.starts_with('*'))?;
        let is_test = kind.rsplit('.').next() == Some("T");
        (is_test && !self.shadowed.contains(name)).then_some(kind)
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.contains(name)
    }

    pub(super) fn is_helped(&self, name: &str) -> bool {
        self.helped.contains(name)
    }

    pub(super) fn is_library(&self, holder: &str) -> bool {
        self.libraries.contains(holder) && !self.locals.contains(holder)
    }

    /// Whether this was made of a testing value to check with.
    pub(super) fn checks(&self, holder: &str) -> bool {
        self.checkers.contains(holder)
    }

    /// Whether a suite checks by this.
    pub(super) fn is_suite(&self, holder: &str, name: &str) -> bool {
        let Some(suite) = &self.suite else { return false };
        let rest = holder.strip_prefix(suite.as_str());
        match rest {
            Some("") => is_word_of_testify(name),
            Some(".Require()" | ".Assert()") => true,
            _ => false,
        }
    }
}

/// Whether a type is that of a testing value: `*testing.T`, `testing.TB`.
pub(super) fn is_testing(kind: &str) -> bool {
    let last = kind.rsplit(['.', '*']).next().unwrap_or_default();
    matches!(last, "T" | "TB" | "B") && kind.contains('.')
}

fn is_word_of_testify(name: &str) -> bool {
    let words = Words(
        "Equal Not No True False Nil Error Len Contains Empty Zero Greater Less In Panics Regexp \
        JSONEq YAMLEq Elements Implements Is Same Within Eventually Fail Subset File Dir Exactly Positive Negative \
        Condition Never",
    );
    words.any(|word| name.starts_with(word))
}

/// The packages of checks that a file imports, as it calls them.
fn libraries(root: Node<'_>, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(root, &|n| !matches!(n.kind(), "function_declaration" | "method_declaration"), &mut |n| {
        if n.kind() != "import_spec" {
            return;
        }
        let path = field(n, "path", source).trim_matches(['"', '`']);
        // `assert/v2` is called `assert`.
        let version = |s: &&str| s.strip_prefix('v').is_some_and(|n| n.parse::<u32>().is_ok());
        let last = path.rsplit('/').find(|s| !version(s)).unwrap_or(path);
        let known = LIBRARIES.iter().any(|library| path.contains(library));
        if known && matches!(last, "assert" | "require") {
            let alias = field(n, "name", source);
            found.insert(if alias.is_empty() { last } else { alias }.to_owned());
        }
    });
    found
}

/// Whether something is written behind a label: what is put before it would take the label.
pub(super) fn is_labelled(node: Node<'_>) -> bool {
    node.parent().is_some_and(|p| p.kind() == "labeled_statement")
}
