//! Claude Code: `claude -p` with its stream of JSON lines, which is spoken with by `proctor claude-turn`, started in its place.
//! Measured with 2.1.325.

mod talk;

pub use talk::{Errand, Talk};

use crate::launch::{Hands, LaunchPlan, TurnAsk};
use crate::limit::{LimitEnd, Limited};
use crate::stream::{Counted, Failure, Heard, Notes, Said, StreamEnd, Tokens, number, text};
use crate::trouble;
use proctor_core::agent::{CliSpec, ProjectSettings, Session};
use proctor_core::words::Millis;
use serde_json::{Value, json};

pub(crate) const KEYS: [&str; 4] =
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"];
pub(crate) const LOGIN: &str = ".claude/.credentials.json";
pub(crate) const REMEDY: &str = "run `claude` and /login, or set ANTHROPIC_API_KEY";

const READING: &str = "Read,Grep,Glob";
const WORKING: &str = "Read,Write,Edit,Bash,Grep,Glob";

/// The last event of a turn that was stopped by us, in our own word.
const STOPPED: &str = "stopped";

/// A wait that is longer than this is ours, not the program's.
const LONGEST_WAIT_MS: u64 = 15_000;

pub(crate) fn plan(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    let file = ask.scratch.join("claude.json");
    plan.word(ask.own_program).word("claude-turn").word(file.clone());
    plan.move_in(&cli.program, ask);
    plan.words(["-p", "--output-format", "stream-json", "--verbose"]);
    plan.words(["--input-format", "stream-json"]);
    match cli.project_settings {
        ProjectSettings::Ignored => {
            plan.words(["--setting-sources", "", "--strict-mcp-config"]);
        }
        ProjectSettings::Used => plan.words(["--setting-sources", "project"]),
    }
    plan.words(["--tools", tools(ask.hands())]);
    let errand = Errand::of(ask, told(plan, ask));
    // It holds nothing that could not be written.
    plan.files.push((file, serde_json::to_vec_pretty(&errand).unwrap_or_default()));
    // The check of this very schema is ours too; a key that names its dialect is no part of it.
    let mut schema = ask.schema();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
    }
    plan.word("--json-schema").word(schema.to_string());
    if let Some(model) = &cli.model {
        plan.word("--model").word(model);
    }
    if let Some(turns) = cli.max_turns {
        plan.word("--max-turns").word(turns.to_string());
    }
    if let Some(left) = ask.room.money_left {
        plan.word("--max-budget-usd").word(format!("{}.{:06}", left / 1_000_000, left % 1_000_000));
    }
    match &ask.room.session {
        Session::New => {}
        Session::Resume { id } => {
            plan.word("--resume").word(id);
        }
        Session::Fork { id } => {
            plan.word("--resume").word(id).word("--fork-session");
        }
    }
    plan.words(&cli.args);
    settle(plan, cli, ask);
}

/// The tools that a role has at all.
pub(crate) fn tools(hands: Hands) -> &'static str {
    match hands {
        Hands::Tied => READING,
        Hands::Free => WORKING,
    }
}

/// What it may, for a program that can't ask.
fn told(plan: &mut LaunchPlan, ask: &TurnAsk<'_>) -> Vec<String> {
    let settings = ask.scratch.join("claude-settings.json");
    let deny: Vec<String> = ask.room.sealed.iter().map(|path| format!("Edit({path})")).collect();
    let rules = json!({"permissions": {"deny": deny}});
    plan.files.push((settings.clone(), format!("{rules:#}\n").into_bytes()));
    let mode: &[&str] = match ask.hands() {
        Hands::Tied => &["--permission-mode", "dontAsk"],
        Hands::Free => &["--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
    };
    let mut words: Vec<String> = mode.iter().map(|word| (*word).to_owned()).collect();
    words.extend(["--settings".to_owned(), settings.display().to_string()]);
    words
}

/// Its variables, key or login, however it is spoken with.
pub(crate) fn settle(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.set("CLAUDE_CONFIG_DIR", ask.room.home.join(".claude"));
    plan.set("CLAUDE_CODE_TMPDIR", ask.tmp());
    plan.set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    plan.set("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
    plan.set("CLAUDE_CODE_MAX_RETRIES", "1");
    if let Some(url) = &cli.base_url {
        plan.set("ANTHROPIC_BASE_URL", url);
    }
    plan.pass.extend(KEYS);
    plan.folders.push(ask.room.home.join(".claude"));
    if KEYS.iter().all(|key| *key == "ANTHROPIC_BASE_URL" || !ask.room.set.contains(*key)) {
        plan.login(ask, LOGIN, LOGIN);
    }
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    match (text(event, "type"), text(event, "subtype")) {
        ("system", "init") => heard.session = Some(text(event, "session_id").to_owned()),
        ("system", "api_retry") => retried(heard, event, notes),
        ("system", "permission_denied") => {
            notes
                .say(&format!("was refused {}:", text(event, "tool_name")), text(event, "message"));
        }
        ("rate_limit_event", _) => rate_limit(heard, &event["rate_limit_info"]),
        ("assistant", _) if event["parent_tool_use_id"].is_null() => {
            for block in event["message"]["content"].as_array().into_iter().flatten() {
                said(heard, block, notes);
            }
        }
        ("result", _) => result(heard, event),
        // By us: why, is known elsewhere. What it used is told all the same.
        (STOPPED, _) => bill(heard, event),
        _ => {}
    }
}

fn said(heard: &mut Heard, block: &Value, notes: &mut Notes<'_>) {
    match text(block, "type") {
        "text" => {
            text(block, "text").clone_into(&mut heard.text);
            notes.say("says", text(block, "text"));
        }
        "thinking" if !text(block, "thinking").is_empty() => {
            notes.say("thinks", text(block, "thinking"));
        }
        "tool_use" if text(block, "name") == "StructuredOutput" => {}
        "tool_use" => notes.tool(text(block, "name"), &block["input"]),
        _ => {}
    }
}

fn retried(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    let (status, wait) = (number(event, "error_status"), number(event, "retry_delay_ms"));
    let why = format!("the model's provider answered {status} ({})", text(event, "error"));
    notes.say("waits:", &format!("{why}, tries again in {} s", wait / 1000));
    if matches!(status, 429 | 503 | 529) && wait > LONGEST_WAIT_MS {
        heard.wait = Some(Limited { until: LimitEnd::After(wait), why });
    }
}

/// What a subscription has left.
fn rate_limit(heard: &mut Heard, told: &Value) {
    if text(told, "status") == "rejected"
        && let Some(at) = told["resetsAt"].as_u64()
    {
        let why = format!("usage limit reached ({})", text(told, "rateLimitType"));
        heard.wait = Some(Limited { until: LimitEnd::At(Millis(at * 1000)), why });
    }
}

fn result(heard: &mut Heard, event: &Value) {
    if heard.session.is_none() {
        heard.session = Some(text(event, "session_id").to_owned()).filter(|id| !id.is_empty());
    }
    bill(heard, event);
    heard.object = event["structured_output"].as_object().cloned();
    let errors: Vec<&str> =
        event["errors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let said = if errors.is_empty() { text(event, "result").to_owned() } else { errors.join("; ") };
    let failed = event["is_error"] == true || text(event, "subtype") != "success";
    heard.end = Some(if !failed {
        if !said.is_empty() {
            heard.text = said;
        }
        StreamEnd::Good
    } else if said.contains("No conversation found") {
        StreamEnd::Failed(Failure::SessionGone)
    } else if text(event, "terminal_reason") == "api_error" || said.contains("Not logged in") {
        StreamEnd::Failed(trouble::failure(event["api_error_status"].as_u64(), &said))
    } else {
        let said = format!("{}: {said}", text(event, "subtype"));
        StreamEnd::Failed(Failure::Other { said })
    });
}

fn bill(heard: &mut Heard, event: &Value) {
    let usage = &event["usage"];
    heard.bill.tokens = usage.is_object().then(|| Tokens {
        input: number(usage, "input_tokens") + number(usage, "cache_creation_input_tokens"),
        cached: number(usage, "cache_read_input_tokens"),
        output: number(usage, "output_tokens"),
    });
    heard.bill.usd = event["total_cost_usd"].as_f64();
    heard.bill.usd_is = Counted::TheWholeSession;
    let models = event["modelUsage"].as_object();
    if models.into_iter().flatten().any(|(_, of)| of["costBasis"] == "unknown") {
        heard.bill.usd_from = Said::Guessed;
    }
}
