//! Maven with Surefire: the steps of a test run. First the unit tests are run. Where Maven ends with an error and not
//! every class of tests left a report, a second step finds out whether everything compiles: if not, javac itself is
//! asked for its diagnostics in their raw form; if so, the classes without a report are run by themselves, since Maven
//! leaves out modules that depend on one whose tests failed. Reading what came out is `surefire`'s.

use super::cases::Cases;
use super::junit::{Found, located};
use super::surefire::{self, Left};
use super::{javac, reports};
use crate::ask::{Ask, Covered, Plan, Runner, Selection, Step, StepEnd, StepOutput, base_env};
use crate::at_hand::AtHand;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::child_file;
use proctor_lang::java::items;
use proctor_lang::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Java's Maven, 3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Maven;

/// Longer lists would not fit on a command line.
const MOST_IDS: usize = 1000;

const REPORTS: &str = "**/target/surefire-reports/TEST-*.xml";

impl Runner for Maven {
    fn name(&self) -> &'static str {
        "maven"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["mvn"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        Plan { files: Vec::new(), folders: vec![ask.home(), ask.temp()] }
    }

    fn stale(&self, ask: &Ask) -> Vec<PathBuf> {
        let mut files = report_files(ask);
        files.extend(javac::argument_files(ask));
        files
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let Some((first, more)) = done.split_first() else {
            return Some(test_step(ask, "mvn test", selection(&ask.only)));
        };
        if matches!(first.end, StepEnd::Exited(0)) || !all_exited(done) {
            return None;
        }
        let left = Left::of(ask);
        let Some((compile, more)) = more.split_first() else {
            return (left.found.files == 0 || !left.missing.is_empty()).then(|| compile_step(ask));
        };
        if compile.end == StepEnd::Exited(0) {
            let rest = more.is_empty() && left.rest_can_be_run();
            return rest.then(|| test_step(ask, "mvn test, the rest", Some(joined(&left.missing))));
        }
        let files = javac::argument_files(ask);
        files.get(more.len()).map(|file| javac_step(ask, file))
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        surefire::read(ask, done)
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        let pom = child_file::read_to_string(ask.workdir().join("pom.xml")).unwrap_or_default();
        if pom.contains("jacoco-maven-plugin") {
            let why = "the reports of the jacoco-maven-plugin are not read".to_owned();
            return Covered::Unreadable { why };
        }
        Covered::ToolMissing {
            tool: "JaCoCo".to_owned(),
            install: "add the jacoco-maven-plugin to pom.xml".to_owned(),
        }
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        let at_hand = AtHand::of(ask, "mvn", &["mvn", "--offline", "test"]);
        match ask.extra_env.get("MAVEN_REPO_LOCAL") {
            Some(folder) => {
                let given = ask.extra_env.get("MAVEN_OPTS").map(String::as_str).unwrap_or_default();
                let options = format!("{given} -Dmaven.repo.local={folder}");
                at_hand.with("MAVEN_OPTS", options.trim())
            }
            None => at_hand,
        }
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

pub(super) fn report_files(ask: &Ask) -> Vec<PathBuf> {
    reports::find(ask, &[REPORTS.to_owned()])
}

fn all_exited(done: &[StepOutput]) -> bool {
    done.iter().all(|step| matches!(step.end, StepEnd::Exited(_)))
}

fn joined(classes: &BTreeSet<String>) -> String {
    classes.iter().cloned().collect::<Vec<_>>().join(",")
}

/// The asked ids in Surefire's words (`pkg.Class#one+two,pkg.Other`); none for all.
fn selection(only: &Selection) -> Option<String> {
    let Selection::Ids(ids) = only else {
        return None;
    };
    if ids.is_empty() || ids.len() > MOST_IDS {
        return None;
    }
    let mut by_class: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut whole: BTreeSet<&str> = BTreeSet::new();
    for id in ids {
        match id.as_str().split_once("::") {
            Some((class, method)) => {
                let end = method.find(['[', '/', ' ', '(', '{', '…']).unwrap_or(method.len());
                let (stem, _) = method.split_at(end);
                by_class.entry(class).or_default().insert(stem);
            }
            // A class that broke before its tests has an id of its own.
            None => {
                whole.insert(id.as_str());
            }
        }
    }
    let classes = by_class.into_iter().filter(|(class, _)| !whole.contains(class));
    let chosen = classes.map(|(class, methods)| {
        format!("{class}#{}", methods.into_iter().collect::<Vec<_>>().join("+"))
    });
    let all: Vec<String> = chosen.chain(whole.iter().map(|class| (*class).to_owned())).collect();
    Some(all.join(","))
}

/// What every call of Maven gets. Ours come after the user's own: the last of an option wins.
fn common(ask: &Ask) -> Vec<OsString> {
    let mut argv: Vec<OsString> = vec![ask.tools.program("mvn").into()];
    argv.extend(ask.tools.extra_args.iter().map(OsString::from));
    argv.extend(
        ["--batch-mode", "--offline", "--fail-at-end", "-Dstyle.color=never"].map(OsString::from),
    );
    argv.push("-Dmaven.build.cache.enabled=false".into());
    // `HOME` is a fresh folder: what was downloaded before lies below the user's.
    if let Some(folder) = ask.extra_env.get("MAVEN_REPO_LOCAL") {
        argv.push(format!("-Dmaven.repo.local={folder}").into());
    }
    argv
}

fn test_step(ask: &Ask, label: &str, chosen: Option<String>) -> Step {
    let mut argv = common(ask);
    argv.extend(
        [
            "-DskipTests=false",
            "-Dmaven.test.skip=false",
            "-Dmaven.test.failure.ignore=false",
            "-Dsurefire.rerunFailingTestsCount=0",
            "-Dsurefire.skipAfterFailureCount=0",
            // The whole stack trace: where an exception arose says whose it is.
            "-DtrimStackTrace=false",
            "-DfailIfNoTests=false",
            "-DfailIfNoSpecifiedTests=false",
            "-Dsurefire.failIfNoSpecifiedTests=false",
        ]
        .map(OsString::from),
    );
    argv.extend(chosen.map(|chosen| OsString::from(format!("-Dtest={chosen}"))));
    argv.push("test".into());
    step(ask, label, argv, ask.workdir())
}

/// Compiles everything with a javac of its own; with `-X` the file with javac's arguments stays.
fn compile_step(ask: &Ask) -> Step {
    let mut argv = common(ask);
    argv.extend(
        ["-X", "-Dmaven.compiler.fork=true", "-Dmaven.test.skip=false", "test-compile"]
            .map(OsString::from),
    );
    step(ask, "mvn test-compile", argv, ask.workdir())
}

fn javac_step(ask: &Ask, file: &Path) -> Step {
    let home = ask.extra_env.get("JAVA_HOME").map(|home| Path::new(home).join("bin/javac"));
    let program = home.filter(|p| p.is_file()).unwrap_or_else(|| located(ask, "javac"));
    let mut arguments = OsString::from("@");
    arguments.push(file);
    let argv = vec![
        program.into(),
        "-XDrawDiagnostics".into(),
        "-Xmaxerrs".into(),
        "1000".into(),
        arguments,
    ];
    let module = file.parent().and_then(Path::parent).map_or_else(|| ask.workdir(), PathBuf::from);
    step(ask, "javac", argv, module)
}

fn step(ask: &Ask, label: &str, argv: Vec<OsString>, cwd: PathBuf) -> Step {
    let mut env = base_env(ask);
    // Java takes its home from the user's entry and its temp folder from nowhere: both have to be named.
    let own = format!(
        "-Duser.home=\"{}\" -Djava.io.tmpdir=\"{}\" -Duser.language=en",
        ask.home().display(),
        ask.temp().display()
    );
    let given = ask.extra_env.get("JAVA_TOOL_OPTIONS").map(String::as_str).unwrap_or_default();
    env.insert("JAVA_TOOL_OPTIONS".into(), format!("{given} {own}").trim().into());
    env.remove(&OsString::from("MAVEN_ARGS"));
    Step { label: label.to_owned(), argv, cwd, env }
}

/// What the reports say so far.
pub(super) fn so_far(ask: &Ask) -> (Found, Cases) {
    let found = Found::read(ask, &report_files(ask));
    let cases =
        super::cases::Judge::new(ask, super::cases::Naming::Surefire).cases(&found.report.cases);
    (found, cases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::words::TestId;

    mod slow {
        use super::*;

        #[test]
        fn asked_tests_are_put_in_surefires_words() {
            let ids = ["a.B::one", "a.B::two[1]", "a.B$C::deep", "a.D", "a.D::x", "a.B::many…"];
            let only = Selection::Ids(ids.iter().map(|i| TestId::new(*i)).collect());
            assert_eq!(selection(&only).unwrap(), "a.B#many+one+two,a.B$C#deep,a.D");
            assert_eq!(selection(&Selection::All), None);
        }
    }
}
