//! The binary `proctor`: reads the command line, wires the rooms together and shows what happens. No rule of the
//! exam lives here.

mod agent_loop;
mod args;
mod commands;
mod demo;
mod mcp;
mod out;
mod show;
mod spans;

use anyhow::Result;
use args::{AgentCommand, Command, CommandLine, SchemaOf};
use clap::{CommandFactory, FromArgMatches};
use commands::start::start;
use commands::{
    abort, agent_shell, agent_try, approve, attest, bugs, cancel, diff, doctor, evidence, gc,
    guard, hunt, init, list, log,
};
use commands::{publish, resume, send_back, serve, verify, watch};
use proctor_agents::play;
use proctor_core::words::{RunId, TaskType};
use proctor_desk::config;
use proctor_desk::issue;
use proctor_desk::start::drive_here;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::order::Order;
use proctor_desk::task::task_json;
use proctor_desk::told::{BUG, USAGE, code_of};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // These are started many times in a run and must be there at once: no command line is built for them.
    match words.get(1).and_then(|word| word.to_str()) {
        Some("keep") if words.len() == 2 => return proctor_world::keeper::main(),
        Some(word) if proctor_world::seat::is_seat(word) && words.len() > 2 => {
            return proctor_world::seat::sit(&words[1..]);
        }
        Some("play") if words.len() == 3 => return play_scenario(Path::new(&words[2])),
        Some("drive") if words.len() == 3 => return drive_run(&words[2]),
        Some("guard") if words.len() == 3 && words[2] == "hook" => return guard::hook(),
        Some("acp-greet") if words.len() > 2 => return agent_loop::acp::greet(&words[2..]),
        Some("claude-turn") if words.len() > 3 => {
            return agent_loop::claude_turn::claude_turn(Path::new(&words[2]), &words[3..]);
        }
        Some("acp") if words.len() > 3 => {
            return agent_loop::acp::acp(Path::new(&words[2]), &words[3..]);
        }
        _ => {}
    }
    confess_bugs();
    ExitCode::from(std::panic::catch_unwind(|| run(words)).unwrap_or(BUG))
}

fn run(words: Vec<OsString>) -> u8 {
    let words = args::typed::set_text_apart(words, &args::command());
    let line = CommandLine::command()
        .try_get_matches_from(words)
        .and_then(|matches| CommandLine::from_arg_matches(&matches));
    let line = match line {
        Ok(line) => line,
        Err(error) => {
            // A reader that went away is not an error.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(USAGE);
        }
    };
    match obey(line) {
        Ok(code) => code,
        Err(error) => {
            out::error(&format!("{error:#}"));
            code_of(&error)
        }
    }
}

fn obey(line: CommandLine) -> Result<u8> {
    let around = || {
        let around = Surroundings::look(line.folder.as_deref())?;
        spans::listen(&around, line.log.as_deref())?;
        anyhow::Ok(around)
    };
    let task = |kind, args: args::task::TaskArgs| {
        let around = around()?;
        let shown = args.run.shown();
        let told = args.issue.as_deref().map(|text| issue::read(&around, text)).transpose()?;
        let order = Order::task(kind, args.meant(told), &around.cwd)?;
        start(&around, order, shown)
    };
    out::settle(line.loudness());
    match line.command {
        Command::Init(args) => init::init(&around()?, &args),
        Command::Doctor(args) => doctor::doctor(&around()?, &args),
        Command::Demo(args) => demo::demo(&around()?, &args),
        Command::Fix(args) => task(TaskType::BugFix, args),
        Command::Add(args) => task(TaskType::Feature, args),
        Command::Tidy(args) => task(TaskType::Refactor, args),
        Command::Run(args) => commands::run::run(&around()?, args),
        Command::Implement(args) => {
            let around = around()?;
            let shown = args.run.shown();
            let order = Order::implement(args.meant(), &around.cwd)?;
            start(&around, order, shown)
        }
        Command::Cycle(args) => {
            let around = around()?;
            let shown = args.run.shown();
            let order = Order::cycle(args.meant(), &around.cwd)?;
            start(&around, order, shown)
        }
        Command::Hunt(args) => hunt::hunt(&around()?, &args),
        Command::Bugs(command) => bugs::bugs(&around()?, &command),
        Command::List(args) => list::list(&around()?, &args),
        Command::Show(args) => commands::show::show(&around()?, &args),
        Command::Watch(args) => watch::watch(&around()?, &args),
        Command::Serve(args) => serve::serve(around()?, &args),
        Command::Mcp(args) => mcp::mcp(&around()?, &args),
        Command::Guard(command) => guard::guard(&around()?, &command),
        Command::Log(args) => log::log(&around()?, &args),
        Command::Diff(args) => diff::diff(&around()?, &args),
        Command::Verify(args) => verify::verify(&around()?, &args),
        Command::Evidence(args) => evidence::evidence(&around()?, &args),
        Command::Publish(args) => publish::publish(&around()?, &args),
        Command::Attest(args) => attest::attest(&around()?, &args),
        Command::Approve(args) => approve::approve(&around()?, &args),
        Command::Abort(args) => abort::abort(&around()?, &args),
        Command::SendBack(args) => send_back::send_back(&around()?, &args),
        Command::Resume(args) => resume::resume(&around()?, &args),
        Command::Cancel(args) => cancel::cancel(&around()?, &args),
        Command::Gc(args) => gc::gc(&around()?, &args),
        Command::Agent(AgentCommand::Shell(args)) => agent_shell::agent_shell(&around()?, &args),
        Command::Agent(AgentCommand::Try(args)) => agent_try::agent_try(&around()?, &args),
        Command::AgentLoop(args) => agent_loop::agent_loop(&around()?, &args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(), "proctor", &mut script);
            out::raw(&script);
            Ok(0)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(args::command()).render(&mut page)?;
            out::raw(&page);
            Ok(0)
        }
        Command::Schema { of } => {
            let text = match of {
                SchemaOf::Config => config::schema(),
                SchemaOf::Task => task_json::schema().to_owned(),
            };
            out::raw(text.as_bytes());
            Ok(0)
        }
    }
}

/// The scripted agent: plays one turn of a scenario in the current folder.
fn play_scenario(file: &Path) -> ExitCode {
    let played = || -> Result<u8, (u8, String)> {
        let scenario = std::fs::read(file)
            .map_err(|why| (USAGE, format!("{} can't be read: {why}", file.display())))?;
        let cwd = std::env::current_dir().map_err(|why| (USAGE, why.to_string()))?;
        let told = |error: play::PlayError| (error.exit_code(), error.to_string());
        let env = play::PlayEnv::read(cwd, |name| std::env::var_os(name)).map_err(told)?;
        let turn = play::play(&scenario, &env).map_err(told)?;
        play::perform(&turn, &env, &mut std::io::stdout().lock()).map_err(told)
    };
    match played() {
        Ok(code) => ExitCode::from(code),
        Err((code, text)) => {
            out::error(&text);
            ExitCode::from(code)
        }
    }
}

/// A process of its own that drives a run for a face, and says nothing.
fn drive_run(run: &OsStr) -> ExitCode {
    let driven = Surroundings::look(None)
        .and_then(|around| drive_here(&around, &RunId::new(run.to_string_lossy())));
    match driven {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            out::error(&format!("{error:#}"));
            ExitCode::from(code_of(&error))
        }
    }
}

/// A panic is our fault, and says so.
fn confess_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        out::error(&format!(
            "this is a bug in Proctor: {panic}\nhint: nothing recorded is lost; please report it with this text at {}/issues",
            env!("CARGO_PKG_REPOSITORY")
        ));
    }));
}
