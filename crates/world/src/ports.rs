//! A block of TCP ports for one run, so that two runs that start servers at the same time don't meet. Owns which
//! blocks are given out: a lock on a file for each stretch of ports, which the system releases when the process
//! ends. It can't keep a stranger from taking a port later; it only looks whether they are free now.

use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::Path;

/// Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 elsewhere), and above
/// those that servers use by default.
const FIRST: u16 = 20_000;
const LAST: u16 = 31_999;

/// How many ports one lock stands for. A block begins where a stretch begins.
const STRETCH: u16 = 10;

/// The ports `first` up to `first + count - 1`, for as long as this value lives.
#[derive(Debug)]
pub struct Ports {
    pub first: u16,
    pub count: u16,
    _locks: Vec<File>,
}

impl Ports {
    pub fn all(&self) -> impl Iterator<Item = u16> + use<> {
        self.first..self.first + self.count
    }
}

/// Finds `count` ports in a row that are free on loopback. The locks are files in `folder`, which all runs that are
/// to keep out of each other's way must share.
pub fn block(folder: &Path, count: u16) -> io::Result<Ports> {
    let stretches = (LAST - FIRST + 1) / STRETCH;
    let wanted = count.div_ceil(STRETCH);
    if count == 0 || wanted > stretches {
        let most = stretches * STRETCH;
        let why = format!("a block of {count} ports was asked for; 1 to {most} can be had");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    fs::create_dir_all(folder).map_err(|error| at(folder, "make", &error))?;
    let places = u32::from(stretches - wanted + 1);
    // Runs that begin together begin to look in different places.
    let start = std::process::id().wrapping_mul(2_654_435_761) % places;
    for n in 0..places {
        let place = u16::try_from((start + n) % places).unwrap_or_default();
        let Some(locks) = lock_all(folder, place, wanted)? else { continue };
        let first = FIRST + place * STRETCH;
        if are_free(first, count) {
            return Ok(Ports { first, count, _locks: locks });
        }
    }
    let why = format!("no {count} ports in a row are free between {FIRST} and {LAST}");
    Err(io::Error::new(io::ErrorKind::AddrInUse, why))
}

/// The locks of some stretches, or `None` where another run has one of them.
fn lock_all(folder: &Path, place: u16, wanted: u16) -> io::Result<Option<Vec<File>>> {
    let mut locks = Vec::new();
    for stretch in place..place + wanted {
        let path = folder.join(format!("{}.lock", FIRST + stretch * STRETCH));
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| at(&path, "open", &error))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => locks.push(file),
            Err(error) if error == rustix::io::Errno::WOULDBLOCK => return Ok(None),
            Err(error) => return Err(at(&path, "lock", &error.into())),
        }
    }
    Ok(Some(locks))
}

/// Binds them all, then lets go.
fn are_free(first: u16, count: u16) -> bool {
    let mut held = Vec::new();
    for port in first..first + count {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => held.push(listener),
            Err(_) => return false,
        }
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(listener) => held.push(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return false,
            // A machine without IPv6.
            Err(_) => {}
        }
    }
    true
}

fn at(path: &Path, what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not {what} {}: {error}", path.display()))
}
