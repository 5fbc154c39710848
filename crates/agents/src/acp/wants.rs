//! What an agent wants of its client while it works: permissions, files, terminals. Answered by policy, or handed on to be done.

use super::client::Client;
use super::wire::{self, Fault};
use crate::conversation::Step;
use crate::policy::{Call, Touch};
use crate::stream::text;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the agent wants done, and may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    Read {
        path: PathBuf,
        /// The first line, from 1.
        line: u64,
        limit: u64,
    },
    Write {
        path: PathBuf,
        content: String,
    },
    /// Starts a command in a terminal.
    Start {
        argv: Vec<String>,
        env: BTreeMap<String, String>,
        cwd: PathBuf,
        /// How much of its output is kept, the end of it.
        most: u64,
    },
    Output {
        terminal: String,
    },
    Wait {
        terminal: String,
    },
    Kill {
        terminal: String,
    },
    Release {
        terminal: String,
    },
}

impl Client {
    pub(super) fn wanted(&mut self, id: &Value, method: &str, params: &Value) -> Vec<Step> {
        let terminal = || text(params, "terminalId").to_owned();
        let deed = match method {
            "session/request_permission" => return self.permission(id, params),
            "fs/read_text_file" => self.read(params),
            "fs/write_text_file" => self.write(params),
            "terminal/create" => self.start(params),
            "terminal/output" => Ok(Deed::Output { terminal: terminal() }),
            "terminal/wait_for_exit" => Ok(Deed::Wait { terminal: terminal() }),
            "terminal/kill" => Ok(Deed::Kill { terminal: terminal() }),
            "terminal/release" => Ok(Deed::Release { terminal: terminal() }),
            other => {
                let fault = Fault::new(Fault::NO_SUCH_METHOD, format!("there is no {other} here"));
                return vec![Step::Send(wire::answer(id, Err(fault)))];
            }
        };
        match deed {
            Ok(deed) => vec![Step::Alive, Step::Do { id: id.clone(), deed }],
            Err(why) => {
                let what = ["path", "command"].map(|key| text(params, key)).concat();
                let told = self.refuse(&what, &why);
                let answer = wire::answer(id, Err(Fault::new(Fault::BAD_PARAMS, why)));
                vec![told, Step::Send(answer)]
            }
        }
    }

    fn read(&self, params: &Value) -> Result<Deed, String> {
        let path = self.errand.policy.file(Path::new(text(params, "path")), Touch::Read)?;
        let number = |key: &str| params.get(key).and_then(Value::as_u64);
        let (line, limit) = (number("line").unwrap_or(1).max(1), number("limit"));
        Ok(Deed::Read { path, line, limit: limit.unwrap_or(u64::MAX) })
    }

    fn write(&self, params: &Value) -> Result<Deed, String> {
        let path = self.errand.policy.file(Path::new(text(params, "path")), Touch::Write)?;
        Ok(Deed::Write { path, content: text(params, "content").to_owned() })
    }

    fn start(&self, params: &Value) -> Result<Deed, String> {
        let command = text(params, "command");
        let list = |key: &str| params.get(key).and_then(Value::as_array).into_iter().flatten();
        let more: Vec<String> = list("args").filter_map(Value::as_str).map(str::to_owned).collect();
        self.errand.policy.command(&format!("{command} {}", more.join(" ")))?;
        let cwd = match params.get("cwd").and_then(Value::as_str) {
            Some(cwd) => self.errand.policy.within(Path::new(cwd))?,
            None => self.errand.cwd.clone(),
        };
        let pair = |var: &Value| (text(var, "name").to_owned(), text(var, "value").to_owned());
        // Some send a whole shell line as the command. Both outputs go one way, as in a terminal.
        let mut argv = vec!["/bin/sh".to_owned(), "-c".to_owned()];
        if more.is_empty() {
            argv.push(format!("exec 2>&1\n{command}"));
        } else {
            argv.push("exec 2>&1; exec \"$0\" \"$@\"".to_owned());
            argv.push(command.to_owned());
            argv.extend(more);
        }
        let most = params.get("outputByteLimit").and_then(Value::as_u64).unwrap_or(1024 * 1024);
        Ok(Deed::Start { argv, env: list("env").map(pair).collect(), cwd, most })
    }

    /// Answered by policy: once, never for ever.
    fn permission(&mut self, id: &Value, params: &Value) -> Vec<Step> {
        let call: Call = self.tale.learn(&params["toolCall"]);
        let why = self.errand.policy.refuses(&call);
        let wanted = if why.is_some() { "reject_once" } else { "allow_once" };
        let options = params["options"].as_array().into_iter().flatten();
        let option = options.clone().find(|option| text(option, "kind") == wanted);
        let option = option.map(|option| text(option, "optionId").to_owned());
        let mut steps = self.tale.tell(text(&params["toolCall"], "toolCallId"));
        let outcome = match (&option, &why) {
            (Some(option), _) => json!({"outcome": "selected", "optionId": option}),
            // What can only be allowed for ever is not allowed.
            (None, _) => json!({"outcome": "cancelled"}),
        };
        let mut answer = json!({"outcome": outcome});
        if let Some(why) = why {
            answer["_meta"] = json!({"reason": why});
            steps.push(self.refuse(&call.title, &why));
        }
        steps.push(Step::Send(wire::answer(id, Ok(answer))));
        steps
    }
}
