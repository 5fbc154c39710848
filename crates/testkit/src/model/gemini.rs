//! Gemini's content.

use super::http::Said;
use serde_json::{Value, json};

pub(super) fn whole(what: &Said) -> Value {
    let call = |name: &str, input: &Value| json!({"functionCall": {"id": super::tools::fresh("call_"), "name": name, "args": input}});
    let part = match what {
        Said::Text(text) => json!({"text": text}),
        Said::Call { name, input } => call(name, input),
        Said::Custom { name, input } => call(name, &json!({"input": input})),
    };
    json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050},
        "modelVersion": "played", "responseId": super::tools::fresh("resp-"),
    })
}
