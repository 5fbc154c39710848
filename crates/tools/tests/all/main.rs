//! Runs the real tools on small trees and reads what they leave. A missing tool skips its tests.

// Helpers of tests may stop a test and say that it was skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod batch;
mod cargo_cover;
mod cargo_doc;
mod cargo_errors;
mod cargo_fresh;
mod cargo_recorded;
mod cargo_runs;
mod cargo_surroundings;
mod cargo_workspace;
mod described_runs;
mod go_errors;
mod go_recorded;
mod go_runs;
mod go_stage;
mod go_traps;
mod jest_runs;
mod js_recorded;
mod js_stage;
mod junit_runs;
mod junit_writers;
mod kept;
mod maven_stage;
mod node_runs;
mod observe_go;
mod observe_python;
mod observe_rust;
mod observe_script;
mod order;
mod outside;
mod outside_compiled;
mod outside_js;
mod planted;
mod pytest_code;
mod pytest_coverage;
mod pytest_hostile;
mod pytest_plugins;
mod pytest_reasons;
mod pytest_recorded;
mod pytest_runs;
mod pytest_tools;
mod recorded;
mod stage;
mod vitest_runs;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod maven_recorded;
    mod maven_runs;
    mod observe_maven;
}
