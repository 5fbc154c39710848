//! `[notify]` of the user's own settings: who is told when a run needs somebody.

use crate::config::value::Words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Who is told when a run waits for a person, pauses or ends. Counts only in your own settings: what a repository's
/// `proctor.toml` says here is not used.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NotifyTable {
    /// A command, as one text or as a list of words; no shell. It gets the notice as JSON on its stdin.
    pub command: Option<Words>,
    /// An address that takes Slack's JSON (`{"text": …}`): Slack, Mattermost, Discord with `/slack`, and others.
    pub webhook: Option<String>,
    /// The environment variable that holds this address, where it shall stand in no file.
    pub webhook_env: Option<String>,
    /// Whether the desktop shows it (`notify-send`, on macOS `osascript`).
    pub desktop: Option<bool>,
    /// Of what: `approval`, `paused`, `ended` [all of them].
    pub on: Option<BTreeSet<Occasion>>,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Occasion {
    /// A person must approve, or look at something first.
    Approval,
    Paused,
    Ended,
}

impl NotifyTable {
    pub fn check(&self) -> Result<(), String> {
        if let Some(words) = &self.command
            && words.split("[notify] command")?.is_empty()
        {
            return Err("[notify] command is empty".to_owned());
        }
        if self.webhook.is_some() && self.webhook_env.is_some() {
            return Err("[notify] takes `webhook` or `webhook_env`, not both".to_owned());
        }
        let lawful = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        if self.webhook.as_ref().is_some_and(|url| !lawful(url)) {
            return Err("[notify] webhook must begin with https:// or http://".to_owned());
        }
        Ok(())
    }

    /// Whether anybody is told at all.
    pub fn is_silent(&self) -> bool {
        self.command.is_none()
            && self.webhook.is_none()
            && self.webhook_env.is_none()
            && self.desktop != Some(true)
    }

    pub fn wants(&self, occasion: Occasion) -> bool {
        self.on.as_ref().is_none_or(|on| on.contains(&occasion))
    }
}
