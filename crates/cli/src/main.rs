//! The binary `proctor`: reads the command line, wires the rooms together and shows what happens. No rule of the
//! exam lives here.

mod accepting;
mod acp;
mod acp_files;
mod acp_terminals;
mod agent_loop;
mod agent_table;
mod agent_try;
mod amount;
mod approval;
mod args;
mod args_hunt;
mod args_task;
mod args_verify;
mod audit_table;
mod bugs;
mod casting;
mod changes;
mod claude_turn;
mod clock;
mod config;
mod config_fault;
mod conversation;
mod day_cost;
mod demo;
mod demo_ending;
mod demo_face;
mod demo_lesson;
mod demo_place;
mod demo_python;
mod demo_rust;
mod diff;
mod doctor;
mod doctor_agents;
mod doctor_api;
mod doctor_tools;
mod evidence;
mod face;
mod finish;
#[cfg(test)]
mod fuzz_tests;
mod harmless;
mod hunt;
mod init;
mod intake;
mod journey;
mod legacy;
mod list;
mod log;
mod loop_args;
mod loop_hands;
mod loop_line;
mod luggage;
mod nearest;
mod order;
mod out;
mod page;
mod probe;
mod run_id;
#[cfg(test)]
mod sample;
mod sandbox;
mod scenario;
mod settings;
mod shell_words;
mod show;
mod spans;
mod spec_file;
mod start;
mod steer;
mod story;
mod surroundings;
mod task_file;
mod task_json;
mod told;
mod tooling;
mod typed;
mod value;
mod verdict;
mod verify;

use anyhow::Result;
use args::{AgentCommand, Command, CommandLine, SchemaOf};
use clap::{CommandFactory, FromArgMatches};
use order::Order;
use proctor_agents::play;
use proctor_core::words::TaskType;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use surroundings::Surroundings;
use told::{BUG, USAGE, code_of};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // These are started many times in a run and must be there at once: no command line is built for them.
    match words.get(1).and_then(|word| word.to_str()) {
        Some("keep") if words.len() == 2 => return proctor_world::keeper::main(),
        Some("play") if words.len() == 3 => return play_scenario(Path::new(&words[2])),
        Some("acp-greet") if words.len() > 2 => return acp::greet(&words[2..]),
        Some("claude-turn") if words.len() > 3 => {
            return claude_turn::claude_turn(Path::new(&words[2]), &words[3..]);
        }
        Some("acp") if words.len() > 3 => return acp::acp(Path::new(&words[2]), &words[3..]),
        _ => {}
    }
    confess_bugs();
    ExitCode::from(std::panic::catch_unwind(|| run(words)).unwrap_or(BUG))
}

fn run(words: Vec<OsString>) -> u8 {
    let words = typed::set_text_apart(words, &args::command());
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
        spans::listen(&around)?;
        anyhow::Ok(around)
    };
    let task = |kind, args| {
        let around = around()?;
        let order = Order::task(kind, args, &around.cwd)?;
        start::start(&around, order)
    };
    match line.command {
        Command::Init(args) => init::init(&around()?, &args),
        Command::Doctor(args) => doctor::doctor(&around()?, args.format),
        Command::Demo(args) => demo::demo(&around()?, &args),
        Command::Fix(args) => task(TaskType::BugFix, args),
        Command::Add(args) => task(TaskType::Feature, args),
        Command::Tidy(args) => task(TaskType::Refactor, args),
        Command::Run(args) => task_file::run(&around()?, args),
        Command::Implement(args) => {
            let around = around()?;
            let order = Order::implement(args, &around.cwd)?;
            start::start(&around, order)
        }
        Command::Cycle(args) => {
            let around = around()?;
            let order = Order::cycle(args, &around.cwd)?;
            start::start(&around, order)
        }
        Command::Hunt(args) => hunt::hunt(&around()?, &args),
        Command::Bugs(command) => bugs::bugs(&around()?, &command),
        Command::List(args) => list::list(&around()?, &args),
        Command::Show(args) => show::show(&around()?, &args),
        Command::Log(args) => log::log(&around()?, &args),
        Command::Diff(args) => diff::diff(&around()?, &args),
        Command::Verify(args) => verify::verify(&around()?, &args),
        Command::Evidence(args) => evidence::evidence(&around()?, &args),
        Command::Approve(args) => steer::approve(&around()?, &args),
        Command::Abort(args) => steer::abort(&around()?, &args),
        Command::SendBack(args) => steer::send_back(&around()?, &args),
        Command::Resume(args) => steer::resume(&around()?, &args),
        Command::Cancel(args) => steer::cancel(&around()?, &args),
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

/// A panic is our fault, and says so.
fn confess_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        out::error(&format!(
            "this is a bug in Proctor: {panic}\nhint: nothing recorded is lost; please report it with this text at {}/issues",
            env!("CARGO_PKG_REPOSITORY")
        ));
    }));
}
