//! Codex CLI: `codex exec` with its JSON lines. Measured with 0.166.0.

use crate::launch::{Hands, LaunchPlan, TurnAsk, Walls};
use crate::stream::{Counted, Failure, Heard, Notes, StreamEnd, Tokens, number, text};
use crate::trouble;
use proctor_core::agent::{CliSpec, ProjectSettings, Session};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) const KEYS: [&str; 2] = ["OPENAI_API_KEY", "CODEX_API_KEY"];
pub(crate) const LOGIN: &str = ".codex/auth.json";
pub(crate) const REMEDY: &str = "run `codex login`, or set CODEX_API_KEY";

const OPENAI: &str = "https://api.openai.com/v1";

pub(crate) fn plan(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    plan.move_in(&cli.program, ask);
    let settings = settle(plan, cli, ask);
    let schema = ask.scratch.join("codex-schema.json");
    plan.files.push((schema.clone(), format!("{:#}\n", strict(ask.schema())).into_bytes()));
    plan.words(["exec", "--json", "--skip-git-repo-check", "--output-schema"]);
    plan.word(schema);
    if let Some(model) = &cli.model {
        plan.word("-m").word(model);
    }
    sandbox(plan, cli, ask);
    for (key, value) in settings {
        plan.word("-c").word(format!("{key}={value}"));
    }
    plan.words(["--disable", "plugins", "--disable", "unbounded_connection_retries"]);
    plan.words(&cli.args);
    match &ask.room.session {
        Session::New => {}
        Session::Resume { id } => plan.words(["resume", id]),
        Session::Fork { id } => plan.words(["fork", id]),
    }
    plan.word("-");
}

/// Its variables, key or login, however it is spoken with. Gives the settings that it is to be started with.
pub(crate) fn settle(
    plan: &mut LaunchPlan,
    cli: &CliSpec,
    ask: &TurnAsk<'_>,
) -> Vec<(String, String)> {
    let home = ask.room.home.join(".codex");
    plan.set("CODEX_HOME", home.clone());
    plan.folders.push(home);
    plan.pass.extend(KEYS);
    if cli.project_settings == ProjectSettings::Ignored {
        // That the folder is not trusted holds for a new session alone: a resumed one started the servers in there.
        plan.aside.push(".codex");
    }
    let mut settings = vec![
        ("analytics.enabled".to_owned(), "false".to_owned()),
        // A login shell would take the machine's PATH for the one that tests run with.
        ("allow_login_shell".to_owned(), "false".to_owned()),
        ("check_for_update_on_startup".to_owned(), "false".to_owned()),
        ("projects".to_owned(), trust(cli.project_settings, ask.worktree)),
    ];
    let has = |name: &str| ask.room.set.contains(name);
    // A provider of our own where the program's own would not take the key, and where retries can be turned down.
    if cli.base_url.is_some() || (has("OPENAI_API_KEY") && !has("CODEX_API_KEY")) {
        let url = cli.base_url.as_deref().unwrap_or(OPENAI);
        settings.push(("model_provider".to_owned(), quoted("proctor")));
        for (key, value) in [
            ("name", quoted("proctor")),
            ("base_url", quoted(url)),
            ("env_key", quoted("OPENAI_API_KEY")),
            ("wire_api", quoted("responses")),
            ("request_max_retries", "1".to_owned()),
            ("stream_max_retries", "1".to_owned()),
        ] {
            settings.push((format!("model_providers.proctor.{key}"), value));
        }
    } else if !has("CODEX_API_KEY") {
        plan.login(ask, LOGIN, LOGIN);
    }
    settings
}

/// The program's own sandbox, which the kernel enforces, unless the configuration names another, or ours stands around it:
/// within that one it can't make its own.
fn sandbox(plan: &mut LaunchPlan, cli: &CliSpec, ask: &TurnAsk<'_>) {
    let own = ["-s", "--sandbox", "--dangerously-bypass-approvals-and-sandbox"];
    if cli.args.iter().any(|arg| own.contains(&arg.as_str()) || arg.contains("permissions")) {
        return;
    }
    if ask.room.walls == Walls::Strong {
        plan.words(["-s", "danger-full-access"]);
        return;
    }
    if ask.hands() == Hands::Tied {
        plan.words(["-s", "read-only"]);
        return;
    }
    if ask.room.sealed.is_empty() {
        plan.words(["-s", "workspace-write"]);
        plan.words(["-c", "sandbox_workspace_write.exclude_slash_tmp=true"]);
        return;
    }
    let sealed: Vec<String> =
        ask.room.sealed.iter().map(|path| format!("{}=\"read\"", quoted(path))).collect();
    let tmp = ask.tmp().display().to_string();
    let rules = format!(
        "{{filesystem={{\":root\"=\"read\",{}=\"write\",\":workspace_roots\"={{\".\"=\"write\",\".git\"=\"read\",{}}}}},network={{enabled=false}}}}",
        quoted(&tmp),
        sealed.join(",")
    );
    for setting in [
        "approval_policy=\"never\"".to_owned(),
        "default_permissions=\"proctor\"".to_owned(),
        format!("permissions.proctor={rules}"),
    ] {
        plan.word("-c").word(setting);
    }
}

/// Trust goes by the repository's top folder, which is the worktree or one above it.
fn trust(settings: ProjectSettings, cwd: &Path) -> String {
    let level = match settings {
        ProjectSettings::Ignored => "untrusted",
        ProjectSettings::Used => "trusted",
    };
    let folders: Vec<String> = cwd
        .ancestors()
        .filter(|folder| folder.parent().is_some())
        .map(|folder| format!("{}={{trust_level=\"{level}\"}}", quoted(&folder.to_string_lossy())))
        .collect();
    format!("{{{}}}", folders.join(","))
}

/// As TOML writes a text; JSON's way is part of it.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The provider takes only schemas that leave nothing open.
fn strict(mut schema: Value) -> Value {
    schema["additionalProperties"] = json!(false);
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
    }
    let properties = schema["properties"].as_object_mut();
    for property in properties.into_iter().flat_map(|map| map.values_mut()) {
        if property.get("enum").is_some() && property.get("type").is_none() {
            property["type"] = json!("string");
        }
    }
    schema
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    let item = &event["item"];
    match (text(event, "type"), text(item, "type")) {
        ("thread.started", _) => heard.session = Some(text(event, "thread_id").to_owned()),
        ("item.completed", "agent_message") => {
            text(item, "text").clone_into(&mut heard.text);
            notes.say("says", text(item, "text"));
        }
        ("item.completed", "reasoning") => notes.say("thinks", text(item, "text")),
        ("item.started", "command_execution") => notes.say("runs", plain(text(item, "command"))),
        ("item.completed", "file_change") => {
            for change in item["changes"].as_array().into_iter().flatten() {
                let what = match text(change, "kind") {
                    "add" => "writes",
                    "delete" => "deletes",
                    _ => "edits",
                };
                notes.say(what, text(change, "path"));
            }
        }
        ("item.started", "mcp_tool_call") => notes.say("uses", text(item, "tool")),
        ("item.completed", "error") => notes.say("!", text(item, "message")),
        ("error", _) => notes.say("!", text(event, "message")),
        ("turn.completed", _) => {
            let usage = &event["usage"];
            let (input, cached) =
                (number(usage, "input_tokens"), number(usage, "cached_input_tokens"));
            heard.bill.tokens = Some(Tokens {
                input: input.saturating_sub(cached),
                cached,
                output: number(usage, "output_tokens"),
            });
            heard.bill.tokens_are = Counted::TheWholeSession;
            heard.end = Some(StreamEnd::Good);
        }
        ("turn.failed", _) => {
            heard.fail(trouble::failure(None, text(&event["error"], "message")));
        }
        _ => {}
    }
}

/// A command without the shell around it.
fn plain(command: &str) -> &str {
    let inner = command.strip_prefix("/bin/bash -lc ").unwrap_or(command);
    inner.trim_matches(['\'', '"'])
}

/// What the program says on stderr when it ends without an event.
pub(crate) fn last_words(stderr: &str) -> Option<Failure> {
    let gone = ["no rollout found", "thread not found", "no session found", "not found for thread"];
    let low = stderr.to_lowercase();
    gone.iter().any(|words| low.contains(words)).then_some(Failure::SessionGone)
}
