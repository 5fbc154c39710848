//! The keeper: a tiny supervisor process, our own binary started again, that stands between Proctor and one child.
//!
//! Owns: starting the child it was ordered to start, inside a mounted tree and within bounds where that is asked for, and
//! ending everything that descends from it, daemons that left group and session too, when the child ends or when its
//! control channel closes. It must not decide: no time limit, no retry, no reading of output.
//!
//! The control channel is the keeper's stdin: one order, then silence. That it closes means that Proctor wants the end
//! or is gone itself, also by `kill -9`. The keeper answers with one line of JSON on its stdout, and only after nothing
//! of the child is left.

pub(crate) mod streams;
mod terminal;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, kill_process,
    kill_process_group, setsid, wait, waitid, waitpid,
};
use serde::{Deserialize, Serialize};

use crate::overlay::stand::{self, Inside, Stand, Stood};
use crate::processes;
use crate::sandbox::group::Group;
use crate::sandbox::rules::{Counted, Memory};
use crate::sandbox::{Bounds, Level};
use streams::{Streams, no_file};

/// How long the child may tidy up after SIGTERM before everything gets SIGKILL.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// How long the keeper tries to end what is left. Longer than that survives only what it may not end (another user's
/// process) or what hangs in the kernel.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// An order above this is no order of ours.
const LONGEST_ORDER: u32 = 64 * 1024 * 1024;

/// What to start. The environment is complete: nothing is inherited.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub argv: Vec<OsString>,
    pub cwd: OsString,
    pub env: Vec<(OsString, OsString)>,
    /// `None` is an empty stdin.
    pub stdin_file: Option<OsString>,
    /// Both are written at their end, so they may exist already.
    pub stdout_file: OsString,
    pub stderr_file: OsString,
    /// The namespaces that the child is started in; `None` is the keeper's own.
    pub inside: Option<Inside>,
    /// What the child may; `None` is whatever the keeper may.
    pub bounds: Option<Bounds>,
}

impl Order {
    /// Sends the order over a keeper's control channel.
    pub fn send(&self, channel: &mut impl Write) -> io::Result<()> {
        Task::Keep(self.clone()).send(channel)
    }
}

/// What a keeper process is there for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    Keep(Order),
    /// Mount a tree in namespaces of its own, and stay until the channel closes.
    Stand(Stand),
    /// Enter namespaces and find a file there: whether that can be done.
    Enter(Inside, OsString),
    /// Keep a child as the inner half, in namespaces that stand already.
    Inside {
        order: Order,
        /// Whether the tree of files is as the bounds say already.
        furnished: bool,
        memory: Memory,
    },
}

impl Task {
    pub(crate) fn send(&self, channel: &mut impl Write) -> io::Result<()> {
        let body = serde_json::to_vec(self)?;
        let length =
            u32::try_from(body.len()).ok().filter(|length| *length <= LONGEST_ORDER).ok_or_else(
                || io::Error::other(format!("the order is too long: {} bytes", body.len())),
            )?;
        channel.write_all(&length.to_be_bytes())?;
        channel.write_all(&body)?;
        channel.flush()
    }

    fn receive(channel: &mut impl Read) -> io::Result<Self> {
        let mut length = [0; 4];
        channel.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        if length > LONGEST_ORDER {
            return Err(io::Error::other(format!("the order is too long: {length} bytes")));
        }
        let mut body = Vec::new();
        channel.take(u64::from(length)).read_to_end(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }
}

/// How the child ended, as the keeper saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Exited(i32),
    Signalled(i32),
    CouldNotStart(String),
    /// The child ended, but these processes of it could not be ended.
    LeftBehind(Vec<i32>),
    /// The keeper could not do its work; nothing was started, or what was started has been ended.
    Unfit(String),
}

/// The whole life of a keeper process: take the order, keep the child, answer.
pub fn main() -> ExitCode {
    // A session of its own, before anything else: no signal from a terminal gets here while it waits for its order
    // or after it, and every process in this session is the child's.
    if let Err(why) = setsid() {
        return answer(&Verdict::Unfit(format!("could not begin a session: {why}")));
    }
    // What somebody left open for us is not meant for the child.
    close_fds::set_fds_cloexec(3, &[]);
    // What takes long is done while nobody waits for it. Whoever has an order already may not need it at all.
    let mut group = if is_early() { Group::join() } else { None };
    let task = match Task::receive(&mut io::stdin().lock()) {
        Ok(task) => task,
        Err(why) => {
            // One that was started ahead of need: nobody is there to remove it.
            if let Some(group) = &mut group {
                group.leave();
            }
            return answer(&Verdict::Unfit(format!("could not read its order: {why}")));
        }
    };
    match task {
        Task::Keep(order) => match keep(order, group) {
            Some(verdict) => answer(&verdict),
            // Its inner half has answered.
            None => ExitCode::SUCCESS,
        },
        Task::Inside { order, furnished, memory } => {
            answer(&keep_inside(&order, furnished, memory))
        }
        Task::Stand(order) => {
            let code = answer(&Stood::from(stand::stand(&order)));
            // Who asked takes hold of what stands here before this process goes.
            wait_for_the_channel_to_close();
            code
        }
        Task::Enter(inside, path) => {
            let found = stand::enter(&inside)
                .and_then(|()| File::open(&path).map_err(|why| no_file(&path, &why)));
            answer(&Stood::from(found.map(|_| ())))
        }
    }
}

fn answer(words: &impl Serialize) -> ExitCode {
    let Ok(mut line) = serde_json::to_vec(words) else {
        return ExitCode::FAILURE;
    };
    line.push(b'\n');
    // Nobody may be listening any more; then the work is done all the same.
    let mut out = io::stdout().lock();
    match out.write_all(&line).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Whether the order is still to come.
fn is_early() -> bool {
    let stdin = io::stdin();
    let mut channel = [PollFd::new(&stdin, PollFlags::IN)];
    matches!(poll(&mut channel, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })), Ok(0))
}

/// `None` where the answer is given already.
fn keep(order: Order, group: Option<Group>) -> Option<Verdict> {
    let portable = order.bounds.as_ref().is_some_and(|bounds| bounds.level == Level::Portable);
    if portable {
        processes::go_without();
    }
    let group = match group {
        // It was joined before anybody said that none is wanted.
        Some(mut group) if portable => {
            group.leave();
            None
        }
        group if portable || order.bounds.is_none() => group,
        group => group.or_else(Group::join),
    };
    let memory = match (&group, &order.bounds) {
        (Some(group), Some(bounds)) => group.limit(&bounds.caps),
        _ => Memory::Process,
    };
    // First of all: it can't be done once there is a second thread.
    if let Some(inside) = &order.inside
        && let Err(why) = stand::enter(inside)
    {
        return Some(Verdict::Unfit(why));
    }
    match order.bounds.clone() {
        None => Some(keep_here(&order, || Ok(()))),
        Some(bounds) => keep_within(order, &bounds, memory),
    }
}

#[cfg(target_os = "linux")]
fn keep_within(order: Order, bounds: &Bounds, memory: Memory) -> Option<Verdict> {
    use crate::sandbox::{room, rules};
    let own = Counted { processes: false, memory };
    match bounds.level {
        Level::Bubblewrap(_) | Level::Namespaces(_) => room::keep_apart(order, bounds, memory),
        Level::Landlock => Some(keep_here(&order, || {
            rules::limit(bounds, own)?;
            room::keep_to_files(bounds)
        })),
        Level::None | Level::Portable => Some(keep_here(&order, || rules::limit(bounds, own))),
    }
}

#[cfg(not(target_os = "linux"))]
fn keep_within(order: Order, bounds: &Bounds, memory: Memory) -> Option<Verdict> {
    use crate::sandbox::rules;
    let own = Counted { processes: false, memory };
    Some(match bounds.level {
        Level::None | Level::Portable => keep_here(&order, || rules::limit(bounds, own)),
        Level::Bubblewrap(_) | Level::Namespaces(_) | Level::Landlock => {
            Verdict::Unfit("only Linux has a sandbox".to_owned())
        }
    })
}

#[cfg(target_os = "linux")]
fn keep_inside(order: &Order, furnished: bool, memory: Memory) -> Verdict {
    let Some(bounds) = &order.bounds else {
        return Verdict::Unfit("there are no bounds to keep within".to_owned());
    };
    keep_here(order, || crate::sandbox::room::settle_in(bounds, furnished, memory))
}

#[cfg(not(target_os = "linux"))]
fn keep_inside(_: &Order, _: bool, _: Memory) -> Verdict {
    Verdict::Unfit("only Linux has a sandbox".to_owned())
}

/// Keeps a child in this place. `settle` is called when its files are open and nothing is started yet.
fn keep_here(order: &Order, settle: impl FnOnce() -> Result<(), String>) -> Verdict {
    if let Err(why) = become_subreaper() {
        return Verdict::Unfit(format!("could not adopt orphans: {why}"));
    }
    let files = match Streams::open(order) {
        Ok(streams) => streams,
        Err(message) => return Verdict::CouldNotStart(message),
    };
    if let Err(why) = settle().and_then(|()| close_up()) {
        return Verdict::Unfit(why);
    }
    let (streams, lines) = match files.on(order) {
        Ok(there) => there,
        Err(why) => return Verdict::Unfit(why),
    };
    let main = match start(order, streams) {
        Ok(main) => main,
        Err(message) => return Verdict::CouldNotStart(message),
    };
    let child = Arc::new(Mutex::new(Main::Running(main)));
    let watched = Arc::clone(&child);
    let watch = thread::Builder::new().name("control".to_owned()).spawn(move || {
        wait_for_the_channel_to_close();
        signal(&watched, Signal::TERM);
        thread::sleep(GRACE);
        signal(&watched, Signal::KILL);
    });
    if let Err(why) = &watch {
        signal(&child, Signal::KILL);
        let _ = wait_for_main(main, &child);
        end_the_rest();
        return Verdict::Unfit(format!("could not watch its control channel: {why}"));
    }
    let verdict = match wait_for_main(main, &child) {
        Ok(status) => verdict_of(status),
        Err(why) => Verdict::Unfit(format!("could not wait for the child: {why}")),
    };
    let left = end_the_rest();
    if left.is_empty() {
        lines.into_iter().for_each(terminal::Line::end);
    }
    if left.is_empty() { verdict } else { Verdict::LeftBehind(left) }
}

/// Orphans of the child become children of the keeper, so that a daemon can't get away by forking twice.
#[cfg(target_os = "linux")]
fn become_subreaper() -> rustix::io::Result<()> {
    if processes::is_without() {
        return Ok(());
    }
    rustix::process::set_child_subreaper(Some(getpid()))
}

/// Other systems have no subreapers: there only the child's process group is ended.
#[cfg(not(target_os = "linux"))]
fn become_subreaper() -> rustix::io::Result<()> {
    Ok(())
}

/// The child may be of the same user: it must not reach into this process, which answers for it.
#[cfg(target_os = "linux")]
fn close_up() -> Result<(), String> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|why| format!("could not close itself to its child: {why}"))
}

#[cfg(not(target_os = "linux"))]
fn close_up() -> Result<(), String> {
    Ok(())
}

fn start(order: &Order, streams: Streams) -> Result<Pid, String> {
    let (program, args) =
        order.argv.split_first().ok_or("could not start a child: its command line is empty")?;
    let cwd = Path::new(&order.cwd);
    if !cwd.is_dir() {
        return Err(format!(
            "could not start {}: its working folder {} is not there",
            Path::new(program).display(),
            cwd.display()
        ));
    }
    let child = Command::new(program)
        .args(args)
        .current_dir(cwd)
        .env_clear()
        .envs(order.env.iter().map(|(name, value)| (name, value)))
        .stdin(streams.stdin)
        .stdout(streams.stdout)
        .stderr(streams.stderr)
        .process_group(0)
        .spawn()
        .map_err(|why| no_start(program, &why))?;
    // Reaped by `wait_for_main`: std's handle would reap this one child alone.
    Ok(Pid::from_child(&child))
}

fn no_start(program: &OsStr, why: &io::Error) -> String {
    let program = Path::new(program).display();
    match why.kind() {
        io::ErrorKind::NotFound => format!(
            "could not start {program}: {why}\nhint: the program is not there, or the interpreter that its first line names is not"
        ),
        io::ErrorKind::PermissionDenied => {
            format!("could not start {program}: {why}\nhint: is the file executable?")
        }
        _ => format!("could not start {program}: {why}"),
    }
}

/// The child that was ordered. Signals go out only while this says `Running`, under its lock, so that a number that
/// the system gave to somebody else meanwhile is never hit.
enum Main {
    Running(Pid),
    Ended,
}

fn signal(main: &Mutex<Main>, signal: Signal) {
    let main = main.lock().unwrap_or_else(PoisonError::into_inner);
    match *main {
        Main::Running(pid) => {
            let _ = kill_process_group(pid, signal);
            // It may have moved to another group.
            let _ = kill_process(pid, signal);
        }
        Main::Ended => {}
    }
}

fn wait_for_the_channel_to_close() {
    let mut stdin = io::stdin().lock();
    let mut ignored = [0; 256];
    loop {
        match stdin.read(&mut ignored) {
            Ok(0) => return,
            Ok(_) => {}
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Blocks until the ordered child has ended, and reaps every orphan on the way.
fn wait_for_main(main: Pid, state: &Mutex<Main>) -> rustix::io::Result<WaitStatus> {
    loop {
        // Only look here: what is reaped outside the lock could be signalled a moment later under a new owner.
        let looked = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        match looked {
            Ok(_) | Err(Errno::INTR) => {}
            Err(why) => return Err(why),
        }
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        if waitid(WaitId::Pid(main), peek)?.is_some() {
            // Not reaped yet, so the group is certainly still its own, and a group is ended in one go: nothing in it
            // can fork its way out.
            let _ = kill_process_group(main, Signal::KILL);
            *state = Main::Ended;
            return match waitpid(Some(main), WaitOptions::empty())? {
                Some((_, status)) => Ok(status),
                None => Err(Errno::CHILD),
            };
        }
        while let Some((pid, status)) = wait(WaitOptions::NOHANG)? {
            if pid == main {
                *state = Main::Ended;
                return Ok(status);
            }
        }
    }
}

fn verdict_of(status: WaitStatus) -> Verdict {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Verdict::Exited(code),
        (None, Some(signal)) => Verdict::Signalled(signal),
        (None, None) => Verdict::Unfit("the child neither exited nor was it signalled".to_owned()),
    }
}

/// Ends every descendant, again and again until none is left, and says which could not be ended.
///
/// A keeper without children has no descendants at all, since orphans come to it: so the ordinary ending costs one
/// system call and no look at the table.
fn end_the_rest() -> Vec<i32> {
    let began = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if reap() == Rest::Nobody {
            return Vec::new();
        }
        let own = getpid().as_raw_nonzero().get();
        let table = processes::all();
        let rest = processes::descendants(&table, &BTreeSet::from([own]));
        // By groups, because a group is ended in one go. Nobody else's process can be in one: a group never spans
        // sessions, and each session here is the keeper's or was begun by a descendant.
        let groups: BTreeSet<i32> = rest.iter().map(|entry| entry.group).collect();
        for group in groups.into_iter().filter(|group| *group != own) {
            if let Some(group) = Pid::from_raw(group) {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
        for entry in rest.iter().filter(|entry| entry.group == own) {
            entry.end();
        }
        if began.elapsed() > PATIENCE {
            return rest.iter().filter(|entry| entry.lives()).map(|entry| entry.number()).collect();
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

#[derive(PartialEq, Eq)]
enum Rest {
    Nobody,
    Somebody,
}

fn reap() -> Rest {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Rest::Somebody,
            // The one expected error: no children.
            Err(_) => return Rest::Nobody,
        }
    }
}
