//! A pack in a few lines, for people.

use super::pack::{FileRow, Pack, Part};
use crate::run::story::named;
use crate::text::amount::{cost_lines, show_usd};
use crate::text::harmless::{harmless, one_line};
use crate::verdict::digest::{took, verdict_mark};
use crate::verdict::{Look, observed};
use proctor_core::branch::Fate;
use proctor_core::concern::Raised;
use proctor_core::words::TestId;
use std::collections::BTreeSet;

pub fn render(pack: &Pack) -> String {
    let mut lines = vec![format!(
        "{} {}: {} ({})",
        verdict_mark(pack.verdict),
        pack.verdict.name(),
        pack.run,
        one_line(&pack.status)
    )];
    let mut field = |name: &str, text: String| {
        for (n, line) in text.lines().enumerate() {
            let name = if n == 0 { name } else { "" };
            lines.push(format!("  {name:<9} {line}"));
        }
    };
    field("reason", harmless(&pack.reason));
    let task = &pack.task;
    field(
        "task",
        format!("{} ({}): {}", one_line(task.id.as_str()), task.kind, one_line(&task.description)),
    );
    field("base", format!("{} (tree {})", pack.base.commit.short(), pack.base.tree.short()));
    if let Some(proven) = &pack.proven {
        field("proven", format!("{} (tree {})", proven.commit.short(), proven.tree.short()));
    }
    if let Some(landed) = &pack.landed {
        field("landed", format!("{} on {}", landed.commit.short(), one_line(&landed.branch)));
    }
    let listed = |all: &[Raised]| {
        all.iter().map(|one| one_line(&one.to_string())).collect::<Vec<_>>().join("\n")
    };
    field("for a person", listed(&pack.raised));
    for taken in &pack.accepted {
        field(
            "accepted",
            format!("{}\n  because: {}", listed(&taken.raised), one_line(&taken.why)),
        );
    }
    field("red", tests(&pack.sealed.red));
    field("guards", tests(&pack.sealed.guards));
    field("others", tests(&pack.sealed.others));
    field("changed", tests(&pack.sealed.changed));
    if !pack.sealed.held_out.is_empty() {
        field("held out", tests(&pack.sealed.held_out));
    }
    field("green", green(pack).unwrap_or_default());
    field("mutants", mutants(pack));
    field("gates", gates(pack));
    field("tests", files(&pack.files, Part::Tests));
    field("code", files(&pack.files, Part::Code));
    field("commands", commands(pack));
    let tools = pack.tools.iter().map(|(name, said)| format!("{name}: {}", one_line(said)));
    field("tools", tools.collect::<Vec<_>>().join("\n"));
    let mut costs = vec![spent(pack)];
    costs.extend(cost_lines(&pack.spent_by_phase));
    field("spent", costs.join("\n"));
    field("missing", harmless(&pack.missing.join("\n")));
    let seen = observed::lines(&pack.observed, Look::Plain);
    if !seen.is_empty() {
        lines.push("  observed, base and head:".to_owned());
        lines.extend(seen.iter().map(|line| format!("  {line}")));
    }
    lines.push(format!("next: proctor evidence {} --tar FILE", pack.run));
    lines.join("\n") + "\n"
}

/// `12 tests passed, 90% of the changed lines run`.
pub fn green(pack: &Pack) -> Option<String> {
    let green = pack.green.as_ref()?;
    let covered = green.coverage.map(|share| format!(", {share} of the changed lines run"));
    Some(format!("{} tests passed{}", green.passed, covered.unwrap_or_default()))
}

fn tests(ids: &[TestId]) -> String {
    named("", ids.iter().map(TestId::as_str)).join("\n")
}

pub fn mutants(pack: &Pack) -> String {
    let of = |fate: Fate| pack.mutants.iter().filter(|mutant| mutant.fate == fate).count();
    let (killed, survived) = (of(Fate::Killed), of(Fate::Survived));
    if pack.mutants.is_empty() {
        return String::new();
    }
    format!("{killed} of {} killed", killed + survived)
}

fn gates(pack: &Pack) -> String {
    let line = |gate: &super::pack::GateRow| {
        format!(
            "{} {} (step {}, {})",
            gate.gate.name(),
            gate.outcome.name(),
            gate.effect,
            gate.file
        )
    };
    pack.gates.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn files(files: &[FileRow], part: Part) -> String {
    let line = |file: &FileRow| match (file.added, file.deleted) {
        (Some(added), Some(deleted)) => format!("+{added} -{deleted}  {}", one_line(&file.path)),
        _ => format!("binary  {}", one_line(&file.path)),
    };
    let own = files.iter().filter(|file| file.part == part);
    own.map(line).collect::<Vec<_>>().join("\n")
}

fn commands(pack: &Pack) -> String {
    if pack.commands.is_empty() {
        return "none was recorded".to_owned();
    }
    let steps: BTreeSet<u32> = pack.commands.iter().map(|command| command.effect).collect();
    format!("{} in {} steps", pack.commands.len(), steps.len())
}

pub fn spent(pack: &Pack) -> String {
    let spent = &pack.spent;
    let about = if spent.usage.estimated { "about " } else { "" };
    format!(
        "{}, {} agent calls, {about}{} tokens, {about}{}",
        took(spent.wall_ms),
        spent.calls,
        spent.usage.tokens,
        show_usd(spent.usage.micro_usd)
    )
}
