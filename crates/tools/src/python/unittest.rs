//! `unittest` as Python has it, where pytest is not installed: a program of ours runs the tests that unittest discovers. How
//! they are told of is as with pytest, and read by the same reader.

use super::detect::UNITTEST;
use super::pytest::{self, plugin_folder};
use super::read;
use crate::ask::{Ask, Covered, Plan, Runner, Step, StepOutput};
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::python::items;
use proctor_lang::tree::Tree;
use std::ffi::OsString;

const PROGRAM: (&str, &str) = ("proctor_unittest.py", include_str!("proctor_unittest.py"));

/// Python's own unittest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unittest;

impl Runner for Unittest {
    fn name(&self) -> &'static str {
        UNITTEST
    }

    fn programs(&self) -> &'static [&'static str] {
        &["python"]
    }

    /// There is no plainer way to start it that says which tests there were: users' and ours are the same.
    fn plan(&self, ask: &Ask) -> Plan {
        let mut plan = pytest::with_plugin(ask);
        plan.files.push((plugin_folder(ask).join(PROGRAM.0), PROGRAM.1.as_bytes().to_vec()));
        plan
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        done.is_empty().then(|| step(ask))
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        read::of_unittest(ask, done)
    }

    fn coverage(&self, _ask: &Ask, _done: &[StepOutput]) -> Covered {
        Covered::ToolMissing {
            tool: "pytest".to_owned(),
            install: "python -m pip install pytest coverage".to_owned(),
        }
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

fn step(ask: &Ask) -> Step {
    let mut argv: Vec<OsString> = vec![ask.tools.program("python").into()];
    argv.push(plugin_folder(ask).join(PROGRAM.0).into());
    argv.extend(ask.tools.extra_args.iter().map(OsString::from));
    Step { label: UNITTEST.to_owned(), argv, cwd: ask.workdir(), env: pytest::environment(ask) }
}
