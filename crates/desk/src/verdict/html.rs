//! A verification as one page for a browser. What stands on it is chosen here; how it looks is in `pages/verdict.html`.

use super::digest;
use super::observed::{self, Room, Table};
use crate::page;
use proctor_core::generality::Observed;
use proctor_core::verdict::{Check, CheckName, CheckStatus, Finding, Verification, Weight};
use serde::Serialize;

/// As many findings of one check are shown.
const FINDINGS: usize = 200;
/// As many tests of one group are shown: a browser has to lay all of them out.
const TESTS: usize = 2_000;
const OBSERVED: Room = Room { tests: 100, suspect: 200, shown: 60, value: 300 };

#[derive(Serialize)]
struct Page<'a> {
    title: String,
    verdict: &'static str,
    mark: &'static str,
    reason: &'a str,
    base: &'a str,
    base_short: &'a str,
    head: &'a str,
    head_short: &'a str,
    took_ms: u64,
    count: usize,
    accepted: Vec<(CheckName, String)>,
    cards: Vec<Card<'a>>,
    seen: Seen,
    groups: Vec<Group<'a>>,
    left_out: &'a [String],
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
    summary: &'a str,
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
    let verdict = v.verdict.name();
    let words = Page {
        title: format!("{verdict}: {}..{}", v.base.short(), v.head.short()),
        verdict,
        mark: digest::verdict_mark(v.verdict),
        reason: &v.reason,
        base: v.base.as_str(),
        base_short: v.base.short(),
        head: v.head.as_str(),
        head_short: v.head.short(),
        took_ms: v.took_ms,
        count: v.tests.len(),
        accepted: digest::accepted(v),
        cards: cards(&v.checks),
        seen: seen(&v.observations),
        groups: digest::groups(v).iter().map(group).collect(),
        left_out: &v.left_out,
    };
    page::render("verdict.html", &words)
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
    Card {
        name: check.name,
        status: check.status.name(),
        mark: digest::status_mark(check.status),
        summary: &check.summary,
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
