//! The git command line, and the only file that starts it. Owns how a call is made safe: no configuration but
//! the repository's own, no hooks, no prompts, its own process group. Must not know what a call is for.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

/// The oldest git that has `merge-tree --write-tree`.
pub const OLDEST: (u32, u32) = (2, 38);

#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error(
        "could not start git in {}: {source}\nhint: install git {}.{} or newer and put it on the PATH", dir.display(), OLDEST.0, OLDEST.1
    )]
    NotStarted { dir: PathBuf, source: io::Error },
    #[error("could not talk to `{}` in {}: {source}", argv.join(" "), dir.display())]
    Broken { argv: Vec<String>, dir: PathBuf, source: io::Error },
    #[error("`{}` failed in {} ({}): {stderr}", argv.join(" "), dir.display(), ending(*code))]
    Failed { argv: Vec<String>, dir: PathBuf, code: Option<i32>, stderr: String },
    #[error(
        "`{}` found a lock in {}: {stderr}\nhint: another git is at work there; wait for it, or remove the lock file that it left behind", argv.join(" "), dir.display()
    )]
    Locked { argv: Vec<String>, dir: PathBuf, stderr: String },
    #[error("`{}` in {} gave an answer that could not be read: {what}", argv.join(" "), dir.display())]
    Unreadable { argv: Vec<String>, dir: PathBuf, what: String },
}

fn ending(code: Option<i32>) -> String {
    code.map_or_else(|| "ended by a signal".to_owned(), |code| format!("exit code {code}"))
}

impl GitError {
    /// What git itself said, where it said anything.
    pub fn stderr(&self) -> &str {
        match self {
            Self::Failed { stderr, .. } | Self::Locked { stderr, .. } => stderr,
            Self::NotStarted { .. } | Self::Broken { .. } | Self::Unreadable { .. } => "",
        }
    }
}

/// Whose settings are in force beside the repository's own.
#[derive(Clone, Debug)]
enum Settings {
    Nobodys,
    /// The global and system configuration of the person.
    Users,
    /// A file of ours in the place of the global configuration.
    File(PathBuf),
}

/// A place where git is run.
#[derive(Clone, Debug)]
pub struct Git {
    dir: PathBuf,
    repository: Option<PathBuf>,
    settings: Settings,
    extra: Vec<String>,
}

/// What a finished git said.
#[derive(Clone, Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Git {
    /// Runs in `dir`, and git looks there for the repository.
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            repository: None,
            settings: Settings::Nobodys,
            extra: Vec::new(),
        }
    }

    /// Runs on exactly this git directory. Git then asks no question about who owns it.
    pub fn on(git_dir: &Path) -> Self {
        Self { repository: Some(git_dir.to_owned()), ..Self::new(git_dir) }
    }

    /// Leaves the person's own configuration in force (their name, filters, line endings). Hooks stay off.
    #[must_use]
    pub fn with_users_settings(mut self) -> Self {
        self.settings = Settings::Users;
        self
    }

    #[must_use]
    pub fn with_settings_file(mut self, file: &Path) -> Self {
        self.settings = Settings::File(file.to_owned());
        self
    }

    /// One more `-c name=value`.
    #[must_use]
    pub fn with(mut self, setting: &str) -> Self {
        self.extra.push(setting.to_owned());
        self
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn run(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        self.call(args).run()
    }

    /// The answer as text without its last newline.
    pub fn line(&self, args: &[&str]) -> Result<String, GitError> {
        self.call(args).line()
    }

    pub fn call(&self, args: &[&str]) -> Call<'_> {
        Call {
            git: self,
            args: args.iter().map(OsString::from).collect(),
            env: Vec::new(),
            stdin: None,
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        match &self.settings {
            Settings::Nobodys => {
                command.env("GIT_CONFIG_GLOBAL", "/dev/null");
                command.env("GIT_CONFIG_NOSYSTEM", "1");
            }
            Settings::Users => {}
            Settings::File(file) => {
                command.env("GIT_CONFIG_GLOBAL", file);
                command.env("GIT_CONFIG_NOSYSTEM", "1");
            }
        }
        if let Some(repository) = &self.repository {
            command.env("GIT_DIR", repository);
        }
        command
            .current_dir(&self.dir)
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            // A partial clone must not go to the network behind our back.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE")
            // Ctrl-C in the terminal must not end a git that is writing the user's repository.
            .process_group(0);
        for setting in [
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "protocol.file.allow=always",
            "protocol.version=2",
            "commit.gpgsign=false",
            "core.quotePath=false",
        ] {
            command.args(["-c", setting]);
        }
        for setting in &self.extra {
            command.args(["-c", setting]);
        }
        command
    }
}

/// One call that is being put together.
pub struct Call<'a> {
    git: &'a Git,
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    stdin: Option<Vec<u8>>,
}

impl Call<'_> {
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    #[must_use]
    pub fn args(self, args: &[String]) -> Self {
        args.iter().fold(self, Self::arg)
    }

    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name, value.as_ref().to_owned()));
        self
    }

    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// What it printed; an exit code other than 0 is an error.
    pub fn run(self) -> Result<Vec<u8>, GitError> {
        let answer = self.answer()?;
        if answer.code == Some(0) {
            Ok(answer.stdout)
        } else {
            Err(self.failed(answer.code, answer.stderr))
        }
    }

    pub fn line(self) -> Result<String, GitError> {
        let mut text = String::from_utf8_lossy(&self.run()?).into_owned();
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }

    /// What it printed and how it ended, whatever the exit code.
    pub fn answer(&self) -> Result<Answer, GitError> {
        let stdin = if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
        let mut child = self.spawn(stdin, Stdio::piped())?;
        let pipe = child.stdin.take();
        let output = thread::scope(|scope| {
            if let (Some(mut pipe), Some(bytes)) = (pipe, &self.stdin) {
                // A git that does not read to the end says why with its exit code.
                scope.spawn(move || {
                    let _ = pipe.write_all(bytes);
                });
            }
            child.wait_with_output()
        })
        .map_err(|source| self.broken(source))?;
        Ok(Answer {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    /// The error for an answer that the caller does not accept.
    pub fn failed(&self, code: Option<i32>, stderr: String) -> GitError {
        let (argv, dir) = (self.argv(), self.git.dir.clone());
        if stderr.contains(".lock': File exists") {
            return GitError::Locked { argv, dir, stderr };
        }
        GitError::Failed { argv, dir, code, stderr }
    }

    pub fn unreadable(&self, what: impl Into<String>) -> GitError {
        GitError::Unreadable { argv: self.argv(), dir: self.git.dir.clone(), what: what.into() }
    }

    pub(crate) fn broken(&self, source: io::Error) -> GitError {
        GitError::Broken { argv: self.argv(), dir: self.git.dir.clone(), source }
    }

    fn argv(&self) -> Vec<String> {
        let args = self.args.iter().map(|arg| arg.to_string_lossy());
        std::iter::once("git".into()).chain(args).map(std::borrow::Cow::into_owned).collect()
    }

    pub(crate) fn spawn(&self, stdin: Stdio, stderr: Stdio) -> Result<Child, GitError> {
        let mut command = self.git.command();
        for (name, value) in &self.env {
            command.env(name, value);
        }
        command
            .args(&self.args)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .map_err(|source| GitError::NotStarted { dir: self.git.dir.clone(), source })
    }
}

/// The version of the git on the PATH, as `(major, minor)`.
pub fn version() -> Result<(u32, u32), GitError> {
    let git = Git::new(Path::new("/"));
    let call = git.call(&["version"]);
    let text = git.line(&["version"])?;
    let mut numbers = text
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or_default()
        .split('.')
        .map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => Err(call.unreadable(text)),
    }
}
