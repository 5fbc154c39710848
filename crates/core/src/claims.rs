//! What a description says of a change, held against what was measured. A claim is shown, not shown or contradicted; none of that
//! touches the verdict, so no claim can make anything pass. What can't be told by the tests' results is not taken for a claim.

use crate::concern::Concern;
use crate::verdict::{Change, TestRow, Verdict, Verification};
use serde::{Deserialize, Serialize};

/// A sentence of the description, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimHeld {
    pub claim: String,
    pub outcome: ClaimOutcome,
    /// What was measured.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimOutcome {
    Shown,
    NotShown,
    Contradicted,
}

impl ClaimOutcome {
    pub fn name(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::NotShown => "not shown",
            Self::Contradicted => "contradicted",
        }
    }
}

/// What kind of claim a sentence makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Something was wrong, and is right now.
    Mends,
    /// Something is there that was not.
    Adds,
    /// Everything does what it did.
    ChangesNothing,
    /// Words alone.
    OnlyWords,
    BringsTests,
}

/// A longer description is not read on.
const MOST: usize = 50;
const LONGEST: usize = 200;

/// The claims of a description, in its order.
pub fn held(description: &str, v: &Verification) -> Vec<ClaimHeld> {
    sentences(description)
        .into_iter()
        .filter_map(|sentence| Some((sort(&sentence)?, sentence)))
        .take(MOST)
        .map(|(sort, claim)| {
            let (outcome, why) = measured(sort, v);
            ClaimHeld { claim: claim.chars().take(LONGEST).collect(), outcome, why }
        })
        .collect()
}

/// Lines and sentences outside of fenced blocks and quotations.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with('>') && !line.starts_with("<!--") {
            let bare = line.trim_start_matches(['-', '*', '+', '#', ' ']);
            let parts = bare.split(". ").map(|part| part.trim().trim_end_matches('.'));
            found.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
        }
    }
    found
}

fn sort(sentence: &str) -> Option<Sort> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '#').collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let says = |phrase: &[&str]| words.windows(phrase.len()).any(|part| part == phrase);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let nothing = [
        &["no", "behaviour", "change"][..],
        &["no", "behavior", "change"],
        &["no", "behavioural", "change"],
        &["no", "behavioral", "change"],
        &["no", "functional", "change"],
        &["no", "functional", "changes"],
        &["no", "api", "change"],
        &["no", "api", "changes"],
        &["no", "breaking", "change"],
        &["no", "breaking", "changes"],
        &["pure", "refactoring"],
        &["refactoring", "only"],
        &["refactor", "only"],
    ];
    if nothing.iter().any(|phrase| says(phrase)) {
        return Some(Sort::ChangesNothing);
    }
    let docs = [
        &["docs", "only"][..],
        &["documentation", "only"],
        &["comments", "only"],
        &["only", "documentation"],
    ];
    if docs.iter().any(|phrase| says(phrase)) {
        return Some(Sort::OnlyWords);
    }
    // What is denied is no claim that a result could show.
    if has(&["not", "no", "never", "without", "don't", "doesn't", "won't", "todo"]) {
        return None;
    }
    let adds = [
        "add",
        "adds",
        "added",
        "introduce",
        "introduces",
        "implement",
        "implements",
        "support",
        "supports",
    ];
    let tests = has(&["test", "tests"]);
    let first = words.first().copied().unwrap_or_default();
    if tests && (has(&adds) || first == "tests" || first == "test") {
        return Some(Sort::BringsTests);
    }
    let mends =
        ["fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved"];
    if mends.contains(&first) || (has(&mends) && words.iter().any(|word| is_reference(word))) {
        return Some(Sort::Mends);
    }
    (adds.contains(&first) || first == "feat").then_some(Sort::Adds)
}

fn is_reference(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn measured(sort: Sort, v: &Verification) -> (ClaimOutcome, String) {
    use ClaimOutcome::{Contradicted, NotShown, Shown};
    let counted =
        |count: usize| if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    let of = |wanted: &dyn Fn(&TestRow) -> bool| v.tests.values().filter(|row| wanted(row)).count();
    let red = of(&|row| {
        matches!(row.change, Change::New | Change::Fixed)
            && row.head == "passed"
            && row.base != "passed"
    });
    let new = of(&|row| row.change == Change::New);
    let broken = of(&|row| row.change == Change::Regression);
    let moved = v.checks.iter().flat_map(|check| &check.details).find(|finding| {
        matches!(finding.kind, Some(Concern::ChangedBehaviour | Concern::ChangedTests))
    });
    let decided = v.verdict == Verdict::Proven;
    match sort {
        Sort::Mends | Sort::Adds if broken > 0 && red == 0 => {
            (Contradicted, format!("{} that passed before fail now", counted(broken)))
        }
        Sort::Mends | Sort::Adds if red > 0 && decided => {
            (Shown, format!("{} fail without the change and pass with it", counted(red)))
        }
        Sort::Mends | Sort::Adds if red > 0 => (
            NotShown,
            format!(
                "{} fail without the change and pass with it, but the verdict is {}",
                counted(red),
                v.verdict.name()
            ),
        ),
        Sort::Mends | Sort::Adds => {
            (NotShown, "no test fails without the change and passes with it".to_owned())
        }
        Sort::ChangesNothing if broken > 0 => {
            (Contradicted, format!("{} that passed before fail now", counted(broken)))
        }
        Sort::ChangesNothing if red > 0 => {
            (Contradicted, format!("{} fail without the change and pass with it", counted(red)))
        }
        Sort::ChangesNothing => match (moved, v.verdict) {
            (Some(finding), _) => {
                (Contradicted, finding.text.lines().next().unwrap_or_default().to_owned())
            }
            (None, Verdict::Unaffected) => {
                (Shown, "no code changed that any build or test opens".to_owned())
            }
            (None, Verdict::Proven) => {
                (Shown, "every older test passes as before, and none asks for less".to_owned())
            }
            (None, Verdict::Refuted | Verdict::Inconclusive) => {
                (NotShown, format!("the verdict is {}", v.verdict.name()))
            }
        },
        Sort::OnlyWords if v.verdict == Verdict::Unaffected => {
            (Shown, "nothing changed that any build or test opens".to_owned())
        }
        Sort::OnlyWords => (Contradicted, "more changed than words".to_owned()),
        Sort::BringsTests if new > 0 => (Shown, format!("{} were not there before", counted(new))),
        Sort::BringsTests => (Contradicted, "every test was there before".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{CommitId, TestId};

    fn answer(verdict: Verdict, rows: &[(&str, &str, Change)]) -> Verification {
        let row = |(base, head, change): &(&str, &str, Change)| TestRow {
            base: (*base).to_owned(),
            head: (*head).to_owned(),
            replayed: None,
            change: *change,
        };
        Verification {
            verdict,
            reason: String::new(),
            base: CommitId::new("b"),
            head: CommitId::new("h"),
            checks: Vec::new(),
            tests: rows
                .iter()
                .enumerate()
                .map(|(n, r)| (TestId::new(format!("t{n}")), row(r)))
                .collect(),
            observations: Vec::new(),
            mutants: Vec::new(),
            looked: Vec::new(),
            left_out: Vec::new(),
            took_ms: 0,
            kept: false,
            claims: Vec::new(),
        }
    }

    fn outcomes(text: &str, v: &Verification) -> Vec<ClaimOutcome> {
        held(text, v).into_iter().map(|claim| claim.outcome).collect()
    }

    #[test]
    fn claims_are_held_against_what_was_measured() {
        use ClaimOutcome::{Contradicted, NotShown, Shown};
        let text = "Fixes #12. Adds a retry option.\n\n- no API change\n- adds tests\n";
        let red = ("failed", "passed", Change::New);
        let proven = answer(Verdict::Proven, &[red]);
        assert_eq!(outcomes(text, &proven), [Shown, Shown, Contradicted, Shown]);
        let old = ("passed", "passed", Change::Unchanged);
        assert_eq!(
            outcomes(text, &answer(Verdict::Proven, &[old])),
            [NotShown, NotShown, Shown, Contradicted]
        );
        let waits = answer(Verdict::Inconclusive, &[red]);
        assert_eq!(outcomes("closes #3", &waits), [NotShown]);
        let broken = answer(Verdict::Refuted, &[("passed", "failed", Change::Regression)]);
        assert_eq!(
            outcomes("Fix the parser. Pure refactoring", &broken),
            [Contradicted, Contradicted]
        );
        assert_eq!(outcomes("docs only", &answer(Verdict::Unaffected, &[])), [Shown]);
        assert_eq!(outcomes("docs only", &proven), [Contradicted]);
    }

    #[test]
    fn what_says_nothing_that_tests_could_show_is_no_claim() {
        let proven = answer(Verdict::Proven, &[]);
        let text = "This is faster.\n> Fixes #1\n```\nadds x\n```\nDoes not add a flag.\nSee #4\n<!-- closes #5 -->";
        assert_eq!(outcomes(text, &proven), []);
    }
}
