//! What everything works with: the home, our own program, the environment that children may see, signals.

use crate::home::Home;
use crate::signals::Signals;
use proctor_core::words::{Millis, RunId};
use proctor_world::child::Keeper;
use proctor_world::sandbox::{Found, Wish, probe};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Everything that is needed from outside.
#[derive(Clone)]
pub struct Shop {
    pub home: Home,
    /// Our own binary: keepers and scripted agents are it, started again.
    pub own_program: PathBuf,
    /// The environment of this process; children get a list of names from it, never all of it.
    pub env: BTreeMap<OsString, OsString>,
    pub signals: Signals,
    /// Which levels of the sandbox are tried.
    pub sandbox: Wish,
}

impl Shop {
    pub fn keeper(&self) -> Keeper {
        Keeper { program: self.own_program.clone(), args: vec![OsString::from("keep")] }
    }

    /// The level of the sandbox that works here. Found out once in a process.
    pub fn level(&self) -> Found {
        probe(&self.keeper(), self.sandbox, self.home.root())
    }

    /// By what we know our own children.
    pub fn token(&self, run: &RunId) -> String {
        format!("{run}@{}", self.home.root().display())
    }

    pub fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    pub fn var(&self, name: &str) -> Option<&OsString> {
        self.env.get(&OsString::from(name))
    }
}
