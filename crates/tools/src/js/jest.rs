//! jest: its command line and environment. The project's own configuration is used, but only one that lies in the
//! tree, and not where it would stop early, pass without tests or answer with another exit code. Reading what came out
//! is `read`'s.
//!
//! Tests always run in workers: in jest's own process they could reach our reporter, and end it.

use super::channel::Channel;
use super::read::{self, Exits, Told};
use super::{command, tool};
use crate::ask::{Ask, Coverage, Covered, Order, Plan, Runner, Step, StepOutput};
use crate::at_hand::AtHand;
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::js::items;
use proctor_lang::tree::Tree;
use std::ffi::OsString;

const REPORTER: &str = include_str!("proctor_jest.cjs");
const REPORTER_NAME: &str = "proctor_jest.cjs";
const TOLD: Told = Told { tool: "jest", channel: Channel::Json, exits: Exits::One };

/// jest, 27 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jest;

impl Runner for Jest {
    fn name(&self) -> &'static str {
        "jest"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["node"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        tool::plan(ask, REPORTER_NAME, REPORTER)
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        if done.is_empty() { step(ask) } else { None }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        if done.is_empty() {
            return read::crashed(tool::not_installed(ask, "jest"));
        }
        read::read(ask, done, &TOLD)
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        lcov::read(ask, &tool::lcov_file(ask), &ask.workdir())
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        tool::at_hand(ask, &["npx", "jest"])
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

fn step(ask: &Ask) -> Option<Step> {
    let entry = tool::installed(ask, "jest/bin/jest.js")?;
    let given = command::of(ask, "jest");
    let mut argv: Vec<OsString> = vec![ask.tools.program("node").into()];
    argv.extend(given.node.iter().map(OsString::from));
    argv.push(entry.into());
    argv.extend(given.args.iter().map(OsString::from));
    // Without one in the tree jest would look above it.
    if !given.has(&["-c", "--config"]) && tool::configuration(ask, &config_names()).is_none() {
        let root = serde_json::json!({ "rootDir": ask.workdir() });
        argv.push(format!("--config={root}").into());
    }
    argv.push(tool::flag("--reporters=", &tool::reporter(ask, REPORTER_NAME)));
    argv.push("--reporters=default".into());
    argv.push("--json".into());
    argv.push(tool::flag("--outputFile=", &tool::json_file(ask)));
    argv.push(tool::flag("--cacheDirectory=", &ask.temp().join("jest-cache")));
    argv.extend(
        [
            "--ci",
            "--bail=0",
            "--passWithNoTests=false",
            "--testFailureExitCode=1",
            "--watchman=false",
            "--watch=false",
            "--watchAll=false",
            "--onlyChanged=false",
            // What tests leave open must not keep a finished run alive.
            "--forceExit",
        ]
        .map(OsString::from),
    );
    // An older one ends at a word that it does not know.
    if tool::version(ask, "jest").is_none_or(|(major, _)| major >= 23) {
        argv.push("--errorOnDeprecated=false".into());
    }
    if tool::version(ask, "jest").is_none_or(|(major, _)| major >= 29) {
        // With a limit, however large, jest never runs tests in its own process.
        argv.push("--workerIdleMemoryLimit=64GB".into());
    }
    match ask.order {
        // Older ones have no other order.
        Order::Shuffled(seed) if tool::version(ask, "jest").is_none_or(|v| v >= (29, 5)) => {
            argv.push("--randomize".into());
            // It takes no larger one.
            argv.push(format!("--seed={}", seed & 0x7fff_ffff).into());
        }
        Order::AsWritten | Order::Shuffled(_) => {}
    }
    match ask.coverage {
        Coverage::Measured => argv.extend([
            "--coverage=true".into(),
            // By statement; V8's own ranges also count empty lines and comments.
            "--coverageProvider=babel".into(),
            "--coverageReporters=lcovonly".into(),
            tool::flag("--coverageDirectory=", &tool::coverage_folder(ask)),
            // How much is enough is not this run's matter.
            "--coverageThreshold={}".into(),
        ]),
        Coverage::Off => argv.push("--coverage=false".into()),
    }
    if let Some(pattern) = tool::name_pattern(ask) {
        argv.push(format!("--testNamePattern={pattern}").into());
    }
    if let Some(files) = tool::selected_files(ask) {
        argv.push("--runTestsByPath".into());
        argv.extend(files.into_iter().map(|file| OsString::from(ask.tree.join(file))));
    }
    let mut env = tool::environment(ask);
    env.extend(given.env);
    Some(Step { label: "jest".to_owned(), argv, cwd: ask.workdir(), env })
}

pub(crate) fn config_names() -> Vec<String> {
    let endings = ["js", "ts", "mjs", "cjs", "cts", "mts", "json"];
    let files = endings.iter().map(|ending| format!("jest.config.{ending}"));
    files.chain(["package.json".to_owned()]).collect()
}
