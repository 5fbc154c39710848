//! What is sent to whom, told once for each agent, and again when the policy or the agent's kind changes.

use crate::surroundings::Surroundings;
use proctor_core::brief::AgentSpec;
use proctor_core::intake::data_policy;
use proctor_journal::Journal;
use std::collections::BTreeMap;

/// In our home: what somebody was told of each agent.
const FILE: &str = "policy-told.json";

/// What is still to be told of these agents; from here on it counts as told.
pub fn lines<'a>(
    around: &Surroundings,
    agents: impl Iterator<Item = &'a AgentSpec>,
) -> Option<String> {
    let path = around.home.root().join(FILE);
    let before = std::fs::read(&path).unwrap_or_default();
    let mut told: BTreeMap<String, String> = serde_json::from_slice(&before).unwrap_or_default();
    let mut fresh = Vec::new();
    for agent in agents {
        let policy = data_policy(std::slice::from_ref(&agent.name));
        let known = format!("{} ({})", agent.name, agent.kind.name());
        if told.insert(known, policy.clone()) != Some(policy) {
            fresh.push(agent.name.clone());
        }
    }
    if fresh.is_empty() {
        return None;
    }
    // The journal makes the home private before anything is put there. What can't be kept is told again.
    if let (Ok(_), Ok(text)) = (Journal::open(around.home.root()), serde_json::to_vec_pretty(&told))
    {
        let _ = std::fs::write(&path, text);
    }
    Some(data_policy(&fresh))
}
