//! The hands, tested with real processes and real tools.

// The setting for tests reaches test functions alone, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bench;
mod clones;
mod escapes;
mod git_repo;
mod git_shadow;
mod git_trees;
mod include;
mod landing;
mod overlay;
mod packages;
mod ports;
mod processes;
mod sandbox;
mod steps;
mod tripwire;
mod venv;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod floods;
}
