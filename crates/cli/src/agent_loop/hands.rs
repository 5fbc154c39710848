//! The hands of the loop: carries out what the model wants done, in one folder. What it brings back is bounded and without
//! secrets. Whether something may be done was decided before.

use crate::agent_loop::acp_files::top_of;
use anyhow::{Context, Result};
use proctor_agents::api::{Brought, Deed, Went, Which};
use proctor_core::secret::{Allowed, Redactor, secret_name};
use proctor_desk::surroundings::own_program;
use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin, read_capped};
use proctor_world::desk::{Desk, Lines, Places};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most of each output of a command.
const MOST_OUTPUT: u64 = 24 * 1024;
/// What stands in a secret's place.
const HIDDEN: &str = "[redacted: ";

pub struct LoopHands {
    desk: Desk,
    root: PathBuf,
    keeper: Keeper,
    /// What a command sees: no key is in it.
    env: BTreeMap<OsString, OsString>,
    logs: PathBuf,
    secrets: Secrets,
}

/// What is not shown to the model, and what is all the same.
pub struct Secrets {
    pub redactor: Redactor,
    pub allowed: Allowed,
    /// The folder of the loop, seen from the project's top, with a slash behind it: there patterns begin.
    pub below: String,
}

/// Where a folder lies in its project; empty at the top.
pub fn below_top(folder: &Path) -> String {
    let top = top_of(folder);
    match folder.strip_prefix(&top) {
        Ok(below) if !below.as_os_str().is_empty() => format!("{}/", below.display()),
        Ok(_) | Err(_) => String::new(),
    }
}

impl Secrets {
    /// A file that is not closed by its name. Source code may speak of secrets by name.
    fn open(&self, path: &str) -> Result<(), String> {
        match secret_name(path).map(proctor_core::secret::NameRule::pattern) {
            None | Some("*secret*" | "*credential*") => Ok(()),
            Some(rule) if self.allowed.allows(&self.whole_path(path), rule) => Ok(()),
            Some(rule) => Err(format!(
                "{path} looks like a file of secrets by its name ({rule}), and is not shown."
            )),
        }
    }

    fn whole_path(&self, path: &str) -> String {
        format!("{}{}", self.below, path.trim_start_matches("./"))
    }

    fn without_secret_files(&self, hits: &str) -> String {
        let shown =
            |line: &&str| line.split_once(':').is_none_or(|(path, _)| self.open(path).is_ok());
        hits.lines().filter(shown).collect::<Vec<_>>().join("\n")
    }

    /// What was read of a file, as it may be shown.
    fn of_file(&self, path: &str, text: &str) -> String {
        if self.allowed.scan(&self.whole_path(path), text.as_bytes()).is_empty() {
            return self.redactor.clone().allowing(text.as_bytes()).text(text);
        }
        self.redactor.text(text)
    }

    /// The same for lines of many files, each with its path before it.
    fn of_hits(&self, hits: &str) -> String {
        let line = |line: &str| match line.split_once(':') {
            Some((path, _)) => self.of_file(path, line),
            None => self.redactor.text(line),
        };
        hits.lines().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl LoopHands {
    pub fn new(root: &Path, env: BTreeMap<OsString, OsString>, secrets: Secrets) -> Result<Self> {
        Ok(Self {
            desk: Desk::at(root).with_context(|| format!("{} can't be used", root.display()))?,
            root: root.to_owned(),
            keeper: Keeper { program: own_program()?, args: vec!["keep".into()] },
            env,
            logs: std::env::temp_dir().join(format!("proctor-loop-{}", std::process::id())),
            secrets,
        })
    }

    pub fn carry(&self, id: &str, deed: &Deed) -> Brought {
        let done = match deed {
            Deed::Read { path, from, lines } => self
                .secrets
                .open(path)
                .and_then(|()| self.desk.read(path, Lines { from: *from, most: *lines })),
            Deed::List { path } => self.desk.list(path),
            Deed::Search { path, pattern } => self
                .secrets
                .open(path)
                .and_then(|()| self.desk.search(path, pattern))
                .map(|hits| self.secrets.without_secret_files(&hits)),
            Deed::Write { path, content } => {
                real(content).and_then(|()| self.desk.write(path, content))
            }
            Deed::Edit { path, old, new, which } => real(new).and_then(|()| {
                let places = match which {
                    Which::TheOnly => Places::TheOnly,
                    Which::All => Places::All,
                };
                self.desk.edit(path, old, new, places)
            }),
            Deed::Run { argv, seconds } => self.run(argv, *seconds),
        };
        let (text, went) = match done {
            Ok(text) => (text, Went::Well),
            Err(text) => (text, Went::Wrong),
        };
        let text = match deed {
            Deed::Read { path, .. } => self.secrets.of_file(path, &text),
            Deed::Search { .. } => self.secrets.of_hits(&text),
            Deed::List { .. } | Deed::Write { .. } | Deed::Edit { .. } | Deed::Run { .. } => {
                self.secrets.redactor.text(&text)
            }
        };
        Brought { id: id.to_owned(), text, went }
    }

    fn run(&self, argv: &[String], seconds: u64) -> Result<String, String> {
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: self.root.clone(),
            env: self.env.clone(),
            stdin: Stdin::Empty,
            limit: Duration::from_secs(seconds),
            logs: self.logs.clone(),
            name: "command".to_owned(),
            bounds: None,
        };
        let ended = self.keeper.run(&launch, &Cancel::new());
        let ended = ended.map_err(|why| format!("The command could not be run: {why}"))?;
        let mut told = String::new();
        for (name, path) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
            let Ok(captured) = read_capped(path, MOST_OUTPUT) else { continue };
            let text = String::from_utf8_lossy(&captured.bytes);
            if !text.trim().is_empty() {
                // Writing into a string can't fail.
                let _ = write!(told, "\n[{name}]\n{}", text.trim_end());
            }
        }
        // Only the outputs are in there.
        let _ = std::fs::remove_dir_all(&self.logs);
        match ended.how {
            End::Exited(0) => Ok(format!("Exit code 0.{told}")),
            End::Exited(code) => Err(format!("Exit code {code}.{told}")),
            End::Signalled(signal) => Err(format!("It was ended by signal {signal}.{told}")),
            End::TimedOut => Err(format!(
                "It was ended after {seconds} seconds, with everything that it started.{told}"
            )),
            End::Cancelled => Err("It was cancelled.".to_owned()),
            End::CouldNotStart(why) => Err(format!("It could not be started: {why}")),
        }
    }
}

/// What the model was not shown it can't write back.
fn real(text: &str) -> Result<(), String> {
    if text.contains(HIDDEN) {
        return Err(format!(
            "The text holds `{HIDDEN}…]`, which only stands in the place of a secret. Leave that part of the file as it is: use `edit` on the other parts."
        ));
    }
    Ok(())
}
