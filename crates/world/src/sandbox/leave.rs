//! Leaving for namespaces of one's own. A process must have one thread for it. Owns which are left, and that the own
//! number stays what it is. It must not mount anything.

use super::{Bounds, Network, Owner};
use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, UnshareFlags, capabilities, configure_capability_in_ambient_set,
    set_capabilities,
};
use std::fmt::Display;
use std::fs;

pub(super) fn could_not<E: Display>(what: &str) -> impl FnOnce(E) -> String {
    move |why| format!("could not {what}: {why}")
}

/// What the one inside needs until it has furnished the place: mounts, the loopback, giving rights away.
const NEEDED: [CapabilitySet; 3] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::NET_ADMIN, CapabilitySet::SETPCAP];

/// From here on children are in a new pid namespace, the first one as its first process.
pub(super) fn leave(owner: Owner, bounds: &Bounds) -> Result<(), String> {
    let network = match bounds.network {
        Network::Loopback => UnshareFlags::NEWNET,
        Network::Open => UnshareFlags::empty(),
    };
    let rest = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP
        | network;
    match owner {
        Owner::Root => unshare(rest).map_err(could_not("have namespaces of its own")),
        Owner::User => {
            let (user, group) = (geteuid().as_raw(), getegid().as_raw());
            unshare(UnshareFlags::NEWUSER | rest)
                .map_err(could_not("have a user namespace of its own"))?;
            let map = |name: &str, text: String| {
                fs::write(format!("/proc/self/{name}"), text)
                    .map_err(could_not("keep its own number in a user namespace"))
            };
            // The system wants this before a group may be mapped without root.
            map("setgroups", "deny".to_owned())?;
            map("uid_map", format!("{user} {user} 1"))?;
            map("gid_map", format!("{group} {group} 1"))?;
            hand_on().map_err(could_not("hand its rights on"))
        }
    }
}

/// Rights do not survive the start of a program, unless they are said to.
fn hand_on() -> rustix::io::Result<()> {
    let mut own = capabilities(None)?;
    for right in NEEDED {
        own.inheritable |= right;
    }
    set_capabilities(None, own)?;
    for right in NEEDED {
        configure_capability_in_ambient_set(right, true)?;
    }
    Ok(())
}

#[expect(
    deprecated,
    reason = "what made it unsafe is sharing out open files, never asked for here"
)]
fn unshare(what: UnshareFlags) -> rustix::io::Result<()> {
    rustix::thread::unshare(what)
}
