//! A usage limit that an agent met: until when it must rest. Not a fault, and not counted as a try.

use proctor_core::duration::parse_duration;
use proctor_core::words::Millis;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How long to wait where the agent does not say.
pub const UNSAID_MS: u64 = 60_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limited {
    pub until: LimitEnd,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitEnd {
    /// So many milliseconds after the turn ended.
    After(u64),
    At(Millis),
}

impl Limited {
    /// Reads `"rate_limited": true` with `retry_after` or `retry_at`.
    pub(crate) fn of(object: &Map<String, Value>) -> Option<Self> {
        if object.get("rate_limited") != Some(&Value::Bool(true)) {
            return None;
        }
        let said = [("retry_at", at as fn(&Value) -> _), ("retry_after", after)]
            .into_iter()
            .find_map(|(key, reader)| {
                let value = object.get(key).filter(|value| !value.is_null())?;
                Some(reader(value).map_err(|why| format!("`{key}`: {why}")))
            });
        let stated = ["reason", "message", "notes"]
            .iter()
            .find_map(|key| object.get(*key)?.as_str())
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .unwrap_or("the agent met a usage limit");
        let (until, why) = match said {
            Some(Ok(until)) => (until, stated.to_owned()),
            Some(Err(fault)) => (LimitEnd::After(UNSAID_MS), format!("{stated} ({fault})")),
            None => (LimitEnd::After(UNSAID_MS), format!("{stated} (it did not say until when)")),
        };
        Some(Self { until, why })
    }
}

fn after(value: &Value) -> Result<LimitEnd, String> {
    let ms = match value {
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(seconds) => seconds_to_ms(seconds),
            Err(_) => Some(parse_duration(text)?),
        },
        other => other.as_f64().and_then(seconds_to_ms),
    };
    ms.map(LimitEnd::After).ok_or_else(|| format!("{value} is not a duration"))
}

fn at(value: &Value) -> Result<LimitEnd, String> {
    let ms = match value {
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(seconds) => seconds_to_ms(seconds),
            Err(_) => text
                .trim()
                .parse::<jiff::Timestamp>()
                .ok()
                .and_then(|time| u64::try_from(time.as_millisecond()).ok()),
        },
        other => other.as_f64().and_then(seconds_to_ms),
    };
    ms.map(|ms| LimitEnd::At(Millis(ms)))
        .ok_or_else(|| format!("{value} is neither an RFC 3339 time nor seconds since the epoch"))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "negative and endless numbers are sorted out first; `as` saturates"
)]
pub(crate) fn seconds_to_ms(seconds: f64) -> Option<u64> {
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds * 1000.0).round() as u64)
}
