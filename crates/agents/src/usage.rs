//! What a turn cost: as the agent reports it, else estimated and marked so.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub micro_usd: u64,
    pub source: UsageSource,
}

/// Where the number of tokens comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsageSource {
    Reported,
    Estimated,
}

impl Usage {
    /// Reads `usage: {input_tokens, output_tokens, cost_usd}` of an agent's object. Tokens that are not reported
    /// are estimated from the bytes that went in and came out, at four bytes a token.
    pub(crate) fn of(object: Option<&Map<String, Value>>, bytes: usize) -> Self {
        let estimate = u64::try_from(bytes / 4).unwrap_or(u64::MAX);
        let usage = object.and_then(|object| object.get("usage")).and_then(Value::as_object);
        let number = |key: &str| usage.and_then(|usage| usage.get(key)).and_then(count);
        let (tokens, source) = match (number("input_tokens"), number("output_tokens")) {
            (None, None) => (estimate, UsageSource::Estimated),
            (input, output) => {
                (input.unwrap_or(0).saturating_add(output.unwrap_or(0)), UsageSource::Reported)
            }
        };
        let micro_usd = usage
            .and_then(|usage| usage.get("cost_usd"))
            .and_then(Value::as_f64)
            .map_or(0, |usd| whole(usd * 1e6));
        Self { tokens, micro_usd, source }
    }
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|n| *n >= 0.0).map(whole))
}

/// The nearest whole number; below zero it is 0, and too large is the largest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates here, which is what is wanted"
)]
fn whole(number: f64) -> u64 {
    number.round() as u64
}
