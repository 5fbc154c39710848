//! opencode: `opencode run` with its JSON lines. Measured with 1.18.33.

use crate::launch::{Hands, LaunchPlan, TurnAsk};
use crate::limit::Limited;
use crate::stream::{Failure, Heard, Notes, StreamEnd, Tokens, number, text};
use crate::trouble;
use proctor_core::agent::{CliSpec, ProjectSettings, Session};
use serde_json::{Map, Value, json};

pub(crate) const LOGIN: &str = ".local/share/opencode/auth.json";
pub(crate) const REMEDY: &str = "run `opencode auth login`, or set the key of the model's provider";

/// The key of each provider that a model can begin with.
pub(crate) const KEYS: [(&str, &str); 9] = [
    ("anthropic", "ANTHROPIC_API_KEY"),
    ("openai", "OPENAI_API_KEY"),
    ("google", "GOOGLE_GENERATIVE_AI_API_KEY"),
    ("openrouter", "OPENROUTER_API_KEY"),
    ("groq", "GROQ_API_KEY"),
    ("mistral", "MISTRAL_API_KEY"),
    ("deepseek", "DEEPSEEK_API_KEY"),
    ("xai", "XAI_API_KEY"),
    ("opencode", "OPENCODE_API_KEY"),
];

pub(crate) fn plan(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.move_in(&cli.program, ask);
    plan.words(["run", "--format", "json", "--print-logs", "--log-level", "ERROR"]);
    if cli.project_settings == ProjectSettings::Ignored {
        plan.word("--pure");
    }
    if let Some(model) = &model(cli) {
        plan.word("-m").word(model);
    }
    match &ask.room.session {
        Session::New => {}
        Session::Resume { id } => plan.words(["--session", id]),
        Session::Fork { id } => plan.words(["--session", id, "--fork"]),
    }
    plan.words(&cli.args);
    settle(plan, cli, ask);
}

/// The model in its own words.
fn model(cli: &CliSpec) -> Option<String> {
    match (&cli.model, &cli.base_url) {
        (Some(model), Some(_)) => Some(format!("proctor/{model}")),
        (Some(model), None) => match &cli.provider {
            Some(provider) => Some(format!("{provider}/{model}")),
            None => Some(model.clone()),
        },
        (None, _) => None,
    }
}

/// Its variables, key or login, and settings, however it is spoken with.
pub(crate) fn settle(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    if cli.project_settings == ProjectSettings::Ignored {
        plan.set("OPENCODE_DISABLE_PROJECT_CONFIG", "1");
        // Plugins in there are started whatever it is told.
        plan.aside.push(".opencode");
    }
    let model = model(cli);
    let provider = model.as_deref().and_then(|model| model.split('/').next()).unwrap_or_default();
    let key = match &cli.base_url {
        Some(_) => Some("OPENAI_API_KEY"),
        None => KEYS.iter().find(|(name, _)| *name == provider).map(|(_, key)| *key),
    };
    plan.pass.extend(key);
    if key.is_none_or(|key| !ask.room.set.contains(key)) {
        plan.login(ask, LOGIN, LOGIN);
    }
    plan.set("OPENCODE_CONFIG_CONTENT", config(cli, ask, model.as_deref()).to_string());
    for name in [
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_MODELS_FETCH",
        "OPENCODE_DISABLE_LSP_DOWNLOAD",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        "OPENCODE_DISABLE_SHARE",
    ] {
        plan.set(name, "1");
    }
}

fn config(cli: &CliSpec, ask: &TurnAsk<'_>, model: Option<&str>) -> Value {
    let permission = match ask.hands() {
        Hands::Tied => json!({"edit": "deny", "bash": "deny", "webfetch": "deny"}),
        Hands::Free => {
            let mut edit = Map::from_iter([("*".to_owned(), json!("allow"))]);
            edit.extend(ask.room.sealed.iter().map(|path| (path.clone(), json!("deny"))));
            json!({"edit": edit, "bash": "allow", "webfetch": "deny"})
        }
    };
    let mut config = json!({
        "autoupdate": false, "share": "disabled", "snapshot": false, "permission": permission,
    });
    if let Some(model) = model {
        config["model"] = json!(model);
        config["small_model"] = json!(model);
    }
    if let (Some(url), Some(model)) = (&cli.base_url, &cli.model) {
        config["provider"] = json!({"proctor": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "proctor",
            "options": {"baseURL": url, "apiKey": "{env:OPENAI_API_KEY}"},
            "models": {model: {"name": model, "tool_call": true}},
        }});
    }
    config
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    let part = &event["part"];
    if heard.session.is_none() {
        heard.session = Some(text(event, "sessionID").to_owned()).filter(|id| !id.is_empty());
    }
    match text(event, "type") {
        // Another step: the last one was not the end.
        "step_start" => heard.end = None,
        "text" => {
            text(part, "text").clone_into(&mut heard.text);
            notes.say("says", text(part, "text"));
        }
        "reasoning" => notes.say("thinks", text(part, "text")),
        "tool_use" => {
            let state = &part["state"];
            notes.tool(text(part, "tool"), &state["input"]);
            if text(state, "status") == "error" {
                notes.say("! that failed:", text(state, "error"));
            }
        }
        "step_finish" => {
            let (said, cache) = (&part["tokens"], &part["tokens"]["cache"]);
            let sum = heard.bill.tokens.unwrap_or_default();
            heard.bill.tokens = Some(Tokens {
                input: sum.input + number(said, "input") + number(cache, "write"),
                cached: sum.cached + number(cache, "read"),
                output: sum.output + number(said, "output") + number(said, "reasoning"),
            });
            let usd =
                heard.bill.usd.unwrap_or_default() + part["cost"].as_f64().unwrap_or_default();
            heard.bill.usd = (usd > 0.0).then_some(usd);
            if text(part, "reason") == "stop" {
                heard.end = Some(StreamEnd::Good);
            }
        }
        "error" => {
            let (error, told) = (&event["error"], &event["error"]["data"]);
            let said = match text(told, "message") {
                "" => text(error, "name"),
                message => message,
            };
            notes.say("!", said);
            heard.fail(trouble::failure(told["statusCode"].as_u64(), said));
        }
        _ => {}
    }
}

/// It tries again for ever at a limit, and says so in its log alone.
pub(crate) fn waits(line: &str) -> Option<Limited> {
    let (_, said) = line.split_once("AI_APICallError: ")?;
    match trouble::failure(None, said.trim_end_matches('"')) {
        Failure::Limited(limited) => Some(limited),
        Failure::NoLogin { .. } | Failure::SessionGone | Failure::Other { .. } => None,
    }
}

/// What the program says on stderr when it ends without an event.
pub(crate) fn last_words(stderr: &str) -> Option<Failure> {
    let low = stderr.to_lowercase();
    if low.contains("session not found") || low.contains("notfounderror") && low.contains("session")
    {
        return Some(Failure::SessionGone);
    }
    None
}
