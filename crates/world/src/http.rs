//! Talks to a server: one request, its answer piece by piece. Owns connections and certificates; what is said over them
//! is the caller's.

use std::io::Read;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// How long it may take until there is a connection.
const CONNECT: Duration = Duration::from_secs(20);
/// How much is read at once.
const AT_ONCE: usize = 16 * 1024;
/// The largest answer that is read as a whole.
const LARGEST: u64 = 16 * 1024 * 1024;
/// How many pieces may wait to be heard: a server that never stops is not listened to faster than that.
const AHEAD: usize = 16;

/// A way to servers. Cheap to make; nothing is opened before it is used.
#[derive(Debug)]
pub struct Client {
    agent: ureq::Agent,
}

/// What is sent.
#[derive(Debug, Clone)]
pub struct Post {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// A request of any kind.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub method: &'a str,
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
    pub body: Option<&'a [u8]>,
}

/// A whole answer. Names of headers are in lower case.
#[derive(Clone, Debug)]
pub struct Told {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// A piece of an answer.
#[derive(Debug)]
pub enum Piece {
    Head(Head),
    Bytes(Vec<u8>),
    /// The answer is over.
    End,
    /// There is no more, and it was not over.
    Broken(String),
}

#[derive(Debug, Clone)]
pub struct Head {
    pub status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.clone())
    }
}

impl Client {
    /// For servers that are spoken to with a key: it follows no redirection, which could lead the key astray. The variable
    /// `SSL_CERT_FILE` names certificates that count instead of the usual ones. `patience` is how long a whole call may
    /// take.
    pub fn new(url: &str, patience: Patience) -> Result<Self, String> {
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .user_agent(concat!("proctor/", env!("CARGO_PKG_VERSION")));
        if let Patience::Short(limit) = patience {
            config = config.timeout_global(Some(limit));
        }
        if is_loopback(url) {
            config = config.proxy(None);
        }
        if let Some(file) = std::env::var_os("SSL_CERT_FILE").filter(|file| !file.is_empty()) {
            let file = std::path::PathBuf::from(file);
            let pem = std::fs::read(&file)
                .map_err(|why| format!("SSL_CERT_FILE {}: {why}", file.display()))?;
            let certs: Vec<_> = parse_pem(&pem)
                .filter_map(|item| match item {
                    Ok(PemItem::Certificate(cert)) => Some(cert),
                    _ => None,
                })
                .collect();
            let roots = RootCerts::new_with_certs(&certs);
            config = config.tls_config(TlsConfig::builder().root_certs(roots).build());
        }
        Ok(Self { agent: config.build().new_agent() })
    }

    /// Sends it, from a thread of its own. Whoever stops listening is not waited for.
    pub fn post(&self, post: Post) -> Receiver<Piece> {
        let (sender, pieces) = mpsc::sync_channel(AHEAD);
        let agent = self.agent.clone();
        std::thread::spawn(move || {
            if let Err(why) = send(&agent, &post, &sender) {
                // Nobody may listen any more.
                let _ = sender.send(Piece::Broken(why));
            }
        });
        pieces
    }

    /// One request with its whole answer, which is small.
    pub fn ask(&self, ask: &Ask<'_>) -> Result<Told, String> {
        let mut request = ureq::http::Request::builder().method(ask.method).uri(ask.url);
        for (name, value) in ask.headers {
            request = request.header(*name, value);
        }
        let answer = match ask.body {
            Some(body) => {
                self.agent.run(request.body(body.to_vec()).map_err(|why| why.to_string())?)
            }
            None => self.agent.run(request.body(()).map_err(|why| why.to_string())?),
        };
        let mut answer = answer.map_err(|why| words(&why))?;
        let headers = answer.headers().iter().map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        });
        let (status, headers) = (answer.status().as_u16(), headers.collect());
        let body = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        Ok(Told { status, headers, body: body.map_err(|why| words(&why))? })
    }

    /// Fetches a small page: its status and its bytes.
    pub fn get(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
    ) -> Result<(u16, Vec<u8>), String> {
        let mut request = self.agent.get(url);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let mut answer = request.call().map_err(|why| words(&why))?;
        let body = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        Ok((answer.status().as_u16(), body.map_err(|why| words(&why))?))
    }
}

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
pub enum Patience {
    /// The caller says when it is enough.
    TheCallers,
    Short(Duration),
}

fn send(agent: &ureq::Agent, post: &Post, pieces: &SyncSender<Piece>) -> Result<(), String> {
    let mut request = agent.post(&post.url);
    for (name, value) in &post.headers {
        request = request.header(*name, value);
    }
    let answer = request.send(&post.body[..]).map_err(|why| words(&why))?;
    let headers = answer.headers().iter();
    let headers = headers
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect();
    let head = Head { status: answer.status().as_u16(), headers };
    if pieces.send(Piece::Head(head)).is_err() {
        return Ok(());
    }
    let mut body = answer.into_body().into_reader();
    let mut buffer = vec![0; AT_ONCE];
    loop {
        let count = body.read(&mut buffer).map_err(|why| why.to_string())?;
        let piece = match count {
            0 => Piece::End,
            count => Piece::Bytes(buffer[..count].to_vec()),
        };
        let last = count == 0;
        if pieces.send(piece).is_err() || last {
            return Ok(());
        }
    }
}

fn words(why: &ureq::Error) -> String {
    why.to_string()
}

/// Whether an address is on this machine.
pub fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(bare) => bare.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn this_machine_is_told_from_others() {
        for url in
            ["http://localhost:1/v1", "http://127.0.0.1", "127.0.0.1:11434", "http://[::1]:8/x"]
        {
            assert!(is_loopback(url), "{url}");
        }
        for url in
            ["http://localhost.example/", "https://h/127.0.0.1", "http://127.0.0.1@h/", "0.0.0.0:1"]
        {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
