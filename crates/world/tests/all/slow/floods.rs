//! Folders that somebody filled with more than can be looked at: refused soon, and without much memory. Slow, because they
//! have to be filled first: `cargo nextest run -p proctor-world floods:: --ignore-default-filter`.
#![allow(clippy::print_stderr)]

use crate::bench::Bench;
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::tree::TreeError;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a look may take, and by how much memory may grow. Far more than it does on a quiet machine.
const LONGEST: Duration = Duration::from_secs(30);
const MOST_MEMORY_KIB: u64 = 300 * 1024;

fn peak_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// An empty folder in memory, where that can be had: the disk is not what is tried.
fn folder() -> TempDir {
    TempDir::new_in("/dev/shm").unwrap_or_else(|_| TempDir::new().unwrap())
}

/// That a look ends soon, with how it ended.
fn refused(dir: &Path, base: &BaseTree) -> TreeError {
    let (began, before) = (Instant::now(), peak_memory_kib());
    let ended = snapshot(dir, base).unwrap_err();
    let (took, grew) = (began.elapsed(), peak_memory_kib() - before);
    eprintln!("refused after {} ms, {} MiB more: {ended}", took.as_millis(), grew / 1024);
    assert!(took < LONGEST, "{took:?}");
    assert!(grew < MOST_MEMORY_KIB, "{grew} KiB");
    assert!(ended.is_flood(), "{ended}");
    ended
}

#[test]
fn a_million_files_in_a_thousand_folders_are_refused() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let base = BaseTree::read(&shadow, &shadow.tree_of(&base).unwrap()).unwrap();
    let place = folder();
    let out = place.path();
    for folder in 0..1000 {
        let folder = out.join(folder.to_string());
        fs::create_dir(&folder).unwrap();
        for file in 0..1000 {
            fs::File::create_new(folder.join(file.to_string())).unwrap();
        }
    }
    assert!(matches!(refused(out, &base), TreeError::TooMany { .. }));
}

#[test]
fn a_million_files_in_one_folder_are_refused() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let base = BaseTree::read(&shadow, &shadow.tree_of(&base).unwrap()).unwrap();
    let place = folder();
    let out = place.path();
    fs::create_dir(out.join("one")).unwrap();
    for file in 0..1_000_000 {
        fs::File::create_new(out.join("one").join(file.to_string())).unwrap();
    }
    let said = refused(out, &base).to_string();
    assert!(said.contains("/one holds more than 200"), "{said}");
}

#[test]
fn names_that_git_can_not_hold_are_refused_when_there_are_too_many_too() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let base = BaseTree::read(&shadow, &shadow.tree_of(&base).unwrap()).unwrap();
    let place = folder();
    let out = place.path();
    for folder in ["one", "two"] {
        fs::create_dir(out.join(folder)).unwrap();
        for file in 0..150_000_u32 {
            let socket = out.join(folder).join(file.to_string());
            rustix::fs::mknodat(
                rustix::fs::CWD,
                &socket,
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RUSR,
                0,
            )
            .unwrap();
        }
    }
    assert!(matches!(refused(out, &base), TreeError::TooMany { .. }));
}
