//! Marks of a failure that the machine is to blame for, not the code: they are never a reason to call a test red.

/// As the runtime and the system write them, in lower case.
const MARKS: [&str; 14] = [
    "no such host",
    "no space left on device",
    "network is unreachable",
    "connection refused",
    "connection reset by peer",
    "connection timed out",
    "i/o timeout",
    "temporary failure in name resolution",
    "tls handshake timeout",
    "cannot allocate memory",
    "out of memory",
    "too many open files",
    "read-only file system",
    "executable file not found in $path",
];

/// Whether a message speaks of the machine.
pub(crate) fn to_blame(message: &str) -> bool {
    let lower = message.to_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_network_or_disk_is_the_machines_fault() {
        assert!(to_blame("dial tcp: lookup shop.example: no such host"));
        assert!(to_blame("write /tmp/a: No space left on device"));
        assert!(!to_blame("want 3, got 4"));
    }
}
