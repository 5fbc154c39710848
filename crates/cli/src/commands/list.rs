//! `proctor list`: the runs that there are, newest first, and what they cost, by run and by day.

use crate::args::{Format, ListArgs};
use crate::out;
use crate::show::table::fitted;
use anyhow::Result;
use proctor_core::event::Usage;
use proctor_core::words::{Millis, Status};
use proctor_desk::run::costs::Costs;
use proctor_desk::run::listing::rows;
use proctor_desk::run::run_id::repository;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::amount::{show_usage, show_usd};
use proctor_desk::text::clock;
use proctor_desk::text::harmless::{one_line, short};
use proctor_journal::{Journal, Listing, RunRow};
use proctor_world::console;
use serde::Serialize;

/// How many days are told.
const MOST_DAYS: usize = 7;

/// A run as a program reads it.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    run: &'a RunRow,
    /// What this run cost.
    spent: Usage,
    /// The day on which it was last heard of, and what all runs together cost on that day.
    day: String,
    day_spent: Usage,
}

pub fn list(around: &Surroundings, args: &ListArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let listing = if args.all { Listing::All } else { Listing::Open };
    let mut rows = rows(&around.home, &journal, listing)?;
    let here = if args.all { None } else { repository(around) };
    let found = rows.len();
    rows.retain(|row| here.as_ref().is_none_or(|root| row.head.repo == *root));
    let elsewhere = found - rows.len();
    let costs = Costs::of(&journal, &rows)?;
    match args.format.format {
        Format::Json => {
            for row in &rows {
                let day = clock::day(row.updated);
                let (spent, day_spent) = (costs.run(&row.id), costs.day(&day));
                out::json(&serde_json::to_string(&Row { run: row, spent, day, day_spent })?);
            }
        }
        Format::Text if rows.is_empty() => {
            out::talk(
                "No open run here. `proctor list --all` shows closed ones and other repositories'.",
            );
        }
        Format::Text => {
            let spent: Vec<Usage> = rows.iter().map(|row| costs.run(&row.id)).collect();
            for line in table(&rows, &spent, clock::now(), console::columns()) {
                out::data(&line);
            }
            for (day, usage) in costs.days().take(MOST_DAYS) {
                out::data(&format!("{day}: {} in all runs", show_usage(usage)));
            }
        }
    }
    if elsewhere > 0 && args.format.format == Format::Text {
        let runs = if elsewhere == 1 { "run is" } else { "runs are" };
        out::talk(&format!("{elsewhere} open {runs} of other repositories: `proctor list --all`."));
    }
    Ok(0)
}

/// The command by which a person goes on from a status.
fn next(status: &str) -> &'static str {
    use Status::{
        AgentError, AwaitingApproval, Blocked, Failed, Interrupted, MaxAttemptsReached, Paused,
        Running,
    };
    let is = |known: &[Status]| known.iter().any(|known| known.name() == status);
    if is(&[AwaitingApproval]) {
        "approve"
    } else if is(&[Paused, Interrupted, Blocked, AgentError]) {
        "resume"
    } else if is(&[Failed, MaxAttemptsReached]) {
        "send-back"
    } else if is(&[Running]) {
        "log -f"
    } else {
        "-"
    }
}

/// What a run cost, in one cell.
pub fn cost(usage: Usage) -> String {
    match (usage.is_none(), usage.estimated) {
        (true, _) => "-".to_owned(),
        (false, true) => format!("~{}", show_usd(usage.micro_usd)),
        (false, false) => show_usd(usage.micro_usd),
    }
}

/// What goes first where the terminal is narrow: the stage, which the status says in short; the cost; the time.
const SPARE: [usize; 3] = [2, 4, 3];

fn table(rows: &[RunRow], spent: &[Usage], now: Millis, columns: Option<usize>) -> Vec<String> {
    let mut cells =
        vec![["RUN", "STATUS", "STAGE", "UPDATED", "COST", "NEXT", "TASK"].map(str::to_owned)];
    for (row, spent) in rows.iter().zip(spent) {
        cells.push([
            one_line(row.id.as_str()),
            row.head.status.clone(),
            row.head.stage.clone(),
            clock::ago(row.updated, now),
            cost(*spent),
            next(&row.head.status).to_owned(),
            short(&row.head.description, 60),
        ]);
    }
    fitted(&cells, columns, &SPARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::words::RunId;
    use proctor_journal::Headline;

    fn row(id: &str, status: &str, open: bool) -> RunRow {
        RunRow {
            id: RunId::new(id),
            created: Millis(0),
            updated: Millis(60_000),
            last_seq: 1,
            head: Headline {
                status: status.to_owned(),
                stage: "implementing".to_owned(),
                description: "Fix the\nsum \u{1b}[31m".to_owned(),
                open,
                ..Headline::default()
            },
        }
    }

    #[test]
    fn the_table_lines_up_and_holds_no_escapes() {
        let rows = [row("sum-ab12", "RUNNING", true), row("x-1", "SUCCESS", false)];
        let spent = [
            Usage { tokens: 9, micro_usd: 1_230_000, estimated: true },
            Usage { tokens: 9, micro_usd: 20_000, estimated: false },
        ];
        insta::assert_snapshot!(
            "list_table",
            table(&rows, &spent, Millis(180_000), None).join("\n")
        );
    }
}
