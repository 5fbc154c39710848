//! One turn of an agent in a throw-away copy of the base commit: to see whether it works here. Nothing is recorded and
//! nothing is judged.

use super::agent::Turn;
use super::{Halt, Job, Message};
use proctor_agents::{TurnReport, UsageSource};
use proctor_core::agent::{AgentSpec, Session};
use proctor_core::brief::Brief;
use proctor_core::event::{Trouble, Usage};
use proctor_core::run::Run;
use proctor_core::words::{Phase, RunId};
use proctor_lab::Shop;
use proctor_world::child::Cancel;
use proctor_world::listing::changes;
use proctor_world::overlay::Place;
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::worktree::{WorktreeOrder, make};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The phase whose schema is asked for: it wants a word about what was done, and no more.
const PHASE: Phase = Phase::Refactor;

/// What came of it.
#[derive(Debug)]
pub struct Tried {
    /// The agent's notes, or what was wrong.
    pub said: Result<String, String>,
    pub changed: Vec<String>,
    pub usage: Usage,
    pub session: Option<String>,
    pub took: Duration,
}

/// Asks an agent once. `tell` hears its notes while they come. None when it was interrupted.
pub fn try_agent(
    shop: &Shop,
    brief: &Brief,
    spec: &AgentSpec,
    text: &str,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<Tried>, String> {
    let (sender, lines) = mpsc::channel();
    let id = RunId::new(format!("try-{}-{}", shop.now().0, std::process::id()));
    let cancel = Cancel::new();
    let run = Run::new(brief.clone());
    let job = Job::new(shop, (&id, 1), run, cancel.clone(), sender);
    let (spec, text) = (spec.clone(), text.to_owned());
    let worker = std::thread::spawn(move || job.try_once(&spec, &text));
    let mut session = None;
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Line { text, .. }) => tell(&text),
            Ok(Message::Session { mark, .. }) => session = Some(mark.id),
            Ok(Message::Done { .. }) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shop.signals.asked_to_stop() {
            cancel.cancel();
        }
    }
    let tried = worker.join();
    for folder in [shop.home.worktree(&id), shop.home.run(&id)] {
        // What can't be removed now is no harm: its name is used once.
        let _ = proctor_world::tree::remove_tree(&folder);
    }
    match tried {
        Ok(Ok(tried)) => Ok(Some(Tried { session, ..tried })),
        Ok(Err(Halt::Cancelled)) => Ok(None),
        Ok(Err(Halt::TimeUp)) => Err("the time is used up".to_owned()),
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => Err(why),
        Err(_) => Err("trying broke; this is a bug in Proctor".to_owned()),
    }
}

impl Job {
    fn try_once(&self, spec: &AgentSpec, text: &str) -> Result<Tried, Halt> {
        let began = Instant::now();
        let shadow = self.shadow()?;
        let tree = shadow.tree_of(&self.run.base)?;
        let base = BaseTree::read(&shadow, &tree)?;
        let listing = shadow.list(&tree)?;
        let order = WorktreeOrder {
            run: &self.id,
            base: &self.run.base,
            listing: &listing,
            branch: "try",
            author: &self.run.brief.landing.author,
        };
        let worktree = make(self.shop.home.root(), &shadow, &order)?;
        // An agent can be tried without a suite.
        if let Ok(suite) = self.suite_of(&shadow, &tree) {
            let room = self.shop.home.room(&self.id);
            self.furnish_in(&room, (&worktree, Place::Here), &suite, Instant::now())?;
        }
        let schema = proctor_core::turn::schema(PHASE, self.run.brief.kind);
        let prompt = format!(
            "{text}\n\nWork in the current folder only. {}\n\n{schema:#}\n",
            proctor_agents::known::output_hint(&spec.kind)
        );
        let turn = Turn { spec, phase: PHASE, attempt: 1 };
        let TurnReport { claim, usage, limited } =
            self.take_turn(turn, 1, &Session::New, &prompt, (&shadow, &tree))?;
        let after = snapshot(&worktree, &base)?.listing;
        let changed = changes(&listing, &after).into_iter().map(|(path, _)| path).collect();
        let said = match (limited, claim) {
            (Some(limited), _) => Err(format!("a usage limit: {}", limited.why)),
            (None, Ok(claim)) => Ok(self.redactor().text(claim.notes())),
            (None, Err(fault)) => Err(self.redactor().text(&fault.to_string())),
        };
        let usage = Usage {
            tokens: usage.tokens,
            micro_usd: usage.micro_usd,
            estimated: usage.source == UsageSource::Estimated,
        };
        Ok(Tried { said, changed, usage, session: None, took: began.elapsed() })
    }
}
