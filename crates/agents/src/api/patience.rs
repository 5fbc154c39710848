//! What a failed question means: whether it is asked again and when, or how the turn ends.

use super::dialect::Fault;
use crate::limit::{LimitEnd, Limited, UNSAID_MS};
use crate::stream::Failure;
use crate::trouble;

/// How often a question is asked again.
const TRIES: u32 = 4;
/// The first wait; each further one is twice as long.
const FIRST_MS: f64 = 500.0;
/// A wait that is longer than this is not the loop's: the run pauses.
const LONGEST_MS: u64 = 15_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Patience {
    Again { ms: u64, why: String },
    No(Failure),
}

/// `tries` is how often it failed in a row before this.
pub(crate) fn of(fault: Fault, tries: u32, jitter: f64) -> Patience {
    let more = tries < TRIES;
    match fault {
        Fault::Broken { said } if more => Patience::Again { ms: backoff(tries, jitter), why: said },
        Fault::Broken { said } => Patience::No(Failure::Other { said }),
        Fault::Status { status: 401..=403, said, .. } => Patience::No(Failure::NoLogin { said }),
        Fault::Status { status, said, retry } => {
            let mut failure = trouble::failure(Some(u64::from(status)), &said);
            if let (Failure::Limited(limited), Some(until)) = (&mut failure, retry) {
                limited.until = until;
            }
            match &failure {
                Failure::Limited(Limited { until: LimitEnd::After(ms), .. }) if more => {
                    if *ms <= LONGEST_MS {
                        // Never earlier than was said.
                        Patience::Again { ms: ms + part(1000.0, jitter), why: said }
                    } else if retry.is_none() && *ms == UNSAID_MS {
                        Patience::Again { ms: backoff(tries, jitter), why: said }
                    } else {
                        Patience::No(failure)
                    }
                }
                Failure::Other { .. } if more && may_pass(status) => {
                    Patience::Again { ms: backoff(tries, jitter), why: said }
                }
                Failure::Limited(_)
                | Failure::NoLogin { .. }
                | Failure::SessionGone
                | Failure::Other { .. } => Patience::No(failure),
            }
        }
    }
}

fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 500..=599)
}

fn backoff(tries: u32, jitter: f64) -> u64 {
    let full = FIRST_MS * f64::from(1_u32 << tries.min(10));
    part(full, 0.5 + jitter / 2.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small number that is not below zero; `as` saturates"
)]
fn part(ms: f64, share: f64) -> u64 {
    (ms * share).round() as u64
}

/// Whether the conversation is longer than the model can take.
pub(crate) fn is_too_long(status: u16, said: &str) -> bool {
    const WORDS: [&str; 7] = [
        "prompt is too long",
        "context_length_exceeded",
        "maximum context length",
        "context window",
        "context size",
        "context length",
        "request_too_large",
    ];
    let low = said.to_lowercase();
    matches!(status, 400 | 413 | 422 | 500) && WORDS.iter().any(|word| low.contains(word))
}

/// Whether the model, or its server, knows no tools.
pub(crate) fn is_without_tools(status: u16, said: &str) -> bool {
    let low = said.to_lowercase();
    let words =
        ["does not support tools", "tool calling is not supported", "tools are not supported"];
    matches!(status, 400 | 404 | 422 | 501) && words.iter().any(|word| low.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::words::Millis;

    fn status(status: u16, said: &str, retry: Option<LimitEnd>) -> Fault {
        Fault::Status { status, said: said.to_owned(), retry }
    }

    fn wait(fault: Fault, tries: u32, jitter: f64) -> u64 {
        match of(fault, tries, jitter) {
            Patience::Again { ms, .. } => ms,
            Patience::No(failure) => panic!("{failure:?}"),
        }
    }

    fn end(fault: Fault, tries: u32) -> Failure {
        match of(fault, tries, 0.0) {
            Patience::No(failure) => failure,
            Patience::Again { ms, .. } => panic!("again in {ms}"),
        }
    }

    #[test]
    fn what_may_pass_is_asked_again_later_and_later() {
        let broken = || Fault::Broken { said: "cut".into() };
        assert_eq!((wait(broken(), 0, 0.0), wait(broken(), 0, 1.0)), (250, 500));
        assert_eq!((wait(broken(), 3, 0.0), wait(broken(), 3, 1.0)), (2000, 4000));
        assert!(matches!(end(broken(), 4), Failure::Other { said } if said == "cut"));
        for code in [500, 502, 504, 408] {
            assert!(wait(status(code, "Internal", None), 1, 0.5) >= 500, "{code}");
            assert!(matches!(end(status(code, "Internal", None), 4), Failure::Other { .. }));
        }
        assert!(matches!(end(status(400, "bad", None), 0), Failure::Other { .. }));
    }

    #[test]
    fn a_short_limit_is_waited_for_and_a_long_one_is_told() {
        let soon = || status(429, "slow down", Some(LimitEnd::After(2000)));
        assert_eq!((wait(soon(), 0, 0.0), wait(soon(), 0, 1.0)), (2000, 3000));
        assert_eq!(wait(status(529, "Overloaded", None), 0, 1.0), 500);
        let late = [
            (status(429, "x", Some(LimitEnd::After(40_000))), LimitEnd::After(40_000)),
            (status(429, "x", Some(LimitEnd::At(Millis(9)))), LimitEnd::At(Millis(9))),
            (
                status(429, "You exceeded your current quota (insufficient_quota)", None),
                LimitEnd::After(600_000),
            ),
        ];
        for (fault, until) in late {
            assert!(matches!(end(fault, 0), Failure::Limited(limited) if limited.until == until));
        }
        assert!(matches!(end(status(529, "Overloaded", None), 4), Failure::Limited(_)));
        for code in [401, 402, 403] {
            assert!(matches!(end(status(code, "x", None), 0), Failure::NoLogin { .. }), "{code}");
        }
    }
}
