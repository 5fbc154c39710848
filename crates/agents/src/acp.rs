//! Any agent that speaks the Agent Client Protocol. Its client is `proctor acp`, started in the agent's place: it speaks with the agent and
//! prints lines of our own, which are read here. What is known of single programs is in `make`.

mod choice;
mod client;
mod errand;
mod greeting;
mod make;
mod tale;
mod wants;
mod wire;

pub use client::Client;
pub use errand::Errand;
pub use greeting::{About, answer_to_hello, hello};
pub use make::of as make_of;
pub use wants::Deed;
pub use wire::Fault;

use crate::launch::{LaunchPlan, TurnAsk};
use crate::stream::{Counted, Failure, Heard, Notes, Said, StreamEnd, Tokens, short, text};
use crate::trouble;
use proctor_core::agent::{AcpSpec, Make};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) use make::{forks, goes_on};

pub(crate) const REMEDY: &str =
    "log in with the agent's own program, or name the variable of its key in `env` of this agent";

pub(crate) fn plan(plan: &mut LaunchPlan, acp: &AcpSpec, ask: &TurnAsk<'_>) {
    let file = ask.scratch.join("acp.json");
    plan.word(ask.own_program).word("acp").word(file.clone());
    plan.move_in(&acp.cli.program, ask);
    plan.words(&acp.cli.args);
    let words = std::iter::once(&acp.cli.program).chain(&acp.cli.args);
    plan.needs.read.extend(words.filter_map(|word| packages(Path::new(word))));
    let errand = make::prepare(plan, acp, ask);
    // It holds nothing that could not be written.
    let text = serde_json::to_vec_pretty(&errand).unwrap_or_default();
    plan.files.push((file, text));
    plan.folders.push(errand.logs);
}

/// The node packages among which a program lies.
fn packages(program: &Path) -> Option<PathBuf> {
    let above = program.ancestors().filter(|folder| folder.ends_with("node_modules"));
    above.last().map(Path::to_owned)
}

/// A line of our client.
pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    match text(event, "event") {
        "agent" => {
            let name = [text(event, "name"), text(event, "version")].join(" ");
            if !name.trim().is_empty() {
                notes.say("is", &name);
            }
        }
        "session" => heard.session = Some(text(event, "id").to_owned()),
        "said" => {
            text(event, "text").clone_into(&mut heard.text);
            notes.say("says", text(event, "text"));
        }
        "thought" => notes.say("thinks", text(event, "text")),
        "tool" => tool(event, notes),
        "tool-failed" => match text(event, "said") {
            "" => notes.say("! a tool failed", ""),
            said => notes.say("! a tool failed:", said),
        },
        "plan" => {
            for step in event["steps"].as_array().into_iter().flatten() {
                notes.say("plans", step.as_str().unwrap_or_default());
            }
        }
        "refused" => {
            let said = format!("{}: {}", short(text(event, "what")), text(event, "why"));
            notes.say("was refused", &said);
        }
        "noise" => notes.say("", text(event, "text")),
        "usage" => usage(heard, event),
        "end" => heard.end = Some(StreamEnd::Good),
        "failed" => {
            let said = text(event, "said");
            notes.say("!", said);
            heard.fail(match text(event, "class") {
                "login" => Failure::NoLogin { said: short(said) },
                "limited" => trouble::failure(Some(429), said),
                "session-gone" => Failure::SessionGone,
                "stopped" => Failure::Other { said: said.to_owned() },
                _ => trouble::failure(None, said),
            });
        }
        _ => {}
    }
}

fn tool(event: &Value, notes: &mut Notes<'_>) {
    let (path, title) = (text(event, "path"), text(event, "title"));
    match (text(event, "kind"), text(event, "command"), path) {
        (_, command, _) if !command.is_empty() => notes.say("runs", command),
        (_, _, "") => notes.say("uses", title),
        ("read", _, path) => notes.say("reads", path),
        ("edit", _, path) => notes.say("edits", path),
        ("delete", _, path) => notes.say("deletes", path),
        ("move", _, path) => notes.say("moves", path),
        _ => notes.say("uses", title),
    }
}

fn usage(heard: &mut Heard, event: &Value) {
    let count = |at: usize| event["tokens"].get(at).and_then(Value::as_u64);
    if let (Some(input), Some(cached), Some(output)) = (count(0), count(1), count(2)) {
        heard.bill.tokens = Some(Tokens { input, cached, output });
        heard.bill.tokens_from = if event["guessed"] == true { Said::Guessed } else { Said::Known };
    }
    if let Some(usd) = event["usd"].as_f64() {
        heard.bill.usd = Some(usd);
        heard.bill.usd_is = Counted::TheWholeSession;
    }
}

/// What a program says on stderr when it ends without an answer.
pub(crate) fn last_words(acp: &AcpSpec, code: i32, stderr: &str) -> Option<Failure> {
    match acp.make {
        Make::Codex => crate::codex::last_words(stderr),
        Make::Gemini => crate::gemini::last_words(code, stderr),
        Make::Opencode => crate::opencode::last_words(stderr),
        Make::Goose => crate::goose::last_words(stderr),
        Make::Claude | Make::Other => None,
    }
}
