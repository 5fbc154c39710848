//! Values in proctor.toml that have a form of their own: spans of time, money, commands.

use crate::shell_words;
use proctor_core::duration::{parse_duration, show_duration};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A span of time, written `40s`, `5m`, `2h` or `1h30m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(inline, with = "String", extend("pattern" = "^([0-9]+(h|m|s|ms))+$", "examples" = ["40s", "5m", "2h"]))]
pub struct Span(pub u64);

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        parse_duration(&text).map(Self).map_err(D::Error::custom)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(&show_duration(self.0))
    }
}

/// Money in US dollars.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
#[schemars(inline, with = "f64", extend("minimum" = 0))]
pub struct Cost {
    micro: u64,
}

impl Cost {
    /// Millionths of a dollar.
    pub fn micro_usd(self) -> u64 {
        self.micro
    }
}

impl TryFrom<f64> for Cost {
    type Error = String;

    fn try_from(usd: f64) -> Result<Self, String> {
        if !usd.is_finite() || !(0.0..=1e9).contains(&usd) {
            return Err(format!("{usd} is not an amount of money"));
        }
        // Between 0 and 1e15, so that nothing is lost but fractions of a millionth.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range was checked"
        )]
        let micro = (usd * 1e6).round() as u64;
        Ok(Self { micro })
    }
}

impl From<Cost> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 1e15, which a double holds exactly")]
    fn from(cost: Cost) -> Self {
        cost.micro as f64 / 1e6
    }
}

/// A command: one text that is split into words as a shell would, or the words themselves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Words {
    Text(String),
    List(Vec<String>),
}

impl Words {
    /// The words; at least one. `what` names the key in errors.
    pub fn split(&self, what: &str) -> Result<Vec<String>, String> {
        match self {
            Self::Text(text) => shell_words::split(text)
                .map_err(|fault| format!("{what} {text:?} can't be split into words: {fault}")),
            Self::List(words) if words.first().is_some_and(|first| !first.is_empty()) => {
                Ok(words.clone())
            }
            Self::List(_) => Err(format!("{what} is empty")),
        }
    }
}
