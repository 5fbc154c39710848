//! The tree of files that a child sees: an empty one, into which only what it may reach is mounted. Nothing is covered
//! that could be uncovered. Owns the order of the mounts and that all but the writable ones are read-only. It must be
//! run by the first process of a pid namespace, in a mount namespace of its own.

use super::Bounds;
use super::leave::could_not;
use super::otherwise::begin_after;
use super::plan::{Plan, Stands};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{chdir, pivot_root};
use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// While the tree is made: where it grows, and where the machine's own files are.
const NEW: &str = "/new";
const OLD: &str = "/old";

const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

/// Parts of `/proc` by which root could change the machine, and those that tell too much about it.
pub(super) const PROC_READ_ONLY: [&str; 8] =
    ["acpi", "bus", "dynamic_debug", "fs", "irq", "scsi", "sys", "sysrq-trigger"];
const PROC_HIDDEN: [&str; 6] =
    ["kcore", "keys", "kpagecgroup", "kpageflags", "sched_debug", "timer_list"];

/// Makes the tree and makes it the root. Afterwards nothing else can be reached.
pub(super) fn furnish(bounds: &Bounds) -> Result<(), String> {
    let plan = Plan::of(bounds)?;
    let all = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", all).map_err(could_not("keep mounts to itself"))?;
    set_apart()?;
    for (path, stands) in plan.mounts() {
        put(path, stands).map_err(|why| format!("could not let {} in: {why}", path.display()))?;
    }
    link(&plan).map_err(could_not("make links"))?;
    for path in &plan.hollow {
        make_folder(&inside(NEW, path)).map_err(could_not("make an empty folder"))?;
    }
    devices(bounds).map_err(could_not("make devices"))?;
    processes(bounds).map_err(could_not("show its own processes"))?;
    close(&plan).map_err(could_not("make the rest read-only"))?;
    move_in().map_err(could_not("move in"))
}

/// An empty tree, and beside it all that there was.
fn set_apart() -> Result<(), String> {
    let base = ["/tmp", "/mnt", "/var"].into_iter().find(|path| Path::new(path).is_dir());
    let base = Path::new(base.ok_or("there is no folder to begin in")?);
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    let empty = |at: &Path| mount("tmpfs", at, "tmpfs", flags, c"mode=755,size=16m");
    empty(base).map_err(could_not("have files of its own"))?;
    let made = |name: &str| {
        fs::create_dir(base.join(name.trim_start_matches('/'))).map_err(could_not("begin"))
    };
    made(NEW)?;
    made(OLD)?;
    pivot_root(base, base.join(OLD.trim_start_matches('/'))).map_err(could_not("turn the root"))?;
    chdir("/").map_err(could_not("turn the root"))?;
    empty(Path::new(NEW)).map_err(could_not("have files of its own"))
}

fn move_in() -> rustix::io::Result<()> {
    chdir(NEW)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")
}

/// Mounts what stands at a path.
fn put(path: &Path, stands: &Stands) -> io::Result<()> {
    let at = inside(NEW, path);
    match stands {
        Stands::Nothing => cover(&at),
        Stands::Shown(from) => show(&inside(OLD, from), &at),
        Stands::Read | Stands::Write | Stands::Sealed => show(&inside(OLD, path), &at),
    }
}

/// Links that lead to what was let in. Those that lie in a folder that was let in are there already.
fn link(plan: &Plan) -> io::Result<()> {
    for (link, target) in &plan.links {
        let at = inside(NEW, link);
        if fs::symlink_metadata(&at).is_err() {
            make_folder(at.parent().unwrap_or(&at))?;
            symlink(target, &at)?;
        }
    }
    Ok(())
}

fn inside(root: &str, path: &Path) -> PathBuf {
    Path::new(root).join(path.strip_prefix("/").unwrap_or(path))
}

/// Makes the folders on the way. None of them may be a link: it would lead out of the new tree.
fn make_folder(at: &Path) -> io::Result<()> {
    let mut so_far = PathBuf::from(NEW);
    for part in at.strip_prefix(NEW).map_err(io::Error::other)? {
        so_far.push(part);
        match fs::symlink_metadata(&so_far) {
            Ok(about) if about.is_dir() => {}
            Ok(_) => {
                let shown = so_far.display();
                return Err(io::Error::other(format!("{shown} is in the way")));
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => fs::create_dir(&so_far)?,
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

fn make_file(at: &Path) -> io::Result<()> {
    make_folder(at.parent().unwrap_or(at))?;
    match fs::symlink_metadata(at) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(_) => Err(io::Error::other("something else is in the way")),
        Err(_) => fs::File::create_new(at).map(|_| ()),
    }
}

fn show(from: &Path, at: &Path) -> io::Result<()> {
    if fs::symlink_metadata(from)?.is_dir() {
        make_folder(at)?;
    } else {
        make_file(at)?;
    }
    Ok(mount_bind_recursive(from, at)?)
}

/// Puts nothing over what is there.
fn cover(at: &Path) -> io::Result<()> {
    match fs::symlink_metadata(at) {
        Ok(about) if about.is_dir() => {
            let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
            Ok(mount("tmpfs", at, "tmpfs", flags, c"mode=755,size=1m")?)
        }
        Ok(about) if about.is_file() => {
            Ok(mount_bind_recursive(inside(OLD, Path::new("/dev/null")), at)?)
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn devices(bounds: &Bounds) -> io::Result<()> {
    let dev = Path::new(NEW).join("dev");
    make_folder(&dev)?;
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount("tmpfs", &dev, "tmpfs", flags, c"mode=755,size=1m")?;
    for name in DEVICES {
        let from = inside(OLD, &Path::new("/dev").join(name));
        if fs::symlink_metadata(&from).is_ok() {
            show_device(&from, &dev.join(name))?;
        }
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
        ("ptmx", "pts/ptmx"),
    ] {
        symlink(target, dev.join(name))?;
    }
    fs::create_dir(dev.join("pts"))?;
    mount("devpts", dev.join("pts"), "devpts", flags, c"newinstance,ptmxmode=0666,mode=620")?;
    fs::create_dir(dev.join("shm"))?;
    let size = CString::new(format!("mode=1777,size={}", bounds.caps.memory / 2))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("tmpfs", dev.join("shm"), "tmpfs", flags, size.as_c_str())?)
}

fn show_device(from: &Path, at: &Path) -> io::Result<()> {
    fs::File::create_new(at)?;
    Ok(mount_bind_recursive(from, at)?)
}

/// A `/proc` of the own pid namespace.
fn processes(bounds: &Bounds) -> io::Result<()> {
    let proc = Path::new(NEW).join("proc");
    make_folder(&proc)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", &proc, "proc", flags, None::<&std::ffi::CStr>)?;
    // Since Linux 6.14 each pid namespace has a limit of its own; elsewhere it is not writable here, and other limits
    // have to do.
    let highest = proc.join("sys/kernel/pid_max");
    match bounds.otherwise.after {
        None => {
            let _ = fs::write(&highest, bounds.caps.processes.to_string());
        }
        Some(after) => begin_after(&highest, &proc.join("sys/kernel/ns_last_pid"), after),
    }
    for name in PROC_READ_ONLY {
        let at = proc.join(name);
        if fs::symlink_metadata(&at).is_ok() {
            mount_bind_recursive(&at, &at)?;
        }
    }
    for name in PROC_HIDDEN {
        cover(&proc.join(name))?;
    }
    Ok(())
}

/// Makes everything read-only that is not to be written, with what is mounted below it.
fn close(plan: &Plan) -> io::Result<()> {
    let table = fs::read(inside(OLD, Path::new("/proc/self/mountinfo")))?;
    for line in table.split(|byte| *byte == b'\n') {
        let Some((at, had)) = entry(line) else { continue };
        let Ok(below) = at.strip_prefix(NEW) else { continue };
        let path = Path::new("/").join(below);
        let flags = had | wanted(&path, plan);
        if flags == had {
            continue;
        }
        match mount_remount(&at, MountFlags::BIND | flags, c"") {
            // What even the owner of this process can't reach, the child can't either.
            Ok(()) | Err(Errno::ACCESS) => {}
            Err(why) => return Err(io::Error::other(format!("{}: {why}", path.display()))),
        }
    }
    Ok(())
}

fn wanted(path: &Path, plan: &Plan) -> MountFlags {
    let quiet = MountFlags::NOSUID | MountFlags::NODEV;
    let own = |folder: &str| path.starts_with(folder);
    if own("/dev/shm") || path == Path::new("/proc") {
        return quiet;
    }
    if own("/dev") && path != Path::new("/dev") {
        return MountFlags::NOSUID;
    }
    match plan.at(path) {
        Stands::Write | Stands::Shown(_) => quiet,
        Stands::Read | Stands::Sealed | Stands::Nothing => quiet | MountFlags::RDONLY,
    }
}

/// Where a line of the table of mounts says that something is mounted, and with which flags.
fn entry(line: &[u8]) -> Option<(PathBuf, MountFlags)> {
    let mut fields = line.split(|byte| *byte == b' ');
    let at = PathBuf::from(OsString::from_vec(unescaped(fields.nth(4)?)));
    let mut flags = MountFlags::empty();
    for word in fields.next()?.split(|byte| *byte == b',') {
        flags |= match word {
            b"ro" => MountFlags::RDONLY,
            b"nosuid" => MountFlags::NOSUID,
            b"nodev" => MountFlags::NODEV,
            b"noexec" => MountFlags::NOEXEC,
            b"noatime" => MountFlags::NOATIME,
            b"nodiratime" => MountFlags::NODIRATIME,
            b"relatime" => MountFlags::RELATIME,
            _ => MountFlags::empty(),
        };
    }
    Some((at, flags))
}

/// Blanks and the like are written as a backslash and three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let code = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        if let Some(byte) = code {
            bytes.push(byte);
            rest = after.get(3..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_mount_table_tells_its_place_and_flags() {
        let line = br"36 35 98:0 /mnt1 /mnt\040two rw,nosuid,relatime shared:1 - ext4 /dev/root rw";
        let (at, flags) = entry(line).unwrap();
        assert_eq!(at, Path::new("/mnt two"));
        assert_eq!(flags, MountFlags::NOSUID | MountFlags::RELATIME);
        assert_eq!(unescaped(br"a\134b\x"), br"a\b\x");
    }

    #[test]
    fn bytes_of_a_path_stay_as_they_are() {
        assert_eq!(unescaped(b"/plain\xff"), b"/plain\xff");
    }
}
