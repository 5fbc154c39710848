//! Intake: what a task and its context files must be like before anything is created or sent. Owns the limits, the
//! refusals and the policy that is shown. It must not touch a file: the caller reads, and resolves links.

use crate::secret::{self, Allowed, NameRule};
use crate::tokens::count_tokens;
use crate::words::{TaskId, TaskType};
use thiserror::Error;

/// The biggest context file, in bytes.
pub const FILE_LIMIT: usize = 100 * 1024;
/// The most tokens that all context files may have together, where the configuration says nothing else.
pub const TOKEN_LIMIT: u64 = 200_000;
/// The longest id that is made out of a description.
const ID_LENGTH: usize = 40;
/// Git keeps a part of a branch's name as a file with `.lock` behind it.
const BRANCH_PART: usize = 200;

/// Why a context file was refused. The value of a secret is never part of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error(
        "context file {path:?} refused: the path is empty or holds control characters\nhint: give the path of a file inside the repository"
    )]
    Malformed { path: String },
    #[error(
        "context file {path} refused: the path contains `../`, which could lead out of the repository\nhint: give the path from the root of the repository, such as src/main.py"
    )]
    Traversal { path: String },
    #[error(
        "context file {path} refused: Path resolves outside project root\nhint: only files inside the repository can be sent; copy what is needed into it, or put it into the task's details"
    )]
    Outside { path: String },
    #[error(
        "context file {path} refused: File exceeds 100KB limit (it has {bytes} bytes, {FILE_LIMIT} are allowed)\nhint: name the smaller files that matter, or put the part that matters into the task's details"
    )]
    TooLarge { path: String, bytes: usize },
    #[error(
        "context file {path} refused: its name looks like a secret ({rule})\nhint: secrets are never sent to a model; name a file without them, such as a sample with made-up values under another name"
    )]
    SecretName { path: String, rule: NameRule },
    #[error(
        "context file {path} refused: line {line} looks like a secret ({rule})\nhint: take the value out of the file, for example by reading it from the environment; if it is none, `[secrets] allow = [\"{path}\"]` in proctor.toml on the base commit says so"
    )]
    SecretContent { path: String, rule: &'static str, line: u32 },
    #[error(
        "context file {path} refused: it is not UTF-8 text (first at byte {at})\nhint: only text files can be part of a prompt; convert it to UTF-8 or leave it out"
    )]
    NotText { path: String, at: usize },
    #[error(
        "the context files have about {total} tokens together, {limit} are allowed; the largest is {largest} with about {largest_tokens}\nhint: name fewer or smaller files, or raise the limit in proctor.toml"
    )]
    TooMuch { total: u64, limit: u64, largest: String, largest_tokens: u64 },
}

/// A context file that may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub path: String,
    pub tokens: u64,
}

/// Refuses paths that climb, and gives the others back without `./` and doubled slashes. An absolute path comes back
/// absolute: the caller resolves it, as every other one, and asks [`check_resolved`].
pub fn check_path(path: &str) -> Result<String, Refused> {
    if path.trim().is_empty() || path.chars().any(char::is_control) {
        return Err(Refused::Malformed { path: path.to_owned() });
    }
    let climbs = path.contains("../")
        || path.contains("..\\")
        || path.split(['/', '\\']).any(|part| part == "..");
    if climbs {
        return Err(Refused::Traversal { path: path.to_owned() });
    }
    let parts: Vec<&str> =
        path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let root = if path.starts_with('/') { "/" } else { "" };
    if parts.is_empty() {
        return Err(Refused::Malformed { path: path.to_owned() });
    }
    Ok(format!("{root}{}", parts.join("/")))
}

/// Given where a path really leads (`resolved`, all links followed) and the resolved root: its path inside the root.
pub fn check_resolved(path: &str, resolved: &str, root: &str) -> Result<String, Refused> {
    let inside = resolved
        .strip_prefix(root.trim_end_matches('/'))
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|rest| !rest.is_empty() && rest.split('/').all(|part| part != ".."));
    inside.map(ToOwned::to_owned).ok_or_else(|| Refused::Outside { path: path.to_owned() })
}

/// Judges one file by its name, size and content.
pub fn check_file(path: &str, bytes: &[u8], allowed: &Allowed) -> Result<Checked, Refused> {
    let named = || path.to_owned();
    if let Some(rule) = secret::secret_name(path)
        && !allowed.allows(path, rule.pattern())
    {
        return Err(Refused::SecretName { path: named(), rule });
    }
    if bytes.len() > FILE_LIMIT {
        return Err(Refused::TooLarge { path: named(), bytes: bytes.len() });
    }
    // A secret in a file that is no text is still a secret.
    if let Some(finding) = allowed.scan(path, bytes).first() {
        return Err(Refused::SecretContent {
            path: named(),
            rule: finding.rule,
            line: finding.line,
        });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Refused::NotText { path: named(), at: error.valid_up_to() })?;
    if let Some(at) = text.find('\0') {
        return Err(Refused::NotText { path: named(), at });
    }
    Ok(Checked { path: named(), tokens: count_tokens(text) })
}

/// Adds up the tokens of all files and holds them against the limit.
pub fn check_total(files: &[Checked], limit: u64) -> Result<u64, Refused> {
    let total: u64 = files.iter().map(|file| file.tokens).sum();
    match files.iter().max_by_key(|file| file.tokens) {
        Some(largest) if total > limit => Err(Refused::TooMuch {
            total,
            limit,
            largest: largest.path.clone(),
            largest_tokens: largest.tokens,
        }),
        Some(_) | None => Ok(total),
    }
}

/// What is done with the user's data, shown at the start of a run that sends anything.
pub const DATA_POLICY: &str = "\
Data policy: this run talks to {agents}.
Sent: the task, the context files that you named, test sources, test failures, and for the review the diff.
An agent also reads what it needs in its worktree, a clean copy of the base commit.
Never sent: uncommitted files that you did not name, your home folder, your environment.
Secrets: what looks like one by its file name or content is refused before anything is sent, and redacted in logs.
Kept: prompts, logs and evidence stay on this machine, under PROCTOR_HOME.";

/// The policy with the agents' names filled in.
pub fn data_policy(agents: &[String]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for agent in agents {
        if !names.contains(&agent.as_str()) {
            names.push(agent);
        }
    }
    let names = if names.is_empty() { "no agent".to_owned() } else { names.join(", ") };
    DATA_POLICY.replace("{agents}", &names)
}

/// Every fault of a task's own text; empty for a good one.
pub fn check_task(id: &str, description: &str, details: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if let Err(fault) = valid_name("task id", id) {
        faults.push(fault);
    }
    if description.trim().is_empty() {
        faults.push("the description is empty\nhint: say in a sentence what is wanted".to_owned());
    }
    for (name, text) in [("description", description), ("details", details)] {
        if text.contains('\0') {
            faults.push(format!("the {name} holds a NUL character\nhint: give plain text"));
        }
        for finding in secret::scan(text.as_bytes()) {
            faults.push(format!(
                "line {} of the {name} looks like a secret ({})\nhint: take the value out; the task is sent to a model",
                finding.line, finding.rule
            ));
        }
    }
    faults
}

/// Makes an id out of a description: small letters, digits and single dashes, cut between words.
pub fn task_id_from(text: &str, kind: TaskType) -> TaskId {
    let mut id = String::new();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    for word in words {
        let room = ID_LENGTH - id.len();
        if id.is_empty() {
            id.extend(word.chars().take(ID_LENGTH));
        } else if word.len() < room {
            id.push('-');
            id.push_str(word);
        } else {
            break;
        }
    }
    if id.is_empty() {
        // A text without any Latin letter or digit: its hash tells it from others.
        id = format!("{}-{:08x}", kind.name().replace('_', "-"), fnv(text));
    }
    id.make_ascii_lowercase();
    TaskId::new(id)
}

/// FNV-1a, 32 bit: the same for the same text on every machine.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Whether git takes a name for a branch (the rules of `git check-ref-format --branch`).
pub fn valid_branch(name: &str) -> Result<(), String> {
    valid_name("branch", name)
}

fn valid_name(what: &str, name: &str) -> Result<(), String> {
    let why = if name.is_empty() {
        "is empty".to_owned()
    } else if let Some(c) = name.chars().find(|c| c.is_ascii_control() || " ~^:?*[\\".contains(*c))
    {
        format!("holds {c:?}")
    } else if let Some(bad) = ["..", "@{", "//"].into_iter().find(|bad| name.contains(bad)) {
        format!("holds `{bad}`")
    } else if name == "@" || name == "HEAD" {
        "means something else to git".to_owned()
    } else if name.starts_with(['-', '/']) {
        "begins with `-` or `/`".to_owned()
    } else if name.ends_with(['.', '/']) {
        "ends with `.` or `/`".to_owned()
    } else if name.split('/').any(|part| part.starts_with('.')) {
        "has a part that begins with a dot".to_owned()
    } else if format!("{name}/").contains(".lock/") {
        "has a part that ends with `.lock`".to_owned()
    } else if name.split('/').any(|part| part.len() > BRANCH_PART) {
        format!("has a part of more than {BRANCH_PART} bytes")
    } else {
        return Ok(());
    };
    Err(format!(
        "the {what} {name:?} can't be used: it {why}, and git branches are named after it\nhint: use letters, digits, `-`, `_`, `/` and single dots inside"
    ))
}

#[cfg(test)]
#[path = "intake_tests.rs"]
mod tests;
