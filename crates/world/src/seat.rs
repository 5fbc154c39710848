//! A person at a child's terminal: our own terminal passed on to one of the child's, key by key, while the child stays within
//! its bounds. It must not know what the child is, and must give the person's terminal back as it was.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{ioctl_tiocsctty, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// The word that our own program is started with in the child's place.
pub const SEAT: &str = "seat";
/// The same once more, in a process that leads no group yet.
const TAKEN: &str = "seat-taken";

/// The far end of a terminal whose near end a child gets.
pub struct Seat {
    far: File,
    near: PathBuf,
    /// Kept open, so that the far end does not hang up before the child has opened it.
    _held: File,
}

impl Seat {
    pub fn open() -> io::Result<Self> {
        let far = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | crate::OWN)?;
        grantpt(&far)?;
        unlockpt(&far)?;
        let name = ptsname(&far, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let held = rustix::fs::open(&*name, flags, Mode::empty())?;
        if let Ok(size) = tcgetwinsize(io::stdin()) {
            tcsetwinsize(&far, size)?;
        }
        let near = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
        Ok(Self { far: File::from(far), near, _held: held.into() })
    }

    /// What the child opens.
    pub fn near(&self) -> &Path {
        &self.near
    }

    /// Passes keys on in one direction and what is shown in the other, until the value is let go.
    pub fn begin(&self) -> io::Result<Relay> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
        let over = Arc::new(AtomicBool::new(false));
        let (keys, shown) = (self.far.try_clone()?, self.far.try_clone()?);
        let (first, second) = (Arc::clone(&over), Arc::clone(&over));
        let threads = vec![
            thread::spawn(move || pass_on(&mut io::stdin(), keys, &first, true)),
            thread::spawn(move || {
                let mut from = shown;
                pass_on(&mut from, io::stdout(), &second, false);
            }),
        ];
        Ok(Relay { before, over, threads })
    }
}

/// A terminal that is passed on for as long as this value lives.
pub struct Relay {
    before: Termios,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.before);
    }
}

fn pass_on(
    from: &mut (impl Read + std::os::fd::AsFd),
    mut to: impl Write + std::os::fd::AsFd,
    over: &AtomicBool,
    keys: bool,
) {
    let beat = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let mut part = [0; 4096];
    loop {
        if keys && let Ok(size) = tcgetwinsize(io::stdin()) {
            let _ = tcsetwinsize(to.as_fd(), size);
        }
        let ready = {
            let mut both = [PollFd::new(&*from, PollFlags::IN)];
            matches!(poll(&mut both, Some(&beat)), Ok(n) if n > 0)
        };
        if !ready {
            if over.load(Ordering::Relaxed) {
                return;
            }
            continue;
        }
        match from.read(&mut part) {
            Ok(0) | Err(_) => return,
            Ok(count) => {
                let text = part.get(..count).unwrap_or_default();
                if to.write_all(text).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        }
    }
}

/// In the child's place: makes the terminal that it was given its own, then becomes the program.
pub fn sit(words: &[OsString]) -> ExitCode {
    let Some((stage, argv)) = words.split_first() else { return ExitCode::from(2) };
    if stage == SEAT {
        // Whoever leads a group can't begin a session: its child can.
        let Ok(own) = std::env::current_exe() else { return ExitCode::from(70) };
        let status = Command::new(own).arg(TAKEN).args(argv).status();
        let code = status.ok().and_then(|status| status.code()).unwrap_or(1);
        return ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    let settled = setsid().and_then(|_| ioctl_tiocsctty(io::stdin()));
    let Some((program, rest)) = argv.split_first() else { return ExitCode::from(2) };
    let _ = settled;
    // Comes back only where the program could not be started.
    let why = Command::new(program).args(rest).exec();
    let _ = writeln!(io::stderr(), "could not start {}: {why}", Path::new(program).display());
    ExitCode::from(127)
}

/// Whether these words are ours to obey.
pub fn is_seat(word: &str) -> bool {
    word == SEAT || word == TAKEN
}
