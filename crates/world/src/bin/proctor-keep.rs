//! A keeper as a program of its own, for the tests of this crate. The product starts itself again as `proctor keep`.

use std::process::ExitCode;

fn main() -> ExitCode {
    proctor_world::keeper::main()
}
