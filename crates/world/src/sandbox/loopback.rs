//! The loopback of a new network namespace, which is down at first. Owns the one message that brings it up.

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
};

const RTM_NEWLINK: u16 = 16;
const NLMSG_ERROR: u16 = 2;
/// It asks something, and wants an answer.
const REQUEST_WITH_ANSWER: u16 = 1 | 4;
const IFF_UP: u32 = 1;
/// The first device of every namespace.
const LOOPBACK: i32 = 1;

pub(super) fn up() -> Result<(), String> {
    let failed = |why: rustix::io::Errno| format!("could not bring up its loopback: {why}");
    let route = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)
        .map_err(failed)?;
    let message = message();
    sendto(&route, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0)).map_err(failed)?;
    let mut answer = [0_u8; 256];
    let (read, _) = recv(&route, &mut answer, RecvFlags::empty()).map_err(failed)?;
    let read = answer.get(..read).unwrap_or_default();
    // Length (4), kind (2), flags (2), number (4), port (4), then the error (4): nothing is success.
    let kind = read.get(4..6).and_then(|b| b.try_into().ok()).map(u16::from_ne_bytes);
    let error = read.get(16..20).and_then(|b| b.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, error) {
        (Some(NLMSG_ERROR), Some(0)) => Ok(()),
        (_, error) => Err(format!("could not bring up its loopback: answer {error:?}")),
    }
}

fn message() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32);
    bytes.extend_from_slice(&32_u32.to_ne_bytes());
    bytes.extend_from_slice(&RTM_NEWLINK.to_ne_bytes());
    bytes.extend_from_slice(&REQUEST_WITH_ANSWER.to_ne_bytes());
    bytes.extend_from_slice(&1_u32.to_ne_bytes());
    bytes.extend_from_slice(&0_u32.to_ne_bytes());
    // Family and padding, kind of device.
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&LOOPBACK.to_ne_bytes());
    // The flags, and which of them are meant.
    bytes.extend_from_slice(&IFF_UP.to_ne_bytes());
    bytes.extend_from_slice(&IFF_UP.to_ne_bytes());
    bytes
}
