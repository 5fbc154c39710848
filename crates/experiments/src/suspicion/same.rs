//! Whether two texts of a file are the same program: they differ in comments and layout alone. Structure is compared,
//! not text, so that an indentation of Python or a line break that ends a statement counts.
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use proctor_lang::zone::has_ending;
use tree_sitter::Node;

/// A JSON text without the white space between its parts.
fn compact(text: &str) -> String {
    let (mut kept, mut inside, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if inside || !c.is_ascii_whitespace() {
            kept.push(c);
        }
        inside = inside != (c == '"' && !escaped);
        escaped = inside && c == '\\' && !escaped;
    }
    kept
}

/// Whether the two texts differ only in comments and white space. What can't be read must be equal.
pub fn same_code(path: &str, before: &str, after: &str) -> bool {
    if before == after {
        return true;
    }
    if has_ending(path, "json") {
        // The order of keys is what a reader of the file gets to see.
        let read = |text: &str| {
            serde_json::from_str::<serde_json::Value>(text).ok().map(|_| compact(text))
        };
        return read(before).is_some_and(|value| read(after) == Some(value));
    }
    if has_ending(path, "toml") {
        let read = |text: &str| {
            let mut table = toml::from_str::<toml::Table>(text).ok()?;
            if path.rsplit('/').next() == Some("pyproject.toml") {
                leave_linters_out(&mut table);
            }
            Some(table)
        };
        return read(before).is_some_and(|table| read(after) == Some(table));
    }
    let Some(language) = Language::of(path) else { return false };
    let read = |source: &str| {
        let tree = language.parse(source)?;
        let root = tree.root_node();
        if root.has_error() {
            return None;
        }
        let mut code = Code { language, source, told: Vec::new(), examples: Fence::default() };
        code.tell(root);
        Some((code.told, code.examples.lines))
    };
    read(before).is_some_and(|code| read(after) == Some(code))
}

/// Takes the tables away that only tools read which look at sources and never run them.
fn leave_linters_out(table: &mut toml::Table) {
    let linters = Words(
        "ruff black isort mypy pyright pylint flake8 codespell bandit pydocstyle yapf autopep8 \
        vulture interrogate typos",
    );
    let Some(tools) = table.get_mut("tool").and_then(toml::Value::as_table_mut) else { return };
    tools.retain(|name, _| !linters.has(name));
    if tools.is_empty() {
        table.remove("tool");
    }
}

struct Code<'a> {
    language: Language,
    source: &'a str,
    told: Vec<String>,
    examples: Fence,
}

/// The examples in the comments of a Rust source, which are tests.
#[derive(Default)]
struct Fence {
    open: bool,
    lines: Vec<String>,
}

impl Code<'_> {
    fn tell(&mut self, node: Node<'_>) {
        let text = syntax::text(node, self.source);
        if syntax::is_comment(node) {
            self.comment(node, text);
            return;
        }
        if self.language == Language::Python && self.is_docstring(node) || self.is_erased(node) {
            return;
        }
        if node.child_count() == 0 || is_verbatim(node) {
            // A semicolon or comma that the grammar itself puts in is no token.
            if !text.is_empty() {
                self.told.push(format!("{} {text}", node.kind()));
            }
            return;
        }
        if node.is_named() {
            self.told.push(format!("({}", node.kind()));
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            // Go ends statements with line breaks.
            if !(child.kind() == "\n" || syntax::text(child, self.source).trim().is_empty()) {
                self.tell(child);
            }
        }
        if node.is_named() {
            self.told.push(")".to_owned());
        }
    }

    fn comment(&mut self, node: Node<'_>, text: &str) {
        if self.directs(node, text) {
            self.told.push(format!("comment {}", syntax::folded(text)));
        }
        if self.language == Language::Rust
            && ["///", "//!", "/**", "/*!"].iter().any(|d| text.starts_with(d))
        {
            for line in text.lines() {
                let line = line.trim().trim_start_matches(['/', '!', '*']).trim();
                if line.starts_with("```") {
                    self.examples.open = !self.examples.open;
                }
                if self.examples.open || line.starts_with("```") {
                    self.examples.lines.push(line.to_owned());
                }
            }
        }
    }

    /// Whether a tool acts upon a comment.
    fn directs(&self, node: Node<'_>, text: &str) -> bool {
        let inner = text.trim_start_matches(['/', '*', '#', '!']).trim_start();
        match self.language {
            Language::Go => {
                text.starts_with("//go:")
                    || text.starts_with("//export")
                    || text.starts_with("//line")
                    || inner.starts_with("+build")
                    || inner.to_lowercase().starts_with("output:")
                    || inner.to_lowercase().starts_with("unordered output:")
                    || self.source.contains("import \"C\"")
            }
            Language::Script(_) => ["@jsx", "@jest-", "@vitest-", "#__", "webpack", "@vite-"]
                .iter()
                .any(|d| text.contains(d)),
            Language::Python => {
                node.start_position().row < 2 && (text.starts_with("#!") || text.contains("coding"))
            }
            Language::Rust | Language::Java => false,
        }
    }

    /// A type of TypeScript, which nothing of is left when it runs. Where decorators are, tools may keep some.
    fn is_erased(&self, node: Node<'_>) -> bool {
        let kinds = Words(
            "type_annotation type_arguments type_parameters interface_declaration \
            type_alias_declaration",
        );
        let is_type = kinds.has(node.kind()) || is_type_export(node);
        matches!(self.language, Language::Script(_)) && is_type && !self.source.contains('@')
    }

    /// A string that stands first in a module, class or function. It is code where the file reads it.
    fn is_docstring(&self, node: Node<'_>) -> bool {
        let only_string = node.kind() == "expression_statement"
            && node.named_child_count() == 1
            && node
                .named_child(0)
                .is_some_and(|n| matches!(n.kind(), "string" | "concatenated_string"));
        only_string && !self.source.contains("__doc__") && is_first_of_several(node)
    }
}

/// `export type A = …`, `export interface A { … }`.
fn is_type_export(node: Node<'_>) -> bool {
    let types = ["interface_declaration", "type_alias_declaration"];
    let declared = node.child_by_field_name("declaration");
    node.kind() == "export_statement" && declared.is_some_and(|n| types.contains(&n.kind()))
}

fn is_first_of_several(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let mut code = syntax::children(parent).into_iter().filter(|n| !syntax::is_comment(*n));
    let first = code.next() == Some(node);
    // A function of nothing but its docstring needs it to be a function.
    let more = parent.kind() == "module" || code.next().is_some();
    first && more && matches!(parent.kind(), "module" | "block")
}

/// Where white space counts.
fn is_verbatim(node: Node<'_>) -> bool {
    let kind = node.kind();
    let text = kind.contains("string") || kind.contains("char") || kind.contains("regex");
    (text && kind != "concatenated_string" && node.is_named()) || kind == "jsx_text"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_are_no_code() {
        for (path, before, after) in [
            ("a.py", "def f(a):\n    return a\n", "# says\ndef f( a ):\n\n    return a  # it\n"),
            (
                "a.py",
                "def f():\n    \"\"\"Old.\"\"\"\n    return 1\n",
                "def f():\n    \"\"\"New.\n    More.\"\"\"\n    return 1\n",
            ),
            ("a.py", "def f():\n  return 1\n", "def f():\n    return 1\n"),
            ("a.py", "x = 1\n", "\"\"\"About.\"\"\"\nx = 1\n"),
            ("a.js", "f(1)\n", "// b\nf( 1 )\n"),
            ("a.ts", "const a: number = 1;\n", "/* c */ const a: number =\n  1;\n"),
            (
                "a.ts",
                "export const f = (a) => a.map((b) => b);\n",
                "export interface B { n: number }\ntype C = B[];\nexport const f = (a: C): B[] => a.map<B>((b: B) => b);\n",
            ),
            (
                "a.go",
                "package a\nfunc f() int {\n\treturn 1\n}\n",
                "// Package a.\npackage a\n\nfunc f() int { return 1 }\n",
            ),
            ("a.rs", "fn f() -> u8 { 1 }\n", "/// One.\nfn f() -> u8 {\n    1 // here\n}\n"),
            (
                "A.java",
                "class A { int f() { return 1; } }",
                "/** A. */\nclass A {\n  int f() {\n    return 1;\n  }\n}\n",
            ),
            ("a.json", "{\"a\":1}", "{ \"a\": 1 }\n"),
            ("a.toml", "a = 1\n", "# b\na=1\n"),
            (
                "pyproject.toml",
                "[project]\nname = 'a'\n",
                "[project]\nname = 'a'\n[tool.ruff]\nline-length = 9\n",
            ),
        ] {
            assert!(same_code(path, before, after), "{after}");
        }
    }

    #[test]
    fn what_runs_differently_is_other_code() {
        for (path, before, after) in [
            ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
            ("a.py", "x = 'a b'\n", "x = 'a  b'\n"),
            (
                "a.py",
                "def f():\n    \"\"\"Old.\"\"\"\nprint(f.__doc__)\n",
                "def f():\n    \"\"\"New.\"\"\"\nprint(f.__doc__)\n",
            ),
            ("a.py", "def f():\n    return 1\n", "def f():\n    return 2\n"),
            ("a.py", "# coding: utf-8\n", "# coding: latin-1\n"),
            ("a.js", "function f() { return 1 }\n", "function f() { return\n 1 }\n"),
            ("a.js", "f(`a b`)\n", "f(`a\nb`)\n"),
            ("a.go", "//go:build linux\n\npackage a\n", "//go:build windows\n\npackage a\n"),
            ("a.go", "package a\nvar s = `a`\n", "package a\nvar s = ` a`\n"),
            (
                "a.rs",
                "/// ```\n/// assert_eq!(f(), 1);\n/// ```\nfn f() {}\n",
                "/// ```\n/// assert_eq!(f(), 2);\n/// ```\nfn f() {}\n",
            ),
            ("a.rs", "fn f() { g!(\"a b\") }\n", "fn f() { g!(\"a  b\") }\n"),
            ("a.tsx", "const a = <p>one two</p>;\n", "const a = <p>one twoo</p>;\n"),
            ("a.sh", "echo a\n", "# b\necho a\n"),
            ("a.py", "def f(:\n", "def f(: # b\n"),
            ("pyproject.toml", "", "[tool.pytest.ini_options]\naddopts = '-x'\n"),
            ("a.toml", "", "[tool.ruff]\nline-length = 9\n"),
            ("a.ts", "enum A { B }\n", "enum A { B, C }\n"),
            ("a.ts", "@a class B { c: D; }\n", "@a class B { c: E; }\n"),
        ] {
            assert!(!same_code(path, before, after), "{after}");
        }
    }
}
