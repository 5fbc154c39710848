//! A call under way and how it ended. A call that is dropped or runs out of time is killed with all its
//! children; only `kill9` leaves children behind, for the test to look at, and those end with the `TestEnv`.

use crate::processes::{kill_group, kill_one, processes_with_token, signal_one};
use rustix::process::Signal;
use serde_json::Value;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How often a state that can't be waited for is looked at.
const LOOK: Duration = Duration::from_millis(4);

#[derive(Debug)]
pub struct Running {
    child: Child,
    title: String,
    stdout: PathBuf,
    stderr: PathBuf,
    home: PathBuf,
    began: Instant,
    limit: Duration,
}

impl Running {
    pub(crate) fn new(
        child: Child,
        title: String,
        stdout: PathBuf,
        stderr: PathBuf,
        home: PathBuf,
        limit: Duration,
    ) -> Self {
        Self { child, title, stdout, stderr, home, began: Instant::now(), limit }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Standard output so far.
    pub fn stdout(&self) -> String {
        read(&self.stdout)
    }

    /// Standard error so far.
    pub fn stderr(&self) -> String {
        read(&self.stderr)
    }

    /// Kills the program alone, the way a crash would: its children are not told.
    pub fn kill9(&mut self) {
        kill_one(self.child.id());
        // Reaped at once, so that the caller can't meet a zombie that still looks alive.
        let _ = self.child.wait();
    }

    /// Sends what ctrl-c sends, to the program alone.
    pub fn interrupt(&self) {
        signal_one(self.child.id(), Signal::INT);
    }

    /// Sends what a service manager sends, to the program alone.
    pub fn terminate(&self) {
        signal_one(self.child.id(), Signal::TERM);
    }

    /// Waits until `seen` holds for standard output and standard error so far. The test fails if the program
    /// ends first or the time limit passes.
    pub fn until(&mut self, what: &str, seen: impl Fn(&str, &str) -> bool) -> &mut Self {
        loop {
            let ended = self.ended();
            if seen(&self.stdout(), &self.stderr()) {
                return self;
            }
            if let Some(status) = ended {
                let ran = self.ran(status);
                panic!("ended before {what}:\n{ran}");
            }
            self.give_up_when_late(what);
            std::thread::sleep(LOOK);
        }
    }

    /// Waits for the end. Past the time limit everything is killed and the test fails with the output so far.
    pub fn wait(mut self) -> Ran {
        loop {
            if let Some(status) = self.ended() {
                return self.ran(status);
            }
            self.give_up_when_late("its end");
            std::thread::sleep(LOOK);
        }
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the state of a child of ours")
    }

    fn ran(&self, status: ExitStatus) -> Ran {
        Ran {
            title: self.title.clone(),
            // The shell's way of writing a death by signal, so that one number tells it all.
            code: status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)),
            stdout: self.stdout(),
            stderr: self.stderr(),
            took: self.began.elapsed(),
        }
    }

    fn give_up_when_late(&mut self, what: &str) {
        if self.began.elapsed() < self.limit {
            return;
        }
        let left = processes_with_token(&self.home);
        self.kill_all();
        panic!(
            "`{}` was killed after {:?}, waiting for {what}\n--- processes\n{}\n--- stdout\n{}\n--- stderr\n{}",
            self.title,
            self.limit,
            left.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            self.stdout(),
            self.stderr(),
        );
    }

    fn kill_all(&mut self) {
        kill_group(self.child.id());
        // Children may have left the group; what carries the home's name in its environment is ours too.
        for process in processes_with_token(&self.home) {
            kill_one(process.pid);
        }
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A child that was waited for is gone, and its number may belong to someone else by now.
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill_all();
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug)]
pub struct Ran {
    title: String,
    /// The exit code, or 128 and the signal's number.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Ran {
    /// Fails the test, with all output, unless the exit code is this one.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert!(self.code == code, "wanted exit code {code}:\n{self}");
        self
    }

    /// The JSON objects of standard output, one a line. Any other line fails the test.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        let lines = self.stdout.lines().filter(|line| !line.trim().is_empty());
        lines
            .map(|line| match serde_json::from_str(line) {
                Ok(value) => value,
                Err(why) => panic!("not a JSON line ({why}): {line}\n{self}"),
            })
            .collect()
    }

    /// The events of this name.
    #[track_caller]
    pub fn events_named(&self, name: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["event"] == name);
        events
    }

    /// The last `run-finished` event.
    #[track_caller]
    pub fn finished(&self) -> Value {
        match self.events_named("run-finished").pop() {
            Some(event) => event,
            None => panic!("no run-finished event:\n{self}"),
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, code, stdout, stderr, took } = self;
        writeln!(f, "`{title}` ended with {code} after {took:.1?}")?;
        write!(f, "--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}

fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("an output file of the call");
    String::from_utf8_lossy(&bytes).into_owned()
}
