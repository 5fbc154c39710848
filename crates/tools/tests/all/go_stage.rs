//! Stages for Go: each toolchain that is there.

use crate::stage::{Stage, program, skipped, with_program, works};
use std::path::PathBuf;

/// The Go on the `PATH`, and the newer one that `scripts/setup` puts beside the build: what they tell differs.
pub fn toolchains() -> Vec<PathBuf> {
    let root =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/go-new/go/bin/go");
    let newer = root.canonicalize().ok();
    let found: Vec<PathBuf> =
        [program("go"), newer].into_iter().flatten().filter(|p| works(p, &["version"])).collect();
    let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!ci || found.len() == 2, "both Go toolchains are needed in CI: scripts/setup");
    if found.is_empty() {
        skipped("go");
    }
    found
}

pub fn stage_with(go: PathBuf, files: &[(&str, &str)]) -> Stage {
    let mut stage = Stage::new("go", files, with_program("go", go));
    // Results are never cached, and what is compiled of Go's own library is the same for all tests.
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("go-cache");
    std::fs::create_dir_all(&cache).unwrap();
    stage.ask.cache = cache;
    if stage.ask.tree.join("go.mod").exists() || stage.ask.tree.join("go.work").exists() {
        return stage;
    }
    stage.write("go.mod", "module example.com/demo\n\ngo 1.19\n");
    stage
}

/// A stage with the Go on the `PATH`.
pub fn go_stage(files: &[(&str, &str)]) -> Option<Stage> {
    toolchains().into_iter().next().map(|go| stage_with(go, files))
}

/// A stage for each Go.
pub fn each(files: &[(&str, &str)]) -> Vec<Stage> {
    toolchains().into_iter().map(|go| stage_with(go, files)).collect()
}
