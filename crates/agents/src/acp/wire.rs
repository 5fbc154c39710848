//! JSON-RPC as the Agent Client Protocol uses it: one message a line. Knows no method.

use serde_json::{Value, json};

/// What came from the other side.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Incoming {
    /// Wants an answer.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notice {
        method: String,
        params: Value,
    },
    /// To a request of ours.
    Answer {
        id: u64,
        outcome: Result<Value, Fault>,
    },
}

/// An error as the protocol tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub code: i64,
    pub message: String,
    pub data: Value,
}

impl Fault {
    pub const NO_SUCH_METHOD: i64 = -32601;
    pub const BAD_PARAMS: i64 = -32602;
    pub const INTERNAL: i64 = -32603;
    pub(super) const LOGIN_NEEDED: i64 = -32000;
    pub const NOT_FOUND: i64 = -32002;

    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: Value::Null }
    }

    /// Everything that it says. Some programs say the cause only in `data`.
    pub(super) fn all(&self) -> String {
        let more = match &self.data {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Object(data) => {
                let texts = ["details", "message", "error", "errorMessage"];
                let text = texts.iter().find_map(|key| data.get(*key)?.as_str());
                text.map_or_else(|| self.data.to_string(), str::to_owned)
            }
            other => other.to_string(),
        };
        match more.as_str() {
            "" | "{}" => self.message.clone(),
            more if self.message.contains(more) => self.message.clone(),
            more => format!("{}: {more}", self.message),
        }
    }
}

pub(super) fn parse(line: &str) -> Option<Incoming> {
    let message: Value = serde_json::from_str(line.trim()).ok()?;
    let params = || message.get("params").cloned().unwrap_or(Value::Null);
    match (message.get("method").and_then(Value::as_str), message.get("id")) {
        (Some(method), Some(id)) if !id.is_null() => {
            Some(Incoming::Request { id: id.clone(), method: method.to_owned(), params: params() })
        }
        (Some(method), _) => Some(Incoming::Notice { method: method.to_owned(), params: params() }),
        (None, Some(id)) => {
            let outcome = match message.get("error").filter(|error| !error.is_null()) {
                Some(error) => Err(Fault {
                    code: error["code"].as_i64().unwrap_or(Fault::INTERNAL),
                    message: error["message"].as_str().unwrap_or("unnamed error").to_owned(),
                    data: error.get("data").cloned().unwrap_or(Value::Null),
                }),
                None => Ok(message.get("result").cloned().unwrap_or(Value::Null)),
            };
            Some(Incoming::Answer { id: id.as_u64()?, outcome })
        }
        (None, None) => None,
    }
}

pub(super) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(super) fn notice(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub(super) fn answer(id: &Value, outcome: Result<Value, Fault>) -> Value {
    match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Fault { code, message, data }) => {
            let mut error = json!({"code": code, "message": message});
            if !data.is_null() {
                error["data"] = data;
            }
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    }
}
