//! Commands that a package gives its users: what the manifest names must be there, and be something that can be started.

use super::{Parcel, Unshipped, joined, script};
use proctor_core::report::Place;
use proctor_lang::parent;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Where a package's modules may stand.
const PLACES: [&str; 3] = ["", "src", "lib"];
/// What stands before a name that a module gives to something.
const GIVING: [&str; 4] = ["def ", "async def ", "class ", "import "];

/// Commands that lead nowhere.
pub(super) fn found(parcel: &Parcel<'_>) -> Vec<Unshipped> {
    let is = |path: &&&str, name: &str| path.rsplit('/').next() == Some(name);
    let manifests = |name: &'static str| {
        let all = parcel.paths.iter().filter(move |path| is(path, name));
        all.map(|path| parent(path).to_owned()).collect::<BTreeSet<String>>()
    };
    let python = manifests("pyproject.toml").into_iter().flat_map(|root| python(parcel, &root));
    let npm = manifests("package.json").into_iter().flat_map(|root| npm(parcel, &root));
    python.chain(npm).collect()
}

/// `name = "package.module:function"`, where the change touches the manifest or that module.
fn python(parcel: &Parcel<'_>, root: &str) -> Vec<Unshipped> {
    let manifest = joined(root, "pyproject.toml");
    let text = parcel.read(root, "pyproject.toml").unwrap_or_default();
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let map = |keys: &[&str]| -> Vec<(String, String)> {
        let mut at = Some(&table);
        for key in keys {
            at = at.and_then(|table| table.get(*key)?.as_table());
        }
        let pairs = at.into_iter().flatten();
        pairs.filter_map(|(name, to)| Some((name.clone(), to.as_str()?.to_owned()))).collect()
    };
    let mut all = map(&["project", "scripts"]);
    all.extend(map(&["project", "gui-scripts"]));
    all.extend(map(&["tool", "poetry", "scripts"]));
    let points = table.get("project").and_then(|project| project.get("entry-points")?.as_table());
    let points = points.into_iter().flatten().filter_map(|(_, group)| group.as_table());
    all.extend(points.flatten().filter_map(|(name, to)| Some((name.clone(), as_text(to)?))));
    let lost = |(name, to): (String, String)| {
        let (module, object) = to.split_once(':')?;
        let object = object.split([' ', '[', '.']).next().unwrap_or_default();
        let file = file_of(parcel, root, module.trim())?;
        let changed = [&manifest, &file].into_iter().any(|path| parcel.lines.contains_key(path));
        (parcel.text)(&file).filter(|text| changed && !gives(text, object))?;
        let line = line_of(parcel, &manifest, &to);
        Some(Unshipped {
            place: Place { file: manifest.clone(), line },
            text: format!(
                "{manifest} leads the command `{name}` to `{to}`, and {file} has no `{object}`: users can't start it; accepted: a name that is there"
            ),
        })
    };
    all.into_iter().filter_map(lost).collect()
}

fn as_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The source of a module in the tree.
fn file_of(parcel: &Parcel<'_>, root: &str, module: &str) -> Option<String> {
    let path = module.replace('.', "/");
    let at = PLACES.iter().flat_map(|place| {
        let stem = joined(root, &joined(place, &path));
        [format!("{stem}.py"), format!("{stem}/__init__.py")]
    });
    at.into_iter().find(|file| parcel.paths.contains(file.as_str()))
}

/// Whether a module gives this name to something, or may.
fn gives(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts =
        |rest: &str| rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word));
    let imports = text.contains("import *") || text.contains("__getattr__");
    imports
        || text.lines().any(|line| {
            let line = line.trim_start();
            let given = GIVING.iter().filter_map(|word| line.strip_prefix(word)).any(starts);
            let listed = line.contains("import") || !line.contains(' ');
            let words = || line.split(|c| !is_word(c)).any(|word| word == name);
            given || starts(line) && line.contains('=') || listed && words()
        })
}

/// A program that npm makes a link to is started by what its first line names.
fn npm(parcel: &Parcel<'_>, root: &str) -> Vec<Unshipped> {
    let manifest = joined(root, "package.json");
    let Some(package) = script::manifest(parcel, root) else { return Vec::new() };
    let dead = |entry: String| {
        let file = joined(root, &entry);
        let is_script = [".js", ".mjs", ".cjs"].iter().any(|ending| file.ends_with(ending));
        let changed = parcel.lines.contains_key(&file) && is_script;
        let text = (parcel.text)(&file).filter(|text| changed && !text.starts_with("#!"))?;
        let line = text.lines().next().unwrap_or_default();
        Some(Unshipped {
            place: Place { file: file.clone(), line: Some(1) },
            text: format!(
                "{manifest} makes a command of {file}, which begins with `{line}` and not with `#!`: a shell reads it, and no Node does; accepted: `#!/usr/bin/env node` as its first line"
            ),
        })
    };
    script::strings(&package["bin"]).into_iter().filter_map(dead).collect()
}

fn line_of(parcel: &Parcel<'_>, manifest: &str, word: &str) -> Option<u32> {
    let text = (parcel.text)(manifest)?;
    let at = text.lines().position(|line| line.contains(word))?;
    u32::try_from(at + 1).ok()
}
