//! The single steps of a cargo run: their arguments and environments. Which comes when is `cargo`'s.

use super::build::{Build, TestBinary};
use super::harness::{Harness, bare_label};
use super::{cover, doc};
use crate::ask::{Ask, Coverage, Programs, Selection, Step, StepOutput, base_env};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const BUILD: &str = "cargo build";
/// Libraries that no test needs as such.
pub(crate) const LIBRARIES: &str = "cargo test --no-run";
pub(crate) const CLEAN: &str = "cargo clean";
pub(crate) const LIST: &str = "nextest list";
pub(crate) const RUN: &str = "nextest run";

/// Arguments that make libtest write JSON.
pub(crate) const LIBTEST_JSON: [&str; 5] =
    ["-Z", "unstable-options", "--format", "json", "--show-output"];

/// Longer lists of ids would not fit on a command line.
const MOST_IDS: usize = 1500;

pub(crate) fn config_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("nextest.toml")
}

pub(crate) fn program(ask: &Ask) -> OsString {
    ask.tools.program("cargo").into()
}

pub(crate) fn cargo_env(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let mut env = base_env(ask);
    let folder = match ask.coverage {
        Coverage::Off => "target",
        // Other flags: in one folder each run would build everything anew.
        Coverage::Measured => "target-coverage",
    };
    env.insert("CARGO_TARGET_DIR".into(), ask.cache.join(folder).into());
    if ask.coverage == Coverage::Measured {
        env.extend(cover::env(ask).into_iter().map(|(key, value)| (key.into(), value)));
    }
    env.insert("CARGO_TERM_COLOR".into(), "never".into());
    env.insert("RUST_BACKTRACE".into(), "0".into());
    // A snapshot that does not exist yet must fail, not write itself.
    env.insert("INSTA_UPDATE".into(), "no".into());
    env.insert("INSTA_FORCE_PASS".into(), "0".into());
    env
}

/// rustc as the caller found it, else the one beside cargo: its tools must fit what cargo builds with.
pub(crate) fn rustc(ask: &Ask) -> OsString {
    let cargo = ask.tools.program("cargo");
    match ask.tools.programs.get("rustc") {
        Some(rustc) => rustc.into(),
        None if cargo.is_absolute() => cargo.with_file_name("rustc").into(),
        None => "rustc".into(),
    }
}

/// Whether the user's own arguments name the targets to test. cargo runs no doctests then.
pub(crate) fn chooses_targets(ask: &Ask) -> bool {
    ask.tools.extra_args.iter().any(|a| {
        let name = a.split('=').next().unwrap_or(a);
        matches!(name, "--lib" | "--bins" | "--tests" | "--test" | "--bin" | "--all-targets")
    })
}

/// The user's own arguments, and `--workspace` where the manifest is a workspace's and they choose no package.
pub(crate) fn scope(ask: &Ask) -> Vec<OsString> {
    let mut args: Vec<OsString> = ask.tools.extra_args.iter().map(OsString::from).collect();
    let chosen = ask.tools.extra_args.iter().any(|a| {
        a.starts_with("-p") || a.starts_with("--package") || a == "--workspace" || a == "--all"
    });
    let manifest = child_file::read_to_string(ask.workdir().join("Cargo.toml")).unwrap_or_default();
    let is_workspace =
        toml::from_str::<toml::Table>(&manifest).is_ok_and(|t| t.contains_key("workspace"));
    if is_workspace && !chosen {
        args.push("--workspace".into());
    }
    args
}

/// The targets that hold the tests that are asked for, where nothing else is needed of the build: its products serve this run
/// alone, and all of these are integration tests of the package here. Else none: then every target is built.
fn targets(ask: &Ask) -> Vec<OsString> {
    let Selection::Ids(ids) = &ask.only else { return Vec::new() };
    let manifest = child_file::read_to_string(ask.workdir().join("Cargo.toml")).unwrap_or_default();
    let table = toml::from_str::<toml::Table>(&manifest).unwrap_or_default();
    let package = table.get("package").and_then(|package| package.get("name"));
    let Some(package) = package.and_then(toml::Value::as_str) else { return Vec::new() };
    // What says otherwise which files are targets, or when.
    let plain = !["autotests", "required-features"].iter().any(|word| manifest.contains(word));
    if ask.programs != Programs::ThrownAway || chooses_targets(ask) || !plain {
        return Vec::new();
    }
    let there = |name: &str| {
        let folder = ask.workdir().join("tests");
        folder.join(format!("{name}.rs")).is_file() || folder.join(name).join("main.rs").is_file()
    };
    let target = |id: &TestId| {
        let (binary, _) = id.as_str().split_once(' ')?;
        let name = binary.strip_prefix(package)?.strip_prefix("::")?;
        let own = doc::item_of(id).is_none() && there(name);
        own.then(|| name.to_owned())
    };
    let names: Option<BTreeSet<String>> = ids.iter().map(target).collect();
    let names = names.unwrap_or_default();
    names.into_iter().flat_map(|name| ["--test".into(), name.into()]).collect()
}

pub(crate) fn build_step(ask: &Ask) -> Step {
    let mut argv = vec![program(ask)];
    let targets = targets(ask);
    if chooses_targets(ask) {
        // `cargo build --lib` is no test; only this builds the chosen targets as such.
        argv.extend(["test", "--no-run", "--message-format=json"].map(OsString::from));
    } else {
        // `cargo test --no-run` stops at the first target that does not compile; this goes on.
        argv.extend(["build", "--keep-going", "--message-format=json"].map(OsString::from));
        argv.extend(profile(ask));
        if targets.is_empty() {
            argv.push("--tests".into());
        }
    }
    argv.extend(targets);
    argv.extend(scope(ask));
    Step { label: BUILD.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

/// Builds libraries as they are used, too: one that compiles only as a test does not work. The same command as
/// `cargo test`, so that nothing else is built with other features.
pub(crate) fn libraries_step(ask: &Ask) -> Step {
    let mut argv = vec![program(ask)];
    argv.extend(["test", "--no-run", "--message-format=json"].map(OsString::from));
    argv.extend(scope(ask));
    Step { label: LIBRARIES.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

/// The profile of `cargo test`, for commands that have another.
fn profile(ask: &Ask) -> Vec<OsString> {
    let release = ask.tools.extra_args.iter().any(|a| a == "--release" || a == "-r");
    if release { Vec::new() } else { vec!["--profile".into(), "test".into()] }
}

/// Throws away what cargo kept of these packages, so that the next build is of the sources that are there.
pub(crate) fn clean_step(ask: &Ask, packages: &BTreeSet<String>) -> Step {
    let mut argv = vec![program(ask), "clean".into()];
    let profile = profile(ask);
    argv.extend(if profile.is_empty() { vec!["--release".into()] } else { profile });
    for package in packages {
        argv.extend(["-p".into(), package.into()]);
    }
    Step { label: CLEAN.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

pub(crate) fn nextest_step(ask: &Ask, build: &Build, label: &str) -> Step {
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
    argv.extend(targets(ask));
    argv.extend(scope(ask));
    if let Some(filter) = filter(&ask.only, build) {
        argv.extend(["-E".into(), filter.into()]);
    }
    let mut env = cargo_env(ask);
    if let Some((line, _)) = ask.starter() {
        for abi in ["GNU", "MUSL"] {
            let target = format!("{}_UNKNOWN_LINUX_{abi}", std::env::consts::ARCH).to_uppercase();
            env.insert(format!("CARGO_TARGET_{target}_RUNNER").into(), line.clone().into());
        }
    }
    Step { label: label.to_owned(), argv, cwd: ask.workdir(), env }
}

/// What nextest shall run, as its expression; none for all. It refuses binaries that it does not know, and would
/// start one with a harness of its own only to list it.
fn filter(only: &Selection, build: &Build) -> Option<String> {
    let named = |binary: &TestBinary| format!("binary_id(={})", binary.id);
    let (own, plain): (Vec<_>, Vec<_>) =
        build.binaries.iter().partition(|b| b.harness == Harness::Own);
    let but_own = (!own.is_empty()).then(|| {
        let own: Vec<String> = own.into_iter().map(named).collect();
        format!("not ({})", own.join(" | "))
    });
    let ids = match only {
        Selection::Ids(ids) if ids.len() <= MOST_IDS => ids,
        Selection::Ids(_) | Selection::All => return but_own,
    };
    let parts: Vec<String> = plain
        .into_iter()
        .filter_map(|binary| {
            let tests: BTreeSet<&str> = ids.iter().filter_map(|id| in_binary(id, binary)).collect();
            let tests: Vec<String> = tests.into_iter().map(|t| format!("test(={t})")).collect();
            let any = !tests.is_empty();
            any.then(|| format!("({} & ({}))", named(binary), tests.join(" | ")))
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

/// A test's name in a binary, where the id is of that binary.
fn in_binary<'a>(id: &'a TestId, binary: &TestBinary) -> Option<&'a str> {
    let name = id.as_str().strip_prefix(binary.id.as_str())?.strip_prefix(' ')?;
    doc::item_of(id).is_none().then_some(name)
}

pub(crate) fn binary_step(
    ask: &Ask,
    build: &Build,
    binary: &TestBinary,
    done: &[StepOutput],
) -> Step {
    let mut argv: Vec<OsString> = vec![binary.executable.clone().into()];
    argv.extend(LIBTEST_JSON.map(OsString::from));
    if let (Selection::Ids(ids), Harness::Libtest) = (&ask.only, binary.harness) {
        let names: Vec<&str> = ids.iter().filter_map(|id| in_binary(id, binary)).collect();
        if names.len() <= MOST_IDS {
            argv.push("--exact".into());
            argv.extend(names.into_iter().map(OsString::from));
        }
    }
    let mut env = binary_env(ask, build, binary, done);
    // libtest gives JSON on a stable toolchain only with this. It is set for the test binary alone, never for
    // the compiler.
    env.insert("RUSTC_BOOTSTRAP".into(), "1".into());
    let cwd = ask.started_in(package_folder(ask, binary));
    Step { label: binary.id.clone(), argv, cwd, env }
}

/// A binary with a harness of its own, as cargo runs it.
pub(crate) fn bare_step(
    ask: &Ask,
    build: &Build,
    binary: &TestBinary,
    done: &[StepOutput],
) -> Step {
    Step {
        label: bare_label(binary),
        argv: vec![binary.executable.clone().into()],
        cwd: ask.started_in(package_folder(ask, binary)),
        env: binary_env(ask, build, binary, done),
    }
}

fn package_folder(ask: &Ask, binary: &TestBinary) -> PathBuf {
    binary.manifest.parent().map_or_else(|| ask.workdir(), PathBuf::from)
}

/// What cargo tells a test binary that it runs.
fn binary_env(
    ask: &Ask,
    build: &Build,
    binary: &TestBinary,
    done: &[StepOutput],
) -> BTreeMap<OsString, OsString> {
    let mut env = cargo_env(ask);
    env.insert("CARGO_MANIFEST_DIR".into(), package_folder(ask, binary).into());
    env.insert("CARGO_PKG_NAME".into(), binary.package.clone().into());
    env.insert("CARGO_PKG_VERSION".into(), binary.version.clone().into());
    for (key, value) in build.script_env.get(&binary.package).into_iter().flatten() {
        env.insert(key.into(), value.into());
    }
    for (_, name, file) in build.programs.iter().filter(|(p, ..)| *p == binary.package) {
        env.insert(format!("CARGO_BIN_EXE_{name}").into(), file.into());
    }
    let mut libraries = build.linked_paths.clone();
    libraries.extend(binary.executable.parent().map(PathBuf::from));
    // Procedural macros load the standard library.
    libraries.extend(cover::libdir(done));
    if let Some(given) = ask.extra_env.get("LD_LIBRARY_PATH") {
        libraries.extend(std::env::split_paths(given));
    }
    env.insert("LD_LIBRARY_PATH".into(), std::env::join_paths(libraries).unwrap_or_default());
    env
}
