//! What a process gives up for itself and all that it starts: rights, resources, and at the level of files the paths that
//! are not named. None of it can be undone. It must be called with one thread only.

use super::Bounds;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// By what memory is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Memory {
    Group,
    Process,
}

/// Whether the number of processes is counted for this child alone, and its memory by a control group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) processes: bool,
    pub(crate) memory: Memory,
}

/// Sets the limits of resources.
pub(crate) fn limit(bounds: &Bounds, counted: Counted) -> Result<(), String> {
    let caps = &bounds.caps;
    // No crash is written down, and at 1, unlike 0, none is handed to the machine's own program for crashes either.
    let mut wanted = vec![(Resource::Core, 1), (Resource::Fsize, caps.file)];
    if let Some(seconds) = caps.cpu {
        wanted.push((Resource::Cpu, seconds));
    }
    if counted.processes {
        wanted.push((Resource::Nproc, caps.processes));
    }
    if counted.memory == Memory::Process {
        // Not the address space: many runtimes reserve far more of it than they use.
        wanted.push((Resource::Data, caps.memory));
    }
    for (resource, most) in wanted {
        let old = getrlimit(resource);
        // A lower limit that is there already stays.
        let most = old.maximum.map_or(most, |there| there.min(most));
        let new = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, new).map_err(|why| format!("could not set a limit: {why}"))?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{give_up_rights, keep_to_files, keep_to_own_sockets};

#[cfg(target_os = "linux")]
mod linux {
    use super::super::bounds::{NAMED, SYSTEM};
    use super::super::{Bounds, Network};
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, PathBeneath, PathFd,
        Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
    };
    use rustix::thread::{
        CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
        remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
    };
    use std::ops::RangeInclusive;
    use std::path::Path;

    /// Where servers of tests listen that choose their port themselves.
    const CHOSEN: RangeInclusive<u16> = 1024..=10_000;
    /// Where those listen that let the system choose, unless it says otherwise.
    const GIVEN: RangeInclusive<u16> = 32_768..=60_999;

    /// Gives up every right of root, for ever, and the way to new ones.
    pub(crate) fn give_up_rights() -> Result<(), String> {
        let failed = |why: rustix::io::Errno| format!("could not give up rights: {why}");
        // From here on no program that is started gets rights that this process does not have.
        set_no_new_privs(true).map_err(failed)?;
        clear_ambient_capability_set().map_err(failed)?;
        if capabilities(None).map_err(failed)?.effective.contains(CapabilitySet::SETPCAP) {
            for bit in 0..64 {
                let right = CapabilitySet::from_bits_retain(1 << bit);
                match remove_capability_from_bounding_set(right) {
                    Ok(()) => {}
                    // There are no rights above the last one that the kernel knows.
                    Err(rustix::io::Errno::INVAL) => break,
                    Err(why) => return Err(failed(why)),
                }
            }
        }
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        set_capabilities(None, sets).map_err(failed)
    }

    /// Abstract sockets go with the network: where that is shared, only those of this process and its children stay. A
    /// kernel without that rule lets them be.
    pub(crate) fn keep_to_own_sockets() -> Result<(), String> {
        let failed = |why: landlock::RulesetError| format!("could not keep to its sockets: {why}");
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::AbstractUnixSocket)
            .map_err(failed)?
            .create()
            .map_err(failed)?
            .restrict_self()
            .map_err(failed)
            .map(|_| ())
    }

    /// The ports that the system gives away here.
    fn given() -> RangeInclusive<u16> {
        let said = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
        let said = said.unwrap_or_default();
        let mut ends = said.split_whitespace().filter_map(|end| end.parse().ok());
        match (ends.next(), ends.next()) {
            (Some(first), Some(last)) => first..=last,
            _ => GIVEN,
        }
    }

    /// Lets this thread and what it starts reach only the files that the bounds name.
    pub(crate) fn keep_to_files(bounds: &Bounds) -> Result<(), String> {
        let failed = |why: landlock::RulesetError| format!("could not keep to its files: {why}");
        let abi = ABI::V5;
        let all = AccessFs::from_all(abi);
        let read = AccessFs::from_read(abi);
        let mut wanted = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)
            .map_err(failed)?
            .scope(Scope::AbstractUnixSocket | Scope::Signal)
            .map_err(failed)?;
        if bounds.network == Network::Loopback {
            wanted = wanted.handle_access(AccessNet::ConnectTcp).map_err(failed)?;
        }
        let mut rules = wanted.create().map_err(failed)?;
        if bounds.network == Network::Loopback {
            // A rule knows ports, and no addresses: servers on loopback must be found, those of the world mostly listen
            // elsewhere.
            for port in CHOSEN.chain(given()) {
                let rule = NetPort::new(port, AccessNet::ConnectTcp);
                rules = rules.add_rule(rule).map_err(failed)?;
            }
        }
        let own = ["/proc", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
        let shared = [
            "/dev/null",
            "/dev/zero",
            "/dev/full",
            "/dev/tty",
            "/dev/shm",
            "/dev/ptmx",
            "/dev/pts",
        ];
        let reads = SYSTEM.iter().chain(&NAMED).chain(&own).map(Path::new);
        let reads = reads.chain(bounds.read.iter().map(std::path::PathBuf::as_path));
        let writes = shared.iter().map(Path::new);
        let writes = writes.chain(bounds.write.iter().map(std::path::PathBuf::as_path));
        let writes = writes.chain(bounds.private.iter().map(|own| own.from.as_path()));
        for (path, access) in reads.map(|path| (path, read)).chain(writes.map(|path| (path, all))) {
            let Ok(file) = PathFd::new(path) else { continue };
            let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
            rules = rules.add_rule(PathBeneath::new(file, access)).map_err(failed)?;
        }
        let status = rules.restrict_self().map_err(failed)?;
        match status.ruleset {
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
            RulesetStatus::NotEnforced => Err("this kernel has no Landlock".to_owned()),
        }
    }
}
