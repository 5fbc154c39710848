//! Who comes in: the token, the name by which we were asked for, where a request comes from, and how often. It knows no page.

use crate::Room;
use anyhow::{Context, Result};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt::Write;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

const COOKIE: &str = "proctor_board";
/// What pages may load: our own style and script, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub struct Door {
    address: SocketAddr,
    token: String,
    /// Goes into each form: a page elsewhere can't know it.
    pub form: String,
    looks: Mutex<Bucket>,
    acts: Mutex<Bucket>,
    misses: Mutex<Bucket>,
}

/// So many at once, and so many a second after that.
struct Bucket {
    room: f64,
    rate: f64,
    left: f64,
    at: Instant,
}

impl Bucket {
    fn new(room: f64, rate: f64) -> Mutex<Self> {
        Mutex::new(Self { room, rate, left: room, at: Instant::now() })
    }

    fn take(bucket: &Mutex<Self>) -> bool {
        let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = bucket.at.elapsed().as_secs_f64();
        bucket.at = Instant::now();
        bucket.left = (bucket.left + passed * bucket.rate).min(bucket.room);
        if bucket.left < 1.0 {
            return false;
        }
        bucket.left -= 1.0;
        true
    }
}

impl Door {
    pub fn new(address: SocketAddr) -> Result<Self> {
        Ok(Self {
            address,
            token: secret()?,
            form: secret()?,
            looks: Bucket::new(400.0, 100.0),
            acts: Bucket::new(20.0, 2.0),
            misses: Bucket::new(20.0, 0.5),
        })
    }

    pub fn link(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// The names by which we may be asked for. Another one is a name that was made to lead here.
    fn is_ours(&self, host: &str) -> bool {
        let port = self.address.port();
        let ip = self.address.ip();
        let own = self.address.to_string();
        host == own || (ip.is_loopback() && host == format!("localhost:{port}"))
    }

    fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        // When the address is every one of this machine's, any name that is a plain address may be it.
        let any = self.address.ip().is_unspecified();
        host.filter(|_| hosts.next().is_none()).filter(|host| {
            if any { host.parse::<SocketAddr>().is_ok() } else { self.is_ours(host) }
        })
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|p| p.trim().split_once('='));
        pairs.any(|(name, value)| name == COOKIE && same(value, &self.token))
    }

    pub fn is_form(&self, text: &str) -> bool {
        same(text, &self.form)
    }
}

/// 256 bits that nobody can guess.
fn secret() -> Result<String> {
    let mut bytes = [0_u8; 32];
    let mut source = std::fs::File::open("/dev/urandom").context("no randomness for a token")?;
    source.read_exact(&mut bytes).context("no randomness for a token")?;
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Compared in a time that does not depend on where they differ.
fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Every request comes through here.
pub async fn pass(State(room): State<Arc<Room>>, request: Request, next: Next) -> Response {
    let mut answer = match admit(&room.door, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => *refusal,
    };
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // With `no-referrer` a browser says of our own forms, too, that they come from nowhere.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let headers = answer.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    answer
}

fn admit(door: &Door, request: &Request<Body>) -> Result<(), Box<Response>> {
    let refuse = |code: StatusCode, why: &'static str| Err(Box::new((code, why).into_response()));
    let headers = request.headers();
    let Some(host) = door.host(headers) else {
        return refuse(
            StatusCode::MISDIRECTED_REQUEST,
            "This board is not known by that name. Use the link that `proctor serve` printed.\n",
        );
    };
    let is_look = matches!(*request.method(), Method::GET | Method::HEAD);
    if !Bucket::take(if is_look { &door.looks } else { &door.acts }) {
        return refuse(StatusCode::TOO_MANY_REQUESTS, "Too many requests; wait a moment.\n");
    }
    if !door.knows(headers) {
        if !Bucket::take(&door.misses) {
            return refuse(StatusCode::TOO_MANY_REQUESTS, "Too many tries; wait a minute.\n");
        }
        let query = request.uri().query().unwrap_or_default();
        let token = query.split('&').find_map(|pair| pair.strip_prefix("token="));
        let right = token.is_some_and(|token| same(token, &door.token));
        if !(right && is_look && request.uri().path() == "/") {
            return refuse(
                StatusCode::UNAUTHORIZED,
                "Use the link with the token that `proctor serve` printed.\n",
            );
        }
        return Err(Box::new(welcome(door)));
    }
    if is_look || comes_from_here(headers, host) {
        return Ok(());
    }
    refuse(StatusCode::FORBIDDEN, "This came from another page than the board itself.\n")
}

/// The token goes into a cookie that no script and no other site gets, and out of the address.
fn welcome(door: &Door) -> Response {
    let cookie = format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", door.token);
    let go = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
    (StatusCode::SEE_OTHER, go).into_response()
}

fn comes_from_here(headers: &HeaderMap, host: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text("origin").is_some_and(|origin| origin == format!("http://{host}"));
    origin && text("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        Door::new("127.0.0.1:4321".parse().unwrap()).unwrap()
    }

    fn asked(door: &Door, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, value.replace("TOKEN", &door.token));
        }
        match admit(door, &request.body(Body::empty()).unwrap()) {
            Ok(()) => 200,
            Err(refusal) => refusal.status().as_u16(),
        }
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4321");
    const TOKEN: (&str, &str) = ("cookie", "a=b; proctor_board=TOKEN");

    #[test]
    fn without_the_token_nobody_comes_in() {
        let door = door();
        assert_eq!(asked(&door, "GET", "/", &[HOST]), 401);
        assert_eq!(asked(&door, "GET", "/?token=wrong", &[HOST]), 401);
        assert_eq!(asked(&door, "GET", &format!("/?token={}", door.token), &[HOST]), 303);
        assert_eq!(asked(&door, "GET", &format!("/run/x?token={}", door.token), &[HOST]), 401);
        assert_eq!(asked(&door, "GET", "/", &[HOST, TOKEN]), 200);
    }

    #[test]
    fn a_name_that_was_made_to_lead_here_is_refused() {
        let door = door();
        for host in ["evil.example:4321", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil:4321", ""] {
            assert_eq!(asked(&door, "GET", "/", &[("host", host), TOKEN]), 421, "{host}");
        }
        assert_eq!(asked(&door, "GET", "/", &[HOST, ("host", "evil.example"), TOKEN]), 421);
        assert_eq!(asked(&door, "GET", "/", &[("host", "localhost:4321"), TOKEN]), 200);
    }

    #[test]
    fn what_changes_something_must_come_from_the_board_itself() {
        let door = door();
        let own = ("origin", "http://127.0.0.1:4321");
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, TOKEN]), 403);
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, TOKEN, ("origin", "http://evil")]), 403);
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, TOKEN, ("origin", "null")]), 403);
        let cross = ("sec-fetch-site", "same-site");
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, TOKEN, own, cross]), 403);
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, own]), 401);
        assert_eq!(asked(&door, "POST", "/run/x", &[HOST, TOKEN, own]), 200);
    }

    #[test]
    fn whoever_asks_too_often_waits() {
        let door = door();
        let codes: Vec<u16> = (0..30).map(|_| asked(&door, "GET", "/?token=x", &[HOST])).collect();
        assert_eq!((codes[0], codes[29]), (401, 429));
        let own = ("origin", "http://127.0.0.1:4321");
        let posts: Vec<u16> =
            (0..30).map(|_| asked(&door, "POST", "/", &[HOST, TOKEN, own])).collect();
        assert_eq!((posts[0], posts[29]), (200, 429));
    }
}
