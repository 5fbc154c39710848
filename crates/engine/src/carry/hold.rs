//! One hold for all runs that use the same account: where one of them met a usage limit, the others do not ask before it is
//! over. Knows accounts only by what the configuration says; a hold that can't be read or written holds nobody.

use super::Job;
use proctor_core::agent::{AgentKind, AgentSpec};
use proctor_core::words::{Millis, RunId};
use proctor_lab::disk::write;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// Those who waited come back one after the other, within this time.
const SPREAD_MS: u64 = 10_000;

#[derive(Serialize, Deserialize)]
struct Hold {
    until: Millis,
    why: String,
    /// Who met it. Its own pause is in the journal; what a person does about that is not undone here.
    run: RunId,
}

impl Job {
    /// Until when this run leaves an agent's account alone, and why.
    pub(super) fn held_back(&self, spec: &AgentSpec) -> Option<(Millis, String)> {
        let file = self.hold_file(spec)?;
        let hold: Hold = serde_json::from_slice(&fs::read(&file).ok()?).ok()?;
        if hold.until <= self.shop.now() {
            // Nobody needs it any more.
            let _ = fs::remove_file(&file);
            return None;
        }
        if hold.run == self.id {
            return None;
        }
        let until = Millis(hold.until.0.saturating_add(spread(&self.id)));
        let why = format!(
            "{} (run {} met it; to ask before it is over, remove {})",
            hold.why,
            hold.run,
            file.display()
        );
        Some((until, why))
    }

    /// Lets the other runs of the account know.
    pub(super) fn hold_others(&self, spec: &AgentSpec, until: Millis, why: &str) {
        let Some(file) = self.hold_file(spec) else { return };
        let hold = Hold { until, why: why.to_owned(), run: self.id.clone() };
        let Ok(bytes) = serde_json::to_vec(&hold) else { return };
        let beside = file.with_extension(self.id.as_str());
        if write(&beside, &bytes).is_ok() {
            let _ = fs::rename(&beside, &file);
        }
    }

    fn hold_file(&self, spec: &AgentSpec) -> Option<PathBuf> {
        Some(self.shop.home.hold(&account(&spec.kind)?))
    }
}

/// A name for the account that an agent uses; none for programs that we know nothing about.
fn account(kind: &AgentKind) -> Option<String> {
    let cli = kind.cli()?;
    let (name, key) = match kind {
        AgentKind::Api(api) => (kind.name(), api.key_env.as_deref().unwrap_or_default()),
        // The same account, whichever way its program is driven.
        AgentKind::Acp(acp) => match acp.make.driver() {
            Some(driver) => (driver, ""),
            None => (kind.name(), cli.program.as_str()),
        },
        AgentKind::Command { .. }
        | AgentKind::Script { .. }
        | AgentKind::Claude(_)
        | AgentKind::Codex(_)
        | AgentKind::Gemini(_)
        | AgentKind::Opencode(_)
        | AgentKind::Goose(_) => (kind.name(), ""),
    };
    let of = |part: &Option<String>| part.clone().unwrap_or_default();
    let whole = [name, &of(&cli.provider), &of(&cli.base_url), key].join("\n");
    let hash = blake3::hash(whole.as_bytes()).to_hex();
    Some(format!("{name}-{}", &hash[..16]))
}

/// Another one for each run, and always the same.
fn spread(run: &RunId) -> u64 {
    let hash = blake3::hash(run.as_str().as_bytes());
    let [a, b, ..] = hash.as_bytes();
    u64::from(u16::from_le_bytes([*a, *b])) * SPREAD_MS / u64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::agent::{ApiSpec, CliSpec};

    #[test]
    fn an_account_is_known_by_where_it_is_and_by_whose_key() {
        let at = |url: &str, key: Option<&str>| {
            let cli = CliSpec { base_url: Some(url.to_owned()), ..CliSpec::default() };
            let key_env = key.map(str::to_owned);
            account(&AgentKind::Api(ApiSpec { cli, key_env, ..ApiSpec::default() })).unwrap()
        };
        assert_eq!(at("http://a", None), at("http://a", None));
        assert_ne!(at("http://a", None), at("http://b", None));
        assert_ne!(at("http://a", None), at("http://a", Some("OTHER")));
        assert_eq!(account(&AgentKind::Command { argv: vec!["x".to_owned()] }), None);
        let waits: Vec<u64> =
            ["a", "b", "c"].map(|run| spread(&RunId::new(run))).into_iter().collect();
        assert!(waits.iter().all(|ms| *ms <= SPREAD_MS) && waits[0] != waits[1], "{waits:?}");
    }
}
