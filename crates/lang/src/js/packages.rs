//! Whose module a specifier names, by the manifests of a tree: its packages, its `#imports`, its compiler's path
//! aliases. Does not read what the modules hold.

use super::paths::located;
use crate::tree::{Tree, below, joined, parent, text, upward};
use crate::zone::{Zone, has_ending, zone};
use proctor_core::report::Owner;
use serde_json::Value;

/// Modules that come with node.
const BUILT_IN: &str = "assert async_hooks buffer child_process cluster console constants crypto dgram \
    diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode \
    querystring readline repl stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi \
    worker_threads zlib";

/// The modules that one file of a tree may name.
pub(crate) struct Modules<'a> {
    pub(crate) tree: &'a dyn Tree,
    /// The file that names them.
    pub(crate) file: &'a str,
}

impl Modules<'_> {
    pub(crate) fn owner(&self, specifier: &str) -> Owner {
        // `./a.svg?raw` is still that file.
        let name = specifier.split('?').next().unwrap_or(specifier);
        let relative =
            matches!(name, "." | "..") || name.starts_with("./") || name.starts_with("../");
        if relative {
            let path = joined(parent(self.file), name);
            return path.map_or(Owner::Elsewhere, |path| self.at(&path));
        }
        if name.is_empty() || name.contains(':') || name.starts_with('/') || built_in(name) {
            return Owner::Elsewhere;
        }
        if name.starts_with('#')
            && let Some(owner) = self.by_imports_map(name)
        {
            return owner;
        }
        self.by_paths(name)
            .or_else(|| self.by_package(name))
            .or_else(|| self.by_root_sign(name))
            .unwrap_or(Owner::Elsewhere)
    }

    /// Whose a path of the tree is, whether it is there yet or not.
    fn at(&self, path: &str) -> Owner {
        if path.split('/').any(|part| part == "node_modules") {
            return Owner::Elsewhere;
        }
        // What is not there yet is judged by its path, with the ending that it will have.
        let whole = located(self.tree, path).unwrap_or_else(|| path.to_owned());
        let found = match zone(&whole) {
            Zone::Production => zone(&format!("{whole}.js")),
            other @ (Zone::Test | Zone::Deciding) => other,
        };
        match found {
            Zone::Production => Owner::Project,
            Zone::Test => Owner::TestItself,
            Zone::Deciding => Owner::Elsewhere,
        }
    }

    /// Of several places that it may mean, all must be the project's.
    fn at_all(&self, paths: &[String]) -> Option<Owner> {
        let owners: Vec<Owner> = paths.iter().map(|p| self.at(p)).collect();
        let other = owners.iter().find(|o| **o != Owner::Project).copied();
        other.or(owners.first().copied())
    }

    fn manifest(&self, folder: &str) -> Option<Value> {
        serde_json::from_str(&text(self.tree, &below(folder, "package.json"))?).ok()
    }

    /// The package's own `imports`: `#db` or `#lib/*`.
    fn by_imports_map(&self, name: &str) -> Option<Owner> {
        let (folder, manifest) = upward(parent(self.file))
            .into_iter()
            .find_map(|folder| Some((folder, self.manifest(folder)?)))?;
        let map = manifest.get("imports")?.as_object()?;
        let best = map.iter().filter_map(|(key, target)| Some((fits(key, name)?, key, target)));
        let (rest, _, target) = best.max_by_key(|(_, key, _)| key.len())?;
        let mut targets = Vec::new();
        strings(target, &mut targets);
        let own =
            |t: &String| t.strip_prefix("./").and_then(|t| joined(folder, &t.replace('*', rest)));
        let paths: Option<Vec<String>> = targets.iter().map(own).collect();
        // One that leads to another package makes it unsure.
        Some(paths.and_then(|paths| self.at_all(&paths)).unwrap_or(Owner::Elsewhere))
    }

    /// This package by its own name, or another of the same repository.
    fn by_package(&self, name: &str) -> Option<Owner> {
        let mut above =
            upward(parent(self.file)).into_iter().map(|folder| below(folder, "package.json"));
        let near = above.find_map(|path| self.named(&path, name));
        let found = near.or_else(|| {
            let all = self.tree.paths();
            all.iter().filter(|p| is_manifest(p)).find_map(|path| self.named(path, name))
        });
        found.map(|path| self.at(&path))
    }

    /// The path below the package of this manifest, if the specifier names it.
    fn named(&self, path: &str, specifier: &str) -> Option<String> {
        let manifest: Value = serde_json::from_str(&text(self.tree, path)?).ok()?;
        let name = manifest.get("name")?.as_str().filter(|n| !n.is_empty())?;
        let rest = specifier.strip_prefix(name)?;
        if rest.is_empty() {
            // Its folder may be anywhere, but what stands there is the package.
            return Some(below(parent(path), "index.js"));
        }
        joined(parent(path), rest.strip_prefix('/')?)
    }

    /// `compilerOptions.paths` and `baseUrl` of the nearest configuration that speaks of it.
    fn by_paths(&self, name: &str) -> Option<Owner> {
        let all = self.tree.paths();
        upward(parent(self.file)).into_iter().find_map(|folder| {
            let mut configs = all.iter().filter(|p| parent(p) == folder && is_compiler_config(p));
            configs.find_map(|path| self.by_config(path, name, 4))
        })
    }

    fn by_config(&self, path: &str, name: &str, hops: u8) -> Option<Owner> {
        let config: Value =
            serde_json::from_str(&without_comments(&text(self.tree, path)?)).ok()?;
        let options = config.get("compilerOptions");
        let folder = parent(path);
        let base = options.and_then(|o| o.get("baseUrl")).and_then(Value::as_str);
        let from = joined(folder, base.unwrap_or("."))?;
        let patterns = options.and_then(|o| o.get("paths")).and_then(Value::as_object);
        let best = patterns
            .into_iter()
            .flatten()
            .filter_map(|(key, targets)| Some((fits(key, name)?, key, targets)));
        if let Some((rest, key, targets)) = best.max_by_key(|(_, key, _)| key.len()) {
            let mut places = Vec::new();
            strings(targets, &mut places);
            let paths: Option<Vec<String>> =
                places.iter().map(|t| joined(&from, &t.replace('*', rest))).collect();
            let mut paths = paths?;
            // `*` fits every package there is: only what stands in the tree is the project's.
            if key == "*" {
                paths.retain(|p| located(self.tree, p).is_some());
            }
            if let Some(owner) = self.at_all(&paths) {
                return Some(owner);
            }
        }
        if base.is_some() && !self.is_dependency(name) && self.stands_below(&from, name) {
            return Some(self.at(&joined(&from, name)?));
        }
        let mut above = Vec::new();
        config.get("extends").into_iter().for_each(|e| strings(e, &mut above));
        above.iter().filter(|e| e.starts_with('.') && hops > 0).find_map(|extended| {
            let path = joined(folder, extended)?;
            let path = if has_ending(&path, "json") { path } else { format!("{path}.json") };
            self.by_config(&path, name, hops - 1)
        })
    }

    /// `@/cart` and `~/cart` can be no package: they mean the project's own root, by habit `src`.
    fn by_root_sign(&self, name: &str) -> Option<Owner> {
        let rest = name.strip_prefix("@/").or_else(|| name.strip_prefix("~/"))?;
        upward(parent(self.file)).into_iter().find_map(|folder| {
            let roots = [below(folder, "src"), below(folder, "app"), folder.to_owned()];
            let root = roots.iter().find(|root| self.stands_below(root, rest))?;
            Some(self.at(&joined(root, rest)?))
        })
    }

    /// Whether the first part of a path is there: the folder that a new file would go into, or the file itself.
    fn stands_below(&self, folder: &str, path: &str) -> bool {
        let first = below(folder, path.split('/').next().unwrap_or(path));
        let inside = format!("{first}/");
        (path.contains('/') && self.tree.paths().iter().any(|p| p.starts_with(&inside)))
            || located(self.tree, &first).is_some()
    }

    fn is_dependency(&self, name: &str) -> bool {
        let parts = if name.starts_with('@') { 2 } else { 1 };
        let package: Vec<&str> = name.split('/').take(parts).collect();
        let package = package.join("/");
        let groups =
            ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
        upward(parent(self.file)).into_iter().filter_map(|f| self.manifest(f)).any(|manifest| {
            groups.iter().any(|g| manifest.get(g).is_some_and(|list| list.get(&package).is_some()))
        })
    }
}

fn built_in(name: &str) -> bool {
    let top = name.split('/').next().unwrap_or(name);
    BUILT_IN.split_whitespace().any(|known| known == top)
}

/// Manifests of samples and of copies of other people's code name no package of the project.
fn is_manifest(path: &str) -> bool {
    let copied = |part: &str| matches!(part, "node_modules" | "vendor" | "third_party");
    (path == "package.json" || path.ends_with("/package.json"))
        && zone(path) == Zone::Production
        && !path.split('/').any(copied)
}

fn is_compiler_config(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && has_ending(name, "json")
}

/// What the `*` of a pattern stands for in a name; empty where it has none and is the name.
fn fits<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(""),
        Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
    }
}

/// Every text in a value, however deep: one place, a list of them, or one for each condition.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|v| strings(v, found)),
        Value::Object(map) => map.values().for_each(|v| strings(v, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// JSON as compilers take it: comments and last commas are left out.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if c == '"' {
            string_end(rest)
        } else if rest.starts_with("//") {
            rest = rest.get(rest.find('\n').unwrap_or(rest.len())..).unwrap_or("");
            continue;
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").and_then(|at| rest.get(at + 2..)).unwrap_or("");
            continue;
        } else {
            if matches!(c, '}' | ']') && out.trim_end().ends_with(',') {
                out.truncate(out.trim_end().len() - 1);
            }
            c.len_utf8()
        };
        out.push_str(rest.get(..taken).unwrap_or(""));
        rest = rest.get(taken..).unwrap_or("");
    }
    out
}

/// Where the string that a text begins with ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
