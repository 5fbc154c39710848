//! Packages of npm: what `npm pack` takes, what they ask for, and what they lead to.

use super::globs::{fits, fits_below};
use super::{Goes, Parcel, Unshipped, below, joined, left_out, links};
use proctor_core::report::Place;
use proctor_lang::parent;
use serde_json::Value;
use std::collections::BTreeSet;

const MANIFEST: &str = "package.json";
/// What is built from sources, by the folders that it goes to.
const BUILT: [&str; 5] = ["dist", "build", "lib", "out", "cjs"];

pub(super) fn manifest(parcel: &Parcel<'_>, root: &str) -> Option<Value> {
    serde_json::from_str(&parcel.read(root, MANIFEST)?).ok()
}

pub(super) fn found(parcel: &Parcel<'_>, file: &str, lines: &BTreeSet<u32>) -> Vec<Unshipped> {
    let Some(root) = parcel.root_of(file, &[MANIFEST]) else { return Vec::new() };
    let Some(package) = manifest(parcel, &root) else { return Vec::new() };
    let mut all = Vec::new();
    let reached = reached(parcel, &entries(&package), &root);
    if let Some((says, goes)) = goes(parcel, &package, &root) {
        // What lies at the root stands beside the package by chance: configuration, benchmarks.
        let beside = parent(file) != root && parcel.is_missed(file, &root, &goes);
        if beside || asked_for(parcel, file, (&goes, &reached)) {
            all.push(left_out(file, &joined(&root, MANIFEST), says));
        }
    }
    if reached.contains(file) {
        all.extend(undeclared(parcel, (file, lines), (&package, &root)));
    }
    all
}

/// What a package leads to.
fn entries(package: &Value) -> Vec<String> {
    let keys = ["main", "module", "browser", "exports", "bin"];
    keys.iter().flat_map(|key| strings(&package[*key])).collect()
}

/// The paths in a part of a package's file.
pub(super) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.trim_start_matches("./").to_owned()],
        Value::Object(map) => map.values().flat_map(strings).collect(),
        Value::Array(list) => list.iter().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

fn goes<'a>(parcel: &Parcel<'_>, package: &Value, root: &str) -> Option<(&'static str, Goes<'a>)> {
    let root = root.to_owned();
    if let Some(files) = package.get("files").and_then(Value::as_array) {
        let files: Vec<String> =
            files.iter().filter_map(|f| Some(f.as_str()?.to_owned())).collect();
        let entries = entries(package);
        let goes = move |path: &str| {
            let Some(path) = below(&root, path) else { return false };
            let taken = |word: &&String| {
                let word = word.trim_start_matches("./").trim_start_matches('/');
                let word = word.trim_end_matches('/');
                fits(word, path) || fits(&format!("{word}/**"), path) || word == "*"
            };
            let out = files.iter().filter_map(|word| word.strip_prefix('!'));
            let out = out.into_iter().any(|word| fits_below(word, path));
            files.iter().any(|word| taken(&word)) && !out || entries.iter().any(|e| e == path)
        };
        return Some(("does not list it among its `files`", Box::new(goes)));
    }
    let ignored = parcel.read(&root, ".npmignore")?;
    let goes = move |path: &str| {
        let Some(path) = below(&root, path) else { return false };
        let mut out = false;
        for line in ignored.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            match line.strip_prefix('!') {
                Some(word) if fits_below(word, path) => out = false,
                None if fits_below(line, path) => out = true,
                _ => {}
            }
        }
        !out
    };
    Some(("has an `.npmignore` that leaves it out", Box::new(goes)))
}

/// Whether a file that is in asks for one that is new and not in.
fn asked_for(
    parcel: &Parcel<'_>,
    file: &str,
    (goes, reached): (&Goes<'_>, &BTreeSet<String>),
) -> bool {
    if goes(file) || (parcel.base_has)(file) {
        return false;
    }
    let asks = |other: &&String| links::of(parcel, other).iter().any(|path| path == file);
    let others = parcel.lines.keys().chain(reached).filter(|other| *other != file && goes(other));
    others.into_iter().any(|other| asks(&other))
}

/// The files that users get to: what the package leads to, and what that asks for by a path. None where it leads only to
/// what is built, which may hold anything.
fn reached(parcel: &Parcel<'_>, entries: &[String], root: &str) -> BTreeSet<String> {
    let named = if entries.is_empty() { vec!["index.js".to_owned()] } else { entries.to_vec() };
    let mut todo: Vec<String> =
        named.iter().filter_map(|entry| links::found(parcel, &joined(root, entry))).collect();
    let mut all = BTreeSet::new();
    while let Some(path) = todo.pop() {
        if !all.contains(&path) {
            todo.extend(links::of(parcel, &path));
            all.insert(path);
        }
    }
    all
}

/// Changed lines that ask for a package that is there for development alone.
fn undeclared(
    parcel: &Parcel<'_>,
    (file, lines): (&str, &BTreeSet<u32>),
    (package, root): (&Value, &str),
) -> Vec<Unshipped> {
    if package.get("private").and_then(Value::as_bool) == Some(true) {
        return Vec::new();
    }
    let names = |key: &str, name: &str| package.get(key).and_then(|map| map.get(name)).is_some();
    let text = (parcel.text)(file).unwrap_or_default();
    let mut all = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let number = u32::try_from(n + 1).unwrap_or(u32::MAX);
        if !lines.contains(&number) || line.trim_start().starts_with("import type") {
            continue;
        }
        let Some(name) = links::specifiers(line).into_iter().find_map(asked) else { continue };
        let there = ["dependencies", "peerDependencies", "optionalDependencies"];
        if names("devDependencies", &name) && !there.iter().any(|key| names(key, &name)) {
            all.push(Unshipped {
                place: Place { file: file.to_owned(), line: Some(number) },
                text: format!(
                    "{file}:{number} asks for `{name}`, which {} has for development alone: users do not get it; accepted: `{name}` among its dependencies",
                    joined(root, MANIFEST)
                ),
            });
        }
    }
    all
}

/// The package that an import names.
fn asked(specifier: &str) -> Option<String> {
    if specifier.starts_with(['.', '/']) || specifier.starts_with("node:") {
        return None;
    }
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    Some(specifier.split('/').take(parts).collect::<Vec<_>>().join("/"))
}

/// Packages that lead to a file which is kept in git, is built from what changed, and is as it was.
pub(super) fn stale(parcel: &Parcel<'_>) -> Vec<Unshipped> {
    let roots: BTreeSet<String> =
        parcel.lines.keys().filter_map(|file| parcel.root_of(file, &[MANIFEST])).collect();
    let mut all = Vec::new();
    for root in roots {
        let Some(package) = manifest(parcel, &root) else { continue };
        let entries = entries(&package);
        let kept: Vec<String> = entries.iter().map(|entry| joined(&root, entry)).collect();
        let is_source =
            |file: &&String| below(&root, file).is_some_and(|path| path.starts_with("src/"));
        let Some(source) = parcel.lines.keys().find(is_source) else { continue };
        let built = |entry: &&String| {
            let own = below(&root, entry).unwrap_or(entry);
            BUILT.iter().any(|folder| own.starts_with(&format!("{folder}/")))
        };
        let all_built = entries
            .iter()
            .zip(&kept)
            .all(|(_, path)| built(&path) && parcel.paths.contains(path.as_str()));
        let untouched = kept.iter().all(|path| !parcel.lines.contains_key(path));
        if all_built
            && untouched
            && let Some(entry) = kept.first()
        {
            let names_it = |line: &str| {
                // A file that only hands on what the sources say is as new as they are.
                line.contains("../src") || line.contains("/src/")
            };
            let text = (parcel.text)(entry).unwrap_or_default();
            if text.is_empty() || text.lines().any(names_it) || !(parcel.base_has)(entry) {
                continue;
            }
            all.push(Unshipped {
                place: Place { file: entry.clone(), line: None },
                text: format!(
                    "{source} changed, and {} leads users to {entry}, which is as it was: they do not get what is tested; accepted: {entry} built again, or not kept",
                    joined(&root, MANIFEST)
                ),
            });
        }
    }
    all
}
