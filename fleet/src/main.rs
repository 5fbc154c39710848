//! The binary `proctor-fleet`: runs of Proctor on many machines. The machine is the same; the histories are kept by a Temporal
//! service, and any worker may carry out what is owed.

mod args;
mod course;
mod dev;
mod effects;
mod follow;
mod keeping;
mod out;
mod program;
mod queues;
mod submit;
mod worker;

use anyhow::Result;
use args::{Command, CommandLine};
use clap::Parser;
use keeping::Keeping;
use proctor_core::words::RunId;
use proctor_desk::surroundings::Surroundings;
use proctor_engine::Shop;
use std::process::ExitCode;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let obeyed = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(obey(line.command)));
    match obeyed {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::talk(&format!("error: {error:#}"));
            ExitCode::from(proctor_desk::told::code_of(&error))
        }
    }
}

async fn obey(command: Command) -> Result<u8> {
    match command {
        Command::Dev(args) => dev::dev(shop()?, &args).await.map(|()| 0),
        Command::Worker(args) => {
            worker::work(&Keeping::reach().await?, shop()?, &args).await.map(|()| 0)
        }
        Command::Submit(args) => submit::submit(&Keeping::reach().await?, &shop()?, &args).await,
        Command::Move(args) => {
            let (run, shop) = (RunId::new(args.run.as_str()), shop()?);
            submit::send(&Keeping::reach().await?, &shop, (&run, &args.send)).await.map(|()| 0)
        }
        Command::Stop { run } => {
            Keeping::reach().await?.stop(&RunId::new(run.as_str())).await.map(|()| 0)
        }
        Command::Follow => {
            follow::Follower::new(Keeping::reach().await?, shop()?).follow().await.map(|()| 0)
        }
        Command::Proctor(words) => {
            follow::with_the_fleet(Keeping::reach().await?, shop()?, words).await
        }
    }
}

/// What effects are carried out with. The program that keeps children and plays scripts is `proctor`, of the same version.
fn shop() -> Result<Shop> {
    let around = Surroundings::look(None)?;
    Ok(Shop { own_program: program::checked()?, ..around.shop()? })
}
