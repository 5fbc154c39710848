//! The commands that begin a run: check everything, create it, then drive it here or in the background.

use crate::args::Format;
use crate::face::face;
use crate::intake::draft;
use crate::journey::{AtApproval, Journey, show_since};
use crate::order::Order;
use crate::out;
use crate::surroundings::{Surroundings, own_program};
use anyhow::{Context, Result};
use proctor_core::intake::data_policy;
use proctor_core::words::RunId;
use proctor_engine::create;
use proctor_journal::Journal;
use proctor_world::detach::detach;
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;

pub fn start(around: &Surroundings, order: Order) -> Result<u8> {
    let format = order.flags.format;
    let background = order.flags.detach;
    let draft = draft(around, order)?;
    let agents = draft.brief.agents.values();
    let names: Vec<String> = agents.map(|agent| agent.name.clone()).collect();
    out::talk(&data_policy(&names));
    for remark in &draft.remarks {
        out::talk(remark);
    }
    let (run, brief) = draft.store(around)?;
    let shop = around.shop()?;
    create(&shop, &run, brief)?;
    if background {
        return in_background(around, &run, format);
    }
    {
        let journal = Journal::open(shop.home.root())?;
        let mut face = face(format);
        show_since(&journal, &run, 0, face.as_mut())?;
    }
    let journey = Journey { shop: &shop, format };
    journey.take(&run, AtApproval::Ask)
}

fn in_background(around: &Surroundings, run: &RunId, format: Format) -> Result<u8> {
    let folder = around.home.run(run);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} can't be made", folder.display()))?;
    let log = folder.join("detached.log");
    let args: Vec<OsString> =
        ["resume", run.as_str(), "--format", "json"].map(OsString::from).into();
    // Said in full: the folder may have been given from where this process stands.
    let home = BTreeMap::from([(
        OsString::from("PROCTOR_HOME"),
        around.home.root().as_os_str().to_owned(),
    )]);
    let pid = detach(&own_program()?, &args, &home, &log)?;
    match format {
        Format::Text => {
            out::data(run.as_str());
            out::talk(&format!(
                "Process {pid} goes on in the background; `proctor log -f {run}` looks on."
            ));
        }
        Format::Json => out::json(
            &json!({"event": "run-detached", "run": run, "pid": pid, "log": log.to_string_lossy()})
                .to_string(),
        ),
    }
    Ok(0)
}
