//! The bounds of each kind of child: what an agent, a test and a set-up command may write, read, reach and use. Decides
//! nothing about how that is enforced.

use crate::disk::make;
use crate::{Halt, Lab};
use proctor_core::brief::{Reach, Require};
use proctor_world::sandbox::toolchains::{Seat, names_tools};
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Otherwise, Private, Strength};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Whether a level is as strong as it must be.
pub fn is_enough(level: &Level, required: Require) -> bool {
    let least = match required {
        Require::None => Strength::None,
        Require::Files => Strength::Files,
        Require::Strong => Strength::Strong,
    };
    level.strength() >= least
}

/// Where a child works.
pub struct Needs<'a> {
    /// What it may change.
    pub write: Vec<PathBuf>,
    /// What it may read beside what all may.
    pub read: Vec<PathBuf>,
    /// Folders that have to be there, and empty.
    pub hollow: Vec<PathBuf>,
    /// Its temp folder, which it sees at the usual places too. Made where it is missing.
    pub temp: PathBuf,
    /// Its home, where it would else have the user's.
    pub home: Option<PathBuf>,
    pub reach: Reach,
    pub argv: &'a [OsString],
    pub env: &'a BTreeMap<OsString, OsString>,
}

static READABLE: LazyLock<Mutex<HashMap<Vec<OsString>, Vec<PathBuf>>>> =
    LazyLock::new(Mutex::default);

impl Lab {
    /// The level that works here, where it is as strong as it must be.
    pub fn level(&self) -> Result<Level, Halt> {
        let found = self.shop.level();
        let required = self.setting.sandbox.require;
        if is_enough(&found.level, required) {
            return Ok(found.level);
        }
        let why: Vec<String> =
            found.refused.iter().map(|(name, why)| format!("; {name}: {why}")).collect();
        Err(Halt::lasting(format!(
            "the sandbox here is {}, and [sandbox] require says \"{}\"{}\nhint: install bubblewrap or allow user namespaces; `proctor doctor` says what works",
            found.level,
            required.name(),
            why.concat()
        )))
    }

    pub fn bounds(&self, needs: Needs<'_>) -> Result<Bounds, Halt> {
        let level = self.level()?;
        make(&needs.temp)?;
        let mut private: Vec<Private> = ["/tmp", "/var/tmp"]
            .map(|at| Private { at: at.into(), from: needs.temp.clone() })
            .into();
        let home = self.shop.var("HOME").map(PathBuf::from);
        if let (Some(at), Some(from)) = (home.filter(|home| may_stand_apart(home)), needs.home) {
            make(&from)?;
            private.push(Private { at, from });
        }
        let mut write = needs.write;
        write.push(needs.temp);
        let guarded = self.guarded();
        let seat = Seat { env: needs.env, guarded: &guarded };
        let mut read = self.readable(needs.env, &guarded);
        read.extend(needs.read);
        read.extend(self.setting.sandbox.read.iter().map(PathBuf::from));
        read.extend(words(&seat, needs.argv));
        // Whoever hands a variable on that names a folder wants it to be read.
        let setup = &self.setting.setup;
        let handed_on = setup.env_pass.iter().chain(setup.env.keys());
        read.extend(handed_on.flat_map(|name| seat.named_by(name)));
        Ok(Bounds {
            level,
            write,
            sealed: Vec::new(),
            read,
            hide: guarded,
            hollow: needs.hollow,
            private,
            network: match needs.reach {
                Reach::Loopback => Network::Loopback,
                Reach::Open => Network::Open,
            },
            caps: self.caps(),
            otherwise: Otherwise::default(),
        })
    }

    /// What has to be read so that a program can run.
    pub fn behind(&self, program: &Path) -> Vec<PathBuf> {
        Seat { env: &self.shop.env, guarded: &self.guarded() }.program(program)
    }

    fn caps(&self) -> Caps {
        let (spec, usual) = (&self.setting.sandbox, Caps::default());
        Caps {
            memory: spec.memory.unwrap_or(usual.memory),
            processes: spec.processes.unwrap_or(usual.processes),
            file: spec.file.unwrap_or(usual.file),
            cpu: spec.cpu_ms.map(|ms| ms.div_ceil(1000)),
            disk_free: spec.disk_free.unwrap_or(usual.disk_free),
        }
    }

    /// What no child may read as a whole: the user's home and repository, and everything of ours.
    fn guarded(&self) -> Vec<PathBuf> {
        let repo = &self.setting.repo;
        let home = self.shop.var("HOME").map(PathBuf::from);
        let named = [PathBuf::from(&repo.root), PathBuf::from(&repo.git_dir)];
        let named = named.into_iter().chain([self.shop.home.root().to_owned()]);
        let cache = self.shop.home.cache().map(Path::to_owned);
        named.chain(cache).chain(home).collect()
    }

    /// Toolchains, as the user's environment and the child's own name them.
    fn readable(&self, own: &BTreeMap<OsString, OsString>, guarded: &[PathBuf]) -> Vec<PathBuf> {
        let mut env = self.shop.env.clone();
        // A child's home is its own; its tools are the user's.
        env.extend(
            own.iter().filter(|(name, _)| *name != "HOME").map(|(n, v)| (n.clone(), v.clone())),
        );
        let named = env.iter().filter(|(name, _)| names_tools(name));
        let key: Vec<OsString> = named.flat_map(|(n, v)| [n.clone(), v.clone()]).collect();
        let mut known = READABLE.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert_with(|| Seat { env: &env, guarded }.readable()).clone()
    }
}

/// Files that a command line names: programs, scripts, scenarios.
fn words(seat: &Seat<'_>, argv: &[OsString]) -> Vec<PathBuf> {
    let full = argv.iter().map(Path::new).filter(|path| path.is_absolute() && path.is_file());
    full.flat_map(|path| seat.program(path)).collect()
}

/// A home that is the whole system can't be another folder for a child.
fn may_stand_apart(home: &Path) -> bool {
    home.is_absolute()
        && home.parent().is_some()
        && !home.starts_with("/usr")
        && !home.starts_with("/etc")
}
