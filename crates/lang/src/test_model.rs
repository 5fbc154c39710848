//! What a source says about tests, found by the queries beside this file, one a language: read once a file and asked by
//! everybody. What follows from several of them, and what a name of a script stands for, is not said here.

use crate::language::{Dialect, Language};
use crate::syntax;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use tree_sitter::{Node, Query, QueryCursor, StreamingIterator as _};

/// What a node is for tests. The queries have these names in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function, by whatever word.
    Function,
    /// A function of its own: what stands in it is not done where it stands.
    Apart,
    /// Ends what is around it.
    Leaves,
    /// Asks something, and what it sees can be observed.
    Assertion,
    /// An assertion in the words of the language, whatever else has such a name.
    Outright,
    /// A context that expects something of what is done in it.
    Context,
    /// Such a context in which something must fail.
    Failing,
    /// May fail a test on purpose, by its name.
    Check,
    /// The same, whoever defines it.
    Expects,
    /// Ends a test as failed, or may.
    Fails,
    /// Ends a test as skipped.
    Skips,
    /// Can go wrong at all.
    Risk,
}

const ROLES: [(&str, Role); 12] = [
    ("function", Role::Function),
    ("apart", Role::Apart),
    ("leaves", Role::Leaves),
    ("assertion", Role::Assertion),
    ("outright", Role::Outright),
    ("context", Role::Context),
    ("failing", Role::Failing),
    ("check", Role::Check),
    ("expects", Role::Expects),
    ("fails", Role::Fails),
    ("skips", Role::Skips),
    ("risk", Role::Risk),
];

/// One source as its tests see it.
pub struct TestModel<'t> {
    pub source: &'t str,
    pub root: Node<'t>,
    /// By node, a bit for each role.
    roles: HashMap<usize, u16>,
    /// The functions by their names; of several with one name the last.
    pub functions: BTreeMap<&'t str, Node<'t>>,
}

impl<'t> TestModel<'t> {
    /// Reads a source that was parsed.
    pub fn of(language: Language, root: Node<'t>, source: &'t str) -> Self {
        let mut model = Self { source, root, roles: HashMap::new(), functions: BTreeMap::new() };
        let Some(query) = query(language) else { return model };
        let role =
            |name: &&str| ROLES.iter().find(|(known, _)| known == name).map(|(_, role)| *role);
        let names: Vec<Option<Role>> = query.capture_names().iter().map(role).collect();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(query, root, source.as_bytes());
        while let Some(found) = matches.next() {
            for capture in found.captures() {
                let role = names.get(capture.index as usize).copied().flatten();
                if let Some(role) = role {
                    *model.roles.entry(capture.node.id()).or_default() |= 1 << role as u16;
                }
                if role == Some(Role::Function) {
                    model
                        .functions
                        .insert(syntax::field(capture.node, "name", source), capture.node);
                }
            }
        }
        model
    }

    /// Whether a node is this.
    pub fn is(&self, node: Node<'_>, role: Role) -> bool {
        self.roles.get(&node.id()).is_some_and(|roles| roles & 1 << role as u16 != 0)
    }

    /// Whether there is such a node in here.
    pub fn any(&self, node: Node<'_>, role: Role) -> bool {
        syntax::nodes(node).any(|n| self.is(n, role))
    }

    /// Whether something in here may end what is around it.
    pub fn leaves(&self, node: Node<'_>) -> bool {
        let here = |n: Node<'_>| !self.is(n, Role::Apart);
        syntax::nodes_into(node, here).any(|n| self.is(n, Role::Leaves))
    }
}

/// The query of a language, compiled once.
fn query(language: Language) -> Option<&'static Query> {
    static QUERIES: LazyLock<Vec<(Language, Option<Query>)>> = LazyLock::new(|| {
        let script = include_str!("queries/script.scm");
        let texts = [
            (Language::Python, include_str!("queries/python.scm")),
            (Language::Rust, include_str!("queries/rust.scm")),
            (Language::Go, include_str!("queries/go.scm")),
            (Language::Java, include_str!("queries/java.scm")),
            (Language::Script(Dialect::JavaScript), script),
            (Language::Script(Dialect::TypeScript), script),
            (Language::Script(Dialect::Tsx), script),
        ];
        texts.map(|(language, text)| (language, Query::new(&language.grammar(), text).ok())).into()
    });
    QUERIES.iter().find(|(known, _)| *known == language)?.1.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_is_one_of_its_language_and_names_known_roles_alone() {
        for path in ["a.py", "a.rs", "a.go", "a.java", "a.js", "a.ts", "a.tsx"] {
            let query = query(Language::of(path).unwrap()).unwrap_or_else(|| panic!("{path}"));
            for name in query.capture_names() {
                let known = ROLES.iter().any(|(role, _)| role == name) || name.starts_with('_');
                assert!(known, "{path} {name}");
            }
        }
    }

    #[test]
    fn what_asks_something_is_told_by_the_words_of_the_language() {
        for (path, source, role, wanted) in [
            ("a.py", "assert a\nself.assertX(1)\n_assert(2)\nb.check(3)\n", Role::Assertion, 3),
            ("a.py", "with pytest.raises(E): pass\n", Role::Failing, 1),
            (
                "a.rs",
                "fn a() { assert!(x); debug_assert_eq!(1, 2); m::assert_ok(3); f!(); }",
                Role::Assertion,
                3,
            ),
            ("a.go", "package a\nfunc a() { t.Fatal(1); x.Fatalf(2); t.Log(3) }", Role::Fails, 2),
            (
                "a.java",
                "class A { void a() { assertEquals(1, 2); a.verifyAll(); b(); } }",
                Role::Check,
                2,
            ),
            ("a.ts", "const a = () => 1; function b() { return 2 }", Role::Function, 2),
        ] {
            let language = Language::of(path).unwrap();
            let tree = language.parse(source).unwrap();
            let model = TestModel::of(language, tree.root_node(), source);
            let found = syntax::nodes(tree.root_node()).filter(|n| model.is(*n, role)).count();
            assert_eq!(found, wanted, "{path} {source}");
        }
    }
}
