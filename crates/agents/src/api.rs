//! Proctor's own small loop on a model's API: `proctor agent-loop`, started like any other agent. Plans its launch and reads
//! its lines; the loop itself is in the files below, and has no hands here.

mod anthropic;
mod chat;
mod compact;
mod dialect;
mod fit;
mod patience;
mod rounds;
mod sse;
mod tale;
mod talk;
mod tools;

pub use crate::stream::Failure;
pub use dialect::{Answer, Dialect, Fault, Reader, Sign};
pub use rounds::{Rounds, Rules, Step};
pub use sse::Sse;
pub use tale::{Ending, Tale};
pub use talk::{Brought, Talk, Went};
pub use tools::{Deed, Which};

use crate::launch::{Hands, LaunchPlan, TurnAsk};
use crate::limit::{LimitEnd, Limited, UNSAID_MS};
use crate::stream::{Heard, Notes, StreamEnd, Tokens, number, text};
use proctor_core::agent::{ApiSpec, Session};
use proctor_core::words::Millis;
use serde_json::Value;

/// Variables beside the key that decide how a server is reached.
const WAY: [&str; 7] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
];

/// The way of speaking that a configuration names; checked when it was read.
pub fn dialect(api: &ApiSpec) -> Dialect {
    api.cli.provider.as_deref().and_then(Dialect::by_name).unwrap_or(Dialect::Chat)
}

/// The variable that holds the key.
pub fn key(api: &ApiSpec) -> &str {
    api.key_env.as_deref().unwrap_or(dialect(api).key())
}

pub(crate) fn plan(plan: &mut LaunchPlan, api: &ApiSpec, ask: &TurnAsk<'_>) {
    plan.word(ask.own_program);
    plan.at_home(ask);
    plan.words(["agent-loop", "--format", "json", "--provider"]);
    plan.word(api.cli.provider.as_deref().unwrap_or("openai"));
    if let Some(model) = &api.cli.model {
        plan.word("--model").word(model);
    }
    if let Some(url) = &api.cli.base_url {
        plan.word("--base-url").word(url);
    }
    // The key is in no environment: what the model runs could read it there, its own and the loop's.
    let name = key(api);
    if ask.room.set.contains(name) {
        let file = ask.scratch.join("key");
        plan.word("--key-file").word(file.clone());
        plan.keys.push((name.to_owned(), file));
    }
    plan.word("--schema").word(ask.schema_file());
    match ask.hands() {
        Hands::Free => {}
        Hands::Tied => plan.words(["--read-only"]),
    }
    let sealed = ask.scratch.join("sealed.json");
    plan.files.push((sealed.clone(), format!("{:#}\n", serde_json::json!(ask.room.sealed)).into()));
    plan.word("--sealed").word(sealed);
    if let Ok(serde_json::Value::String(side)) = serde_json::to_value(ask.room.side) {
        plan.word("--side").word(side);
    }
    if !ask.room.allowed_secrets.is_empty() {
        let allowed = ask.scratch.join("allowed-secrets.json");
        let entries = serde_json::json!(ask.room.allowed_secrets);
        plan.files.push((allowed.clone(), format!("{entries:#}\n").into()));
        plan.word("--allow-secrets").word(allowed);
    }
    let own = format!("{}-{}-{}-{}", ask.run, ask.phase, ask.attempt, ask.ask);
    plan.word("--sessions").word(ask.room.home.join("sessions"));
    match &ask.room.session {
        Session::New => plan.word("--session").word(own),
        Session::Resume { id } => plan.word("--resume").word(id),
        Session::Fork { id } => plan.word("--resume").word(id).word("--session").word(own),
    };
    let numbers = [
        ("--max-turns", api.cli.max_turns.map(u64::from)),
        ("--context-tokens", api.context_tokens),
        ("--max-output-tokens", api.max_output_tokens),
    ];
    for (flag, value) in numbers {
        if let Some(value) = value {
            plan.word(flag).word(value.to_string());
        }
    }
    if let Some(price) = api.cli.price {
        let cached = price.cached.unwrap_or(price.input);
        let parts = [price.input, price.output, cached].map(usd);
        plan.word("--price").word(parts.join(","));
    }
    if let Some(left) = ask.room.money_left {
        plan.word("--max-cost").word(usd(left));
    }
    plan.pass.extend(WAY);
}

/// Millionths of a dollar as dollars.
fn usd(micro: u64) -> String {
    format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000)
}

pub(crate) fn event(heard: &mut Heard, event: &Value, notes: &mut Notes<'_>) {
    match text(event, "type") {
        "session" => heard.session = Some(text(event, "id").to_owned()),
        "text" => {
            text(event, "text").clone_into(&mut heard.text);
            notes.say("says", text(event, "text"));
        }
        "thinking" => notes.say("thinks", text(event, "text")),
        "tool" => notes.tool(text(event, "name"), &event["input"]),
        "refused" => {
            notes.say(&format!("was refused {}:", text(event, "tool")), text(event, "why"));
        }
        "waits" => {
            let seconds = number(event, "ms").div_ceil(1000);
            notes.say("waits:", &format!("{}, tries again in {seconds} s", text(event, "why")));
        }
        "shortened" => notes.say("makes room:", text(event, "how")),
        "usage" => {
            heard.bill.tokens = Some(Tokens {
                input: number(event, "input"),
                cached: number(event, "cached"),
                output: number(event, "output"),
            });
            heard.bill.usd = event["usd"].as_f64();
        }
        "end" => end(heard, event),
        _ => {}
    }
}

fn end(heard: &mut Heard, event: &Value) {
    heard.object = event["object"].as_object().cloned();
    let failure = &event["failure"];
    let said = text(failure, "said").to_owned();
    heard.end = Some(match (event["ok"] == true, text(failure, "kind")) {
        (true, _) => {
            if !text(event, "text").is_empty() {
                text(event, "text").clone_into(&mut heard.text);
            }
            StreamEnd::Good
        }
        (false, "limited") => {
            let until = match (failure["at_ms"].as_u64(), failure["after_ms"].as_u64()) {
                (Some(at), _) => LimitEnd::At(Millis(at)),
                (None, after) => LimitEnd::After(after.unwrap_or(UNSAID_MS)),
            };
            StreamEnd::Failed(Failure::Limited(Limited { until, why: said }))
        }
        (false, "no-login") => StreamEnd::Failed(Failure::NoLogin { said }),
        (false, "session-gone") => StreamEnd::Failed(Failure::SessionGone),
        (false, _) => StreamEnd::Failed(Failure::Other { said }),
    });
}

#[cfg(test)]
#[path = "api_tests.rs"]
mod tests;
