//! Names with what they are reached through: `from os import _exit as q` makes `q` the path `os._exit`, and so do
//! `getattr(os, "_ex" + "it")` and `__import__("os")._exit`. Scopes are not told apart. Says nothing about what a
//! path means.
use super::strings;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use std::collections::BTreeMap;
use tree_sitter::Node;

pub(super) struct Paths<'a> {
    language: Language,
    source: &'a str,
    aliases: BTreeMap<String, Vec<String>>,
}

/// How deep an expression is followed.
const DEPTH: u8 = 40;

impl<'a> Paths<'a> {
    pub(super) fn of(language: Language, root: Node<'_>, source: &'a str) -> Self {
        let mut paths = Self { language, source, aliases: BTreeMap::new() };
        // Imports first, since a variable may stand for an imported module above the import.
        syntax::nodes(root).for_each(|node| paths.note_import(node));
        syntax::nodes(root).for_each(|node| paths.note_variable(node));
        paths
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        syntax::text(node, self.source)
    }

    fn field(&self, node: Node<'_>, name: &str) -> &'a str {
        syntax::field(node, name, self.source)
    }

    fn alias(&mut self, name: &str, path: Vec<String>) {
        if !name.is_empty() && path != [name] {
            self.aliases.insert(name.to_owned(), path);
        }
    }

    fn note_import(&mut self, node: Node<'_>) {
        match (self.language, node.kind()) {
            (Language::Python, "aliased_import") => {
                let mut path = self.python_module(node);
                path.extend(self.field(node, "name").split('.').map(str::to_owned));
                self.alias(self.field(node, "alias"), path);
            }
            (Language::Python, "dotted_name") => {
                let from = node.parent().filter(|p| {
                    p.kind() == "import_from_statement"
                        && p.child_by_field_name("module_name") != Some(node)
                });
                if from.is_some() {
                    let mut path = self.python_module(node);
                    path.push(self.text(node).to_owned());
                    self.alias(self.text(node), path);
                }
            }
            (Language::Go, "import_spec") => {
                let module = self.field(node, "path").trim_matches(['"', '`']).to_owned();
                let name = self.field(node, "name");
                let last = module.rsplit('/').next().unwrap_or_default().to_owned();
                self.alias(if name.is_empty() { &last } else { name }, vec![module]);
            }
            (Language::Java, "import_declaration") => {
                let path: Vec<String> = self
                    .imported(node)
                    .iter()
                    .flat_map(|m| m.split('.'))
                    .map(str::to_owned)
                    .collect();
                if let Some(last) = path.last().cloned() {
                    self.alias(&last, path);
                }
            }
            (Language::Rust, "use_declaration") => {
                if let Some(argument) = node.child_by_field_name("argument") {
                    self.note_use(argument, &[]);
                }
            }
            (Language::Script(_), "import_specifier") => {
                let module = self.script_module(node);
                let name = self.field(node, "name");
                let alias = self.field(node, "alias");
                if let Some(module) = module {
                    let local = if alias.is_empty() { name } else { alias };
                    self.alias(local, vec![module, name.to_owned()]);
                }
            }
            (Language::Script(_), "namespace_import" | "import_clause") => {
                let first = syntax::children(node).into_iter().find(|n| n.kind() == "identifier");
                if let (Some(module), Some(name)) = (self.script_module(node), first) {
                    self.alias(self.text(name), vec![module]);
                }
            }
            _ => {}
        }
    }

    /// The module of the import around a name, in pieces.
    fn python_module(&self, node: Node<'_>) -> Vec<String> {
        let module = node.parent().and_then(|p| p.child_by_field_name("module_name"));
        let name = module.map_or("", |m| self.text(m));
        name.split('.').filter(|p| !p.is_empty()).map(str::to_owned).collect()
    }

    fn script_module(&self, node: Node<'_>) -> Option<String> {
        let mut around = std::iter::once(node).chain(syntax::parents(node));
        let at = around.find(|n| n.kind() == "import_statement")?;
        self.joined_text(at.child_by_field_name("source")?).map(|m| module_name(&m))
    }

    fn note_use(&mut self, node: Node<'_>, before: &[String]) {
        let with = |text: &str| {
            let mut path = before.to_vec();
            path.extend(text.split("::").map(|p| p.trim().to_owned()));
            path
        };
        match node.kind() {
            "use_as_clause" => {
                let path = with(self.field(node, "path"));
                self.alias(self.field(node, "alias"), path);
            }
            "scoped_use_list" => {
                let path = with(self.field(node, "path"));
                if let Some(list) = node.child_by_field_name("list") {
                    self.note_use(list, &path);
                }
            }
            "use_list" => {
                for child in syntax::children(node) {
                    self.note_use(child, before);
                }
            }
            "self" => {
                if let Some(last) = before.last().cloned() {
                    self.alias(&last, before.to_vec());
                }
            }
            "identifier" | "scoped_identifier" => {
                let path = with(self.text(node));
                if let Some(last) = path.last().cloned() {
                    self.alias(&last, path);
                }
            }
            _ => {}
        }
    }

    /// `e = os._exit`, `const { exit } = process`.
    fn note_variable(&mut self, node: Node<'_>) {
        let (name, value) = match (self.language, node.kind()) {
            (Language::Python, "assignment") => ("left", "right"),
            (Language::Script(_), "variable_declarator") => ("name", "value"),
            _ => return,
        };
        let (Some(name), Some(value)) =
            (node.child_by_field_name(name), node.child_by_field_name(value))
        else {
            return;
        };
        let path = self.path(value);
        let root = path.first().map_or("", String::as_str);
        let module = self.aliases.values().any(|p| p.first().is_some_and(|p| p == root))
            || Words("os sys builtins process inspect globalThis vitest jest").has(root);
        // The result of a call is another thing than what was called.
        let called = matches!(value.kind(), "call" | "call_expression" | "await_expression")
            && !self.is_lookup(value);
        if path.is_empty() || !module || called {
            return;
        }
        match name.kind() {
            "identifier" => self.alias(self.text(name), path),
            "object_pattern" => {
                for part in syntax::children(name) {
                    let (key, local) = match part.kind() {
                        "shorthand_property_identifier_pattern" => {
                            (self.text(part), self.text(part))
                        }
                        "pair_pattern" => (self.field(part, "key"), self.field(part, "value")),
                        _ => continue,
                    };
                    let mut path = path.clone();
                    path.push(key.to_owned());
                    self.alias(local, path);
                }
            }
            _ => {}
        }
    }

    /// A call that gives what it names: `getattr(os, "x")`, `require("os")`.
    fn is_lookup(&self, call: Node<'_>) -> bool {
        let name = self.field(call, "function");
        Words("getattr __import__ importlib.import_module import_module vars require import")
            .has(name)
    }

    /// The path of an expression; empty where it starts at no name.
    pub(super) fn path(&self, node: Node<'_>) -> Vec<String> {
        let mut path = self.raw(node, DEPTH);
        if matches!(self.language, Language::Script(_)) {
            while path.len() > 1
                && matches!(path[0].as_str(), "globalThis" | "global" | "window" | "self")
            {
                path.remove(0);
            }
        }
        path.retain(|p| p != "__dict__");
        path
    }

    fn raw(&self, node: Node<'_>, depth: u8) -> Vec<String> {
        if depth == 0 {
            return Vec::new();
        }
        let inner = |name: &str| {
            node.child_by_field_name(name).map(|n| self.raw(n, depth - 1)).unwrap_or_default()
        };
        let joined = |object: &str, name: &str| {
            let mut path = inner(object);
            if path.is_empty() {
                path.push("?".to_owned());
            }
            path.push(self.field(node, name).to_owned());
            path
        };
        match node.kind() {
            "identifier" | "type_identifier" | "package_identifier" | "this" | "self"
            | "import" => {
                let name = self.text(node);
                self.aliases.get(name).cloned().unwrap_or_else(|| vec![name.to_owned()])
            }
            "attribute" if self.language == Language::Python => joined("object", "attribute"),
            "member_expression" => joined("object", "property"),
            "scoped_identifier" | "scoped_type_identifier" => {
                let mut path = inner("path");
                path.push(self.field(node, "name").to_owned());
                path
            }
            "field_expression" => joined("value", "field"),
            "selector_expression" => joined("operand", "field"),
            "field_access" => joined("object", "field"),
            "method_invocation" if node.child_by_field_name("object").is_some() => {
                joined("object", "name")
            }
            "method_invocation" => vec![self.field(node, "name").to_owned()],
            "meta_property" => vec!["import".to_owned(), "meta".to_owned()],
            "subscript" => self.with_index(node, inner("value"), "subscript"),
            "subscript_expression" => self.with_index(node, inner("object"), "index"),
            "index_expression" => self.with_index(node, inner("operand"), "index"),
            "call" | "call_expression" => self.call(node, depth),
            "new_expression" => inner("constructor"),
            "object_creation_expression" => inner("type"),
            "generic_function" => inner("function"),
            "parenthesized_expression"
            | "await_expression"
            | "await"
            | "try_expression"
            | "reference_expression"
            | "non_null_expression"
            | "as_expression" => {
                node.named_child(0).map(|n| self.raw(n, depth - 1)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn with_index(&self, node: Node<'_>, mut path: Vec<String>, field: &str) -> Vec<String> {
        let index = node.child_by_field_name(field);
        if !path.is_empty() {
            path.extend(index.and_then(|i| self.joined_text(i)));
        }
        path
    }

    fn call(&self, node: Node<'_>, depth: u8) -> Vec<String> {
        let Some(function) = node.child_by_field_name("function") else { return Vec::new() };
        let arguments =
            node.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
        let text = |at: usize| arguments.get(at).and_then(|n| self.joined_text(*n));
        match (self.text(function), arguments.as_slice()) {
            ("getattr", [object, ..]) => {
                let mut path = self.raw(*object, depth - 1);
                path.extend(text(1));
                path
            }
            ("__import__" | "importlib.import_module" | "import_module", [_, ..]) => {
                text(0).map(|m| m.split('.').map(str::to_owned).collect()).unwrap_or_default()
            }
            ("require" | "import", [_, ..]) if matches!(self.language, Language::Script(_)) => {
                text(0).map(|m| vec![module_name(&m)]).unwrap_or_default()
            }
            ("vars", [object]) => self.raw(*object, depth - 1),
            _ => self.raw(function, depth - 1),
        }
    }

    /// Paths in what a macro is given, which has no structure: names with `::` or `.` between them.
    pub(super) fn in_tokens<'t>(&self, tokens: Node<'t>) -> Vec<(Node<'t>, String)> {
        let mut found: Vec<(Node<'t>, Vec<String>, usize)> = Vec::new();
        for child in syntax::children(tokens) {
            if !matches!(child.kind(), "identifier" | "self" | "super" | "crate") {
                continue;
            }
            let name = self.text(child).to_owned();
            let between = |end: usize| self.source.get(end..child.start_byte()).map(str::trim);
            match found.last_mut() {
                Some((_, path, end)) if matches!(between(*end), Some("::" | ".")) => {
                    path.push(name);
                    *end = child.end_byte();
                }
                _ => {
                    let path = self.aliases.get(&name).cloned().unwrap_or_else(|| vec![name]);
                    found.push((child, path, child.end_byte()));
                }
            }
        }
        found.into_iter().map(|(node, path, _)| (node, path.join("."))).collect()
    }

    /// The modules that a node imports.
    pub(super) fn imported(&self, node: Node<'_>) -> Vec<String> {
        let names = |node: Node<'_>| -> Vec<String> {
            syntax::children(node)
                .into_iter()
                .filter_map(|n| match n.kind() {
                    "dotted_name" => Some(self.text(n).to_owned()),
                    "aliased_import" => Some(self.field(n, "name").to_owned()),
                    _ => None,
                })
                .collect()
        };
        match (self.language, node.kind()) {
            (Language::Python, "import_statement") => names(node),
            (Language::Python, "import_from_statement") => {
                vec![self.field(node, "module_name").to_owned()]
            }
            (Language::Go, "import_spec") => {
                vec![self.field(node, "path").trim_matches(['"', '`']).to_owned()]
            }
            (Language::Java, "import_declaration") => {
                let name =
                    syntax::children(node).into_iter().find(|n| n.kind() == "scoped_identifier");
                name.map(|n| self.text(n).to_owned()).into_iter().collect()
            }
            (Language::Script(_), "import_statement" | "export_statement") => {
                let typed = node.child(1).is_some_and(|c| c.kind() == "type");
                let module = node.child_by_field_name("source").filter(|_| !typed);
                module
                    .and_then(|s| self.joined_text(s))
                    .map(|m| module_name(&m))
                    .into_iter()
                    .collect()
            }
            (Language::Script(_), "call_expression") | (Language::Python, "call")
                if self.is_lookup(node) && self.field(node, "function") != "getattr" =>
            {
                let path = self.call(node, DEPTH);
                if path.is_empty() || self.field(node, "function") == "vars" {
                    Vec::new()
                } else {
                    vec![path.join(".")]
                }
            }
            (Language::Rust, "use_declaration") => {
                vec![self.field(node, "argument").replace("::", ".")]
            }
            (Language::Rust, "extern_crate_declaration") => {
                vec![self.field(node, "name").to_owned()]
            }
            _ => Vec::new(),
        }
    }

    /// The value of a string, see [`strings::joined`].
    pub(super) fn joined_text(&self, node: Node<'_>) -> Option<String> {
        strings::joined(self.language, self.source, node)
    }
}

fn module_name(specifier: &str) -> String {
    specifier.strip_prefix("node:").filter(|m| *m != "test").unwrap_or(specifier).to_owned()
}
