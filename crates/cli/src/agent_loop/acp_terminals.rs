//! Terminals of an agent that speaks the Agent Client Protocol: commands under a keeper of their own, within the bounds of this process, and
//! what they print.

use crate::agent_loop::conversation::{News, Sending};
use proctor_agents::acp::Fault;
use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The turn has a limit; its commands need none.
const LIMIT: Duration = Duration::from_hours(24 * 365);

pub struct Terminals {
    keeper: Keeper,
    logs: PathBuf,
    news: Sending,
    count: u32,
    open: BTreeMap<String, Terminal>,
}

struct Terminal {
    cord: Cancel,
    output: PathBuf,
    most: u64,
    end: Option<End>,
    /// Requests that wait for its end.
    waiting: Vec<Value>,
}

impl Terminals {
    pub fn new(own_program: PathBuf, logs: PathBuf, news: Sending) -> Self {
        let keeper = Keeper { program: own_program, args: vec!["keep".into()] };
        Self { keeper, logs, news, count: 0, open: BTreeMap::new() }
    }

    pub fn start(
        &mut self,
        argv: &[String],
        more: BTreeMap<String, String>,
        cwd: &Path,
        most: u64,
    ) -> String {
        self.count += 1;
        let id = format!("terminal-{}", self.count);
        let mut env: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        env.extend(more.into_iter().map(|(name, value)| (name.into(), value.into())));
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: cwd.to_owned(),
            env,
            stdin: Stdin::Empty,
            limit: LIMIT,
            logs: self.logs.clone(),
            name: id.clone(),
            bounds: None,
        };
        let cord = Cancel::new();
        let (keeper, pulled, news, own) =
            (self.keeper.clone(), cord.clone(), self.news.clone(), id.clone());
        std::thread::spawn(move || {
            let how = match keeper.run(&launch, &pulled) {
                Ok(ended) => ended.how,
                Err(why) => End::CouldNotStart(why.to_string()),
            };
            // Nobody waits any more when the turn is over.
            let _ = news.send(News::Ended { terminal: own, how });
        });
        let output = self.logs.join(format!("{id}.stdout"));
        let terminal = Terminal { cord, output, most, end: None, waiting: Vec::new() };
        self.open.insert(id.clone(), terminal);
        id
    }

    /// What it printed, the end of it.
    pub fn output(&self, id: &str) -> Result<Value, Fault> {
        let terminal = self.open.get(id).ok_or_else(|| unknown(id))?;
        let (mut text, truncated) = tail(&terminal.output, terminal.most);
        if let Some(End::CouldNotStart(why)) = &terminal.end {
            text.push_str(why);
        }
        let status = terminal.end.as_ref().map_or(Value::Null, status);
        Ok(json!({"output": text, "truncated": truncated, "exitStatus": status}))
    }

    /// None where it is still running: the answer comes when it has ended.
    pub fn wait(&mut self, id: &str, request: &Value) -> Result<Option<Value>, Fault> {
        let terminal = self.open.get_mut(id).ok_or_else(|| unknown(id))?;
        let ended = terminal.end.as_ref().map(status);
        if ended.is_none() {
            terminal.waiting.push(request.clone());
        }
        Ok(ended)
    }

    pub fn kill(&mut self, id: &str) -> Result<Value, Fault> {
        let terminal = self.open.get(id).ok_or_else(|| unknown(id))?;
        terminal.cord.cancel();
        Ok(json!({}))
    }

    pub fn release(&mut self, id: &str) -> Result<Value, Fault> {
        let terminal = self.open.remove(id).ok_or_else(|| unknown(id))?;
        terminal.cord.cancel();
        // What a command printed may hold secrets: it is kept no longer than it is asked for.
        for what in ["stdout", "stderr"] {
            let _ = std::fs::remove_file(terminal.output.with_extension(what));
        }
        Ok(json!({}))
    }

    pub fn kill_all(&self) {
        for terminal in self.open.values() {
            terminal.cord.cancel();
        }
        // Whoever still writes there writes into a file without a name.
        let _ = std::fs::remove_dir_all(&self.logs);
    }

    /// Takes note of an end. Gives the requests that waited for it, with their answers.
    pub fn ended(&mut self, id: &str, how: End) -> Vec<(Value, Value)> {
        let Some(terminal) = self.open.get_mut(id) else { return Vec::new() };
        let answer = status(&how);
        terminal.end = Some(how);
        terminal.waiting.drain(..).map(|request| (request, answer.clone())).collect()
    }
}

fn unknown(id: &str) -> Fault {
    Fault::new(Fault::NOT_FOUND, format!("there is no terminal {id}"))
}

fn status(end: &End) -> Value {
    match end {
        End::Exited(code) => json!({"exitCode": code, "signal": null}),
        End::Signalled(signal) => json!({"exitCode": null, "signal": signal.to_string()}),
        End::TimedOut | End::Cancelled => json!({"exitCode": null, "signal": "SIGTERM"}),
        End::CouldNotStart(_) => json!({"exitCode": 127, "signal": null}),
    }
}

/// The last part of a file, from the beginning of a character; and whether something is before it.
fn tail(path: &Path, most: u64) -> (String, bool) {
    let Ok(mut file) = File::open(path) else { return (String::new(), false) };
    let length = file.metadata().map_or(0, |about| about.len());
    let from = length.saturating_sub(most);
    let mut bytes = Vec::new();
    if file.seek(SeekFrom::Start(from)).is_err() || file.take(most).read_to_end(&mut bytes).is_err()
    {
        return (String::new(), false);
    }
    let begin = if from == 0 { 0 } else { bytes.iter().take_while(|b| **b & 0xC0 == 0x80).count() };
    (String::from_utf8_lossy(&bytes[begin..]).into_owned(), from > 0)
}
