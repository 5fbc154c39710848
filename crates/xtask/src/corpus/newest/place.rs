//! A clone of a library as somebody who is new to it has one: made from a git folder, with what its tests need installed
//! in it by the commands of the table. It starts git and those commands, and nothing else.

use super::Library;
use super::rule::Commit;
use crate::corpus::pair::Language;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says which commands a clone was prepared by, where git does not look.
const MARK: &str = ".git/proctor-corpus";

#[derive(Clone, Debug)]
pub struct Place {
    folder: PathBuf,
    language: Language,
    check: String,
}

impl Place {
    /// The clone, at the newest commit; prepared now where it was not before.
    pub fn open(library: &Library, language: Language, repos: &Path, kept: &Path) -> Result<Self> {
        let folder = kept.join(&library.name);
        let place = Self { folder: folder.clone(), language, check: library.check.clone() };
        let whole = repos.join(&library.repo);
        let bare = whole.join("repo");
        let origin = if bare.is_dir() { bare } else { whole };
        if !origin.is_dir() {
            bail!(
                "{} is not among the repositories; hint: put it there as {}",
                library.name,
                library.repo
            );
        }
        if !folder.join(".git").is_dir() {
            let (from, to) = (origin.to_string_lossy(), folder.to_string_lossy());
            git(kept, &["clone", "--quiet", "--", &from, &to])?;
        }
        let commands = library.prepare.join("\n");
        place.checkout("origin/HEAD")?;
        if std::fs::read_to_string(folder.join(MARK)).is_ok_and(|there| there == commands) {
            return Ok(place);
        }
        for line in &library.prepare {
            let (ended_well, said) = place.sh(line)?;
            if !ended_well {
                bail!("{} could not be prepared: `{line}`: {}", library.name, tail(&said));
            }
        }
        std::fs::write(folder.join(MARK), commands).context("the mark was not written")?;
        Ok(place)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn checkout(&self, rev: &str) -> Result<()> {
        git(&self.folder, &["reset", "--quiet", "--hard"])?;
        git(&self.folder, &["checkout", "--quiet", "--force", "--detach", rev]).map(drop)
    }

    /// Whether a commit changes code and tests. In Rust the tests may stand in the code.
    pub fn fits(&self, commit: &Commit) -> bool {
        let code = commit.code(self.language);
        let own = |path: &&str| {
            let changed = ["show", "--format=", "--unified=0", &commit.id, "--", path];
            let added = |line: &str| line.starts_with('+') && line.trim_end().ends_with("#[test]");
            self.language == Language::Rust
                && git(&self.folder, &changed).is_ok_and(|text| text.lines().any(added))
        };
        !code.is_empty() && (!commit.tests(self.language).is_empty() || code.iter().any(own))
    }

    pub fn log(&self, form: &[&str]) -> Result<String> {
        git(&self.folder, form)
    }

    /// A file as a commit has it.
    pub fn text(&self, rev: &str, path: &str) -> Option<String> {
        git(&self.folder, &["show", &format!("{rev}:{path}")]).ok()
    }

    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        let file = self.folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).context("no folder for a file")?;
        }
        std::fs::write(file, text).with_context(|| format!("{path} was not written"))
    }

    pub fn remove(&self, path: &str) -> Result<()> {
        let file = self.folder.join(path);
        std::fs::remove_file(file).with_context(|| format!("{path} was not removed"))
    }

    /// The library's own tests: whether they ended well, and what was said.
    pub fn checked(&self) -> Result<(bool, String)> {
        self.sh(&self.check)
    }

    fn sh(&self, line: &str) -> Result<(bool, String)> {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.folder).env_remove("CARGO_TARGET_DIR");
        // What fails is read by the words before it.
        command.env("NO_COLOR", "1");
        let out = command.stdin(Stdio::null()).output().context("sh did not start")?;
        let said = [out.stdout, out.stderr].concat();
        Ok((out.status.success(), String::from_utf8_lossy(&said).into_owned()))
    }
}

fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let out = Command::new("git").args(args).current_dir(folder).stdin(Stdio::null()).output();
    let out = out.context("git did not start")?;
    if !out.status.success() {
        bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}
