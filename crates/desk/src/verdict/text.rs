//! A verification for people at a terminal. Whatever comes from the tested code is made harmless first; long lists are
//! cut here, since `json` has all of it.

use super::digest::{self, Group};
use super::{Look, observed};
use crate::text::harmless::{harmless, one_line};
use anstyle::{AnsiColor, Style};
use proctor_core::verdict::{
    Change, Check, CheckName, CheckStatus, Finding, Verdict, Verification, Weight,
};

/// As many findings of one check are shown.
const FINDINGS: usize = 20;
/// As many lines of one diff are shown.
const DIFF_LINES: usize = 40;
/// As many tests of one group are shown.
const TESTS: usize = 12;

pub fn render(v: &Verification, look: Look) -> String {
    let mut lines = head(v, look);
    lines.extend(findings(v, look));
    let seen = observed::lines(&v.observations, look);
    if !seen.is_empty() {
        lines.extend([
            String::new(),
            "Observed: what the new tests' assertions see, base and head".into(),
        ]);
        lines.extend(seen);
    }
    lines.extend(listed("Claims of the description", digest::claims(v).into_iter()));
    lines.extend(tests(v, look));
    lines.extend(listed("Left out", v.left_out.iter().map(|text| one_line(text))));
    let accepted = digest::accepted(v).into_iter().map(|(name, text)| format!("{name}: {text}"));
    lines.extend(listed("What would be accepted", accepted));
    lines.push(String::new());
    lines.join("\n")
}

fn head(v: &Verification, look: Look) -> Vec<String> {
    let color = match v.verdict {
        Verdict::Proven | Verdict::Unaffected => AnsiColor::Green,
        Verdict::Refuted => AnsiColor::Red,
        Verdict::Inconclusive => AnsiColor::Yellow,
    };
    let word = format!("{} {}", digest::verdict_mark(v.verdict), v.verdict.name());
    let mut lines = vec![
        format!("{}: {}", paint(look, color, &word), one_line(&v.reason)),
        format!(
            "  {}..{} in {}",
            harmless(v.base.short()),
            harmless(v.head.short()),
            digest::took(v.took_ms)
        ),
    ];
    lines.extend(v.kept.then(|| format!("  {}", digest::KEPT)));
    lines.push(String::new());
    lines.extend(v.checks.iter().map(|check| check_line(check, look)));
    lines
}

fn check_line(check: &Check, look: Look) -> String {
    let color = match check.status {
        CheckStatus::Pass => AnsiColor::Green,
        CheckStatus::Fail => AnsiColor::Red,
        CheckStatus::Warn | CheckStatus::Error => AnsiColor::Yellow,
        CheckStatus::Skip => AnsiColor::BrightBlack,
    };
    let word = format!("{} {:5}", digest::status_mark(check.status), check.status.name());
    let line = format!(
        "  {}  {:12}  {}",
        paint(look, color, &word),
        check.name.name(),
        one_line(&check.summary)
    );
    line.trim_end().to_owned()
}

fn findings(v: &Verification, look: Look) -> Vec<String> {
    let found = digest::mattering(v);
    if found.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "Findings".to_owned()];
    for weight in [Weight::Refutes, Weight::Unjudged, Weight::NeedsPerson, Weight::Warning] {
        for name in CheckName::ALL {
            let these: Vec<&Finding> = found
                .iter()
                .filter(|(check, f)| *check == name && f.weight == weight)
                .map(|(_, finding)| *finding)
                .collect();
            for finding in these.iter().take(FINDINGS) {
                lines.extend(finding_lines(name, finding, look));
            }
            if these.len() > FINDINGS {
                let more = these.len() - FINDINGS;
                lines.push(format!("    … and {more} more of {name}; --format json has all"));
            }
        }
    }
    lines
}

fn finding_lines(name: CheckName, finding: &Finding, look: Look) -> Vec<String> {
    let color = match finding.weight {
        Weight::Refutes => AnsiColor::Red,
        Weight::Unjudged | Weight::NeedsPerson | Weight::Warning => AnsiColor::Yellow,
        Weight::Note => AnsiColor::BrightBlack,
    };
    let mark = digest::weight_mark(finding.weight);
    let word = format!("{mark} {name}, {}:", digest::weight(finding.weight));
    let text = harmless(&finding.text);
    let mut told = text.lines().map(str::trim_end);
    let first = told.next().unwrap_or_default();
    let mut lines = vec![format!("  {} {first}", paint(look, color, &word)).trim_end().to_owned()];
    lines.extend(told.map(|line| format!("      {line}")));
    for (word, what) in digest::whereabouts(finding) {
        lines.push(format!("      {word:4} {}", one_line(&what)));
    }
    if let Some(diff) = &finding.diff {
        let diff = harmless(diff);
        let (shown, left) = digest::first_lines(&diff, DIFF_LINES);
        lines.extend(shown.into_iter().map(|line| format!("        {}", diff_line(line, look))));
        if left > 0 {
            lines.push(format!("        … {left} more lines"));
        }
    }
    lines
}

fn diff_line(line: &str, look: Look) -> String {
    match line.chars().next() {
        Some('+') => paint(look, AnsiColor::Green, line),
        Some('-') => paint(look, AnsiColor::Red, line),
        Some('@') => paint(look, AnsiColor::Cyan, line),
        _ => line.to_owned(),
    }
}

fn tests(v: &Verification, look: Look) -> Vec<String> {
    let mut lines = vec![String::new(), format!("Tests: {}", digest::counts(v))];
    for group in digest::groups(v) {
        lines.extend(group_lines(&group, look));
    }
    lines
}

fn group_lines(group: &Group<'_>, look: Look) -> Vec<String> {
    let color = match group.change {
        // Nothing to see: the count is enough.
        Change::Unchanged => return Vec::new(),
        Change::Regression => AnsiColor::Red,
        Change::Vanished | Change::NewlySkipped | Change::Flaky => AnsiColor::Yellow,
        Change::Fixed | Change::New => AnsiColor::Green,
        Change::PreExisting => AnsiColor::BrightBlack,
    };
    let mut lines = vec![format!("  {}", paint(look, color, group.change.name()))];
    for (id, row) in group.rows.iter().take(TESTS) {
        let (id, base, head) = (one_line(id.as_str()), one_line(&row.base), one_line(&row.head));
        lines.push(format!("    {id}  {base} → {head}"));
    }
    if group.rows.len() > TESTS {
        lines.push(format!("    … and {} more", group.rows.len() - TESTS));
    }
    lines
}

fn listed(title: &str, items: impl Iterator<Item = String>) -> Vec<String> {
    let items: Vec<String> = items.map(|item| format!("  {item}")).collect();
    if items.is_empty() {
        return Vec::new();
    }
    [vec![String::new(), title.to_owned()], items].concat()
}

pub(super) fn paint(look: Look, color: AnsiColor, text: &str) -> String {
    match look {
        Look::Plain => text.to_owned(),
        Look::Coloured => {
            let style = Style::new().fg_color(Some(color.into()));
            format!("{style}{text}{style:#}")
        }
    }
}
