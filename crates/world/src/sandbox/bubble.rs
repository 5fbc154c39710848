//! Bubblewrap: the one place that knows how the program `bwrap` is called.

use super::mounts::PROC_READ_ONLY;
use super::plan::{Plan, Stands};
use super::{Bounds, Network};
use crate::keeper::Order;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Where our own program and the files of the child are, inside.
const OWN: &str = "/.proctor";

/// The command line that starts our inner half, and its order as it is seen from inside.
pub(super) fn command(
    program: &Path,
    own: &Path,
    order: Order,
    bounds: &Bounds,
) -> Result<(Command, Order), String> {
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
    for name in PROC_READ_ONLY {
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
    line.files(own, &mut order);
    for (path, _) in plan.mounts().filter(|(path, stands)| is_empty_folder(path, stands)) {
        line.words([OsStr::new("--remount-ro"), path.as_os_str()]);
    }
    line.words(["--remount-ro", "/", "--chdir", "/", "--", &format!("{OWN}/proctor")]);
    line.0.args(std::env::args_os().skip(1));
    Ok((line.0, order))
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

    /// Our own program, and what the child reads and writes, under names of their own.
    fn files(&mut self, own: &Path, order: &mut Order) {
        let at = |name: &str| OsString::from(format!("{OWN}/{name}"));
        self.pair("--ro-bind", own.as_os_str(), &at("proctor"));
        for (file, name) in [(&mut order.stdout_file, "stdout"), (&mut order.stderr_file, "stderr")]
        {
            self.pair("--bind", file, &at(name));
            *file = at(name);
        }
        if let Some(file) = &mut order.stdin_file {
            self.pair("--ro-bind", file, &at("stdin"));
            *file = at("stdin");
        }
    }
}
