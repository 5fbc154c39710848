//! A verification as Markdown for a comment on a pull or merge request. What comes from the tested code can't leave its
//! place: no markup, no mention, no link, no command of the host. The whole stays under what hosts take.

use super::digest::{self, Group};
use super::observed::{self, Room, Row};
use crate::text::harmless::{harmless, one_line, short};
use proctor_core::looked::Looked;
use proctor_core::verdict::{
    Change, Check, CheckName, CheckStatus, Finding, TestRow, Verdict, Verification, Weight,
};
use proctor_core::words::TestId;
use std::fmt::Write;

/// Hosts refuse comments of more than 65,536 characters; a caller may add a line or two.
const MOST: usize = 60_000;
/// Room for the ends of open sections and the note that something was cut.
const RESERVE: usize = 400;
/// One line of a table or list.
const LINE: usize = 400;
/// The text of one finding.
const TEXT: usize = 2_000;
const DIFF_LINES: usize = 60;
const DIFF_LINE: usize = 300;
/// As many tests of one group are shown.
const TESTS: usize = 200;
const OBSERVED: Room = Room { tests: 30, suspect: 40, shown: 12, value: 120 };

pub fn render(v: &Verification) -> String {
    let mut page = Page { text: String::new(), chars: 0, cut: 0 };
    page.add(&head(v));
    page.add(&checks(&v.checks));
    accepted(&mut page, v);
    claims(&mut page, v);
    findings(&mut page, v);
    looked(&mut page, v);
    seen(&mut page, v);
    tests(&mut page, v);
    left_out(&mut page, v);
    if page.cut > 0 {
        let _ = writeln!(
            page.text,
            "_{} left out of this comment, which may not be longer. `proctor verify --format json` has all of it._\n",
            counted(page.cut, "part was", "parts were")
        );
    }
    page.text.push_str("<sub>Measured by proctor verify, which ran the tests itself.</sub>\n");
    page.text
}

/// The comment so far. A piece is added as a whole or not at all, so that no markup stays open.
struct Page {
    text: String,
    chars: usize,
    cut: usize,
}

impl Page {
    fn add(&mut self, piece: &str) {
        let chars = piece.chars().count();
        if self.chars + chars + RESERVE > MOST {
            self.cut += 1;
        } else {
            self.text.push_str(piece);
            self.chars += chars;
        }
    }

    /// A section that folds, with what stands first in it and as many pieces as there is room for.
    fn fold(&mut self, state: Fold, title: &str, lead: &str, pieces: &[String]) {
        let open = match state {
            Fold::Open => "<details open>",
            Fold::Closed => "<details>",
        };
        let (top, end) =
            (format!("{open}\n<summary>{title}</summary>\n\n{lead}"), "\n\n</details>\n\n");
        let frame = top.chars().count() + end.len();
        if self.chars + frame + RESERVE > MOST {
            self.cut += pieces.len();
            return;
        }
        self.chars += frame;
        self.text.push_str(&top);
        for piece in pieces {
            self.add(piece);
        }
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.text.push_str(end);
    }
}

#[derive(Clone, Copy)]
enum Fold {
    Open,
    Closed,
}

fn head(v: &Verification) -> String {
    let mark = match v.verdict {
        Verdict::Proven => "✅",
        Verdict::Unaffected => "➖",
        Verdict::Refuted => "❌",
        Verdict::Inconclusive => "❔",
    };
    let kept = if v.kept { format!("{}\n\n", digest::KEPT) } else { String::new() };
    format!(
        "## {mark} {}\n\n> {}\n\n{}..{} · {} · tests: {}\n\n{kept}",
        v.verdict.name(),
        prose(&short(&v.reason, LINE)),
        code(v.base.short()),
        code(v.head.short()),
        digest::took(v.took_ms),
        digest::counts(v),
    )
}

fn checks(checks: &[Check]) -> String {
    let mut table = String::from("| | check | summary |\n| --- | --- | --- |\n");
    for check in checks {
        let mark = match check.status {
            CheckStatus::Pass => "✅ pass",
            CheckStatus::Fail => "❌ fail",
            CheckStatus::Warn => "⚠️ warn",
            CheckStatus::Skip => "➖ skip",
            CheckStatus::Error => "❔ error",
        };
        let summary = prose(&short(&check.summary, LINE));
        let _ = writeln!(table, "| {mark} | **{}** | {summary} |", check.name);
    }
    table + "\n"
}

fn accepted(page: &mut Page, v: &Verification) {
    let items = digest::accepted(v);
    if items.is_empty() {
        return;
    }
    let mut text = String::from("What would be accepted:\n\n");
    for (name, what) in items {
        let _ = writeln!(text, "- **{name}**: {}", prose(&what));
    }
    page.add(&(text + "\n"));
}

/// Each claim beside what was measured.
fn claims(page: &mut Page, v: &Verification) {
    if v.claims.is_empty() {
        return;
    }
    let mut text = String::from("| claim | | measured |\n| --- | --- | --- |\n");
    for held in &v.claims {
        let (claim, why) = (prose(&short(&held.claim, LINE)), prose(&short(&held.why, LINE)));
        let _ = writeln!(text, "| {claim} | **{}** | {why} |", held.outcome.name());
    }
    page.add(&(text + "\n"));
}

fn findings(page: &mut Page, v: &Verification) {
    let found = digest::mattering(v);
    for weight in [Weight::Refutes, Weight::Unjudged, Weight::NeedsPerson, Weight::Warning] {
        let these: Vec<String> = found
            .iter()
            .filter(|(_, finding)| finding.weight == weight)
            .map(|(name, finding)| piece(*name, finding))
            .collect();
        let (state, title) = match weight {
            Weight::Refutes => {
                (Fold::Open, counted(these.len(), "finding refutes", "findings refute"))
            }
            Weight::Unjudged => (Fold::Open, format!("{} not judged", these.len())),
            Weight::NeedsPerson => (Fold::Open, format!("{} for a person to look at", these.len())),
            Weight::Warning => (Fold::Closed, counted(these.len(), "warning", "warnings")),
            Weight::Note => (Fold::Closed, counted(these.len(), "note", "notes")),
        };
        if !these.is_empty() {
            page.fold(state, &title, "", &these);
        }
    }
}

fn piece(name: CheckName, finding: &Finding) -> String {
    let text = cut(&harmless(&finding.text), TEXT);
    let mut lines: Vec<String> = text.lines().map(|line| prose(line.trim())).collect();
    for (word, what) in digest::whereabouts(finding) {
        lines.push(format!("{word} {}", code(&short(&what, LINE))));
    }
    let diff = finding.diff.as_deref().map(fenced).unwrap_or_default();
    format!("**{name}**: {}\n\n{diff}", lines.join("<br>"))
}

/// A diff in a fence that it can't close. Each line begins as lines of a diff do, so that none is a command to a host
/// that reads comments line by line.
fn fenced(diff: &str) -> String {
    let diff = harmless(diff);
    let (lines, left) = digest::first_lines(&diff, DIFF_LINES);
    let mut out = String::from("```diff\n");
    for line in lines {
        let gap = if line.starts_with(['+', '-', ' ', '@']) { "" } else { " " };
        let line = cut(line, DIFF_LINE);
        let closes = line.trim_start().starts_with("```");
        let line = if closes { line.replacen('`', "\u{200b}`", 1) } else { line };
        let _ = writeln!(out, "{gap}{line}");
    }
    if left > 0 {
        let _ = writeln!(out, " … {left} more lines");
    }
    out + "```\n\n"
}

/// Which part of the change is shown by which test, and parts that none shows.
fn looked(page: &mut Page, v: &Verification) {
    let row = |one: &Looked| {
        let lines = if one.from == one.to {
            one.from.to_string()
        } else {
            format!("{}-{}", one.from, one.to)
        };
        let place = code(&short(&format!("{}:{lines}", one.file), LINE));
        let part =
            if one.part.is_empty() { String::new() } else { format!(" {}", prose(&one.part)) };
        let tests: Vec<String> = one.by.iter().map(|id| code(&short(id.as_str(), LINE))).collect();
        let by = if tests.is_empty() { "**no test**".to_owned() } else { tests.join("<br>") };
        format!("| {place}{part} | {by} |\n")
    };
    if v.looked.is_empty() {
        return;
    }
    let bare = v.looked.iter().any(|one| one.by.is_empty());
    let state = if bare { Fold::Open } else { Fold::Closed };
    let lead = "| change | shown by |\n| --- | --- |\n";
    let rows: Vec<String> = v.looked.iter().map(row).collect();
    page.fold(state, "Which test shows what", lead, &rows);
}

/// What the assertions of the new tests saw, a fold each.
fn seen(page: &mut Page, v: &Verification) {
    let (tables, left) = observed::tables(&v.observations, OBSERVED);
    for table in &tables {
        let row = |row: &Row| {
            let input = if row.written { format!("**{}**", row.input) } else { code(&row.input) };
            format!("| {input} | {} | {} | {} |\n", code(&row.base), code(&row.head), row.says)
        };
        let mut rows: Vec<String> = table.rows.iter().map(row).collect();
        if table.more > 0 {
            rows.push(format!("| … and {} more | | | |\n", table.more));
        }
        let state = if table.is_suspect { Fold::Open } else { Fold::Closed };
        let title = format!("Observed: {} ({})", code(&short(&table.test, LINE)), table.judged);
        page.fold(state, &title, "| input | base | head | |\n| --- | --- | --- | --- |\n", &rows);
    }
    if left > 0 {
        page.add(&format!(
            "… and {} observed\n\n",
            counted(left, "more test was", "more tests were")
        ));
    }
}

fn tests(page: &mut Page, v: &Verification) {
    let mut rows = Vec::new();
    // How many did not change is in the head.
    for group in digest::groups(v).iter().filter(|group| group.change != Change::Unchanged) {
        rows.extend(group_rows(group));
    }
    if !rows.is_empty() {
        let lead = "| change | test | base → head |\n| --- | --- | --- |\n";
        page.fold(Fold::Closed, "Tests that changed", lead, &rows);
    }
}

fn group_rows(group: &Group<'_>) -> Vec<String> {
    let name = group.change.name();
    let row = |(id, row): &(&TestId, &TestRow)| {
        let (base, head) = (prose(&short(&row.base, 40)), prose(&short(&row.head, 40)));
        format!("| {name} | {} | {base} → {head} |\n", code(&short(id.as_str(), LINE)))
    };
    let mut rows: Vec<String> = group.rows.iter().take(TESTS).map(row).collect();
    if group.rows.len() > TESTS {
        rows.push(format!("| {name} | … and {} more | |\n", group.rows.len() - TESTS));
    }
    rows
}

fn left_out(page: &mut Page, v: &Verification) {
    if v.left_out.is_empty() {
        return;
    }
    let items: Vec<String> =
        v.left_out.iter().map(|text| format!("- {}\n", prose(&short(text, LINE)))).collect();
    page.fold(Fold::Closed, "Left out", "", &items);
}

/// Text that is only text. It never stands at the beginning of a line, where more signs mean something.
fn prose(text: &str) -> String {
    let mut out = inert(text);
    // Mentions, references and addresses are found after entities are read: something invisible must part them.
    for sign in ["&#64;", "&#35;", "&#33;", "&#38;", "&#37;", "&#36;", "&#126;"] {
        out = out.replace(sign, &format!("{sign}&#8203;"));
    }
    out = out.replace("://", "&#58;&#8203;//");
    out.replace("www.", "www&#46;").replace("WWW.", "WWW&#46;")
}

/// A name as it is, in the type of code: hosts look for no mentions there.
pub(crate) fn code(text: &str) -> String {
    format!("<code>{}</code>", inert(text).replace("://", "&#58;//").replace("www.", "www&#46;"))
}

/// On one line, with numbered entities for all that could be markup: they never are, in tables and inside tags alike.
pub(crate) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        if c.is_ascii_punctuation() && !"-.,;:=()/".contains(c) {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).chain(['…']).collect()
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_no_markup_no_mention_and_no_link() {
        assert_eq!(prose("a|b <b> @all"), "a&#124;b &#60;b&#62; &#64;&#8203;all");
        let link = prose("see https://x.y or www.x.y, !12, #3, a_b");
        for sign in ["://", "www.", "!", "_"] {
            assert!(!link.contains(sign), "{sign} in {link}");
        }
    }

    #[test]
    fn each_part_of_the_change_stands_beside_the_tests_that_show_it() {
        let row = |from, to, part: &str, by: &[&str]| Looked {
            file: "a|b.py".to_owned(),
            from,
            to,
            part: part.to_owned(),
            by: by.iter().map(|id| TestId::new(*id)).collect(),
        };
        let looked = vec![row(4, 6, "`price`", &["t::one", "t::two"]), row(12, 12, "", &[])];
        let v = Verification { looked, ..super::super::sample::refuted() };
        let page = render(&v);
        let rows = "<details open>\n<summary>Which test shows what</summary>\n\n| change | shown by |\n| --- | --- |\n| <code>a&#124;b.py:4-6</code> &#96;price&#96; | <code>t::one</code><br><code>t::two</code> |\n| <code>a&#124;b.py:12</code> | **no test** |\n\n</details>";
        assert!(page.contains(rows), "{page}");
    }

    #[test]
    fn a_name_keeps_its_letters() {
        assert_eq!(code("a.b`c\n"), "<code>a.b&#96;c</code>");
    }

    #[test]
    fn no_line_of_a_diff_closes_its_fence_or_is_a_command() {
        let told = fenced("-a\n```\n   ````\n/merge\n+b\n");
        let inside = "-a\n \u{200b}```\n   \u{200b}````\n /merge\n+b\n";
        assert_eq!(told, format!("```diff\n{inside}```\n\n"));
    }
}
