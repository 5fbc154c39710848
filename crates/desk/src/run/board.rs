//! All runs at a glance, kept up to date by reading only what is new. What a face shows of many runs is made here, so that
//! the board in the browser and the one in the terminal say the same. It only reads.

use crate::run::listing::shown_status;
use crate::run::pace::Pace;
use crate::run::track::{Step, Track};
use crate::text::clock;
use crate::text::harmless::short;
use anyhow::Result;
use proctor_core::event::{Event, Pause};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{Millis, Role, RunId, Status};
use proctor_engine::Home;
use proctor_journal::{Journal, Lease, Listing, Recorded, RunRow};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// As many closed runs are shown, the newest.
const MOST_CLOSED: usize = 100;
/// The journal does not say that a process died: that is looked up this often.
const LEASES: Duration = Duration::from_secs(1);
/// Characters of an agent's line.
const LINE: usize = 200;

/// Where a run stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    NeedsYou,
    Stopped,
    Working,
    Landed,
}

impl Column {
    pub const ALL: [Self; 4] = [Self::NeedsYou, Self::Stopped, Self::Working, Self::Landed];

    pub fn name(self) -> &'static str {
        match self {
            Self::NeedsYou => "needs you",
            Self::Stopped => "stopped",
            Self::Working => "working",
            Self::Landed => "landed",
        }
    }

    fn of(run: &Run, status: Status) -> Self {
        match status {
            Status::Success => Self::Landed,
            Status::Running => Self::Working,
            Status::AwaitingApproval => Self::NeedsYou,
            Status::Paused => match &run.stage {
                Stage::Paused { why: Pause::UsageLimit { .. }, .. } => Self::Working,
                _ => Self::NeedsYou,
            },
            Status::Failed
            | Status::Blocked
            | Status::Discarded
            | Status::MaxAttemptsReached
            | Status::Aborted
            | Status::AgentError
            | Status::Interrupted => Self::Stopped,
        }
    }
}

/// One run on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Card {
    pub run: RunId,
    pub title: String,
    pub kind: &'static str,
    pub repo: String,
    pub branch: String,
    pub agent: String,
    pub status: &'static str,
    pub column: Column,
    pub stage: &'static str,
    pub steps: Vec<Step>,
    /// What is under way, or the stage.
    pub doing: String,
    /// The last line that an agent or a test tool printed.
    pub line: String,
    pub reason: String,
    /// Why it is the way it is, on one line.
    pub short_reason: String,
    pub spent_ms: u64,
    /// Since when something is under way: time that is not in `spent_ms` yet.
    pub since: Option<Millis>,
    pub micro_usd: u64,
    pub tokens: u64,
    pub estimated: bool,
    pub calls: u32,
    pub driver: Option<u32>,
    pub updated: Millis,
    pub seq: u64,
    /// The tree that an approval would name.
    pub proven: Option<String>,
    pub commit: Option<String>,
}

impl Card {
    /// Time spent as of now.
    pub fn spent_at(&self, now: Millis) -> u64 {
        self.spent_ms + self.since.map_or(0, |since| now.0.saturating_sub(since.0))
    }
}

/// A run as far as it was read.
struct Read {
    run: Run,
    seq: u64,
    track: Track,
    since: Option<Millis>,
    note: u64,
    line: String,
}

pub struct Board {
    home: Home,
    journal: Journal,
    changed: Option<i64>,
    leases: Instant,
    read: BTreeMap<RunId, Read>,
    cards: BTreeMap<RunId, Card>,
    order: Vec<RunId>,
    /// How long steps usually take, by repository.
    paces: BTreeMap<String, Pace>,
}

impl Board {
    pub fn open(home: &Home) -> Result<Self> {
        let journal = Journal::open(home.root())?;
        let mut board = Self {
            home: home.clone(),
            journal,
            changed: None,
            leases: Instant::now(),
            read: BTreeMap::new(),
            cards: BTreeMap::new(),
            order: Vec::new(),
            paces: BTreeMap::new(),
        };
        board.refresh()?;
        Ok(board)
    }

    /// Newest first, those that need a person before all others.
    pub fn cards(&self) -> Vec<&Card> {
        let mut cards: Vec<&Card> = self.order.iter().filter_map(|id| self.cards.get(id)).collect();
        cards.sort_by_key(|card| card.column);
        cards
    }

    pub fn card(&self, id: &RunId) -> Option<&Card> {
        self.cards.get(id)
    }

    pub fn run(&self, id: &RunId) -> Option<&Run> {
        self.read.get(id).map(|read| &read.run)
    }

    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Reads what is new. Gives the runs whose cards changed; cheap where nothing did.
    pub fn refresh(&mut self) -> Result<Vec<RunId>> {
        let changed = self.journal.changed()?;
        if self.changed == Some(changed) && self.leases.elapsed() < LEASES {
            return Ok(Vec::new());
        }
        self.changed = Some(changed);
        self.leases = Instant::now();
        let mut rows = self.journal.runs(Listing::All)?;
        let mut closed = 0;
        rows.retain(|row| {
            closed += usize::from(!row.head.open);
            row.head.open || closed <= MOST_CLOSED
        });
        let mut told = Vec::new();
        for row in &rows {
            // A run whose history can't be read is left out, and must not hide the others.
            let Ok(card) = self.look_at(row) else { continue };
            if self.cards.get(&row.id) != Some(&card) {
                self.cards.insert(row.id.clone(), card);
                told.push(row.id.clone());
            }
        }
        self.order = rows.into_iter().map(|row| row.id).collect();
        let order = &self.order;
        self.cards.retain(|id, _| order.contains(id));
        Ok(told)
    }

    fn look_at(&mut self, row: &RunRow) -> Result<Card> {
        let known = self.read.get(&row.id).map_or(0, |read| read.seq);
        if known < row.last_seq {
            let news: Vec<Recorded<Event>> = self.journal.since(&row.id, known)?;
            let old = self.read.remove(&row.id);
            if let Some(read) = fold(old, &news) {
                self.read.insert(row.id.clone(), read);
            }
        }
        if row.head.open && !self.paces.contains_key(&row.head.repo) {
            let pace = Pace::of(&self.journal, &row.head.repo)?;
            self.paces.insert(row.head.repo.clone(), pace);
        }
        let Some(read) = self.read.get_mut(&row.id) else {
            anyhow::bail!("the history of run {} does not begin with a brief", row.id);
        };
        if row.head.open
            && let Some(last) = self.journal.notes_since(&row.id, read.note)?.last()
        {
            read.note = last.id;
            read.line = short(&last.text, LINE);
        }
        let driver = if row.head.open { Lease::held(self.home.root(), &row.id)? } else { None };
        let status = match shown_status(row, driver).as_str() {
            word if word == Status::Interrupted.name() => Status::Interrupted,
            _ => read.run.status(),
        };
        Ok(card(row, read, (driver, self.paces.get(&row.head.repo)), status))
    }
}

fn fold(old: Option<Read>, news: &[Recorded<Event>]) -> Option<Read> {
    let mut read = old;
    for recorded in news {
        let mut next = match (read, &recorded.body) {
            (Some(mut read), event) => {
                read.run = proctor_core::evolve::evolve(read.run, event);
                read
            }
            (None, Event::Created { brief }) => Read {
                run: Run::new((**brief).clone()),
                seq: 0,
                track: Track::default(),
                since: None,
                note: 0,
                line: String::new(),
            },
            (None, _) => return None,
        };
        next.seq = recorded.seq;
        match &recorded.body {
            Event::EffectBegan { .. } => next.since = Some(recorded.at),
            Event::EffectEnded { .. } | Event::EffectLost { .. } => next.since = None,
            _ => {}
        }
        next.track.note(&recorded.body, &next.run);
        read = Some(next);
    }
    read
}

fn card(
    row: &RunRow,
    read: &Read,
    (driver, pace): (Option<u32>, Option<&Pace>),
    status: Status,
) -> Card {
    let (run, brief) = (&read.run, &read.run.brief);
    let name = |path: &str| {
        Path::new(path).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
    };
    let under_way = run.in_flight.as_ref().filter(|_| status == Status::Running);
    let agent = brief.agents.get(&Role::Coder).map(|agent| short(&agent.name, 40));
    let reason = run.reason();
    Card {
        run: row.id.clone(),
        title: short(&brief.description, 160),
        kind: brief.kind.name(),
        repo: short(&name(&brief.repo.root), 40),
        branch: short(&brief.landing.branch, 80),
        agent: agent.unwrap_or_default(),
        status: status.name(),
        column: Column::of(run, status),
        stage: run.stage.name(),
        steps: read.track.steps(run, status),
        doing: under_way.map_or_else(
            || run.stage.name().to_owned(),
            |flight| match pace.and_then(|pace| pace.usually(flight.effect.label())) {
                Some(usually) => format!("{}, {usually}", flight.effect.label()),
                None => flight.effect.label().to_owned(),
            },
        ),
        line: read.line.clone(),
        short_reason: short(&reason, 200),
        reason,
        spent_ms: run.spent.wall_ms,
        since: read.since.filter(|_| under_way.is_some()),
        micro_usd: run.spent.usage.micro_usd,
        tokens: run.spent.usage.tokens,
        estimated: run.spent.usage.estimated,
        calls: run.spent.calls,
        driver,
        updated: row.updated,
        seq: row.last_seq,
        proven: run.stage.green().map(|green| green.at().tree.to_string()),
        commit: run.landed.as_ref().map(|landed| landed.commit.short().to_owned()),
    }
}

/// The first words of a line about a run without a terminal.
pub fn plain(card: &Card) -> String {
    let now = clock::now();
    format!(
        "{}  {}  {}  {}  {}  {}",
        card.run,
        card.status,
        card.doing,
        crate::run::track::in_letters(&card.steps),
        proctor_core::duration::show_duration(card.spent_at(now) / 1000 * 1000),
        card.title
    )
}
