//! The two halves of a keeper at a strong level. The outer one stays among the machine's processes: it starts the inner
//! one, tells it when to end, and watches what the system does not limit by itself. The inner one is the first process of
//! a pid namespace: it furnishes the place, gives up its rights and keeps the child like any keeper.

use super::rules::{self, Counted, Memory};
use super::{Bounds, Level, bubble, leave, loopback, mounts, otherwise, screen};
use crate::keeper::{GRACE, Order, PATIENCE, Task, Verdict};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open};
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often the free space of a disk is looked at.
const BEAT: Duration = Duration::from_millis(250);

/// Runs the order in a place of its own. `None` where the inner half has answered already.
pub(crate) fn keep_apart(order: Order, bounds: &Bounds, memory: Memory) -> Option<Verdict> {
    match begin(order, bounds, memory) {
        Ok(outer) => outer.wait(),
        Err(why) => Some(Verdict::Unfit(why)),
    }
}

struct Outer<'b> {
    bounds: &'b Bounds,
    inner: Child,
    errors: String,
}

fn begin(order: Order, bounds: &Bounds, memory: Memory) -> Result<Outer<'_>, String> {
    let errors = order.stderr_file.to_string_lossy().into_owned();
    let own = std::env::current_exe().map_err(|why| format!("could not find itself: {why}"))?;
    let (mut command, task, _open) = match &bounds.level {
        Level::Bubblewrap(program) => {
            let (command, order, open) = bubble::command(program, &own, order, bounds)?;
            (command, Task::Inside { order, furnished: true, memory }, open)
        }
        Level::Namespaces(owner) => {
            leave::leave(*owner, bounds)?;
            let mut command = Command::new(&own);
            command.args(std::env::args_os().skip(1));
            (command, Task::Inside { order, furnished: false, memory }, Vec::new())
        }
        Level::None | Level::Portable | Level::Landlock => {
            return Err("this level has no inside".to_owned());
        }
    };
    let started = command
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::inherit())
        .stderr(Stdio::piped())
        .spawn();
    let mut inner = started.map_err(|why| format!("could not start its inner half: {why}"))?;
    if let Some(channel) = &mut inner.stdin {
        // One that is gone already is seen below, with what it said.
        let _ = task.send(channel);
    }
    Ok(Outer { bounds, inner, errors })
}

impl Outer<'_> {
    fn wait(mut self) -> Option<Verdict> {
        match self.watch() {
            Ok(()) => {}
            Err(why) => {
                let _ = self.inner.kill();
                let _ = self.inner.wait();
                return Some(Verdict::Unfit(format!("could not watch its inner half: {why}")));
            }
        }
        let status = self.inner.wait();
        let mut said = String::new();
        if let Some(channel) = self.inner.stderr.take() {
            let _ = channel.take(4096).read_to_string(&mut said);
        }
        verdict(status, said.trim())
    }

    /// Returns when the inner half has ended.
    fn watch(&mut self) -> io::Result<()> {
        let pid = Pid::from_child(&self.inner);
        let ended = pidfd_open(pid, PidfdFlags::empty())?;
        let stdin = io::stdin();
        let mut told: Option<Instant> = None;
        let floor = self.floor();
        loop {
            let beat = match (told, &floor) {
                (None, None) => None,
                _ => Some(Timespec { tv_sec: 0, tv_nsec: i64::from(BEAT.subsec_nanos()) }),
            };
            let mut both = [PollFd::new(&ended, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
            // A closed channel is always ready: once it is seen there is nothing more to hear.
            let listened = if told.is_some() { both.get_mut(..1) } else { both.get_mut(..) };
            match poll(listened.unwrap_or_default(), beat.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(why) => return Err(why.into()),
            }
            let [inner, channel] = &both;
            if !inner.revents().is_empty() {
                return Ok(());
            }
            if told.is_none() && !channel.revents().is_empty() && is_closed(&stdin) {
                drop(self.inner.stdin.take());
                told = Some(Instant::now());
            }
            if told.is_none() && floor.is_some_and(|floor| self.free() < Some(floor)) {
                self.say("proctor: ended, because the disk is nearly full");
                drop(self.inner.stdin.take());
                told = Some(Instant::now());
            }
            if told.is_some_and(|when| when.elapsed() > GRACE + PATIENCE) {
                // With its first process the whole namespace ends.
                rustix::process::kill_process(pid, Signal::KILL)?;
            }
        }
    }

    /// What must stay free on the disk. A disk that is nearly full already is given half of what is left.
    fn floor(&self) -> Option<u64> {
        let (free, wanted) = (self.free()?, self.bounds.caps.disk_free);
        Some(if free > wanted { wanted } else { free / 2 }).filter(|floor| *floor > 0)
    }

    fn free(&self) -> Option<u64> {
        let about = rustix::fs::statvfs(self.bounds.write.first()?.as_path()).ok()?;
        Some(about.f_bavail.saturating_mul(about.f_frsize))
    }

    fn say(&self, line: &str) {
        if let Ok(mut log) = OpenOptions::new().append(true).open(Path::new(&self.errors)) {
            let _ = writeln!(log, "{line}");
        }
    }
}

fn is_closed(stdin: &io::Stdin) -> bool {
    let mut ignored = [0; 256];
    match stdin.lock().read(&mut ignored) {
        Ok(0) => true,
        Ok(_) => false,
        Err(why) => why.kind() != io::ErrorKind::Interrupted,
    }
}

fn verdict(status: io::Result<ExitStatus>, said: &str) -> Option<Verdict> {
    match status {
        Ok(status) if status.success() => None,
        Ok(status) => Some(match status.signal() {
            Some(signal) => Verdict::Signalled(signal),
            None => Verdict::Unfit(format!("its inner half ended with {status}: {said}")),
        }),
        Err(why) => Some(Verdict::Unfit(format!("could not wait for its inner half: {why}"))),
    }
}

/// What the inner half does before it starts the child.
pub(crate) fn settle_in(bounds: &Bounds, furnished: bool, memory: Memory) -> Result<(), String> {
    // When the outer half is ended by force this one goes too, and with it everything.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|why| format!("could not tie itself to its outer half: {why}"))?;
    if furnished {
        otherwise::count_on(&bounds.otherwise)?;
    } else {
        if bounds.network == super::Network::Loopback {
            loopback::up()?;
        }
        mounts::furnish(bounds)?;
    }
    otherwise::dress(&bounds.otherwise);
    rules::limit(bounds, Counted { processes: true, memory })?;
    rules::give_up_rights()?;
    if bounds.network == super::Network::Open {
        rules::keep_to_own_sockets()?;
    }
    screen::put_up()
}

/// The same at the level of files, where there is no inner half.
pub(crate) fn keep_to_files(bounds: &Bounds) -> Result<(), String> {
    rules::give_up_rights()?;
    rules::keep_to_files(bounds)?;
    screen::put_up()
}
