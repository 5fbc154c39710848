//! Hashes of files, computed here and never asked of git: an agent can lie to git about what changed, not to us.
//! Must not follow a symbolic link, and must not block on a pipe.

use crate::listing::{Entry, Mode};
use rustix::fs::OFlags;
use sha1::{Digest, Sha1};
use sha2::Sha256;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Which hash names the objects of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectFormat {
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// The format that an id in full belongs to.
    pub fn of(id: &str) -> Self {
        if id.len() == 64 { Self::Sha256 } else { Self::Sha1 }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        }
    }

    /// The id of no object at all.
    pub fn zero(self) -> String {
        match self {
            Self::Sha1 => "0".repeat(40),
            Self::Sha256 => "0".repeat(64),
        }
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    fn blob(format: ObjectFormat, size: u64) -> Self {
        let mut hasher = match format {
            ObjectFormat::Sha1 => Self::Sha1(Sha1::new()),
            ObjectFormat::Sha256 => Self::Sha256(Sha256::new()),
        };
        hasher.update(format!("blob {size}\0").as_bytes());
        hasher
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
        }
    }

    fn finish(self) -> String {
        match self {
            Self::Sha1(hasher) => hex(&hasher.finalize()),
            Self::Sha256(hasher) => hex(&hasher.finalize()),
        }
    }
}

/// The id that git gives to a blob of these bytes.
pub fn blob_id(format: ObjectFormat, bytes: &[u8]) -> String {
    let mut hasher = Hasher::blob(format, bytes.len() as u64);
    hasher.update(bytes);
    hasher.finish()
}

/// What is at `path`: a file with its exec bit, or a link by its target.
pub fn entry_of(format: ObjectFormat, path: &Path) -> io::Result<Entry> {
    if fs::symlink_metadata(path)?.is_symlink() {
        let target = fs::read_link(path)?;
        return Ok(Entry { mode: Mode::Link, oid: blob_id(format, target.as_os_str().as_bytes()) });
    }
    let mut file = open_plain(path)?;
    let about = file.metadata()?;
    let mode = if about.mode() & 0o100 == 0 { Mode::File } else { Mode::Exec };
    let mut hasher = Hasher::blob(format, about.len());
    let mut buffer = vec![0; 1 << 16];
    let mut read = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                hasher.update(&buffer[..n]);
                read += n as u64;
                // One that grows as fast as it is read would never end.
                if read > about.len() {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if read != about.len() {
        return Err(io::Error::other("it changed while it was read"));
    }
    Ok(Entry { mode, oid: hasher.finish() })
}

/// Opens a plain file for reading; a link, a pipe or a device is an error.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a plain file"))
    }
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadFault {
    #[error("it has {bytes} bytes, and {most} are the most that is read")]
    TooLarge { bytes: u64, most: u64 },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The bytes of a plain file, up to a limit. It never waits for a pipe, follows no link at its end, and reads no more
/// than the limit from a file that grows meanwhile.
pub fn read_plain(path: &Path, most: u64) -> Result<Vec<u8>, ReadFault> {
    let file = open_plain(path)?;
    let bytes = file.metadata()?.len();
    if bytes > most {
        return Err(ReadFault::TooLarge { bytes, most });
    }
    let mut read = Vec::new();
    file.take(most + 1).read_to_end(&mut read)?;
    match read.len() as u64 {
        bytes if bytes > most => Err(ReadFault::TooLarge { bytes, most }),
        _ => Ok(read),
    }
}
