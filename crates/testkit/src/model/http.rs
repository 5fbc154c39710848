//! The wire: one request a connection, answered as JSON or as a stream of events.

use super::{anthropic, chat, gemini, responses};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// How a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) path: String,
    pub(super) body: Value,
    /// None for what is no question to the model.
    pub(super) tongue: Option<Tongue>,
    /// The names of the tools that the agent offers.
    pub(super) tools: Vec<String>,
}

impl Asked {
    /// Whether it belongs to the conversation: titles and the like come without tools.
    pub(super) fn is_main(&self) -> bool {
        self.tongue.is_some() && !self.tools.is_empty()
    }

    pub(super) fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|name| name == tool)
    }

    fn streams(&self) -> bool {
        match self.tongue {
            Some(Tongue::Gemini) => self.path.contains("streamGenerateContent"),
            Some(Tongue::Anthropic | Tongue::Responses | Tongue::Chat) | None => {
                self.body["stream"] == true
            }
        }
    }
}

/// What the model says.
#[derive(Clone, Debug)]
pub(super) enum Said {
    Text(String),
    Call {
        name: String,
        input: Value,
    },
    /// A tool whose input is a text.
    Custom {
        name: String,
        input: String,
    },
}

/// The way back to the one who asked.
pub(super) struct Back {
    stream: TcpStream,
}

pub(super) fn receive(stream: TcpStream) -> Option<(Asked, Back)> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim_end().to_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        chunked |= header.starts_with("transfer-encoding:") && header.contains("chunked");
    }
    let bytes = if chunked { chunks(&mut reader)? } else { exactly(&mut reader, length)? };
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let plain = path.split('?').next().unwrap_or_default();
    let tongue = match plain {
        _ if method != "POST" => None,
        path if path.ends_with("/messages") => Some(Tongue::Anthropic),
        path if path.ends_with("/responses") => Some(Tongue::Responses),
        path if path.ends_with("/chat/completions") => Some(Tongue::Chat),
        path if path.ends_with("enerateContent") => Some(Tongue::Gemini),
        _ => None,
    };
    let tools = match tongue {
        Some(Tongue::Anthropic) => names(&body["tools"], "/name"),
        Some(Tongue::Responses) => responses::tools(&body),
        Some(Tongue::Chat) => names(&body["tools"], "/function/name"),
        Some(Tongue::Gemini) => body["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|tool| names(&tool["functionDeclarations"], "/name"))
            .collect(),
        None => Vec::new(),
    };
    Some((Asked { path, body, tongue, tools }, Back { stream }))
}

fn names(list: &Value, at: &str) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(|tool| tool.pointer(at)?.as_str().map(str::to_owned)).collect()
}

fn exactly(reader: &mut impl Read, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn chunks(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let length = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        all.extend(exactly(reader, length)?);
        reader.read_line(&mut String::new()).ok()?;
        if length == 0 {
            return Some(all);
        }
    }
}

impl Back {
    pub(super) fn json(&mut self, status: u16, body: &Value, retry_after: Option<u32>) {
        let body = body.to_string();
        let after = retry_after.map(|s| format!("retry-after: {s}\r\n")).unwrap_or_default();
        let head = format!(
            "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{after}\r\n",
            body.len()
        );
        self.send(&(head + &body));
    }

    pub(super) fn reply(&mut self, asked: &Asked, what: &Said) {
        if asked.streams() {
            self.events(&said(asked, what));
        } else {
            self.json(200, &whole(asked, what), None);
        }
    }

    /// A stream that ends when the connection does.
    pub(super) fn events(&mut self, events: &[String]) {
        let head =
            "HTTP/1.1 200 Said\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        self.send(&(head.to_owned() + &events.concat()));
    }

    /// Another piece of the stream. False where nobody listens any more.
    pub(super) fn more(&mut self, event: &str) -> bool {
        self.stream.write_all(event.as_bytes()).is_ok()
    }

    fn send(&mut self, text: &str) {
        // Whoever asked may be gone, and that is what some tests are about.
        let _ = self.stream.write_all(text.as_bytes()).and_then(|()| self.stream.flush());
    }

    pub(super) fn is_gone(&self) -> bool {
        let _ = self.stream.set_nonblocking(true);
        let gone = matches!(self.stream.peek(&mut [0]), Ok(0));
        let _ = self.stream.set_nonblocking(false);
        gone
    }
}

/// One event, named where the provider names them.
pub(super) fn event(name: Option<&str>, body: &Value) -> String {
    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {body}\n\n")
}

pub(super) fn said(asked: &Asked, what: &Said) -> Vec<String> {
    match asked.tongue {
        Some(Tongue::Responses) => responses::events(asked, what),
        Some(Tongue::Chat) => chat::events(what),
        Some(Tongue::Gemini) => vec![event(None, &gemini::whole(what))],
        Some(Tongue::Anthropic) | None => anthropic::events(asked, what),
    }
}

fn whole(asked: &Asked, what: &Said) -> Value {
    match asked.tongue {
        Some(Tongue::Responses) => responses::whole(asked, what),
        Some(Tongue::Chat) => chat::whole(what),
        Some(Tongue::Gemini) => gemini::whole(what),
        Some(Tongue::Anthropic) | None => anthropic::whole(asked, what),
    }
}

/// An error in the provider's own shape.
pub(super) fn error(tongue: Tongue, status: u16) -> Value {
    let message = match status {
        401 => "Incorrect API key provided: this key is not known",
        429 => "too many requests, says the played model",
        _ => "an error of the played model",
    };
    match tongue {
        Tongue::Anthropic => {
            let kind = match status {
                401 => "authentication_error",
                429 => "rate_limit_error",
                529 => "overloaded_error",
                _ => "api_error",
            };
            json!({"type": "error", "error": {"type": kind, "message": message}})
        }
        Tongue::Responses | Tongue::Chat => {
            json!({"error": {"message": message, "type": "error", "code": null, "param": null}})
        }
        Tongue::Gemini => {
            let word = match status {
                401 => "UNAUTHENTICATED",
                429 => "RESOURCE_EXHAUSTED",
                _ => "INTERNAL",
            };
            json!({"error": {"code": status, "message": message, "status": word}})
        }
    }
}

/// What else is asked: lists of models, counts of tokens.
pub(super) fn other(asked: &Asked) -> Value {
    if asked.path.contains("ountTokens") || asked.path.contains("count_tokens") {
        return json!({"input_tokens": 100, "totalTokens": 100});
    }
    json!({"object": "list", "data": [{"id": "played", "object": "model", "created": 0, "owned_by": "test"}], "models": []})
}
