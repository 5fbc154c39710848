//! What a maintainer needs to look at trouble on somebody else's machine, in one archive: how the machine is, how Proctor is
//! configured, how the last runs went, by names and times. No source, no prompt, no output of anybody's program; what looks like
//! a secret, the name of the user and the place of the home folder are replaced.

use crate::config::settings;
use crate::evidence::tar;
use crate::surroundings::Surroundings;
use crate::told::{UNFIT, told};
use anyhow::Result;
use proctor_core::brief::Setup;
use proctor_core::event::Event;
use proctor_core::secret::Redactor;
use proctor_engine::redactor_of;
use proctor_journal::{Journal, Listing, Recorded, RunRow};
use proctor_world::repo::UserRepo;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// As many runs are told of step by step.
const RUNS: usize = 5;
/// As many are listed.
const LISTED: usize = 200;

const README: &str = "\
What `proctor doctor --bundle` packed. Look through it before you send it on: it is plain text.

doctor.jsonl       what `proctor doctor` says
system.json        the machine: system, processors, memory, free disk, versions
home.txt           how large the parts of PROCTOR_HOME are
proctor.toml       the configuration of the repository's HEAD
user.toml          your own configuration
runs.jsonl         runs, without what they were about
run-*.txt          the newest runs: when which step began and ended, and why it stopped
";

/// The names of what was packed.
pub fn bundle(around: &Surroundings, doctor: &str, to: &Path) -> Result<Vec<String>> {
    let wash = Wash::of(around)?;
    let mut files = BTreeMap::new();
    let mut add = |name: &str, text: &str| {
        files.insert(name.to_owned(), wash.text(text).into_bytes());
    };
    add("README.txt", README);
    add("doctor.jsonl", doctor);
    add("system.json", &serde_json::to_string_pretty(&system(around))?);
    add("home.txt", &sizes(around.home.root()));
    if let Some(text) = repository(around) {
        add("proctor.toml", &text);
    }
    if let Some(text) = around.user_config().and_then(|file| std::fs::read_to_string(file).ok()) {
        add("user.toml", &text);
    }
    if around.home.root().join("journal.db").is_file() {
        let journal = Journal::open(around.home.root())?;
        let rows = journal.runs(Listing::All)?;
        let listed: Vec<String> =
            rows.iter().take(LISTED).map(|row| listed(row).to_string()).collect();
        add("runs.jsonl", &(listed.join("\n") + "\n"));
        for row in rows.iter().take(RUNS) {
            let history: Vec<Recorded<Event>> = journal.history(&row.id)?;
            add(&format!("run-{}.txt", row.id), &steps(&history));
        }
    }
    let packed = tar::write(&files)?;
    std::fs::write(to, packed)
        .map_err(|why| told(UNFIT, format!("{} can't be written: {why}", to.display())))?;
    Ok(files.into_keys().collect())
}

/// A run without what it was about.
fn listed(row: &RunRow) -> Value {
    json!({"run": row.id, "created": row.created, "updated": row.updated, "events": row.last_seq, "kind": row.head.kind, "status": row.head.status, "stage": row.head.stage})
}

/// When what happened; of reasons the first line.
fn steps(history: &[Recorded<Event>]) -> String {
    let began = history.first().map_or(0, |first| first.at.0);
    let mut text = String::new();
    for one in history {
        let value = serde_json::to_value(&one.body).unwrap_or_default();
        let name = value["event"].as_str().unwrap_or("?");
        let seconds = one.at.0.saturating_sub(began) / 1000;
        let _ = write!(text, "{:5} {seconds:7}s  {name}", one.seq);
        match &one.body {
            Event::EffectBegan { effect, .. } => {
                let _ = write!(text, " {}", effect.label());
            }
            Event::EffectEnded { took_ms, .. } => {
                let _ = write!(text, " {took_ms} ms");
            }
            Event::Stumbled { why } | Event::Closed { reason: why, .. } => {
                let _ = write!(text, ": {}", why.lines().next().unwrap_or_default());
            }
            _ => {}
        }
        text.push('\n');
    }
    text
}

fn repository(around: &Surroundings) -> Option<String> {
    let repo = UserRepo::find(&around.cwd).ok()?;
    let head = repo.resolve("HEAD").ok()?;
    let bytes = repo.read_at(&head, settings::FILE).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn system(around: &Surroundings) -> Value {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let release = read("/etc/os-release");
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let variables: Vec<String> = around
        .env
        .keys()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with("PROCTOR_") || name == "CI" || name == "PATH")
        .collect();
    json!({
        "proctor": env!("CARGO_PKG_VERSION"),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "kernel": read("/proc/sys/kernel/osrelease"),
        "distribution": name.unwrap_or_default().trim_matches('"'),
        "processors": std::thread::available_parallelism().map_or(0, usize::from),
        "memory_kb": proctor_world::slots::memory_kb(),
        "free_disk_bytes": proctor_world::stock::free(around.home.root()).ok(),
        "variables_set": variables,
    })
}

/// How large each folder of the home is.
fn sizes(home: &Path) -> String {
    let mut text = String::new();
    let Ok(entries) = std::fs::read_dir(home) else { return text };
    let mut rows: Vec<(String, u64, u64)> = entries
        .flatten()
        .map(|entry| {
            let (files, bytes) = size(&entry.path());
            (entry.file_name().to_string_lossy().into_owned(), files, bytes)
        })
        .collect();
    rows.sort();
    for (name, files, bytes) in rows {
        let _ = writeln!(text, "{:>10} KiB {files:>8} files  {name}", bytes / 1024);
    }
    text
}

fn size(path: &Path) -> (u64, u64) {
    let Ok(about) = std::fs::symlink_metadata(path) else { return (0, 0) };
    if !about.is_dir() {
        return (1, about.len());
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| size(&entry.path())).fold((0, 0), |(n, b), (m, c)| (n + m, b + c))
}

/// What makes a text one that may be sent on.
struct Wash {
    redactor: Redactor,
    /// The home folder and the user's name, each with what stands in its place.
    words: Vec<(String, &'static str)>,
}

impl Wash {
    fn of(around: &Surroundings) -> Result<Self> {
        let word = |name: &str, instead| {
            let value = around.var(name)?.to_string_lossy().into_owned();
            (value.len() > 2 && value != "/root" && value != "root").then_some((value, instead))
        };
        let words = [word("HOME", "~"), word("USER", "USER"), word("LOGNAME", "USER")];
        let words = words.into_iter().flatten().collect();
        Ok(Self { redactor: redactor_of(&around.shop()?, &Setup::default()), words })
    }

    fn text(&self, text: &str) -> String {
        let text = self.redactor.text(text);
        self.words.iter().fold(text, |text, (word, instead)| text.replace(word, instead))
    }
}
