//! vitest: its command line and environment. The project's own configuration is used, but only one that lies in the
//! tree, and not where it would stop early, try again or leave tests out. Reading what came out is `read`'s.

use super::channel::Channel;
use super::read::{self, Told};
use super::{command, tool};
use crate::ask::{Ask, Coverage, Covered, Order, Plan, Runner, Step, StepOutput};
use crate::at_hand::AtHand;
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::js::items;
use proctor_lang::tree::Tree;
use std::ffi::OsString;

const REPORTER: &str = include_str!("proctor_vitest.mjs");
const REPORTER_NAME: &str = "proctor_vitest.mjs";
/// Given to vitest where the tree has no configuration.
const NO_CONFIGURATION: &str = "proctor_vitest_config.mjs";
const TOLD: Told = Told { tool: "vitest", channel: Channel::Json };

/// vitest, 2 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vitest;

impl Runner for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["node"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let mut plan = tool::plan(ask, REPORTER_NAME, REPORTER);
        plan.files.push((tool::reporter(ask, NO_CONFIGURATION), b"export default {}\n".to_vec()));
        plan
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        if done.is_empty() { step(ask) } else { None }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        if done.is_empty() {
            return read::crashed(tool::not_installed(ask, "vitest"));
        }
        read::read(ask, done, &TOLD)
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        match provider(ask) {
            Some(_) => lcov::read(ask, &tool::lcov_file(ask), &ask.workdir()),
            None => Covered::ToolMissing {
                tool: "@vitest/coverage-v8".to_owned(),
                install: "npm install --save-dev @vitest/coverage-v8".to_owned(),
            },
        }
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        tool::at_hand(ask, &["npx", "vitest", "run"])
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// What measures coverage for vitest, as far as it is installed.
fn provider(ask: &Ask) -> Option<&'static str> {
    ["v8", "istanbul"].into_iter().find(|name| {
        tool::installed(ask, &format!("@vitest/coverage-{name}/package.json")).is_some()
    })
}

fn step(ask: &Ask) -> Option<Step> {
    let entry = tool::installed(ask, "vitest/vitest.mjs")?;
    let given = command::of(ask, "vitest");
    let mut argv: Vec<OsString> = vec![ask.tools.program("node").into()];
    argv.extend(given.node.iter().map(OsString::from));
    argv.push(entry.into());
    argv.push("run".into());
    argv.extend(given.args.iter().map(OsString::from));
    // Without a file named outright vitest would also look above the tree.
    if !given.has(&["-c", "--config"]) {
        let own = tool::configuration(ask, &config_names());
        let path = own.unwrap_or_else(|| tool::reporter(ask, NO_CONFIGURATION));
        argv.push(tool::flag("--config=", &path));
    }
    argv.push(tool::flag("--reporter=", &tool::reporter(ask, REPORTER_NAME)));
    argv.push("--reporter=json".into());
    argv.push(tool::flag("--outputFile.json=", &tool::json_file(ask)));
    // Ours come last. A test marked `.only` leaves the others of its file skipped, and so they are reported.
    argv.extend(
        [
            "--bail=0",
            "--retry=0",
            "--passWithNoTests=false",
            "--allowOnly=true",
            "--dangerouslyIgnoreUnhandledErrors=false",
            "--no-cache",
        ]
        .map(OsString::from),
    );
    argv.extend(no_new_snapshots(ask).map(OsString::from));
    match ask.order {
        Order::AsWritten => {}
        Order::Shuffled(seed) => {
            argv.push("--sequence.shuffle=true".into());
            argv.push(format!("--sequence.seed={seed}").into());
        }
    }
    match (ask.coverage, provider(ask)) {
        (Coverage::Measured, Some(provider)) => argv.extend(measuring(ask, provider)),
        (Coverage::Measured, None) | (Coverage::Off, _) => {
            argv.push("--coverage.enabled=false".into());
        }
    }
    // A pattern of the project's own configuration must not leave tests out.
    let pattern = tool::name_pattern(ask).unwrap_or_else(|| ".*".to_owned());
    argv.push(format!("--testNamePattern={pattern}").into());
    for file in tool::selected_files(ask).into_iter().flatten() {
        argv.push(ask.tree.join(file).into());
    }
    let mut env = tool::environment(ask);
    env.extend(given.env);
    Some(Step { label: "vitest".to_owned(), argv, cwd: ask.workdir(), env })
}

/// Not even where the project's configuration wants them. What says so differs by version: `false` means `all` to
/// newer ones. 4.0 has no word for it, and there `CI` alone keeps them from being written.
fn no_new_snapshots(ask: &Ask) -> Option<&'static str> {
    match tool::version(ask, "vitest") {
        Some((..=3, _)) => Some("--update=false"),
        Some((4, 0)) | None => None,
        Some(_) => Some("--update=none"),
    }
}

pub(crate) fn config_names() -> Vec<String> {
    let endings = ["ts", "mts", "cts", "js", "mjs", "cjs"];
    let of = |stem: &'static str| endings.iter().map(move |e| format!("{stem}.{e}"));
    of("vitest.config").chain(of("vite.config")).collect()
}

fn measuring(ask: &Ask, provider: &str) -> Vec<OsString> {
    let mut flags: Vec<OsString> = vec![
        "--coverage.enabled=true".into(),
        format!("--coverage.provider={provider}").into(),
        "--coverage.reporter=lcovonly".into(),
        tool::flag("--coverage.reportsDirectory=", &tool::coverage_folder(ask)),
        "--coverage.reportOnFailure=true".into(),
    ];
    // How much is enough is not this run's matter.
    for kind in ["lines", "functions", "branches", "statements"] {
        flags.push(format!("--coverage.thresholds.{kind}=0").into());
    }
    flags
}
