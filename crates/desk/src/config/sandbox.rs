//! The table `[sandbox]` of proctor.toml, what it means for a run, and what is said about the level that works here.

use crate::config::value::{Size, Span};
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_core::brief::{Reach, Require, SandboxSpec, Seals};
use proctor_world::sandbox::{Found, Strength, Wish};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What agents, tests and set-up commands may reach and use beyond what they need anyway.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxTable {
    /// The least that must work here: `strong`, `files`, or `none` for whatever there is. Below it nothing is run.
    #[schemars(with = "Option<RequireWord>")]
    pub require: Option<Require>,
    /// Whether tests and set-up commands may use the network. Without it they have a loopback of their own.
    pub network: Option<bool>,
    /// Files and folders that every child may read; `~/` is your home.
    pub read: Option<Vec<String>>,
    /// The most memory that a child and all it starts may use.
    pub memory: Option<Size>,
    /// The most processes and threads that a child may have at a time.
    pub processes: Option<u64>,
    /// The biggest file that a child may write.
    pub file_size: Option<Size>,
    /// The most processor time that one process may take.
    pub cpu_time: Option<Span>,
    /// A child is ended when less than this is free on the disk that it writes to.
    pub disk_free: Option<Size>,
    /// Whether sealed tests are read-only for every coder, or for none, where the sandbox is strong. They are compared in
    /// any case. Without it: for coding agents, not for a `command` or a `script`.
    pub seal_mounts: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum RequireWord {
    None,
    Files,
    Strong,
}

impl SandboxTable {
    #[must_use]
    pub fn under(self, over: Self) -> Self {
        Self {
            require: over.require.or(self.require),
            network: over.network.or(self.network),
            read: over.read.or(self.read),
            memory: over.memory.or(self.memory),
            processes: over.processes.or(self.processes),
            file_size: over.file_size.or(self.file_size),
            cpu_time: over.cpu_time.or(self.cpu_time),
            disk_free: over.disk_free.or(self.disk_free),
            seal_mounts: over.seal_mounts.or(self.seal_mounts),
        }
    }

    pub fn check(&self) -> Result<(), String> {
        match self.processes {
            Some(n) if n < 16 => Err(format!("[sandbox] processes must be 16 or more, not {n}")),
            _ => Ok(()),
        }
    }

    /// As a run keeps it.
    pub fn spec(&self, around: &Surroundings) -> Result<SandboxSpec> {
        Ok(SandboxSpec {
            require: self.require.unwrap_or_default(),
            network: match self.network {
                Some(true) => Reach::Open,
                Some(false) | None => Reach::Loopback,
            },
            read: paths(around, self.read.as_deref().unwrap_or_default(), "[sandbox] read")?,
            memory: self.memory.map(|size| size.0),
            processes: self.processes,
            file: self.file_size.map(|size| size.0),
            cpu_ms: self.cpu_time.map(|span| span.0),
            disk_free: self.disk_free.map(|size| size.0),
            seals: match self.seal_mounts {
                Some(false) => Seals::None,
                Some(true) => Seals::All,
                None => Seals::Known,
            },
        })
    }
}

/// Paths as they are meant: absolute, or below the user's home.
pub fn paths(around: &Surroundings, named: &[String], whence: &str) -> Result<Vec<String>> {
    let full = |text: &String| {
        let path = match (text.strip_prefix("~/"), around.var("HOME")) {
            (Some(below), Some(home)) => PathBuf::from(home).join(below),
            _ => PathBuf::from(text),
        };
        if path.is_absolute() {
            return Ok(path.to_string_lossy().into_owned());
        }
        Err(usage(format!("{whence}: {text} is not a full path\nhint: begin it with / or ~/")))
    };
    named.iter().map(full).collect()
}

/// `PROCTOR_SANDBOX`: the level that a person wants to be tried and no other.
pub fn wish(around: &Surroundings) -> Result<Wish> {
    let Some(value) = around.var("PROCTOR_SANDBOX") else { return Ok(Wish::Best) };
    let name = value.to_string_lossy();
    Wish::named(&name).ok_or_else(|| {
        usage(format!("PROCTOR_SANDBOX={name} is not known\nhint: {} are", Wish::NAMES.join(", ")))
    })
}

/// What works here, in a few words, and why it is not more.
pub fn told(found: &Found) -> (String, Vec<String>) {
    let what = match found.level.strength() {
        Strength::Strong => "files, network, processes and resources are kept apart",
        Strength::Files => "files are kept apart; network and other processes are not",
        Strength::None => "agents and tests run with your rights, in folders of their own",
    };
    let why = found.refused.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    (format!("{}: {what}", found.level), why)
}
