//! The line to a code host: carries out what `proctor-hosts` plans, through the host's own program or with a token. Asks again
//! where nothing was done; whether something was done that nobody heard of is for the caller to look at. The token goes to the
//! host and nowhere else.

use proctor_hosts::answer::PATIENCE;
use proctor_hosts::host::GRAPH;
use proctor_hosts::{Answer, Call, Host, Kind, Meaning, Method, Place};
use proctor_world::forge::{ApiCall, api};
use proctor_world::http::{Ask, Client, Patience};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long one request may take.
const LIMIT: Duration = Duration::from_mins(1);
/// How often something is asked that only waits for the host.
const TRIES: u32 = 4;
/// As many pages are read.
const PAGES: usize = 50;

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    #[error("{place}: there is no such thing there, or the token may not see it: {what}")]
    Missing { place: String, what: String },
    #[error("{place} refused {what}: {why}\nhint: {hint}")]
    Refused { place: String, what: String, why: String, hint: &'static str },
    /// It may have been done.
    #[error("{place} could not be asked: {why}\nhint: try again later; nothing is done twice")]
    Unsure { place: String, why: String },
    #[error(
        "there is no way to {place}: neither `{program}` is installed nor is {variable} set\nhint: install `{program}` and log in, or give a token as {variable}"
    )]
    NoWay { place: String, program: &'static str, variable: &'static str },
}

enum Way {
    Token { client: Client, headers: Vec<(&'static str, String)> },
    Program(PathBuf),
}

/// A line to one project.
pub struct Line {
    pub host: Host,
    address: String,
    way: Way,
    /// How long is waited where a host says nothing about it, at first.
    pub pause: Duration,
}

impl Line {
    /// Through `gh` or `glab` where it is installed, else with a token of the environment.
    pub fn open(place: &Place, env: &BTreeMap<OsString, OsString>) -> Result<Self, HostError> {
        let var = |name: &str| {
            let value = env.get(&OsString::from(name)).filter(|value| !value.is_empty())?;
            value.to_str().map(str::to_owned)
        };
        let known = match place.kind {
            Kind::GitHub => KnownHost {
                program: "gh",
                variable: "GH_TOKEN",
                tokens: &[
                    "GH_TOKEN",
                    "GITHUB_TOKEN",
                    "GH_ENTERPRISE_TOKEN",
                    "GITHUB_ENTERPRISE_TOKEN",
                ],
                address: "GITHUB_API_URL",
            },
            Kind::GitLab => KnownHost {
                program: "glab",
                variable: "GITLAB_TOKEN",
                tokens: &["GITLAB_TOKEN", "PROCTOR_TOKEN"],
                address: "CI_API_V4_URL",
            },
        };
        let address = var(known.address).unwrap_or_else(|| place.api());
        let address = address.trim_end_matches('/').to_owned();
        let found = env.get(&OsString::from("PATH")).and_then(|path| {
            let mut programs = std::env::split_paths(path).map(|dir| dir.join(known.program));
            programs.find(|program| program.is_file())
        });
        let token = known.tokens.iter().find_map(|name| var(name));
        // Who names the address and has a token is meant to go there, as in a job of the host's own.
        let named = var(known.address).is_some();
        let way = match (found, token) {
            (_, Some(token)) if named => token_way(place, &address, &token)?,
            (Some(program), _) => Way::Program(program),
            (None, Some(token)) => token_way(place, &address, &token)?,
            (None, None) => {
                let (program, variable) = (known.program, known.variable);
                return Err(HostError::NoWay { place: place.to_string(), program, variable });
            }
        };
        let pause = var("PROCTOR_HOST_PAUSE_MS").and_then(|ms| ms.parse().ok());
        let pause = Duration::from_millis(pause.unwrap_or(1000));
        Ok(Self { host: Host { place: place.clone() }, address, way, pause })
    }

    /// Asks once and gives what was answered. What only waits for the host is asked again, and so is whatever changes nothing.
    pub fn ask(&self, call: &Call) -> Result<Value, HostError> {
        self.answer(call).map(|(value, _)| value)
    }

    /// All pages of a list.
    pub fn all(&self, call: &Call) -> Result<Vec<Value>, HostError> {
        self.pages(call).map(|(rows, _)| rows)
    }

    /// The same, and what the host's clock says, where it does.
    pub fn pages(&self, call: &Call) -> Result<(Vec<Value>, Option<String>), HostError> {
        let (mut rows, mut call) = (Vec::new(), call.clone());
        let mut date = None;
        for _ in 0..PAGES {
            let (value, answer) = self.answer(&call)?;
            date = date.or_else(|| answer.header("date").map(str::to_owned));
            match value {
                Value::Array(more) => rows.extend(more),
                other => rows.push(other),
            }
            match answer.next_page(&self.address) {
                Some(path) => call = Call::get(path),
                None => return Ok((rows, date)),
            }
        }
        Err(self.refused(&call, "the list does not end", "that many pages nobody can have written"))
    }

    /// Whether the host says that a user may merge here.
    pub fn may_merge(&self, user: &str) -> Result<bool, HostError> {
        let rows = match self.all(&self.host.rights(user)) {
            Ok(rows) => rows,
            Err(HostError::Missing { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let value = match <[Value; 1]>::try_from(rows) {
            Ok([row]) if row.is_object() && !row["permission"].is_null() => row,
            Ok([row]) => Value::Array(vec![row]),
            Err(rows) => Value::Array(rows),
        };
        Ok(self.host.may_merge(&value, user))
    }

    fn answer(&self, call: &Call) -> Result<(Value, Answer), HostError> {
        let repeatable = call.method == Method::Get;
        let mut pause = self.pause;
        let mut last = String::new();
        for _ in 0..TRIES {
            let answer = match self.send(call) {
                Ok(answer) => answer,
                Err(why) if repeatable => {
                    last = why;
                    std::thread::sleep(pause);
                    pause *= 2;
                    continue;
                }
                Err(why) => return Err(self.unsure(why)),
            };
            match answer.meaning(now()) {
                Meaning::Fine(value) => return Ok((value, answer)),
                Meaning::Missing => {
                    return Err(HostError::Missing {
                        place: self.host.place.to_string(),
                        what: call.path.clone(),
                    });
                }
                Meaning::Refused { why, hint, .. } => return Err(self.refused(call, &why, hint)),
                Meaning::Later { why, .. } if !repeatable && answer.status >= 500 => {
                    return Err(self.unsure(why));
                }
                Meaning::Later { seconds, why } if seconds > PATIENCE => {
                    return Err(self.unsure(format!("{why}; it may be asked again in {seconds} s")));
                }
                Meaning::Later { seconds, why } => {
                    last = why;
                    let asked = answer.status < 500;
                    std::thread::sleep(if asked { Duration::from_secs(seconds) } else { pause });
                    pause *= 2;
                }
            }
        }
        Err(self.unsure(last))
    }

    fn send(&self, call: &Call) -> Result<Answer, String> {
        let body = call.body.as_ref().map(|body| body.to_string().into_bytes());
        match &self.way {
            Way::Token { client, headers } => {
                // The other API is beside the versions of this one.
                let own = self.address.strip_suffix("/v3").filter(|_| call.path == GRAPH);
                let root = own.unwrap_or(&self.address);
                let url = format!("{root}/{}", call.path);
                let ask =
                    Ask { method: call.method.name(), url: &url, headers, body: body.as_deref() };
                let told = client.ask(&ask)?;
                Ok(Answer { status: told.status, headers: told.headers, body: told.body })
            }
            Way::Program(program) => {
                let api_call = ApiCall {
                    program,
                    host: &self.host.place.host,
                    method: call.method.name(),
                    path: &call.path,
                    body: body.as_deref(),
                };
                let printed = api(&api_call).map_err(|why| why.to_string())?;
                read_head(&printed.stdout).ok_or_else(|| {
                    let said = printed.stderr.lines().next().unwrap_or("it said nothing");
                    format!("{}: {said}", name(program))
                })
            }
        }
    }

    fn refused(&self, call: &Call, why: &str, hint: &'static str) -> HostError {
        let what = format!("{} {}", call.method.name(), call.path);
        HostError::Refused { place: self.host.place.to_string(), what, why: why.to_owned(), hint }
    }

    fn unsure(&self, why: String) -> HostError {
        HostError::Unsure { place: self.host.place.to_string(), why }
    }
}

struct KnownHost {
    program: &'static str,
    variable: &'static str,
    tokens: &'static [&'static str],
    /// What says where the API is, where it is not at its usual place.
    address: &'static str,
}

fn token_way(place: &Place, address: &str, token: &str) -> Result<Way, HostError> {
    let client = Client::new(address, Patience::Short(LIMIT))
        .map_err(|why| HostError::Unsure { place: place.to_string(), why })?;
    let mut headers = vec![("content-type", "application/json".to_owned())];
    match place.kind {
        Kind::GitHub => {
            headers.push(("authorization", format!("Bearer {token}")));
            headers.push(("accept", "application/vnd.github+json".to_owned()));
            headers.push(("x-github-api-version", "2022-11-28".to_owned()));
        }
        Kind::GitLab => headers.push(("private-token", token.to_owned())),
    }
    Ok(Way::Token { client, headers })
}

fn name(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// An answer as `api --include` prints it: a status line, headers, an empty line, the body.
fn read_head(bytes: &[u8]) -> Option<Answer> {
    let gap = bytes.windows(2).position(|two| two == b"\n\n").map(|at| (at, 2));
    let wide = bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| (at, 4));
    let (at, width) = [gap, wide].into_iter().flatten().min().unwrap_or((bytes.len(), 0));
    let head = String::from_utf8_lossy(bytes.get(..at)?).into_owned();
    let mut lines = head.lines();
    let status = lines.next().filter(|line| line.starts_with("HTTP/"))?;
    let status = status.split_whitespace().nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_owned()))
        .collect();
    Some(Answer { status, headers, body: bytes.get(at + width..)?.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::read_head;

    #[test]
    fn what_a_program_prints_is_read_as_an_answer() {
        let text = b"HTTP/2.0 404 Not Found\nLink: <x>; rel=\"next\"\nX-A: b\r\n\r\n{\"a\":1}";
        let answer = read_head(text).unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (404, b"{\"a\":1}".as_slice()));
        assert_eq!(answer.header("link"), Some("<x>; rel=\"next\""));
        assert_eq!(read_head(b"HTTP/1.1 204 No Content\r\n").unwrap().status, 204);
        assert!(read_head(b"gh: not logged in").is_none());
    }
}
