//! `cargo xtask`: the checks and benchmarks of this workspace, as one program that a person and CI call alike.
//! This file reads the arguments and hands over; it must not know what a check does.

mod bench;
mod book;
mod cases;
mod check;
mod corpus;
mod dist;
mod docs;
mod fault;
mod features;
mod fuzz;
mod layers;
mod lock;
mod manners;
mod release;
mod requirements;
mod scan;
mod size;
mod stubs;
mod suite;
mod tools;
mod tree;

use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "\
The checks and benchmarks of this workspace.

usage: cargo xtask COMMAND

commands:
  test [--ready] [ARG…]
                   what the tests need is installed (--ready: it is), then they run; words behind go to
                   `cargo nextest run --workspace`; what was skipped is counted at the end
  check [--fast]   every house rule that can be measured; --fast leaves out fmt and clippy
  bench [start|run|journal|runners|secrets|trees|sandbox|mutants|verify|agents|faces|guard|all] [--json]
                   what Proctor costs, against yardsticks on this machine; docs/performance.md says more
  bench prompts [--proctor FILE]… [--json]
                   what the agents of three clean runs are told, in tokens; several builds beside one another
  bench real --repos DIR [--only NAME…] [--cache DIR] [--proctor FILE] [--json]
                   what a first and a second verify cost on real commits, against the bare runs of both sides
  corpus [--quixbugs DIR] [--polyglot DIR] [--only NAME…] [--language L] [--jobs N]
         [--proctor FILE] [--json]
                   public exercises through the real binary; docs/corpus.md says more
  corpus hunt --quixbugs DIR [--only NAME…] [--jobs N] [--proctor FILE]
                   one hunt over the wrong programs and the repaired ones
  corpus verify [--quixbugs DIR] [--polyglot DIR] [--only NAME…] [--language L] [--every N] [--jobs N]
         [--proctor FILE] [--json]
                   each exercise as two commits, judged by `proctor verify`
  corpus newest --repos DIR [--only NAME…] [--language L] [--count N] [--cache DIR] [--budget DUR] [--jobs N]
         [--proctor FILE] [--truth] [--json]
                   the newest commits of libraries that changed tests and code, judged by `proctor verify` as it comes
  corpus real --repos DIR [--only NAME…] [--way WAY…] [--language L] [--cache DIR] [--budget DUR] [--jobs N]
         [--proctor FILE] [--json] [--bare] [--list]
                   real commits of libraries, brought honestly, idly, with weaker tests, or hard-coded
  corpus matrix [--language L…] [--form FORM…] [--way WAY…] [--problem NAME…] [--all] [--jobs N] [--proctor FILE]
         [--only-check CHECK] [--answers DIR] [--json] [--bare]
                   small repositories made here: each form of a test with each way of forged work
  fuzz [--runs N] [--seed S] [--only NAME]
                   damaged samples through every parser that reads what others wrote; ten million by default
  cases [--gate 'CMD']… [--proctor FILE] [--runner R] [--only NAME] [--core] [--json]
                   cheats and honest work, put to gates; docs/gates.md says more
  book             the pages of docs/ as a site in target/book; every link is looked at
  dist [CHANNEL…] [--machine x86_64|aarch64] [--binary FILE] [--out DIR]
                   one binary and its packages, into target/dist: archive, wheel, npm, deb, image; all of them by default
  dist try [CHANNEL…]
                   each package in a clean place: installed, demo, verify, uninstalled
  release VERSION [--binary FILE]
                   version, changelog, packages, and a tag whose templates know the binary by its digest
  requirements     write into docs/requirements.md which test shows which requirement
  help             this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["check"] => check::run(check::Extent::Full),
        ["check", "--fast"] => check::run(check::Extent::Fast),
        ["test", more @ ..] => suite::run(more),
        ["requirements"] => requirements::write(),
        ["bench", "prompts", wanted @ ..] => match bench::prompts::Wish::read(wanted) {
            Ok(wish) => bench::prompts::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["bench", "real", wanted @ ..] => match bench::real::Wish::read(wanted) {
            Ok(wish) => bench::real::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["bench", wanted @ ..] => match bench::Wish::read(wanted) {
            Ok(wish) => bench::run(wish),
            Err(why) => return wrong_usage(&why),
        },
        ["corpus", "newest", wanted @ ..] => match corpus::newest::Wish::read(wanted) {
            Ok(wish) => corpus::newest::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["corpus", "real", wanted @ ..] => match corpus::real::Wish::read(wanted) {
            Ok(wish) => corpus::real::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["corpus", "matrix", wanted @ ..] => match corpus::matrix::Wish::read(wanted) {
            Ok(wish) => corpus::matrix::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["corpus", wanted @ ..] => match corpus::Wish::read(wanted) {
            Ok(wish) => corpus::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["book"] => book::run(),
        ["cases", wanted @ ..] => match cases::Wish::read(wanted) {
            Ok(wish) => cases::run(&wish),
            Err(why) => return wrong_usage(&format!("{why:#}")),
        },
        ["dist", wanted @ ..] => match dist::Wish::read(wanted) {
            Ok(wish) => dist::run(&wish),
            Err(why) => return wrong_usage(&format!("{why:#}")),
        },
        ["release", wanted @ ..] => match release::Wish::read(wanted) {
            Ok(wish) => release::run(&wish),
            Err(why) => return wrong_usage(&format!("{why:#}")),
        },
        ["fuzz", wanted @ ..] => match fuzz::Wish::read(wanted) {
            Ok(wish) => fuzz::run(&wish),
            Err(why) => return wrong_usage(&why),
        },
        ["help" | "--help" | "-h"] => {
            let _ = write!(std::io::stdout(), "{USAGE}");
            return ExitCode::SUCCESS;
        }
        [] => return wrong_usage("no command given"),
        other => return wrong_usage(&format!("`{}` is not known", other.join(" "))),
    };
    match ended {
        Ok(code) => code,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "error: {why:#}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(why: &str) -> ExitCode {
    let _ = write!(std::io::stderr(), "error: {why}\n\n{USAGE}");
    ExitCode::from(2)
}
