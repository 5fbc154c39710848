//! goose: `goose run` with a recipe and its stream of JSON lines. Measured with 1.52.0.

use crate::launch::{Hands, LaunchPlan, TurnAsk};
use crate::stream::{Counted, Failure, Heard, Notes, StreamEnd, Tokens, number, short, text};
use crate::trouble;
use proctor_core::agent::{CliSpec, Session};
use serde_json::{Value, json};

pub(crate) const REMEDY: &str =
    "run `goose configure`, or name `provider` and `model` and set the provider's key";

/// Each provider with its key and the variable for another place where it answers.
pub(crate) const PROVIDERS: [(&str, &str, &str); 6] = [
    ("openai", "OPENAI_API_KEY", "OPENAI_HOST"),
    ("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_HOST"),
    ("google", "GOOGLE_API_KEY", "GOOGLE_HOST"),
    ("openrouter", "OPENROUTER_API_KEY", "OPENROUTER_HOST"),
    ("groq", "GROQ_API_KEY", "GROQ_HOST"),
    ("ollama", "OLLAMA_HOST", "OLLAMA_HOST"),
];
pub(crate) const CONFIG: &str = ".config/goose/config.yaml";
pub(crate) const SECRETS: &str = ".config/goose/secrets.yaml";

/// How it says that the provider failed: as if the model had said it, and with exit code 0. Told to get an answer by a
/// recipe it would say so again and again.
const FAILED: [&str; 2] = ["Ran into this error: ", "Network error: "];
const TOO_MANY: &str = "I've reached the maximum number of actions";

pub(crate) fn plan(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.move_in(&cli.program, ask);
    let recipe = ask.scratch.join("goose-recipe.json");
    plan.files.push((recipe.clone(), format!("{:#}\n", recipe_of(ask)).into_bytes()));
    plan.words(["run", "-q", "--output-format", "stream-json", "--recipe"]);
    plan.word(recipe);
    if let Some(turns) = cli.max_turns {
        plan.word("--max-turns").word(turns.to_string());
    }
    // It can't branch a session off here.
    let id = match &ask.room.session {
        Session::Resume { id } => id.clone(),
        Session::New | Session::Fork { .. } => {
            format!("{}-{}-{}-{}", ask.run, ask.phase, ask.attempt, ask.ask)
        }
    };
    plan.word("-n").word(id.clone());
    if let Session::Resume { .. } = &ask.room.session {
        plan.word("--resume");
    }
    plan.session = Some(id);
    plan.words(&cli.args);
    plan.set("GOOSE_MODE", "auto");
    settle(plan, cli, ask);
}

/// Its variables, key or login, however it is spoken with.
pub(crate) fn settle(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    for (name, value) in [("GOOSE_DISABLE_KEYRING", "1"), ("GOOSE_TELEMETRY_OFF", "1")] {
        plan.set(name, value);
    }
    if let Some(provider) = &cli.provider {
        plan.set("GOOSE_PROVIDER", provider);
        let known = PROVIDERS.iter().find(|(name, _, _)| name == provider);
        if let Some((_, key, host)) = known {
            plan.pass.push(key);
            if let Some(url) = &cli.base_url {
                plan.set(host, url);
            }
        }
    } else {
        plan.login(ask, CONFIG, CONFIG);
        plan.login(ask, SECRETS, SECRETS);
    }
    if let Some(model) = &cli.model {
        plan.set("GOOSE_MODEL", model);
    }
}

fn recipe_of(ask: &TurnAsk<'_>) -> Value {
    let mut developer = json!({"type": "builtin", "name": "developer"});
    if ask.hands() == Hands::Tied {
        developer["available_tools"] = json!(["tree", "analyze", "read"]);
    }
    let mut schema = ask.schema();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
    }
    json!({
        "version": "1.0.0",
        "title": format!("proctor {}", ask.phase),
        "description": "One turn of a run",
        "instructions": "You work in the current folder.",
        // What looks like a place-holder in there is none.
        "prompt": format!("{{% raw %}}{}{{% endraw %}}", ask.prompt),
        "extensions": [developer],
        "response": {"json_schema": schema},
    })
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    match text(event, "type") {
        "message" if text(&event["message"], "role") == "assistant" => {
            for block in event["message"]["content"].as_array().into_iter().flatten() {
                said(heard, block, notes);
            }
        }
        "error" => {
            let said = text(event, "error");
            notes.say("!", said);
            heard.fail(trouble::failure(None, said));
        }
        "complete" => complete(heard, event),
        _ => {}
    }
}

fn said(heard: &mut Heard, block: &Value, notes: &mut Notes<'_>) {
    match text(block, "type") {
        "text" => {
            heard.text.push_str(text(block, "text"));
            notes.say("says", text(block, "text"));
            if let Some(said) = own_failure(&heard.text) {
                heard.end = Some(StreamEnd::Failed(trouble::failure(None, said)));
            }
        }
        "error" => {
            let said = text(block, "message");
            notes.say("!", said);
            heard.fail(match text(block, "kind") {
                "authentication" => Failure::NoLogin { said: short(said) },
                _ => trouble::failure(None, said),
            });
        }
        "thinking" => notes.say("thinks", text(block, "thinking")),
        "toolRequest" => {
            heard.text.clear();
            // It got over it.
            heard.end = None;
            let call = &block["toolCall"]["value"];
            let name = text(call, "name");
            if name.ends_with("final_output") {
                heard.object = call["arguments"].as_object().cloned();
            } else {
                notes.tool(name, &call["arguments"]);
            }
        }
        _ => {}
    }
}

/// What it says, where the provider failed and not the model spoke.
pub(crate) fn own_failure(said: &str) -> Option<&str> {
    FAILED.iter().find_map(|start| said.strip_prefix(start))
}

fn complete(heard: &mut Heard, event: &Value) {
    let cached = number(event, "cache_read_input_tokens");
    heard.bill.tokens = Some(Tokens {
        input: number(event, "input_tokens").saturating_sub(cached),
        cached,
        output: number(event, "output_tokens"),
    });
    heard.bill.tokens_are = Counted::TheWholeSession;
    heard.bill.usd = event["cost_usd"].as_f64();
    heard.bill.usd_is = Counted::TheWholeSession;
    if heard.end.is_some() {
        return;
    }
    let last = heard.text.trim_start().to_owned();
    heard.end = Some(if last.starts_with(TOO_MANY) {
        StreamEnd::Failed(Failure::Other { said: short(&last) })
    } else if number(event, "total_tokens") == 0 && heard.object.is_none() {
        // No model was asked: what it says then is its own.
        StreamEnd::Failed(trouble::failure(None, &last))
    } else {
        StreamEnd::Good
    });
}

/// What the program says on stderr when it ends without an event.
pub(crate) fn last_words(stderr: &str) -> Option<Failure> {
    let low = stderr.to_lowercase();
    if low.contains("no session") || low.contains("session not found") {
        return Some(Failure::SessionGone);
    }
    let unset = low.contains("no provider configured") || low.contains("goose configure");
    unset.then(|| Failure::NoLogin { said: short(stderr) })
}
