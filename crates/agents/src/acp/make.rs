//! What is known of single programs that speak the Agent Client Protocol: how each is shut off from what a repository and a home bring, and
//! where it departs from what the protocol means. Measured with `gemini --acp` 0.61.0, `opencode acp` 1.18.33, `goose acp` 1.52.0,
//! claude-agent-acp 0.99.1 and codex-acp 2.6.0.

use super::errand::{Errand, Offers, Wish};
use super::wire::Fault;
use crate::launch::{Hands, LaunchPlan, TurnAsk, Walls};
use crate::policy::Policy;
use crate::stream::{Tokens, number, text};
use crate::{claude, codex, gemini, goose, opencode};
use proctor_core::agent::{AcpSpec, Make, ProjectSettings};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Whose program a command starts, by the names of its words.
pub fn of(words: &[String]) -> Make {
    let known = [
        ("claude-agent-acp", Make::Claude),
        ("claude-code-acp", Make::Claude),
        ("codex-acp", Make::Codex),
        ("gemini", Make::Gemini),
        ("gemini-cli", Make::Gemini),
        ("opencode", Make::Opencode),
        ("opencode-ai", Make::Opencode),
        ("goose", Make::Goose),
    ];
    // `npx @google/gemini-cli@0.61 --acp`, `node …/gemini.js`
    let named = words.iter().filter(|word| !word.starts_with('-')).find_map(|word| {
        let name = Path::new(word).file_name()?.to_str()?;
        let name = name.split('@').next().unwrap_or(name);
        let name = name.strip_suffix(".js").unwrap_or(name);
        known.iter().find(|(known, _)| *known == name)
    });
    named.map_or(Make::Other, |(_, make)| *make)
}

/// Whether it goes on with its sessions. One that is not known is asked.
pub(crate) fn goes_on(make: Make) -> bool {
    match make {
        Make::Gemini => false,
        Make::Other | Make::Claude | Make::Codex | Make::Opencode | Make::Goose => true,
    }
}

/// Whether it branches sessions off.
pub(crate) fn forks(make: Make) -> bool {
    match make {
        Make::Gemini => false,
        Make::Other | Make::Claude | Make::Codex | Make::Opencode | Make::Goose => true,
    }
}

/// Without saying so.
pub(super) fn forks_anyway(make: Make) -> bool {
    make == Make::Goose
}

/// Tells the program what can be told before it starts, and the client the rest.
pub(super) fn prepare(plan: &mut LaunchPlan, acp: &AcpSpec, ask: &TurnAsk<'_>) -> Errand {
    let (cli, tied) = (&acp.cli, ask.hands() == Hands::Tied);
    let mut errand = Errand {
        make: acp.make,
        cwd: ask.worktree.components().collect(),
        logs: ask.scratch.join("terminals"),
        prompt: ask.prompt.to_owned(),
        session: ask.room.session.clone(),
        model: None,
        mode: None,
        meta: Value::Null,
        offers: Offers { read: true, write: !tied, terminal: !tied },
        policy: Policy::of(ask),
    };
    let has = |flag: &str| cli.args.iter().any(|arg| arg == flag);
    match acp.make {
        Make::Other => errand.model.clone_from(&cli.model),
        Make::Claude => {
            claude::settle(plan, cli, ask);
            if let Some(model) = &cli.model {
                plan.set("ANTHROPIC_MODEL", model);
            }
            errand.meta = claude_meta(acp, ask);
            // Each edit and command is asked for.
            errand.mode = Some(Wish::May("default".to_owned()));
        }
        Make::Codex => {
            codex_settings(plan, acp, ask);
            let mode = match (ask.room.walls, tied) {
                (Walls::Strong, _) => "agent-full-access",
                (Walls::Weak, true) => "read-only",
                (Walls::Weak, false) => "agent",
            };
            plan.set("INITIAL_AGENT_MODE", mode);
            plan.set("NO_BROWSER", "1");
            errand.mode = Some(Wish::May(mode.to_owned()));
        }
        Make::Gemini => {
            if !has("--skip-trust") {
                plan.word("--skip-trust");
            }
            if let Some(model) = cli.model.as_ref().filter(|_| !has("-m") && !has("--model")) {
                plan.word("-m").word(model);
            }
            gemini::seal(plan, ask);
            gemini::settle(plan, cli, ask);
            // It can't make a new file through a client.
            errand.offers = Offers::default();
            errand.mode = Some(Wish::May("default".to_owned()));
        }
        Make::Opencode => {
            if cli.project_settings == ProjectSettings::Ignored && !has("--pure") {
                plan.word("--pure");
            }
            plan.words(["--print-logs", "--log-level", "ERROR"]);
            opencode::settle(plan, cli, ask);
            // It writes by itself, and would write a second time here.
            errand.offers = Offers::default();
        }
        Make::Goose => {
            if !cli.args.iter().any(|arg| arg.starts_with("--with-")) {
                plan.words(["--with-builtin", "developer"]);
            }
            let mode = if tied { "approve" } else { "auto" };
            plan.set("GOOSE_MODE", mode);
            goose::settle(plan, cli, ask);
            errand.mode = Some(Wish::May(mode.to_owned()));
        }
    }
    if let Some(mode) = &acp.mode {
        errand.mode = Some(Wish::Must(mode.clone()));
    }
    errand
}

fn claude_meta(acp: &AcpSpec, ask: &TurnAsk<'_>) -> Value {
    let tools: Vec<&str> = claude::tools(ask.hands()).split(',').collect();
    let mut options = json!({"promptSuggestions": false, "tools": tools});
    match acp.cli.project_settings {
        ProjectSettings::Ignored => {
            options["settingSources"] = json!([]);
            options["strictMcpConfig"] = json!(true);
        }
        ProjectSettings::Used => options["settingSources"] = json!(["project"]),
    }
    if let Some(turns) = acp.cli.max_turns {
        options["maxTurns"] = json!(turns);
    }
    json!({"claudeCode": {"options": options}})
}

/// It is told by a file what its own program is told by arguments.
fn codex_settings(plan: &mut LaunchPlan, acp: &AcpSpec, ask: &TurnAsk<'_>) {
    let mut settings = codex::settle(plan, &acp.cli, ask);
    if let Some(model) = &acp.cli.model {
        settings.push(("model".to_owned(), Value::from(model.as_str()).to_string()));
    }
    for off in ["features.plugins", "features.unbounded_connection_retries"] {
        settings.push((off.to_owned(), "false".to_owned()));
    }
    let mut text = String::new();
    for (key, value) in settings {
        // Writing into a string can't fail.
        let _ = writeln!(text, "{key} = {value}");
    }
    plan.files.push((ask.room.home.join(".codex/config.toml"), text.into_bytes()));
}

/// What an error is about, as far as it says so other than in words.
pub(super) fn class(fault: &Fault) -> Option<&'static str> {
    match (fault.code, text(&fault.data, "errorKind")) {
        (Fault::LOGIN_NEEDED, _) | (_, "authentication_failed" | "auth_required") => Some("login"),
        (429, _) | (_, "rate_limit" | "overloaded") => Some("limited"),
        (401, _) => Some("login"),
        _ => None,
    }
}

/// The tokens of a prompt, where the answer says them.
pub(super) fn counted(make: Make, result: &Value) -> Option<Tokens> {
    let usage = &result["usage"];
    if usage.is_object() {
        let cached = number(usage, "cachedReadTokens");
        return Some(Tokens {
            // Those that were read from the cache are counted apart, as with the provider, but for these two.
            input: match make {
                Make::Codex | Make::Gemini => number(usage, "inputTokens").saturating_sub(cached),
                Make::Other | Make::Claude | Make::Opencode | Make::Goose => {
                    number(usage, "inputTokens").saturating_add(number(usage, "cachedWriteTokens"))
                }
            },
            cached,
            output: number(usage, "outputTokens"),
        });
    }
    let quota = &result["_meta"]["quota"]["token_count"];
    quota.is_object().then(|| Tokens {
        input: number(quota, "input_tokens"),
        cached: 0,
        output: number(quota, "output_tokens"),
    })
}

/// Whether the tokens that it tells are those of its last call of the model alone.
pub(super) fn counts_last_call(make: Make) -> bool {
    match make {
        Make::Opencode | Make::Goose => true,
        Make::Other | Make::Claude | Make::Codex | Make::Gemini => false,
    }
}
