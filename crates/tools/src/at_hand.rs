//! How somebody who works in a tree starts its tests by hand, and what has to be around that command so that it does what
//! a run of ours does. What only a runner knows is the runner's to say; here is what they share. Pure.

use crate::ask::Ask;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The usual command and its surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtHand {
    /// As it is typed in the folder of the project.
    pub command: Vec<String>,
    /// Beside what the caller listed for the ask.
    pub env: BTreeMap<String, String>,
    /// Folders of programs, before all others.
    pub path: Vec<PathBuf>,
    /// Folders that the project's code is imported from, where that is not found by where the command is started.
    pub imports: Vec<PathBuf>,
}

impl AtHand {
    /// A command of these words and of what the user adds to it, with the folder of its program.
    pub(crate) fn of(ask: &Ask, program: &str, words: &[&str]) -> Self {
        let mut command: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        command.extend(ask.tools.extra_args.iter().cloned());
        let found = ask.tools.programs.get(program).and_then(|path| path.parent());
        let path = found.filter(|folder| folder.is_absolute()).map(Path::to_owned);
        Self { command, path: path.into_iter().collect(), ..Self::default() }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.insert(name.to_owned(), value.into());
        self
    }

    /// The command as one line.
    pub fn line(&self) -> String {
        let quoted = |word: &String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        self.command.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}
