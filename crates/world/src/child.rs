//! A child of Proctor: an agent, a test tool, a set-up command.
//!
//! Owns: starting one under a keeper, its time limit, cancelling it, and reading what it wrote. It must not know what
//! kind of child it is, nor judge how it ended. Output goes from the child straight into files, never through here, so
//! that gigabytes of it are harmless.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::keeper::{self, Order, Verdict};
use crate::leftovers;
use crate::overlay::Place;
use crate::processes;
use crate::sandbox::{Bounds, group};

/// How long a keeper may take, once it was told to end everything, before it counts as hung.
const KEEPER_PATIENCE: Duration = keeper::PATIENCE.saturating_add(Duration::from_secs(5));

/// The most that one call of `follow` reads.
const FOLLOWED: u64 = 1024 * 1024;

/// How to start a keeper: our own binary again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeper {
    pub program: PathBuf,
    pub args: Vec<OsString>,
}

/// One child to run.
#[derive(Debug, Clone)]
pub struct Launch {
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// Complete: nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    pub stdin: Stdin,
    pub limit: Duration,
    /// The folder where the outputs go, as `NAME.stdout` and `NAME.stderr`.
    pub logs: PathBuf,
    pub name: String,
    /// What it may; `None` is whatever this process may.
    pub bounds: Option<Bounds>,
}

/// What a child reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    Empty,
    File(PathBuf),
}

/// A child that has ended, and everything that it started with it.
#[derive(Debug, Clone)]
pub struct Ended {
    pub how: End,
    pub took: Duration,
    /// The processor time of it and of all that it started, its keeper included; nothing where the system does not say.
    pub cpu: Duration,
    pub stdout: PathBuf,
    pub stderr: PathBuf,
}

/// How a child ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Cancelled,
    CouldNotStart(String),
}

/// Why a child could not be run under a keeper.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    #[error("could not make the log {}: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },
    #[error("could not start the keeper {}: {source}", program.display())]
    NoKeeper { program: PathBuf, source: io::Error },
    #[error("could not listen to the keeper of `{child}`: {source}")]
    NoListener { child: String, source: io::Error },
    #[error(
        "the keeper of `{child}` ended without an answer; what could be found of the child has been ended\n\
         hint: something killed it: look whether the machine ran out of memory, else suspect the child"
    )]
    KeeperGone { child: String },
    #[error("the keeper of `{child}` could not do its work: {why}")]
    KeeperUnfit { child: String, why: String },
    #[error(
        "`{child}` left processes behind that could not be ended: {pids:?}\n\
         hint: they run as another user or hang in the kernel; end them by hand before you go on"
    )]
    LeftBehind { child: String, pids: Vec<i32> },
}

impl Keeper {
    /// Runs a child to its end, its time limit or its cancelling, and returns when nothing of it is left.
    ///
    /// An error means that the keeper could not be used; whatever the child itself does is an `End`.
    pub fn run(&self, launch: &Launch, cancel: &Cancel) -> Result<Ended, ChildError> {
        self.run_in(Place::Here, launch, cancel)
    }

    /// The same, in a place of the caller's choice.
    pub fn run_in(
        &self,
        place: Place<'_>,
        launch: &Launch,
        cancel: &Cancel,
    ) -> Result<Ended, ChildError> {
        let streams = (make_log(launch, "stdout")?, make_log(launch, "stderr")?);
        self.run_with(place, launch, streams, cancel)
    }

    /// A child that a person sits at: it reads and writes a terminal, and nothing of it is kept.
    pub fn run_at(
        &self,
        terminal: &Path,
        launch: &Launch,
        cancel: &Cancel,
    ) -> Result<Ended, ChildError> {
        let launch = Launch { stdin: Stdin::File(terminal.to_owned()), ..launch.clone() };
        let streams = (terminal.to_owned(), terminal.to_owned());
        self.run_with(Place::Here, &launch, streams, cancel)
    }

    fn run_with(
        &self,
        place: Place<'_>,
        launch: &Launch,
        (stdout, stderr): (PathBuf, PathBuf),
        cancel: &Cancel,
    ) -> Result<Ended, ChildError> {
        let began = Instant::now();
        let ended = |how, cpu| Ended {
            how,
            cpu,
            took: began.elapsed(),
            stdout: stdout.clone(),
            stderr: stderr.clone(),
        };
        let (sender, words) = mpsc::channel();
        let _listening = cancel.listen(sender.clone());
        if cancel.is_cancelled() {
            return Ok(ended(End::Cancelled, Duration::ZERO));
        }
        let mut kept = self.start(launch, sender)?;
        let order = Order {
            argv: launch.argv.clone(),
            cwd: launch.cwd.clone().into(),
            env: launch.env.clone().into_iter().collect(),
            stdin_file: match &launch.stdin {
                Stdin::Empty => None,
                Stdin::File(path) => Some(path.clone().into()),
            },
            stdout_file: stdout.clone().into(),
            stderr_file: stderr.clone().into(),
            inside: place.inside().cloned(),
            bounds: launch.bounds.clone(),
        };
        if kept.order(&order).is_err() {
            // A keeper that does not take its order says why, or is gone: both are heard below.
            drop(kept.process.stdin.take());
        }
        self.start_spare();
        let how = kept.end(launch, &words)?;
        Ok(ended(how, kept.cpu))
    }

    fn start(&self, launch: &Launch, sender: Sender<Word>) -> Result<Kept, ChildError> {
        let mut process = self
            .spare_or_new()
            .map_err(|source| ChildError::NoKeeper { program: self.program.clone(), source })?;
        let answer = process.stdout.take();
        let kept = Kept { process, cpu: Duration::ZERO };
        thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || {
                // Nobody listens any more when the run was given up.
                let _ = sender.send(Word::Answer(answer.and_then(read_answer)));
            })
            .map_err(|source| ChildError::NoListener { child: launch.name.clone(), source })?;
        Ok(kept)
    }
}

/// A keeper that was started ahead of its order, so that a child does not wait for it. It ends by itself when this
/// process does: its control channel closes.
static SPARE: Mutex<Option<(Keeper, Child)>> = Mutex::new(None);

impl Keeper {
    pub(crate) fn spare_or_new(&self) -> io::Result<Child> {
        let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).take();
        let fit = spare.filter(|(keeper, _)| keeper == self).and_then(|(_, mut process)| {
            // It may have been ended by somebody meanwhile.
            matches!(process.try_wait(), Ok(None)).then_some(process)
        });
        fit.map_or_else(|| self.spawn(), Ok)
    }

    /// Starts the keeper of the next child, aside and only once this one is on its way.
    pub(crate) fn start_spare(&self) {
        let next = self.clone();
        thread::spawn(move || {
            if let Ok(process) = next.spawn() {
                let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
                spare.get_or_insert((next, process));
            }
        });
    }

    fn spawn(&self) -> io::Result<Child> {
        Command::new(&self.program)
            .args(&self.args)
            // The child may look into its keeper's environment: nothing of ours is to be found there.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
    }
}

/// Waits for a keeper's end, and takes its control group away. What it and all below it used of the processor.
pub(crate) fn see_off(keeper: &mut Child) -> Duration {
    let number = keeper.id();
    // Left unreaped for a moment: until then the system still says what it used.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let looked = waitid(WaitId::Pid(Pid::from_child(keeper)), ended);
    let used = looked.ok().and_then(|_| processes::used_by(number)).unwrap_or_default();
    if keeper.wait().is_ok() {
        group::remove(number);
    }
    used
}

/// A keeper at work. When it is dropped its control channel closes, and it ends everything.
struct Kept {
    process: Child,
    /// What it had used when it was seen off.
    cpu: Duration,
}

/// What can wake a `run`.
enum Word {
    /// `None`: the keeper went without one.
    Answer(Option<Verdict>),
    Cancelled,
}

impl Kept {
    fn order(&mut self, order: &Order) -> io::Result<()> {
        match &mut self.process.stdin {
            Some(channel) => order.send(channel),
            None => Ok(()),
        }
    }

    fn end(&mut self, launch: &Launch, words: &Receiver<Word>) -> Result<End, ChildError> {
        let forced = match words.recv_timeout(launch.limit) {
            Ok(Word::Answer(answer)) => return self.judge(launch, answer),
            Ok(Word::Cancelled) => End::Cancelled,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => End::TimedOut,
        };
        drop(self.process.stdin.take());
        let deadline = Instant::now() + KEEPER_PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match words.recv_timeout(left) {
                Ok(Word::Cancelled) => {}
                Ok(Word::Answer(answer)) => {
                    return self.judge(launch, answer).map(|how| match how {
                        End::CouldNotStart(_) => how,
                        End::Exited(_) | End::Signalled(_) | End::TimedOut | End::Cancelled => {
                            forced
                        }
                    });
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return self.judge(launch, None);
                }
            }
        }
    }

    fn judge(&mut self, launch: &Launch, answer: Option<Verdict>) -> Result<End, ChildError> {
        let child = || launch.name.clone();
        let Some(verdict) = answer else {
            self.clear_up(launch);
            return Err(ChildError::KeeperGone { child: child() });
        };
        self.cpu = see_off(&mut self.process);
        match verdict {
            Verdict::Exited(code) => Ok(End::Exited(code)),
            Verdict::Signalled(signal) => Ok(End::Signalled(signal)),
            Verdict::CouldNotStart(message) => Ok(End::CouldNotStart(message)),
            Verdict::LeftBehind(pids) => Err(ChildError::LeftBehind { child: child(), pids }),
            Verdict::Unfit(why) => Err(ChildError::KeeperUnfit { child: child(), why }),
        }
    }

    /// Does the work of a keeper that is gone or hangs.
    fn clear_up(&mut self, launch: &Launch) {
        let _ = self.process.kill();
        // Before the keeper is reaped: until then its number, which is its session's too, can't be anybody else's.
        if let Ok(session) = i32::try_from(self.process.id()) {
            leftovers::sweep_session(session);
        }
        if let Some(token) = launch.env.get(std::ffi::OsStr::new(leftovers::TOKEN)) {
            leftovers::sweep(&token.to_string_lossy());
        }
        self.cpu = see_off(&mut self.process);
    }
}

fn read_answer(out: ChildStdout) -> Option<Verdict> {
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

fn make_log(launch: &Launch, what: &str) -> Result<PathBuf, ChildError> {
    let path = launch.logs.join(format!("{}.{what}", launch.name));
    fs::create_dir_all(&launch.logs)
        .and_then(|()| {
            OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                // Output can hold secrets.
                .mode(0o600)
                .open(&path)
        })
        .map(|_| path.clone())
        .map_err(|source| ChildError::Log { path, source })
}

/// A cord that ends every `run` that was given a clone of it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Mutex<Cord>>);

#[derive(Debug, Default)]
struct Cord {
    pulled: bool,
    next: u64,
    listeners: BTreeMap<u64, Sender<Word>>,
    /// Pulled with this one above.
    above: Option<Cancel>,
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// Another cord, which is pulled with this one or by itself.
    #[must_use]
    pub fn below(&self) -> Self {
        let cord = Cord { above: Some(self.clone()), ..Cord::default() };
        Self(Arc::new(Mutex::new(cord)))
    }

    /// Wakes every run at once. It stays pulled: later runs end before they start.
    pub fn cancel(&self) {
        let mut cord = self.cord();
        cord.pulled = true;
        for listener in cord.listeners.values() {
            // A run that has just ended no longer listens.
            let _ = listener.send(Word::Cancelled);
        }
    }

    pub fn is_cancelled(&self) -> bool {
        let cord = self.cord();
        cord.pulled || cord.above.as_ref().is_some_and(Self::is_cancelled)
    }

    fn listen(&self, sender: Sender<Word>) -> Listening {
        let mut cord = self.cord();
        let number = cord.next;
        cord.next += 1;
        let above = cord.above.as_ref().map(|above| Box::new(above.listen(sender.clone())));
        cord.listeners.insert(number, sender);
        Listening { cancel: self.clone(), number, _above: above }
    }

    fn cord(&self) -> MutexGuard<'_, Cord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Listening {
    cancel: Cancel,
    number: u64,
    _above: Option<Box<Listening>>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.cancel.cord().listeners.remove(&self.number);
    }
}

/// Output as far as it is kept in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    pub bytes: Vec<u8>,
    /// How long the whole output is.
    pub total: u64,
}

/// Reads a file, or its first and last part with a line in between that says how many bytes were left out.
pub fn read_capped(path: &Path, max_bytes: u64) -> io::Result<Captured> {
    let mut file = File::open(path)?;
    let total = file.metadata()?.len();
    let mut bytes = Vec::new();
    if total <= max_bytes {
        file.take(max_bytes).read_to_end(&mut bytes)?;
        return Ok(Captured { bytes, total });
    }
    let tail = max_bytes / 2;
    (&mut file).take(max_bytes - tail).read_to_end(&mut bytes)?;
    let left_out = total - max_bytes;
    bytes.extend_from_slice(format!("\n[… {left_out} bytes left out …]\n").as_bytes());
    file.seek(SeekFrom::Start(total - tail))?;
    file.take(tail).read_to_end(&mut bytes)?;
    Ok(Captured { bytes, total })
}

/// Reads what was written since `from_offset`, up to a mebibyte, and says where the next call goes on. Nothing new is
/// an empty answer.
pub fn follow(path: &Path, from_offset: u64) -> io::Result<(Vec<u8>, u64)> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from_offset))?;
    let mut bytes = Vec::new();
    let read = file.take(FOLLOWED).read_to_end(&mut bytes)?;
    Ok((bytes, from_offset + read as u64))
}
