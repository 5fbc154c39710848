//! Python: the project's own build backend, as far as it is installed, from the source archive that it makes itself.

use super::{Kind, Packed, Packing, room};
use crate::ask::{Ask, Plan, Step, StepOutput, base_env, slashed};
use proctor_lang::child_file;
use proctor_lang::deciding::has_ini_section;
use proctor_lang::tree::{below, upward};
use proctor_lang::zone::{Zone, zone};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use toml::Table;

const PROGRAM: &str = include_str!("python/pack.py");
const GUARD: &str = include_str!("python/sitecustomize.py");

/// Who builds it.
struct Backend {
    name: String,
    paths: Vec<String>,
}

pub(super) fn plan(ask: &Ask, paths: &[String]) -> Option<Packing> {
    let (root, backend) = project(ask)?;
    let (shop, guard) = (room(ask), ask.scratch.join("site"));
    let at = ask.tree.join(&root);
    let inside = |path: &String| {
        let own =
            if root.is_empty() { path } else { path.strip_prefix(&root)?.strip_prefix('/')? };
        (zone(path) == Zone::Test).then(|| own.to_owned())
    };
    let tests: Vec<String> = paths.iter().filter_map(inside).collect();
    let work = json!({
        "root": at, "own": shop.join("own"), "guard": guard, "tests": tests,
        "backend": backend.name, "backend_path": backend.paths,
    });
    let files = vec![
        (shop.join("pack.py"), PROGRAM.as_bytes().to_vec()),
        (shop.join("work.json"), work.to_string().into_bytes()),
        (guard.join("sitecustomize.py"), GUARD.as_bytes().to_vec()),
    ];
    let folders = vec![ask.home(), ask.temp(), shop.clone(), shop.join("own"), guard.clone()];
    let argv = vec![
        ask.tools.program("python").into(),
        shop.join("pack.py").into(),
        shop.join("work.json").into(),
    ];
    let step = Step { label: "package".to_owned(), argv, cwd: at.clone(), env: base_env(ask) };
    let given = ask.extra_env.get("PYTHONPATH").map(std::env::split_paths).into_iter().flatten();
    let searched = std::env::join_paths(std::iter::once(guard).chain(given)).ok()?;
    let env = vec![("PYTHONPATH".to_owned(), searched), ("PACKAGE_SOURCES".to_owned(), at.into())];
    Some(Packing { plan: Plan { files, folders }, step, env, root, kind: Kind::Python })
}

/// The nearest folder at or above the tests that is made into a package, and by whom.
fn project(ask: &Ask) -> Option<(String, Backend)> {
    let read = |folder: &str, name: &str| {
        child_file::read_to_string(ask.tree.join(below(folder, name))).ok()
    };
    upward(&slashed(Path::new(&ask.subdir))).into_iter().find_map(|folder| {
        let table = read(folder, "pyproject.toml").and_then(|text| text.parse::<Table>().ok());
        let setup = read(folder, "setup.cfg").unwrap_or_default();
        let has_setup = read(folder, "setup.py").is_some()
            || ["metadata", "options"].iter().any(|section| has_ini_section(&setup, section));
        Some((folder.to_owned(), backend(table.as_ref(), has_setup)?))
    })
}

fn backend(table: Option<&Table>, has_setup: bool) -> Option<Backend> {
    let own = table.and_then(|table| table.get("build-system"));
    let by_setuptools = || Backend { name: "setuptools".to_owned(), paths: Vec::new() };
    let Some(own) = own else {
        let tool = table.and_then(|table| table.get("tool")?.get("setuptools"));
        return (has_setup || tool.is_some()).then(by_setuptools);
    };
    let name = own.get("build-backend").and_then(toml::Value::as_str).unwrap_or("setuptools");
    if name.split(['.', ':']).next() == Some("setuptools") {
        return Some(by_setuptools());
    }
    let paths = own.get("backend-path").and_then(toml::Value::as_array).into_iter().flatten();
    let paths = paths.filter_map(|path| Some(path.as_str()?.to_owned())).collect();
    Some(Backend { name: name.to_owned(), paths })
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    without: Vec<String>,
    why: Option<String>,
}

pub(super) fn read(
    packing: &Packing,
    paths: &[String],
    done: &StepOutput,
) -> Result<Packed, String> {
    let text = String::from_utf8_lossy(&done.stdout);
    let told: Told = serde_json::from_str(text.lines().next_back().unwrap_or_default())
        .map_err(|_| "what its build said can't be read".to_owned())?;
    if let Some(why) = told.why {
        return Err(why);
    }
    let mut without: std::collections::BTreeSet<String> =
        told.without.iter().map(|path| below(&packing.root, path)).collect();
    // What is not in the tree itself was made for it here.
    without.retain(|path| paths.contains(path));
    Ok(Packed { without, ..Packed::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_built_by_whom_its_manifest_names() {
        let of = |text: &str, setup: bool| {
            backend(Some(&text.parse::<Table>().unwrap()), setup).map(|found| found.name)
        };
        assert_eq!(of("[tool.ruff]\n", false), None);
        assert_eq!(of("[tool.ruff]\n", true).as_deref(), Some("setuptools"));
        assert_eq!(of("[tool.setuptools]\n", false).as_deref(), Some("setuptools"));
        let named = "[build-system]\nrequires = []\nbuild-backend = \"hatchling.build\"\n";
        assert_eq!(of(named, false).as_deref(), Some("hatchling.build"));
        let old = "[build-system]\nbuild-backend = \"setuptools.build_meta:__legacy__\"\n";
        assert_eq!(of(old, false).as_deref(), Some("setuptools"));
    }
}
