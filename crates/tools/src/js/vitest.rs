//! vitest: its command line and environment. The project's own configuration is used, but only one that lies in the
//! tree, and not where it would stop early, try again or leave tests out. Reading what came out is `read`'s.

use super::channel::Channel;
use super::copies::{self, Copies};
use super::read::{self, Exits, Told};
use super::{command, tool};
use crate::ask::{
    Ask, Batch, Coverage, Covered, Manner, Order, Plan, Runner, Selection, Step, StepOutput,
    Variant,
};
use crate::at_hand::AtHand;
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::child_file;
use proctor_lang::js::items;
use proctor_lang::tree::Tree;
use std::ffi::OsString;
use std::path::PathBuf;

const REPORTER: &str = include_str!("proctor_vitest.mjs");
const REPORTER_NAME: &str = "proctor_vitest.mjs";
/// Given to vitest where the tree has no configuration.
const NO_CONFIGURATION: &str = "proctor_vitest_config.mjs";
const TOLD: Told = Told { tool: "vitest", channel: Channel::Json, exits: Exits::One };

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

    /// In copies of the tree beside each other: each file of tests has a worker of its own.
    fn batch(&self, ask: &Ask, variants: &[Variant], _workers: usize) -> Option<Batch> {
        let config = tool::configuration(ask, &config_names());
        let config = config.map(|path| child_file::read_to_string(path).unwrap_or_default());
        let config = config.unwrap_or_default();
        // What is looked for outside of a copy, or shared among them, would be another copy's.
        if ["alias", "tsconfigPaths", "isolate", "root:", "projects"]
            .iter()
            .any(|w| config.contains(w))
        {
            return None;
        }
        let copies = Copies::of(ask, variants)?;
        let own = Ask { only: copies.only(), ..ask.clone() };
        let mut plan = self.plan(&own);
        plan.files.extend(copies.files()?);
        plan.files.push((tool::reporter(ask, "stall"), copies.limit_ms().to_string().into_bytes()));
        let step = step_of(&own, &copies.places())?;
        Some(Batch { plan, step })
    }

    fn read_batch(&self, ask: &Ask, variants: &[Variant], done: &StepOutput) -> Vec<TestReport> {
        let own = Ask { only: Selection::All, ..ask.clone() };
        copies::told(ask, variants, &read::read(&own, std::slice::from_ref(done), &TOLD))
    }
}

/// What measures coverage for vitest, as far as it is installed.
fn provider(ask: &Ask) -> Option<&'static str> {
    ["v8", "istanbul"].into_iter().find(|name| {
        tool::installed(ask, &format!("@vitest/coverage-{name}/package.json")).is_some()
    })
}

fn step(ask: &Ask) -> Option<Step> {
    let files = tool::selected_files(ask).into_iter().flatten().map(|file| ask.tree.join(file));
    step_of(ask, &files.collect::<Vec<_>>())
}

/// The step that runs the selected tests of these files, or of files in these folders; of all where there are none.
fn step_of(ask: &Ask, files: &[PathBuf]) -> Option<Step> {
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
    if shares_modules(ask) {
        argv.push("--no-isolate".into());
    }
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
    argv.extend(files.iter().map(OsString::from));
    let mut env = tool::environment(ask);
    env.extend(given.env);
    Some(Step { label: "vitest".to_owned(), argv, cwd: ask.workdir(), env })
}

/// Whether files of tests that observe may share what they load: copies of one test in one file do so anyway, and a worker of
/// its own for each file costs more than its tests. Where one of them changes what others load, each has its own.
fn shares_modules(ask: &Ask) -> bool {
    let text = |file: &String| child_file::read_to_string(ask.tree.join(file)).unwrap_or_default();
    let changes =
        |file: &String| ["vi.", "@vitest-environment"].iter().any(|w| text(file).contains(w));
    let files = tool::selected_files(ask).unwrap_or_default();
    ask.manner == Manner::Observing && files.len() > 1 && !files.iter().any(changes)
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
