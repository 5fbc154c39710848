//! Values in proctor.toml that have a form of their own: spans of time, money, commands.

use crate::text::shell_words;
use proctor_core::brief::Percent;
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

/// The least share of something, written `>=85%` or `85%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(inline, with = "String", extend("pattern" = "^(>=)?\\s*[0-9]{1,3}(\\.[0-9]{1,2})?\\s*%?$", "examples" = [">=85%"]))]
pub struct Least(pub Percent);

impl Least {
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = || format!("{text:?} is not a share; write it like \">=85%\" or \"85%\"");
        let bare = text.trim();
        let bare =
            bare.strip_prefix(">=").or_else(|| bare.strip_prefix('≥')).unwrap_or(bare).trim();
        let bare = bare.strip_suffix('%').unwrap_or(bare).trim();
        let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 2 {
            return Err(fault());
        }
        let whole: u32 = whole.parse().map_err(|_| fault())?;
        let part: u32 = format!("{part:0<2}").parse().map_err(|_| fault())?;
        let share = whole.checked_mul(100).and_then(|w| w.checked_add(part)).ok_or_else(fault)?;
        if share > 10_000 {
            return Err(format!("{text:?} is more than all; write it like \">=85%\""));
        }
        Ok(Self(Percent(share)))
    }
}

impl<'de> Deserialize<'de> for Least {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Serialize for Least {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(&format!(">={}", self.0))
    }
}

/// A share of something, written `20%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(inline, with = "String", extend("pattern" = "^[0-9]{1,3}(\\.[0-9]{1,2})?\\s*%?$", "examples" = ["20%"]))]
pub struct Share(pub Percent);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let share = Least::parse(text.trim_start_matches("<="));
        share.map(|least| Self(least.0)).map_err(|_| {
            D::Error::custom(format!("{text:?} is not a share; write it like \"20%\""))
        })
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(&self.0.to_string())
    }
}

/// An amount of bytes, written `512MB`, `8GB` or `1TB`; in powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(inline, with = "String", extend("pattern" = "^[0-9]+ ?(kB|KB|MB|GB|TB)$", "examples" = ["512MB", "8GB"]))]
pub struct Size(pub u64);

impl Size {
    const UNITS: [(&'static str, u32); 5] =
        [("kB", 10), ("KB", 10), ("MB", 20), ("GB", 30), ("TB", 40)];

    pub fn parse(text: &str) -> Result<Self, String> {
        let parsed = Self::UNITS.iter().find_map(|(unit, shift)| {
            let number: u64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
            number.checked_mul(1 << shift).filter(|bytes| *bytes > 0)
        });
        parsed.map(Self).ok_or_else(|| {
            format!("{text:?} is not an amount of bytes; write it like \"512MB\" or \"8GB\"")
        })
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        let fits = |(_, shift): &&(&str, u32)| self.0.is_multiple_of(1 << shift);
        match Self::UNITS.iter().rev().find(fits) {
            Some((unit, shift)) => into.serialize_str(&format!("{}{unit}", self.0 >> shift)),
            None => into.serialize_u64(self.0),
        }
    }
}

/// One text, or several.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    pub fn list(&self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text.clone()],
            Self::Many(texts) => texts.clone(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_in_every_way_that_people_write_it() {
        for (text, hundredths) in
            [(">=85%", 8500), ("85%", 8500), ("≥ 92.5 %", 9250), ("100", 10_000), ("0%", 0)]
        {
            assert_eq!(Least::parse(text).unwrap().0, Percent(hundredths), "{text}");
        }
        for text in ["", "%", "-3%", "101%", "85.123%", "most", "<=80%"] {
            assert!(Least::parse(text).unwrap_err().contains("write it like"), "{text}");
        }
    }
}
