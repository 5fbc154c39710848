//! `proctor demo`: the whole loop on a small repository made on the spot, with a scripted agent and real tests.
//! It drives a run as any other command does; only the repository, the agent and the surroundings are its own.

mod ending;
mod face;
mod javascript;
mod lesson;
mod place;
mod python;
mod rust;

use crate::args::{DemoArgs, Format};
use crate::demo::ending::ending;
use crate::demo::face::DemoFace;
use crate::demo::lesson::{AGENT, BUG, DETAILS, Lesson};
use crate::demo::place::Place;
use crate::out;
use crate::show::face::JsonFace;
use crate::show::finish::finish;
use anyhow::Result;
use clap::ValueEnum;
use proctor_core::run::Run;
use proctor_core::words::{RunId, Status, TaskType};
use proctor_desk::intake::draft;
use proctor_desk::probe::Probe;
use proctor_desk::run::history::show_since;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::flags::RunFlags;
use proctor_desk::task::order::{Order, TaskAsk};
use proctor_desk::told::{UNFIT, told};
use proctor_engine::{Shop, Watch, create, drive, load};
use proctor_journal::Journal;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The language of the small repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// A crate, tested with cargo
    Rust,
    /// A module, tested with pytest
    Python,
    /// A module, tested with `node --test`
    Javascript,
}

const CARGO_MISSING: &str = "cargo does not work here\nhint: install Rust from https://rustup.rs";
const PYTEST_MISSING: &str =
    "python can't run pytest here\nhint: install it with `python3 -m pip install pytest`";
const NODE_MISSING: &str =
    "there is no Node 20 or later here\nhint: install it from https://nodejs.org";
const ALL_MISSING: &str = "the demo needs cargo, pytest or Node 20, and none of them works here\nhint: install Rust from https://rustup.rs, or pytest with `python3 -m pip install pytest`; `proctor doctor` says more";

pub fn demo(around: &Surroundings, args: &DemoArgs) -> Result<u8> {
    // First of all: where nothing can be written, no tool could be asked either.
    let place = Place::reserve(&std::env::temp_dir())?;
    let lesson = match choose(around, args.lang) {
        Ok(lang) => Lesson::of(lang),
        Err(error) => {
            place.give_up();
            return Err(error);
        }
    };
    place.furnish(&lesson)?;
    let here = place.surroundings(around);
    introduce(&lesson, &place, args.format);
    let order = order(&lesson, &here)?;
    let (id, brief) = draft(&here, order)?.store(&here)?;
    let shop = here.shop()?;
    create(&shop, &id, brief)?;
    let run = watch(&shop, &id, args.format)?;
    match (args.format, run.status()) {
        (Format::Text, Status::Success) => {
            for line in ending(&place, &shop.home, &id, &run)? {
                out::data(&out::coloured(&line));
            }
            Ok(0)
        }
        (Format::Text | Format::Json, _) => {
            let code = finish(args.format, &shop, &id, &run);
            out::talk(&format!("The demo's own PROCTOR_HOME is {}.", place.home().display()));
            Ok(code)
        }
    }
}

fn watch(shop: &Shop, id: &RunId, format: Format) -> Result<Run> {
    let mut face: Box<dyn Watch> = match format {
        Format::Text => Box::new(DemoFace::new(&shop.home)),
        Format::Json => Box::new(JsonFace),
    };
    let journal = Journal::open(shop.home.root())?;
    show_since(&journal, id, 0, face.as_mut())?;
    let driven = drive(shop, std::slice::from_ref(id), face.as_mut())?.pop();
    match driven {
        Some((_, run)) => Ok(run),
        None => Ok(load(shop, id)?),
    }
}

fn introduce(lesson: &Lesson, place: &Place, format: Format) {
    let folder = place.folder().display();
    match format {
        Format::Text => {
            out::talk(&format!("A small repository with a bug in it: {}", place.repo().display()));
            out::talk(&format!("  {} (in {})", BUG, lesson.code));
            out::talk(
                "A scripted agent will try to fix it, and it does not try very hard. The tests are real.",
            );
            out::talk("");
        }
        Format::Json => out::talk(&format!("The demo is in {folder}.")),
    }
}

fn order(lesson: &Lesson, here: &Surroundings) -> Result<Order> {
    let ask = TaskAsk {
        text: BUG.to_owned(),
        issue: None,
        id: Some("even-median".to_owned()),
        kind: None,
        details: Some(DETAILS.to_owned()),
        flags: RunFlags {
            files: vec![lesson.code.to_owned()],
            agent: Some(AGENT.to_owned()),
            yes: true,
            ..RunFlags::default()
        },
    };
    Order::task(TaskType::BugFix, ask, &here.cwd)
}

/// The language that was asked for, or the first whose tools work.
fn choose(around: &Surroundings, asked: Option<Lang>) -> Result<Lang> {
    let probe = Probe::new(around)?;
    let works = |lang| match lang {
        Lang::Rust => cargo_works(around, &probe),
        Lang::Python => pytest_works(around, &probe),
        Lang::Javascript => node_works(around, &probe),
    };
    match asked {
        Some(lang) if works(lang) => Ok(lang),
        Some(Lang::Rust) => Err(told(UNFIT, CARGO_MISSING)),
        Some(Lang::Python) => Err(told(UNFIT, PYTEST_MISSING)),
        Some(Lang::Javascript) => Err(told(UNFIT, NODE_MISSING)),
        None => [Lang::Rust, Lang::Python, Lang::Javascript]
            .into_iter()
            .find(|lang| works(*lang))
            .ok_or_else(|| told(UNFIT, ALL_MISSING)),
    }
}

/// Asked, not only looked for: rustup leaves a `cargo` behind where no toolchain is installed.
fn cargo_works(around: &Surroundings, probe: &Probe) -> bool {
    let cargo = around.program("cargo", &around.cwd);
    cargo.is_some_and(|cargo| {
        let argv = [cargo.as_os_str(), OsStr::new("--version")];
        probe.says(&argv).is_ok()
    })
}

/// The lesson sorts without a trace, which Node knows since version 20.
fn node_works(around: &Surroundings, probe: &Probe) -> bool {
    let node = around.program("node", &around.cwd);
    node.is_some_and(|node| {
        let argv =
            [node.as_os_str(), OsStr::new("--eval"), OsStr::new("console.log([].toSorted())")];
        probe.says(&argv).is_ok()
    })
}

/// The python that the run itself will take: the active virtualenv's, else the one on `PATH`.
fn pytest_works(around: &Surroundings, probe: &Probe) -> bool {
    let active = around
        .var("VIRTUAL_ENV")
        .map(|folder| PathBuf::from(folder).join("bin/python"))
        .filter(|python| python.exists());
    let python = active
        .or_else(|| around.program("python3", &around.cwd))
        .or_else(|| around.program("python", &around.cwd));
    python.is_some_and(|python| {
        let argv =
            [python.as_os_str(), OsStr::new("-m"), OsStr::new("pytest"), OsStr::new("--version")];
        probe.says(&argv).is_ok()
    })
}
