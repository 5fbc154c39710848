//! A child that is spoken with line by line, over its stdin and stdout. It lives where this process lives, within the same
//! bounds, and whoever keeps this process keeps it too. It must not be used by a process that nobody keeps.

use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is taken in. What is longer is cut there.
const LONGEST: u64 = 64 * 1024 * 1024;

/// What a partner does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Line(String),
    /// It will say nothing more.
    Silent,
}

#[derive(Debug)]
pub struct Partner {
    process: Child,
    ear: Option<ChildStdin>,
}

impl Partner {
    /// Starts it with this process's own environment. `heard` gets each line on a thread of its own, until it says false.
    /// What the partner says on stderr goes where ours goes.
    pub fn start(
        command: &[OsString],
        cwd: &Path,
        heard: impl FnMut(Word) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (program, args) = command
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "its command is empty"))?;
        let mut process = Command::new(program)
            .args(args)
            .current_dir(cwd)
            // A signal that asks this process to stop does not reach it: it is asked in its own language.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let ear = process.stdin.take();
        if let Some(mouth) = process.stdout.take() {
            thread::Builder::new().name("partner".to_owned()).spawn(|| listen(mouth, heard))?;
        }
        Ok(Self { process, ear })
    }

    pub fn say(&mut self, line: &str) -> io::Result<()> {
        let Some(ear) = &mut self.ear else { return Ok(()) };
        ear.write_all(line.as_bytes())?;
        ear.write_all(b"\n")?;
        ear.flush()
    }

    /// Says no more and makes it go, with all that it started in its group: it was listened to long enough. `patience` is for one
    /// that tidies up.
    pub fn dismiss(mut self, patience: Duration) {
        drop(self.ear.take());
        let group = Pid::from_child(&self.process);
        let _ = kill_process_group(group, Signal::TERM);
        let left = self.gone_within(patience).is_some();
        let _ = kill_process_group(group, Signal::KILL);
        if !left {
            let _ = self.process.wait();
        }
    }

    fn gone_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        let mut pause = Duration::from_micros(500);
        while Instant::now() < until {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Some(status);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        None
    }

    /// Says no more, and waits for it to go. Gives its exit code; none where it stayed and was ended, or a signal ended it.
    pub fn part(mut self, patience: Duration) -> Option<i32> {
        drop(self.ear.take());
        if let Some(status) = self.gone_within(patience) {
            return status.code();
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        None
    }
}

fn listen(mouth: ChildStdout, mut heard: impl FnMut(Word) -> bool) {
    let mut reader = BufReader::new(mouth);
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                if !heard(Word::Line(String::from_utf8_lossy(&line).trim_end().to_owned())) {
                    return;
                }
            }
        }
    }
    heard(Word::Silent);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn start(script: &str) -> (Partner, mpsc::Receiver<Word>) {
        let (sender, words) = mpsc::channel();
        let argv = ["/bin/sh", "-c", script].map(OsString::from);
        let heard = move |word| sender.send(word).is_ok();
        (Partner::start(&argv, Path::new("/"), heard).unwrap(), words)
    }

    #[test]
    fn what_is_said_is_heard_and_answered() {
        let (mut partner, words) = start("while read line; do echo \"<$line>\"; done; exit 7");
        partner.say("one").unwrap();
        assert_eq!(words.recv().unwrap(), Word::Line("<one>".to_owned()));
        assert_eq!(partner.part(Duration::from_secs(20)), Some(7));
        assert_eq!(words.recv().unwrap(), Word::Silent);
    }

    #[test]
    fn one_that_is_dismissed_goes_at_once_with_what_it_started() {
        let (partner, words) = start("sleep 600 & echo $!; exec sleep 600");
        let Word::Line(child) = words.recv().unwrap() else { panic!("it says a number") };
        let child = Pid::from_raw(child.parse().unwrap()).unwrap();
        let began = Instant::now();
        partner.dismiss(Duration::from_secs(20));
        assert!(began.elapsed() < Duration::from_secs(10));
        // Both have let go of stdout; the child may still wait for whoever collects it.
        assert_eq!(words.recv().unwrap(), Word::Silent);
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero()));
        assert!(state.is_err() || state.unwrap().contains(") Z "));
    }

    #[test]
    fn one_that_stays_is_ended() {
        let (partner, _words) = start("exec sleep 600");
        assert_eq!(partner.part(Duration::from_millis(10)), None);
    }
}
