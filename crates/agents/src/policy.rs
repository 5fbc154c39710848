//! What an agent may do in a turn, as far as it asks: permissions, files, commands. It is told why not. This is no wall: what an
//! agent does without asking is held by the sandbox and compared afterwards.

mod redirect;

use crate::launch::{Hands, Side, TurnAsk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Who may what in this turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    pub reads_only: bool,
    /// The worktree, whole.
    pub top: PathBuf,
    /// Files that may not be changed, seen from where the agent works.
    pub sealed: Vec<String>,
    /// Where that is.
    pub cwd: PathBuf,
    /// Which files the turn is there to change.
    #[serde(default)]
    pub side: Side,
    /// Folders of its own, beside the worktree.
    #[serde(default)]
    pub own: Vec<PathBuf>,
    /// The worktree by its real path, where that is another: programs may name files by it.
    #[serde(skip)]
    pub real: PathBuf,
    #[serde(skip)]
    pub judge: Judge,
}

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Testers,
    Coders,
    /// Parts of it are the tester's.
    Shared,
    /// It decides how tests run.
    Nobodys,
}

/// Tells whose a file is, by its path from the worktree's top. Tests and code are told apart elsewhere.
#[derive(Clone, Copy)]
pub struct Judge(pub fn(&str) -> Whose);

impl Default for Judge {
    fn default() -> Self {
        Self(|_| Whose::Shared)
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge")
    }
}

impl PartialEq for Judge {
    fn eq(&self, _: &Self) -> bool {
        // It is no part of what a policy says.
        true
    }
}

impl Eq for Judge {}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
}

/// Kinds of tools that change nothing.
const HARMLESS: [&str; 4] = ["read", "search", "think", "fetch"];
/// Programs that change the files that they are given.
const CHANGING: [&str; 11] =
    ["rm", "mv", "cp", "tee", "truncate", "touch", "unlink", "install", "ln", "patch", "shred"];

impl Policy {
    pub(crate) fn of(ask: &TurnAsk<'_>) -> Self {
        Self {
            reads_only: ask.hands() == Hands::Tied,
            // The whole worktree is known where the client runs.
            top: ask.worktree.to_owned(),
            sealed: ask.room.sealed.clone(),
            cwd: ask.worktree.to_owned(),
            side: ask.room.side,
            own: vec![ask.room.home.clone(), ask.scratch.to_owned()],
            ..Self::default()
        }
    }

    /// A tool that the agent wants to use: whether it may not.
    pub(crate) fn refuses(&self, call: &Call) -> Option<String> {
        let kind = call.kind.as_str();
        if self.reads_only {
            return (!HARMLESS.contains(&kind)).then(|| {
                "this role only reads: it may not change files or run commands".to_owned()
            });
        }
        if HARMLESS.contains(&kind) {
            return None;
        }
        let mut paths = call.paths.iter().map(Path::new);
        let named = match kind {
            "edit" | "delete" | "move" => paths.find_map(|path| self.may_change(path).err()),
            _ => paths.find_map(|path| self.unlawful(path)),
        };
        named.or_else(|| self.command_refused(call.command.as_deref()?))
    }

    /// A file that the agent wants through the client: its path, or why not. Links are looked at where files are.
    pub(crate) fn file(&self, path: &Path, touch: Touch) -> Result<PathBuf, String> {
        let path = self.within(path)?;
        match touch {
            Touch::Read => {}
            Touch::Write if self.reads_only => {
                return Err("this role only reads: it may not change files".to_owned());
            }
            Touch::Write => self.may_write(&path)?,
        }
        Ok(path)
    }

    /// Whether a file may be changed, by its full path.
    pub fn may_write(&self, path: &Path) -> Result<(), String> {
        self.unlawful(path).map_or(Ok(()), Err)
    }

    /// The same for one that the agent changes itself: it has folders of its own beside the worktree.
    fn may_change(&self, path: &Path) -> Result<(), String> {
        let full = self.plain(path);
        if self.own.iter().any(|own| full.starts_with(own)) && !full.starts_with(&self.top) {
            return Ok(());
        }
        self.within(&full)?;
        self.may_write(&full)
    }

    /// A command that the agent wants run in a terminal.
    pub(crate) fn command(&self, line: &str) -> Result<(), String> {
        if self.reads_only {
            return Err("this role only reads: it may not run commands".to_owned());
        }
        self.command_refused(line).map_or(Ok(()), Err)
    }

    /// A path of the worktree, or why it is none.
    pub(crate) fn within(&self, path: &Path) -> Result<PathBuf, String> {
        let full = self.cwd.join(path);
        if full.components().any(|part| part == Component::ParentDir) {
            return Err(format!("{} goes up with `..`: name the file directly", path.display()));
        }
        let full: PathBuf = full.components().collect();
        if full.starts_with(&self.top) {
            return Ok(full);
        }
        Err(format!(
            "{} is outside of the worktree {}: only files in there can be used",
            path.display(),
            self.top.display()
        ))
    }

    fn why_sealed(path: &str) -> String {
        format!(
            "{path} is sealed in this phase: tests that were proven to fail can't be changed. Change the production code instead; if the test itself is wrong, say so in your answer"
        )
    }

    /// A full path without `.` and `..`, below `top` where it is of the worktree.
    fn plain(&self, path: &Path) -> PathBuf {
        let mut plain = PathBuf::new();
        for part in self.cwd.join(path).components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                Component::CurDir => {}
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                    plain.push(part);
                }
            }
        }
        match plain.strip_prefix(&self.real) {
            Ok(below) if !self.real.as_os_str().is_empty() => self.top.join(below),
            Ok(_) | Err(_) => plain,
        }
    }

    fn sealed_path(&self, path: &Path) -> Option<String> {
        let plain = self.plain(path);
        let below = plain.strip_prefix(&self.cwd).ok()?;
        self.sealed.iter().find(|sealed| Path::new(sealed) == below).cloned()
    }

    /// Why a file of the worktree may not be changed in this turn.
    fn unlawful(&self, path: &Path) -> Option<String> {
        if let Some(sealed) = self.sealed_path(path) {
            return Some(Self::why_sealed(&sealed));
        }
        let plain = self.plain(path);
        let below = plain.strip_prefix(&self.top).ok()?.to_str()?;
        match (self.side, (self.judge.0)(below)) {
            (Side::Tests | Side::Code | Side::Both, Whose::Nobodys) => Some(format!(
                "{below} decides how tests run: nobody may change it. Leave it as it is"
            )),
            (Side::Tests, Whose::Coders) => Some(format!(
                "{below} is not a test: only test files, fixtures and snapshots may change while tests are written. Write the tests, and leave the code as it is; scratch files belong into $TMPDIR"
            )),
            (Side::Code, Whose::Testers) => Some(Self::why_sealed(below)),
            (Side::Any | Side::Both, _)
            | (Side::Tests, Whose::Testers | Whose::Shared)
            | (Side::Code, Whose::Coders | Whose::Shared) => None,
        }
    }

    /// Why a command is refused: it plainly writes to a file that may not be changed. `pytest tests/test_a.py` does not.
    fn command_refused(&self, line: &str) -> Option<String> {
        let written = redirect::targets(line);
        let into = written.iter().find_map(|path| self.unlawful(Path::new(path)));
        into.or_else(|| self.program_refused(line))
    }

    /// The same by the program that is started.
    fn program_refused(&self, line: &str) -> Option<String> {
        line.split(['\n', ';', '|', '&']).find_map(|part| {
            let words: Vec<&str> = part
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'', '(', ')', '`']))
                .collect();
            let first = words.iter().find(|word| !word.contains('='))?;
            let program = first.rsplit('/').next().unwrap_or(first);
            let in_place = matches!(program, "sed" | "perl" | "ruby")
                && words
                    .iter()
                    .any(|word| word.starts_with("-i") || word.starts_with("--in-place"));
            let back = program == "git"
                && words.iter().any(|word| matches!(*word, "checkout" | "restore" | "rm" | "mv"));
            let changes = CHANGING.contains(&program) || in_place || back;
            words.iter().enumerate().find_map(|(at, word)| {
                let path = Path::new(word);
                // Other words may be anything; this one is a file for sure.
                if in_place && at + 1 == words.len() {
                    return self.unlawful(path);
                }
                let sealed = self.sealed_path(path).filter(|_| changes)?;
                Some(Self::why_sealed(&sealed))
            })
        })
    }
}

/// A tool call, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) title: String,
    pub(crate) kind: String,
    /// Files that it names, the first one first.
    pub(crate) paths: Vec<String>,
    pub(crate) command: Option<String>,
    pub(crate) told: bool,
    pub(crate) over: bool,
}

impl Call {
    /// Takes in what an update or a question says about it.
    pub(crate) fn learn(&mut self, said: &Value) {
        let text =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(title) = text(said, "title").filter(|title| !title.trim().is_empty()) {
            self.title = title;
        }
        if let Some(kind) = text(said, "kind") {
            self.kind = kind;
        }
        let list = |key: &str| said.get(key).and_then(Value::as_array).into_iter().flatten();
        let input = &said["rawInput"];
        let named = ["file_path", "filePath", "path", "absolute_path", "notebook_path"];
        let mut paths: Vec<String> = named.iter().filter_map(|key| text(input, key)).collect();
        // A patch names several.
        paths.extend(
            input["changes"].as_object().into_iter().flatten().map(|(path, _)| path.clone()),
        );
        paths.extend(list("locations").filter_map(|place| text(place, "path")));
        paths.extend(list("content").filter_map(|block| text(block, "path")));
        for path in paths {
            if !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        let command = match input.get("command").or_else(|| input.get("cmd")) {
            Some(Value::String(line)) => Some(line.clone()),
            Some(Value::Array(words)) => {
                Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        };
        self.command = command.or_else(|| self.command.take());
    }

    pub(crate) fn is_plain(&self) -> bool {
        !self.kind.is_empty() && (self.command.is_some() || !self.paths.is_empty())
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
