//! Begins a run: creates what was checked, and sends it into the background where that is wanted.

use crate::intake::{Draft, draft};
use crate::notify::Telling;
use crate::surroundings::{Surroundings, own_program};
use crate::task::order::Order;
use anyhow::{Context, Result};
use proctor_core::words::RunId;
use proctor_engine::{EngineError, Home, Shop, Silent, create, drive};
use proctor_world::detach::detach;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A process that drives a run by itself.
#[derive(Clone, Debug)]
pub struct Away {
    pub pid: u32,
    /// What it prints.
    pub log: PathBuf,
}

impl Draft {
    /// What a person is told before anything begins: who gets the data, and what is out of the ordinary.
    pub fn remarks_first(&self, around: &Surroundings) -> Vec<String> {
        let told = crate::policy::lines(around, self.brief.agents.values());
        let mut lines: Vec<String> = told.into_iter().collect();
        lines.extend(self.remarks.iter().cloned());
        lines
    }
}

/// Creates a run. Nobody drives it yet.
pub fn begin(around: &Surroundings, draft: Draft) -> Result<(Shop, RunId)> {
    let (run, brief) = draft.store(around)?;
    let shop = around.shop()?;
    create(&shop, &run, brief)?;
    Ok((shop, run))
}

/// Several runs that were created together.
pub struct Begun {
    pub shop: Shop,
    pub runs: Vec<RunId>,
    /// What a person is told before anything begins, each line once.
    pub remarks: Vec<String>,
}

/// Creates several runs. All are checked before the first is created. Nobody drives them yet.
pub fn begin_all(around: &Surroundings, orders: Vec<Order>) -> Result<Begun> {
    let drafts: Vec<Draft> =
        orders.into_iter().map(|order| draft(around, order)).collect::<Result<_>>()?;
    let mut remarks: Vec<String> = Vec::new();
    for line in drafts.iter().flat_map(|draft| draft.remarks_first(around)) {
        if !remarks.contains(&line) {
            remarks.push(line);
        }
    }
    let shop = around.shop()?;
    let mut runs = Vec::new();
    for draft in drafts {
        runs.push(begin(around, draft)?.1);
    }
    Ok(Begun { shop, runs, remarks })
}

/// Lets a process of its own drive a run for which a request waits, until it needs a person again or has ended.
pub fn drive_away(home: &Home, run: &RunId) -> Result<Away> {
    away(home, run, &["drive", run.as_str()])
}

/// What that process does.
pub fn drive_here(around: &Surroundings, run: &RunId) -> Result<()> {
    let shop = around.shop()?;
    let mut nobody = Silent;
    let mut telling = Telling::of(&shop, &mut nobody);
    match drive(&shop, std::slice::from_ref(run), &mut telling) {
        // Another process has it already: it answers the request.
        Ok(_) | Err(EngineError::Held { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Lets a process of its own drive a run.
pub fn in_background(around: &Surroundings, run: &RunId) -> Result<Away> {
    away(&around.home, run, &["resume", run.as_str(), "--format", "json"])
}

fn away(own: &Home, run: &RunId, words: &[&str]) -> Result<Away> {
    let folder = own.run(run);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} can't be made", folder.display()))?;
    let log = folder.join("detached.log");
    let args: Vec<OsString> = words.iter().map(OsString::from).collect();
    // Said in full: the folder may have been given from where this process stands.
    let home =
        BTreeMap::from([(OsString::from("PROCTOR_HOME"), own.root().as_os_str().to_owned())]);
    let pid = detach(&own_program()?, &args, &home, &log)?;
    Ok(Away { pid, log })
}
