//! How much one assertion asks for, and when one asks for less than another about the same thing.

use super::tokens::{Kind, Token, is_literal, tokens};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Force {
    Equal {
        expected: Vec<Token>,
    },
    /// Nearly equal, with what is allowed by name.
    Approx {
        slack: Vec<(String, f64)>,
    },
    Raises {
        kinds: Vec<String>,
        message: Message,
    },
    /// In order, with the bound where it is a number.
    Ordered {
        side: Side,
        bound: Option<f64>,
    },
    /// A part of it, or a pattern.
    Contains,
    Instance,
    /// There at all.
    Present,
    Different,
    Truthy,
    Falsy,
    /// An assertion that this reader does not know.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Asked,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    AtLeast,
    Below,
    AtMost,
}

/// What an assertion is about, and how much it asks.
pub(super) type Claim = (Vec<Token>, Force);

const BROAD: [&str; 7] = [
    "Exception",
    "BaseException",
    "Error",
    "Throwable",
    "RuntimeException",
    "StandardError",
    "any",
];

/// Some exceptions of Python with what they are a kind of.
const PARENTS: [(&str, &str); 12] = [
    ("KeyError", "LookupError"),
    ("IndexError", "LookupError"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("FileNotFoundError", "OSError"),
    ("FileExistsError", "OSError"),
    ("PermissionError", "OSError"),
    ("ConnectionError", "OSError"),
    ("TimeoutError", "OSError"),
    ("UnicodeDecodeError", "ValueError"),
    ("JSONDecodeError", "ValueError"),
    ("ModuleNotFoundError", "ImportError"),
];

impl Force {
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Equal { .. } | Self::Raises { .. } => 5,
            Self::Approx { .. } => 4,
            Self::Ordered { .. } | Self::Contains => 3,
            Self::Instance | Self::Present | Self::Different => 2,
            Self::Truthy | Self::Falsy => 1,
            Self::Unknown => 0,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Equal { .. } => "equality",
            Self::Approx { .. } => "near equality",
            Self::Raises { .. } => "an exception",
            Self::Ordered { .. } => "an order",
            Self::Contains => "a part or a pattern",
            Self::Instance => "a type",
            Self::Present => "being there",
            Self::Different => "a difference",
            Self::Truthy | Self::Falsy => "a truth value",
            Self::Unknown => "something",
        }
    }

    pub(super) fn is_broad_exception(&self) -> bool {
        match self {
            Self::Raises { kinds, message } => {
                *message == Message::Any && kinds.iter().all(|k| BROAD.contains(&k.as_str()))
            }
            _ => false,
        }
    }

    /// What makes the new one ask for less than the old one; both are about the same thing.
    pub(super) fn less_than(&self, old: &Self) -> Option<String> {
        match (old, self) {
            (Self::Equal { expected: was }, Self::Equal { expected: is }) => {
                let wild = wildcards(is) > wildcards(was);
                wild.then(|| "a part of the expected value may now be anything".to_owned())
            }
            (Self::Equal { expected }, Self::Approx { slack }) => {
                let float =
                    expected.iter().any(|t| t.kind == Kind::Number && t.text.contains(['.', 'e']))
                        || !is_literal(expected);
                let wide = slack.iter().any(|(_, s)| *s > 0.01);
                (!float || wide).then(|| "equality became near equality".to_owned())
            }
            // An empty or plain value is as well asked for by its truth.
            (Self::Equal { expected }, Self::Truthy | Self::Falsy) if is_plain(expected) => None,
            // What panicked without a word may as well give an error. The rest can't be compared.
            (Self::Raises { message: Message::Any, .. }, Self::Present)
            | (Self::Truthy, Self::Falsy)
            | (Self::Falsy, Self::Truthy)
            | (Self::Unknown, _)
            | (_, Self::Unknown) => None,
            (Self::Approx { slack: was }, Self::Approx { slack: is }) => wider(was, is),
            (Self::Ordered { side: was, bound: old }, Self::Ordered { side: is, bound: new }) => {
                looser(*was, *old, *is, *new)
            }
            (
                Self::Raises { kinds: was, message: had },
                Self::Raises { kinds: is, message: has },
            ) => broader(was, is).or_else(|| {
                let dropped = *had == Message::Asked && *has == Message::Any;
                dropped.then(|| "the message is not asked for any more".to_owned())
            }),
            (old, new) if new.rank() < old.rank() => {
                Some(format!("{} became {}", old.name(), new.name()))
            }
            _ => None,
        }
    }
}

/// Values whose truth is as much as their equality in most hands.
fn is_plain(expected: &[Token]) -> bool {
    match expected {
        [one] => {
            matches!(
                one.text.as_str(),
                "True"
                    | "False"
                    | "true"
                    | "false"
                    | "None"
                    | "null"
                    | "undefined"
                    | "nil"
                    | "0"
                    | "\"\""
            )
        }
        [open, close] => (open.is("[") && close.is("]")) || (open.is("{") && close.is("}")),
        _ => false,
    }
}

/// An expected value that every value is equal to: `expect.anything()`, `mock.ANY`.
pub(super) fn is_anything(expected: &[Token]) -> bool {
    let ways = ["ANY", "mock.ANY", "unittest.mock.ANY", "expect.anything()"];
    ways.iter().any(|way| tokens(way).iter().map(|t| &t.text).eq(expected.iter().map(|t| &t.text)))
}

fn wildcards(expected: &[Token]) -> usize {
    let names = [
        "ANY",
        "anything",
        "objectContaining",
        "stringContaining",
        "stringMatching",
        "arrayContaining",
        "Anything",
    ];
    let any =
        expected.windows(2).filter(|w| w[0].is(".") && (w[1].is("any") || w[1].is("Any"))).count();
    any + expected
        .iter()
        .filter(|t| t.kind == Kind::Name && names.contains(&t.text.as_str()))
        .count()
}

fn wider(was: &[(String, f64)], is: &[(String, f64)]) -> Option<String> {
    const USUAL: f64 = 1e-6;
    for (name, new) in is {
        let old = was.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let limit = old.unwrap_or(if was.is_empty() { USUAL } else { f64::INFINITY });
        if *new > limit {
            return Some(format!("the tolerance was raised from {limit} to {new}"));
        }
    }
    None
}

fn looser(was: Side, old: Option<f64>, is: Side, new: Option<f64>) -> Option<String> {
    let (old, new) = (old?, new?);
    let up = |s: Side| matches!(s, Side::Above | Side::AtLeast);
    if up(was) != up(is) {
        return None;
    }
    let lower = if up(was) { new < old } else { new > old };
    #[allow(clippy::float_cmp)] // Both are read from literals.
    let opened = new == old
        && matches!((was, is), (Side::Above, Side::AtLeast) | (Side::Below, Side::AtMost));
    // `> 0` and `>= 1` are the same for whole numbers.
    let whole = |n: f64| n.fract() == 0.0;
    let same = whole(old) && whole(new) && {
        let least = |s: Side, n: f64| match s {
            Side::Above => n + 1.0,
            Side::Below => n - 1.0,
            Side::AtLeast | Side::AtMost => n,
        };
        (least(was, old) - least(is, new)).abs() < 0.5
    };
    ((lower && !same) || opened).then(|| format!("the bound moved from {old} to {new}"))
}

fn broader(was: &[String], is: &[String]) -> Option<String> {
    let text =
        |kinds: &[String]| if kinds.is_empty() { "any".to_owned() } else { kinds.join(", ") };
    let was_broad = was.is_empty() || was.iter().any(|k| BROAD.contains(&k.as_str()));
    let is_broad = is.is_empty() || is.iter().any(|k| BROAD.contains(&k.as_str()));
    let more = !was.is_empty() && was.len() < is.len() && was.iter().all(|k| is.contains(k));
    let parent = was.iter().any(|k| {
        PARENTS
            .iter()
            .any(|(c, p)| c == k && is.iter().any(|i| i == p) && !was.iter().any(|w| w == p))
    });
    let widened = (!was_broad && is_broad) || (!was.is_empty() && is.is_empty()) || more || parent;
    widened.then(|| format!("the expected exception was {} and is {}", text(was), text(is)))
}
