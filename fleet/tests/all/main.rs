//! Whole fleets, each with a service, machines and a remote of its own, all on this computer.

// The setting for tests reaches test functions alone, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

mod faults;
mod fleet;
mod landing;
