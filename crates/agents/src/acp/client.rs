//! The client's side of the Agent Client Protocol for one turn, as a machine without input or output: a line comes in, steps come
//! out. It opens or goes on with a session, asks, answers what the agent wants, and tells in lines of our own what happens.

use super::errand::{Errand, Wish};
use super::greeting::{self, About};
use super::tale::Tale;
use super::wire::{self, Fault, Incoming};
use super::{choice, make};
use crate::conversation::{Conversation, Step};
use crate::stream::text;
use proctor_core::agent::Session;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// How often an agent that stopped at a refusal is told the reason and asked to go on.
const MOST_REASONS: u32 = 2;

/// What a request of ours was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Initialize,
    Open,
    Choose,
    Prompt,
}

/// One turn over the protocol.
#[derive(Debug)]
pub struct Client {
    pub(super) errand: Errand,
    pending: BTreeMap<u64, Asked>,
    next: u64,
    about: About,
    session: Option<String>,
    /// Choices of mode and model that are still to be made.
    choices: VecDeque<(&'static str, Value)>,
    pub(super) tale: Tale,
    /// Why something was refused since the last prompt.
    refused: Vec<String>,
    reasons: u32,
    /// We asked it to stop.
    stopping: bool,
    over: bool,
}

impl Conversation for Client {
    fn begin(&mut self) -> Vec<Step> {
        let params = greeting::offer(self.errand.offers);
        vec![self.ask(Asked::Initialize, "initialize", &params)]
    }

    fn hear(&mut self, line: &str) -> Vec<Step> {
        if self.over || line.trim().is_empty() {
            return Vec::new();
        }
        match wire::parse(line) {
            None => vec![Step::Tell(json!({"event": "noise", "text": line}))],
            Some(Incoming::Notice { method, params }) => match method.as_str() {
                // What is replayed of an old session is no news.
                "session/update" if self.is_at_work() => self.tale.update(&params["update"]),
                _ => vec![Step::Alive],
            },
            Some(Incoming::Request { id, method, params }) => self.wanted(&id, &method, &params),
            Some(Incoming::Answer { id, outcome }) => match self.pending.remove(&id) {
                Some(asked) => self.answered(asked, outcome),
                None => Vec::new(),
            },
        }
    }

    fn done(&mut self, id: &Value, outcome: Result<Value, Fault>) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Err(fault) = &outcome
            && fault.code == Fault::BAD_PARAMS
        {
            steps.push(self.refuse("a file", &fault.message));
        }
        steps.push(Step::Send(wire::answer(id, outcome)));
        steps
    }

    fn cancel(&mut self) -> Vec<Step> {
        self.stopping = true;
        match &self.session {
            Some(id) if self.is_at_work() => {
                vec![Step::Send(wire::notice("session/cancel", &json!({"sessionId": id})))]
            }
            _ => Vec::new(),
        }
    }
}

impl Client {
    pub fn new(errand: Errand) -> Self {
        let tale = Tale::new(errand.make);
        Self {
            errand,
            pending: BTreeMap::new(),
            next: 0,
            about: About::default(),
            session: None,
            choices: VecDeque::new(),
            tale,
            refused: Vec::new(),
            reasons: 0,
            stopping: false,
            over: false,
        }
    }

    fn is_at_work(&self) -> bool {
        self.pending.values().any(|asked| *asked == Asked::Prompt)
    }

    fn ask(&mut self, asked: Asked, method: &str, params: &Value) -> Step {
        let id = self.next;
        self.next += 1;
        self.pending.insert(id, asked);
        Step::Send(wire::request(id, method, params))
    }

    fn answered(&mut self, asked: Asked, outcome: Result<Value, Fault>) -> Vec<Step> {
        match (asked, outcome) {
            (Asked::Initialize, Ok(result)) => self.greeted(&result),
            (Asked::Open, Ok(result)) => self.opened(&result),
            (Asked::Choose, Ok(_)) => self.go_on(),
            (Asked::Prompt, Ok(result)) => self.ended(&result),
            (Asked::Open, Err(fault)) if self.errand.session != Session::New => {
                match make::class(&fault) {
                    Some("login") => self.fail_with(&fault),
                    _ => self.fail("session-gone", &fault.all()),
                }
            }
            (Asked::Initialize | Asked::Open | Asked::Choose | Asked::Prompt, Err(fault)) => {
                self.fail_with(&fault)
            }
        }
    }

    fn greeted(&mut self, result: &Value) -> Vec<Step> {
        self.about = match greeting::read(self.errand.make, result) {
            Ok(about) => about,
            Err(said) => return self.fail("other", &said),
        };
        let (name, version) = (&self.about.name, &self.about.version);
        let mut steps =
            vec![Step::Tell(json!({"event": "agent", "name": name, "version": version}))];
        steps.extend(self.open());
        steps
    }

    fn open(&mut self) -> Vec<Step> {
        let mut params = json!({"cwd": self.errand.cwd, "mcpServers": []});
        if !self.errand.meta.is_null() {
            params["_meta"] = self.errand.meta.clone();
        }
        let method = match &self.errand.session {
            Session::New => "session/new",
            Session::Resume { .. } if self.about.resume => "session/resume",
            Session::Resume { .. } if self.about.load => "session/load",
            Session::Fork { .. } if self.about.fork => "session/fork",
            Session::Resume { .. } | Session::Fork { .. } => {
                return self.fail("session-gone", "it does not go on with sessions");
            }
        };
        if let Some(id) = self.errand.session.from() {
            params["sessionId"] = json!(id);
        }
        vec![self.ask(Asked::Open, method, &params)]
    }

    fn opened(&mut self, result: &Value) -> Vec<Step> {
        let named = result["sessionId"].as_str();
        let Some(id) = named.or(self.errand.session.from()).map(str::to_owned) else {
            return self.fail("other", "it opened a session and did not say its id");
        };
        let mut steps = vec![Step::Tell(json!({"event": "session", "id": id}))];
        self.session = Some(id.clone());
        let mut choices = Vec::new();
        // One that is gone on with need not say again what it offers; the mode is asked for all the same.
        let bare = self.errand.session != Session::New && !choice::offers(result);
        if let Some(wish) = self.errand.mode.clone() {
            let (Wish::Must(mode) | Wish::May(mode)) = &wish;
            match (choice::mode(&id, mode, result), &wish) {
                (Ok(choice), _) => choices.extend(choice),
                (Err(_), Wish::Must(_)) if bare => choices.push(choice::mode_unseen(&id, mode)),
                (Err(why), Wish::Must(_)) => return self.fail("other", &why),
                (Err(_), Wish::May(_)) => {}
            }
        }
        if let Some(model) = self.errand.model.clone().filter(|_| !bare) {
            match choice::model(&id, &model, result) {
                Ok(choice) => choices.extend(choice),
                Err(why) => return self.fail("other", &why),
            }
        }
        self.choices = choices.into();
        steps.extend(self.go_on());
        steps
    }

    /// The next choice, or the prompt.
    fn go_on(&mut self) -> Vec<Step> {
        if let Some((method, params)) = self.choices.pop_front() {
            return vec![self.ask(Asked::Choose, method, &params)];
        }
        let prompt = self.errand.prompt.clone();
        self.prompt(&prompt)
    }

    fn prompt(&mut self, words: &str) -> Vec<Step> {
        let params = json!({
            "sessionId": self.session, "prompt": [{"type": "text", "text": words}],
        });
        self.refused.clear();
        self.tale.begin();
        vec![self.ask(Asked::Prompt, "session/prompt", &params)]
    }

    fn ended(&mut self, result: &Value) -> Vec<Step> {
        let mut steps = self.tale.finish(result);
        let stop = text(result, "stopReason");
        // Whoever stopped it knows why; what it used is told all the same.
        if self.stopping {
            self.over = true;
            steps.push(Step::Over);
            return steps;
        }
        // An agent that stops at a refusal was not told the reason: the protocol has no place for it.
        if !self.refused.is_empty() && !self.tale.has_answer() && self.reasons < MOST_REASONS {
            self.reasons += 1;
            let words = format!(
                "You were refused:\n- {}\nGo on without that, and end with the JSON object that was asked for.",
                self.refused.join("\n- ")
            );
            steps.extend(self.prompt(&words));
            return steps;
        }
        if let Some(said) = self.tale.own_failure() {
            steps.extend(self.fail("other", &said));
            return steps;
        }
        match stop {
            "end_turn" => {
                self.over = true;
                steps.push(Step::Tell(json!({"event": "end"})));
                steps.push(Step::Over);
            }
            "max_tokens" => steps.extend(self.fail("stopped", "the model's answer got too long")),
            "max_turn_requests" => {
                steps.extend(self.fail("stopped", "it reached its limit of calls of the model"));
            }
            "refusal" => steps.extend(self.fail("stopped", "the model refused to go on")),
            "cancelled" => steps.extend(self.fail("stopped", "the turn was cancelled")),
            other => {
                steps.extend(self.fail("stopped", &format!("it stopped for the reason {other:?}")));
            }
        }
        steps
    }

    fn fail_with(&mut self, fault: &Fault) -> Vec<Step> {
        let class = make::class(fault).unwrap_or("other");
        let mut said = fault.all();
        if class == "login" && !self.about.logins.is_empty() {
            said = format!("{said} (it offers: {})", self.about.logins.join(", "));
        }
        self.fail(class, &said)
    }

    fn fail(&mut self, class: &str, said: &str) -> Vec<Step> {
        self.over = true;
        if self.stopping {
            return vec![Step::Over];
        }
        vec![Step::Tell(json!({"event": "failed", "class": class, "said": said})), Step::Over]
    }

    pub(super) fn refuse(&mut self, what: &str, why: &str) -> Step {
        if !self.refused.iter().any(|known| known == why) {
            self.refused.push(why.to_owned());
        }
        Step::Tell(json!({"event": "refused", "what": what, "why": why}))
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
