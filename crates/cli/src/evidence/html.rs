//! A pack as one page for a browser, whole in itself: its own style, no script, nothing loaded. Every piece of text goes
//! through `escaped`.

use super::pack::{Command, GateRow, Output, Pack, Part};
use super::summary;
use crate::amount::show_usd;
use crate::harmless::one_line;
use crate::verdict::digest::{escaped, took, verdict_mark};
use crate::verdict::html::{card, diff_html};
use proctor_core::branch::{Fate, Mutant};
use proctor_core::cost::PhaseCost;
use proctor_core::words::Phase;
use proctor_core::words::TestId;
use std::fmt::Write;

const STYLE: &str = concat!(include_str!("../verdict/page.css"), include_str!("page.css"));

/// As many rows of one table are shown: a browser has to lay all of them out.
const ROWS: usize = 2_000;

pub fn render(pack: &Pack) -> String {
    let verdict = pack.verdict.name();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"{verdict}\">\n<main>\n",
        escaped(&one_line(&format!("{verdict}: {}", pack.run)))
    );
    page.push_str(&banner(pack));
    page.push_str(&tests(pack));
    page.push_str(&section("Checks", &pack.checks.iter().map(card).collect::<String>()));
    page.push_str(&section(
        "Red and green",
        &pack.gates.iter().map(|g| gate(pack, g)).collect::<String>(),
    ));
    page.push_str(&mutants(&pack.mutants));
    page.push_str(&diff(pack, Part::Tests, "Change of the tests", &pack.tests_diff));
    page.push_str(&diff(pack, Part::Code, "Change of the code", &pack.code_diff));
    page.push_str(&steps(pack));
    page.push_str(&section("Commands", &commands(pack)));
    page.push_str(&surroundings(pack));
    page.push_str(&history(pack));
    let _ = write!(
        page,
        "<footer>Made by proctor {} from its journal. `proctor verify PACK` replays it. Paths of the machine and what \
         looks like a secret are masked; hashes are of the bytes as they were.</footer>\n</main>\n</body>\n</html>\n",
        escaped(&pack.proctor)
    );
    page
}

fn banner(pack: &Pack) -> String {
    let mut facts = String::new();
    let mut fact = |name: &str, text: &str, code: bool| {
        let text = escaped(&one_line(text));
        let text = if code { format!("<code>{text}</code>") } else { text };
        let _ = writeln!(facts, "<div><dt>{name}</dt><dd>{text}</dd></div>");
    };
    fact("status", &pack.status, false);
    fact("base", pack.base.commit.short(), true);
    if let Some(proven) = &pack.proven {
        fact("proven tree", proven.tree.short(), true);
    }
    if let Some(landed) = &pack.landed {
        fact("landed", &format!("{} on {}", landed.commit.short(), landed.branch), true);
    }
    fact("spent", &summary::spent(pack), false);
    let reason = if pack.reason.is_empty() { &pack.task.description } else { &pack.reason };
    format!(
        "<header>\n<p class=\"verdict\"><span class=\"mark\">{}</span> {}</p>\n<p class=\"reason\">{} ({}): {}</p>\n\
         <p class=\"reason\">{}</p>\n<dl>\n{facts}</dl>\n</header>\n",
        verdict_mark(pack.verdict),
        pack.verdict.name(),
        escaped(&one_line(pack.task.id.as_str())),
        pack.task.kind,
        escaped(&one_line(&pack.task.description)),
        escaped(&one_line(reason)),
    )
}

/// A heading with what stands under it; nothing where nothing does.
fn section(title: &str, inside: &str) -> String {
    if inside.is_empty() {
        return String::new();
    }
    format!("<h2>{title}</h2>\n<div class=\"checks\">\n{inside}</div>\n")
}

fn table(head: &[&str], rows: &[String]) -> String {
    let mut out = String::from("<div class=\"box wide\"><table>\n<thead><tr>");
    for name in head {
        let _ = write!(out, "<th>{name}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    out.extend(rows.iter().take(ROWS).map(String::as_str));
    out.push_str("</tbody>\n</table></div>\n");
    if rows.len() > ROWS {
        let _ = writeln!(out, "<p class=\"more\">… and {} more</p>", rows.len() - ROWS);
    }
    out
}

fn row(cells: &[String]) -> String {
    format!("<tr><td>{}</td></tr>\n", cells.join("</td><td>"))
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(&one_line(text)))
}

fn chip(class: &str, text: &str) -> String {
    format!("<span class=\"chip {class}\">{}</span>", escaped(text))
}

fn tests(pack: &Pack) -> String {
    let of = |ids: &[TestId], class: &str, word: &str, means: &str| -> Vec<String> {
        let cells = |id: &TestId| [chip(class, word), code(id.as_str()), escaped(means)];
        ids.iter().map(|id| row(&cells(id))).collect()
    };
    let sealed = &pack.sealed;
    let mut rows = of(&sealed.red, "fail", "red", "fails on the old code for a right reason");
    rows.extend(of(&sealed.guards, "pass", "guard", "passes on the old code too"));
    rows.extend(of(&sealed.others, "note", "other", "fails on the old code, which proves nothing"));
    rows.extend(of(&sealed.changed, "warn", "changed", "an older test with another text"));
    rows.extend(of(&sealed.held_out, "note", "held out", "the coder was not shown it"));
    if rows.is_empty() {
        return String::new();
    }
    let mut out =
        format!("<h2>Sealed tests</h2>\n{}", table(&["kind", "test", "what it means"], &rows));
    if let Some(green) = &pack.green {
        let covered = green.coverage.map(|share| format!(", {share} of the changed lines run"));
        let _ = writeln!(
            out,
            "<p class=\"after\">{} tests passed on the proven tree{}.</p>",
            green.passed,
            covered.unwrap_or_default()
        );
    }
    out
}

fn gate(pack: &Pack, gate: &GateRow) -> String {
    let class = match gate.outcome.name() {
        "proven" => "pass",
        "refused" => "fail",
        _ => "note",
    };
    let mut out = format!(
        "<details class=\"check {class}\">\n<summary><span class=\"pill\">{}</span> <b>{}</b> \
         <span class=\"say\">{}</span></summary>\n",
        gate.outcome.name(),
        gate.gate.name(),
        escaped(&one_line(gate.said.first().map_or("", String::as_str))),
    );
    if gate.said.len() > 1 {
        let _ =
            writeln!(out, "<article class=\"text\">{}</article>", escaped(&gate.said.join("\n")));
    }
    let _ = writeln!(
        out,
        "<p class=\"asks\">step {}, {}, blob {}</p>",
        gate.effect,
        code(&gate.file),
        code(gate.evidence.as_str())
    );
    let own = pack.commands.iter().filter(|command| command.effect == gate.effect);
    for command in own {
        out.push_str(&output(command, "stdout", &command.stdout));
        out.push_str(&output(command, "stderr", &command.stderr));
    }
    out + "</details>\n"
}

fn output(command: &Command, which: &str, text: &Output) -> String {
    let Some(shown) = &text.text else { return String::new() };
    format!(
        "<article>\n<p class=\"where\"><span>{}</span> <span>{which}</span> <span>{}</span></p>\n<pre class=\"out\">{}</pre>\n</article>\n",
        code(&command.name),
        escaped(&command.end.to_string()),
        escaped(shown)
    )
}

fn mutants(mutants: &[Mutant]) -> String {
    if mutants.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h2>Mutants</h2>\n<div class=\"checks\">\n");
    for mutant in mutants.iter().take(ROWS) {
        let (class, word) = match mutant.fate {
            Fate::Killed => ("pass", "killed"),
            Fate::Survived => ("fail", "survived"),
            Fate::NotViable => ("note", "not viable"),
            Fate::NotTried => ("note", "not tried"),
        };
        let _ = write!(
            out,
            "<details class=\"check {class}\">\n<summary><span class=\"pill\">{word}</span> <b>{}</b> \
             <span class=\"say\">{}</span></summary>\n<article>{}</article></details>\n",
            escaped(&one_line(&mutant.place.to_string())),
            escaped(&one_line(&mutant.what)),
            diff_html(&mutant.diff)
        );
    }
    out + "</div>\n"
}

fn diff(pack: &Pack, part: Part, title: &str, text: &Output) -> String {
    let files = pack.files.iter().filter(|file| file.part == part);
    let rows: Vec<String> = files
        .map(|file| {
            let count = |n: Option<u64>| n.map_or_else(|| "binary".to_owned(), |n| n.to_string());
            row(&[code(&file.path), count(file.added), count(file.deleted)])
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let shown = match &text.text {
        Some(text) => diff_html(text),
        None => format!(
            "<p class=\"after\">Too long for this page: sha256 {}.</p>\n",
            code(&text.was.sha256)
        ),
    };
    format!("<h2>{title}</h2>\n{}{shown}", table(&["file", "added", "deleted"], &rows))
}

fn steps(pack: &Pack) -> String {
    let rows: Vec<String> = pack
        .effects
        .iter()
        .map(|effect| {
            let commands = pack.commands.iter().filter(|c| c.effect == effect.no).count();
            row(&[
                effect.no.to_string(),
                escaped(&effect.step),
                effect.took_ms.map_or_else(|| "cut off".to_owned(), took),
                commands.to_string(),
                effect.tokens.to_string(),
                show_usd(effect.micro_usd),
            ])
        })
        .collect();
    let head = ["step", "what", "took", "commands", "tokens", "cost"];
    format!("<h2>Time and cost</h2>\n{}{}", phases(pack), table(&head, &rows))
}

fn phases(pack: &Pack) -> String {
    if pack.spent_by_phase.is_empty() {
        return String::new();
    }
    let line = |(phase, cost): (&Phase, &PhaseCost)| {
        let about = if cost.usage.estimated { "about " } else { "" };
        row(&[
            phase.to_string(),
            cost.calls.to_string(),
            format!("{about}{}", cost.usage.tokens),
            format!("{about}{}", show_usd(cost.usage.micro_usd)),
        ])
    };
    let rows: Vec<String> = pack.spent_by_phase.iter().map(line).collect();
    table(&["phase", "agent calls", "tokens", "cost"], &rows)
}

fn commands(pack: &Pack) -> String {
    let mut out = String::new();
    for command in pack.commands.iter().take(ROWS) {
        let fine = command.end.to_string() == "exit 0";
        let _ = write!(
            out,
            "<details class=\"check {}\">\n<summary><span class=\"pill\">{}</span> <b>{} {}</b> \
             <span class=\"say mono\">{}</span></summary>\n<article><dl class=\"facts\">\n\
             <dt>argv</dt><dd>{}</dd>\n<dt>folder</dt><dd>{}</dd>\n<dt>environment</dt><dd>{}</dd>\n\
             <dt>took</dt><dd>{}</dd>\n<dt>stdout</dt><dd>{}</dd>\n<dt>stderr</dt><dd>{}</dd>\n</dl></article>\n</details>\n",
            if fine { "pass" } else { "note" },
            escaped(&command.end.to_string()),
            command.effect,
            escaped(&command.name),
            escaped(&one_line(&command.argv.join(" "))),
            command.argv.iter().map(|word| code(word)).collect::<Vec<_>>().join(" "),
            code(&command.cwd),
            escaped(&command.env.join(", ")),
            took(command.took_ms),
            hash(&command.stdout),
            hash(&command.stderr),
        );
    }
    if pack.commands.len() > ROWS {
        let _ = writeln!(out, "<p class=\"more\">… and {} more</p>", pack.commands.len() - ROWS);
    }
    out
}

fn hash(text: &Output) -> String {
    format!("{} bytes, sha256 {}", text.was.bytes, code(&text.was.sha256))
}

fn surroundings(pack: &Pack) -> String {
    let mut rows: Vec<String> = pack
        .tools
        .iter()
        .map(|(name, said)| row(&[code(name), escaped(&one_line(said))]))
        .collect();
    rows.push(row(&[code("proctor"), escaped(&pack.proctor)]));
    rows.push(row(&[code("platform"), escaped(&pack.platform)]));
    format!("<h2>Tools</h2>\n{}", table(&["tool", "version"], &rows))
}

fn history(pack: &Pack) -> String {
    let mut out = String::new();
    for told in &pack.history {
        let lines: Vec<String> = told.lines.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(out, "<li value=\"{}\">{}</li>", told.seq, lines.join("<br>"));
    }
    let mut page = format!("<h2>History</h2>\n<ol class=\"left\">\n{out}</ol>\n");
    if !pack.missing.is_empty() {
        page.push_str("<h2>Missing</h2>\n<ul class=\"left\">\n");
        for text in &pack.missing {
            let _ = writeln!(page, "<li>{}</li>", escaped(&one_line(text)));
        }
        page.push_str("</ul>\n");
    }
    page
}
