//! A verification as one page for a browser. What stands on it is chosen here; how it looks is in `pages/verdict.html`.

use super::digest;
use super::observed::{self, Room, Table};
use super::opening::{About, Opening, Pair};
use crate::page;
use proctor_core::generality::Observed;
use proctor_core::verdict::{
    Check, CheckName, CheckStatus, Finding, TestRow, Verification, Weight,
};
use proctor_core::words::TestId;
use serde::Serialize;

/// As many findings of one check are shown.
const FINDINGS: usize = 200;
/// As many tests of one group are shown: a browser has to lay all of them out.
const TESTS: usize = 2_000;
const OBSERVED: Room = Room { tests: 100, suspect: 200, shown: 60, value: 300 };

#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    opening: Opening<'a>,
    base: &'a str,
    base_short: &'a str,
    head: &'a str,
    head_short: &'a str,
    took_ms: u64,
    count: usize,
    accepted: Vec<(CheckName, String)>,
    groups: Vec<Group<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    name: &'static str,
    count: usize,
    more: usize,
    rows: Vec<TestLine<'a>>,
}

#[derive(Serialize)]
struct TestLine<'a> {
    id: &'a str,
    base: &'a str,
    head: &'a str,
}

/// What was observed, as far as a page has room for it.
#[derive(Serialize)]
pub struct Seen {
    tests: Vec<Table>,
    left: usize,
}

/// A check is one line; it opens to what it looked at and what it found. Where something matters it is open.
#[derive(Serialize)]
pub struct Card<'a> {
    name: CheckName,
    status: &'static str,
    mark: &'static str,
    /// None where the first finding says the same.
    summary: Option<&'a str>,
    measures: &'static str,
    open: bool,
    findings: Vec<Found<'a>>,
    more: usize,
}

#[derive(Serialize)]
struct Found<'a> {
    class: &'static str,
    weight: &'static str,
    text: &'a str,
    whereabouts: Vec<(&'static str, String)>,
    diff: Option<&'a str>,
}

pub fn render(v: &Verification) -> String {
    let words = Page {
        opening: Opening::of(About {
            title: format!("{}: {}..{}", v.verdict.name(), v.base.short(), v.head.short()),
            verdict: v.verdict,
            reason: &v.reason,
            pairs: pairs(v),
            observed: &v.observations,
            checks: &v.checks,
            left_out: &v.left_out,
        }),
        base: v.base.as_str(),
        base_short: v.base.short(),
        head: v.head.as_str(),
        head_short: v.head.short(),
        took_ms: v.took_ms,
        count: v.tests.len(),
        accepted: digest::accepted(v),
        groups: digest::groups(v).iter().map(group).collect(),
    };
    page::render("verdict.html", &words)
}

/// The tests that turned green, and those that are new: as they are now, on the code without the change and with it.
fn pairs(v: &Verification) -> Vec<Pair> {
    let turned = v.tests.iter().filter(|(_, row)| row.is_shown());
    let pair = |(id, row): (&TestId, &TestRow)| Pair {
        test: id.to_string(),
        base: row.replayed.as_ref().unwrap_or(&row.base).clone(),
        head: row.head.clone(),
    };
    turned.map(pair).collect()
}

pub fn seen(all: &[Observed]) -> Seen {
    let (tests, left) = observed::tables(all, OBSERVED);
    Seen { tests, left }
}

fn group<'a>(group: &digest::Group<'a>) -> Group<'a> {
    let count = group.rows.len();
    let shown = group.rows.iter().take(TESTS);
    Group {
        name: group.change.name(),
        count,
        more: count.saturating_sub(TESTS),
        rows: shown
            .map(|(id, row)| TestLine { id: id.as_str(), base: &row.base, head: &row.head })
            .collect(),
    }
}

pub fn cards(checks: &[Check]) -> Vec<Card<'_>> {
    checks.iter().map(card).collect()
}

fn card(check: &Check) -> Card<'_> {
    let matters = check.details.iter().any(|f| f.weight >= Weight::Warning);
    let calm = matches!(check.status, CheckStatus::Pass | CheckStatus::Skip);
    let mut details: Vec<&Finding> = check.details.iter().collect();
    details.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    let is_told = details.first().is_some_and(|first| first.text.trim_end() == check.summary);
    Card {
        name: check.name,
        status: check.status.name(),
        mark: digest::status_mark(check.status),
        summary: (!(matters && !calm && is_told)).then_some(check.summary.as_str()),
        measures: digest::measures(check.name),
        open: matters && !calm,
        more: details.len().saturating_sub(FINDINGS),
        findings: details.into_iter().take(FINDINGS).map(found).collect(),
    }
}

fn found(finding: &Finding) -> Found<'_> {
    Found {
        class: match finding.weight {
            Weight::Note => "note",
            Weight::Warning => "warn",
            Weight::NeedsPerson | Weight::Unjudged => "error",
            Weight::Refutes => "fail",
        },
        weight: digest::weight(finding.weight),
        text: finding.text.trim_end(),
        whereabouts: digest::whereabouts(finding),
        diff: finding.diff.as_deref(),
    }
}
