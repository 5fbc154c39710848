//! A code host that keeps the notes of one merge request and the statuses of commits, in GitLab's way on a port of loopback. Whoever asks
//! it is the bot; a stranger's notes are put in by the test.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

const BOT: &str = "the-bot";
const STATUS: &str = "status";

#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) author: String,
    pub(super) body: String,
}

pub(super) struct CodeHost {
    kept: Arc<Mutex<Vec<Comment>>>,
    url: String,
}

impl CodeHost {
    /// Its threads end with the test's process.
    pub(super) fn start() -> Self {
        let kept: Arc<Mutex<Vec<Comment>>> = Arc::default();
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", port.local_addr().unwrap());
        let own = Arc::clone(&kept);
        std::thread::spawn(move || {
            for mut stream in port.incoming().flatten() {
                serve(&mut stream.try_clone().unwrap(), &mut stream, &own);
            }
        });
        Self { kept, url }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn add(&self, author: &str, body: &str) {
        let comment = Comment { author: author.to_owned(), body: body.to_owned() };
        self.kept.lock().unwrap().push(comment);
    }

    pub(super) fn comments(&self) -> Vec<Comment> {
        self.of(false)
    }

    /// What was said of commits: the path and the form.
    pub(super) fn statuses(&self) -> Vec<Comment> {
        self.of(true)
    }

    fn of(&self, statuses: bool) -> Vec<Comment> {
        let kept = self.kept.lock().unwrap();
        kept.iter().filter(|one| (one.author == STATUS) == statuses).cloned().collect()
    }
}

/// One request a connection.
fn serve(from: &mut dyn Read, to: &mut dyn Write, kept: &Mutex<Vec<Comment>>) {
    let mut reader = BufReader::new(from);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut words = first.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let answer = answer(method, path, &body, &mut kept.lock().unwrap());
    let (status, answer) = answer.map_or((404, json!({})), |answer| (200, answer));
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} .\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.len()
    );
    let _ = to.write_all((head + &answer).as_bytes());
}

fn answer(method: &str, path: &str, body: &[u8], kept: &mut Vec<Comment>) -> Option<Value> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let number = |path: &str| path.rsplit('/').next()?.parse::<usize>().ok();
    match (method, path) {
        ("GET", "/user") => Some(json!({"id": 1})),
        ("GET", "/projects/1/merge_requests/7/notes") => {
            let is_first =
                !query.split('&').any(|word| word.starts_with("page=") && word != "page=1");
            let notes = kept.iter().enumerate().filter(|(_, one)| one.author != STATUS);
            let rows = notes.map(|(id, comment)| {
                let author = i32::from(comment.author == BOT);
                json!({"id": id, "user": {"login": comment.author}, "author": {"id": author}, "body": comment.body})
            });
            Some(if is_first { rows.collect() } else { json!([]) })
        }
        ("POST", "/projects/1/merge_requests/7/notes") => {
            kept.push(Comment { author: BOT.to_owned(), body: text(body)? });
            Some(json!({"id": kept.len() - 1}))
        }
        ("POST", _) if path.starts_with("/projects/1/statuses/") => {
            let body = format!("{path} {}", String::from_utf8_lossy(body));
            kept.push(Comment { author: STATUS.to_owned(), body });
            Some(json!({}))
        }
        ("PUT", _) => {
            kept.get_mut(number(path)?)?.body = text(body)?;
            Some(json!({}))
        }
        _ => None,
    }
}

/// The field `body` of a request, as JSON or as a form.
fn text(body: &[u8]) -> Option<String> {
    if let Ok(value) = serde_json::from_slice::<Value>(body) {
        return value["body"].as_str().map(str::to_owned);
    }
    let form = std::str::from_utf8(body).ok()?.strip_prefix("body=")?;
    let (mut bytes, mut rest) = (Vec::new(), form.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}
