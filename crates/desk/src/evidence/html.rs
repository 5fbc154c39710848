//! A pack as one page for a browser. What stands on it is chosen here; how it looks is in `pages/evidence.html`.

use super::pack::{Command, Pack};
use super::summary;
use crate::page;
use crate::text::amount::show_usd;
use crate::verdict::digest::took;
use crate::verdict::opening::{About, Opening, Pair};
use proctor_core::branch::{Fate, Mutant};
use proctor_core::words::TestId;
use serde::Serialize;

/// As many rows of one table are shown: a browser has to lay all of them out.
const ROWS: usize = 2_000;

#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    opening: Opening<'a>,
    most: usize,
    pack: &'a Pack,
    facts: Vec<(&'static str, String)>,
    spent: String,
    sealed: Vec<Sealed<'a>>,
    green: Option<String>,
    commands: Vec<Run<'a>>,
    mutants: Vec<Tried<'a>>,
    phases: Vec<Vec<String>>,
    steps: Vec<Vec<String>>,
    tools: Vec<[&'a str; 2]>,
}

#[derive(Serialize)]
struct Sealed<'a> {
    class: &'static str,
    word: &'static str,
    test: &'a TestId,
    means: &'static str,
}

#[derive(Serialize)]
struct Run<'a> {
    #[serde(flatten)]
    command: &'a Command,
    /// How it ended.
    said: String,
}

#[derive(Serialize)]
struct Tried<'a> {
    class: &'static str,
    word: &'static str,
    place: String,
    what: &'a str,
    diff: &'a str,
}

pub fn render(pack: &Pack) -> String {
    let run = |command| Run { command, said: command.end.to_string() };
    let mut tools: Vec<[&str; 2]> =
        pack.tools.iter().map(|(name, said)| [name.as_str(), said.as_str()]).collect();
    tools.extend([["proctor", &pack.proctor], ["platform", &pack.platform]]);
    let words = Page {
        opening: Opening::of(About {
            title: format!("{}: {}", pack.verdict.name(), pack.run),
            verdict: pack.verdict,
            reason: &pack.reason,
            pairs: pairs(pack),
            observed: &pack.observed,
            checks: &pack.checks,
            left_out: &pack.missing,
        }),
        most: ROWS,
        pack,
        facts: facts(pack),
        spent: summary::spent(pack),
        sealed: sealed(pack),
        green: summary::green(pack).map(|green| format!("{green} on the proven tree.")),
        commands: pack.commands.iter().map(run).collect(),
        mutants: pack.mutants.iter().map(tried).collect(),
        phases: phases(pack),
        steps: steps(pack),
        tools,
    };
    page::render("evidence.html", &words)
}

/// What the gates saw of the red tests: what the green gate proved passes.
fn pairs(pack: &Pack) -> Vec<Pair> {
    let head = if pack.proven.is_some() { "passed" } else { "not shown" };
    let pair = |test: &TestId| Pair {
        test: test.to_string(),
        base: "failed".to_owned(),
        head: head.to_owned(),
    };
    pack.sealed.red.iter().map(pair).collect()
}

fn facts(pack: &Pack) -> Vec<(&'static str, String)> {
    let mut facts = vec![("base", pack.base.commit.short().to_owned())];
    if let Some(proven) = &pack.proven {
        facts.push(("proven tree", proven.tree.short().to_owned()));
    }
    if let Some(landed) = &pack.landed {
        facts.push(("landed", format!("{} on {}", landed.commit.short(), landed.branch)));
    }
    facts
}

fn sealed(pack: &Pack) -> Vec<Sealed<'_>> {
    let all = &pack.sealed;
    let kinds = [
        (&all.red, "fail", "red", "fails on the old code for a right reason"),
        (&all.guards, "pass", "guard", "passes on the old code too"),
        (&all.others, "note", "other", "fails on the old code, which proves nothing"),
        (&all.changed, "warn", "changed", "an older test with another text"),
        (&all.held_out, "note", "held out", "the coder was not shown it"),
    ];
    let rows = kinds.into_iter().flat_map(|(tests, class, word, means)| {
        tests.iter().map(move |test| Sealed { class, word, test, means })
    });
    rows.collect()
}

fn tried(mutant: &Mutant) -> Tried<'_> {
    let (class, word) = match mutant.fate {
        Fate::Killed => ("pass", "killed"),
        Fate::Survived => ("fail", "survived"),
        Fate::NotViable => ("note", "not viable"),
        Fate::NotTried => ("note", "not tried"),
    };
    let place = mutant.place.to_string();
    Tried { class, word, place, what: &mutant.what, diff: &mutant.diff }
}

fn steps(pack: &Pack) -> Vec<Vec<String>> {
    let step = |effect: &super::pack::EffectRow| {
        let commands = pack.commands.iter().filter(|c| c.effect == effect.no).count();
        vec![
            effect.no.to_string(),
            effect.step.clone(),
            effect.took_ms.map_or_else(|| "cut off".to_owned(), took),
            commands.to_string(),
            effect.tokens.to_string(),
            show_usd(effect.micro_usd),
        ]
    };
    pack.effects.iter().map(step).collect()
}

fn phases(pack: &Pack) -> Vec<Vec<String>> {
    let costs = pack.spent_by_phase.iter().map(|(phase, cost)| {
        let about = if cost.usage.estimated { "about " } else { "" };
        vec![
            phase.to_string(),
            cost.calls.to_string(),
            format!("{about}{}", cost.usage.tokens),
            format!("{about}{}", show_usd(cost.usage.micro_usd)),
        ]
    });
    costs.collect()
}
