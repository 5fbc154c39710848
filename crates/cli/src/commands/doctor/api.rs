//! What `proctor doctor` and `proctor init` find out about models by their API: whether the place answers, whether there is a
//! key, and which models it has. It asks for the list of models, which costs nothing, and no model anything.

use crate::commands::doctor::{Finding, good, note};
use proctor_agents::api::{self, Dialect};
use proctor_core::agent::ApiSpec;
use proctor_desk::config::AgentTable;
use proctor_desk::surroundings::Surroundings;
use proctor_world::http::{Client, Patience, is_loopback};
use serde_json::Value;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);
/// How long somebody on this machine may take to answer.
const NEAR: Duration = Duration::from_millis(300);
/// Where Ollama listens if nobody says otherwise.
const OLLAMA: &str = "127.0.0.1:11434";

pub(crate) fn check(around: &Surroundings, name: &str, table: &AgentTable) -> Finding {
    let spec = table.api();
    let (dialect, base) = (api::dialect(&spec), spec.cli.base_url.as_deref());
    let variable = api::key(&spec).to_owned();
    let key = around.var(&variable).map(|value| value.to_string_lossy().into_owned());
    let model = spec.cli.model.clone().unwrap_or_default();
    let place = base.unwrap_or(dialect.home());
    let about = format!("{name}: {model} at {place}");
    let with = match (&key, base) {
        (Some(_), _) => format!("{variable} is set"),
        (None, Some(url)) if is_loopback(url) => "no key, and none is needed here".to_owned(),
        (None, _) => {
            let remedy = Some(format!("set {variable}, or name another variable as `key_env`"));
            return Finding { remedy, ..note("agent", format!("{about}: {variable} is not set")) };
        }
    };
    let fault = |what: String, remedy: &str| Finding {
        remedy: Some(remedy.to_owned()),
        ..note("agent", format!("{about}: {with}, but {what}"))
    };
    match models(dialect, &spec, key.as_deref()) {
        Err(why) => {
            fault(format!("it does not answer: {why}"), "start the server, or check `base_url`")
        }
        Ok(Answered::Status(status @ (401 | 403))) => {
            fault(format!("the key is refused ({status})"), "check the key")
        }
        // Not every server has a list.
        Ok(Answered::Status(status)) => {
            good("agent", format!("{about}: {with}, it answers (its list of models: {status})"))
        }
        Ok(Answered::Models(names))
            if names.is_empty() || names.iter().any(|n| is_of(n, &model)) =>
        {
            good("agent", format!("{about}: {with}, it answers"))
        }
        Ok(Answered::Models(names)) => {
            let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
            let remedy = format!("choose one that is there: {}", some.join(", "));
            fault("it does not list this model".to_owned(), &remedy)
        }
    }
}

/// The same model: some servers add a tag, or leave the date out.
fn is_of(listed: &str, model: &str) -> bool {
    listed == model
        || listed.strip_prefix(model).is_some_and(|rest| rest.starts_with([':', '-', '@']))
}

enum Answered {
    Models(Vec<String>),
    Status(u16),
}

fn models(dialect: Dialect, spec: &ApiSpec, key: Option<&str>) -> Result<Answered, String> {
    let url = dialect.models_url(spec.cli.base_url.as_deref());
    let client = Client::new(&url, Patience::Short(PATIENCE))?;
    let (status, bytes) = client.get(&url, &dialect.headers(key))?;
    if status != 200 {
        return Ok(Answered::Status(status));
    }
    let list: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let names = list["data"].as_array().into_iter().flatten();
    Ok(Answered::Models(names.filter_map(|m| m["id"].as_str().map(str::to_owned)).collect()))
}

/// A server on this machine, and a model that it has.
pub(crate) struct Local {
    pub(crate) base_url: String,
    pub(crate) model: String,
}

/// Ollama, where it listens on this machine and has a model.
pub(crate) fn ollama(around: &Surroundings) -> Option<Local> {
    let named = around.var("OLLAMA_HOST").map(|value| value.to_string_lossy().into_owned());
    let place = named.unwrap_or_else(|| OLLAMA.to_owned());
    let bare = place.trim_start_matches("http://").trim_end_matches('/');
    let bare = if bare.contains(':') { bare.to_owned() } else { format!("{bare}:11434") };
    if !is_loopback(&bare) {
        return None;
    }
    let address = bare.to_socket_addrs().ok()?.next()?;
    // Most machines have none: they are not kept waiting.
    TcpStream::connect_timeout(&address, NEAR).ok()?;
    let base_url = format!("http://{bare}/v1");
    let mut spec = ApiSpec::default();
    spec.cli.base_url = Some(base_url.clone());
    match models(Dialect::Chat, &spec, None).ok()? {
        Answered::Models(all) => Some(Local { base_url, model: all.into_iter().next()? }),
        Answered::Status(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_model_is_found_under_its_longer_name() {
        assert!(
            is_of("qwen3:latest", "qwen3")
                && is_of("claude-sonnet-4-5-20250929", "claude-sonnet-4-5")
        );
        assert!(!is_of("qwen3-coder", "qwen2") && !is_of("gpt", "gpt-5"));
    }
}
