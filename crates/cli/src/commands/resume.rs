//! `proctor resume [RUN]`: goes on with a run, or with every run that can go on.

use crate::args::{Format, ResumeArgs};
use crate::out;
use crate::show::journey::Journey;
use anyhow::Result;
use proctor_core::event::{Raise, Request};
use proctor_desk::steer::{self, Steering};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::amount::Amount;
use proctor_desk::told::WAITS;

pub fn resume(around: &Surroundings, args: &ResumeArgs) -> Result<u8> {
    let raise = Amount::sum(&args.budget);
    let Some(text) = &args.run else {
        return resume_all(around, raise, args.format.format);
    };
    let steering = Steering::of(around, Some(text))?;
    let driver = steering.ask(&Request::Resume { raise })?;
    Journey { shop: &steering.shop, format: args.format.format }.go_on(&steering.id, driver)
}

fn resume_all(around: &Surroundings, raise: Raise, format: Format) -> Result<u8> {
    let shop = around.shop()?;
    let found = steer::resume_all(&shop, raise)?;
    for line in &found.stay {
        out::talk(line);
    }
    let stays = if found.stay.is_empty() { 0 } else { WAITS };
    if found.runs.is_empty() {
        out::talk("No run can go on by itself; `proctor list` shows what there is.");
        return Ok(stays);
    }
    let code = Journey { shop: &shop, format }.take_all(&found.runs)?;
    Ok(if code == 0 { stays } else { code })
}
