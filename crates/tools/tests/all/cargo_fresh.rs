//! What cargo keeps in its target folder: it must never decide what is tested, and may be used again where it is not
//! the project's.

use crate::stage::{Stage, cargo, end, reason};
use proctor_core::report::CaseEnd;
use proctor_tools::{Nextest, OwnArtifacts};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

fn age(path: &Path) {
    let past = SystemTime::now() - Duration::from_hours(1000);
    std::fs::File::options().write(true).open(path).unwrap().set_modified(past).unwrap();
}

fn labels(stage: &Stage) -> Vec<&str> {
    stage.outputs.iter().map(|s| s.label.as_str()).collect()
}

#[test]
fn an_old_binary_is_never_run_for_a_new_tree() {
    let good = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n";
    let bad = "pub fn add(a: i32, b: i32) -> i32 { a - b }\n";
    let test = "#[test] fn adds() { assert_eq!(demo::add(1, 2), 3); }\n";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", good), ("tests/t.rs", test)];
    for nextest in [Nextest::Absent, Nextest::Installed] {
        let Some(mut stage) = cargo(nextest, &files) else { return };
        assert_eq!(end(&stage.finished(), "demo::t adds"), &CaseEnd::Passed);
        assert!(!labels(&stage).contains(&"cargo clean"));
        // Another content with an older time: cargo alone would run the old binary.
        stage.write("src/lib.rs", bad);
        age(&stage.ask.tree.join("src/lib.rs"));
        let report = stage.finished();
        assert_eq!(labels(&stage)[..3], ["cargo build", "cargo clean", "cargo build"]);
        reason(&report, "demo::t adds");
        // With fresh times, as a caller writes them, nothing is thrown away.
        for (path, text) in files {
            stage.write(path, text);
        }
        assert_eq!(end(&stage.finished(), "demo::t adds"), &CaseEnd::Passed);
        assert!(!labels(&stage).contains(&"cargo clean"), "{:?}", labels(&stage));
    }
}

/// Copies what is not the project's, with its times.
fn keep_foreign(artifacts: &OwnArtifacts, from: &Path, to: &Path) -> Vec<PathBuf> {
    let mut kept = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(from.join(&folder)).unwrap().flatten() {
            let path = folder.join(entry.file_name());
            if artifacts.is_own(&path) {
                continue;
            }
            if entry.path().is_dir() {
                std::fs::create_dir_all(to.join(&path)).unwrap();
                todo.push(path);
                continue;
            }
            std::fs::copy(entry.path(), to.join(&path)).unwrap();
            let time = entry.metadata().unwrap().modified().unwrap();
            let copy = std::fs::File::options().write(true).open(to.join(&path)).unwrap();
            copy.set_modified(time).unwrap();
            kept.push(path);
        }
    }
    kept
}

/// Package and freshness of each artifact of a build.
fn freshness(stdout: &[u8]) -> Vec<(String, bool)> {
    let text = String::from_utf8_lossy(stdout);
    let messages = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    messages
        .filter(|m| m["reason"] == "compiler-artifact")
        .map(|m| (m["package_id"].as_str().unwrap().to_owned(), m["fresh"].as_bool().unwrap()))
        .collect()
}

#[test]
fn third_party_artifacts_can_be_kept_and_the_projects_own_are_always_built() {
    // Both are in this workspace's own lock file; one has a build script.
    let manifest = format!("{MANIFEST}[dependencies]\nitoa = \"1\"\nlibc = \"0.2\"\n");
    let lib = "pub fn text() -> String { itoa::Buffer::new().format(libc::EOF).to_owned() }\n";
    let test = "#[test] fn t() { assert_eq!(demo::text(), \"-1\"); }\n";
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", lib),
        ("src/main.rs", "fn main() {}\n"),
        ("tests/t.rs", test),
    ];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else { return };
    assert_eq!(end(&stage.finished(), "demo::t t"), &CaseEnd::Passed);
    let artifacts = OwnArtifacts::read(&stage.outputs[0].stdout);
    let warm = stage.ask.cache.join("target");
    let cache = stage.ask.cache.with_file_name("second");
    std::fs::create_dir(&cache).unwrap();
    let kept = keep_foreign(&artifacts, &warm, &cache.join("target"));
    let names: Vec<String> = kept.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    for part in ["deps/libitoa-", ".fingerprint/itoa-", "deps/liblibc-", "build/libc-"] {
        assert!(names.iter().any(|n| n.contains(part)), "{part} not in {names:#?}");
    }
    assert!(!names.iter().any(|n| n.contains("demo") || n.contains("/t-")), "{names:#?}");

    // What a hostile run left of the project's own: binaries and their fingerprints, newer than any source.
    let later = SystemTime::now() + Duration::from_hours(24);
    for part in ["deps", ".fingerprint"] {
        copy_own(&artifacts, &warm, &cache.join("target"), &Path::new("debug").join(part), later);
    }
    stage.ask.cache = cache;
    let report = stage.finished();
    assert_eq!(end(&report, "demo::t t"), &CaseEnd::Passed);
    assert_eq!(labels(&stage)[..3], ["cargo build", "cargo clean", "cargo build"]);
    let built = freshness(&stage.outputs[2].stdout);
    for (package, fresh) in &built {
        assert_eq!(*fresh, !package.starts_with("path+"), "{built:#?}");
    }
    assert!(built.iter().any(|(package, _)| package.contains("#itoa@")), "{built:#?}");
}

/// Copies what is the project's and spoils every executable.
fn copy_own(artifacts: &OwnArtifacts, from: &Path, to: &Path, part: &Path, time: SystemTime) {
    std::fs::create_dir_all(to.join(part)).unwrap();
    for entry in std::fs::read_dir(from.join(part)).unwrap().flatten() {
        let path = part.join(entry.file_name());
        if !artifacts.is_own(&path) {
            continue;
        }
        if entry.path().is_dir() {
            copy_own(artifacts, from, to, &path, time);
            continue;
        }
        let is_program = path.parent().unwrap().ends_with("deps") && path.extension().is_none();
        std::fs::copy(entry.path(), to.join(&path)).unwrap();
        if is_program {
            std::fs::write(to.join(&path), "#!/bin/false\n").unwrap();
        }
        let copy = std::fs::File::options().write(true).open(to.join(&path)).unwrap();
        copy.set_modified(time).unwrap();
    }
}
