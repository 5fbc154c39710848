//! What an error of a model's provider means: a limit that passes, a login that is missing, or neither. Reads status codes
//! and the programs' own error texts, never what a model said.

use crate::limit::{LimitEnd, Limited, UNSAID_MS};
use crate::stream::{Failure, short};
use proctor_core::words::Millis;

/// How long to wait where a plan's allowance is used up and nobody says until when.
const ALLOWANCE_MS: u64 = 10 * 60 * 1000;

const LOGIN: [&str; 13] = [
    "not logged in",
    "please run /login",
    "invalid api key",
    "incorrect api key",
    "invalid x-api-key",
    "api key not valid",
    "no api key",
    "api key not found",
    "missing api key",
    "unauthorized",
    "authentication_error",
    "authentication error",
    "oauth token",
];
const ALLOWANCE: [&str; 6] = [
    "usage limit",
    "limit reached",
    "hit your limit",
    "hit your usage",
    "exceeded your current quota",
    "insufficient_quota",
];
const RATE: [&str; 7] = [
    "rate limit",
    "rate_limit",
    "ratelimit",
    "too many requests",
    "resource_exhausted",
    "429",
    "quota exceeded",
];
const OVERLOAD: [&str; 4] = ["overloaded", "high demand", "service unavailable", "529"];

/// Sorts an error by its status, where there is one, and by its words.
pub(crate) fn failure(status: Option<u64>, said: &str) -> Failure {
    let low = said.to_lowercase();
    let status = status.or_else(|| embedded(&low));
    let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let limited = |unsaid: u64| {
        let until = until(&low).unwrap_or(LimitEnd::After(unsaid));
        Failure::Limited(Limited { until, why: short(said) })
    };
    match status {
        Some(401 | 403) => Failure::NoLogin { said: short(said) },
        Some(429) if has(&ALLOWANCE) => limited(ALLOWANCE_MS),
        Some(429 | 503 | 529) => limited(UNSAID_MS),
        _ if has(&ALLOWANCE) => limited(ALLOWANCE_MS),
        None if has(&LOGIN) => Failure::NoLogin { said: short(said) },
        None if has(&RATE) || has(&OVERLOAD) => limited(UNSAID_MS),
        _ => Failure::Other { said: said.trim().to_owned() },
    }
}

/// The status in a provider's own words, where a program passes those on as they are.
fn embedded(low: &str) -> Option<u64> {
    let marks =
        ["\"code\":", "\"status_code\":", "\"statuscode\":", "status: ", "unexpected status "];
    let rest = marks.iter().find_map(|mark| low.split_once(mark)).map(|(_, rest)| rest)?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|status| (400..600).contains(status))
}

/// Until when, where the text says so: `…|1731740400`, `retry in 34s`, `try again in 2 days 3 hours`.
fn until(low: &str) -> Option<LimitEnd> {
    if let Some((_, rest)) = low.split_once('|') {
        let digits: String = rest.trim().chars().take_while(char::is_ascii_digit).collect();
        if digits.len() == 10 {
            return digits.parse::<u64>().ok().map(|s| LimitEnd::At(Millis(s * 1000)));
        }
    }
    let marks = [
        "retry in ",
        "try again in ",
        "retry after ",
        "retry-after: ",
        "retrydelay\":\"",
        "retrydelay\": \"",
    ];
    let rest = marks.iter().find_map(|mark| low.split_once(mark)).map(|(_, rest)| rest)?;
    span(rest).map(LimitEnd::After)
}

/// `34.07s`, `1h2m3s`, `2 days 3 hours`, `40` (seconds).
fn span(text: &str) -> Option<u64> {
    let mut rest = text.trim_start();
    let mut total: Option<f64> = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else { break };
        rest = rest[digits..].trim_start();
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let seconds = match &rest[..letters] {
            "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "ms" | "milliseconds" => 0.001,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            _ => break,
        };
        total = Some(total.unwrap_or_default() + number * seconds);
        rest = rest[letters..].trim_start_matches([' ', ',']).trim_start_matches("and ");
    }
    total.and_then(crate::limit::seconds_to_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(status: Option<u64>, said: &str) -> LimitEnd {
        match failure(status, said) {
            Failure::Limited(limited) => limited.until,
            other => panic!("{other:?} of {said}"),
        }
    }

    #[test]
    fn a_limit_is_read_with_its_time() {
        for (status, said, until) in [
            (
                None,
                "Claude AI usage limit reached|1731740400",
                LimitEnd::At(Millis(1_731_740_400_000)),
            ),
            (
                None,
                "You've hit your usage limit. Try again in 2 days 3 hours 4 minutes.",
                LimitEnd::After(183_840_000),
            ),
            (Some(429), "Please retry in 34.07s.", LimitEnd::After(34_070)),
            (Some(429), "{\"retryDelay\":\"12s\"}", LimitEnd::After(12_000)),
            (None, "Rate limit reached. Please try again in 1h2m3s", LimitEnd::After(3_723_000)),
            (
                None,
                "exceeded retry limit, last status: 429 Too Many Requests",
                LimitEnd::After(UNSAID_MS),
            ),
            (Some(529), "Overloaded", LimitEnd::After(UNSAID_MS)),
            (None, "You've hit your limit, resets 3pm", LimitEnd::After(ALLOWANCE_MS)),
        ] {
            assert_eq!(wait(status, said), until, "{said}");
        }
    }

    #[test]
    fn a_missing_login_is_told_from_other_errors() {
        for (status, said) in [
            (Some(401), "whatever"),
            (
                None,
                "[API Error: {\"error\":{\"code\":401,\"message\":\"no\",\"status\":\"UNAUTHENTICATED\"}}]",
            ),
            (None, "Not logged in · Please run /login"),
            (None, "unexpected status 401 Unauthorized: Incorrect API key provided"),
        ] {
            assert!(matches!(failure(status, said), Failure::NoLogin { .. }), "{said}");
        }
        for (status, said) in [
            (Some(500), "Internal error"),
            (Some(400), "bad request"),
            (None, "stream disconnected"),
        ] {
            assert!(matches!(failure(status, said), Failure::Other { .. }), "{said}");
        }
    }
}
