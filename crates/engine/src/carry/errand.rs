//! A turn of the scout: it reads a throw-away copy of the base commit and answers with one object. Asked again where the
//! answer can't be used. Nothing is recorded here and nothing is decided.

use super::agent::Turn;
use super::tripwire::moved_during;
use super::{Halt, Job, Message};
use proctor_agents::known::output_hint;
use proctor_agents::{AgentFault, LimitEnd, TurnReport, UsageSource};
use proctor_core::agent::{AgentSpec, Session};
use proctor_core::brief::Brief;
use proctor_core::event::{Trouble, Usage};
use proctor_core::prompt::{ErrandInputs, render_errand};
use proctor_core::run::Run;
use proctor_core::turn::{Claim, schema};
use proctor_core::words::{Millis, Phase, RunId, TaskId, TreeId};
use proctor_lab::Shop;
use proctor_world::child::Cancel;
use proctor_world::shadow::Shadow;
use proctor_world::tree::remove_tree;
use proctor_world::worktree::{WorktreeOrder, make};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What is asked, of whom, and what it is called. The brief's agents have the one that takes the phase's role.
#[derive(Debug)]
pub struct Errand<'a> {
    /// Names its folders. The same errand has the same name, so that nothing is left of one that was cut off.
    pub id: RunId,
    /// What it is about: `PROCTOR_TASK`.
    pub task: TaskId,
    pub phase: Phase,
    pub attempt: u32,
    pub brief: &'a Brief,
    pub inputs: ErrandInputs,
}

/// How it ended.
#[derive(Debug)]
pub enum ErrandEnd {
    Answered {
        claim: Claim,
        usage: Usage,
    },
    /// Asked as often as may be, and nothing could be used.
    Unusable {
        why: String,
        usage: Usage,
    },
    /// Nothing that asking again would mend, such as a missing login.
    Hopeless {
        why: String,
        usage: Usage,
    },
    Limited {
        until: Millis,
        why: String,
        usage: Usage,
    },
    Interrupted,
}

/// Runs an errand. `tell` hears what the agent prints while it comes.
pub fn run_errand(
    shop: &Shop,
    errand: &Errand<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<ErrandEnd, String> {
    let Some(spec) = errand.brief.agents.get(&errand.phase.role()).cloned() else {
        return Err(format!("no agent takes the role {}", errand.phase.role().name()));
    };
    let (sender, lines) = mpsc::channel();
    let cancel = Cancel::new();
    let brief = Brief { task: errand.task.clone(), ..errand.brief.clone() };
    let job = Job::new(shop, (&errand.id, 1), Run::new(brief), cancel.clone(), sender);
    let asked = (spec, errand.phase, errand.attempt, errand.inputs.clone());
    let worker = std::thread::spawn(move || {
        let (spec, phase, attempt, inputs) = asked;
        let (end, moved) = moved_during(&job, || job.errand(&spec, (phase, attempt), inputs));
        if !moved.is_empty() {
            job.say(format!("! the checkout changed meanwhile: {}", moved.join("; ")));
        }
        end
    });
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Line { text, .. }) => tell(&text),
            Ok(Message::Session { .. } | Message::Done { .. }) | Err(RecvTimeoutError::Timeout) => {
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shop.signals.asked_to_stop() {
            cancel.cancel();
        }
    }
    let ended = worker.join();
    // What can't be removed now is removed when the errand is run again.
    let _ = remove_tree(&shop.home.worktree(&errand.id));
    match ended {
        Ok(Ok(end)) => Ok(end),
        Ok(Err(Halt::Cancelled)) => Ok(ErrandEnd::Interrupted),
        Ok(Err(Halt::TimeUp)) => Err("the time is used up".to_owned()),
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => Err(why),
        Err(_) => Err("an errand broke; this is a bug in Proctor".to_owned()),
    }
}

impl Job {
    fn errand(
        &self,
        spec: &AgentSpec,
        (phase, attempt): (Phase, u32),
        mut inputs: ErrandInputs,
    ) -> Result<ErrandEnd, Halt> {
        remove_tree(&self.shop.home.run(&self.id))?;
        let shadow = self.shadow()?;
        let tree = shadow.tree_of(&self.run.base)?;
        inputs.schema = format!("{:#}", schema(phase, self.run.brief.kind));
        output_hint(&spec.kind).clone_into(&mut inputs.output_hint);
        let mut used = Usage::default();
        let mut ask = 1;
        loop {
            self.clean_copy(&shadow, &tree)?;
            let text = render_errand(&self.templates(&shadow)?, phase, &inputs)
                .map_err(|error| Halt::lasting(error.to_string()))?;
            let prompt = self.fit_to_send(text, &[]);
            let job = self.numbered(ask);
            let turn = Turn { spec, phase, attempt };
            let TurnReport { claim, usage, limited } =
                job.take_turn(turn, ask, &Session::New, &prompt, (&shadow, &tree))?;
            used.tokens += usage.tokens;
            used.micro_usd += usage.micro_usd;
            used.estimated |= usage.source == UsageSource::Estimated;
            let redactor = self.redactor();
            if let Some(limited) = limited {
                let until = match limited.until {
                    LimitEnd::At(at) => at,
                    LimitEnd::After(ms) => Millis(self.shop.now().0 + ms),
                };
                return Ok(ErrandEnd::Limited {
                    until,
                    why: redactor.text(&limited.why),
                    usage: used,
                });
            }
            let fault = match claim {
                Ok(claim) => {
                    let claim = claim.reworded(|text| redactor.text(text));
                    return Ok(ErrandEnd::Answered { claim, usage: used });
                }
                Err(fault) => fault,
            };
            let why = redactor.text(&fault.to_string());
            if matches!(fault, AgentFault::NoLogin { .. }) {
                return Ok(ErrandEnd::Hopeless { why, usage: used });
            }
            if ask >= self.run.limits.asks {
                return Ok(ErrandEnd::Unusable { why, usage: used });
            }
            self.say(format!("asked again ({} of {}): {why}", ask + 1, self.run.limits.asks));
            inputs.complaint = Some(why);
            ask += 1;
        }
    }

    /// A fresh copy for each ask: what a scout changed in the last one is gone.
    fn clean_copy(&self, shadow: &Shadow, tree: &TreeId) -> Result<(), Halt> {
        remove_tree(&self.shop.home.worktree(&self.id))?;
        let listing = shadow.list(tree)?;
        let order = WorktreeOrder {
            run: &self.id,
            base: &self.run.base,
            listing: &listing,
            branch: "scout",
            author: &self.run.brief.landing.author,
        };
        make(self.shop.home.root(), shadow, &order)?;
        Ok(())
    }
}
