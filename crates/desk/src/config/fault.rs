//! A fault in proctor.toml, told with its line and the nearest known key.

use crate::text::nearest::nearest;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFault {
    /// Which file, in words.
    pub place: String,
    pub line: Option<usize>,
    pub why: String,
    pub hint: Option<String>,
}

impl fmt::Display for ConfigFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.why)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => write!(f, "\nhint: `proctor schema` prints what may stand there"),
        }
    }
}

impl std::error::Error for ConfigFault {}

/// Tells what the TOML reader found.
pub fn explain(error: &toml::de::Error, text: &str, place: &str) -> ConfigFault {
    let line = error.span().map(|span| {
        let before = text.get(..span.start).unwrap_or(text);
        before.matches('\n').count() + 1
    });
    let message = error.message();
    let (why, hint) = match unknown(message) {
        Some((what, word, known)) => (
            format!("unknown {what} `{word}`"),
            Some(match nearest(word, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.join(", ")),
            }),
        ),
        None => (message.trim().replace('\n', "; "), None),
    };
    ConfigFault { place: place.to_owned(), line, why, hint }
}

/// Takes serde's "unknown field `x`, expected one of `a`, `b`" apart.
fn unknown(message: &str) -> Option<(&'static str, &str, Vec<&str>)> {
    let (what, rest) = [("key", "unknown field "), ("value", "unknown variant ")]
        .into_iter()
        .find_map(|(what, start)| Some((what, message.strip_prefix(start)?)))?;
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let word = quoted.next()?;
    Some((what, word, quoted.collect()))
}
