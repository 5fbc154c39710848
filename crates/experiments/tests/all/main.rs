//! Builds what experiments make of sources with the real compilers. A missing tool skips its tests.

// Helpers of tests may stop a test and say that it was skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod mutate;

/// Says that a test was skipped for want of a tool; in CI that is a failure.
fn skipped(tool: &str) {
    assert!(
        std::env::var_os("CI").is_none_or(|value| value != "true"),
        "{tool} is not installed, and in CI no test may be skipped\nhint: scripts/setup installs it"
    );
    println!("skipped: {tool} is not installed");
}
