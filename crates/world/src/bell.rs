//! A command of the user's that is told of something: started with their own environment, given a text, not waited for longer
//! than it is worth. Must not be used for anything of an agent or a test.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(20);

/// What is started and what it is told.
#[derive(Clone, Debug)]
pub struct Ring<'a> {
    pub argv: &'a [String],
    pub cwd: &'a Path,
    /// On top of the environment of this process.
    pub env: Vec<(OsString, OsString)>,
    /// On its stdin.
    pub text: &'a str,
    pub limit: Duration,
}

/// Runs it to its end, or to its limit. What went wrong, in words.
pub fn ring(ring: &Ring<'_>) -> Result<(), String> {
    let Some((program, words)) = ring.argv.split_first() else {
        return Err("no command is named".to_owned());
    };
    let mut child = Command::new(program)
        .args(words)
        .current_dir(ring.cwd)
        .envs(ring.env.iter().cloned())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|why| format!("`{program}` could not be started: {why}"))?;
    if let Some(mut input) = child.stdin.take() {
        let text = ring.text.to_owned();
        // Whoever does not read its input is told nothing, and that is its own affair.
        thread::spawn(move || drop(input.write_all(text.as_bytes())));
    }
    wait(&mut child, ring.limit, program)
}

fn wait(child: &mut Child, limit: Duration, program: &str) -> Result<(), String> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(end)) if end.success() => return Ok(()),
            Ok(Some(end)) => return Err(format!("`{program}` ended with {end}")),
            Ok(None) if began.elapsed() < limit => thread::sleep(BEAT),
            Ok(None) => {
                end_group(child);
                return Err(format!("`{program}` was still at work after {} s", limit.as_secs()));
            }
            Err(why) => return Err(format!("`{program}` can't be waited for: {why}")),
        }
    }
}

/// Ends it with all that it started.
fn end_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended a moment ago.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(argv: &[&str], limit: Duration) -> Result<(), String> {
        let dir = tempfile::tempdir().unwrap();
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        let env = vec![("WHO".into(), "me".into())];
        let told = ring(&Ring { argv: &argv, cwd: dir.path(), env, text: "the text", limit });
        if let Ok(text) = std::fs::read_to_string(dir.path().join("heard")) {
            assert_eq!(text, "me: the text");
        }
        told
    }

    #[test]
    fn a_command_hears_the_text_and_its_end_is_told() {
        let minute = Duration::from_mins(1);
        let hear = ["sh", "-c", "test \"$(cat)\" = 'the text' && printf 'me: the text' > heard"];
        rung(&hear, minute).unwrap();
        let failed = rung(&["sh", "-c", "exit 3"], minute).unwrap_err();
        assert!(failed.contains("exit status: 3"), "{failed}");
        let absent = rung(&["no-such-program"], minute).unwrap_err();
        assert!(absent.contains("could not be started"), "{absent}");
        let slow = rung(&["sh", "-c", "sleep 100 & wait"], Duration::ZERO).unwrap_err();
        assert!(slow.contains("still at work"), "{slow}");
    }
}
