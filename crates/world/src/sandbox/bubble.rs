//! Bubblewrap: the one place that knows how the program `bwrap` is called.

use super::mounts::PROC_READ_ONLY;
use super::plan::{Plan, Stands};
use super::{Bounds, Network};
use crate::keeper::{Order, streams};
use rustix::io::FdFlags;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;

/// The command line that starts our inner half, its order as it is seen from inside, and the files that it is started with:
/// they are handed on open, so that none of them stands in the child's tree.
pub(super) fn command(
    program: &Path,
    own: &Path,
    order: Order,
    bounds: &Bounds,
) -> Result<(Command, Order, Vec<File>), String> {
    let plan = Plan::of(bounds)?;
    let mut order = order;
    let mut line = Line(Command::new(program));
    line.words(["--unshare-all", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"]);
    if bounds.network == Network::Open {
        line.words(["--share-net"]);
    }
    for (path, stands) in plan.mounts() {
        line.put(path, stands);
    }
    for (link, target) in &plan.links {
        let there = link.parent().is_some_and(|above| *plan.at(above) != Stands::Nothing);
        if !there {
            line.pair("--symlink", target.as_os_str(), link.as_os_str());
        }
    }
    for path in &plan.hollow {
        line.words([OsStr::new("--dir"), path.as_os_str()]);
    }
    line.words(["--proc", "/proc", "--dev", "/dev"]);
    // What bubblewrap makes can be written by root.
    let numbered = bounds.otherwise.after.is_some();
    if numbered || bounds.otherwise.host.is_some() {
        // For our inner half, which gives all rights up before it starts the child.
        line.words(["--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SETPCAP"]);
    }
    for name in PROC_READ_ONLY.into_iter().filter(|name| !(numbered && *name == "sys")) {
        let path = format!("/proc/{name}");
        line.words(["--ro-bind-try", &path, &path]);
    }
    line.words([
        "--perms",
        "1777",
        "--size",
        &(bounds.caps.memory / 2).to_string(),
        "--tmpfs",
        "/dev/shm",
    ]);
    let (program, open) =
        Line::files(own, &mut order).map_err(|why| format!("could not open its files: {why}"))?;
    for (path, _) in plan.mounts().filter(|(path, stands)| is_empty_folder(path, stands)) {
        line.words([OsStr::new("--remount-ro"), path.as_os_str()]);
    }
    line.words(["--remount-ro", "/", "--chdir", "/", "--"]);
    line.words([program]);
    line.0.args(std::env::args_os().skip(1));
    Ok((line.0, order, open))
}

fn is_empty_folder(path: &Path, stands: &Stands) -> bool {
    *stands == Stands::Nothing && path.is_dir()
}

struct Line(Command);

impl Line {
    fn words<W: AsRef<OsStr>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.0.args(words);
    }

    fn pair(&mut self, what: &str, one: &OsStr, other: &OsStr) {
        self.0.arg(what).arg(one).arg(other);
    }

    fn put(&mut self, path: &Path, stands: &Stands) {
        let path_words = path.as_os_str();
        match stands {
            Stands::Nothing if path.is_dir() => self.words([OsStr::new("--tmpfs"), path_words]),
            Stands::Nothing => self.pair("--ro-bind", OsStr::new("/dev/null"), path_words),
            Stands::Read | Stands::Sealed => self.pair("--ro-bind", path_words, path_words),
            Stands::Shown(from) => self.pair("--bind", from.as_os_str(), path_words),
            Stands::Write => self.pair("--bind", path_words, path_words),
        }
    }

    /// Our own program, and what the child reads and writes, each open and under the name that an open file has.
    fn files(own: &Path, order: &mut Order) -> io::Result<(OsString, Vec<File>)> {
        let mut open = Vec::new();
        let mut hand_on = |file: File| -> io::Result<OsString> {
            rustix::io::fcntl_setfd(&file, FdFlags::empty())?;
            let name = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
            open.push(file);
            Ok(name)
        };
        let program = hand_on(File::open(own)?)?;
        for file in [&mut order.stdout_file, &mut order.stderr_file] {
            *file = hand_on(streams::taken(file)?)?;
        }
        if let Some(file) = &mut order.stdin_file {
            *file = hand_on(streams::given(file)?)?;
        }
        Ok((program, open))
    }
}
