//! The kit on itself, with `sh` in the place of the binary and the real git, pytest and cargo.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what the tests share stands outside the test functions"
)]

mod calls;
mod repos;
