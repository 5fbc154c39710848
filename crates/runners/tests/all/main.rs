//! Runs the real tools on small trees and reads what they leave. A missing tool skips its tests.

// Helpers of tests may stop a test and say that it was skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod cargo_errors;
mod cargo_runs;
mod pytest_reasons;
mod pytest_runs;
mod recorded;
mod stage;
