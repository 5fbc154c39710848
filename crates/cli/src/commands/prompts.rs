//! `proctor show RUN --prompts`: what each turn of an agent was told, with how much of it there was to read.

use crate::args::Format;
use crate::out;
use proctor_core::event::{Effect, Event};
use proctor_core::tokens::count_tokens;
use proctor_core::words::RunId;
use proctor_engine::Home;
use proctor_journal::Recorded;
use serde_json::json;
use std::path::PathBuf;

/// One prompt.
struct Prompt {
    turn: String,
    path: PathBuf,
    tokens: u64,
    bytes: usize,
}

/// Lists the prompts of a run.
pub fn list(home: &Home, id: &RunId, history: &[Recorded<Event>], format: Format) {
    let prompts: Vec<Prompt> =
        history.iter().filter_map(|recorded| prompt(home, id, &recorded.body)).collect();
    let all: u64 = prompts.iter().map(|prompt| prompt.tokens).sum();
    match format {
        Format::Json => {
            for prompt in &prompts {
                let Prompt { turn, path, tokens, bytes } = prompt;
                let line = json!({"turn": turn, "tokens": tokens, "bytes": bytes, "path": path});
                out::json(&line.to_string());
            }
            out::json(&json!({"prompts": prompts.len(), "tokens": all}).to_string());
        }
        Format::Text => {
            let width = prompts.iter().map(|prompt| prompt.turn.len()).max().unwrap_or_default();
            for Prompt { turn, path, tokens, .. } in &prompts {
                let path = path.display();
                out::data(&format!("{turn:<width$}  {tokens:>7} tokens  {path}"));
            }
            out::data(&format!(
                "{:<width$}  {all:>7} tokens in {} prompts",
                "in all",
                prompts.len()
            ));
        }
    }
}

fn prompt(home: &Home, id: &RunId, event: &Event) -> Option<Prompt> {
    let Event::EffectBegan { no, effect } = event else { return None };
    let turn = match effect {
        Effect::Ask { phase, attempt, ask } => format!("{phase} {attempt}.{ask}"),
        Effect::Examine => "examine 1.1".to_owned(),
        _ => return None,
    };
    let path = home.run(id).join("turns").join(format!("{no:04}")).join("prompt.md");
    // A turn that never began has none.
    let text = std::fs::read_to_string(&path).ok()?;
    Some(Prompt { turn, tokens: count_tokens(&text), bytes: text.len(), path })
}
