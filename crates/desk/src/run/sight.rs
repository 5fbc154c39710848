//! How a run stands, what was proven, where things are and what to do next.

use crate::run::changes::{Changes, FileChange};
use crate::run::ending::next;
use crate::run::pace::Pace;
use crate::run::story::named;
use crate::text::amount::{cost_lines, show_usd};
use crate::text::clock;
use crate::text::harmless::{harmless, one_line};
use anyhow::Result;
use proctor_core::cost::{PhaseCost, by_phase};
use proctor_core::duration::show_duration;
use proctor_core::event::Event;
use proctor_core::proof::Anchor;
use proctor_core::run::Run;
use proctor_core::words::{Phase, RunId, Status, TestId};
use proctor_engine::Home;
use proctor_journal::{Journal, Lease, Recorded};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A run as it is looked up.
pub struct Seen {
    pub run: Run,
    /// The process that drives it.
    pub driver: Option<u32>,
    pub costs: BTreeMap<Phase, PhaseCost>,
    /// What is under way, for how long, of how long it usually takes.
    pub doing: Option<String>,
}

/// Reads a run's history.
pub fn look(home: &Home, journal: &Journal, id: &RunId) -> Result<Seen> {
    let history: Vec<Recorded<Event>> = journal.history(id)?;
    let Some(run) = Run::replay(history.iter().map(|recorded| &recorded.body)) else {
        anyhow::bail!(
            "the history of run {id} does not begin with a brief\nhint: the journal may be damaged"
        );
    };
    let driver = Lease::held(home.root(), id)?;
    let costs = by_phase(history.iter().map(|recorded| &recorded.body));
    let began = |r: &&Recorded<Event>| matches!(r.body, Event::EffectBegan { .. });
    let since = history.iter().rev().find(began).map(|recorded| recorded.at);
    let doing = match (driver, &run.in_flight, since) {
        (Some(_), Some(_), Some(since)) => {
            let pace = Pace::of(journal, &run.brief.repo.root)?;
            Some(pace.line(&run, clock::now().0.saturating_sub(since.0)))
        }
        _ => None,
    };
    Ok(Seen { run, driver, costs, doing })
}

impl Seen {
    pub fn sight<'a>(&'a self, home: &'a Home, id: &'a RunId) -> Sight<'a> {
        Sight {
            home,
            id,
            run: &self.run,
            driver: self.driver,
            costs: self.costs.clone(),
            doing: self.doing.as_deref(),
        }
    }
}

/// Everything that is shown of a run.
pub struct Sight<'a> {
    pub home: &'a Home,
    pub id: &'a RunId,
    pub run: &'a Run,
    pub driver: Option<u32>,
    /// What each phase cost.
    pub costs: BTreeMap<Phase, PhaseCost>,
    pub doing: Option<&'a str>,
}

impl Sight<'_> {
    pub fn status(&self) -> Status {
        match (self.run.status(), self.driver) {
            (Status::Running, None) => Status::Interrupted,
            (status, _) => status,
        }
    }

    pub fn next(&self) -> Vec<String> {
        if self.status() == Status::Interrupted {
            return vec![
                format!("proctor resume {}", self.id),
                format!("proctor abort {}", self.id),
            ];
        }
        next(self.id, self.run)
    }

    pub fn lines(&self) -> Vec<String> {
        let (run, brief) = (self.run, &self.run.brief);
        let mut lines = vec![format!("{}  {}", self.id, self.status())];
        let mut field = |name: &str, text: String| {
            if !text.is_empty() {
                let mut parts = text.lines();
                lines.push(format!("  {name:<9} {}", parts.next().unwrap_or_default()));
                lines.extend(parts.map(|line| format!("  {:<9} {line}", "")));
            }
        };
        field("reason", harmless(&run.reason()));
        field("stage", run.stage.name().to_owned());
        field("now", self.doing.unwrap_or_default().to_owned());
        field(
            "task",
            format!(
                "{} ({}): {}",
                one_line(brief.task.as_str()),
                brief.kind,
                one_line(&brief.description)
            ),
        );
        let onto = brief.landing.onto.as_deref().unwrap_or("none");
        field("branch", one_line(&brief.landing.branch));
        field("base", format!("{} (lands on {})", run.base.short(), one_line(onto)));
        field("driver", self.driver.map(|pid| format!("process {pid}")).unwrap_or_default());
        field("limits", self.counters());
        field("spent", self.spent());
        field("proof", self.proof().join("\n"));
        if let Some(landed) = &run.landed {
            field("landed", format!("{} on {}", landed.commit.short(), one_line(&landed.branch)));
        }
        field("rescue", run.rescue.as_deref().map(one_line).unwrap_or_default());
        let worktree = self.home.worktree(self.id);
        if worktree.is_dir() {
            field("worktree", worktree.display().to_string());
        }
        field("evidence", self.home.run(self.id).display().to_string());
        field("notes", harmless(&run.notes));
        field("rejected", harmless(&run.rejections.join("\n")));
        for command in self.next() {
            lines.push(format!("next: {command}"));
        }
        lines
    }

    fn counters(&self) -> String {
        let limits = &self.run.limits;
        let counters = self.run.counters.shown(limits);
        format!(
            "red returns {}/{}, fixes {}/{}, reviews {}/{}, agent calls {}/{}",
            counters.red_refusals,
            limits.red,
            counters.fixes,
            limits.green,
            counters.reviews,
            limits.review,
            self.run.spent.calls,
            limits.agent_calls
        )
    }

    fn spent(&self) -> String {
        let (spent, limits) = (&self.run.spent, &self.run.limits);
        let of =
            |limit: Option<String>| limit.map_or_else(String::new, |text| format!(" of {text}"));
        let about = if spent.usage.estimated { "about " } else { "" };
        // Shown to the second: nobody pays by the millisecond.
        let time = show_duration(spent.wall_ms / 1000 * 1000);
        let mut lines = vec![format!(
            "{time}{}, {about}{} tokens{}, {about}{}{}",
            of(limits.wall_ms.map(show_duration)),
            spent.usage.tokens,
            of(limits.tokens.map(|limit| limit.to_string())),
            show_usd(spent.usage.micro_usd),
            of(limits.micro_usd.map(show_usd))
        )];
        lines.extend(cost_lines(&self.costs));
        lines.join("\n")
    }

    fn proof(&self) -> Vec<String> {
        let Some(anchor) = self.run.stage.anchor() else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        let mut list = |title: &str, tests: &[TestId]| {
            if !tests.is_empty() {
                lines.push(title.to_owned());
                lines.extend(named("  ", tests.iter().map(TestId::as_str)));
            }
        };
        list("red on the old code:", anchor.red());
        list("passing on the old code (guards):", anchor.guards());
        list("sealed too (failed, but not as a proof):", anchor.others());
        list("older tests that were changed:", anchor.changed());
        list("held out from the coder:", anchor.unseen());
        match self.run.stage.green() {
            Some(green) => lines.push(format!("green: tree {}", green.at().tree.short())),
            None => lines.push("green: not yet".to_owned()),
        }
        lines
    }

    pub fn files(&self) -> Vec<FileChange> {
        // What can't be looked up is not shown; the facts of the run do not depend on it.
        Changes::of(self.home, self.run)
            .ok()
            .flatten()
            .and_then(|changes| changes.files().ok())
            .unwrap_or_default()
    }

    pub fn json(&self) -> Result<Value> {
        let (run, brief) = (self.run, &self.run.brief);
        let (anchor, green) = (run.stage.anchor(), run.stage.green());
        let turns: serde_json::Map<String, Value> = Phase::ALL
            .into_iter()
            .filter(|phase| Phase::LOOP.contains(phase) || run.counters.turns(*phase) > 0)
            .map(|phase| (phase.name().to_owned(), json!(run.counters.turns(phase))))
            .collect();
        Ok(json!({
            "run": self.id,
            "task_id": brief.task,
            "task_type": brief.kind,
            "description": brief.description,
            "status": self.status().name(),
            "exit_code": self.status().exit_code(),
            "reason": run.reason(),
            "stage": run.stage.name(),
            "driver": self.driver,
            "doing": self.doing,
            "repo": brief.repo,
            "base": run.base,
            "landing": brief.landing,
            "branch": run.landed.as_ref().map_or(&brief.landing.branch, |landed| &landed.branch),
            "commit": run.landed.as_ref().map(|landed| &landed.commit),
            "tree": run.tree,
            "test_file_path": run.test_file_path,
            "notes": run.notes,
            "rejection_history": run.rejections,
            "review_attempts": run.counters.reviews,
            "turns": turns,
            "counters": serde_json::to_value(run.counters.shown(&run.limits))?,
            "limits": serde_json::to_value(&run.limits)?,
            "spent": serde_json::to_value(run.spent)?,
            "spent_by_phase": serde_json::to_value(&self.costs)?,
            "baseline": serde_json::to_value(&run.baseline)?,
            "red": anchor.map(Anchor::red),
            "guards": anchor.map(Anchor::guards),
            "others": anchor.map(Anchor::others),
            "changed_tests": anchor.map(Anchor::changed),
            "raised": run.raised.open(),
            "accepted": run.raised.accepted,
            "proven_tree": green.map(|green| &green.at().tree),
            "files": self.files(),
            "agents": serde_json::to_value(&brief.agents)?,
            "rescue": run.rescue,
            "worktree": self.home.worktree(self.id).to_string_lossy(),
            "evidence": self.home.run(self.id).to_string_lossy(),
            "next": self.next(),
        }))
    }
}
