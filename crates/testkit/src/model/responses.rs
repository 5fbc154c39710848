//! `OpenAI`'s responses.

use super::http::{Asked, Said, event};
use serde_json::{Value, json};

/// The tools of a request. Newer models get some of them inside the input.
pub(super) fn tools(body: &Value) -> Vec<String> {
    let inside = body["input"].as_array().into_iter().flatten();
    let inside = inside.filter(|item| item["type"] == "additional_tools");
    let lists = std::iter::once(&body["tools"]).chain(inside.map(|item| &item["tools"]));
    let tools = lists.filter_map(Value::as_array).flatten();
    tools
        .filter_map(|tool| tool["name"].as_str().or(tool["type"].as_str()))
        .map(str::to_owned)
        .collect()
}

/// Whether a tool takes a text instead of an object.
pub(super) fn is_custom(asked: &Asked, name: &str) -> bool {
    let tools = asked.body["tools"].as_array().into_iter().flatten();
    tools.into_iter().any(|tool| tool["name"] == name && tool["type"] == "custom")
}

fn item(what: &Said) -> Value {
    match what {
        Said::Text(text) => json!({
            "type": "message", "id": super::tools::fresh("msg_"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Said::Call { name, input } => json!({
            "type": "function_call", "id": super::tools::fresh("fc_"), "call_id": super::tools::fresh("call_"),
            "name": name, "arguments": input.to_string(), "status": "completed",
        }),
        Said::Custom { name, input } => json!({
            "type": "custom_tool_call", "id": super::tools::fresh("ctc_"), "call_id": super::tools::fresh("call_"),
            "name": name, "input": input, "status": "completed",
        }),
    }
}

pub(super) fn whole(asked: &Asked, what: &Said) -> Value {
    json!({
        "id": super::tools::fresh("resp_"), "object": "response", "created_at": 0, "model": asked.body["model"],
        "status": "completed", "output": [item(what)],
        "usage": {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 50,
                  "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1050},
    })
}

pub(super) fn events(asked: &Asked, what: &Said) -> Vec<String> {
    let full = whole(asked, what);
    let mut head = full.clone();
    head["status"] = json!("in_progress");
    head["output"] = json!([]);
    head["usage"] = Value::Null;
    let item = full["output"][0].clone();
    [
        json!({"type": "response.created", "sequence_number": 0, "response": head}),
        json!({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item}),
        json!({"type": "response.completed", "sequence_number": 3, "response": full}),
    ]
    .iter()
    .map(|body| event(body["type"].as_str(), body))
    .collect()
}
