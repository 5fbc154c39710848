//! What a coding agent's program prints while it works: one JSON event a line, read as it comes. Owns what was heard so
//! far and the short notes for people; what it means in the end is said in `report`.

use crate::limit::Limited;
use crate::{acp, api, claude, codex, gemini, goose, opencode};
use proctor_core::agent::{AgentKind, Make};
use serde_json::{Map, Value};

/// Reads the lines of one turn.
#[derive(Debug)]
pub struct Stream {
    kind: Kind,
    /// Where the agent works: paths in notes are seen from there.
    cwd: String,
    heard: Heard,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Lines mean nothing to us; they are shown as they are.
    Plain,
    Claude,
    Codex,
    Gemini,
    Opencode,
    Goose,
    Api,
    Acp(Make),
}

/// What is known so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The session's id, as soon as the program says it.
    pub session: Option<String>,
    /// The last event of a turn, where it came.
    pub end: Option<StreamEnd>,
    /// The program means to wait this long by itself. It is ended instead, and asked again then.
    pub wait: Option<Limited>,
    /// The object that the program itself took for the answer.
    pub object: Option<Map<String, Value>>,
    /// The last thing that the model said.
    pub text: String,
    pub bill: Bill,
}

/// How the program says that the turn ended.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamEnd {
    Good,
    Failed(Failure),
}

/// Why a turn failed, by the program's own words.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    Limited(Limited),
    NoLogin {
        said: String,
    },
    /// The session that was to be gone on with is not there.
    SessionGone,
    Other {
        said: String,
    },
}

/// What a turn used, as far as the program says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bill {
    /// Input that was not seen before, input that was, and output.
    pub tokens: Option<Tokens>,
    /// In US dollars.
    pub usd: Option<f64>,
    pub tokens_are: Counted,
    pub tokens_from: Said,
    pub usd_is: Counted,
    pub usd_from: Said,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    pub input: u64,
    pub cached: u64,
    pub output: u64,
}

impl Tokens {
    pub fn all(self) -> u64 {
        self.input.saturating_add(self.cached).saturating_add(self.output)
    }
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    #[default]
    ThisTurn,
    TheWholeSession,
}

/// Whether the program knows what a token costs, or guesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Said {
    #[default]
    Known,
    Guessed,
}

/// The longest note, in characters.
const LONGEST: usize = 160;

impl Stream {
    pub fn of(kind: &AgentKind, cwd: &std::path::Path) -> Self {
        let kind = match kind {
            AgentKind::Command { .. } | AgentKind::Script { .. } => Kind::Plain,
            AgentKind::Claude(_) => Kind::Claude,
            AgentKind::Codex(_) => Kind::Codex,
            AgentKind::Gemini(_) => Kind::Gemini,
            AgentKind::Opencode(_) => Kind::Opencode,
            AgentKind::Goose(_) => Kind::Goose,
            AgentKind::Api(_) => Kind::Api,
            AgentKind::Acp(spec) => Kind::Acp(spec.make),
        };
        let folder = cwd.display().to_string();
        let cwd = format!("{}/", folder.trim_end_matches('/'));
        Self { kind, cwd, heard: Heard::default() }
    }

    pub fn heard(&self) -> &Heard {
        &self.heard
    }

    /// Takes a line of stdout. Gives what is worth showing, a line each.
    pub fn line(&mut self, line: &str) -> Vec<String> {
        let read = match self.kind {
            Kind::Plain => return vec![line.to_owned()],
            Kind::Claude => claude::event,
            Kind::Codex => codex::event,
            Kind::Gemini => gemini::event,
            Kind::Opencode => opencode::event,
            Kind::Goose => goose::event,
            Kind::Api => api::event,
            Kind::Acp(_) => acp::event,
        };
        // Some programs print a word of their own before the object.
        let event = line.find('{').and_then(|at| serde_json::from_str::<Value>(&line[at..]).ok());
        let Some(event) = event else {
            let said = short(line);
            return if said.is_empty() { Vec::new() } else { vec![said] };
        };
        let mut notes = Notes { cwd: &self.cwd, lines: Vec::new() };
        read(&mut self.heard, &event, &mut notes);
        notes.lines
    }
}

impl Stream {
    /// Takes a line of stderr: some programs say only there that they wait for their provider.
    pub fn error_line(&mut self, line: &str) -> Vec<String> {
        let said = match self.kind {
            Kind::Opencode | Kind::Acp(Make::Opencode) => opencode::waits(line),
            Kind::Plain
            | Kind::Claude
            | Kind::Codex
            | Kind::Gemini
            | Kind::Goose
            | Kind::Api
            | Kind::Acp(_) => None,
        };
        let Some(limited) = said else { return Vec::new() };
        let note = format!("! {}", limited.why);
        self.heard.wait = Some(limited);
        vec![note]
    }
}

impl Heard {
    pub(crate) fn fail(&mut self, failure: Failure) {
        self.end = Some(StreamEnd::Failed(failure));
    }
}

/// Short lines about what the agent does.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    cwd: &'a str,
    lines: Vec<String>,
}

impl Notes<'_> {
    pub(crate) fn say(&mut self, what: &str, of: &str) {
        let of = short(&of.replace(self.cwd, ""));
        self.lines.push(match (what, of.is_empty()) {
            ("", _) => of,
            (what, true) => what.to_owned(),
            (what, false) => format!("{what} {of}"),
        });
    }

    /// A tool by its own name, with the part of its input that tells most.
    pub(crate) fn tool(&mut self, name: &str, input: &Value) {
        let text = |key: &str| input.get(key).and_then(Value::as_str);
        let file = ["file_path", "filePath", "path", "absolute_path", "dir_path"];
        let file = file.iter().find_map(|key| text(key));
        let command = text("command").or_else(|| text("cmd"));
        let plain = name.rsplit("__").next().unwrap_or(name).to_lowercase();
        match (plain.as_str(), command, file) {
            (_, Some(command), _) => self.say("runs", command),
            ("read" | "read_file" | "view", _, Some(file)) => self.say("reads", file),
            ("write" | "write_file", _, Some(file)) => self.say("writes", file),
            ("edit" | "replace" | "multiedit" | "str_replace", _, Some(file)) => {
                self.say("edits", file);
            }
            (_, None, file) => {
                let of = text("pattern").or_else(|| text("query")).or(file);
                self.say(&format!("uses {name}"), of.unwrap_or_default());
            }
        }
    }
}

/// One line, not too long.
pub(crate) fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A text field, empty where there is none.
pub(crate) fn text<'a>(event: &'a Value, key: &str) -> &'a str {
    event.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A number, 0 where there is none.
pub(crate) fn number(event: &Value, key: &str) -> u64 {
    event.get(key).and_then(Value::as_u64).unwrap_or_default()
}
