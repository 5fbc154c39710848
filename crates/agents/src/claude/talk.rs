//! Claude Code, spoken with while it works: one message in, and an answer to each tool that it asks for. What it may not is refused
//! with the reason, which its model reads. Measured with 2.1.325: no greeting is needed, and what it does not ask for (reading,
//! commands that only read) it does by itself.

use super::STOPPED;
use crate::acp::Fault;
use crate::conversation::{Conversation, Step};
use crate::launch::TurnAsk;
use crate::policy::{Call, Policy};
use crate::stream::text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

/// One turn, as plain data in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    /// Where it works.
    pub cwd: PathBuf,
    pub prompt: String,
    pub policy: Policy,
    /// More arguments, by which it asks before it uses a tool.
    pub asking: Vec<String>,
    /// The same for a program that knows no such arguments: it is told beforehand what it may.
    pub told: Vec<String>,
}

impl Errand {
    pub(super) fn of(ask: &TurnAsk<'_>, told: Vec<String>) -> Self {
        let asking = ["--permission-mode", "default", "--permission-prompt-tool", "stdio"];
        Self {
            cwd: ask.worktree.components().collect(),
            prompt: ask.prompt.to_owned(),
            policy: Policy::of(ask),
            asking: asking.map(str::to_owned).to_vec(),
            told,
        }
    }
}

/// Our side of one turn.
#[derive(Debug)]
pub struct Talk {
    errand: Errand,
    /// We asked it to stop.
    stopping: bool,
    over: bool,
}

impl Talk {
    pub fn new(errand: Errand) -> Self {
        Self { errand, stopping: false, over: false }
    }

    fn asked(&self, id: &Value, request: &Value) -> Vec<Step> {
        if text(request, "subtype") != "can_use_tool" {
            let error = format!("there is no {} here", text(request, "subtype"));
            let answer = json!({"subtype": "error", "request_id": id, "error": error});
            return vec![Step::Alive, respond(&answer)];
        }
        let (tool, input) = (text(request, "tool_name"), &request["input"]);
        let mut call = Call::default();
        call.learn(&json!({"title": tool, "kind": kind(tool), "rawInput": input}));
        let refused = self.errand.policy.refuses(&call);
        let decision = match &refused {
            Some(why) => json!({"behavior": "deny", "message": why}),
            None => json!({"behavior": "allow", "updatedInput": input}),
        };
        let answer = json!({"subtype": "success", "request_id": id, "response": decision});
        // Told as the program itself tells what it refuses.
        let told = refused.map_or(Step::Alive, |why| {
            Step::Tell(json!({
                "type": "system", "subtype": "permission_denied",
                "tool_name": tool, "tool_use_id": request["tool_use_id"], "message": why,
            }))
        });
        vec![told, respond(&answer)]
    }
}

fn respond(answer: &Value) -> Step {
    Step::Send(json!({"type": "control_response", "response": answer}))
}

/// What a tool does, in the words of the policy. One that is not known may do anything.
fn kind(tool: &str) -> &'static str {
    match tool {
        "Read" | "NotebookRead" | "LS" => "read",
        "Grep" | "Glob" => "search",
        "TodoWrite" | "StructuredOutput" => "think",
        "WebFetch" | "WebSearch" => "fetch",
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => "edit",
        "Bash" => "execute",
        _ => "other",
    }
}

impl Conversation for Talk {
    fn begin(&mut self) -> Vec<Step> {
        let message = json!({"role": "user", "content": self.errand.prompt});
        vec![Step::Send(json!({
            "type": "user", "message": message, "parent_tool_use_id": null, "session_id": "",
        }))]
    }

    fn hear(&mut self, line: &str) -> Vec<Step> {
        if self.over || line.trim().is_empty() {
            return Vec::new();
        }
        let Ok(mut event) = serde_json::from_str::<Value>(line) else {
            return vec![Step::Tell(json!({"type": "noise", "text": line}))];
        };
        match text(&event, "type") {
            "control_request" => self.asked(&event["request_id"], &event["request"]),
            "control_response" | "control_cancel_request" | "keep_alive" => vec![Step::Alive],
            "result" => {
                self.over = true;
                if self.stopping {
                    event["type"] = json!(STOPPED);
                }
                vec![Step::Tell(event), Step::Over]
            }
            _ => vec![Step::Tell(event)],
        }
    }

    fn done(&mut self, _: &Value, _: Result<Value, Fault>) -> Vec<Step> {
        // It wants nothing done: it has tools of its own.
        Vec::new()
    }

    fn cancel(&mut self) -> Vec<Step> {
        self.stopping = true;
        if self.over {
            return Vec::new();
        }
        let request = json!({"subtype": "interrupt"});
        vec![Step::Send(
            json!({"type": "control_request", "request_id": "stop", "request": request}),
        )]
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
