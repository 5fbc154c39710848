//! Anthropic's messages.

use super::http::{Asked, Said, event};
use serde_json::{Value, json};

fn block(what: &Said) -> Value {
    match what {
        Said::Text(text) => json!({"type": "text", "text": text}),
        Said::Call { name, input } => {
            json!({"type": "tool_use", "id": super::tools::fresh("toolu_"), "name": name, "input": input})
        }
        Said::Custom { name, input } => {
            json!({"type": "tool_use", "id": super::tools::fresh("toolu_"), "name": name, "input": {"input": input}})
        }
    }
}

fn stop(what: &Said) -> &'static str {
    match what {
        Said::Text(_) => "end_turn",
        Said::Call { .. } | Said::Custom { .. } => "tool_use",
    }
}

pub(super) fn whole(asked: &Asked, what: &Said) -> Value {
    json!({
        "id": super::tools::fresh("msg_"), "type": "message", "role": "assistant", "model": asked.body["model"],
        "content": [block(what)], "stop_reason": stop(what), "stop_sequence": null,
        "usage": {"input_tokens": 1000, "output_tokens": 50, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0},
    })
}

pub(super) fn events(asked: &Asked, what: &Said) -> Vec<String> {
    let mut head = whole(asked, what);
    let content = head["content"][0].clone();
    head["content"] = json!([]);
    head["stop_reason"] = Value::Null;
    let (empty, delta) = match what {
        Said::Text(text) => {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
        }
        Said::Call { .. } | Said::Custom { .. } => {
            let mut empty = content.clone();
            empty["input"] = json!({});
            let input = content["input"].to_string();
            (empty, json!({"type": "input_json_delta", "partial_json": input}))
        }
    };
    [
        json!({"type": "message_start", "message": head}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop(what), "stop_sequence": null},
               "usage": {"output_tokens": 50}}),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(|body| event(body["type"].as_str(), body))
    .collect()
}
