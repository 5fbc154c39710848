//! pytest as its users start it, with nothing of ours beside the tests: how they end stands in its own `JUnit` file. It is no proof of
//! anything, since that file can be forged; it shows tests that end otherwise without us.

use super::pytest::{self, LABEL, NO_CONFIGURATION, joined, junit_file};
use super::roots;
use crate::ask::{Ask, Selection, Step, StepOutput, base_env};
use crate::junit::{self, JunitCase, JunitEnd};
use proctor_core::report::{Case, CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use std::ffi::OsString;
use std::path::Path;

/// More tests than this are not named one by one.
const MOST_NAMED: usize = 200;

pub(super) fn step(ask: &Ask) -> Step {
    let mut argv: Vec<OsString> = vec![ask.tools.program("python").into()];
    argv.extend(["-m", "pytest"].map(OsString::from));
    argv.extend(ask.tools.extra_args.iter().map(OsString::from));
    let (config, root) = pytest::configuration(ask);
    argv.extend(["--maxfail=0", "--tb=short", "-o", "junit_family=xunit1"].map(OsString::from));
    argv.push(joined("--junitxml=", &junit_file(ask)));
    argv.push(joined("--rootdir=", &root));
    if config == Path::new(NO_CONFIGURATION) {
        argv.extend(["-c", NO_CONFIGURATION].map(OsString::from));
    }
    argv.extend(chosen(ask));
    let mut env = base_env(ask);
    let paths = std::env::join_paths(pytest::import_paths(ask, &roots::of(ask)));
    env.insert("PYTHONPATH".into(), paths.unwrap_or_default());
    Step { label: LABEL.to_owned(), argv, cwd: ask.started_in(ask.workdir()), env }
}

/// The tests that are asked for, or their files where they are many.
fn chosen(ask: &Ask) -> Vec<OsString> {
    match &ask.only {
        Selection::Ids(ids) if ids.len() <= MOST_NAMED => {
            ids.iter().map(|id| ask.tree.join(id.as_str()).into()).collect()
        }
        _ => pytest::chosen(ask),
    }
}

pub(super) fn read(ask: &Ask, _done: &[StepOutput]) -> TestReport {
    let bytes = child_file::read(junit_file(ask)).unwrap_or_default();
    let (_, root) = pytest::configuration(ask);
    let above = root.strip_prefix(&ask.tree).unwrap_or(Path::new("")).to_owned();
    match junit::read(&bytes) {
        Ok(found) => {
            let below = ask.tree.join(&above);
            let is_file = |path: &str| below.join(path).is_file();
            let named = |case: JunitCase| Some((id(&above, &case, &is_file)?, end(case)));
            let cases = found.into_iter().filter_map(named);
            TestReport { end: RunEnd::Finished, cases: cases.collect() }
        }
        Err(note) => TestReport::empty(RunEnd::Suspect { note }),
    }
}

/// The id that the test has elsewhere: the file as the tree has it, classes, and the name with its parameters. The file that
/// is told is where the function was written, which need not be where the test is: a class may be given its tests by another
/// module.
fn id(above: &Path, case: &JunitCase, is_file: &dyn Fn(&str) -> bool) -> Option<TestId> {
    let module = case.file.strip_suffix(".py").map(|stem| stem.replace('/', "."));
    let rest = |module: &str| {
        let rest = case.class.strip_prefix(module)?;
        (rest.is_empty() || rest.starts_with('.')).then_some(rest)
    };
    let told = module.as_deref().and_then(rest).map(|classes| (case.file.clone(), classes));
    let (file, classes) = told.or_else(|| {
        let ends = case.class.match_indices('.').map(|(at, _)| at).chain([case.class.len()]);
        ends.map(|end| case.class.split_at(end)).find_map(|(module, classes)| {
            let file = format!("{}.py", module.replace('.', "/"));
            is_file(&file).then_some((file, classes))
        })
    })?;
    let file = above.join(&file);
    let mut id = file.to_str()?.to_owned();
    for part in classes.split('.').filter(|part| !part.is_empty()).chain([case.name.as_str()]) {
        id.push_str("::");
        id.push_str(part);
    }
    Some(TestId(id))
}

fn end(case: JunitCase) -> Case {
    let end = match case.end {
        JunitEnd::Passed => CaseEnd::Passed,
        JunitEnd::Skipped(why) => CaseEnd::Skipped { why },
        JunitEnd::Errored { text } => CaseEnd::Errored { message: text },
        JunitEnd::Failed { text, .. } => {
            CaseEnd::Failed { reason: Reason::Other { message: text, place: None } }
        }
    };
    Case { end, took_ms: case.took_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_junit_file_of_pytest_has_the_ids_of_the_tree() {
        let text = r#"<testsuites><testsuite name="pytest">
            <testcase classname="tests.test_a" name="test_x[1-b]" file="tests/test_a.py" line="3"/>
            <testcase classname="tests.test_a.TestIt.TestIn" name="test_y" file="tests/test_a.py"/>
            <testcase classname="tests.test_b.TestMade" name="test_z" file="tests/__init__.py"/>
            <testcase classname="tests.test_made" name="test_w" file="../lib/site-packages/mixin.py"/>
        </testsuite></testsuites>"#;
        let cases = junit::read(text.as_bytes()).unwrap();
        let is_file = |path: &str| matches!(path, "tests/test_b.py" | "tests/test_made.py");
        let ids: Vec<TestId> =
            cases.iter().filter_map(|c| id(Path::new("sub"), c, &is_file)).collect();
        let wanted = [
            "sub/tests/test_a.py::test_x[1-b]",
            "sub/tests/test_a.py::TestIt::TestIn::test_y",
            "sub/tests/test_b.py::TestMade::test_z",
            "sub/tests/test_made.py::test_w",
        ];
        assert_eq!(ids, wanted.map(|id| TestId(id.to_owned())));
    }
}
