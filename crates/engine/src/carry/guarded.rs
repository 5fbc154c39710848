//! The red gate of a guarded task: the tests of a checkout on the base's code. The same exam as in a run; what is sealed
//! afterwards is said here.

use super::Halt;
use super::gate::{LONG_SUITE_MS, RedExam};
use super::policy::{is_rust, parts, with_tests_of};
use crate::baseline::Baselines;
use proctor_core::brief::{Brief, Limits};
use proctor_core::event::Trouble;
use proctor_core::fault::RedFault;
use proctor_core::guard::{Extent, Seal, Sealed};
use proctor_core::proof::{Anchor, Point};
use proctor_core::words::{Millis, TestId, TreeId};
use proctor_lab::{Broke, Lab, Setting, Shop, attended, sources};
use proctor_lang::{Zone, deciding_part, zone};
use proctor_world::objects::CommitText;
use proctor_world::shadow::Shadow;
use std::time::Instant;

/// How it ended.
#[derive(Debug)]
pub enum RedEnd {
    Proven(Box<RedShown>),
    /// Each with what would be accepted.
    Refused(Vec<String>),
    Interrupted,
}

/// What was shown, and what is sealed by it.
#[derive(Debug)]
pub struct RedShown {
    /// The sealed tests on the base's code.
    pub tests: Point,
    pub red: Vec<TestId>,
    pub guards: Vec<TestId>,
    pub seal: Seal,
}

/// Runs the tests of a checkout, as it was photographed, on the base's production code.
pub fn prove_red(
    shop: &Shop,
    brief: &Brief,
    seen: &Point,
    tell: &mut dyn FnMut(&str),
) -> Result<RedEnd, String> {
    let setting = Setting::of(brief, &Limits::default());
    let (brief, seen) = (brief.clone(), seen.clone());
    let ended = attended(shop, ("guard", setting, None), tell, move |lab| red(lab, &brief, &seen));
    match ended {
        Ok(Ok(end)) => Ok(end),
        Ok(Err(Halt::Cancelled)) => Ok(RedEnd::Interrupted),
        Ok(Err(Halt::TimeUp)) => Err("the time is used up".to_owned()),
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => Err(why),
        Err(Broke) => Err("proving red broke; this is a bug in Proctor".to_owned()),
    }
}

fn red(lab: &Lab, brief: &Brief, seen: &Point) -> Result<RedEnd, Halt> {
    let shadow = lab.shadow()?;
    let base = shadow.tree_of(&lab.base)?;
    let tree = with_tests_of(&shadow, &base, (&base, &seen.tree))?;
    if tree == base {
        let none = "no test file has changed since the task began; accepted: a new test that fails without the change";
        return Ok(RedEnd::Refused(vec![none.to_owned()]));
    }
    let text = CommitText { message: "tests", author: &brief.landing.author, at: Millis(0) };
    let commit = shadow.commit(&tree, &[&lab.base], &text)?;
    let tests = Point { commit, tree };
    lab.say("the base's tests");
    let began = Instant::now();
    let at_base = lab.suite_of(&shadow, &base)?;
    let baselines = Baselines { lab, shadow: &shadow };
    let (baseline, _) = baselines.with(&base, at_base)?;
    lab.say("the new tests on the base's code");
    let is_long = began.elapsed().as_millis() > u128::from(LONG_SUITE_MS);
    let exam = RedExam { lab, shadow: &shadow, brief, base: &base, tests: &tests, is_long };
    let (measure, _) = exam.sit(baseline)?;
    match Anchor::judge(brief, &measure, &tests) {
        Err(faults) => Ok(RedEnd::Refused(faults.iter().map(RedFault::advice).collect())),
        Ok(anchor) => {
            let seal = seal(&shadow, &tests.tree)?;
            let (red, guards) = (anchor.red().to_vec(), anchor.guards().to_vec());
            Ok(RedEnd::Proven(Box::new(RedShown { tests, red, guards, seal })))
        }
    }
}

/// Every test file, what decides how tests run, and the tests that stand in production files.
fn seal(shadow: &Shadow, tree: &TreeId) -> Result<Seal, Halt> {
    let listing = shadow.list(tree)?;
    let is_mixed = |path: &str| {
        zone(path) == Zone::Production && (is_rust(path) || deciding_part(path, b"").is_some())
    };
    let mixed = sources(shadow, &listing, is_mixed)?.0;
    let holds = |path: &str| {
        mixed.get(path).is_some_and(|bytes| {
            let text = String::from_utf8_lossy(bytes);
            deciding_part(path, bytes).is_some() || !parts(&text).tests.is_empty()
        })
    };
    let mut seal = Seal::new();
    for (path, entry) in listing.iter() {
        let extent = match zone(path) {
            Zone::Test | Zone::Deciding => Extent::Whole,
            Zone::Production if holds(path) => Extent::Part,
            Zone::Production => continue,
        };
        let (oid, mode) = (entry.oid.clone(), entry.mode.octal().to_owned());
        seal.insert(path.clone(), Sealed { oid, mode, extent });
    }
    Ok(seal)
}
