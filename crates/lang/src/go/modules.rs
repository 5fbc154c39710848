//! Modules and workspaces as `go.mod` and `go.work` lay them out: which import path a folder has, which modules a
//! workspace uses. Reads nothing but these two files.

use crate::tree::{Tree, below, joined, text, upward};

/// A module of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The folder that holds its `go.mod`; empty for the root.
    pub folder: String,
    pub(crate) path: String,
}

impl Module {
    /// The module that a folder belongs to.
    pub fn around(tree: &dyn Tree, dir: &str) -> Option<Self> {
        upward(dir).into_iter().find_map(|folder| Self::at(tree, folder))
    }

    /// Where its file stands in this folder.
    pub fn at(tree: &dyn Tree, folder: &str) -> Option<Self> {
        let path = declared_path(&text(tree, &below(folder, "go.mod"))?)?;
        Some(Self { folder: folder.to_owned(), path })
    }

    /// The import path of a folder of this module.
    pub fn import_path(&self, dir: &str) -> String {
        let rest = dir.strip_prefix(self.folder.as_str()).unwrap_or(dir).trim_matches('/');
        if rest.is_empty() { self.path.clone() } else { format!("{}/{rest}", self.path) }
    }

    /// The folder of an import path, where this module would hold it.
    pub fn folder_of(&self, import: &str) -> Option<String> {
        let rest = import.strip_prefix(self.path.as_str())?;
        match rest.strip_prefix('/') {
            Some(rest) => Some(below(&self.folder, rest)),
            None => rest.is_empty().then(|| self.folder.clone()),
        }
    }
}

/// A folder that holds a `go.work`, and the folders of the modules that it uses, as far as they lie in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    pub folder: String,
    pub uses: Vec<String>,
}

impl Workspace {
    /// Where its file stands in this folder.
    pub fn at(tree: &dyn Tree, folder: &str) -> Option<Self> {
        let source = text(tree, &below(folder, "go.work"))?;
        let uses = directive(&source, "use");
        let uses = uses.iter().filter_map(|path| joined(folder, path)).collect();
        Some(Self { folder: folder.to_owned(), uses })
    }

    /// The workspace that holds for a folder. A module that the nearest `go.work` does not use has none.
    pub fn around(tree: &dyn Tree, dir: &str) -> Option<Self> {
        let found = upward(dir).into_iter().find_map(|folder| Self::at(tree, folder))?;
        let used = Module::around(tree, dir).is_some_and(|m| found.uses.contains(&m.folder));
        (found.folder == dir || used).then_some(found)
    }
}

fn declared_path(go_mod: &str) -> Option<String> {
    directive(go_mod, "module").into_iter().next()
}

/// The values of a directive, on one line or in a block.
fn directive(source: &str, name: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut inside = false;
    for line in source.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if inside {
            if line.starts_with(')') {
                inside = false;
            } else if !line.is_empty() {
                values.push(unquoted(line));
            }
        } else if let Some(rest) = line.strip_prefix(name) {
            let value = rest.trim();
            if value.starts_with('(') {
                inside = true;
            } else if rest.starts_with(|c: char| c.is_whitespace()) && !value.is_empty() {
                values.push(unquoted(value));
            }
        }
    }
    values
}

fn unquoted(text: &str) -> String {
    text.trim_matches(['"', '`']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::MemoryTree;

    #[test]
    fn import_paths_follow_the_nearest_module() {
        let tree: MemoryTree = [
            ("go.mod", "// a\nmodule example.com/shop // ours\n\ngo 1.22\n"),
            ("tools/go.mod", "module \"example.com/tools\"\n"),
        ]
        .into_iter()
        .collect();
        let path = |dir: &str| Module::around(&tree, dir).unwrap().import_path(dir);
        assert_eq!(path(""), "example.com/shop");
        assert_eq!(path("cart/price"), "example.com/shop/cart/price");
        assert_eq!(path("tools/gen"), "example.com/tools/gen");
        let module = Module::around(&tree, "tools").unwrap();
        assert_eq!(module.folder_of("example.com/tools/gen").as_deref(), Some("tools/gen"));
        assert_eq!(module.folder_of("example.com/toolsmith"), None);
    }

    #[test]
    fn a_workspace_holds_for_the_modules_that_it_uses() {
        let tree: MemoryTree = [
            ("go.work", "go 1.22\n\nuse (\n\t./a // first\n\t./b/\n)\nuse ./c\nuse ../outside\n"),
            ("a/go.mod", "module a\n"),
            ("d/go.mod", "module d\n"),
        ]
        .into_iter()
        .collect();
        let found = Workspace::around(&tree, "").unwrap();
        assert_eq!(found.uses, ["a", "b", "c"]);
        assert!(Workspace::around(&tree, "a").is_some());
        assert!(Workspace::around(&tree, "d").is_none());
    }
}
