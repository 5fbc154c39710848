//! New modules of Rust in the replay: a test that lies in one is part of no program on the base, where nothing declares
//! its module. There the module has its tests alone, and is declared as on head.

use super::scene::Side;
use crate::carry::policy::{is_rust, parts};
use proctor_core::words::TreeId;
use proctor_lab::Halt;
use proctor_lang::{Zone, rust_modules, zone};
use proctor_world::listing::{Entry, Mode};
use proctor_world::shadow::Shadow;
use std::collections::{BTreeMap, BTreeSet};

/// The tree with the declarations of head's new modules that hold tests, and these modules without their code.
pub(super) fn with_new_modules<'s>(
    shadow: &Shadow,
    tree: TreeId,
    (base, head): (&Side, &Side),
    touched: impl Iterator<Item = &'s String>,
) -> Result<TreeId, Halt> {
    let changed: BTreeMap<&str, &str> = touched
        .filter(|path| is_rust(path) && zone(path) != Zone::Test)
        .filter_map(|path| Some((path.as_str(), head.text(path)?)))
        .collect();
    let is_new = |path: &str| !base.listing.contains_key(path);
    let holding = holding(&changed, &is_new, &|path| head.listing.contains_key(path));
    if holding.is_empty() {
        return Ok(tree);
    }
    let mut listing = (*shadow.list(&tree)?).clone();
    for (path, source) in &changed {
        let declared = declarations(path, source, &holding);
        let text = if is_new(path) {
            if !holding.contains(*path) {
                continue;
            }
            format!("{declared}\n{}\n", parts(source).tests.join("\n\n"))
        } else {
            let old = base.text(path).unwrap_or_default();
            let known: BTreeSet<String> =
                rust_modules(path, old).into_iter().map(|module| module.name).collect();
            let more: Vec<String> = rust_modules(path, source)
                .into_iter()
                .filter(|module| !known.contains(&module.name))
                .filter(|module| module.files.iter().any(|file| holding.contains(file)))
                .map(|module| module.text)
                .collect();
            let Some(here) = listing.get(*path).filter(|_| !more.is_empty()) else { continue };
            let bytes = shadow.read_blobs(&[here.oid.as_str()])?;
            let Some(here) = bytes.first().and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
                continue;
            };
            format!("{here}\n{}\n", more.join("\n"))
        };
        let oid = shadow.write_blob(text.as_bytes())?;
        listing.insert((*path).to_owned(), Entry { mode: Mode::File, oid });
    }
    Ok(shadow.write_tree(&listing)?)
}

/// The new files that hold tests, or declare a module that does.
fn holding(
    changed: &BTreeMap<&str, &str>,
    is_new: &dyn Fn(&str) -> bool,
    is_there: &dyn Fn(&str) -> bool,
) -> BTreeSet<String> {
    let new: Vec<(&str, &str)> =
        changed.iter().map(|(p, s)| (*p, *s)).filter(|(path, _)| is_new(path)).collect();
    let mut found: BTreeSet<String> = new
        .iter()
        .filter(|(_, source)| !parts(source).tests.is_empty())
        .map(|(path, _)| (*path).to_owned())
        .collect();
    // Each round reaches one level up.
    for _ in 0..new.len() {
        let before = found.len();
        for (path, source) in &new {
            let mut modules = rust_modules(path, source).into_iter();
            let leads = modules.any(|m| m.files.iter().any(|f| found.contains(f) && is_there(f)));
            if leads {
                found.insert((*path).to_owned());
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

/// The modules of a file that hold tests, as it declares them.
fn declarations(path: &str, source: &str, holding: &BTreeSet<String>) -> String {
    let modules = rust_modules(path, source).into_iter();
    let kept = modules.filter(|m| m.files.iter().any(|file| holding.contains(file)));
    kept.map(|m| m.text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_a_module_with_tests_holds_them_too() {
        let changed = BTreeMap::from([
            ("src/lib.rs", "mod net;\nmod plain;\n"),
            ("src/net/mod.rs", "mod url;\n"),
            ("src/net/url.rs", "pub fn f() {}\n#[cfg(test)]\nmod tests;\n"),
            ("src/plain.rs", "pub fn g() {}\n"),
        ]);
        let found = holding(&changed, &|path| path != "src/lib.rs", &|_| true);
        assert_eq!(Vec::from_iter(found.clone()), ["src/net/mod.rs", "src/net/url.rs"]);
        assert_eq!(declarations("src/lib.rs", changed["src/lib.rs"], &found), "mod net;");
    }
}
