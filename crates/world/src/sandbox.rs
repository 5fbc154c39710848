//! What a child may reach, and how that is enforced. Owns the levels of enforcement, finding the best one that works here,
//! and the description of a child's bounds. It must not know what kind of child it is: the caller says what it may do.
//!
//! The keeper carries it out, because it has one thread and is not the child yet (see `keeper`). At the strong levels a
//! second keeper, the first process of a pid namespace of its own, stands inside and starts the child: when it ends, the
//! system ends everything that is left there.
//!
//! | level | how |
//! | --- | --- |
//! | `Bubblewrap` | the program `bwrap` makes namespaces and mounts |
//! | `Namespaces` | we make them ourselves |
//! | `Landlock` | files by Landlock, nothing else is hidden |
//! | `None` | time limits and process trees only |
//! | `Portable` | time limits and process groups: what every system has that is like Unix; other systems have no other |

mod bounds;
#[cfg(target_os = "linux")]
mod bubble;
pub(crate) mod group;
#[cfg(target_os = "linux")]
mod leave;
#[cfg(target_os = "linux")]
mod loopback;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod otherwise;
#[cfg(target_os = "linux")]
mod plan;
mod probe;
#[cfg(target_os = "linux")]
pub(crate) mod room;
pub(crate) mod rules;
#[cfg(target_os = "linux")]
mod screen;
pub mod toolchains;

pub use bounds::{Bounds, Caps, Network, Otherwise, Private};
pub use probe::{Found, Wish, probe};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// How a child's bounds are enforced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    None,
    /// Neither namespaces nor the table of processes are used.
    Portable,
    Landlock,
    Namespaces(Owner),
    /// By the program at this path.
    Bubblewrap(PathBuf),
}

/// Who the namespaces belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// A user namespace of their own, in which the own number stays what it is and nothing else is known.
    User,
    /// The machine's root, where there are no user namespaces.
    Root,
}

/// What a level is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    None,
    Files,
    Strong,
}

impl Level {
    pub fn strength(&self) -> Strength {
        match self {
            Self::None | Self::Portable => Strength::None,
            Self::Landlock => Strength::Files,
            Self::Namespaces(_) | Self::Bubblewrap(_) => Strength::Strong,
        }
    }

    /// Its name in settings, events and evidence.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Portable => "portable",
            Self::Landlock => "landlock",
            Self::Namespaces(_) => "namespaces",
            Self::Bubblewrap(_) => "bubblewrap",
        }
    }
}

impl Strength {
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Files => "files",
            Self::Strong => "strong",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            level => write!(f, "{} ({})", level.strength().name(), level.name()),
        }
    }
}
