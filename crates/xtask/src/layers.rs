//! Who may depend on whom, and which room may touch what: the edges of the crates, and the words that only
//! some rooms may use. The compiler holds the edges once they are right; this holds the table.

use crate::fault::Fault;
use crate::scan::{Code, has_word};
use crate::tree::{Source, Tree};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Each crate and the crates of ours that it may use. `proctor-testkit` may be a dev-dependency of any.
const ALLOWED: [(&str, &[&str]); 16] = [
    ("proctor-core", &[]),
    ("proctor-journal", &["proctor-core"]),
    ("proctor-world", &["proctor-core"]),
    ("proctor-lang", &["proctor-core"]),
    ("proctor-tools", &["proctor-core", "proctor-lang"]),
    ("proctor-experiments", &["proctor-core", "proctor-lang"]),
    ("proctor-agents", &["proctor-core"]),
    ("proctor-hosts", &[]),
    ("proctor-lab", &["proctor-core", "proctor-world", "proctor-lang", "proctor-tools"]),
    (
        "proctor-engine",
        &[
            "proctor-core",
            "proctor-journal",
            "proctor-world",
            "proctor-lang",
            "proctor-tools",
            "proctor-experiments",
            "proctor-agents",
            "proctor-hosts",
            "proctor-lab",
        ],
    ),
    (
        "proctor-desk",
        &[
            "proctor-core",
            "proctor-journal",
            "proctor-world",
            "proctor-lang",
            "proctor-tools",
            "proctor-agents",
            "proctor-hosts",
            "proctor-engine",
        ],
    ),
    ("proctor-tui", &["proctor-core", "proctor-journal", "proctor-engine", "proctor-desk"]),
    ("proctor-serve", &["proctor-core", "proctor-journal", "proctor-engine", "proctor-desk"]),
    (
        "proctor",
        &[
            "proctor-core",
            "proctor-journal",
            "proctor-world",
            "proctor-lang",
            "proctor-tools",
            "proctor-experiments",
            "proctor-agents",
            "proctor-engine",
            "proctor-desk",
            "proctor-tui",
            "proctor-serve",
        ],
    ),
    (TESTKIT, &[]),
    // The benchmark appends to a journal through the crate itself, runs in a repository that the kit makes, holds the
    // steps that runners plan against the bare command, and makes pristine trees in both ways.
    (
        "xtask",
        &[
            "proctor-agents",
            "proctor-core",
            "proctor-journal",
            "proctor-world",
            "proctor-lang",
            "proctor-tools",
            "proctor-experiments",
            TESTKIT,
        ],
    ),
];
/// What tests of a crate may use besides: the real tools run what experiments made of a source.
const FOR_TESTS: [(&str, &str); 1] = [("proctor-tools", "proctor-experiments")];
/// The fleet is a workspace of its own, whose manifest is read as a text.
const FLEET: &str = "fleet/Cargo.toml";
const OF_FLEET: [&str; 5] =
    ["proctor-core", "proctor-journal", "proctor-world", "proctor-engine", "proctor-desk"];
const TESTKIT: &str = "proctor-testkit";

/// One crate's use of another crate of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: String,
    pub to: String,
    pub dev: bool,
}

/// What cargo says about the crates of this workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crates {
    pub names: Vec<String>,
    pub edges: Vec<Edge>,
}

impl Crates {
    pub fn ask_cargo(root: &Path) -> Result<Self> {
        let out = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .current_dir(root)
            .output()
            .context("cargo did not start")?;
        if !out.status.success() {
            bail!("cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr).trim());
        }
        let value = serde_json::from_slice(&out.stdout).context("cargo metadata is not JSON")?;
        Ok(Self::read(&value))
    }

    fn read(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
        let packages = list(&metadata["packages"]);
        let names: Vec<String> = packages.iter().map(name).collect();
        let mut edges = Vec::new();
        for package in &packages {
            let uses = list(&package["dependencies"]);
            let ours = uses.iter().filter(|used| names.contains(&name(used)));
            edges.extend(ours.map(|used| Edge {
                from: name(package),
                to: name(used),
                dev: used["kind"] == "dev",
            }));
        }
        Self { names, edges }
    }
}

pub fn check(tree: &Tree, crates: &Crates) -> Vec<Fault> {
    let mut faults = edges(crates);
    faults.extend(of_fleet(tree.text(FLEET).unwrap_or_default()));
    let sources = tree.rust().filter(|source| !source.is_test());
    faults.extend(sources.flat_map(|source| {
        let code = source.code();
        let mut faults = spawns(source, &code);
        faults.extend(impure(source, &code));
        faults
    }));
    faults
}

fn edges(crates: &Crates) -> Vec<Fault> {
    let row = |name: &str| ALLOWED.iter().find(|(known, _)| *known == name);
    let mut faults = Vec::new();
    for name in crates.names.iter().filter(|name| row(name).is_none()) {
        faults.push(Fault::error(
            manifest(name),
            format!("`{name}` is a crate that the table of layers does not know"),
            "a row in crates/xtask/src/layers.rs, with the reason in the commit",
        ));
    }
    for edge in &crates.edges {
        let Some((_, allowed)) = row(&edge.from) else {
            continue;
        };
        let of_kit = edge.to == TESTKIT && edge.from != TESTKIT;
        let for_tests =
            edge.dev && (of_kit || FOR_TESTS.contains(&(edge.from.as_str(), edge.to.as_str())));
        if for_tests || allowed.contains(&edge.to.as_str()) {
            continue;
        }
        let accepted = if edge.to == TESTKIT {
            format!("`{TESTKIT}` as a dev-dependency only")
        } else if allowed.is_empty() {
            "no crate of the workspace".to_owned()
        } else {
            allowed.join(", ")
        };
        faults.push(Fault::error(
            manifest(&edge.from),
            format!("`{}` must not depend on `{}`", edge.from, edge.to),
            accepted,
        ));
    }
    faults
}

fn of_fleet(manifest: &str) -> Vec<Fault> {
    let own = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let own = own.split("\n[").next().unwrap_or_default();
    let names = own.lines().filter_map(|line| line.split_once(" =")).map(|(name, _)| name);
    names
        .filter(|name| name.starts_with("proctor") && !OF_FLEET.contains(name))
        .map(|name| {
            let what = format!("`proctor-fleet` must not depend on `{name}`");
            Fault::error(FLEET, what, OF_FLEET.join(", "))
        })
        .collect()
}

fn manifest(name: &str) -> String {
    let room = match name {
        "proctor" => "cli",
        other => other.strip_prefix("proctor-").unwrap_or(other),
    };
    format!("crates/{room}/Cargo.toml")
}

/// Only `world` starts a child; the kit and this program are not part of the product.
fn spawns(source: Source<'_>, code: &Code) -> Vec<Fault> {
    let room = source.room();
    if matches!(room.as_deref(), Some("world" | "testkit" | "xtask")) {
        return Vec::new();
    }
    let plain = code.lines().filter(|(_, text)| {
        let made = has_word(text, "Command::new") && !has_word(text, "clap::Command::new");
        made || has_word(text, "process::Command")
    });
    let mut lines: Vec<usize> = plain.map(|(line, _)| line).collect();
    let grouped = code.groups("process").into_iter();
    lines.extend(grouped.filter(|(_, inside)| group_has(inside, "Command")).map(|(line, _)| line));
    lines
        .into_iter()
        .map(|line| {
            Fault::error(
                format!("{}:{line}", source.path),
                "a child is started here",
                "a call of `proctor-world`, the only crate that spawns",
            )
        })
        .collect()
}

/// `core` decides from what it is given: no clock, files, environment, processes, network, threads.
fn impure(source: Source<'_>, code: &Code) -> Vec<Fault> {
    if source.room().as_deref() != Some("core") {
        return Vec::new();
    }
    let modules = ["fs", "env", "process", "net", "thread"];
    let mut found: Vec<(usize, String)> = Vec::new();
    for (line, text) in code.lines() {
        let module = modules.map(|name| format!("std::{name}"));
        let clock = ["SystemTime", "Instant"].map(str::to_owned);
        let mut words = module.into_iter().chain(clock);
        found.extend(words.find(|word| has_word(text, word)).map(|w| (line, w)));
    }
    for (line, inside) in code.groups("std") {
        let mut names = modules.into_iter();
        let name = names.find(|name| group_has(inside, name));
        found.extend(name.map(|name| (line, format!("std::{name}"))));
    }
    found
        .into_iter()
        .map(|(line, word)| {
            Fault::error(
                format!("{}:{line}", source.path),
                format!("`{word}` in `core`"),
                "the value as an argument: `core` has no clock, files, environment or processes",
            )
        })
        .collect()
}

/// Whether the inside of `parent::{…}` brings in this name.
fn group_has(inside: &str, name: &str) -> bool {
    // Right after a brace or a comma: the `process` of `sync::process` is not the one that is meant.
    let mut parts = inside.split(['{', '}', ',']).map(str::trim);
    parts.any(|part| {
        let after = part.strip_prefix(name);
        after.is_some_and(|after| after.is_empty() || after.starts_with([':', ' ']))
    })
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
