//! Tells people that a run waits for them, pauses or has ended: a command of theirs, a webhook, the desktop. Stands between the
//! loop and a face, and only looks. What can't be told is said, and changes nothing.

use crate::config::notify_table::{NotifyTable, Occasion};
use crate::config::settings;
use crate::run::ending::next;
use crate::surroundings::Surroundings;
use crate::text::harmless::short;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId, Status};
use proctor_engine::{Shop, Watch, redactor_of};
use proctor_world::bell::{Ring, ring};
use proctor_world::http::{Client, Patience, Piece, Post};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long one way of telling may take.
const LIMIT: Duration = Duration::from_secs(10);
/// A longer reason is for the terminal.
const REASON: usize = 300;

/// What somebody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    pub event: Occasion,
    pub run: RunId,
    pub task: String,
    pub description: String,
    pub repo: String,
    pub branch: String,
    pub status: &'static str,
    pub reason: String,
    /// The commands that lead on.
    pub next: Vec<String>,
}

impl Notice {
    fn of(shop: &Shop, id: &RunId, run: &Run) -> Option<Self> {
        let status = run.status();
        let event = occasion(status)?;
        let redactor = redactor_of(shop, &run.brief.setup);
        let clean = |text: &str, most| short(&redactor.text(text), most);
        Some(Self {
            event,
            run: id.clone(),
            task: clean(run.brief.task.as_str(), REASON),
            description: clean(&run.brief.description, REASON),
            repo: run.brief.repo.root.clone(),
            branch: run.brief.landing.branch.clone(),
            status: status.name(),
            reason: clean(&run.reason(), REASON),
            next: next(id, run),
        })
    }

    fn title(&self) -> String {
        let what = match self.event {
            Occasion::Approval => "needs you",
            Occasion::Paused => "is paused",
            Occasion::Ended => "has ended",
        };
        format!("Proctor: {} {what}", self.run)
    }

    /// One line, and where somebody has to do something the command for it.
    fn text(&self) -> String {
        let mut text = format!("{}: {} ({})", self.title(), self.description, self.status);
        if !self.reason.is_empty() {
            text.push_str(" — ");
            text.push_str(&self.reason);
        }
        if self.event != Occasion::Ended
            && let Some(command) = self.next.iter().find(|next| !next.starts_with("proctor diff"))
        {
            text.push_str("\nnext: ");
            text.push_str(command);
        }
        text
    }
}

fn occasion(status: Status) -> Option<Occasion> {
    match status {
        Status::AwaitingApproval => Some(Occasion::Approval),
        Status::Paused => Some(Occasion::Paused),
        Status::Success
        | Status::Failed
        | Status::Blocked
        | Status::Discarded
        | Status::MaxAttemptsReached
        | Status::Aborted
        | Status::AgentError => Some(Occasion::Ended),
        // A person did this, and knows.
        Status::Interrupted | Status::Running => None,
    }
}

/// A face, with everybody told who wants to be.
pub struct Telling<'a> {
    shop: &'a Shop,
    face: &'a mut dyn Watch,
    table: NotifyTable,
    /// What is to be told, unless the run goes on at once.
    pending: BTreeMap<RunId, Notice>,
    under_way: Vec<JoinHandle<()>>,
    faults: (Sender<String>, Receiver<String>),
}

impl<'a> Telling<'a> {
    pub fn of(shop: &'a Shop, face: &'a mut dyn Watch) -> Self {
        let cwd = std::env::current_dir().unwrap_or_default();
        let around = Surroundings { cwd, env: shop.env.clone(), home: shop.home.clone() };
        // Settings that can't be read are told where a run begins.
        let table = settings::own(&around).map(|own| own.notify).unwrap_or_default();
        let pending = BTreeMap::new();
        Self { shop, face, table, pending, under_way: Vec::new(), faults: mpsc::channel() }
    }

    fn tell(&mut self, run: &RunId) {
        let Some(notice) = self.pending.remove(run) else { return };
        let (shop, table) = (self.shop.clone(), self.table.clone());
        let faults = self.faults.0.clone();
        self.under_way.push(std::thread::spawn(move || {
            for why in deliver(&shop, &table, &notice) {
                // Nobody may listen any more.
                let _ = faults.send(why);
            }
        }));
    }

    fn say_faults(&mut self, run: &RunId) {
        while let Ok(why) = self.faults.1.try_recv() {
            self.face.line(run, &format!("nobody was told: {why}"));
        }
    }
}

impl Watch for Telling<'_> {
    fn event(&mut self, run: &RunId, seq: u64, at: Millis, event: &Event, state: &Run) {
        self.face.event(run, seq, at, event, state);
        if self.table.is_silent() {
            return;
        }
        let wanted = occasion(state.status()).is_some_and(|occasion| self.table.wants(occasion));
        match Notice::of(self.shop, run, state).filter(|_| wanted) {
            Some(notice) => drop(self.pending.insert(run.clone(), notice)),
            None => drop(self.pending.remove(run)),
        }
    }

    fn tick(&mut self, run: &RunId, state: &Run) {
        self.face.tick(run, state);
        self.tell(run);
        self.say_faults(run);
    }

    fn line(&mut self, run: &RunId, text: &str) {
        self.face.line(run, text);
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        let runs: Vec<RunId> = self.pending.keys().cloned().collect();
        for run in &runs {
            self.tell(run);
        }
        for thread in self.under_way.drain(..) {
            // Each way of telling has a limit of its own.
            let _ = thread.join();
        }
        if let Some(run) = runs.first() {
            self.say_faults(run);
        }
    }
}

/// Tells everybody; what went wrong.
fn deliver(shop: &Shop, table: &NotifyTable, notice: &Notice) -> Vec<String> {
    let mut faults = Vec::new();
    let body = serde_json::to_string(notice).unwrap_or_default();
    if let Some(words) = &table.command {
        let rung =
            words.split("[notify] command").and_then(|argv| rung(shop, &argv, notice, &body));
        faults.extend(rung.err());
    }
    if table.desktop == Some(true) {
        faults.extend(rung(shop, &desktop(notice), notice, &body).err());
    }
    let named = table.webhook_env.as_ref();
    let url = match named {
        Some(name) => shop.var(name).map(|value| value.to_string_lossy().into_owned()),
        None => table.webhook.clone(),
    };
    match (url, named) {
        (Some(url), _) => faults.extend(posted(&url, &notice.text()).err()),
        (None, Some(name)) => faults.push(format!("the variable {name} of [notify] is not set")),
        (None, None) => {}
    }
    faults
}

fn rung(shop: &Shop, argv: &[String], notice: &Notice, body: &str) -> Result<(), String> {
    let event = json!(notice.event);
    let env = vec![
        ("PROCTOR_EVENT".into(), event.as_str().unwrap_or_default().into()),
        ("PROCTOR_RUN".into(), notice.run.as_str().into()),
        ("PROCTOR_TEXT".into(), notice.text().into()),
    ];
    let repo = PathBuf::from(&notice.repo);
    let cwd = if repo.is_dir() { repo } else { shop.home.root().to_owned() };
    ring(&Ring { argv, cwd: &cwd, env, text: body, limit: LIMIT })
}

fn desktop(notice: &Notice) -> Vec<String> {
    let (title, text) = (notice.title(), notice.text());
    let words: [&str; 6] = if cfg!(target_os = "macos") {
        const SCRIPT: &str = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
        ["osascript", "-e", SCRIPT, "--", &title, &text]
    } else {
        ["notify-send", "--app-name", "Proctor", "--", &title, &text]
    };
    words.map(str::to_owned).to_vec()
}

/// As Slack's incoming webhooks take it. The address is a secret, and is in no message.
fn posted(url: &str, text: &str) -> Result<(), String> {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let body = json!({ "text": escaped }).to_string().into_bytes();
    let hidden = |why: &str| format!("the webhook: {}", why.replace(url, "[address]"));
    let client = Client::new(url, Patience::Short(LIMIT)).map_err(|why| hidden(&why))?;
    let headers = vec![("content-type", "application/json".to_owned())];
    for piece in client.post(Post { url: url.to_owned(), headers, body }) {
        match piece {
            Piece::Head(head) if head.status < 300 => return Ok(()),
            Piece::Head(head) => return Err(format!("the webhook answered {}", head.status)),
            Piece::Broken(why) => return Err(hidden(&why)),
            Piece::Bytes(_) | Piece::End => {}
        }
    }
    Err("the webhook did not answer".to_owned())
}
