//! Children, keepers and what they could leave behind, with real processes.
//!
//! A process that a test expects to be gone carries a variable with a value of that test alone, and is looked for by
//! that value: nothing that the test did not start is ever signalled.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use proctor_world::child::{
    Cancel, ChildError, End, Ended, Keeper, Launch, Stdin, follow, read_capped,
};
use proctor_world::detach::detach;
use proctor_world::keeper::{Order, Verdict};
use proctor_world::leftovers::{TOKEN, sweep};
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(30);

/// A child that starts a daemon (two forks, a session of its own, SIGTERM ignored), waits until the daemon is there
/// and then runs `$1`.
const WITH_DAEMON: &str = r#"
( trap '' TERM HUP INT; setsid sh -c 'trap "" TERM HUP INT; echo $$ >daemon.new; mv daemon.new daemon; while :; do sleep 60; done' ) </dev/null >/dev/null 2>&1 &
until [ -e daemon ]; do sleep 0.01; done
eval "$1"
"#;

struct Room {
    folder: TempDir,
    token: String,
}

impl Room {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let token = folder.path().file_name().unwrap().to_str().unwrap();
        let token = format!("{token}-{}", std::process::id());
        Self { folder, token }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn launch(&self, argv: &[&str]) -> Launch {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: self.path().to_owned(),
            env: BTreeMap::from([("PATH".into(), path), (TOKEN.into(), self.token.clone().into())]),
            stdin: Stdin::Empty,
            limit: LONG,
            logs: self.path().join("logs"),
            name: "child".to_owned(),
            bounds: None,
        }
    }

    fn sh(&self, script: &str) -> Launch {
        self.launch(&["sh", "-c", script])
    }

    fn with_daemon(&self, then: &str) -> Launch {
        self.launch(&["sh", "-c", WITH_DAEMON, "sh", then])
    }

    fn daemon(&self) -> String {
        let text = fs::read_to_string(self.path().join("daemon")).expect("the daemon has started");
        text.trim().to_owned()
    }

    /// Processes that carry this room's token, by their numbers.
    fn alive(&self) -> Vec<String> {
        let wanted = format!("{TOKEN}={}", self.token);
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environ.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes()) {
                found.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        found
    }

    fn assert_nobody_is_left(&self) {
        assert_eq!(self.alive(), Vec::<String>::new());
    }

    fn order(&self, launch: &Launch) -> Order {
        Order {
            argv: launch.argv.clone(),
            cwd: launch.cwd.clone().into(),
            env: launch.env.clone().into_iter().collect(),
            stdin_file: None,
            stdout_file: self.path().join("out").into(),
            stderr_file: self.path().join("err").into(),
            inside: None,
            bounds: None,
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Also when an assertion failed: a test must not leave behind what it looks for.
        sweep(&self.token);
    }
}

fn keeper() -> Keeper {
    Keeper { program: PathBuf::from(env!("CARGO_BIN_EXE_proctor-keep")), args: Vec::new() }
}

fn run(launch: &Launch) -> Ended {
    keeper().run(launch, &Cancel::new()).unwrap()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LONG, "never: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Lets a child run into its time limit, with one that is long enough on this machine for it to get to `sign`.
fn run_out_of_time(launch: &Launch, sign: &Path) {
    let mut launch = launch.clone();
    launch.limit = Duration::from_millis(150);
    loop {
        assert_eq!(run(&launch).how, End::TimedOut);
        if sign.exists() {
            return;
        }
        launch.limit *= 2;
        assert!(launch.limit < LONG, "never: {}", sign.display());
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn an_exit_code_comes_back() {
    let room = Room::new();
    assert_eq!(run(&room.sh("exit 0")).how, End::Exited(0));
    assert_eq!(run(&room.sh("exit 37")).how, End::Exited(37));
}

#[test]
fn a_signal_comes_back() {
    let room = Room::new();
    assert_eq!(run(&room.sh("kill -SEGV $$")).how, End::Signalled(11));
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let room = Room::new();
    let ended = run(&room.launch(&["/no/such/program", "x"]));
    let End::CouldNotStart(message) = ended.how else {
        panic!("{:?}", ended.how);
    };
    assert!(message.contains("/no/such/program"), "{message}");
    assert!(message.contains("hint: "), "{message}");
}

#[test]
fn a_working_folder_that_is_not_there_is_named() {
    let room = Room::new();
    let mut launch = room.sh("exit 0");
    launch.cwd = room.path().join("gone");
    let End::CouldNotStart(message) = run(&launch).how else {
        panic!("started");
    };
    assert!(message.contains("gone"), "{message}");
}

#[test]
fn a_keeper_that_is_not_there_is_an_error_that_names_it() {
    let room = Room::new();
    let keeper = Keeper { program: "/no/such/keeper".into(), args: Vec::new() };
    let error = keeper.run(&room.sh("exit 0"), &Cancel::new()).unwrap_err().to_string();
    assert!(error.contains("/no/such/keeper"), "{error}");
}

#[test]
fn the_environment_is_what_was_listed_and_nothing_else() {
    let room = Room::new();
    let mut launch = room.launch(&["/usr/bin/env"]);
    launch.env = BTreeMap::from([("ONE".into(), "1".into()), ("TWO".into(), "with blanks".into())]);
    let ended = run(&launch);
    assert_eq!(ended.how, End::Exited(0));
    assert_eq!(text(&ended.stdout), "ONE=1\nTWO=with blanks\n");
}

#[test]
fn a_keeper_has_none_of_our_environment_either() {
    let room = Room::new();
    let ended = run(&room.sh("tr '\\0' '\\n' </proc/$PPID/environ"));
    assert_eq!(text(&ended.stdout), "");
    assert_eq!(ended.how, End::Exited(0));
}

#[test]
fn bytes_that_are_not_utf_8_arrive_as_they_are() {
    use std::os::unix::ffi::OsStringExt;
    let room = Room::new();
    let mut launch = room.launch(&["printf", "%s"]);
    launch.argv.push(OsString::from_vec(b"a\xff\xfe\nb".to_vec()));
    assert_eq!(fs::read(run(&launch).stdout).unwrap(), b"a\xff\xfe\nb");
}

#[test]
fn stdin_is_the_file_or_empty() {
    let room = Room::new();
    let mut launch = room.launch(&["cat"]);
    assert_eq!(text(&run(&launch).stdout), "");
    let prompt = room.path().join("prompt");
    fs::write(&prompt, "write a test").unwrap();
    launch.stdin = Stdin::File(prompt);
    assert_eq!(text(&run(&launch).stdout), "write a test");
}

#[test]
fn a_stdin_file_that_is_not_there_is_named() {
    let room = Room::new();
    let mut launch = room.launch(&["cat"]);
    launch.stdin = Stdin::File(room.path().join("no-prompt"));
    let End::CouldNotStart(message) = run(&launch).how else {
        panic!("started");
    };
    assert!(message.contains("no-prompt"), "{message}");
}

#[test]
fn output_is_whole_and_the_two_are_kept_apart() {
    let room = Room::new();
    let ended = run(&room.sh("head -c 5000000 /dev/zero; echo trouble >&2"));
    assert_eq!(fs::metadata(&ended.stdout).unwrap().len(), 5_000_000);
    assert_eq!(text(&ended.stderr), "trouble\n");
}

#[test]
fn a_second_run_under_the_same_name_starts_with_empty_logs() {
    let room = Room::new();
    run(&room.sh("echo first"));
    assert_eq!(text(&run(&room.sh("echo second")).stdout), "second\n");
}

#[test]
fn a_child_that_closes_its_outputs_is_waited_for() {
    let room = Room::new();
    let ended = run(&room.sh("exec >&- 2>&-; sleep 0.05; touch done; exit 3"));
    assert_eq!(ended.how, End::Exited(3));
    assert!(room.path().join("done").exists());
}

#[test]
fn the_time_limit_ends_a_child_that_ignores_sigterm() {
    let room = Room::new();
    let mut launch = room.sh("trap '' TERM INT HUP; while :; do sleep 60; done");
    launch.limit = Duration::from_millis(100);
    let ended = run(&launch);
    assert_eq!(ended.how, End::TimedOut);
    assert!(ended.took >= launch.limit && ended.took < Duration::from_secs(5));
    room.assert_nobody_is_left();
}

#[test]
fn a_child_may_tidy_up_at_the_time_limit() {
    let room = Room::new();
    let launch = room.sh("trap 'touch tidy; exit 0' TERM; touch up; sleep 60 & wait");
    run_out_of_time(&launch, &room.path().join("up"));
    assert!(room.path().join("tidy").exists());
    room.assert_nobody_is_left();
}

#[test]
fn a_daemon_is_gone_when_the_child_has_ended() {
    let room = Room::new();
    let ended = run(&room.with_daemon("exit 5"));
    assert_eq!(ended.how, End::Exited(5));
    assert!(!Path::new("/proc").join(room.daemon()).exists());
    room.assert_nobody_is_left();
}

#[test]
fn a_daemon_without_its_environment_is_gone_too() {
    let room = Room::new();
    let mut launch = room.with_daemon("exit 0");
    launch.env.remove(&OsString::from(TOKEN));
    run(&launch);
    assert!(!Path::new("/proc").join(room.daemon()).exists());
}

#[test]
fn a_daemon_is_gone_after_the_time_limit() {
    let room = Room::new();
    run_out_of_time(&room.with_daemon("sleep 60"), &room.path().join("daemon"));
    assert!(!Path::new("/proc").join(room.daemon()).exists());
    room.assert_nobody_is_left();
}

#[test]
fn a_child_in_its_keepers_own_group_is_ended() {
    let room = Room::new();
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not installed");
        return;
    }
    let script = "
import os, time
keeper = os.getppid()
if os.fork() == 0:
    os.setpgid(0, keeper)
    open('moved', 'w').close()
    time.sleep(600)
while not os.path.exists('moved'):
    time.sleep(0.01)
";
    let ended = run(&room.launch(&["python3", "-c", script]));
    assert_eq!(ended.how, End::Exited(0), "{}", text(&ended.stderr));
    room.assert_nobody_is_left();
}

#[test]
fn a_chain_of_forks_is_caught() {
    let room = Room::new();
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not installed");
        return;
    }
    // Each link forks the next one and goes at once, in a session of its own. It gives up by itself after a while, so
    // that a keeper that fails does not leave a runaway.
    let script = "
import os, time
until = time.time() + 20
def chain():
    while time.time() < until:
        if os.fork():
            os._exit(0)
        os.setsid()
for _ in range(3):
    if os.fork() == 0:
        chain()
        os._exit(0)
time.sleep(0.1)
os._exit(4)
";
    let ended = run(&room.launch(&["python3", "-c", script]));
    assert_eq!(ended.how, End::Exited(4), "{}", text(&ended.stderr));
    assert!(ended.took < Duration::from_secs(8), "{:?}", ended.took);
    room.assert_nobody_is_left();
}

#[test]
fn cancelling_wakes_a_run_in_another_thread_at_once() {
    let room = Room::new();
    let cancel = Cancel::new();
    let launch = room.with_daemon("touch up; sleep 60");
    let ended = thread::scope(|scope| {
        let running = scope.spawn(|| keeper().run(&launch, &cancel));
        wait_until("the child is up", || room.path().join("up").exists());
        assert!(!cancel.is_cancelled());
        cancel.clone().cancel();
        running.join().unwrap().unwrap()
    });
    assert_eq!(ended.how, End::Cancelled);
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
    room.assert_nobody_is_left();
}

#[test]
fn a_cancelled_run_does_not_start() {
    let room = Room::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let ended = keeper().run(&room.sh("touch started"), &cancel).unwrap();
    assert_eq!(ended.how, End::Cancelled);
    assert!(!room.path().join("started").exists());
    assert_eq!(text(&ended.stdout), "");
}

#[test]
fn a_keeper_whose_channel_closes_ends_everything_and_says_how() {
    let room = Room::new();
    let launch = room.with_daemon("trap '' TERM; touch up; while :; do sleep 60; done");
    let mut process = Command::new(keeper().program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut channel = process.stdin.take().unwrap();
    room.order(&launch).send(&mut channel).unwrap();
    wait_until("the child is up", || room.path().join("up").exists());
    drop(channel);
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(serde_json::from_str::<Verdict>(&line).unwrap(), Verdict::Signalled(9));
    assert!(process.wait().unwrap().success());
    room.assert_nobody_is_left();
}

/// This test binary again, as a small Proctor that is about to be killed.
const LAUNCHER: &str = "PROCTOR_TEST_LAUNCHER";

#[test]
fn nothing_is_left_when_the_launcher_is_killed() {
    if let Some(folder) = std::env::var_os(LAUNCHER) {
        let mut room = Room::new();
        room.token = std::env::var("PROCTOR_TEST_TOKEN").unwrap();
        let mut launch = room.with_daemon("touch up; while :; do sleep 60; done");
        launch.cwd = folder.into();
        run(&launch);
        return;
    }
    let room = Room::new();
    let mut launcher = Command::new(std::env::current_exe().unwrap())
        .args(["processes::nothing_is_left_when_the_launcher_is_killed", "--exact"])
        .env(LAUNCHER, room.path())
        // A killed launcher can't remove its own folder.
        .env("TMPDIR", room.path())
        .env("PROCTOR_TEST_TOKEN", &room.token)
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    wait_until("the child is up", || room.path().join("up").exists());
    assert!(!room.alive().is_empty());
    launcher.kill().unwrap();
    launcher.wait().unwrap();
    wait_until("all are gone", || room.alive().is_empty());
    // Its keeper reaps it a moment after it has ended.
    let daemon = Path::new("/proc").join(room.daemon());
    wait_until("the daemon is reaped", || !daemon.exists());
}

#[test]
fn a_child_that_kills_its_keeper_gains_nothing() {
    let room = Room::new();
    let launch = room.with_daemon("kill -9 $PPID; sleep 60");
    let error = keeper().run(&launch, &Cancel::new()).unwrap_err();
    assert!(matches!(error, ChildError::KeeperGone { .. }), "{error}");
    room.assert_nobody_is_left();
}

#[test]
fn a_sweep_ends_what_carries_the_token_and_spares_the_rest() {
    let room = Room::new();
    let start = |token: String| Command::new("sleep").arg("60").env(TOKEN, token).spawn().unwrap();
    let mut ours = start(room.token.clone());
    let mut longer = start(format!("{}0", room.token));
    wait_until("it carries its token", || room.alive().len() == 1);
    assert_eq!(sweep(""), 0);
    assert_eq!(sweep(&room.token), 1);
    assert_eq!(sweep(&room.token), 0);
    assert!(ours.wait().unwrap().code().is_none());
    assert!(longer.try_wait().unwrap().is_none());
    longer.kill().unwrap();
    longer.wait().unwrap();
}

#[test]
fn a_detached_program_writes_its_log_and_keeps_the_environment() {
    let room = Room::new();
    let log = room.path().join("log");
    let added = BTreeMap::from([("ADDED".into(), "yes".into())]);
    let args = ["-c", "echo $ADDED ${PATH:+kept}; echo trouble >&2; touch done"];
    let args: Vec<OsString> = args
        .iter()
        .map(|arg| {
            arg.replace("touch done", &format!("touch {}", room.path().join("done").display()))
        })
        .map(OsString::from)
        .collect();
    assert!(detach(Path::new("sh"), &args, &added, &log).unwrap() > 0);
    wait_until("it is done", || room.path().join("done").exists());
    assert_eq!(text(&log), "yes kept\ntrouble\n");
    let error = detach(Path::new("/no/such/program"), &[], &added, &log).unwrap_err();
    assert!(error.to_string().contains("/no/such/program"), "{error}");
}

#[test]
fn long_output_is_shown_by_its_head_and_tail() {
    let room = Room::new();
    let path = room.path().join("long");
    fs::write(&path, "0123456789").unwrap();
    let whole = read_capped(&path, 10).unwrap();
    assert_eq!((whole.bytes.as_slice(), whole.total), (&b"0123456789"[..], 10));
    let cut = read_capped(&path, 4).unwrap();
    assert_eq!(cut.total, 10);
    assert_eq!(String::from_utf8(cut.bytes).unwrap(), "01\n[… 6 bytes left out …]\n89");
}

#[test]
fn new_output_can_be_followed() {
    let room = Room::new();
    let path = room.path().join("growing");
    fs::write(&path, "one\n").unwrap();
    let (first, offset) = follow(&path, 0).unwrap();
    assert_eq!((first.as_slice(), offset), (&b"one\n"[..], 4));
    fs::write(&path, "one\ntwo\n").unwrap();
    assert_eq!(follow(&path, offset).unwrap(), (b"two\n".to_vec(), 8));
    assert_eq!(follow(&path, 8).unwrap(), (Vec::new(), 8));
}

#[test]
fn a_keeper_costs_little() {
    let room = Room::new();
    let launch = room.launch(&["true"]);
    let best = (0..5).map(|_| run(&launch).took).min().unwrap();
    println!("best of five: {best:?}");
    assert!(best < Duration::from_millis(100), "{best:?}");
}
