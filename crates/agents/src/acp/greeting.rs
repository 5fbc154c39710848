//! The first words of the Agent Client Protocol: what the client offers, and what the agent says about itself.

use super::errand::Offers;
use super::make;
use super::wire::{self, Incoming};
use crate::stream::text;
use proctor_core::agent::Make;
use serde_json::{Value, json};

/// The version of the protocol that is spoken.
pub(super) const VERSION: u64 = 1;

/// An agent, by its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    pub name: String,
    pub version: String,
    /// Its sessions can be gone on with, with or without telling all of them again.
    pub load: bool,
    pub resume: bool,
    pub fork: bool,
    /// The ways to log in that it offers.
    pub logins: Vec<String>,
}

pub(super) fn offer(offers: Offers) -> Value {
    json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": offers.read, "writeTextFile": offers.write},
            "terminal": offers.terminal,
        },
        "clientInfo": {"name": "proctor", "title": "Proctor", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// What to say to an agent that is only to be met.
pub fn hello() -> Value {
    wire::request(0, "initialize", &offer(Offers::default()))
}

/// What it answered; none where the line is something else.
pub fn answer_to_hello(line: &str) -> Option<Result<About, String>> {
    match wire::parse(line)? {
        Incoming::Answer { id: 0, outcome: Ok(result) } => Some(read(Make::Other, &result)),
        Incoming::Answer { id: 0, outcome: Err(fault) } => Some(Err(fault.all())),
        Incoming::Answer { .. } | Incoming::Request { .. } | Incoming::Notice { .. } => None,
    }
}

pub(super) fn read(of: Make, result: &Value) -> Result<About, String> {
    let version = result["protocolVersion"].as_u64();
    if version != Some(VERSION) {
        return Err(format!(
            "it speaks version {} of the Agent Client Protocol, and this is version {VERSION}",
            version.map_or_else(|| "?".to_owned(), |version| version.to_string())
        ));
    }
    let can = &result["agentCapabilities"];
    let has = |key: &str| !can["sessionCapabilities"][key].is_null();
    let methods = result["authMethods"].as_array().into_iter().flatten();
    let logins = methods
        .map(|method| [text(method, "name"), text(method, "id")])
        .filter_map(|names| names.into_iter().find(|name| !name.is_empty()))
        .map(str::to_owned)
        .collect();
    let own = &result["agentInfo"];
    Ok(About {
        name: text(own, "name").to_owned(),
        version: text(own, "version").to_owned(),
        load: can["loadSession"] == true,
        resume: has("resume"),
        fork: has("fork") || make::forks_anyway(of),
        logins,
    })
}
