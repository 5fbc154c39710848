//! What happens inside a keeper's own process: it leaves for a mount namespace of its own and mounts a tree there, or it
//! enters one that stands already. Both need a process with one thread, which a keeper is until it has its order. It must
//! not decide where anything is mounted.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// In the spot: what lies over the spot inside the namespace.
pub(super) const INSIDE: &str = "inside";
/// Where the tree is, below the spot: outside the namespace a link to it, inside the mount itself.
pub(super) const TREE: &str = "tree";
pub(super) const UPPER: &str = "upper";
pub(super) const WORK: &str = "work";

/// With which rights an overlay is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// As root, in a mount namespace.
    Root,
    /// As the root of a container, which may not write the marks that root uses.
    ContainerRoot,
    /// As anybody, in a user namespace where the own number stays what it is and nothing else is known.
    User,
}

/// What to mount, and what to hide.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stand {
    pub(super) kind: Kind,
    pub(super) lower: OsString,
    pub(super) spot: OsString,
    /// A folder that is empty and read-only inside: where clean checkouts are.
    pub(super) hide: OsString,
}

/// The way into namespaces that stand already: files that can be opened for as long as their owner holds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    pub(super) user: Option<OsString>,
    pub(super) mount: OsString,
}

/// Where a child is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// Among the same mounts as this process.
    Here,
    /// Where a tree is mounted that is seen there alone.
    Inside(&'a Inside),
}

impl<'a> Place<'a> {
    pub(crate) fn inside(self) -> Option<&'a Inside> {
        match self {
            Self::Here => None,
            Self::Inside(inside) => Some(inside),
        }
    }
}

/// What a keeper answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stood {
    Ready,
    Refused(String),
}

impl From<Result<(), String>> for Stood {
    fn from(done: Result<(), String>) -> Self {
        match done {
            Ok(()) => Self::Ready,
            Err(why) => Self::Refused(why),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Inside, Stand};

    pub(super) fn stand(_: &Stand) -> Result<(), String> {
        Err("only Linux has overlay mounts".to_owned())
    }

    pub(super) fn enter(_: &Inside) -> Result<(), String> {
        Err("only Linux has mount namespaces".to_owned())
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::{INSIDE, Inside, Kind, Stand, TREE, UPPER, WORK};
    use rustix::io::Errno;
    use rustix::mount::{
        MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change,
    };
    use rustix::process::{getegid, geteuid};
    use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};
    use std::ffi::CString;
    use std::fmt::Display;
    use std::fs::{self, File};
    use std::os::fd::{AsFd, AsRawFd};
    use std::path::Path;

    fn could_not<E: Display>(what: &'static str) -> impl FnOnce(E) -> String {
        move |why| format!("could not {what}: {why}")
    }

    pub(super) fn stand(stand: &Stand) -> Result<(), String> {
        leave(stand.kind)?;
        let all = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", all).map_err(could_not("keep mounts to itself"))?;
        let spot = Path::new(&stand.spot);
        let inside = spot.join(INSIDE);
        // Named by number: a path may hold commas and colons, which mean something in mount options. Opened only now,
        // because what is mounted here must be reached through this namespace.
        let open = |path: &Path| File::open(path).map_err(could_not("open a layer"));
        let lower = open(Path::new(&stand.lower))?;
        let (upper, work) = (open(&spot.join(UPPER))?, open(&spot.join(WORK))?);
        let marks = match stand.kind {
            Kind::Root => "",
            Kind::ContainerRoot | Kind::User => ",userxattr",
        };
        let options = format!(
            "lowerdir=/proc/self/fd/{},upperdir=/proc/self/fd/{},workdir=/proc/self/fd/{}{marks}",
            lower.as_raw_fd(),
            upper.as_raw_fd(),
            work.as_raw_fd()
        );
        let tree = inside.join(TREE);
        let mounted = |more: &str| {
            let options = CString::new(format!("{options}{more}")).map_err(|_| Errno::INVAL)?;
            mount("overlay", &tree, "overlay", MountFlags::empty(), options.as_c_str())
        };
        // What is thrown away need not get to the disk: else the whole disk is synced when the mount goes. A kernel that
        // does not know the word refuses it.
        mounted(",volatile").or_else(|_| mounted("")).map_err(could_not("mount an overlay"))?;
        // Over the spot itself: the layers can't be reached from here on, the tree can, by the same path as outside.
        mount_bind_recursive(&inside, spot).map_err(could_not("hide the layers"))?;
        let nothing =
            MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount("tmpfs", Path::new(&stand.hide), "tmpfs", nothing, c"size=4k,mode=555")
            .map_err(could_not("hide the clean checkouts"))
    }

    fn leave(kind: Kind) -> Result<(), String> {
        match kind {
            Kind::Root | Kind::ContainerRoot => {
                unshare(UnshareFlags::NEWNS).map_err(could_not("have a mount namespace of its own"))
            }
            Kind::User => {
                let (user, group) = (geteuid().as_raw(), getegid().as_raw());
                unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)
                    .map_err(could_not("have a user namespace of its own"))?;
                let map = |name: &str, text: String| {
                    fs::write(format!("/proc/self/{name}"), text)
                        .map_err(could_not("keep its own number in a user namespace"))
                };
                // The system wants this before a group may be mapped without root.
                map("setgroups", "deny".to_owned())?;
                map("uid_map", format!("{user} {user} 1"))?;
                map("gid_map", format!("{group} {group} 1"))
            }
        }
    }

    #[expect(
        deprecated,
        reason = "what made it unsafe is sharing out open files, never asked for here"
    )]
    fn unshare(what: UnshareFlags) -> rustix::io::Result<()> {
        rustix::thread::unshare(what)
    }

    pub(super) fn enter(inside: &Inside) -> Result<(), String> {
        let open = |path| File::open(path).map_err(could_not("open a namespace"));
        let user = inside.user.as_ref().map(open).transpose()?;
        let mounts = open(&inside.mount)?;
        if let Some(user) = user {
            move_into_link_name_space(user.as_fd(), Some(LinkNameSpaceType::User))
                .map_err(could_not("enter a user namespace"))?;
        }
        move_into_link_name_space(mounts.as_fd(), Some(LinkNameSpaceType::Mount))
            .map_err(could_not("enter a mount namespace"))
    }
}

/// Leaves for namespaces of its own, and mounts what was ordered there.
pub(crate) fn stand(order: &Stand) -> Result<(), String> {
    system::stand(order)
}

/// Enters namespaces that stand already. What is started from here on is inside.
pub(crate) fn enter(inside: &Inside) -> Result<(), String> {
    system::enter(inside)
}
