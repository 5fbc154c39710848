//! A board under test, and a client that says exactly what it is told to say.

use crate::repos::place::Place;
use proctor_testkit::Running;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_mins(2);

pub struct Board {
    _running: Running,
    pub address: String,
    pub token: String,
    cookie: String,
}

pub struct Answer {
    pub code: u16,
    pub head: String,
    pub text: String,
}

impl Board {
    pub fn open(place: &Place) -> Self {
        let mut running =
            place.env.call(place.path()).args(&["serve", "--port", "0"]).limit(LIMIT).spawn();
        running.until("the link", |out, _| out.contains("token=") && out.ends_with('\n'));
        let link = running.stdout().trim().to_owned();
        let rest = link.strip_prefix("http://").expect("a link");
        let (address, token) = rest.split_once("/?token=").expect("a link with a token");
        let (address, token) = (address.to_owned(), token.to_owned());
        let mut board = Self { _running: running, address, token, cookie: String::new() };
        let first =
            board.bare(&format!("GET /?token={} HTTP/1.1", board.token), "", "").expect(303);
        let cookie = first.head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.expect("a cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        cookie.split(';').next().unwrap_or_default().clone_into(&mut board.cookie);
        board
    }

    /// A request as it stands here, with our host and nothing else.
    pub fn bare(&self, line: &str, headers: &str, body: &str) -> Answer {
        self.say(&format!("{line}\r\nhost: {}\r\n{headers}", self.address), body)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.bare(&format!("GET {path} HTTP/1.1"), &self.known(), "")
    }

    /// The same, asked by another name.
    pub fn named(&self, host: &str, path: &str) -> Answer {
        self.say(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n{}", self.known()), "")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.post_from(&format!("http://{}", self.address), path, body)
    }

    pub fn post_from(&self, origin: &str, path: &str, body: &str) -> Answer {
        let kind = "content-type: application/x-www-form-urlencoded\r\n";
        let headers = format!("{}origin: {origin}\r\n{kind}", self.known());
        self.bare(&format!("POST {path} HTTP/1.1"), &headers, body)
    }

    /// Looks on from a version of the board.
    pub fn watch(&self, version: u64) -> Watcher {
        let line = format!("GET /events?since={version} HTTP/1.1");
        let mut stream = TcpStream::connect(&self.address).expect("the board");
        stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a time limit");
        let text = format!("{line}\r\nhost: {}\r\n{}\r\n", self.address, self.known());
        stream.write_all(text.as_bytes()).expect("a request");
        Watcher { lines: BufReader::new(stream) }
    }

    fn known(&self) -> String {
        format!("cookie: {}\r\n", self.cookie)
    }

    fn say(&self, head: &str, body: &str) -> Answer {
        ask(&self.address, head, body)
    }
}

/// One request on a connection of its own.
pub fn ask(address: &str, head: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).expect("a server");
    stream.set_read_timeout(Some(LIMIT)).expect("a time limit");
    let length = body.len();
    let text = format!("{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).expect("a request");
    let (mut stream, mut head, mut bytes) = (BufReader::new(stream), String::new(), Vec::new());
    while !head.ends_with("\r\n\r\n") {
        let read = stream.read_line(&mut head).expect("a head");
        assert!(read > 0, "the answer ended in its head: {head}");
    }
    let lower = head.to_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "));
    match length.and_then(|text| text.trim().parse().ok()) {
        // A connection may be kept open after an answer.
        Some(length) => {
            stream.take(length).read_to_end(&mut bytes).expect("an answer");
        }
        None => {
            stream.read_to_end(&mut bytes).expect("an answer");
        }
    }
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code");
    Answer { code, head, text: String::from_utf8_lossy(&bytes).into_owned() }
}

impl Answer {
    #[track_caller]
    pub fn expect(self, code: u16) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.head, self.text);
        self
    }

    /// A hidden field of the page's first form.
    #[track_caller]
    pub fn field(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let (_, rest) = self.text.split_once(&start).expect("a field");
        rest.split('"').next().unwrap_or_default().to_owned()
    }

    pub fn version(&self) -> u64 {
        let (_, rest) = self.text.split_once("data-version=\"").expect("a version");
        rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
    }
}

pub struct Watcher {
    lines: BufReader<TcpStream>,
}

impl Watcher {
    #[track_caller]
    pub fn until(&mut self, text: &str) {
        let (began, mut line) = (Instant::now(), String::new());
        loop {
            assert!(began.elapsed() < LIMIT, "`{text}` was not told");
            // A line that did not come in a second is waited for again.
            if self.lines.read_line(&mut line).is_err() || !line.ends_with('\n') {
                continue;
            }
            if line.contains(text) {
                return;
            }
            line.clear();
        }
    }
}
