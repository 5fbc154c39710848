//! A verification as one page for a browser, whole in itself: its own style, no script, nothing loaded. Every piece of
//! text goes through `escaped`.

use super::digest::{self, Group, escaped};
use crate::harmless::one_line;
use proctor_core::verdict::{Change, Check, CheckStatus, Finding, Verification, Weight};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// As many findings of one check are shown.
const FINDINGS: usize = 200;
/// As many tests of one group are shown: a browser has to lay all of them out.
const TESTS: usize = 2_000;

pub fn render(v: &Verification) -> String {
    let verdict = v.verdict.name();
    let title = format!("{verdict}: {}..{}", v.base.short(), v.head.short());
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"{verdict}\">\n<main>\n",
        escaped(&one_line(&title))
    );
    page.push_str(&banner(v));
    page.push_str(&accepted(v));
    page.push_str("<h2>Checks</h2>\n<div class=\"checks\">\n");
    for check in &v.checks {
        page.push_str(&card(check));
    }
    page.push_str("</div>\n");
    page.push_str(&tests(v));
    page.push_str(&left_out(v));
    let _ = write!(
        page,
        "<footer>proctor {} ran the tests itself. What could not be judged is never counted as proven.</footer>\n\
         </main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    page
}

fn banner(v: &Verification) -> String {
    format!(
        "<header>\n<p class=\"verdict\"><span class=\"mark\">{}</span> {}</p>\n<p class=\"reason\">{}</p>\n\
         <dl>\n<div><dt>base</dt><dd><code title=\"{}\">{}</code></dd></div>\n\
         <div><dt>head</dt><dd><code title=\"{}\">{}</code></dd></div>\n\
         <div><dt>took</dt><dd>{}</dd></div>\n<div><dt>tests</dt><dd>{}</dd></div>\n</dl>\n</header>\n",
        digest::verdict_mark(v.verdict),
        v.verdict.name(),
        escaped(&one_line(&v.reason)),
        escaped(v.base.as_str()),
        escaped(v.base.short()),
        escaped(v.head.as_str()),
        escaped(v.head.short()),
        digest::took(v.took_ms),
        v.tests.len(),
    )
}

fn accepted(v: &Verification) -> String {
    let items = digest::accepted(v);
    if items.is_empty() {
        return String::new();
    }
    let mut out =
        String::from("<section class=\"accepted\">\n<h2>What would be accepted</h2>\n<ul>\n");
    for (name, what) in items {
        let _ = writeln!(out, "<li><b>{name}</b>: {}</li>", escaped(&what));
    }
    out + "</ul>\n</section>\n"
}

/// A check is one line; it opens to what it looked at and what it found. Where something matters it is open.
pub fn card(check: &Check) -> String {
    let status = check.status.name();
    let matters = check.details.iter().any(|f| f.weight >= Weight::Warning);
    let open = match check.status {
        CheckStatus::Fail | CheckStatus::Error | CheckStatus::Warn if matters => " open=\"\"",
        CheckStatus::Fail
        | CheckStatus::Error
        | CheckStatus::Warn
        | CheckStatus::Pass
        | CheckStatus::Skip => "",
    };
    let mut out = format!(
        "<details class=\"check {status}\"{open}>\n<summary><span class=\"pill\">{} {status}</span> \
         <b>{}</b> <span class=\"say\">{}</span></summary>\n<p class=\"asks\">{}</p>\n",
        digest::status_mark(check.status),
        check.name,
        escaped(&one_line(&check.summary)),
        escaped(digest::measures(check.name)),
    );
    let mut details: Vec<&Finding> = check.details.iter().collect();
    details.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    for finding in details.iter().take(FINDINGS) {
        out.push_str(&finding_html(finding));
    }
    if details.len() > FINDINGS {
        let _ = writeln!(out, "<p class=\"more\">… and {} more</p>", details.len() - FINDINGS);
    }
    out + "</details>\n"
}

fn finding_html(finding: &Finding) -> String {
    let class = match finding.weight {
        Weight::Note => "note",
        Weight::Warning => "warn",
        Weight::NeedsPerson | Weight::Unjudged => "error",
        Weight::Refutes => "fail",
    };
    let mut out = format!(
        "<article class=\"{class}\">\n<p class=\"text\"><span class=\"weight\">{}</span> {}</p>\n",
        digest::weight(finding.weight),
        escaped(finding.text.trim_end())
    );
    let known = digest::whereabouts(finding);
    if !known.is_empty() {
        out.push_str("<p class=\"where\">");
        for (word, what) in known {
            let _ = write!(out, "<span>{word} <code>{}</code></span> ", escaped(&one_line(&what)));
        }
        out.push_str("</p>\n");
    }
    if let Some(diff) = &finding.diff {
        out.push_str(&diff_html(diff));
    }
    out + "</article>\n"
}

pub fn diff_html(diff: &str) -> String {
    let mut out = String::from("<pre class=\"diff\">");
    for line in diff.lines() {
        let class = match line.chars().next() {
            _ if line.starts_with("+++") || line.starts_with("---") => "file",
            Some('+') => "add",
            Some('-') => "del",
            Some('@') => "hunk",
            _ => "same",
        };
        // A line is a block of its own: the new line inside keeps empty lines and copies well.
        let _ = write!(out, "<span class=\"{class}\">{}\n</span>", escaped(line));
    }
    out + "</pre>\n"
}

/// What changed in one table, the worst first; the rest folded away.
fn tests(v: &Verification) -> String {
    let mut out = String::from("<h2>Tests</h2>\n");
    if v.tests.is_empty() {
        return out + "<p>none</p>\n";
    }
    let groups = digest::groups(v);
    out.push_str("<p class=\"counts\">");
    for group in &groups {
        let name = group.change.name();
        let count = group.rows.len();
        let _ = write!(out, "<span class=\"chip {name}\">{count} {name}</span> ");
    }
    out.push_str("</p>\n");
    let (same, changed): (Vec<&Group>, Vec<&Group>) =
        groups.iter().partition(|group| group.change == Change::Unchanged);
    if !changed.is_empty() {
        let rows: String = changed.into_iter().map(rows).collect();
        let _ = writeln!(out, "<div class=\"box\">{}</div>", table(&rows));
    }
    for group in same {
        let _ = writeln!(
            out,
            "<details class=\"rest\">\n<summary><b>unchanged</b> <span class=\"say\">{}</span></summary>\n{}</details>",
            group.rows.len(),
            table(&rows(group))
        );
    }
    out
}

fn table(rows: &str) -> String {
    format!(
        "<table>\n<thead><tr><th>change</th><th>test</th><th>base → head</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    )
}

fn rows(group: &Group<'_>) -> String {
    let name = group.change.name();
    let chip = format!("<td class=\"change\"><span class=\"chip {name}\">{name}</span></td>");
    let mut out = String::new();
    for (id, row) in group.rows.iter().take(TESTS) {
        let _ = writeln!(
            out,
            "<tr>{chip}<td class=\"id\"><code>{}</code></td><td class=\"ends\">{} → {}</td></tr>",
            escaped(&one_line(id.as_str())),
            end(&row.base),
            end(&row.head),
        );
    }
    if group.rows.len() > TESTS {
        let more = group.rows.len() - TESTS;
        let _ = writeln!(out, "<tr>{chip}<td class=\"id\">… and {more} more</td><td></td></tr>");
    }
    out
}

fn end(word: &str) -> String {
    let class = match word {
        "passed" => "passed",
        "failed" | "errored" => "failed",
        "flaky" => "flaky",
        _ => "other",
    };
    format!("<span class=\"end {class}\">{}</span>", escaped(&one_line(word)))
}

fn left_out(v: &Verification) -> String {
    if v.left_out.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h2>Left out</h2>\n<ul class=\"left\">\n");
    for text in &v.left_out {
        let _ = writeln!(out, "<li>{}</li>", escaped(&one_line(text)));
    }
    out + "</ul>\n"
}
