//! A run goes to the fleet: one that begins, or one that began on this machine.

use crate::args::{SendArgs, SubmitArgs};
use crate::course::Begin;
use crate::keeping::Keeping;
use crate::out::{data, talk};
use crate::program::proctor;
use anyhow::{Result, bail};
use proctor_core::words::RunId;
use proctor_desk::afar;
use proctor_engine::Shop;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Creates the run as `proctor` would, and sends it off. Gives an exit code.
pub async fn submit(service: &Keeping, shop: &Shop, args: &SubmitArgs) -> Result<u8> {
    let mut words = args.words.clone();
    words.insert(1, OsString::from("--only-create"));
    let (code, told) = proctor_world::beside::ask(&proctor()?, &words, &BTreeMap::new())?;
    match code {
        Some(0) => {}
        Some(code) => return Ok(u8::try_from(code).unwrap_or(1)),
        None => bail!("proctor was ended by a signal"),
    }
    for run in told.split_whitespace() {
        send(service, shop, (&RunId::new(run), &args.send)).await?;
    }
    Ok(0)
}

/// Sends a run off with all that it has achieved. To do it twice is to do it once.
pub async fn send(service: &Keeping, shop: &Shop, (run, args): (&RunId, &SendArgs)) -> Result<()> {
    let store = args.store.clone().unwrap_or_else(|| shop.home.root().join("fleet/store"));
    let store = std::path::absolute(store)?.to_string_lossy().into_owned();
    let to = (Keeping::name(), store);
    let (afar, facts) = afar::send(shop, run, args.remote.as_deref(), (&to.0, &to.1))?;
    let begin = Begin {
        run: run.clone(),
        afar,
        facts,
        needs: args.needs.clone(),
        silence: args.silence.max(1),
    };
    if !service.begin(begin).await? {
        talk(&format!("{run} is with the fleet already"));
    }
    data(run.as_str());
    talk(&format!(
        "`proctor-fleet log -f {run}` looks on; `proctor-fleet approve {run}` lands it."
    ));
    Ok(())
}
