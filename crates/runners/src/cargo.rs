//! cargo: the steps of a test run. First everything is built, and the compiler's messages are read; then either
//! nextest lists and runs the tests, or each test binary is run by itself. Reading is `cargo_read`'s.
//!
//! Doctests are not run and not counted. Where some targets do not compile, the binaries that were built are run
//! all the same (without nextest, which would build again), so that their tests still have a result.
//! nextest runs with a configuration of ours: the repository's retries, filters and scripts do not count.

use crate::ask::{Ask, Nextest, Plan, Runner, Selection, Step, StepEnd, StepOutput, base_env};
use crate::cargo_build::{Build, TestBinary};
use crate::tree::Tree;
use crate::zone::{Zone, zone};
use crate::{cargo_read, rust_items};
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_core::words::TestId;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

/// Rust's cargo, with or without nextest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cargo;

pub(crate) const BUILD: &str = "cargo build";
pub(crate) const LIST: &str = "nextest list";
pub(crate) const RUN: &str = "nextest run";

/// Longer lists of ids would not fit on a command line.
const MOST_IDS: usize = 1500;

impl Runner for Cargo {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let mut files = Vec::new();
        if ask.tools.nextest == Nextest::Installed {
            files.push((config_file(ask), nextest_config(ask).into_bytes()));
        }
        Plan { files, folders: vec![ask.home(), ask.temp(), ask.cache.clone()] }
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let Some(first) = done.first() else {
            return Some(build_step(ask));
        };
        let StepEnd::Exited(code) = first.end else {
            return None;
        };
        let build = Build::read(ask, &first.stdout);
        if code == 0 && ask.tools.nextest == Nextest::Installed {
            return match done.len() {
                1 => Some(nextest_step(ask, LIST)),
                2 if done.last().is_some_and(|s| s.end == StepEnd::Exited(0)) => {
                    Some(nextest_step(ask, RUN))
                }
                _ => None,
            };
        }
        if done.iter().any(|s| matches!(s.end, StepEnd::TimedOut)) {
            return None;
        }
        let binaries = asked_binaries(ask, &build);
        binaries.get(done.len() - 1).map(|binary| binary_step(ask, &build, binary))
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        cargo_read::read(ask, done)
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        rust_items::items(tree, paths)
    }

    fn zone(&self, path: &str) -> Zone {
        zone(path)
    }
}

fn config_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("nextest.toml")
}

pub(crate) fn junit_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("junit.xml")
}

fn nextest_config(ask: &Ask) -> String {
    let path = toml::Value::String(junit_file(ask).to_string_lossy().into_owned());
    format!(
        "[profile.default]\nretries = 0\nfail-fast = false\n\n[profile.default.junit]\npath = {path}\n\
         store-success-output = true\nstore-failure-output = true\n"
    )
}

fn program(ask: &Ask) -> OsString {
    ask.tools.cargo.clone().unwrap_or_else(|| PathBuf::from("cargo")).into()
}

fn cargo_env(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let mut env = base_env(ask);
    env.insert("CARGO_TARGET_DIR".into(), ask.cache.join("target").into());
    env.insert("CARGO_TERM_COLOR".into(), "never".into());
    env.insert("RUST_BACKTRACE".into(), "0".into());
    // A snapshot that does not exist yet must fail, not write itself.
    env.insert("INSTA_UPDATE".into(), "no".into());
    env.insert("INSTA_FORCE_PASS".into(), "0".into());
    env
}

/// The user's own arguments, and `--workspace` where the manifest is a workspace's and they choose no package.
fn scope(ask: &Ask) -> Vec<OsString> {
    let mut args: Vec<OsString> = ask.tools.extra_args.iter().map(OsString::from).collect();
    let chosen = ask.tools.extra_args.iter().any(|a| {
        a.starts_with("-p") || a.starts_with("--package") || a == "--workspace" || a == "--all"
    });
    let manifest = std::fs::read_to_string(ask.workdir().join("Cargo.toml")).unwrap_or_default();
    let is_workspace =
        toml::from_str::<toml::Table>(&manifest).is_ok_and(|t| t.contains_key("workspace"));
    if is_workspace && !chosen {
        args.push("--workspace".into());
    }
    args
}

fn build_step(ask: &Ask) -> Step {
    // `cargo test --no-run` stops at the first target that does not compile; this builds the same and goes on.
    let mut argv =
        vec![program(ask), "build".into(), "--keep-going".into(), "--message-format=json".into()];
    let given = &ask.tools.extra_args;
    if !given.iter().any(|a| a == "--release" || a == "-r") {
        argv.extend(["--profile", "test"].map(OsString::from));
    }
    if !given.iter().any(|a| {
        matches!(a.as_str(), "--lib" | "--bins" | "--tests" | "--test" | "--bin" | "--all-targets")
    }) {
        argv.push("--tests".into());
    }
    argv.extend(scope(ask));
    Step { label: BUILD.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

fn nextest_step(ask: &Ask, label: &str) -> Step {
    let mut argv = vec![program(ask)];
    argv.extend(label.split(' ').map(OsString::from));
    argv.extend(["--config-file".into(), config_file(ask).into()]);
    argv.extend(["--user-config-file", "none", "--profile", "default"].map(OsString::from));
    if label == LIST {
        argv.extend(["--message-format", "json"].map(OsString::from));
    } else {
        argv.extend(
            ["--no-fail-fast", "--no-tests=pass", "--retries", "0", "--status-level", "all"]
                .map(OsString::from),
        );
    }
    argv.extend(scope(ask));
    if let Some(filter) = filter(&ask.only) {
        argv.extend(["-E".into(), filter.into()]);
    }
    Step { label: label.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

/// The asked ids as a nextest expression; none for all.
fn filter(only: &Selection) -> Option<String> {
    let Selection::Ids(ids) = only else {
        return None;
    };
    if ids.len() > MOST_IDS {
        return None;
    }
    let mut by_binary: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (binary, test) in ids.iter().filter_map(|id| id.as_str().split_once(' ')) {
        by_binary.entry(binary).or_default().insert(test);
    }
    let parts: Vec<String> = by_binary
        .into_iter()
        .map(|(binary, tests)| {
            let tests: Vec<String> = tests.into_iter().map(|t| format!("test(={t})")).collect();
            format!("(binary_id(={binary}) & ({}))", tests.join(" | "))
        })
        .collect();
    Some(if parts.is_empty() { "none()".to_owned() } else { parts.join(" | ") })
}

/// The built test binaries that hold a test that is asked for.
pub(crate) fn asked_binaries<'a>(ask: &Ask, build: &'a Build) -> Vec<&'a TestBinary> {
    let wanted = |binary: &&TestBinary| match &ask.only {
        Selection::All => true,
        Selection::Ids(ids) => ids.iter().any(|id| in_binary(id, binary).is_some()),
    };
    build.binaries.iter().filter(wanted).collect()
}

fn in_binary<'a>(id: &'a TestId, binary: &TestBinary) -> Option<&'a str> {
    id.as_str().strip_prefix(binary.id.as_str())?.strip_prefix(' ')
}

fn binary_step(ask: &Ask, build: &Build, binary: &TestBinary) -> Step {
    let mut argv: Vec<OsString> = vec![binary.executable.clone().into()];
    argv.extend(
        ["-Z", "unstable-options", "--format", "json", "--show-output"].map(OsString::from),
    );
    if let Selection::Ids(ids) = &ask.only {
        let names: Vec<&str> = ids.iter().filter_map(|id| in_binary(id, binary)).collect();
        if names.len() <= MOST_IDS {
            argv.push("--exact".into());
            argv.extend(names.into_iter().map(OsString::from));
        }
    }
    let mut env = cargo_env(ask);
    // libtest gives JSON on a stable toolchain only with this. It is set for the test binary alone, never for
    // the compiler.
    env.insert("RUSTC_BOOTSTRAP".into(), "1".into());
    let package = binary.manifest.parent().map_or_else(|| ask.workdir(), PathBuf::from);
    env.insert("CARGO_MANIFEST_DIR".into(), package.clone().into());
    env.insert("CARGO_PKG_NAME".into(), binary.package.clone().into());
    env.insert("CARGO_PKG_VERSION".into(), binary.version.clone().into());
    let mut libraries = build.linked_paths.clone();
    libraries.extend(binary.executable.parent().map(PathBuf::from));
    if let Some(root) =
        ask.tools.cargo.as_ref().and_then(|c| c.parent()?.parent().map(PathBuf::from))
    {
        libraries.push(root.join("lib"));
    }
    if let Some(given) = ask.extra_env.get("LD_LIBRARY_PATH") {
        libraries.extend(std::env::split_paths(given));
    }
    env.insert("LD_LIBRARY_PATH".into(), std::env::join_paths(libraries).unwrap_or_default());
    Step { label: binary.id.clone(), argv, cwd: package, env }
}
