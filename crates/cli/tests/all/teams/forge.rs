//! A code host that is played on this machine: GitHub's and GitLab's ways with the shapes of their answers, two rows a page, and
//! troubles that a test orders. GitHub's way is on a socket too, for the real `gh`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

pub(crate) const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
pub(crate) const BOT: &str = "github-actions[bot]";

/// Something goes wrong, once.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) method: &'static str,
    pub(crate) part: &'static str,
    pub(crate) status: u16,
    pub(crate) headers: &'static str,
    /// Whether what was asked is done all the same.
    pub(crate) done: bool,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) requests: Vec<Value>,
    pub(crate) comments: Vec<Value>,
    pub(crate) reports: Vec<Value>,
    pub(crate) issues: Vec<Value>,
    pub(crate) writers: Vec<String>,
    /// GitLab's external status checks, and what was answered to them.
    pub(crate) checks: Vec<Value>,
    pub(crate) answers: Vec<Value>,
    /// Reviews as GitHub lists them, approvals as GitLab does.
    pub(crate) reviews: Vec<Value>,
    /// What stands for the repository: heads of requests are its branches.
    pub(crate) bare: Option<PathBuf>,
    /// When which commit was first seen at the head of the request.
    versions: Vec<Value>,
    pub(crate) faults: Vec<Fault>,
    /// Method and path of everything that was asked.
    pub(crate) asked: Vec<String>,
    ticks: u32,
}

impl State {
    fn now(&mut self) -> String {
        self.ticks += 1;
        format!("2026-01-01T00:{:02}:{:02}Z", self.ticks / 60, self.ticks % 60)
    }

    pub(crate) fn comment(&mut self, author: &str, body: &str) {
        let (now, id) = (self.now(), self.comments.len() + 1);
        self.comments.push(json!({"id": id, "user": {"login": author}, "author": {"username": author}, "body": body, "created_at": now, "updated_at": now}));
    }
}

impl State {
    /// The request as it is now, with the tip of its branch.
    fn request(&mut self, number: &str) -> Option<Value> {
        let mut row = self.requests.get(number.parse::<usize>().ok()? - 1)?.clone();
        let Some(bare) = self.bare.clone() else { return Some(row) };
        let branch = row["head"]["ref"].as_str().or(row["source_branch"].as_str())?.to_owned();
        let tip = std::process::Command::new("git")
            .arg("--git-dir")
            .arg(bare)
            .args(["rev-parse", &branch])
            .output()
            .unwrap();
        let tip = String::from_utf8_lossy(&tip.stdout).trim().to_owned();
        if row["iid"].is_null() {
            row["head"]["sha"] = json!(tip);
        } else {
            row["sha"] = json!(tip);
        }
        if self.versions.last().is_none_or(|version| version["head_commit_sha"] != tip.as_str()) {
            let now = self.now();
            self.versions.push(json!({"head_commit_sha": tip, "created_at": now}));
        }
        Some(row)
    }

    /// Somebody reviews what the request's branch is at now.
    pub(crate) fn review(&mut self, who: &str, word: &str, words: &str) {
        let row = self.request("1").unwrap();
        let (now, head) = (self.now(), row["head"]["sha"].clone());
        self.reviews.push(json!({"user": {"login": who, "type": "User", "username": who}, "state": word, "commit_id": head, "submitted_at": now, "approved_at": now, "body": words}));
    }
}

pub(crate) struct Forge {
    state: Arc<Mutex<State>>,
    folder: tempfile::TempDir,
    url: String,
}

impl Forge {
    /// Its threads end with the test's process.
    pub(crate) fn start() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let folder = tempfile::tempdir().unwrap();
        let unix = UnixListener::bind(folder.path().join("host")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", port.local_addr().unwrap());
        let (own, base) = (Arc::clone(&state), "https://api.github.com".to_owned());
        std::thread::spawn(move || {
            for mut stream in unix.incoming().flatten() {
                serve(&mut stream.try_clone().unwrap(), &mut stream, &own, &base);
            }
        });
        let (own, base) = (Arc::clone(&state), url.clone());
        std::thread::spawn(move || {
            for mut stream in port.incoming().flatten() {
                serve(&mut stream.try_clone().unwrap(), &mut stream, &own, &base);
            }
        });
        Self { state, folder, url }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A folder with settings of `gh` that lead here.
    pub(crate) fn gh_config(&self) -> PathBuf {
        let socket = self.folder.path().join("host");
        let text = format!("http_unix_socket: {}\n", socket.display());
        std::fs::write(self.folder.path().join("config.yml"), text).unwrap();
        self.folder.path().to_owned()
    }

    /// The same of `glab`.
    pub(crate) fn glab_config(&self) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let host = self.url.trim_start_matches("http://");
        let text = format!(
            "check_update: false\nhosts:\n  gitlab.com:\n    api_protocol: http\n    api_host: {host}\n    token: {TOKEN}\n"
        );
        let file = self.folder.path().join("config.yml");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        self.folder.path().to_owned()
    }

    pub(crate) fn trouble(&self, fault: Fault) {
        self.state().faults.push(fault);
    }
}

fn serve(from: &mut dyn Read, to: &mut dyn Write, state: &Mutex<State>, base: &str) {
    let mut reader = BufReader::new(from);
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let (mut length, mut known, mut chunked) = (0, false, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        known |= line.ends_with(TOKEN);
        chunked |= line.eq_ignore_ascii_case("transfer-encoding: chunked");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut piece = vec![0; size + 2];
        reader.read_exact(&mut piece).unwrap();
        body.extend(&piece[..size]);
        chunked = size > 0;
    }
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let mut words = first.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    // `glab` asks below the path that a whole server has.
    let (path, base) = match path.strip_prefix("/api/v4") {
        Some(path) => (path, "https://gitlab.com/api/v4"),
        None => (path, base),
    };
    let mut state = state.lock().unwrap();
    state.asked.push(format!("{method} {path}"));
    let fault = state.faults.iter().position(|f| f.method == method && path.contains(f.part));
    let fault = fault.map(|at| state.faults.remove(at));
    let (status, answer) = if known {
        let does = fault.as_ref().is_none_or(|fault| fault.done);
        let answer = if does { answer(method, path, query, &body, &mut state) } else { None };
        answer.map_or((404, json!({"message": "Not Found"})), |answer| (200, answer))
    } else {
        (401, json!({"message": "Bad credentials"}))
    };
    let (status, answer, headers) = match fault {
        Some(fault) if known => {
            (fault.status, json!({"message": "trouble"}), fault.headers.to_owned())
        }
        _ => {
            let (answer, link) = paged(answer, (path, query), base);
            (status, answer, link)
        }
    };
    let answer = answer.to_string();
    let now = state.now();
    let head = format!(
        "HTTP/1.1 {status} .\r\nContent-Type: application/json\r\nDate: Thu, 01 Jan 2026 {} GMT\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
        now.get(11..19).unwrap(),
        answer.len()
    );
    let _ = to.write_all((head + &answer).as_bytes());
}

/// Two rows a page.
fn paged(answer: Value, (path, query): (&str, &str), base: &str) -> (Value, String) {
    let Some(rows) = answer.as_array() else { return (answer, String::new()) };
    let page = query.split('&').find_map(|word| word.strip_prefix("page="));
    let page: usize = page.and_then(|page| page.parse().ok()).unwrap_or(1);
    let rest = rows.get((page - 1) * 2..).unwrap_or_default();
    let link = if rest.len() > 2 {
        let kept: Vec<&str> = query.split('&').filter(|w| !w.starts_with("page=")).collect();
        format!("Link: <{base}{path}?{}&page={}>; rel=\"next\"\r\n", kept.join("&"), page + 1)
    } else {
        String::new()
    };
    (rest.iter().take(2).cloned().collect(), link)
}

fn answer(method: &str, path: &str, query: &str, body: &Value, state: &mut State) -> Option<Value> {
    let query: Vec<(String, String)> = query
        .split('&')
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.replace("%2F", "/").replace("%3A", ":")))
        .collect();
    let asked =
        |name: &str| query.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str());
    if path == "/user" {
        return Some(json!({"login": BOT, "username": BOT}));
    }
    if path == "/graphql" {
        let row =
            state.requests.iter_mut().find(|row| row["node_id"] == body["variables"]["id"])?;
        row["draft"] = json!(false);
        return Some(
            json!({"data": {"markPullRequestReadyForReview": {"pullRequest": {"isDraft": false}}}}),
        );
    }
    if let Some(rest) = path.strip_prefix("/repos/them/it/") {
        return github(method, rest, (&asked, body), state);
    }
    gitlab(method, path.strip_prefix("/projects/them%2Fit/")?, (&asked, body), state)
}

type Asked<'a> = (&'a dyn Fn(&str) -> Option<&'a str>, &'a Value);

fn github(method: &str, path: &str, (asked, body): Asked<'_>, state: &mut State) -> Option<Value> {
    let parts: Vec<&str> = path.split('/').collect();
    match (method, parts.as_slice()) {
        ("GET", ["pulls"]) => {
            let of = |row: &&Value| {
                row["state"] == "open"
                    && asked("head").is_none_or(|head| {
                        format!("them:{}", row["head"]["ref"].as_str().unwrap()) == head
                    })
                    && asked("base").is_none_or(|base| row["base"]["ref"] == base)
            };
            Some(state.requests.iter().filter(of).cloned().collect())
        }
        ("GET", ["pulls", number]) => state.request(number),
        ("GET", ["pulls", _, "reviews"]) => Some(state.reviews.iter().cloned().collect()),
        ("POST", ["pulls"]) => {
            let number = state.requests.len() + 1;
            let row = json!({"number": number, "node_id": format!("PR_{number}"), "html_url": format!("https://github.com/them/it/pull/{number}"), "title": body["title"], "body": body["body"], "draft": body["draft"], "state": "open", "merged_at": null, "user": {"login": BOT}, "head": {"ref": body["head"], "sha": ""}, "base": {"ref": body["base"]}});
            state.requests.push(row.clone());
            Some(row)
        }
        ("PATCH", ["pulls", number]) => {
            let row = state.requests.get_mut(number.parse::<usize>().ok()? - 1)?;
            for name in ["title", "body", "state"] {
                if !body[name].is_null() {
                    row[name] = body[name].clone();
                }
            }
            Some(row.clone())
        }
        ("GET", ["issues", number]) => {
            state.issues.iter().find(|issue| is_number(&issue["number"], number)).cloned()
        }
        ("GET", ["issues", _, "comments"]) => Some(state.comments.iter().cloned().collect()),
        ("POST", ["issues", _, "comments"]) => {
            state.comment(BOT, body["body"].as_str()?);
            state.comments.last().cloned()
        }
        ("PATCH", ["issues", "comments", id]) => edit(state, id, body),
        ("GET", ["collaborators", user, "permission"]) => {
            let word =
                if state.writers.iter().any(|writer| writer == user) { "write" } else { "read" };
            Some(json!({"permission": word, "user": {"login": user}}))
        }
        ("GET", ["commits", sha, "check-runs"]) => {
            let rows: Vec<&Value> =
                state.reports.iter().filter(|row| row["head_sha"] == *sha).collect();
            Some(json!({"total_count": rows.len(), "check_runs": rows}))
        }
        ("POST", ["check-runs"]) => {
            let mut row = body.clone();
            row["id"] = json!(state.reports.len() + 1);
            state.reports.push(row.clone());
            Some(row)
        }
        ("PATCH", ["check-runs", id]) => {
            let row = state.reports.get_mut(id.parse::<usize>().ok()? - 1)?;
            for (name, value) in body.as_object()? {
                row[name] = value.clone();
            }
            Some(row.clone())
        }
        _ => None,
    }
}

fn gitlab(method: &str, path: &str, (asked, body): Asked<'_>, state: &mut State) -> Option<Value> {
    let parts: Vec<&str> = path.split('/').collect();
    match (method, parts.as_slice()) {
        ("GET", ["merge_requests"]) => {
            let of = |row: &&Value| {
                row["state"] == "opened"
                    && asked("source_branch").is_none_or(|branch| row["source_branch"] == branch)
                    && asked("target_branch").is_none_or(|branch| row["target_branch"] == branch)
            };
            Some(state.requests.iter().filter(of).cloned().collect())
        }
        ("GET", ["merge_requests", number]) => state.request(number),
        ("GET", ["merge_requests", _, "status_checks"]) => {
            (!state.checks.is_empty()).then(|| state.checks.iter().cloned().collect())
        }
        ("POST", ["merge_requests", _, "status_check_responses"]) => {
            state.answers.push(body.clone());
            Some(body.clone())
        }
        ("GET", ["merge_requests", _, "approvals"]) => Some(json!({"approved_by": state.reviews})),
        ("GET", ["merge_requests", number, "versions"]) => {
            state.request(number)?;
            Some(state.versions.iter().cloned().collect())
        }
        ("POST", ["merge_requests"]) => {
            let number = state.requests.len() + 1;
            let draft = body["title"].as_str()?.starts_with("Draft: ");
            let row = json!({"iid": number, "web_url": format!("https://gitlab.com/them/it/-/merge_requests/{number}"), "title": body["title"], "description": body["description"], "draft": draft, "state": "opened", "sha": "", "author": {"username": BOT}, "source_branch": body["source_branch"], "target_branch": body["target_branch"]});
            state.requests.push(row.clone());
            Some(row)
        }
        ("PUT", ["merge_requests", number]) => {
            let row = state.requests.get_mut(number.parse::<usize>().ok()? - 1)?;
            for name in ["title", "description"] {
                if !body[name].is_null() {
                    row[name] = body[name].clone();
                }
            }
            let draft = row["title"].as_str()?.starts_with("Draft: ");
            row["draft"] = json!(draft);
            Some(row.clone())
        }
        ("GET", ["merge_requests", _, "notes"]) => Some(state.comments.iter().cloned().collect()),
        ("POST", ["merge_requests", _, "notes"]) => {
            state.comment(BOT, body["body"].as_str()?);
            state.comments.last().cloned()
        }
        ("PUT", ["merge_requests", _, "notes", id]) => edit(state, id, body),
        ("GET", ["members", "all"]) => Some(
            state
                .writers
                .iter()
                .map(|name| json!({"username": name, "state": "active", "access_level": 30}))
                .collect(),
        ),
        ("GET", ["repository", "commits", sha, "statuses"]) => {
            Some(state.reports.iter().filter(|row| row["sha"] == *sha).cloned().collect())
        }
        ("POST", ["statuses", sha]) => {
            let mut row = body.clone();
            row["sha"] = json!(sha);
            row["id"] = json!(state.reports.len() + 1);
            state.reports.retain(|old| old["sha"] != row["sha"] || old["name"] != row["name"]);
            state.reports.push(row.clone());
            Some(row)
        }
        ("GET", ["issues", number]) => {
            state.issues.iter().find(|issue| is_number(&issue["iid"], number)).cloned()
        }
        _ => None,
    }
}

fn is_number(value: &Value, text: &str) -> bool {
    value.as_u64().is_some_and(|number| text.parse() == Ok(number))
}

fn edit(state: &mut State, id: &str, body: &Value) -> Option<Value> {
    let now = state.now();
    let row = state.comments.iter_mut().find(|row| is_number(&row["id"], id))?;
    row["body"] = body["body"].clone();
    row["updated_at"] = json!(now);
    Some(row.clone())
}
