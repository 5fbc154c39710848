//! JavaScript outside `node --test`: each test file is copied beside itself under a name that says nothing, and a plain
//! node program loads it with a stand-in for `node:test`. The program is `js/main.mjs` and the files beside it.
//!
//! Each file is run twice: only what fails both times is told.

use super::{Ends, Outside, OutsideEnd, not_made, told};
use crate::ask::{Ask, Plan, Step, StepEnd, StepOutput};
use crate::js::{command, tool};
use proctor_core::item::TestItem;
use proctor_core::words::TestId;
use proctor_lang::tree::{Tree, below, parent};
use proctor_lang::zone::{SCRIPTS, Zone, has_ending, zone};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::OsString;

const PROGRAM: [(&str, &str); 4] = [
    ("main.mjs", include_str!("js/main.mjs")),
    ("redirect.mjs", include_str!("js/redirect.mjs")),
    ("steps.mjs", include_str!("js/steps.mjs")),
    ("steps.cjs", include_str!("js/steps.cjs")),
];

pub(super) fn plan(ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Outside {
    let word = told::new_word();
    let folder = ask.scratch.join("app");
    let mut files: Vec<_> = PROGRAM
        .into_iter()
        .map(|(name, text)| (folder.join(name), text.as_bytes().to_vec()))
        .collect();
    files.push(told::keep(ask, &word));
    let helpers: Vec<String> = tree
        .paths()
        .into_iter()
        .filter(|p| zone(p) == Zone::Test && SCRIPTS.iter().any(|ending| has_ending(p, ending)))
        .collect();
    let given = command::of(ask, "node");
    let mut env = tool::environment(ask);
    env.extend(given.env);
    env.retain(|key, _| key != "NODE_TEST_CONTEXT" && key != "NODE_OPTIONS");
    let mut steps = Vec::new();
    for (number, file) in test_files(tests).into_iter().enumerate() {
        let Some(source) = tree.read(file) else { continue };
        let ending = file.rsplit('.').next().unwrap_or("js");
        let copy = ask.tree.join(below(parent(file), &format!("plain_{number}.{ending}")));
        let job_file = folder.join(format!("work{number}.json"));
        let mut checks: Vec<String> =
            helpers.iter().map(|h| ask.tree.join(h).to_string_lossy().into_owned()).collect();
        checks.push(copy.to_string_lossy().into_owned());
        let job = json!({ "file": copy, "checks": checks, "word": word });
        files.push((copy, source));
        files.push((job_file.clone(), job.to_string().into_bytes()));
        let mut argv: Vec<OsString> = vec![ask.tools.program("node").into()];
        argv.extend(given.node.iter().map(OsString::from));
        argv.extend([folder.join("main.mjs").into(), job_file.into()]);
        for label in ["run", "again"] {
            steps.push(Step {
                label: format!("{label} {number}"),
                argv: argv.clone(),
                cwd: ask.workdir(),
                env: env.clone(),
            });
        }
    }
    Outside { plan: Plan { files, folders: vec![ask.home(), ask.temp(), folder] }, steps }
}

fn test_files(tests: &[TestItem]) -> BTreeSet<&str> {
    tests.iter().map(|test| test.place.file.as_str()).collect()
}

#[derive(Deserialize)]
struct Line {
    names: Vec<String>,
    end: End,
    say: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum End {
    Holds,
    Fails,
    NotMade,
    All,
}

pub(super) fn read(ask: &Ask, tests: &[TestItem], done: &[StepOutput]) -> Ends {
    let mut ends = Ends::new();
    for (number, file) in test_files(tests).into_iter().enumerate() {
        let lines = |label: &str| -> Option<Vec<Line>> {
            let label = format!("{label} {number}");
            let step = done.iter().find(|s| s.label == label && s.end == StepEnd::Exited(0))?;
            let lines: Vec<Line> = told::lines(ask, &step.stdout);
            matches!(lines.last(), Some(Line { end: End::All, .. })).then_some(lines)
        };
        let runs = (lines("run"), lines("again"));
        for test in tests.iter().filter(|test| test.place.file == file) {
            let end = match &runs {
                (Some(first), Some(second)) => match (one(test, first), one(test, second)) {
                    (OutsideEnd::Fails { .. }, OutsideEnd::Holds) => {
                        not_made("it ends now so and now so")
                    }
                    (first, OutsideEnd::Holds | OutsideEnd::Fails { .. }) => first,
                    (_, other @ OutsideEnd::NotMade { .. }) => other,
                },
                (None, _) | (_, None) => not_made("the program that calls its file left early"),
            };
            ends.insert(test.id.clone(), end);
        }
    }
    ends
}

/// One end for all cases of a test.
fn one(test: &TestItem, lines: &[Line]) -> OutsideEnd {
    let id = |line: &Line| TestId::new(format!("{} > {}", test.place.file, line.names.join(" > ")));
    let own: Vec<&Line> =
        lines.iter().filter(|l| l.end != End::All && test.covers(&id(l))).collect();
    let find = |end: End| own.iter().find(|line| line.end == end);
    if let Some(line) = find(End::Fails) {
        return OutsideEnd::Fails { message: line.say.clone() };
    }
    match find(End::NotMade) {
        Some(line) => not_made(line.say.clone()),
        None if own.is_empty() => not_made("its body was not called"),
        None => OutsideEnd::Holds,
    }
}
