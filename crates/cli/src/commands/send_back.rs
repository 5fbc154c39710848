//! `proctor send-back RUN --why "…"`: the work goes back to the coder with a reason.

use crate::args::SendBackArgs;
use crate::show::journey::Journey;
use anyhow::Result;
use proctor_desk::steer::{Steering, objection};
use proctor_desk::surroundings::Surroundings;

pub fn send_back(around: &Surroundings, args: &SendBackArgs) -> Result<u8> {
    let request = objection(&args.why)?;
    let steering = Steering::of(around, args.run.as_deref())?;
    let driver = steering.ask(&request)?;
    Journey { shop: &steering.shop, format: args.format.format }.go_on(&steering.id, driver)
}
