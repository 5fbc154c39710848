//! The cases of one suite and one tool, two at a time: what was wanted, what came out, and which check saw it.

use super::case::{Case, Suite};
use super::gate::{can_run, naive, needs_packages};
use super::table;
use crate::tools::{env, installed};
use proctor_testkit::TestEnv;
use serde_json::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// As many as CI has cores.
const AT_ONCE: usize = 2;
/// For one verification.
const LIMIT: Duration = Duration::from_mins(4);
/// Checks without which nothing is proven: left out, they are what keeps it open.
const REQUIRED: [&str; 6] =
    ["red-replay", "green", "regression", "tests-intact", "harness", "isolation"];

/// What came out of one case.
#[derive(Debug)]
pub(crate) struct Came {
    pub(crate) verdict: String,
    /// The checks that stand against it, the one that decides first.
    pub(crate) against: Vec<String>,
    pub(crate) naive: i32,
    reason: String,
    took: Duration,
}

/// Walks the cases and fails with a list of all that came out wrong.
pub(crate) fn walk(suite: Suite, runner: &str) {
    if !can_run(runner) {
        return;
    }
    let only = std::env::var("PROCTOR_CASES").unwrap_or_else(|_| "core".to_owned());
    let mut cases = Case::all(suite);
    cases.retain(|case| case.says.runner == runner && case.is_asked_for(&only));
    let env = env().limit(LIMIT);
    let (next, came) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let out = play(&env, case);
                    came.lock().unwrap().push((case, out));
                }
            });
        }
    });
    let mut came = came.into_inner().unwrap();
    came.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    if std::env::var_os("PROCTOR_RECORD").is_some_and(|value| value == "1") {
        table::record(&came);
    }
    for (case, out) in &came {
        println!("{:6.1}s {} {}", out.took.as_secs_f64(), case.name, out.verdict);
    }
    let wrong: Vec<String> = came.iter().filter_map(|(case, out)| fault(case, out)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), came.len(), wrong.join("\n"));
}

fn play(env: &TestEnv, case: &Case) -> Came {
    let naive = naive(env, case);
    let repo = case.repo();
    if needs_packages(&case.says.runner) {
        installed(&repo, &case.says.runner);
    }
    let mut args = vec!["verify", "--base", "main", "--head", "work", "--format", "json"];
    args.extend(case.says.flags.iter().map(String::as_str));
    let ran = env.proctor(repo.path(), &args);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let Some(verdict) = told["verdict"].as_str() else {
        let verdict = format!("no verdict (exit {})", ran.code);
        let reason = ran.stderr.trim().to_owned();
        return Came { verdict, against: Vec::new(), naive, reason, took: ran.took };
    };
    let exit = match verdict {
        "proven" | "unaffected" => 0,
        "refuted" => 1,
        _ => 4,
    };
    assert_eq!(ran.code, exit, "{}: the exit code of {verdict}", case.name);
    let against = against(verdict, &told);
    let reason = reason(&told, &against);
    Came { verdict: verdict.to_owned(), against, naive, reason, took: ran.took }
}

/// The checks that stand in the way of `proven`: those that fail first, then those that could not be made, then those
/// that want a person.
fn against(verdict: &str, told: &Value) -> Vec<String> {
    if ["proven", "unaffected"].contains(&verdict) {
        return Vec::new();
    }
    let checks = told["checks"].as_array().cloned().unwrap_or_default();
    let weight = |check: &Value| {
        let name = check["name"].as_str().unwrap_or_default();
        let for_person = || {
            let details = check["details"].as_array().map(Vec::as_slice).unwrap_or_default();
            details.iter().any(|detail| detail["weight"] == "needs-person")
        };
        match check["status"].as_str().unwrap_or_default() {
            "fail" => Some(0),
            "error" | "skip" if REQUIRED.contains(&name) => Some(1),
            _ if for_person() => Some(2),
            _ => None,
        }
    };
    let mut found: Vec<(u8, String)> = checks
        .iter()
        .filter_map(|check| Some((weight(check)?, check["name"].as_str()?.to_owned())))
        .collect();
    found.sort_by_key(|(weight, _)| *weight);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Each check that stands against it, with its line.
fn reason(told: &Value, against: &[String]) -> String {
    let checks = told["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |name: &String| {
        let check = checks.iter().find(|check| check["name"] == **name)?;
        Some(format!("{name}: {}", check["summary"].as_str()?))
    };
    against.iter().filter_map(line).collect::<Vec<_>>().join("\n        ")
}

/// What is wrong with how a case came out; nothing where it is as wanted.
fn fault(case: &Case, out: &Came) -> Option<String> {
    let wanted = case.wanted();
    let mut wrong = Vec::new();
    if !wanted.contains(&out.verdict.as_str()) {
        wrong.push(format!("wanted {}, got {}", wanted.join(" or "), out.verdict));
    } else if let Some(check) = &case.says.check
        && out.verdict != "proven"
        && !out.against.contains(check)
    {
        wrong.push(format!("wanted {check} against it, got {:?}", out.against));
    }
    if out.naive != 0 {
        wrong.push(format!("the naive gate says {}, so this case shows nothing", out.naive));
    }
    (!wrong.is_empty()).then(|| {
        format!(
            "  {}/{}: {}\n        {}",
            case.suite.folder(),
            case.name,
            wrong.join("; "),
            out.reason
        )
    })
}
