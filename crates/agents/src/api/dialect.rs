//! What the providers' ways of speaking have in common: where they answer, what an answer is made of, what can go wrong.
//! Each way has a file of its own.

use super::rounds::Rules;
use super::sse::SseEvent;
use super::talk::{Part, Talk};
use super::{anthropic, chat};
use crate::limit::{LimitEnd, seconds_to_ms};
use crate::stream::Tokens;
use proctor_core::words::Millis;
use serde_json::Value;

/// How a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic's messages.
    Anthropic,
    /// `OpenAI`'s chat completions, which most local servers speak too.
    Chat,
}

impl Dialect {
    /// By its word in the configuration.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "anthropic" => Some(Self::Anthropic),
            "openai" => Some(Self::Chat),
            _ => None,
        }
    }

    /// Where it answers if nobody says otherwise.
    pub fn home(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::Chat => "https://api.openai.com/v1",
        }
    }

    /// The variable that usually holds its key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC_API_KEY",
            Self::Chat => "OPENAI_API_KEY",
        }
    }

    /// How much a model remembers if nobody says otherwise: of one somewhere else little is taken for granted.
    pub fn context(self, base_url: Option<&str>) -> u64 {
        match (self, base_url) {
            (Self::Anthropic, _) => 200_000,
            (Self::Chat, None) => 128_000,
            (Self::Chat, Some(_)) => 32_000,
        }
    }

    fn at(self, base_url: Option<&str>, what: &str) -> String {
        let base = base_url.unwrap_or(self.home()).trim_end_matches('/');
        let host = base.split_once("://").map_or(base, |(_, rest)| rest);
        let versioned = match self {
            Self::Anthropic => base.ends_with("/v1"),
            // Others than the first have folders of their own.
            Self::Chat => host.contains('/'),
        };
        if versioned { format!("{base}/{what}") } else { format!("{base}/v1/{what}") }
    }

    /// Where the model is asked.
    pub fn url(self, base_url: Option<&str>) -> String {
        match self {
            Self::Anthropic => self.at(base_url, "messages"),
            Self::Chat => self.at(base_url, "chat/completions"),
        }
    }

    /// Where it says which models there are; asking costs nothing.
    pub fn models_url(self, base_url: Option<&str>) -> String {
        self.at(base_url, "models")
    }

    pub fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = vec![("content-type", "application/json".to_owned())];
        match self {
            Self::Anthropic => {
                headers.push(("anthropic-version", "2023-06-01".to_owned()));
                headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
            }
            Self::Chat => {
                headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))));
            }
        }
        headers
    }

    pub(crate) fn request(self, rules: &Rules, system: &str, talk: &Talk, with: With) -> Value {
        match self {
            Self::Anthropic => anthropic::request(rules, system, talk, with),
            Self::Chat => chat::request(rules, system, talk, with),
        }
    }

    /// A reader for one answer.
    pub fn reader(self) -> Reader {
        match self {
            Self::Anthropic => Reader::Anthropic(anthropic::Reader::default()),
            Self::Chat => Reader::Chat(chat::Reader::default()),
        }
    }
}

/// Whether a request offers the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With {
    Tools,
    TextAlone,
}

/// Reads one answer while it comes.
#[derive(Debug)]
pub enum Reader {
    Anthropic(anthropic::Reader),
    Chat(chat::Reader),
}

/// What an event of the stream was good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The model said something.
    Word,
    /// It only kept the line open.
    Nothing,
}

impl Reader {
    pub fn take(&mut self, event: &SseEvent) -> Result<Sign, Fault> {
        if event.data.is_empty() {
            return Ok(Sign::Nothing);
        }
        match self {
            Self::Anthropic(reader) => reader.take(&event.data),
            Self::Chat(reader) => reader.take(&event.data),
        }
    }

    /// Whether the answer is whole: what comes after is not waited for.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Anthropic(reader) => reader.whole,
            Self::Chat(reader) => reader.whole,
        }
    }

    /// The answer, where the stream came to its end.
    pub fn finish(self) -> Result<Answer, Fault> {
        match self {
            Self::Anthropic(reader) => reader.finish(),
            Self::Chat(reader) => reader.finish(),
        }
    }
}

/// One answer of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub parts: Vec<Part>,
    /// What it let see of its thoughts.
    pub thoughts: String,
    pub stop: Stop,
    pub used: Option<Used>,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// It had no more to say, or waits for its tools.
    #[default]
    Done,
    /// The answer was longer than it may be.
    TooLong,
    Refused,
}

/// What an answer used, by the provider's word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Input that was not seen before, that which was kept for later among it.
    pub input: u64,
    pub kept: u64,
    /// Input that was seen before.
    pub cached: u64,
    pub output: u64,
}

impl Used {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            kept: self.kept.saturating_add(other.kept),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
        }
    }

    pub(crate) fn tokens(self) -> Tokens {
        Tokens { input: self.input, cached: self.cached, output: self.output }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The provider says no.
    Status { status: u16, said: String, retry: Option<LimitEnd> },
    /// No connection, a stream that breaks off, never ends or makes no sense.
    Broken { said: String },
}

impl Fault {
    /// What an error of the provider is, by its status, its headers and its body.
    pub fn of(status: u16, header: impl Fn(&str) -> Option<String>, body: &[u8]) -> Self {
        Self::Status { status, said: said(status, body), retry: retry(header) }
    }
}

/// The provider's own words in an error, whichever shape it has.
fn said(status: u16, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    let paths = ["/error/message", "/message", "/error", "/detail"];
    let message = paths.iter().find_map(|path| value.pointer(path)?.as_str());
    let kind = ["/error/type", "/error/code", "/type"];
    let kind = kind.iter().find_map(|path| value.pointer(path)?.as_str()).unwrap_or_default();
    let message = message.unwrap_or_else(|| text.trim());
    let message: String = message.chars().take(500).collect();
    match (message.is_empty(), kind) {
        (true, _) => format!("it answered {status} and said nothing"),
        (false, "" | "error") => format!("it answered {status}: {message}"),
        (false, kind) => format!("it answered {status} ({kind}): {message}"),
    }
}

/// When to come again, where the headers say so.
fn retry(header: impl Fn(&str) -> Option<String>) -> Option<LimitEnd> {
    if let Some(ms) = header("retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok()) {
        return seconds_to_ms(ms / 1000.0).map(LimitEnd::After);
    }
    let text = header("retry-after")?;
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return seconds_to_ms(seconds).map(LimitEnd::After);
    }
    let at = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp();
    u64::try_from(at.as_millisecond()).ok().map(|at| LimitEnd::At(Millis(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_made_of_what_people_write() {
        for (dialect, base, url) in [
            (Dialect::Anthropic, None, "https://api.anthropic.com/v1/messages"),
            (Dialect::Anthropic, Some("http://h/anthropic/"), "http://h/anthropic/v1/messages"),
            (Dialect::Anthropic, Some("http://h/v1"), "http://h/v1/messages"),
            (Dialect::Chat, None, "https://api.openai.com/v1/chat/completions"),
            (
                Dialect::Chat,
                Some("http://localhost:11434"),
                "http://localhost:11434/v1/chat/completions",
            ),
            (
                Dialect::Chat,
                Some("http://localhost:11434/v1/"),
                "http://localhost:11434/v1/chat/completions",
            ),
            (Dialect::Chat, Some("https://h/api/v4"), "https://h/api/v4/chat/completions"),
        ] {
            assert_eq!(dialect.url(base), url);
        }
        assert_eq!(Dialect::Chat.models_url(Some("http://h:1")), "http://h:1/v1/models");
    }

    #[test]
    fn an_error_is_told_in_the_providers_words_with_the_time_to_come_again() {
        let none = |_: &str| None;
        let body =
            br#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        let Fault::Status { said, retry, .. } = Fault::of(529, none, body) else { panic!() };
        assert_eq!(said, "it answered 529 (overloaded_error): Overloaded");
        assert_eq!(retry, None);
        let after = |value: &'static str| {
            move |name: &str| (name == "retry-after").then(|| value.to_owned())
        };
        let Fault::Status { retry, said, .. } = Fault::of(429, after("2"), b"") else { panic!() };
        assert_eq!(
            (retry, said.as_str()),
            (Some(LimitEnd::After(2000)), "it answered 429 and said nothing")
        );
        let date = after("Wed, 21 Oct 2015 07:28:00 GMT");
        let Fault::Status { retry, .. } = Fault::of(429, date, b"<html>") else { panic!() };
        assert_eq!(retry, Some(LimitEnd::At(Millis(1_445_412_480_000))));
    }
}
