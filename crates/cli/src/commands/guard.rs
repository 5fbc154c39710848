//! `proctor guard`: a guarded task in this checkout, in text and JSON, and the hooks of agents.

use crate::args::Format;
use crate::args::guard::{BeginArgs, GuardCommand, HostWord, InstallArgs, OffArgs};
use crate::out;
use anyhow::Result;
use proctor_core::guard::{GuardEvent, GuardStage, Guarded, MOST_REFUSALS, TurnedOff};
use proctor_desk::guard::{GuardAsk, Post, Proof, Reply, event, install, uninstall};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::{INTERRUPTED, usage};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::time::SystemTime;

/// What an agent's program takes for a refusal.
const REFUSED: u8 = 2;
/// What a program sets in the shells that an agent opens.
const AGENTS_SHELL: [&str; 3] = ["CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX"];

pub fn guard(around: &Surroundings, command: &GuardCommand) -> Result<u8> {
    let format = command.format();
    match command {
        GuardCommand::Install(args) => installed(around, args),
        GuardCommand::Uninstall => {
            by_person(around)?;
            for file in uninstall(around)? {
                out::data(&format!("{}: hooks taken out", file.display()));
            }
            Ok(0)
        }
        GuardCommand::Begin(args) => begin(around, args),
        GuardCommand::Red(_) => {
            let post = Post::here(around)?;
            Ok(proven(&post.prove_red(around, &mut tell)?, format))
        }
        GuardCommand::Green(_) => {
            let post = Post::here(around)?;
            Ok(proven(&post.prove_green(around, &mut tell)?, format))
        }
        GuardCommand::Status(_) => status(around, format),
        GuardCommand::Off(args) => off(around, args),
        GuardCommand::Hook => Ok(answer(around, SystemTime::now())),
    }
}

fn tell(line: &str) {
    out::talk(&format!("       {line}"));
}

/// The guard ends by a person's hand. An agent's shell says that it is one.
fn by_person(around: &Surroundings) -> Result<()> {
    match AGENTS_SHELL.iter().find(|name| around.var(name).is_some()) {
        None => Ok(()),
        Some(name) => Err(usage(format!(
            "this is an agent's shell ({name} is set), and turning the guard off is for a person\nhint: say it in a terminal of your own"
        ))),
    }
}

fn installed(around: &Surroundings, args: &InstallArgs) -> Result<u8> {
    let hosts: Vec<_> = args.agent.iter().copied().map(HostWord::meant).collect();
    for one in install(around, &hosts)? {
        out::data(&format!("{}: hooks for {}", one.file.display(), one.host.name()));
        if let Some(besides) = one.host.besides() {
            out::talk(besides);
        }
    }
    out::talk(
        "They do nothing until `proctor guard begin \"what is wanted\"`; a session that is open already has to be started again.",
    );
    Ok(0)
}

fn begin(around: &Surroundings, args: &BeginArgs) -> Result<u8> {
    let ask =
        GuardAsk { text: args.text.clone(), kind: args.kind.meant(), targets: args.target.clone() };
    let open = Post::here(around)?.begin(around, &ask)?;
    match args.format.format {
        Format::Json => out::json(&standing(&open).to_string()),
        Format::Text => {
            out::data(&format!("guarded: {} (on {})", open.text, open.base.short()));
            if open.hooks.is_empty() {
                out::talk(
                    "! no hooks of Proctor's stand in this checkout: agents are held back only by `proctor guard red` and `green`\nhint: `proctor guard off`, `proctor guard install`, and begin again; a plugin's hooks are heard too",
                );
            }
            out::talk("Now the tests; `proctor guard red` proves and seals them.");
        }
    }
    Ok(0)
}

fn proven(proof: &Proof, format: Format) -> u8 {
    let (code, value) = match proof {
        Proof::Red { red, guards, sealed } => {
            (0, json!({"proof": "red", "red": red, "guards": guards, "sealed": sealed}))
        }
        Proof::Green { reason } => (0, json!({"proof": "green", "reason": reason})),
        Proof::Refused { why } => (1, json!({"proof": null, "why": why})),
        Proof::Interrupted => (INTERRUPTED, json!({"proof": null, "why": ["interrupted"]})),
    };
    if format == Format::Json {
        out::json(&value.to_string());
        return code;
    }
    match proof {
        Proof::Red { red, guards, sealed } => {
            let tests = if red.is_empty() { guards } else { red };
            let word = if red.is_empty() { "pins today's behaviour" } else { "fails" };
            for test in tests {
                out::data(&format!("{word} on the base: {test}"));
            }
            out::data(&format!("red is proven; {sealed} files are sealed. Now the code."));
        }
        Proof::Green { reason } => out::data(&format!("green is proven: {reason}")),
        Proof::Refused { why } => {
            out::data("not proven:");
            for one in why {
                out::data(&format!("  - {one}"));
            }
        }
        Proof::Interrupted => out::talk("interrupted; nothing was judged"),
    }
    code
}

fn standing(open: &Guarded) -> Value {
    let (red, tree) = match &open.stage {
        GuardStage::Tests => (None, None),
        GuardStage::Code { red, .. } => (Some(red), None),
        GuardStage::Green { red, tree, .. } => (Some(red), Some(tree)),
    };
    json!({
        "task": open.text, "type": open.kind.name(), "base": open.base, "stage": open.stage.name(),
        "red": red, "proven_tree": tree, "sealed": open.stage.seal().map(|seal| seal.keys().collect::<Vec<_>>()),
        "wanting": open.wanting.as_ref().map(|(_, why)| why), "refusals": open.refusals,
        "put_back": open.put_back, "hooks": open.hooks,
    })
}

fn status(around: &Surroundings, format: Format) -> Result<u8> {
    let post = Post::here(around)?;
    let open = post.read()?.open;
    if format == Format::Json {
        let guarded = open.as_ref().map(standing);
        let history: Vec<Value> =
            post.history()?.iter().map(|(at, fact)| json!({"at": at, "fact": fact})).collect();
        out::json(&json!({"guarded": guarded, "history": history}).to_string());
        return Ok(0);
    }
    match &open {
        None => out::data("no task is guarded in this checkout"),
        Some(open) => {
            out::data(&format!(
                "guarded: {} ({}, on {})",
                open.text,
                open.kind.name(),
                open.base.short()
            ));
            out::data(match &open.stage {
                GuardStage::Tests => "tests are being written; nothing is proven yet",
                GuardStage::Code { .. } => {
                    "red is proven and the tests are sealed; green is not proven"
                }
                GuardStage::Green { .. } => "green is proven of the checkout as it was then",
            });
            for why in open.wanting.iter().flat_map(|(_, why)| why) {
                out::data(&format!("  - {why}"));
            }
        }
    }
    for (at, fact) in post.history()? {
        out::data(&format!("{at}  {}", words(&fact)));
    }
    Ok(0)
}

fn words(fact: &GuardEvent) -> String {
    match fact {
        GuardEvent::Begun { text, .. } => format!("begun: {text}"),
        GuardEvent::RedProven { red, seal, .. } => {
            format!("red is proven by {} tests, {} files are sealed", red.len(), seal.len())
        }
        GuardEvent::Refused { why, .. } => format!("not proven: {}", why.join("; ")),
        GuardEvent::GreenProven { reason, .. } => format!("green is proven: {reason}"),
        GuardEvent::EditRefused { path } => format!("an edit of {path} was refused"),
        GuardEvent::PutBack { path, saved } => match saved {
            Some(saved) => format!("{path} was put back; what stood there is kept at {saved}"),
            None => format!("{path} was gone, and is back"),
        },
        GuardEvent::StopRefused { .. } => "the agent was held back".to_owned(),
        GuardEvent::LetGo { .. } => {
            format!("the agent was let go after {MOST_REFUSALS} refusals; nothing is proven")
        }
        GuardEvent::Off { why, by } => {
            let by = match by {
                TurnedOff::Terminal => "at a terminal",
                TurnedOff::Program => "by a program, not at a terminal",
            };
            let why = if why.is_empty() { "no reason given" } else { why };
            format!("turned off {by}: {why}")
        }
    }
}

fn off(around: &Surroundings, args: &OffArgs) -> Result<u8> {
    by_person(around)?;
    let by = if std::io::stdin().is_terminal() { TurnedOff::Terminal } else { TurnedOff::Program };
    let open = Post::here(around)?.off(&args.why, by)?;
    match args.format.format {
        Format::Json => out::json(&standing(&open).to_string()),
        Format::Text => {
            let proven = match open.stage {
                GuardStage::Green { .. } => "green was proven",
                GuardStage::Tests | GuardStage::Code { .. } => "green was not proven",
            };
            out::data(&format!("the guard is off: {} ({proven}; recorded)", open.text));
        }
    }
    Ok(0)
}

/// What agents' programs call: no command line is read for it.
pub fn hook() -> ExitCode {
    let began = SystemTime::now();
    match Surroundings::look(None) {
        Ok(around) => ExitCode::from(answer(&around, began)),
        Err(why) => {
            out::error(&format!("{why:#}"));
            ExitCode::FAILURE
        }
    }
}

fn answer(around: &Surroundings, began: SystemTime) -> u8 {
    let mut told = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut told).map_err(anyhow::Error::from);
    match read.and_then(|_| event(around, (&told, began), &mut |_| {})) {
        Ok(Reply::Pass) => 0,
        Ok(Reply::Refuse(text)) => {
            out::raw_talk(format!("{text}\n").as_bytes());
            REFUSED
        }
        Ok(Reply::Say(text)) => {
            out::json(&json!({"systemMessage": text}).to_string());
            0
        }
        Err(why) => {
            out::error(&format!("{why:#}"));
            1
        }
    }
}
