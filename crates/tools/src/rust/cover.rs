//! Which lines ran: the steps that follow an instrumented run, and what they gave. The compiler counts, each process
//! leaves its counts in the scratch folder, and the toolchain's own LLVM tools make LCOV of them.

use super::build::Build;
use super::steps::{cargo_env, rustc};
use crate::ask::{Ask, Coverage, Covered, Step, StepEnd, StepOutput};
use crate::lcov;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const LIBDIR: &str = "rustc --print target-libdir";
const MERGE: &str = "llvm-profdata merge";
const EXPORT: &str = "llvm-cov export";

/// Where the processes of a run leave their counts.
pub(crate) fn counts_folder(ask: &Ask) -> PathBuf {
    ask.scratch.join("coverage").join("raw")
}

fn merged_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("coverage").join("all.profdata")
}

/// What the compiler and every process need so that they count.
pub(crate) fn env(ask: &Ask) -> Vec<(&'static str, OsString)> {
    let flags = |name: &str| {
        let given = ask.extra_env.get(name).map(|f| format!("{f} ")).unwrap_or_default();
        format!("{given}-C instrument-coverage").into()
    };
    vec![
        ("RUSTFLAGS", flags("RUSTFLAGS")),
        ("RUSTDOCFLAGS", flags("RUSTDOCFLAGS")),
        ("LLVM_PROFILE_FILE", counts_folder(ask).join("%p-%m.profraw").into()),
    ]
}

pub(crate) fn libdir_step(ask: &Ask) -> Step {
    let argv = vec![rustc(ask), "--print".into(), "target-libdir".into()];
    Step { label: LIBDIR.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) }
}

/// The folder of the toolchain's libraries, out of the step that asked for it.
pub(crate) fn libdir(done: &[StepOutput]) -> Option<PathBuf> {
    let step = done.iter().find(|s| s.label == LIBDIR && s.end == StepEnd::Exited(0))?;
    let text = String::from_utf8_lossy(&step.stdout);
    Some(PathBuf::from(text.trim())).filter(|p| p.is_absolute())
}

/// The steps that follow a run that measures.
pub(crate) fn next(ask: &Ask, build: &Build, done: &[StepOutput]) -> Option<Step> {
    if ask.coverage == Coverage::Off {
        return None;
    }
    let ended = |label: &str| done.iter().find(|s| s.label == label).map(|s| &s.end);
    let tool = |name: &str| libdir(done).and_then(|l| Some(l.parent()?.join("bin").join(name)));
    let step = |label: &str, program: PathBuf, args: Vec<OsString>| {
        let mut argv: Vec<OsString> = vec![program.into()];
        argv.extend(args);
        Some(Step { label: label.to_owned(), argv, cwd: ask.workdir(), env: cargo_env(ask) })
    };
    match (ended(LIBDIR), ended(MERGE), ended(EXPORT)) {
        (None, ..) => Some(libdir_step(ask)),
        (Some(_), None, _) => {
            // A process that was killed leaves a broken file; the others still count.
            let mut args =
                ["merge", "--sparse", "--failure-mode=all", "-o"].map(OsString::from).to_vec();
            args.extend([merged_file(ask).into(), counts_folder(ask).into()]);
            step(MERGE, tool("llvm-profdata")?, args)
        }
        (_, Some(StepEnd::Exited(0)), None) => {
            let mut args = vec!["export".into(), "--format=lcov".into()];
            let mut profile = OsString::from("--instr-profile=");
            profile.push(merged_file(ask));
            args.push(profile);
            let tests = build.binaries.iter().map(|b| &b.executable);
            for object in tests.chain(build.programs.iter().map(|(_, _, file)| file)) {
                args.extend(["--object".into(), object.clone().into()]);
            }
            args.extend(["--sources".into(), ask.tree.clone().into()]);
            step(EXPORT, tool("llvm-cov")?, args)
        }
        _ => None,
    }
}

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> Covered {
    let find = |label: &str| done.iter().find(|s| s.label == label);
    let Some(last) = find(EXPORT).or_else(|| find(MERGE)) else {
        return Covered::Unreadable {
            why: "the run ended before its lines were counted".to_owned(),
        };
    };
    match &last.end {
        StepEnd::CouldNotStart(_) => Covered::ToolMissing {
            tool: "llvm-tools".to_owned(),
            install: "rustup component add llvm-tools".to_owned(),
        },
        StepEnd::Exited(0) if last.label == EXPORT => {
            let text = String::from_utf8_lossy(&last.stdout);
            if text.trim_end().ends_with("end_of_record") {
                Covered::Lines(lcov::parse(&text, &ask.tree, &ask.workdir()))
            } else {
                Covered::Unreadable { why: "the list of lines has no end".to_owned() }
            }
        }
        _ => Covered::Unreadable { why: format!("{} failed\n{}", last.label, last.tail()) },
    }
}
