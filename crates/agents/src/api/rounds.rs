//! The loop itself, without hands: a conversation in, what is to be done next out. Asks nobody and touches nothing; the
//! one who holds it asks the model, carries out the calls and brings back what came of it.

mod limits;

use super::compact;
use super::dialect::{Answer, Dialect, Fault, Stop, Used, With};
use super::fit;
use super::patience::{self, Patience};
use super::tale::{Ending, Tale};
use super::talk::{Brought, Call, Item, Part, Talk, Went};
use super::tools::{self, Deed, FINISH};
use crate::launch::Hands;
use crate::object::{Found, last_object};
use crate::policy::Policy;
use crate::stream::Failure;
use proctor_core::agent::Price;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::PathBuf;

/// How often a model is helped along before its last words are taken as they are.
const NUDGES: u32 = 2;

/// What holds for one turn.
#[derive(Clone, Debug)]
pub struct Rules {
    pub dialect: Dialect,
    pub model: String,
    /// It answers somewhere else than its first provider.
    pub elsewhere: bool,
    /// The folder that it works in.
    pub root: PathBuf,
    pub hands: Hands,
    /// Which files may change.
    pub policy: Policy,
    /// What the answer has to look like; none where words are enough.
    pub schema: Option<Value>,
    /// The most calls of the model.
    pub max_calls: u32,
    pub max_output: Option<u64>,
    /// How many tokens the model remembers.
    pub context: u64,
    pub price: Option<Price>,
    /// What may be spent, in millionths of a US dollar.
    pub money: Option<u64>,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Send this body to the model.
    Ask(Value),
    /// Carry these out, each by the id of its call.
    Use(Vec<(String, Deed)>),
    Wait {
        ms: u64,
    },
    End(Ending),
}

/// A turn under way.
#[derive(Debug)]
pub struct Rounds {
    rules: Rules,
    talk: Talk,
    state: State,
    /// Where the conversation is to be cut when its older part is summed up.
    summing: Option<usize>,
    /// How many tokens the conversation had when it had so many items, by the provider's word.
    size: Option<(u64, usize)>,
    /// How long it was when there was last made room.
    roomy: usize,
    asked: u32,
    tries: u32,
    nudges: u32,
    with: With,
    used: Option<Used>,
    tales: Vec<Tale>,
}

#[derive(Debug)]
enum State {
    Asking,
    Waiting { ms: u64 },
    Using { calls: Vec<Call>, refused: Vec<Brought>, deeds: Vec<(String, Deed)> },
    Over(Ending),
}

impl Rounds {
    /// Begins a turn in a conversation, which may be a new one.
    pub fn begin(rules: Rules, mut talk: Talk, prompt: &str) -> Self {
        talk.begin(prompt);
        Self {
            rules,
            talk,
            state: State::Asking,
            summing: None,
            size: None,
            roomy: 0,
            asked: 0,
            tries: 0,
            nudges: 0,
            with: With::Tools,
            used: None,
            tales: Vec::new(),
        }
    }

    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    /// What happened since this was last asked.
    pub fn tales(&mut self) -> Vec<Tale> {
        std::mem::take(&mut self.tales)
    }

    /// What is to be done now.
    pub fn step(&mut self) -> Step {
        match &self.state {
            State::Over(ending) => return Step::End(ending.clone()),
            State::Using { deeds, .. } => return Step::Use(deeds.clone()),
            State::Waiting { ms } => {
                let ms = *ms;
                self.state = State::Asking;
                return Step::Wait { ms };
            }
            State::Asking => {}
        }
        if self.summing.is_none() {
            if self.asked >= self.rules.max_calls {
                let most = self.rules.max_calls;
                return self.fail(Failure::Other {
                    said: format!("it was not done after {most} calls of the model (max_turns)"),
                });
            }
            self.make_room();
        }
        Step::Ask(self.request())
    }

    fn request(&self) -> Value {
        let dialect = self.rules.dialect;
        if let Some(cut) = self.summing {
            let most = usize::try_from(self.rules.context * 2).unwrap_or(usize::MAX);
            let mut talk = Talk::default();
            let said = compact::transcript(&self.talk.items[..cut], most);
            talk.begin(&format!("{said}\n\n{}", compact::ASKED));
            return dialect.request(
                &self.rules,
                "You write short and exact notes.",
                &talk,
                With::TextAlone,
            );
        }
        dialect.request(&self.rules, &self.instructions(), &self.talk, self.with)
    }

    fn instructions(&self) -> String {
        let hands = match self.rules.hands {
            Hands::Free => {
                "Look before you change something, change only what the task needs, and check your work with `run` where that is possible."
            }
            Hands::Tied => "You can read, list and search; you can't change anything in this turn.",
        };
        let end = match (&self.rules.schema, self.with) {
            (None, _) => "When everything is done, say in a few words what you did.".to_owned(),
            (Some(_), With::Tools) => format!(
                "When everything is done, call `{FINISH}` with your answer. Nothing else ends the turn."
            ),
            (Some(schema), With::TextAlone) => format!(
                "End with one JSON object that fits this schema, and nothing after it:\n{schema}"
            ),
        };
        format!(
            "You are a careful programmer who works in one project folder, with the tools that you are given. Paths are seen from that folder; nothing outside of it can be used. {hands} Use several tools in one answer where they do not depend on each other. Do not ask questions: nobody is there to answer. {end}"
        )
    }

    /// Takes the model's answer.
    pub fn answered(&mut self, answer: Answer) {
        self.tries = 0;
        self.count(answer.used);
        if let Some(cut) = self.summing.take() {
            let words = words(&answer.parts);
            self.sum_up(cut, &words);
            return;
        }
        self.asked += 1;
        let (calls, parts) = self.with_ids(answer.parts);
        if !answer.thoughts.trim().is_empty() {
            self.tales.push(Tale::Thinking { text: answer.thoughts });
        }
        let said = words(&parts);
        if !said.trim().is_empty() {
            self.tales.push(Tale::Text { text: said.clone() });
        }
        self.talk.items.push(Item::Said { parts });
        self.size = answer.used.map(|used| {
            let all = used.input.saturating_add(used.cached).saturating_add(used.output);
            (all, self.talk.items.len())
        });
        if answer.stop == Stop::Refused {
            let said = format!("the model refused to answer: {}", crate::stream::short(&said));
            self.over(Ending::Failed(Failure::Other { said }));
        } else if !calls.is_empty() {
            self.weigh(calls);
        } else {
            self.last_words(said, answer.stop);
        }
        self.mind_the_money();
    }

    /// Sorts calls into those that can be carried out and those that are answered at once.
    fn weigh(&mut self, calls: Vec<Call>) {
        let (mut refused, mut deeds) = (Vec::new(), Vec::new());
        for call in calls.iter().filter(|call| call.name != FINISH || self.rules.schema.is_none()) {
            match tools::deed(&self.rules, call) {
                Ok(deed) => {
                    let (name, input) = (call.name.clone(), call.input_or_none());
                    self.tales.push(Tale::Tool { name, input });
                    deeds.push((call.id.clone(), deed));
                }
                Err(why) => {
                    self.tales.push(Tale::Refused { tool: call.name.clone(), why: why.clone() });
                    refused.push(Brought { id: call.id.clone(), text: why, went: Went::Wrong });
                }
            }
        }
        let none = deeds.is_empty();
        self.state = State::Using { calls, refused, deeds };
        if none {
            self.brought(Vec::new());
        }
    }

    /// Takes what the calls brought.
    pub fn brought(&mut self, results: Vec<Brought>) {
        let state = std::mem::replace(&mut self.state, State::Asking);
        let State::Using { calls, mut refused, .. } = state else {
            self.state = state;
            return;
        };
        refused.extend(results);
        let clean = refused.iter().all(|result| result.went == Went::Well);
        let mut ending = None;
        let mut all: Vec<Brought> = Vec::new();
        for call in &calls {
            let at = refused.iter().position(|result| result.id == call.id);
            if let Some(at) = at {
                all.push(refused.swap_remove(at));
                continue;
            }
            let (text, went) = match self.finish(call, clean) {
                Ok(object) => {
                    ending = Some(Ending::Good { object: Some(object), text: String::new() });
                    ("It was taken.".to_owned(), Went::Well)
                }
                Err(why) => (why, Went::Wrong),
            };
            all.push(Brought { id: call.id.clone(), text, went });
        }
        if self.asked + 1 == self.rules.max_calls
            && let Some(last) = all.last_mut()
        {
            last.text.push_str("\n\nThis turn has one more answer: finish with it.");
        }
        self.talk.items.push(Item::Brought { results: all });
        if let Some(ending) = ending {
            self.over(ending);
        }
    }

    /// The answer of the turn, or why it can't be taken yet.
    fn finish(&mut self, call: &Call, clean: bool) -> Result<Map<String, Value>, String> {
        if call.name != FINISH {
            return Err("Nothing came of it.".to_owned());
        }
        if !clean {
            return Err(format!(
                "Not everything that you did in the same answer went well. Look at it, then call `{FINISH}` again."
            ));
        }
        let object =
            call.input().map_err(|why| format!("The answer is not a whole JSON object: {why}."))?;
        let faults = self.faults(&object);
        if faults.is_empty() || self.nudges >= NUDGES {
            // Whoever asked for it says what is wrong, and may ask again.
            return Ok(object);
        }
        self.nudges += 1;
        let why = faults.join("; ");
        self.tales.push(Tale::Refused { tool: FINISH.to_owned(), why: why.clone() });
        Err(format!("The answer does not fit: {why}. Call `{FINISH}` again."))
    }

    fn faults(&self, object: &Map<String, Value>) -> Vec<String> {
        match &self.rules.schema {
            Some(schema) => fit::faults(schema, &Value::Object(object.clone())),
            None => Vec::new(),
        }
    }

    /// Words without a call: the answer, where it is one.
    fn last_words(&mut self, text: String, stop: Stop) {
        let object = match last_object(text.as_bytes()) {
            Found::Object(object) => Some(object).filter(|object| self.faults(object).is_empty()),
            Found::Broken(_) | Found::Nothing => None,
        };
        let enough = self.rules.schema.is_none() && stop != Stop::TooLong;
        if enough {
            self.over(Ending::Good { object: None, text });
        } else if let Some(object) = object.filter(|_| self.rules.schema.is_some()) {
            self.over(Ending::Good { object: Some(object), text });
        } else if self.nudges >= NUDGES {
            self.over(Ending::Good { object: None, text });
        } else {
            self.nudges += 1;
            let cut = match stop {
                Stop::TooLong => {
                    "Your answer was cut off: it was too long. Work in smaller parts. "
                }
                Stop::Done | Stop::Refused => "",
            };
            let rest = match (&self.rules.schema, self.with) {
                (None, _) => "Go on.".to_owned(),
                (Some(_), With::Tools) => format!(
                    "Go on with the tools if there is work left. When everything is done, call `{FINISH}` with your answer."
                ),
                (Some(_), With::TextAlone) => {
                    "End with one JSON object that fits the schema.".to_owned()
                }
            };
            self.talk.nudge(format!("{cut}{rest}"));
        }
    }

    /// Takes that there was no answer. `jitter` is between 0 and 1, so that not all come again at once.
    pub fn failed(&mut self, fault: Fault, jitter: f64) {
        if let Fault::Status { status, said, .. } = &fault {
            if patience::is_too_long(*status, said) {
                return self.squeeze(said);
            }
            if patience::is_without_tools(*status, said) {
                return self.without_tools(said);
            }
        }
        match patience::of(fault, self.tries, jitter) {
            Patience::Again { ms, why } => {
                self.tries += 1;
                self.tales.push(Tale::Waits { ms, why });
                self.state = State::Waiting { ms };
            }
            Patience::No(failure) => self.over(Ending::Failed(failure)),
        }
    }

    fn without_tools(&mut self, said: &str) {
        match (self.rules.hands, self.with) {
            (Hands::Tied, With::Tools) => self.with = With::TextAlone,
            (Hands::Tied | Hands::Free, _) => {
                let said = format!(
                    "this model can't use tools: {said}\nhint: choose one that can as `model`"
                );
                self.over(Ending::Failed(Failure::Other { said }));
            }
        }
    }

    fn over(&mut self, ending: Ending) {
        self.state = State::Over(ending);
    }

    fn fail(&mut self, failure: Failure) -> Step {
        let ending = Ending::Failed(failure);
        self.over(ending.clone());
        Step::End(ending)
    }

    /// The calls of an answer. Each has an id that no other has: some servers give none.
    fn with_ids(&self, mut parts: Vec<Part>) -> (Vec<Call>, Vec<Part>) {
        let mut seen = HashSet::new();
        let mut calls = Vec::new();
        for part in &mut parts {
            if let Part::Call(call) = part {
                if call.id.is_empty() || !seen.insert(call.id.clone()) {
                    call.id = format!("call_{}_{}", self.talk.items.len(), calls.len());
                    seen.insert(call.id.clone());
                }
                calls.push(call.clone());
            }
        }
        (calls, parts)
    }
}

fn words(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        Part::Call(_) | Part::Kept { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod tests;
