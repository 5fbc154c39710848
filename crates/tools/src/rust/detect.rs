//! What says that a folder's tests are cargo's, and what a user's own cargo command means.

use crate::detect::{Arguments, UnknownCommand, UserCommand, program_of};
use proctor_lang::tree::{Tree, below};

pub(crate) fn claims(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    let manifest = below(dir, "Cargo.toml");
    tree.read(&manifest).map(|_| ("cargo", manifest))
}

const ARGUMENTS: Arguments = Arguments {
    alone: &[
        "--workspace",
        "--all",
        "--all-features",
        "--no-default-features",
        "--lib",
        "--bins",
        "--tests",
        "--release",
        "-r",
        "--locked",
        "--offline",
        "--frozen",
    ],
    valued: &["-p", "--package", "--exclude", "--features", "-F", "--test", "--bin"],
    dropped: &["-q", "--quiet", "-v", "--verbose", "--no-fail-fast"],
    accepted: "packages (-p, --workspace, --exclude), features (--features, --all-features, --no-default-features), \
               targets (--lib, --bins, --tests, --test), --release, --locked, --offline and --frozen",
};

pub(crate) fn command(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    let (first, rest) = words.split_first()?;
    let (name, program) = program_of(first);
    match (name, rest) {
        ("cargo", ["test" | "t", more @ ..] | ["nextest", "run" | "r", more @ ..]) => {
            Some(ARGUMENTS.keep(more, &words.join(" ")).map(|extra_args| UserCommand {
                runner: "cargo",
                program,
                extra_args,
            }))
        }
        _ => None,
    }
}
