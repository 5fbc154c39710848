//! What an agent may do in a turn, as far as it asks: permissions, files, commands. It is told why not. This is no wall: what an
//! agent does without asking is held by the sandbox and compared afterwards.

use crate::launch::Hands;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    Read,
    Write,
}

/// Kinds of tools that change nothing.
const HARMLESS: [&str; 4] = ["read", "search", "think", "fetch"];
/// Programs that change the files that they are given.
const CHANGING: [&str; 11] =
    ["rm", "mv", "cp", "tee", "truncate", "touch", "unlink", "install", "ln", "patch", "shred"];

impl Policy {
    pub(super) fn of(hands: Hands, cwd: &Path, sealed: &[String]) -> Self {
        let reads_only = hands == Hands::Tied;
        // The whole worktree is known where the client runs.
        Self { reads_only, top: cwd.to_owned(), sealed: sealed.to_vec(), cwd: cwd.to_owned() }
    }

    /// A tool that the agent wants to use: whether it may not.
    pub(super) fn refuses(&self, call: &Call) -> Option<String> {
        let kind = call.kind.as_str();
        if self.reads_only {
            return (!HARMLESS.contains(&kind)).then(|| {
                "this role only reads: it may not change files or run commands".to_owned()
            });
        }
        if HARMLESS.contains(&kind) {
            return None;
        }
        let sealed = call.paths.iter().find_map(|path| self.sealed_path(Path::new(path)));
        let sealed = sealed.or_else(|| self.sealed_in(call.command.as_deref()?));
        sealed.map(|path| Self::why_sealed(&path))
    }

    /// A file that the agent wants through the client: its path, or why not. Links are looked at where files are.
    pub(super) fn file(&self, path: &Path, touch: Touch) -> Result<PathBuf, String> {
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
        match self.sealed_path(path) {
            Some(sealed) => Err(Self::why_sealed(&sealed)),
            None => Ok(()),
        }
    }

    /// A command that the agent wants run in a terminal.
    pub(super) fn command(&self, line: &str) -> Result<(), String> {
        if self.reads_only {
            return Err("this role only reads: it may not run commands".to_owned());
        }
        match self.sealed_in(line) {
            Some(sealed) => Err(Self::why_sealed(&sealed)),
            None => Ok(()),
        }
    }

    /// A path of the worktree, or why it is none.
    pub(super) fn within(&self, path: &Path) -> Result<PathBuf, String> {
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

    fn sealed_path(&self, path: &Path) -> Option<String> {
        let mut tidy = PathBuf::new();
        for part in self.cwd.join(path).components() {
            match part {
                Component::ParentDir => {
                    tidy.pop();
                }
                Component::CurDir => {}
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => tidy.push(part),
            }
        }
        let below = tidy.strip_prefix(&self.cwd).ok()?;
        self.sealed.iter().find(|sealed| Path::new(sealed) == below).cloned()
    }

    /// A sealed file that a command plainly writes to. `pytest tests/test_a.py` does not.
    fn sealed_in(&self, line: &str) -> Option<String> {
        let spaced = line.replace(">>", ">").replace('>', " > ");
        spaced.split(['\n', ';', '|', '&']).find_map(|part| {
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
                let sealed = self.sealed_path(Path::new(word))?;
                let into = at > 0 && words[at - 1] == ">";
                (changes || into).then_some(sealed)
            })
        })
    }
}

/// A tool call, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) title: String,
    pub(super) kind: String,
    /// Files that it names, the first one first.
    pub(super) paths: Vec<String>,
    pub(super) command: Option<String>,
    pub(super) told: bool,
    pub(super) over: bool,
}

impl Call {
    /// Takes in what an update or a question says about it.
    pub(super) fn learn(&mut self, said: &Value) {
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

    pub(super) fn is_plain(&self) -> bool {
        !self.kind.is_empty() && (self.command.is_some() || !self.paths.is_empty())
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
