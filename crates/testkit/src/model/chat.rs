//! `OpenAI`'s chat completions, which many others speak too.

use super::http::{Said, event};
use serde_json::{Value, json};

fn usage() -> Value {
    json!({"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050})
}

fn calls(what: &Said) -> Option<Value> {
    let call = |name: &str, input: String| {
        json!([{"index": 0, "id": super::tools::fresh("call_"), "type": "function",
                "function": {"name": name, "arguments": input}}])
    };
    match what {
        Said::Text(_) => None,
        Said::Call { name, input } => Some(call(name, input.to_string())),
        Said::Custom { name, input } => Some(call(name, json!({"input": input}).to_string())),
    }
}

fn message(what: &Said) -> (Value, &'static str) {
    match (what, calls(what)) {
        (Said::Text(text), _) => (json!({"role": "assistant", "content": text}), "stop"),
        (_, calls) => {
            (json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
        }
    }
}

pub(super) fn whole(what: &Said) -> Value {
    let (message, stop) = message(what);
    json!({
        "id": super::tools::fresh("chatcmpl-"), "object": "chat.completion", "created": 0, "model": "played",
        "choices": [{"index": 0, "message": message, "finish_reason": stop}], "usage": usage(),
    })
}

pub(super) fn events(what: &Said) -> Vec<String> {
    let id = super::tools::fresh("chatcmpl-");
    let chunk = |choices: Value, usage: Value| {
        event(
            None,
            &json!({"id": id, "object": "chat.completion.chunk", "created": 0, "model": "played",
                    "choices": choices, "usage": usage}),
        )
    };
    let (delta, stop) = message(what);
    vec![
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null),
        chunk(json!([{"index": 0, "delta": {}, "finish_reason": stop}]), Value::Null),
        chunk(json!([]), usage()),
        "data: [DONE]\n\n".to_owned(),
    ]
}
