//! A model that is played: a server on loopback that speaks as the providers of coding agents do, and answers what a test
//! wrote down, one reply for each request of the conversation. It knows the providers' ways of speaking, and which
//! agent asks by the tools that it offers; it knows nothing of Proctor.

mod anthropic;
mod chat;
mod gemini;
mod http;
mod responses;
mod tools;

use http::Asked;
use serde_json::Value;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the model does when it is asked.
#[derive(Clone, Debug)]
enum Reply {
    Say(String),
    Act(Act),
    /// The answer of the turn: by the agent's own tool for it, else as text.
    Answer(Value),
    Fails {
        status: u16,
        retry_after: Option<u32>,
    },
    /// Takes the request and never says anything.
    Hangs,
    /// Begins to say something and breaks off.
    Cut,
    /// Says something and never stops.
    Endless,
    /// Begins to say something, and then says nothing more.
    Stalls,
    /// Sends what is no event.
    Nonsense,
}

#[derive(Clone, Debug)]
enum Act {
    Write { path: String, text: String },
    Shell { command: String },
    Tool { name: String, input: Value },
}

/// What the model says, in order. After the last it says nothing of use.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Script {
    replies: Vec<(Reply, Often)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Often {
    Once,
    ForEver,
}

impl Script {
    pub fn new() -> Self {
        Self::default()
    }

    fn once(mut self, reply: Reply) -> Self {
        self.replies.push((reply, Often::Once));
        self
    }

    fn for_ever(mut self, reply: Reply) -> Self {
        self.replies.push((reply, Often::ForEver));
        self
    }

    pub fn say(self, text: &str) -> Self {
        self.once(Reply::Say(text.to_owned()))
    }

    pub fn write(self, path: &str, text: &str) -> Self {
        self.once(Reply::Act(Act::Write { path: path.to_owned(), text: text.to_owned() }))
    }

    pub fn shell(self, command: &str) -> Self {
        self.once(Reply::Act(Act::Shell { command: command.to_owned() }))
    }

    /// A tool by its exact name, whether it is there or not.
    pub fn tool(self, name: &str, input: Value) -> Self {
        self.once(Reply::Act(Act::Tool { name: name.to_owned(), input }))
    }

    pub fn answer(self, answer: Value) -> Self {
        self.once(Reply::Answer(answer))
    }

    pub fn fails(self, status: u16) -> Self {
        self.for_ever(Reply::Fails { status, retry_after: None })
    }

    pub fn fails_once(self, status: u16) -> Self {
        self.once(Reply::Fails { status, retry_after: None })
    }

    pub fn limited_once(self, retry_after: u32) -> Self {
        self.once(Reply::Fails { status: 429, retry_after: Some(retry_after) })
    }

    pub fn endless(self) -> Self {
        self.once(Reply::Endless)
    }

    pub fn stalls(self) -> Self {
        self.for_ever(Reply::Stalls)
    }

    pub fn nonsense(self) -> Self {
        self.once(Reply::Nonsense)
    }

    pub fn limited(self, retry_after: u32) -> Self {
        self.for_ever(Reply::Fails { status: 429, retry_after: Some(retry_after) })
    }

    pub fn hangs(self) -> Self {
        self.for_ever(Reply::Hangs)
    }

    pub fn cut(self) -> Self {
        self.once(Reply::Cut)
    }

    /// What follows in another script.
    pub fn then(mut self, next: Self) -> Self {
        self.replies.extend(next.replies);
        self
    }
}

/// A model at work; gone with the value.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    table: Arc<Table>,
}

#[derive(Debug)]
struct Table {
    script: Mutex<Script>,
    asked: Mutex<Vec<Asked>>,
    /// The folder below which the agent's one worktree lies: files are written there.
    worktrees: PathBuf,
    over: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ModelServer {
    /// `worktrees` is the folder whose only entry the agent works in, or that folder itself where it has a file.
    pub fn start(script: Script, worktrees: impl AsRef<Path>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("the port's number");
        let table = Arc::new(Table {
            script: Mutex::new(script),
            asked: Mutex::new(Vec::new()),
            worktrees: worktrees.as_ref().to_owned(),
            over: AtomicBool::new(false),
        });
        let own = Arc::clone(&table);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if own.over.load(Ordering::Relaxed) {
                    return;
                }
                let table = Arc::clone(&own);
                std::thread::spawn(move || table.serve(stream));
            }
        });
        Self { address, table }
    }

    /// Where it answers, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Puts another script in the place of what is left of this one.
    pub fn play(&self, script: Script) {
        *locked(&self.table.script) = script;
    }

    /// How many replies are still to be given.
    pub fn left(&self) -> usize {
        locked(&self.table.script).replies.len()
    }

    /// The bodies of the requests that offered tools, in order.
    pub fn asked(&self) -> Vec<Value> {
        let asked = locked(&self.table.asked);
        asked.iter().filter(|asked| asked.is_main()).map(|asked| asked.body.clone()).collect()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.table.over.store(true, Ordering::Relaxed);
        // Wakes the one who waits for connections.
        let _ = TcpStream::connect(self.address);
    }
}

impl Table {
    fn serve(&self, stream: TcpStream) {
        let Some((asked, mut back)) = http::receive(stream) else { return };
        locked(&self.asked).push(asked.clone());
        let Some(tongue) = asked.tongue else {
            back.json(200, &http::other(&asked), None);
            return;
        };
        let reply = if asked.is_main() { self.next() } else { Reply::Say("ok".to_owned()) };
        match reply {
            Reply::Fails { status, retry_after } => {
                back.json(status, &http::error(tongue, status), retry_after);
            }
            Reply::Hangs => {
                while !self.over.load(Ordering::Relaxed) && !back.is_gone() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
            Reply::Stalls => {
                back.events(&http::said(&asked, &http::Said::Text("I beg".to_owned()))[..1]);
                while !self.over.load(Ordering::Relaxed) && !back.is_gone() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
            Reply::Cut => {
                back.events(&http::said(&asked, &http::Said::Text("I beg".to_owned()))[..1]);
            }
            Reply::Endless => {
                let word = http::said(&asked, &http::Said::Text("and ".repeat(2000)));
                // Up to the piece that says it all, and that one again and again.
                let upto = word.iter().position(|event| event.contains("and and")).unwrap_or(0);
                back.events(&word[..=upto]);
                let mut listened = true;
                while listened && !self.over.load(Ordering::Relaxed) {
                    listened = back.more(&word[upto]);
                }
            }
            Reply::Nonsense => back.events(&["data: {\"half\": \n\n".to_owned()]),
            Reply::Say(text) => back.reply(&asked, &http::Said::Text(text)),
            Reply::Answer(value) => back.reply(&asked, &tools::answer(&asked, &value)),
            Reply::Act(act) => back.reply(&asked, &tools::call(&asked, &act, &self.worktree())),
        }
    }

    fn next(&self) -> Reply {
        let mut script = locked(&self.script);
        match script.replies.first().cloned() {
            Some((reply, Often::ForEver)) => reply,
            Some((reply, Often::Once)) => {
                script.replies.remove(0);
                reply
            }
            None => Reply::Say("I have nothing more to say.".to_owned()),
        }
    }

    fn worktree(&self) -> PathBuf {
        let entries = std::fs::read_dir(&self.worktrees).into_iter().flatten().flatten();
        let mut folders =
            entries.map(|entry| entry.path()).filter(|path| path.join(".git").exists());
        folders.next().unwrap_or_else(|| self.worktrees.clone())
    }
}
