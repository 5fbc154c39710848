//! Hooks of interactive agents in one checkout: written, taken out, answered.

use super::{Post, once};
use crate::surroundings::{Surroundings, own_program};
use crate::told::usage;
use anyhow::{Context, Result};
use proctor_agents::hook::{HookCall, Host, Moment, has_hooks, read, without_hooks};
use proctor_core::guard::{Guard, GuardEvent, GuardStage, Guarded, MOST_REFUSALS, Whose};
use proctor_engine::guard::Tampered;
use proctor_lang::{Zone, deciding_part, zone};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a hook answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Pass,
    /// The agent is told why not.
    Refuse(String),
    /// It goes on, and the person is told.
    Say(String),
}

/// A file of settings with our hooks in it.
#[derive(Clone, Debug)]
pub struct Installed {
    pub host: Host,
    pub file: PathBuf,
}

/// The files of settings that hold our hooks, from the top of the checkout.
pub(super) fn installed(root: &Path) -> Vec<String> {
    let holds =
        |host: &Host| fs::read_to_string(root.join(host.file())).is_ok_and(|t| has_hooks(&t));
    Host::ALL.iter().filter(|host| holds(host)).map(|host| host.file().to_owned()).collect()
}

/// Writes hooks for these programs; for all that are found here where none is named.
pub fn install(around: &Surroundings, hosts: &[Host]) -> Result<Vec<Installed>> {
    let post = Post::here(around)?;
    if let Some(open) = post.read()?.open {
        return Err(usage(format!(
            "a task is guarded here: {}\nhint: install hooks before `proctor guard begin`",
            open.text
        )));
    }
    let found: Vec<Host> = Host::ALL
        .into_iter()
        .filter(|host| around.program(host.name(), &around.cwd).is_some())
        .collect();
    let hosts = if hosts.is_empty() { found.as_slice() } else { hosts };
    if hosts.is_empty() {
        return Err(usage(
            "none of claude, codex and gemini is on PATH\nhint: name the one you work with, such as `--agent claude`",
        ));
    }
    let program = program(around)?;
    let mut done = Vec::new();
    for host in hosts {
        let file = post.root.join(host.file());
        let there = text(&file)?;
        let with = host.with_hooks(&there, &program).map_err(|why| unreadable(&file, &why))?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("{} can't be made", folder.display()))?;
        }
        fs::write(&file, with).with_context(|| format!("{} can't be written", file.display()))?;
        done.push(Installed { host: *host, file });
    }
    Ok(done)
}

/// Takes all hooks of ours out again. Gives the files.
pub fn uninstall(around: &Surroundings) -> Result<Vec<PathBuf>> {
    let post = Post::here(around)?;
    if let Some(open) = post.read()?.open {
        return Err(usage(format!(
            "a task is guarded here: {}\nhint: `proctor guard off` ends it first",
            open.text
        )));
    }
    let mut done = Vec::new();
    for path in installed(&post.root) {
        let file = post.root.join(path);
        let rest = without_hooks(&text(&file)?).map_err(|why| unreadable(&file, &why))?;
        let ended = match rest {
            Some(rest) => fs::write(&file, rest),
            None => fs::remove_file(&file),
        };
        ended.with_context(|| format!("{} can't be written", file.display()))?;
        done.push(file);
    }
    Ok(done)
}

/// By its name where that is us, else by its place, in words of a shell.
fn program(around: &Surroundings) -> Result<String> {
    let own = own_program()?;
    let named = around.program("proctor", &around.cwd).and_then(|path| path.canonicalize().ok());
    if named.is_some() && named == own.canonicalize().ok() {
        return Ok("proctor".to_owned());
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let own = own.to_string_lossy().into_owned();
    Ok(if own.chars().all(plain) { own } else { format!("'{}'", own.replace('\'', r"'\''")) })
}

fn text(file: &Path) -> Result<String> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(why) => Err(why).with_context(|| format!("{} can't be read", file.display())),
    }
}

fn unreadable(file: &Path, why: &str) -> anyhow::Error {
    usage(format!(
        "{} is not what it should be: {why}\nhint: mend it, then install again",
        file.display()
    ))
}

/// Answers a hook that was asked at a time. Says nothing and does nothing where no task is guarded, and where another hook was
/// asked the same and answers.
pub fn event(
    around: &Surroundings,
    (told, began): (&[u8], SystemTime),
    tell: &mut dyn FnMut(&str),
) -> Result<Reply> {
    let call =
        read(told).map_err(|why| usage(format!("a hook was not told what it should be: {why}")))?;
    let Some(call) = call else { return Ok(Reply::Pass) };
    let folder = call.cwd.as_deref().map_or(around.cwd.as_path(), Path::new);
    let Some(post) = Post::find(around, folder) else { return Ok(Reply::Pass) };
    let asked = !post.ledger.is_empty();
    let turn = match asked.then(|| once::turn(&post.ledger.folder(), told, began)) {
        Some(Ok(None)) => return Ok(Reply::Pass),
        // Where nobody can say who answers, everybody does.
        turn => turn.and_then(Result::ok).flatten(),
    };
    let reply = replied(around, &post, (&call, folder), tell);
    if let Some(turn) = turn {
        // What can't be written down is answered twice.
        let _ = turn.answered();
    }
    Ok(reply)
}

fn replied(
    around: &Surroundings,
    post: &Post,
    (call, folder): (&HookCall, &Path),
    tell: &mut dyn FnMut(&str),
) -> Reply {
    answer(around, post, (call, folder), tell).unwrap_or_else(|why| match call.moment {
        // An agent that can't stop would never end.
        Moment::Stop => Reply::Say(format!("Proctor: nothing is proven, the guard can't work: {why:#}")),
        Moment::BeforeTool | Moment::AfterTool => Reply::Refuse(format!(
            "Proctor's guard can't work, so nothing is let through: {why:#}\n`proctor guard status` shows how it stands."
        )),
    })
}

fn answer(
    around: &Surroundings,
    post: &Post,
    (call, folder): (&HookCall, &Path),
    tell: &mut dyn FnMut(&str),
) -> Result<Reply> {
    let Some(open) = post.read()?.open else { return Ok(Reply::Pass) };
    let back = post.put_back(&open)?;
    match call.moment {
        Moment::BeforeTool => {
            for path in &call.edits {
                let Some(path) = inside(&post.root, folder, path) else { continue };
                if let Err(why) = open.may_edit(&path, whose(&path)) {
                    post.record(&GuardEvent::EditRefused { path })?;
                    return Ok(Reply::Refuse(why));
                }
            }
            Ok(after(&back))
        }
        Moment::AfterTool => Ok(after(&back)),
        Moment::Stop => stop(around, post, &open, tell),
    }
}

fn after(back: &[Tampered]) -> Reply {
    if back.is_empty() {
        return Reply::Pass;
    }
    let mut text =
        "Proctor put sealed files back: red was proven with them as they are.".to_owned();
    for one in back {
        let _ = write!(text, "\n- {}", one.path);
        if let Some(saved) = &one.saved {
            let _ = write!(text, " (what stood there is kept at {saved})");
        }
    }
    text.push_str("\nChange the code so that the tests pass. Where a test is wrong, say so to the person you work for.");
    Reply::Refuse(text)
}

fn stop(
    around: &Surroundings,
    post: &Post,
    open: &Guarded,
    tell: &mut dyn FnMut(&str),
) -> Result<Reply> {
    let wanting = post.wanting(around, open, tell);
    let Some(why) = wanting.unwrap_or_else(|why| Some(vec![format!("{why:#}")])) else {
        return Ok(Reply::Pass);
    };
    let now = post.read()?.open.unwrap_or_else(|| open.clone());
    let event = Guard::stopping(&now, why.clone());
    let guard = post.record(&event)?;
    let list = why.iter().map(|one| format!("\n- {one}")).collect::<Vec<_>>().concat();
    if matches!(event, GuardEvent::LetGo { .. }) {
        return Ok(Reply::Say(format!(
            "Proctor: this is NOT proven, and the agent was told {MOST_REFUSALS} times.{list}\n`proctor guard green` tries again; `proctor guard off` ends the guarded task."
        )));
    }
    let left = MOST_REFUSALS - guard.open.map_or(0, |open| open.refusals).min(MOST_REFUSALS);
    let next = match now.stage {
        GuardStage::Tests => "Write tests that fail without the change, for a right reason.",
        GuardStage::Code { .. } | GuardStage::Green { .. } => {
            "The tests are sealed: change the code until the proof holds."
        }
    };
    Ok(Reply::Refuse(format!(
        "Proctor: the task is not done, green is not proven.{list}\n{next} (You will be held back {left} more times, and then let go without a proof.)"
    )))
}

/// A file's path from the top of the checkout; none for one that lies elsewhere.
fn inside(root: &Path, folder: &Path, path: &str) -> Option<String> {
    let path = folder.join(path);
    // Links on the way are followed as far as there is something.
    let there = path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        above
            .canonicalize()
            .ok()
            .map(|real| if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    })?;
    there.strip_prefix(root).ok().map(|rest| rest.to_string_lossy().into_owned())
}

fn whose(path: &str) -> Whose {
    let is_rust = Path::new(path).extension().is_some_and(|end| end == "rs");
    match zone(path) {
        Zone::Test => Whose::Test,
        Zone::Deciding => Whose::Deciding,
        Zone::Production if is_rust || deciding_part(path, b"").is_some() => Whose::Mixed,
        Zone::Production => Whose::Production,
    }
}
