//! `proctor cancel RUN`: stops a run and keeps everything.

use crate::args::RunArgs;
use crate::out;
use crate::show::journey::{AtApproval, Journey};
use anyhow::Result;
use proctor_core::event::Request;
use proctor_desk::steer::{Driver, Steering};
use proctor_desk::surroundings::Surroundings;

pub fn cancel(around: &Surroundings, args: &RunArgs) -> Result<u8> {
    let steering = Steering::of(around, args.run.as_deref())?;
    match steering.ask(&Request::Cancel)? {
        Driver::Here => {
            let journey = Journey { shop: &steering.shop, format: args.format.format };
            journey.take(&steering.id, AtApproval::Leave)?;
        }
        Driver::Other { pid } => {
            out::data(&format!("Process {pid} stops run {id}.", id = steering.id));
            out::talk(&format!("`proctor resume {}` goes on.", steering.id));
        }
    }
    Ok(0)
}
