//! `OpenAI`'s chat completions, as Ollama, llama.cpp, vLLM, LM Studio and many others speak them too: the request, and the
//! pieces of the answer.

use super::dialect::{Answer, Fault, Sign, Stop, Used, With};
use super::rounds::Rules;
use super::talk::{Call, Item, Part, Talk};
use super::tools;
use crate::stream::{number, text};
use serde_json::{Value, json};

pub(crate) fn request(rules: &Rules, system: &str, talk: &Talk, with: With) -> Value {
    let mut body = json!({
        "model": rules.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages(system, talk),
    });
    if let Some(most) = rules.max_output {
        // The newer models of the first provider know only the newer name; everybody else knows the older one.
        let name = if rules.elsewhere { "max_tokens" } else { "max_completion_tokens" };
        body[name] = json!(most);
    }
    if with == With::Tools {
        let tools: Vec<Value> = tools::offered(rules)
            .into_iter()
            .map(|tool| {
                let function =
                    json!({"name": tool.name, "description": tool.about, "parameters": tool.takes});
                json!({"type": "function", "function": function})
            })
            .collect();
        body["tools"] = Value::Array(tools);
    }
    body
}

fn messages(system: &str, talk: &Talk) -> Vec<Value> {
    let mut messages = vec![json!({"role": "system", "content": system})];
    for item in &talk.items {
        match item {
            Item::Told { text: told, .. } => match messages.last_mut() {
                // Some servers want the two to take turns.
                Some(last) if last["role"] == "user" => {
                    let both = format!("{}\n\n{told}", text(last, "content"));
                    last["content"] = json!(both);
                }
                _ => messages.push(json!({"role": "user", "content": told})),
            },
            Item::Said { parts } => messages.push(said(parts)),
            Item::Brought { results } => messages.extend(results.iter().map(
                |result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text}),
            )),
        }
    }
    messages
}

fn said(parts: &[Part]) -> Value {
    let mut words = String::new();
    let mut calls = Vec::new();
    for part in parts {
        match part {
            Part::Text { text } => words.push_str(text),
            Part::Call(call) => {
                let arguments = call.input_or_none().to_string();
                let function = json!({"name": call.name, "arguments": arguments});
                calls.push(json!({"id": call.id, "type": "function", "function": function}));
            }
            Part::Kept { .. } => {}
        }
    }
    let mut message = json!({"role": "assistant", "content": words});
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    message
}

/// Puts one answer together.
#[derive(Debug, Default)]
pub struct Reader {
    text: String,
    thoughts: String,
    refusal: String,
    calls: Vec<(u64, Call)>,
    stop: Option<Stop>,
    used: Option<Used>,
    pub(super) whole: bool,
}

impl Reader {
    pub(super) fn take(&mut self, data: &str) -> Result<Sign, Fault> {
        if data.trim() == "[DONE]" {
            self.whole = true;
            return Ok(Sign::Nothing);
        }
        let piece: Value = serde_json::from_str(data)
            .map_err(|why| Fault::Broken { said: format!("its stream is not JSON: {why}") })?;
        if !piece["error"].is_null() {
            return Err(refused(data, &piece));
        }
        self.count(&piece["usage"]);
        let choice = &piece["choices"][0];
        if choice.is_null() {
            return Ok(Sign::Nothing);
        }
        let delta = &choice["delta"];
        self.text.push_str(text(delta, "content"));
        self.refusal.push_str(text(delta, "refusal"));
        for name in ["reasoning_content", "reasoning"] {
            self.thoughts.push_str(text(delta, name));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.add(call);
        }
        match text(choice, "finish_reason") {
            "" => {}
            "length" => self.stop = Some(Stop::TooLong),
            "content_filter" => self.stop = Some(Stop::Refused),
            _ => self.stop = Some(Stop::Done),
        }
        Ok(Sign::Word)
    }

    fn count(&mut self, usage: &Value) {
        if !usage.is_object() {
            return;
        }
        let cached = number(&usage["prompt_tokens_details"], "cached_tokens");
        self.used = Some(Used {
            input: number(usage, "prompt_tokens").saturating_sub(cached),
            kept: 0,
            cached,
            output: number(usage, "completion_tokens"),
        });
    }

    fn add(&mut self, piece: &Value) {
        let last = self.calls.last().map(|(index, _)| *index);
        let id = text(piece, "id");
        // Some servers give each call in one piece, and some without its number.
        let index = match piece["index"].as_u64() {
            Some(index) => index,
            None if id.is_empty() => last.unwrap_or_default(),
            None => last.map_or(0, |last| last + 1),
        };
        let at = self.calls.iter().position(|(of, _)| *of == index).unwrap_or_else(|| {
            self.calls.push((index, Call::default()));
            self.calls.len() - 1
        });
        let (_, call) = &mut self.calls[at];
        if !id.is_empty() {
            id.clone_into(&mut call.id);
        }
        let function = &piece["function"];
        call.name.push_str(text(function, "name"));
        match &function["arguments"] {
            Value::String(more) => call.arguments.push_str(more),
            Value::Object(whole) => call.arguments = Value::Object(whole.clone()).to_string(),
            _ => {}
        }
    }

    pub(super) fn finish(self) -> Result<Answer, Fault> {
        // Not every server says that it is done; each says why the model stopped.
        let Some(stop) = self.stop else {
            return Err(Fault::Broken { said: "its answer broke off".to_owned() });
        };
        let refused = !self.refusal.is_empty();
        let words = if refused { self.refusal } else { self.text };
        let mut parts = Vec::new();
        if !words.is_empty() {
            parts.push(Part::Text { text: words });
        }
        parts.extend(self.calls.into_iter().map(|(_, call)| Part::Call(call)));
        let stop = if refused { Stop::Refused } else { stop };
        Ok(Answer { parts, thoughts: self.thoughts, stop, used: self.used })
    }
}

/// An error in the middle of a stream, as if it had been the answer's status.
fn refused(data: &str, piece: &Value) -> Fault {
    let code = &piece["error"]["code"];
    let code = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400);
    Fault::of(status.unwrap_or(500), |_| None, data.as_bytes())
}
