//! What an agent says while it works, made into lines of our own: whole messages for chunks, a tool call once its file or command is
//! known, and what the turn used.

use super::make;
use crate::conversation::Step;
use crate::goose;
use crate::object::{Found, last_object};
use crate::policy::Call;
use crate::stream::text;
use proctor_core::agent::Make;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug)]
pub(super) struct Tale {
    make: Make,
    /// What is being said, and whether aloud.
    voice: Voice,
    words: String,
    /// The last whole message.
    message: String,
    calls: BTreeMap<String, Call>,
    used: Used,
    /// What the provider answered last, where that was an error.
    trouble: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    Aloud,
    Thinking,
}

/// What the agent says about tokens and money.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    /// Of the whole session.
    usd: Option<f64>,
    /// How often the model was asked, as far as its tool calls show.
    asked: u64,
    input: u64,
    cached: u64,
    output: u64,
    counted: bool,
}

impl Tale {
    pub(super) fn new(make: Make) -> Self {
        Self {
            make,
            voice: Voice::Aloud,
            words: String::new(),
            message: String::new(),
            calls: BTreeMap::new(),
            used: Used::default(),
            trouble: None,
        }
    }

    /// Another prompt: an agent may count its tool calls anew.
    pub(super) fn begin(&mut self) {
        self.calls.clear();
    }

    pub(super) fn update(&mut self, update: &Value) -> Vec<Step> {
        match text(update, "sessionUpdate") {
            "agent_message_chunk" => self.chunk(Voice::Aloud, &update["content"]),
            "agent_thought_chunk" => self.chunk(Voice::Thinking, &update["content"]),
            "tool_call" | "tool_call_update" => {
                let mut steps = self.flush();
                let id = text(update, "toolCallId");
                self.trouble = None;
                // Calls that stand side by side are one answer of the model.
                if !self.calls.contains_key(id) && self.calls.values().all(|call| call.over) {
                    self.used.asked += 1;
                }
                self.learn(update);
                let status = text(update, "status");
                let over = matches!(status, "completed" | "failed");
                if let Some(call) = self.calls.get_mut(id) {
                    call.over |= over;
                }
                let plain = self.calls.get(id).is_some_and(Call::is_plain);
                steps.extend(if plain || over { self.tell(id) } else { vec![Step::Alive] });
                if status == "failed" {
                    let said = outcome(update);
                    steps.push(Step::Tell(json!({"event": "tool-failed", "said": said})));
                }
                steps
            }
            "plan" => {
                let entries = update["entries"].as_array().into_iter().flatten();
                let lines: Vec<String> = entries
                    .map(|entry| format!("[{}] {}", text(entry, "status"), text(entry, "content")))
                    .collect();
                let mut steps = self.flush();
                steps.push(Step::Tell(json!({"event": "plan", "steps": lines})));
                steps
            }
            "usage_update" => {
                let cost = &update["cost"];
                if text(cost, "currency") == "USD" {
                    self.used.usd = cost["amount"].as_f64().or(self.used.usd);
                }
                vec![Step::Alive]
            }
            "session_info_update" => {
                let said = text(&update["_meta"]["codex"]["error"], "message");
                if !said.is_empty() {
                    self.trouble = Some(said.to_owned());
                }
                vec![Step::Alive]
            }
            _ => vec![Step::Alive],
        }
    }

    fn chunk(&mut self, voice: Voice, content: &Value) -> Vec<Step> {
        let mut steps = if voice == self.voice { Vec::new() } else { self.flush() };
        self.voice = voice;
        self.words.push_str(text(content, "text"));
        steps.push(Step::Alive);
        steps
    }

    /// Ends a message.
    fn flush(&mut self) -> Vec<Step> {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return Vec::new();
        }
        let event = match self.voice {
            Voice::Aloud => {
                self.message.clone_from(&words);
                "said"
            }
            Voice::Thinking => "thought",
        };
        vec![Step::Tell(json!({"event": event, "text": words}))]
    }

    pub(super) fn learn(&mut self, call: &Value) -> Call {
        let known = self.calls.entry(text(call, "toolCallId").to_owned()).or_default();
        known.learn(call);
        known.clone()
    }

    /// Tells of a tool call, once.
    pub(super) fn tell(&mut self, id: &str) -> Vec<Step> {
        let Some(call) = self.calls.get_mut(id).filter(|call| !call.told) else {
            return vec![Step::Alive];
        };
        call.told = true;
        let line = json!({
            "event": "tool", "title": call.title, "kind": call.kind,
            "path": call.paths.first(), "command": call.command,
        });
        let mut steps = self.flush();
        steps.push(Step::Tell(line));
        steps
    }

    /// What is left to be told when a prompt is answered.
    pub(super) fn finish(&mut self, result: &Value) -> Vec<Step> {
        let mut steps = self.flush();
        if let Some(counted) = make::counted(self.make, result) {
            self.used.input = self.used.input.saturating_add(counted.input);
            self.used.cached = self.used.cached.saturating_add(counted.cached);
            self.used.output = self.used.output.saturating_add(counted.output);
            self.used.counted = true;
        }
        let used = self.used;
        let mut line = json!({"event": "usage"});
        if used.counted {
            // Where only the last call of the model is counted, it was the longest.
            let guessed = make::counts_last_call(self.make) && used.asked > 0;
            let times = if guessed { used.asked + 1 } else { 1 };
            let tokens = [used.input, used.cached, used.output].map(|n| n.saturating_mul(times));
            line["tokens"] = json!(tokens);
            line["guessed"] = json!(guessed);
        }
        if let Some(usd) = used.usd {
            line["usd"] = json!(usd);
        }
        steps.push(Step::Tell(line));
        steps
    }

    pub(super) fn has_answer(&self) -> bool {
        matches!(last_object(self.message.as_bytes()), Found::Object(_))
    }

    /// Some say that their provider failed as if the model had said it.
    pub(super) fn own_failure(&self) -> Option<String> {
        let said = self.message.trim();
        match self.make {
            // No call of the model came to an end. What it says then may be an object of the provider's.
            Make::Codex if !self.used.counted => {
                Some(said).filter(|said| !said.is_empty()).or(self.trouble.as_deref())
            }
            Make::Codex if self.trouble.is_some() && !self.has_answer() => Some(said),
            Make::Goose => goose::own_failure(said),
            Make::Other | Make::Claude | Make::Codex | Make::Gemini | Make::Opencode => None,
        }
        .map(str::to_owned)
    }
}

/// What a tool call came to, in words.
fn outcome(update: &Value) -> String {
    let blocks = update["content"].as_array().into_iter().flatten();
    let words: Vec<&str> = blocks.map(|block| text(&block["content"], "text")).collect();
    match (words.concat(), &update["rawOutput"]) {
        (words, _) if !words.trim().is_empty() => words,
        (_, Value::String(said)) => said.clone(),
        (_, raw) => ["error", "message", "output"]
            .iter()
            .find_map(|key| raw.get(*key)?.as_str())
            .unwrap_or_default()
            .to_owned(),
    }
}
