//! What the loop prints while it works, a JSON object a line: for the driver that reads it, and for people.

use super::dialect::Used;
use crate::limit::LimitEnd;
use crate::stream::Failure;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Tale {
    Session {
        id: String,
    },
    Text {
        text: String,
    },
    Thinking {
        text: String,
    },
    Tool {
        name: String,
        input: Value,
    },
    /// A call that was not carried out, and why.
    Refused {
        tool: String,
        why: String,
    },
    Waits {
        ms: u64,
        why: String,
    },
    /// The conversation got too long and was made shorter.
    Shortened {
        how: String,
    },
    /// The model is still at it.
    Progress,
    /// What the turn has used so far.
    Usage {
        input: u64,
        cached: u64,
        output: u64,
        usd: Option<f64>,
    },
    End {
        ok: bool,
        object: Option<Map<String, Value>>,
        text: String,
        failure: Option<Told>,
    },
}

/// A failure for the wire.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Told {
    Limited { said: String, after_ms: Option<u64>, at_ms: Option<u64> },
    NoLogin { said: String },
    SessionGone,
    Other { said: String },
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    Good { object: Option<Map<String, Value>>, text: String },
    Failed(Failure),
}

impl Ending {
    pub fn tale(&self) -> Tale {
        match self {
            Self::Good { object, text } => {
                Tale::End { ok: true, object: object.clone(), text: text.clone(), failure: None }
            }
            Self::Failed(failure) => {
                let told = match failure {
                    Failure::Limited(limited) => {
                        let (after_ms, at_ms) = match limited.until {
                            LimitEnd::After(ms) => (Some(ms), None),
                            LimitEnd::At(at) => (None, Some(at.0)),
                        };
                        Told::Limited { said: limited.why.clone(), after_ms, at_ms }
                    }
                    Failure::NoLogin { said } => Told::NoLogin { said: said.clone() },
                    Failure::SessionGone => Told::SessionGone,
                    Failure::Other { said } => Told::Other { said: said.clone() },
                };
                Tale::End { ok: false, object: None, text: String::new(), failure: Some(told) }
            }
        }
    }

    /// What went wrong, in words.
    pub fn fault(&self) -> Option<&str> {
        match self {
            Self::Good { .. } => None,
            Self::Failed(Failure::Limited(limited)) => Some(&limited.why),
            Self::Failed(Failure::NoLogin { said } | Failure::Other { said }) => Some(said),
            Self::Failed(Failure::SessionGone) => Some("the session is not there"),
        }
    }
}

impl Tale {
    pub(crate) fn usage(used: Used, dollars: Option<f64>) -> Self {
        let tokens = used.tokens();
        Self::Usage {
            input: tokens.input,
            cached: tokens.cached,
            output: tokens.output,
            usd: dollars,
        }
    }
}
