//! Gemini CLI: `gemini` with its stream of JSON lines. Measured with 0.61.0.

use crate::launch::{Hands, LaunchPlan, TurnAsk};
use crate::stream::{Failure, Heard, Notes, StreamEnd, Tokens, number, text};
use crate::trouble;
use proctor_core::agent::{CliSpec, ProjectSettings, Session};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) const KEYS: [&str; 6] = [
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_GEMINI_BASE_URL",
];
pub(crate) const LOGIN: &str = ".gemini/oauth_creds.json";
const ACCOUNTS: &str = ".gemini/google_accounts.json";
pub(crate) const REMEDY: &str = "run `gemini` and log in, or set GEMINI_API_KEY";

pub(crate) fn plan(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.move_in(&cli.program, ask);
    plan.words(["-o", "stream-json", "--skip-trust", "--approval-mode"]);
    plan.word(match ask.hands() {
        // What is not granted is not there at all: only the tools that read are left.
        Hands::Tied => "default",
        Hands::Free => "yolo",
    });
    if let Some(model) = &cli.model {
        plan.word("-m").word(model);
    }
    seal(plan, ask);
    match &ask.room.session {
        Session::Resume { id } => plan.words(["--resume", id]),
        // It can only branch off a file, whose name nobody knows beforehand.
        Session::New | Session::Fork { .. } => {}
    }
    plan.words(&cli.args);
    settle(plan, cli, ask);
}

/// Its variables, key or login, and settings, however it is spoken with.
pub(crate) fn settle(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.pass.extend(KEYS);
    plan.set("GEMINI_CLI_HOME", ask.room.home.clone());
    plan.set("GEMINI_CLI_NO_RELAUNCH", "true");
    if let ProjectSettings::Used = cli.project_settings {
        plan.set("GEMINI_CLI_TRUST_WORKSPACE", "true");
    }
    if let Some(url) = &cli.base_url {
        plan.set("GOOGLE_GEMINI_BASE_URL", url);
    }
    let has = |name: &str| ask.room.set.contains(name);
    let auth = if has("GEMINI_API_KEY") {
        "gemini-api-key"
    } else if has("GOOGLE_GENAI_USE_VERTEXAI") {
        "vertex-ai"
    } else {
        plan.login(ask, LOGIN, LOGIN);
        plan.login(ask, ACCOUNTS, ACCOUNTS);
        "oauth-personal"
    };
    let mut settings = json!({
        "security": {"auth": {"selectedType": auth}},
        "privacy": {"usageStatisticsEnabled": false},
        "general": {"enableAutoUpdate": false, "maxAttempts": 2},
    });
    if let Some(turns) = cli.max_turns {
        settings["model"] = json!({"maxSessionTurns": turns});
    }
    let file = ask.room.home.join(".gemini/settings.json");
    plan.folders.push(ask.room.home.join(".gemini"));
    plan.files.push((file, format!("{settings:#}\n").into_bytes()));
}

/// Tells it of the sealed files.
pub(crate) fn seal(plan: &mut LaunchPlan, ask: &TurnAsk<'_>) {
    if !ask.room.sealed.is_empty() && ask.hands() == Hands::Free {
        let policy = ask.scratch.join("gemini-policy.toml");
        plan.files.push((policy.clone(), sealed_policy(&ask.room.sealed).into_bytes()));
        plan.word("--policy").word(policy);
    }
}

/// Rules that keep its editing tools off the sealed files. Its shell does not ask them.
fn sealed_policy(sealed: &[String]) -> String {
    let mut rules = String::new();
    for path in sealed {
        let mut pattern = String::new();
        for c in path.chars() {
            if !c.is_ascii_alphanumeric() && !matches!(c, '/' | '_' | '-') {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        // Writing into a string can't fail.
        let _ = writeln!(
            rules,
            "[[rule]]\ntoolName = [\"write_file\", \"replace\"]\nargsPattern = {}\ndecision = \"deny\"\npriority = 900\ndenyMessage = \"Proctor: {} is sealed in this phase\"\n",
            Value::from(pattern),
            path.replace(['"', '\\'], "?")
        );
    }
    rules
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    match text(event, "type") {
        "init" => heard.session = Some(text(event, "session_id").to_owned()),
        "message" if text(event, "role") == "assistant" => {
            if event["delta"] != true {
                heard.text.clear();
            }
            heard.text.push_str(text(event, "content"));
            notes.say("says", text(event, "content"));
        }
        "tool_use" => {
            // What is said after it is another message.
            heard.text.clear();
            notes.tool(text(event, "tool_name"), &event["parameters"]);
        }
        "tool_result" if text(event, "status") == "error" => {
            notes.say("! a tool failed:", text(&event["error"], "message"));
        }
        "error" => notes.say("!", text(event, "message")),
        "result" => result(heard, event),
        _ => {}
    }
}

fn result(heard: &mut Heard, event: &Value) {
    let stats = &event["stats"];
    if stats.is_object() {
        let cached = number(stats, "cached");
        heard.bill.tokens = Some(Tokens {
            input: number(stats, "input_tokens").saturating_sub(cached),
            cached,
            output: number(stats, "output_tokens"),
        });
    }
    if text(event, "status") == "success" {
        heard.end = Some(StreamEnd::Good);
        return;
    }
    let said = text(&event["error"], "message");
    let code = event["error"]["code"].as_u64();
    heard.fail(match text(&event["error"], "type") {
        "FatalTurnLimitedError" => Failure::Other { said: said.to_owned() },
        _ => trouble::failure(code, said),
    });
}

/// What the exit code says when the program ends without an event.
pub(crate) fn last_words(code: i32, stderr: &str) -> Option<Failure> {
    let low = stderr.to_lowercase();
    match code {
        41 => Some(Failure::NoLogin { said: crate::stream::short(stderr) }),
        42 if low.contains("session") => Some(Failure::SessionGone),
        // An error of the provider ends it with the status, of which eight bits are left.
        145 => Some(trouble::failure(Some(401), stderr)),
        173 => Some(trouble::failure(Some(429), stderr)),
        _ => None,
    }
}
