//! `proctor approve RUN`: lands what was proven, as the person was shown it.

use crate::args::{ApproveArgs, Format};
use crate::show::approval;
use crate::show::finish::finish;
use crate::show::journey::{AtApproval, Journey};
use anyhow::Result;
use proctor_core::event::{OnRebase, Request};
use proctor_core::words::Status;
use proctor_desk::hunt::caught::catch_up;
use proctor_desk::steer::{Driver, Steering, acceptance};
use proctor_desk::surroundings::Surroundings;
use proctor_engine::Ledger;
use proctor_journal::Journal;
use std::path::Path;

pub fn approve(around: &Surroundings, args: &ApproveArgs) -> Result<u8> {
    let accept = args.why.as_deref().map(|why| acceptance(args.accept.clone(), why)).transpose()?;
    let format = args.format.format;
    let steering = Steering::of(around, args.run.as_deref())?;
    let (run, shown) = steering.proven()?;
    if format == Format::Text && run.status() == Status::AwaitingApproval {
        approval::show(&steering.shop, &steering.id, &run);
    }
    let seq = Journal::open(steering.shop.home.root())?.find(steering.id.as_str())?.last_seq;
    let journey = Journey { shop: &steering.shop, format };
    let rebase = if args.through_rebase { OnRebase::Through } else { OnRebase::Ask };
    let code = match steering.ask(&Request::Approve { shown, rebase, accept })? {
        Driver::Here => journey.take(&steering.id, AtApproval::Leave)?,
        Driver::Other { .. } => {
            let run = journey.follow(&steering.id, seq)?;
            finish(format, &steering.shop, &steering.id, &run)
        }
    };
    // Where it was the run of a bug, the notebook knows.
    let ledger = Ledger::of(&steering.shop.home, Path::new(&run.brief.repo.git_dir));
    catch_up(&steering.shop, &ledger)?;
    Ok(code)
}
