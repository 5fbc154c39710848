//! Anthropic's messages: the request, and the events of the answer.

use super::dialect::{Answer, Fault, Sign, Stop, Used, With};
use super::rounds::Rules;
use super::talk::{Brought, Call, Item, Part, Talk, Went};
use super::tools;
use crate::stream::{number, text};
use serde_json::{Map, Value, json};

/// The longest answer if nobody says otherwise; a request must name one.
const MOST_OUTPUT: u64 = 16_000;

pub(crate) fn request(rules: &Rules, system: &str, talk: &Talk, with: With) -> Value {
    let mut body = json!({
        "model": rules.model,
        "max_tokens": rules.max_output.unwrap_or(MOST_OUTPUT),
        "stream": true,
        // What stays the same from call to call is kept by the provider: first the tools and this.
        "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
        "messages": messages(talk),
    });
    if with == With::Tools {
        let tools: Vec<Value> = tools::offered(rules)
            .into_iter()
            .map(|tool| json!({"name": tool.name, "description": tool.about, "input_schema": tool.takes}))
            .collect();
        body["tools"] = Value::Array(tools);
    }
    body
}

fn messages(talk: &Talk) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for item in &talk.items {
        let (role, blocks) = match item {
            Item::Told { text, .. } => ("user", vec![json!({"type": "text", "text": text})]),
            Item::Said { parts } => ("assistant", parts.iter().filter_map(said).collect()),
            Item::Brought { results } => ("user", results.iter().map(brought).collect()),
        };
        match messages.last_mut() {
            Some((last, there)) if *last == role => there.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    // Then the conversation up to the last two things that the model was told: the earlier mark is found again in the
    // next call, the later one is new.
    let users = messages.iter_mut().rev().filter(|(role, _)| *role == "user").take(2);
    for (_, blocks) in users {
        if let Some(last) = blocks.last_mut() {
            last["cache_control"] = json!({"type": "ephemeral"});
        }
    }
    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn said(part: &Part) -> Option<Value> {
    match part {
        // An empty text is refused.
        Part::Text { text } if text.trim().is_empty() => None,
        Part::Text { text } => Some(json!({"type": "text", "text": text})),
        Part::Call(call) => {
            let input = call.input_or_none();
            Some(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}))
        }
        Part::Kept { block } => Some(block.clone()),
    }
}

fn brought(result: &Brought) -> Value {
    let text = if result.text.is_empty() { "(nothing)" } else { &result.text };
    let failed = result.went == Went::Wrong;
    json!({"type": "tool_result", "tool_use_id": result.id, "content": text, "is_error": failed})
}

/// Puts one answer together.
#[derive(Debug, Default)]
pub struct Reader {
    blocks: Vec<Block>,
    stop: Stop,
    used: Option<Used>,
    pub(super) whole: bool,
}

#[derive(Debug)]
struct Block {
    index: u64,
    /// As it began.
    value: Value,
    json: String,
    /// What deltas added to each field.
    added: [(&'static str, String); 3],
}

impl Block {
    fn new(index: u64, value: Value) -> Self {
        let added = ["text", "thinking", "signature"].map(|field| (field, String::new()));
        Self { index, value, json: String::new(), added }
    }

    /// With all that was added.
    fn whole(mut self) -> Self {
        for (field, more) in &self.added {
            if !more.is_empty() {
                self.value[*field] = json!(text(&self.value, field).to_owned() + more);
            }
        }
        self
    }
}

impl Reader {
    pub(super) fn take(&mut self, data: &str) -> Result<Sign, Fault> {
        let event: Value = serde_json::from_str(data)
            .map_err(|why| Fault::Broken { said: format!("its stream is not JSON: {why}") })?;
        match text(&event, "type") {
            "message_start" => self.count(&event["message"]["usage"]),
            "content_block_start" => {
                let (index, value) = (number(&event, "index"), event["content_block"].clone());
                self.blocks.push(Block::new(index, value));
                return Ok(Sign::Word);
            }
            "content_block_delta" => {
                self.add(number(&event, "index"), &event["delta"]);
                return Ok(Sign::Word);
            }
            "message_delta" => {
                self.count(&event["usage"]);
                self.stop = match text(&event["delta"], "stop_reason") {
                    "max_tokens" | "model_context_window_exceeded" => Stop::TooLong,
                    "refusal" => Stop::Refused,
                    _ => Stop::Done,
                };
            }
            "message_stop" => self.whole = true,
            "error" => return Err(refused(data, &event)),
            _ => {}
        }
        Ok(Sign::Nothing)
    }

    fn count(&mut self, usage: &Value) {
        let Some(fields) = usage.as_object() else { return };
        let used = self.used.get_or_insert_default();
        let at = |name: &str| fields.get(name).and_then(Value::as_u64);
        // The last event names again what it knows better.
        if let Some(input) = at("input_tokens") {
            let kept = at("cache_creation_input_tokens").unwrap_or(used.kept);
            (used.input, used.kept) = (input + kept, kept);
        }
        used.cached = at("cache_read_input_tokens").unwrap_or(used.cached);
        used.output = at("output_tokens").unwrap_or(used.output);
    }

    fn add(&mut self, index: u64, delta: &Value) {
        let Some(block) = self.blocks.iter_mut().find(|block| block.index == index) else { return };
        let field = match text(delta, "type") {
            "input_json_delta" => {
                block.json.push_str(text(delta, "partial_json"));
                return;
            }
            "text_delta" => "text",
            "thinking_delta" => "thinking",
            "signature_delta" => "signature",
            _ => return,
        };
        if let Some((_, so_far)) = block.added.iter_mut().find(|(of, _)| *of == field) {
            so_far.push_str(text(delta, field));
        }
    }

    pub(super) fn finish(self) -> Result<Answer, Fault> {
        if !self.whole {
            return Err(Fault::Broken { said: "its answer broke off".to_owned() });
        }
        let mut thoughts = String::new();
        let parts = self.blocks.into_iter().map(Block::whole).map(|block| {
            match text(&block.value, "type") {
                "text" => Part::Text { text: text(&block.value, "text").to_owned() },
                "tool_use" => Part::Call(call(&block)),
                _ => {
                    thoughts.push_str(text(&block.value, "thinking"));
                    Part::Kept { block: block.value }
                }
            }
        });
        let parts = parts.collect();
        Ok(Answer { parts, thoughts, stop: self.stop, used: self.used })
    }
}

fn call(block: &Block) -> Call {
    let whole = block.value["input"].as_object().filter(|input| !input.is_empty());
    Call {
        id: text(&block.value, "id").to_owned(),
        name: text(&block.value, "name").to_owned(),
        arguments: match whole {
            Some(input) if block.json.is_empty() => Value::Object(Map::clone(input)).to_string(),
            _ => block.json.clone(),
        },
    }
}

/// An error in the middle of a stream, as if it had been the answer's status.
fn refused(data: &str, event: &Value) -> Fault {
    let status = match text(&event["error"], "type") {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        _ => 500,
    };
    Fault::of(status, |_| None, data.as_bytes())
}
