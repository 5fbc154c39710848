//! The line to the model: one question, its answer while it comes. Says when it has been quiet for too long; what that
//! means is decided elsewhere.

use proctor_agents::api::{Answer, Dialect, Fault, Reader, Sign, Sse};
use proctor_world::http::{Client, Head, Patience, Piece, Post};
use serde_json::Value;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long the model may say nothing. A local one may need minutes to read a long conversation.
const QUIET: Duration = Duration::from_mins(5);
/// How often it is told that the model is still at it.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// A longer answer never ends.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The most that is read of an error.
const MOST_OF_AN_ERROR: usize = 64 * 1024;

pub struct Line {
    client: Client,
    dialect: Dialect,
    url: String,
    key: Option<String>,
}

impl Line {
    pub fn to(
        dialect: Dialect,
        base_url: Option<&str>,
        key: Option<String>,
    ) -> Result<Self, String> {
        let url = dialect.url(base_url);
        let client = Client::new(&url, Patience::TheCallers)?;
        Ok(Self { client, dialect, url, key })
    }

    /// Asks, and tells by `alive` now and then that the answer is coming.
    pub fn ask(&self, body: &Value, alive: &mut dyn FnMut()) -> Result<Answer, Fault> {
        let pieces = self.client.post(Post {
            url: self.url.clone(),
            headers: self.dialect.headers(self.key.as_deref()),
            body: body.to_string().into_bytes(),
        });
        let mut hearing = Hearing {
            sse: Sse::default(),
            reader: self.dialect.reader(),
            head: None,
            error: Vec::new(),
            bytes: 0,
        };
        let (mut last, mut told) = (Instant::now(), Instant::now());
        loop {
            let piece = match pieces.recv_timeout(QUIET.saturating_sub(last.elapsed())) {
                Ok(piece) => piece,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(self.broken("it said nothing for five minutes"));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.broken("it hung up")),
            };
            match piece {
                Piece::Head(head) => hearing.head = Some(head),
                Piece::Bytes(bytes) => {
                    if hearing.take(&bytes).map_err(|fault| self.named(fault))? == Sign::Word {
                        last = Instant::now();
                    }
                }
                Piece::End => break,
                // An error is an error, whole or not.
                Piece::Broken(_) if hearing.is_error() => break,
                Piece::Broken(why) => return Err(self.broken(&why)),
            }
            if hearing.reader.is_whole() {
                break;
            }
            if told.elapsed() > SIGN_OF_LIFE && last > told {
                told = Instant::now();
                alive();
            }
        }
        hearing.finish().map_err(|fault| self.named(fault))
    }

    fn broken(&self, why: &str) -> Fault {
        Fault::Broken { said: format!("{}: {why}", self.url) }
    }

    /// What broke, with where.
    fn named(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Broken { said } => self.broken(&said),
            status @ Fault::Status { .. } => status,
        }
    }
}

/// An answer that is coming.
struct Hearing {
    sse: Sse,
    reader: Reader,
    head: Option<Head>,
    error: Vec<u8>,
    bytes: usize,
}

impl Hearing {
    fn is_error(&self) -> bool {
        self.head.as_ref().is_some_and(|head| !(200..300).contains(&head.status))
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Sign, Fault> {
        if self.is_error() {
            let room = MOST_OF_AN_ERROR.saturating_sub(self.error.len());
            self.error.extend(bytes.iter().take(room));
            return Ok(Sign::Nothing);
        }
        self.bytes += bytes.len();
        if self.bytes > MOST_BYTES {
            return Err(Fault::Broken { said: "its answer does not end".to_owned() });
        }
        let events = self.sse.take(bytes).map_err(|said| Fault::Broken { said })?;
        let mut sign = Sign::Nothing;
        for event in events {
            if self.reader.take(&event)? == Sign::Word {
                sign = Sign::Word;
            }
        }
        Ok(sign)
    }

    fn finish(self) -> Result<Answer, Fault> {
        match &self.head {
            Some(head) if self.is_error() => {
                Err(Fault::of(head.status, |name| head.header(name), &self.error))
            }
            _ => self.reader.finish(),
        }
    }
}
