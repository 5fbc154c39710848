//! What an answer means before anybody reads its body: it is there, it may be there later, or it is refused. Knows rate limits,
//! servers in trouble, tokens that are over, and pages.

use serde_json::Value;

/// What came back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    Fine(Value),
    /// Nothing was done; it may be asked again after so many seconds.
    Later {
        seconds: u64,
        why: String,
    },
    /// There is no such thing, or nobody may know of it.
    Missing,
    Refused {
        status: u16,
        why: String,
        hint: &'static str,
    },
}

/// The longest that a host may ask to wait and is waited for.
pub const PATIENCE: u64 = 120;

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// `now` is the time in seconds since 1970, for hosts that name a moment.
    pub fn meaning(&self, now: u64) -> Meaning {
        let status = self.status;
        if (200..300).contains(&status) {
            if self.body.iter().all(u8::is_ascii_whitespace) {
                return Meaning::Fine(Value::Null);
            }
            return match serde_json::from_slice(&self.body) {
                Ok(value) => Meaning::Fine(value),
                Err(why) => refused(
                    status,
                    &format!("the answer is no JSON: {why}"),
                    "is that the address of an API?",
                ),
            };
        }
        let said = self.said();
        match status {
            500..=599 => Meaning::Later { seconds: 2, why: format!("the host answered {status}") },
            403 | 429 if let Some(seconds) = self.wait(now) => Meaning::Later {
                seconds,
                why: format!("the host's rate limit is reached ({said})"),
            },
            429 => {
                Meaning::Later { seconds: 30, why: "the host's rate limit is reached".to_owned() }
            }
            404 => Meaning::Missing,
            401 => refused(
                status,
                &said,
                "the token is not known, or it is over: make a new one, or log in again (`gh auth login`, `glab auth login`)",
            ),
            403 => refused(
                status,
                &said,
                "the token may not do that: it needs the right to write contents, pull requests and checks (GitHub), or the scope `api` (GitLab)",
            ),
            _ => refused(status, &said, "what the host says should tell what is missing there"),
        }
    }

    /// How long to wait, where the host says so.
    fn wait(&self, now: u64) -> Option<u64> {
        if let Some(seconds) = self.header("retry-after").and_then(|text| text.parse().ok()) {
            return Some(seconds);
        }
        let left = self.header("x-ratelimit-remaining").or(self.header("ratelimit-remaining"))?;
        let until = self.header("x-ratelimit-reset").or(self.header("ratelimit-reset"))?;
        let until: u64 = until.parse().ok()?;
        (left == "0").then(|| until.saturating_sub(now).max(1))
    }

    /// What the host says, on one line and not too long.
    fn said(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let message = ["message", "error_description", "error"].iter().find_map(|name| {
            let value = &value[*name];
            match value {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            }
        });
        let details = value["errors"].as_array().into_iter().flatten();
        let details = details.filter_map(|one| one["message"].as_str().or(one.as_str()));
        let mut text = message.unwrap_or_else(|| format!("the host answered {}", self.status));
        for detail in details.take(3) {
            text.push_str("; ");
            text.push_str(detail);
        }
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
    }

    /// The path of the next page, seen from the API's address; both hosts name it in the same header.
    pub fn next_page(&self, api: &str) -> Option<String> {
        let links = self.header("link")?;
        let next = links.split(',').find(|link| link.contains("rel=\"next\""))?;
        let url = next.split_once('<')?.1.split_once('>')?.0;
        // Never to another address: the token goes along.
        let path = url.strip_prefix(api)?.strip_prefix('/')?;
        Some(path.to_owned())
    }
}

fn refused(status: u16, why: &str, hint: &'static str) -> Meaning {
    Meaning::Refused { status, why: why.to_owned(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
        let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Answer { status, headers, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn limits_troubles_and_tokens_are_told_apart() {
        let limited = answer(
            403,
            &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")],
            "{\"message\":\"API rate limit exceeded\"}",
        );
        assert!(matches!(limited.meaning(1000), Meaning::Later { seconds: 30, .. }));
        let second = answer(429, &[("retry-after", "7")], "");
        assert!(matches!(second.meaning(0), Meaning::Later { seconds: 7, .. }));
        assert!(matches!(answer(502, &[], "<html>").meaning(0), Meaning::Later { .. }));
        assert_eq!(answer(404, &[], "{}").meaning(0), Meaning::Missing);
        let over = answer(401, &[], "{\"message\":\"Bad credentials\"}").meaning(0);
        assert!(
            matches!(over, Meaning::Refused { status: 401, ref why, hint } if why == "Bad credentials" && hint.contains("make a new one"))
        );
        let may_not = answer(403, &[], "{\"message\":\"Resource not accessible by integration\"}");
        assert!(matches!(may_not.meaning(0), Meaning::Refused { status: 403, .. }));
        let invalid = answer(
            422,
            &[],
            "{\"message\":\"Validation Failed\",\"errors\":[{\"message\":\"A pull request already exists\"}]}",
        );
        assert!(
            matches!(invalid.meaning(0), Meaning::Refused { ref why, .. } if why.contains("already exists"))
        );
        assert!(matches!(answer(200, &[], "<html>").meaning(0), Meaning::Refused { .. }));
    }

    #[test]
    fn the_next_page_is_followed_on_the_same_host_alone() {
        let api = "https://h/api/v3";
        let link =
            "<https://h/api/v3/x?page=1>; rel=\"prev\", <https://h/api/v3/x?page=3>; rel=\"next\"";
        assert_eq!(answer(200, &[("link", link)], "[]").next_page(api).unwrap(), "x?page=3");
        let away = "<https://elsewhere/x?page=3>; rel=\"next\"";
        assert_eq!(answer(200, &[("link", away)], "[]").next_page(api), None);
    }
}
