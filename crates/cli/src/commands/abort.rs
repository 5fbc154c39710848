//! `proctor abort RUN`: throws a run away; its work is saved.

use crate::args::RunArgs;
use crate::out;
use crate::show::journey::{AtApproval, Journey};
use anyhow::Result;
use proctor_core::event::Request;
use proctor_desk::steer::{Driver, Steering};
use proctor_desk::surroundings::Surroundings;

pub fn abort(around: &Surroundings, args: &RunArgs) -> Result<u8> {
    let steering = Steering::of(around, args.run.as_deref())?;
    match steering.ask(&Request::Abort)? {
        // What was asked was done; that the run is ABORTED is not a failure of this command.
        Driver::Here => {
            let journey = Journey { shop: &steering.shop, format: args.format.format };
            journey.take(&steering.id, AtApproval::Leave)?;
        }
        Driver::Other { .. } => out::data("Aborted by user."),
    }
    Ok(0)
}
