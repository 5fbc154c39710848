//! A test file without some of its tests, for whoever must not see them: the test, its marks and the comment above it go,
//! everything else stays. Reads and cuts; whether what is left still runs is for a test run to say.

use crate::language::Language;
use crate::syntax;
use crate::test_at::test_at;
use crate::words::Words;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// The source without the tests that begin at these lines; none where one of them can't be taken out by itself.
pub fn without_tests(file: &str, source: &str, lines: &[u32]) -> Option<String> {
    let language = Language::of(file)?;
    let parsed = language.parse(source)?;
    let root = parsed.root_node();
    let mut cut = Cut { language, source, nodes: Vec::new() };
    for line in lines {
        let test = test_at(language, root, source, *line)?;
        cut.nodes.push(cut.whole(test)?);
    }
    cut.climb();
    let spans = cut.spans();
    let mut text = without(source, &spans);
    if language == Language::Go {
        let gone: String = spans.iter().filter_map(|span| source.get(span.clone())).collect();
        text = without_idle_imports(&text, &gone);
    }
    let whole = |text: &str| language.parse(text).is_some_and(|t| !t.root_node().has_error());
    (!whole(source) || whole(&text)).then_some(text)
}

struct Cut<'t, 's> {
    language: Language,
    source: &'s str,
    nodes: Vec<Node<'t>>,
}

impl<'t> Cut<'t, '_> {
    /// A test together with what belongs to it in the same statement.
    fn whole(&self, test: Node<'t>) -> Option<Node<'t>> {
        match self.language {
            Language::Python => {
                let parent = test.parent()?;
                Some(if parent.kind() == "decorated_definition" { parent } else { test })
            }
            Language::Rust | Language::Go | Language::Java => Some(test),
            Language::Script(_) => {
                let wraps = Words("await_expression parenthesized_expression");
                let around = syntax::parents(test).find(|n| !wraps.has(n.kind()));
                around.filter(|n| n.kind() == "expression_statement")
            }
        }
    }

    /// A class or a group of which nothing would be left goes as a whole: some tools refuse an empty one, and its name speaks.
    fn climb(&mut self) {
        while let Some((block, group)) = self.nodes.iter().find_map(|node| self.emptied(*node)) {
            self.nodes.retain(|node| node.parent() != Some(block));
            self.nodes.push(group);
        }
    }

    /// The block around a node and what owns it, where every statement of the block is to go.
    fn emptied(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let block = node.parent()?;
        let going = |n: &Node<'t>| n.is_extra() || self.nodes.contains(n);
        if !syntax::children(block).iter().all(going) {
            return None;
        }
        let owner = block.parent()?;
        match (self.language, owner.kind()) {
            (Language::Python, "class_definition") => Some((block, self.whole(owner)?)),
            (Language::Script(_), "arrow_function" | "function_expression" | "function") => {
                let call = owner.parent().and_then(|arguments| arguments.parent())?;
                (call.kind() == "call_expression").then_some((block, self.whole(call)?))
            }
            _ => None,
        }
    }

    /// From the first line of what belongs to each to the end of its last line.
    fn spans(&self) -> Vec<Range<usize>> {
        let span = |node: &Node<'t>| {
            let mut first = *node;
            while let Some(above) = first.prev_sibling().filter(|n| belongs(*n)) {
                first = above;
            }
            let head = self.source.get(..first.start_byte()).unwrap_or("");
            let line = head.rfind('\n').map_or(0, |n| n + 1);
            let blank = head.get(line..).is_some_and(|lead| lead.trim().is_empty());
            let start = if blank { self.above(line) } else { first.start_byte() };
            let tail = self.source.get(node.end_byte()..).unwrap_or("");
            let rest = tail.find('\n').map_or(tail, |n| tail.get(..=n).unwrap_or(tail));
            let alone = rest.trim().is_empty() || self.is_remark(rest.trim());
            let end = node.end_byte() + if alone && blank { rest.len() } else { 0 };
            start..end
        };
        let mut spans: Vec<Range<usize>> = self.nodes.iter().map(span).collect();
        spans.sort_by_key(|span| (span.start, span.end));
        spans
    }

    /// Where the comment begins that ends directly above a line; a parser may have put it elsewhere.
    fn above(&self, line: usize) -> usize {
        let mut start = line;
        while let Some(head) = self.source.get(..start).filter(|head| !head.is_empty()) {
            let body = head.strip_suffix('\n').unwrap_or(head);
            let from = body.rfind('\n').map_or(0, |n| n + 1);
            let text = body.get(from..).unwrap_or("").trim();
            let block = self.language != Language::Python
                && ["/*", "*", "*/"].iter().any(|mark| text.starts_with(mark));
            if !block && (!self.is_remark(text) || text.starts_with("//!")) {
                break;
            }
            start = from;
        }
        start
    }

    fn is_remark(&self, text: &str) -> bool {
        text.starts_with(if self.language == Language::Python { "#" } else { "//" })
    }
}

/// Marks, and comments among them.
fn belongs(above: Node<'_>) -> bool {
    match above.kind() {
        "attribute_item" => true,
        "line_comment" | "block_comment" => {
            above.prev_named_sibling().is_some_and(|n| n.kind() == "attribute_item")
        }
        _ => false,
    }
}

fn without(source: &str, spans: &[Range<usize>]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for span in spans {
        text.push_str(source.get(at..span.start).unwrap_or(""));
        at = at.max(span.end);
    }
    text.push_str(source.get(at..).unwrap_or(""));
    text
}

/// Go refuses an import that nothing uses: those go that only the cut tests used.
fn without_idle_imports(source: &str, gone: &str) -> String {
    let Some(parsed) = Language::Go.parse(source) else { return source.to_owned() };
    let is_spec = |n: Node<'_>| n.kind() == "import_spec";
    let (specs, rest): (Vec<_>, Vec<_>) =
        syntax::nodes_into(parsed.root_node(), |n| !is_spec(n)).partition(|n| is_spec(*n));
    let names = rest.iter().filter(|n| matches!(n.kind(), "identifier" | "package_identifier"));
    let used: BTreeSet<&str> = names.map(|n| syntax::text(*n, source)).collect();
    let name = |spec: Node<'_>| {
        let alias = syntax::field(spec, "name", source);
        if !alias.is_empty() {
            return alias.to_owned();
        }
        let path = syntax::field(spec, "path", source).trim_matches(['"', '`']);
        path.rsplit('/').next().unwrap_or(path).to_owned()
    };
    let mut spans: Vec<Range<usize>> = Vec::new();
    for spec in specs {
        let name = name(spec);
        if used.contains(name.as_str()) || !gone.contains(&format!("{name}.")) {
            continue;
        }
        let alone = spec.parent().filter(|p| p.kind() == "import_declaration");
        spans.push(alone.unwrap_or(spec).byte_range());
    }
    without(source, &spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_test_goes_with_its_marks_and_the_comment_above_it() {
        let source = "import a\n\nX = 1  # stays\n\n# why\n@mark\n@mark2(\n    3)\ndef test_one():\n    assert a.f() == 1\n\n\ndef test_two():\n    assert a.f() == 2\n";
        let left = without_tests("tests/test_a.py", source, &[9]).unwrap();
        assert_eq!(
            left,
            "import a\n\nX = 1  # stays\n\n\n\ndef test_two():\n    assert a.f() == 2\n"
        );
        assert_eq!(without_tests("tests/test_a.py", source, &[10]), None, "no test begins there");
    }

    #[test]
    fn a_class_of_which_nothing_is_left_goes_as_a_whole() {
        let source = "class TestA:\n    # one\n    def test_one(self):\n        assert 1\n\n    def test_two(self):\n        assert 2\n\n\ndef test_three():\n    assert 3\n";
        let left = without_tests("test_a.py", source, &[3, 6]).unwrap();
        assert_eq!(left.trim(), "def test_three():\n    assert 3");
        let left = without_tests("test_a.py", source, &[3]).unwrap();
        assert!(left.starts_with("class TestA:\n\n    def test_two"), "{left}");
    }

    #[test]
    fn a_rust_test_goes_with_its_attributes_inside_its_module() {
        let source = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    /// Why.\n    #[test]\n    #[should_panic]\n    fn one() {\n        f();\n    }\n\n    #[test]\n    fn two() {\n        f();\n    }\n}\n";
        let left = without_tests("src/lib.rs", source, &[10]).unwrap();
        assert!(!left.contains("one") && !left.contains("Why") && !left.contains("should_panic"));
        assert!(left.contains("    #[test]\n    fn two() {\n"), "{left}");
    }

    #[test]
    fn imports_of_go_that_only_the_cut_test_used_go_too() {
        let source = "package a\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\n// TestOne says why.\nfunc TestOne(t *testing.T) {\n\tif strings.ToLower(\"A\") != \"a\" {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestTwo(t *testing.T) {\n\tt.Log()\n}\n";
        let left = without_tests("a_test.go", source, &[9]).unwrap();
        assert!(!left.contains("strings") && !left.contains("TestOne"), "{left}");
        assert!(left.contains("\"testing\"") && left.contains("TestTwo"), "{left}");
    }

    #[test]
    fn a_java_method_goes_with_its_annotations() {
        let source = "class ATest {\n    // why\n    @Test\n    void one() {\n        assertEquals(1, f());\n    }\n\n    @Test\n    void two() {\n        assertEquals(2, f());\n    }\n}\n";
        let left = without_tests("src/test/java/ATest.java", source, &[3]).unwrap();
        assert!(!left.contains("one") && !left.contains("why") && left.contains("two"), "{left}");
    }

    #[test]
    fn a_script_test_goes_and_its_group_where_nothing_else_is_in_it() {
        let source = "import { it, describe, expect } from 'vitest'\n\ndescribe('sums', () => {\n  it('adds', () => {\n    expect(1).toBe(1)\n  })\n})\n\nit('stays', () => {\n  expect(2).toBe(2)\n})\n";
        let left = without_tests("a.test.ts", source, &[4]).unwrap();
        assert!(!left.contains("sums") && !left.contains("adds"), "{left}");
        assert!(left.contains("it('stays'"), "{left}");
    }
}
