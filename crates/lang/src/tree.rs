//! Reading a tree of source files, from memory or from a folder. Never writes.

use crate::child_file;
use crate::words::Words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tree of files, read-only. Paths are relative to its root, with `/`.
pub trait Tree {
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    fn paths(&self) -> Vec<String>;
}

/// A tree in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryTree(pub BTreeMap<String, Vec<u8>>);

impl Tree for MemoryTree {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }

    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryTree {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        Self(files.into_iter().map(|(p, b)| (p.into(), b.into())).collect())
    }
}

/// A tree with another text in one file, which may be new.
pub struct With<'a> {
    pub tree: &'a dyn Tree,
    pub path: &'a str,
    pub text: &'a str,
}

impl Tree for With<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        if path == self.path { Some(self.text.as_bytes().to_vec()) } else { self.tree.read(path) }
    }

    fn paths(&self) -> Vec<String> {
        let mut paths = self.tree.paths();
        if !paths.iter().any(|path| path == self.path) {
            paths.push(self.path.to_owned());
        }
        paths
    }
}

/// A tree in a folder. Links are not followed; folders that hold no sources of the project are left out.
#[derive(Clone, Debug)]
pub struct FolderTree {
    root: PathBuf,
}

const NOT_SOURCES: Words =
    Words(".git target node_modules .venv venv __pycache__ .tox .nox .mypy_cache");

impl FolderTree {
    /// A folder on the disk.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            if kind.is_file() {
                found.push(path);
            } else if kind.is_dir() && !NOT_SOURCES.has(name.as_str()) {
                Self::walk(&entry.path(), &path, found);
            }
        }
    }
}

impl Tree for FolderTree {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        child_file::read(self.root.join(path)).ok()
    }

    fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        Self::walk(&self.root, "", &mut found);
        found.sort();
        found
    }
}

/// The text of a file, where it is there and is text.
pub fn text(tree: &dyn Tree, path: &str) -> Option<String> {
    String::from_utf8(tree.read(path)?).ok()
}

/// A path below a folder; the folder may be empty for the root.
pub fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{}/{name}", folder.trim_end_matches('/'))
    }
}

/// The folder that a path lies in; empty for the root.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder itself and those above it, nearest first, the root last.
pub fn upward(folder: &str) -> Vec<&str> {
    let mut list = vec![folder];
    let mut at = folder;
    while !at.is_empty() {
        at = parent(at);
        list.push(at);
    }
    list
}

/// A relative path from a folder, without `.` and `..`; nothing where it leaves the tree.
pub fn joined(folder: &str, relative: &str) -> Option<String> {
    if relative.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
