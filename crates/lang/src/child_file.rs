//! Files that a test run may have written: read without waiting for a pipe, and no more of them than memory can hold.
//! What is no plain file is an error, as if it were not there.

use rustix::fs::OFlags;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Reports of large suites have some megabytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The bytes of a plain file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    let too_large = || io::Error::other(format!("it has more than {LARGEST} bytes"));
    if about.len() > LARGEST {
        return Err(too_large());
    }
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a plain file.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_folders_and_endless_files_are_errors_and_nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert!(read(&pipe).is_err());
        assert!(read(dir.path()).is_err());
        assert!(read("/dev/zero").is_err());
        let huge = dir.path().join("huge");
        std::fs::File::create(&huge).unwrap().set_len(10 << 30).unwrap();
        assert!(read(&huge).unwrap_err().to_string().contains("more than"));
        std::fs::write(&huge, "text").unwrap();
        assert_eq!(read_to_string(&huge).unwrap(), "text");
    }
}
