//! A compiler error as a missing name: which name, and whose code would hold it.

use super::build::{Diagnostic, Span};
use crate::ask::{Ask, slashed};
use proctor_core::report::Owner;
use proctor_lang::tree::{FolderTree, Tree, below, parent, text, upward};
use proctor_lang::zone::{Zone, zone};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is known of the tree's own names.
pub(crate) struct Names {
    tree: FolderTree,
    root: std::path::PathBuf,
    /// Where the compiler's relative paths start, relative to the tree.
    workspace: String,
    /// Import names of the tree's own packages.
    packages: BTreeSet<String>,
    sources: OnceCell<BTreeMap<String, String>>,
}

impl Names {
    pub(crate) fn of(ask: &Ask) -> Self {
        let tree = FolderTree::new(&ask.tree);
        let mut packages = BTreeSet::new();
        for path in tree.paths().iter().filter(|p| p.rsplit('/').next() == Some("Cargo.toml")) {
            let Some(table) =
                text(&tree, path).and_then(|t| toml::from_str::<toml::Table>(&t).ok())
            else {
                continue;
            };
            for section in ["package", "lib"] {
                let name =
                    table.get(section).and_then(|s| s.get("name")).and_then(toml::Value::as_str);
                packages.extend(name.map(|n| n.replace('-', "_")));
            }
        }
        let workspace = workspace_root(&tree, &slashed(Path::new(&ask.subdir)));
        Self { tree, root: ask.tree.clone(), workspace, packages, sources: OnceCell::new() }
    }

    /// A path as the compiler or a panic names it, relative to the tree.
    pub(crate) fn place(&self, file: &str) -> String {
        let path = Path::new(file);
        if path.is_absolute() {
            let real = self.root.canonicalize().ok();
            let inside = [Some(self.root.as_path()), real.as_deref()]
                .into_iter()
                .flatten()
                .find_map(|root| path.strip_prefix(root).ok());
            return inside.map_or_else(|| file.to_owned(), slashed);
        }
        below(&self.workspace, &slashed(path))
    }

    /// Whether the compiler's path names a file of the tree.
    fn is_own(&self, file: &str) -> bool {
        let place = self.place(file);
        !Path::new(&place).is_absolute() && self.root.join(place).is_file()
    }

    /// The missing name and its owner; none when the error is of another sort.
    pub(crate) fn missing(&self, error: &Diagnostic) -> Option<(String, Owner)> {
        let Some(code) = error.code.as_ref().map(|code| code.code.as_str()) else {
            return self.rule(error);
        };
        let quoted = backticked(&error.message);
        let file = error
            .spans
            .iter()
            .find(|s| s.is_primary)
            .map(|s| self.place(&s.file_name))
            .unwrap_or_default();
        match code {
            "E0463" => Some((quoted.first()?.clone(), Owner::Elsewhere)),
            "E0432" => {
                let path = quoted.first()?;
                Some((path.clone(), self.owner_of_path(path, &file)))
            }
            "E0425" | "E0433" | "E0405" | "E0412" | "E0423" | "E0424" | "E0531" => {
                Some(self.unresolved(error, &quoted, &file)?)
            }
            "E0560" | "E0026" | "E0599" | "E0609" => Some(self.member(error, &quoted)?),
            // A trait lacks what a test's own type has of it: a method, a type, a constant.
            "E0407" | "E0437" | "E0438" => {
                Some((quoted.first()?.clone(), self.owner_of_type(quoted.get(1)?)))
            }
            // A type of the project lacks a trait: `a == b`, `T: From<U>`.
            "E0277" | "E0369" | "E0600" | "E0608" | "E0614" => {
                let types =
                    quoted.iter().flat_map(|text| text.split([':', '<', '>', ',', ' ', '&']));
                let own = types
                    .filter(|name| name.chars().next().is_some_and(char::is_uppercase))
                    .find(|name| self.owner_of_type(name) == Owner::Project);
                own.map(str::to_owned)
                    .or_else(|| self.bound(error))
                    .map(|own| (own, Owner::Project))
            }
            "E0061" | "E0107" => {
                let name = pointed_at(error);
                let defined = error
                    .children
                    .iter()
                    .filter(|c| c.message.contains("defined here"))
                    .flat_map(|c| &c.spans);
                let files: Vec<&str> = defined.map(|s| s.file_name.as_str()).collect();
                let owner = self.owner_of_files(&files);
                Some((
                    name.unwrap_or_else(|| error.message.clone()),
                    owner.unwrap_or(Owner::Elsewhere),
                ))
            }
            _ => None,
        }
    }

    /// Whose bound is not met, where the project's own code sets it: "required by an implicit Sized bound in `Xor::new`".
    fn bound(&self, error: &Diagnostic) -> Option<String> {
        let mut notes = error.children.iter().filter(|c| c.message.starts_with("required by "));
        notes.find_map(|note| {
            let files: Vec<&str> = note.spans.iter().map(|s| s.file_name.as_str()).collect();
            let own = self.owner_of_files(&files) == Some(Owner::Project);
            let holder = backticked(&note.message).pop().filter(|_| own)?;
            Some(holder.rsplit("::").next().unwrap_or(&holder).to_owned())
        })
    }

    /// A rule that a macro of the project does not have. The error names what was given to it alone.
    fn rule(&self, error: &Diagnostic) -> Option<(String, Owner)> {
        let unmatched = ["no rules expected ", "unexpected end of macro invocation"];
        unmatched.iter().find(|start| error.message.starts_with(**start))?;
        let span = error.spans.iter().find(|s| s.is_primary)?;
        let source = self.sources().get(&self.place(&span.file_name))?;
        let line = span.text.first()?;
        let above = source.lines().take(usize::try_from(span.line_start).ok()?.checked_sub(1)?);
        let here: String = line.text.chars().take(line.highlight_start).collect();
        let before = above.chain([here.as_str()]).collect::<Vec<_>>().join("\n");
        let called =
            before.get(..["!(", "![", "!{"].iter().filter_map(|c| before.rfind(c)).max()?)?;
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = called.get(called.rfind(|c| !is_part(c)).map_or(0, |at| at + 1)..)?;
        let defined = format!("macro_rules! {name} ");
        let mut own = self.sources().iter().filter(|(path, _)| zone(path) != Zone::Test);
        own.any(|(_, source)| source.contains(&defined)).then(|| (name.to_owned(), Owner::Project))
    }

    /// `cannot find function X in this scope`, `… in module M`, `cannot find X in M`.
    fn unresolved(
        &self,
        error: &Diagnostic,
        quoted: &[String],
        file: &str,
    ) -> Option<(String, Owner)> {
        let name = quoted.first()?.clone();
        let label = error
            .spans
            .iter()
            .find(|s| s.is_primary)
            .and_then(|s| s.label.clone())
            .unwrap_or_default();
        if label.contains("unlinked crate") || error.message.contains("module or crate") {
            return Some((name.clone(), self.owner_of_path(&name, file)));
        }
        let root = error.message.ends_with("in the crate root").then_some("crate");
        if let Some(holder) = quoted.get(1).map(String::as_str).or(root) {
            // The message names the last module alone; the whole path stands in the source.
            let whole = error.spans.iter().find(|s| s.is_primary).and_then(path_before);
            let path = whole.as_deref().unwrap_or(holder);
            return Some((format!("{holder}::{name}"), self.owner_of_path(path, file)));
        }
        // A bare name. A glob import of the project's code would bring it in; nothing but the test itself would
        // define a plain variable.
        let variable = error.message.contains(" value ") && name.chars().all(|c| !c.is_uppercase());
        let inside = zone(file) == Zone::Production && !self.is_inline_test(file);
        let globbed = self.globs_the_project(file);
        let owner =
            if inside || (globbed && !variable) { Owner::Project } else { Owner::TestItself };
        Some((name, owner))
    }

    /// A field, method, variant or associated item that a type does not have.
    fn member(&self, error: &Diagnostic, quoted: &[String]) -> Option<(String, Owner)> {
        // `no field `x` on type `T`` and `no method named `x` found for struct `T``, but
        // `struct `T` has no field named `x`` and `struct `T` does not have a field named `x``.
        let holder_first = error.message.starts_with("struct `")
            || error.message.starts_with("variant `")
            || error.message.starts_with("union `");
        let (first, second) = (quoted.first()?, quoted.get(1));
        // Of a method that iterators have too: `T` is not an iterator.
        let called = pointed_at(error).filter(|_| error.message.ends_with(" is not an iterator"));
        let (first, second) = match &called {
            Some(called) => (called, Some(first)),
            None => (first, second),
        };
        let (name, holder) = if holder_first { (second?, Some(first)) } else { (first, second) };
        let holder = holder.map(|h| outer_type(h)).unwrap_or_default();
        let pointed: Vec<&str> = error
            .spans
            .iter()
            .filter(|s| !s.is_primary)
            .filter(|s| {
                s.label.as_deref().is_some_and(|l| {
                    l.contains("for this")
                        || l.contains("defined here")
                        || l.contains("not found here")
                })
            })
            .map(|s| s.file_name.as_str())
            .collect();
        let owner = self.owner_of_files(&pointed).unwrap_or_else(|| self.owner_of_type(&holder));
        let short = holder.rsplit("::").next().unwrap_or("").to_owned();
        let full = if short.is_empty() { name.clone() } else { format!("{short}::{name}") };
        Some((full, owner))
    }

    fn owner_of_files(&self, files: &[&str]) -> Option<Owner> {
        let first = files.first()?;
        if !self.is_own(first) {
            return Some(Owner::Elsewhere);
        }
        let place = self.place(first);
        Some(if zone(&place) == Zone::Test { Owner::TestItself } else { Owner::Project })
    }

    fn owner_of_path(&self, path: &str, file: &str) -> Owner {
        let head = path.split("::").next().unwrap_or(path);
        match head {
            // In an integration test these lead to the test's own crate.
            "crate" | "self" | "super" => {
                if zone(file) == Zone::Test && !Self::is_module_of_source(file) {
                    Owner::TestItself
                } else {
                    Owner::Project
                }
            }
            own if self.packages.contains(own) => Owner::Project,
            _ if path.contains("::") || Self::is_lowercase_module(head) => Owner::Elsewhere,
            // `cannot find `X` in `Type`` with a type of the project.
            _ => self.owner_of_type(head),
        }
    }

    fn is_lowercase_module(head: &str) -> bool {
        head.chars().next().is_some_and(|c| !c.is_uppercase())
    }

    /// `src/parser/tests.rs` is a test file whose `super` is production.
    fn is_module_of_source(file: &str) -> bool {
        file.split('/').any(|part| part == "src")
    }

    fn is_inline_test(&self, file: &str) -> bool {
        self.sources()
            .get(file)
            .is_some_and(|source| source.contains("#[cfg(test)]") || source.contains("#[test]"))
    }

    fn globs_the_project(&self, file: &str) -> bool {
        let Some(source) = self.sources().get(file) else {
            return false;
        };
        let uses = source
            .match_indices("use ")
            .filter_map(|(at, _)| source.get(at + 4..)?.split(';').next());
        let own =
            |head: &str| matches!(head, "super" | "crate" | "self") || self.packages.contains(head);
        uses.into_iter()
            .any(|path| path.contains('*') && own(path.split("::").next().unwrap_or("").trim()))
    }

    fn owner_of_type(&self, holder: &str) -> Owner {
        let head = holder.split("::").next().unwrap_or("");
        if matches!(head, "std" | "core" | "alloc") {
            return Owner::Elsewhere;
        }
        let name = holder.rsplit("::").next().unwrap_or(holder);
        let defines = |source: &str| {
            ["struct", "enum", "trait", "union", "type", "mod"].iter().any(|kind| {
                source.match_indices(&format!("{kind} {name}")).any(|(at, found)| {
                    let after = source.get(at + found.len()..).and_then(|s| s.chars().next());
                    after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
                })
            })
        };
        let files: Vec<&String> = self
            .sources()
            .iter()
            .filter(|(_, s)| !name.is_empty() && defines(s))
            .map(|(p, _)| p)
            .collect();
        if files.iter().any(|p| zone(p) != Zone::Test) {
            Owner::Project
        } else if files.is_empty() {
            Owner::Elsewhere
        } else {
            Owner::TestItself
        }
    }

    fn sources(&self) -> &BTreeMap<String, String> {
        self.sources.get_or_init(|| {
            let paths = self.tree.paths();
            let rust = paths.into_iter().filter(|p| proctor_lang::zone::has_ending(p, "rs"));
            rust.filter_map(|p| Some((p.clone(), text(&self.tree, &p)?))).collect()
        })
    }
}

/// The folder of the workspace that a folder's manifest belongs to, in the tree.
pub(crate) fn workspace_root(tree: &dyn Tree, subdir: &str) -> String {
    let mut nearest = None;
    for folder in upward(subdir) {
        let manifest = below(folder, "Cargo.toml");
        let Some(table) =
            text(tree, &manifest).and_then(|t| toml::from_str::<toml::Table>(&t).ok())
        else {
            continue;
        };
        if let Some(workspace) = table.get("workspace") {
            if excludes(workspace, folder, subdir) {
                break;
            }
            return folder.to_owned();
        }
        nearest.get_or_insert_with(|| parent(&manifest).to_owned());
    }
    nearest.unwrap_or_else(|| subdir.to_owned())
}

/// Whether a workspace leaves a folder out by name.
fn excludes(workspace: &toml::Value, root: &str, subdir: &str) -> bool {
    let listed = workspace.get("exclude").and_then(toml::Value::as_array).into_iter().flatten();
    listed.filter_map(toml::Value::as_str).any(|name| {
        let path = below(root, name.trim_end_matches('/'));
        subdir == path || subdir.starts_with(&format!("{path}/"))
    })
}

/// The path that stands in front of what a span points at: `dot::graph` before `graph_items` in
/// `use dot::graph::graph_items::Edge`.
fn path_before(span: &Span) -> Option<String> {
    let line = span.text.first()?;
    let before: String = line.text.chars().take(line.highlight_start.checked_sub(1)?).collect();
    let path = before.strip_suffix("::")?;
    let start = path.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let path = path.get(start.map_or(0, |at| at + 1)..)?;
    (!path.is_empty()).then(|| path.to_owned())
}

fn backticked(message: &str) -> Vec<String> {
    message.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The type itself, without references and parameters.
fn outer_type(name: &str) -> String {
    let bare =
        name.trim_start_matches(['&', '*']).trim_start_matches("mut ").trim_start_matches("const ");
    bare.split('<').next().unwrap_or(bare).trim().to_owned()
}

/// The source text that an error points at.
fn pointed_at(error: &Diagnostic) -> Option<String> {
    let line = error.spans.iter().find(|s| s.is_primary)?.text.first()?;
    let chars: Vec<char> = line.text.chars().collect();
    let part =
        chars.get(line.highlight_start.checked_sub(1)?..line.highlight_end.checked_sub(1)?)?;
    Some(part.iter().collect())
}
