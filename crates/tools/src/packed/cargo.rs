//! Crates: what `cargo package` takes, with the features that users have: a crate that depends on itself for its tests
//! turns some on for them alone.

use super::{Kind, Packed, Packing};
use crate::ask::{Ask, Plan, Step, StepOutput};
use crate::rust::steps::{cargo_env, program};
use proctor_lang::child_file;
use proctor_lang::zone::{Zone, has_ending, zone};
use std::collections::BTreeSet;
use toml::{Table, Value};

pub(super) fn plan(ask: &Ask) -> Option<Packing> {
    let text = child_file::read_to_string(ask.workdir().join("Cargo.toml")).ok()?;
    let table: Table = text.parse().ok()?;
    let package = table.get("package")?;
    let lists = ["include", "exclude"].iter().any(|key| package.get(key).is_some());
    let is_kept = package.get("publish") == Some(&Value::Boolean(false));
    if is_kept || !lists && without_itself(&table).is_none() {
        return None;
    }
    let argv = [
        program(ask),
        "package".into(),
        "--list".into(),
        "--allow-dirty".into(),
        "--offline".into(),
    ];
    let step = Step {
        label: "package".to_owned(),
        argv: argv.into(),
        cwd: ask.workdir(),
        env: cargo_env(ask),
    };
    let plan = Plan { files: Vec::new(), folders: vec![ask.home(), ask.temp()] };
    let root = ask.subdir.clone();
    Some(Packing { plan, step, env: Vec::new(), root, kind: Kind::Crate })
}

pub(super) fn read(packing: &Packing, ask: &Ask, paths: &[String], done: &StepOutput) -> Packed {
    let root = packing.root.as_str();
    let inside = |path: &str| -> Option<String> {
        if root.is_empty() {
            return Some(path.to_owned());
        }
        Some(path.strip_prefix(root)?.strip_prefix('/')?.to_owned())
    };
    let text = String::from_utf8_lossy(&done.stdout);
    let given: BTreeSet<&str> = text.lines().collect();
    let is_source = |path: &&String| has_ending(path, "rs") && zone(path) != Zone::Test;
    let own = |path: &&String| inside(path).is_some();
    let read = |path: &String| child_file::read_to_string(ask.tree.join(path)).ok();
    let sources: Vec<String> =
        paths.iter().filter(own).filter(is_source).filter_map(read).collect();
    // A module below `src`, or what a source names.
    let is_asked_for = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        path.starts_with("src/") || sources.iter().any(|text| text.contains(name))
    };
    let missing = |path: &&String| {
        let inner = inside(path);
        zone(path) == Zone::Production
            && inner.is_some_and(|inner| !given.contains(inner.as_str()) && is_asked_for(&inner))
    };
    let without = paths.iter().filter(missing).cloned().collect();
    let manifest = ask.workdir().join("Cargo.toml");
    let table = child_file::read_to_string(manifest).ok().and_then(|t| t.parse::<Table>().ok());
    let as_users = table.as_ref().and_then(without_itself);
    let path = if root.is_empty() { "Cargo.toml".to_owned() } else { format!("{root}/Cargo.toml") };
    let with = as_users.map(|table| (path, table.to_string().into_bytes())).into_iter().collect();
    Packed { without, with, why: None }
}

/// The manifest without the crate among its own dependencies for development; none where it is not among them.
fn without_itself(table: &Table) -> Option<Table> {
    let name = table.get("package")?.get("name")?.as_str()?.to_owned();
    let mut table = table.clone();
    let own = table.get_mut("dev-dependencies")?.as_table_mut()?;
    let count = own.len();
    own.retain(|key, value| {
        let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
        package != name
    });
    (own.len() < count).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_its_own_tests_depend_on_has_the_features_of_its_users() {
        let of = |text: &str| without_itself(&text.parse::<Table>().unwrap());
        let own = "[package]\nname = \"shop\"\n[dev-dependencies]\nshop = { path = \".\", features = [\"x\"] }\nother = \"1\"\n";
        let kept = of(own).unwrap();
        let names: Vec<&String> = kept["dev-dependencies"].as_table().unwrap().keys().collect();
        assert_eq!(names, ["other"]);
        assert_eq!(of("[package]\nname = \"shop\"\n[dev-dependencies]\nother = \"1\"\n"), None);
    }
}
