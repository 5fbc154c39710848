//! How a program that calls test bodies tells of them: lines on its standard output that begin with a word of this run,
//! among whatever the code under test writes there. The word is only in that program and in the scratch folder.

use crate::ask::Ask;
use proctor_lang::child_file;
use serde::de::DeserializeOwned;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

fn file(ask: &Ask) -> PathBuf {
    ask.scratch.join("app").join("word")
}

/// A word that code under test can't guess.
pub(super) fn new_word() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("w{:016x}{:016x}", part(), part())
}

/// The file that keeps it until the lines are read.
pub(super) fn keep(ask: &Ask, word: &str) -> (PathBuf, Vec<u8>) {
    (file(ask), word.as_bytes().to_vec())
}

/// The lines that begin with the word. One that can't be read ends the list: the last one then says too little.
pub(super) fn lines<T: DeserializeOwned>(ask: &Ask, stdout: &[u8]) -> Vec<T> {
    let Ok(word) = child_file::read_to_string(file(ask)) else { return Vec::new() };
    let text = String::from_utf8_lossy(stdout);
    text.lines()
        .filter_map(|line| line.strip_prefix(word.as_str()))
        .map_while(|line| serde_json::from_str(line.trim_start()).ok())
        .collect()
}
