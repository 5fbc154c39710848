//! A first terminal: the binary with an input that stays open, so that it waits at its prompt until a test types.

use crate::repos::place::Place;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_mins(1);

pub struct Terminal {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Terminal {
    pub fn open(place: &Place, args: &[&str]) -> Self {
        let folder = place.env.user_home();
        let (stdout, stderr) = (folder.join("terminal.out"), folder.join("terminal.err"));
        let child = Command::new(env!("CARGO_BIN_EXE_proctor"))
            .args(args)
            .current_dir(place.path())
            .env_clear()
            .envs(place.env.vars().iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(File::create(&stdout).expect("the terminal's output"))
            .stderr(File::create(&stderr).expect("the terminal's errors"))
            .spawn()
            .expect("the binary starts");
        Self { child, stdout, stderr }
    }

    pub fn said(&self) -> String {
        let read = |path| std::fs::read_to_string(path).expect("what the terminal shows");
        format!("{}\n{}", read(&self.stdout), read(&self.stderr))
    }

    #[track_caller]
    pub fn until(&mut self, text: &str) {
        let began = Instant::now();
        while !self.said().contains(text) {
            let ended = self.child.try_wait().expect("the state of a child of ours");
            assert!(
                ended.is_none() && began.elapsed() < LIMIT,
                "`{text}` was not said ({ended:?}):\n{}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types a line. Nobody may read it any more; that is for the test to judge.
    pub fn types(&mut self, line: &str) {
        if let Some(stdin) = &mut self.child.stdin {
            let _ = writeln!(stdin, "{line}");
        }
    }

    /// The exit code, with everything that was shown.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, String) {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the state of a child of ours") {
                return (status.code(), self.said());
            }
            assert!(began.elapsed() < LIMIT, "it did not end:\n{}", self.said());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // One that was waited for can't be killed, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
