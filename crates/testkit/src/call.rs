//! One call of the binary before it starts: arguments, input, extra variables, time limit. Output goes to
//! files, never to pipes, so that a process left behind can't hold a test up and the output so far can be
//! read at any moment.

use crate::running::{Ran, Running};
use crate::scenario::Scenario;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[derive(Debug)]
#[must_use = "a call does nothing until it is run or spawned"]
pub struct Call {
    binary: PathBuf,
    folder: PathBuf,
    scratch: PathBuf,
    home: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    stdin: Option<String>,
    limit: Duration,
}

impl Call {
    pub(crate) fn new(
        binary: PathBuf,
        folder: PathBuf,
        scratch: PathBuf,
        home: PathBuf,
        env: Vec<(OsString, OsString)>,
        limit: Duration,
    ) -> Self {
        Self { binary, folder, scratch, home, args: Vec::new(), env, stdin: None, limit }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().into());
        self
    }

    pub fn args<A: AsRef<OsStr>>(mut self, args: &[A]) -> Self {
        self.args.extend(args.iter().map(|arg| arg.as_ref().into()));
        self
    }

    /// Sets a variable for this call; the last value of a name wins.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().into(), value.as_ref().into()));
        self
    }

    /// What the program reads before its input ends. Without this its input is empty.
    pub fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.to_owned());
        self
    }

    /// Puts the scripted agent in the place of every agent (`PROCTOR_MOCK`).
    pub fn mock(self, scenario: &Scenario) -> Self {
        let path = scenario.save(self.scratch.join("scenario.json"));
        self.env("PROCTOR_MOCK", path)
    }

    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs to the end. Past the time limit everything is killed and the test fails with the output so far.
    pub fn run(self) -> Ran {
        self.spawn().wait()
    }

    /// Starts the program in a process group of its own.
    pub fn spawn(self) -> Running {
        let (out, err) = (self.scratch.join("stdout"), self.scratch.join("stderr"));
        let mut command = Command::new(&self.binary);
        command
            .args(&self.args)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(self.input())
            .stdout(create(&out))
            .stderr(create(&err))
            .process_group(0);
        let child = match command.spawn() {
            Ok(child) => child,
            Err(why) => panic!(
                "{} did not start in {}: {why}",
                self.binary.display(),
                self.folder.display()
            ),
        };
        Running::new(child, self.title(), out, err, self.home, self.limit)
    }

    fn input(&self) -> Stdio {
        let Some(text) = &self.stdin else {
            return Stdio::null();
        };
        let path = self.scratch.join("stdin");
        std::fs::write(&path, text).expect("the input file of the call");
        File::open(path).expect("the input file of the call").into()
    }

    fn title(&self) -> String {
        let name = self.binary.file_name().unwrap_or(self.binary.as_os_str());
        let words = std::iter::once(name).chain(self.args.iter().map(OsString::as_os_str));
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

fn create(path: &Path) -> File {
    File::create(path).expect("an output file of the call")
}
