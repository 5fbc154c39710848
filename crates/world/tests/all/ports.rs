use proctor_world::ports::{Ports, block};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

/// One folder for all tests, which run at the same time and must not meet.
fn locks() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports")
}

#[test]
fn every_port_of_a_block_can_be_bound() {
    let ports = block(&locks(), 25).unwrap();
    assert_eq!(ports.all().count(), 25);
    let bound: Vec<_> =
        ports.all().map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap()).collect();
    assert_eq!(bound.len(), 25);
}

#[test]
fn two_blocks_at_the_same_time_have_no_port_in_common() {
    let blocks: Vec<_> = (1..12).map(|n| block(&locks(), n * 3).unwrap()).collect();
    let all: Vec<u16> = blocks.iter().flat_map(Ports::all).collect();
    let different: BTreeSet<u16> = all.iter().copied().collect();
    assert_eq!(different.len(), all.len());
}

#[test]
fn a_block_is_given_back_when_it_is_dropped() {
    let ports = block(&locks(), 1).unwrap();
    let lock = locks().join(format!("{}.lock", ports.first)).canonicalize().unwrap();
    let is_open = || {
        let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
        open.flat_map(|entry| fs::read_link(entry.path())).any(|path| path == lock)
    };
    assert!(is_open());
    drop(ports);
    assert!(!is_open());
}

#[test]
fn a_port_that_somebody_listens_on_is_passed_by() {
    let ports = block(&locks(), 10).unwrap();
    let taken = ports.first + 7;
    let _stranger = TcpListener::bind((Ipv4Addr::LOCALHOST, taken)).unwrap();
    drop(ports);
    let ports = block(&locks(), 10).unwrap();
    assert!(!ports.all().any(|port| port == taken));
}

#[test]
fn a_block_that_can_not_be_is_refused() {
    for count in [0, 12_001, u16::MAX] {
        assert_eq!(block(&locks(), count).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
