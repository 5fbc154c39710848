//! The bounds of one child: a pure description. What is not named here is not there for the child, as far as the level
//! can hide it. It must not look at the disk.

use super::Level;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What every child may read, where it is there: the system itself.
pub(super) const SYSTEM: [&str; 16] = [
    "/bin",
    "/etc",
    "/gnu",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix",
    "/opt",
    "/run/current-system",
    "/run/opengl-driver",
    "/sbin",
    "/snap",
    "/sys/devices/system",
    "/usr",
    "/var/cache/fontconfig",
];

/// Files of the system that often are links to where the rest is hidden.
pub(super) const NAMED: [&str; 2] = ["/etc/localtime", "/etc/resolv.conf"];

/// What of the system nobody but its administrator should read.
pub(super) const SECRET: [&str; 9] = [
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/krb5.keytab",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/etc/sudoers.d",
];

/// What one child may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub level: Level,
    /// Files and folders that it may change. They must be there.
    pub write: Vec<PathBuf>,
    /// Files in there that it may only read, as far as the level can do that. What is no plain file is passed by.
    #[serde(default)]
    pub sealed: Vec<PathBuf>,
    /// What it may read beside the system. Missing ones are passed by.
    pub read: Vec<PathBuf>,
    /// Hidden even where a folder above may be read.
    pub hide: Vec<PathBuf>,
    /// Folders that are there for it, and empty: tools look whether they exist.
    pub hollow: Vec<PathBuf>,
    /// Folders of its own that stand in the place of others.
    pub private: Vec<Private>,
    pub network: Network,
    pub caps: Caps,
    #[serde(default)]
    pub otherwise: Otherwise,
}

/// What is otherwise around a child than around the others, as far as the level can do that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Otherwise {
    /// The name of the machine.
    pub host: Option<String>,
    /// The number after which those of its processes begin.
    pub after: Option<u32>,
    /// Whether it sits at a terminal.
    pub terminal: bool,
    /// Whether it has one core only.
    pub one_core: bool,
}

/// A folder that is seen at another path, such as a child's own temp folder at `/tmp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    pub at: PathBuf,
    pub from: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// A loopback of its own, and nothing else.
    Loopback,
    Open,
}

/// The most that a child and all that it starts may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// Bytes of memory: of all together where there are control groups, else of each process.
    pub memory: u64,
    /// Processes and threads together.
    pub processes: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Seconds of processor time of one process.
    pub cpu: Option<u64>,
    /// Bytes that must stay free on the disk that it writes to.
    pub disk_free: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            memory: three_quarters_of_memory(),
            processes: 4096,
            file: 16 << 30,
            cpu: None,
            disk_free: 1 << 30,
        }
    }
}

#[cfg(target_os = "linux")]
fn three_quarters_of_memory() -> u64 {
    let about = rustix::system::sysinfo();
    let whole = u64::from(about.mem_unit).saturating_mul(about.totalram);
    // A machine that does not say is taken for a usual one.
    let whole = if whole == 0 { 8 << 30 } else { whole };
    whole / 4 * 3
}

#[cfg(not(target_os = "linux"))]
fn three_quarters_of_memory() -> u64 {
    6 << 30
}
