//! What is asked for: a task and how to go about it. Reads the files that stand for text (`@FILE`, the design), and
//! nothing else.

use crate::task::file::{of_spec, spec};
use crate::task::flags::RunFlags;
use crate::task::spec_file::first_heading;
use crate::task::task_json::{Method, TestCommand};
use crate::told::usage;
use anyhow::Result;
use proctor_core::agent::SessionPolicy;
use proctor_core::assignment::{Assignment, Route};
use proctor_core::brief::LandMode;
use proctor_core::intake::{check_task, task_id_from};
use proctor_core::secret::secret_name;
use proctor_core::words::{Phase, Role, TaskId, TaskType};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The biggest text that a task may bring along.
const TEXT_LIMIT: usize = 1024 * 1024;

/// A task in a sentence.
#[derive(Clone, Debug)]
pub struct TaskAsk {
    pub text: String,
    pub id: Option<String>,
    pub kind: Option<TaskType>,
    /// Text, or `@FILE`.
    pub details: Option<String>,
    /// What an issue says, as more details.
    pub issue: Option<String>,
    pub flags: RunFlags,
}

/// An issue and its design.
#[derive(Clone, Debug)]
pub struct IssueAsk {
    pub issue: u64,
    pub lld: PathBuf,
    pub flags: RunFlags,
}

/// Code, test, audit, again and again.
#[derive(Clone, Debug)]
pub struct CycleAsk {
    pub id: String,
    pub spec: PathBuf,
    pub max_iterations: NonZeroU32,
    pub flags: RunFlags,
}

#[derive(Debug)]
pub struct Order {
    pub task: TaskId,
    pub kind: TaskType,
    pub description: String,
    pub details: String,
    /// The branch that the command itself stands for, where the user names none.
    pub branch: Option<String>,
    pub flags: RunFlags,
    pub crew: Crew,
    pub asked: Asked,
}

/// What a task file asks for and flags can't say.
#[derive(Debug, Default)]
pub struct Asked {
    /// Without the files that it names: those are read at intake.
    pub assignment: Assignment,
    pub read_first: Vec<String>,
    pub todo: Option<String>,
    /// How many fixes follow the first try.
    pub fixes: Option<u32>,
    pub method: Method,
    pub session: Option<SessionPolicy>,
    /// The sessions of earlier tasks that this one goes on from.
    pub resume_from: Vec<String>,
    /// The agents of roles, each with where it was named.
    pub tools: Vec<(Role, String, String)>,
    pub test_command: Option<TestCommand>,
    /// The test tool, where nothing else names one.
    pub runner: Option<String>,
    pub remarks: Vec<String>,
}

/// Who the order is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crew {
    /// A run by itself.
    Run,
    /// A step of a hunt: it has a scout too, and looks at each proof before the run goes on.
    Hunt(Phase),
}

impl Order {
    pub fn task(own: TaskType, ask: TaskAsk, cwd: &Path) -> Result<Self> {
        let kind = ask.kind.unwrap_or(own);
        let own = ask.details.map_or_else(|| Ok(String::new()), |text| details(&text, cwd))?;
        let details = match ask.issue {
            None => own,
            Some(issue) if own.trim().is_empty() => issue,
            Some(issue) => format!("{}\n\n{issue}", own.trim_end()),
        };
        let task = ask.id.map_or_else(|| task_id_from(&ask.text, kind), TaskId::new);
        Self {
            task,
            kind,
            description: ask.text,
            details,
            branch: None,
            flags: ask.flags,
            crew: Crew::Run,
            asked: Asked::default(),
        }
        .checked()
    }

    pub fn implement(ask: IssueAsk, cwd: &Path) -> Result<Self> {
        let details = text_of(cwd, &ask.lld, "--lld")?;
        let name = format!("issue-{}", ask.issue);
        let title = first_heading(&details);
        Self {
            description: title.map_or_else(
                || format!("Implement issue {}", ask.issue),
                |title| format!("Implement issue {}: {title}", ask.issue),
            ),
            branch: Some(format!("feat/{name}")),
            task: TaskId::new(name),
            kind: TaskType::Feature,
            details,
            flags: ask.flags,
            crew: Crew::Run,
            asked: Asked::default(),
        }
        .checked()
    }

    /// Code, test, audit until all pass, as one commit on a branch of its own.
    pub fn cycle(ask: CycleAsk, cwd: &Path) -> Result<Self> {
        let spec = spec(&text_of(cwd, &ask.spec, "--spec")?, &ask.spec)?;
        let order = of_spec(spec);
        let name = format!("cycle-{}", ask.id);
        let mut flags = ask.flags.over(order.flags);
        // It lands nowhere but on its own branch: who takes it from there decides.
        flags.yes = true;
        flags.land = flags.land.or(Some(LandMode::Branch));
        let asked = Asked {
            assignment: Assignment { route: Route::Cycle, ..Assignment::default() },
            fixes: Some(ask.max_iterations.get() - 1),
            ..order.asked
        };
        let branch = Some(format!("feature/{name}"));
        Self { task: TaskId::new(name), branch, flags, asked, ..order }.checked()
    }

    /// The same, where its texts can be a task.
    pub fn checked(self) -> Result<Self> {
        let faults = check_task(self.task.as_str(), &self.description, &self.details);
        if faults.is_empty() { Ok(self) } else { Err(usage(faults.join("\n"))) }
    }
}

/// `--details`: text, or `@FILE`.
pub fn details(text: &str, cwd: &Path) -> Result<String> {
    match text.strip_prefix('@') {
        Some(file) => text_of(cwd, Path::new(file), "--details"),
        None => Ok(text.to_owned()),
    }
}

/// A file whose text is a task, or part of one. `flag` says where it was named.
pub fn text_of(cwd: &Path, file: &Path, flag: &str) -> Result<String> {
    let shown = file.display();
    if let Some(rule) = secret_name(&file.to_string_lossy()) {
        return Err(usage(format!(
            "{flag} {shown} refused: its name looks like a secret ({rule})\nhint: the task is sent to a model; name a file without secrets"
        )));
    }
    let bytes = std::fs::read(cwd.join(file)).map_err(|why| {
        usage(format!("{flag} {shown} can't be read: {why}\nhint: name a text file"))
    })?;
    if bytes.len() > TEXT_LIMIT {
        return Err(usage(format!(
            "{flag} {shown} has {} bytes, {TEXT_LIMIT} are allowed\nhint: cut it down to what matters for this task",
            bytes.len()
        )));
    }
    String::from_utf8(bytes).map_err(|_| {
        usage(format!("{flag} {shown} is not UTF-8 text\nhint: convert it, or name another file"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(details: &str) -> TaskAsk {
        TaskAsk {
            text: "Sum is wrong".to_owned(),
            id: None,
            kind: None,
            issue: None,
            details: Some(details.to_owned()),
            flags: RunFlags::default(),
        }
    }

    #[test]
    fn details_come_from_a_file_where_an_at_sign_says_so() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("d.md"), "more\n").unwrap();
        let order = Order::task(TaskType::BugFix, task("@d.md"), dir.path()).unwrap();
        assert_eq!((order.task.as_str(), order.details.as_str()), ("sum-is-wrong", "more\n"));
        let missing = Order::task(TaskType::BugFix, task("@none.md"), dir.path()).unwrap_err();
        assert!(missing.to_string().contains("--details none.md"), "{missing}");
        let secret = Order::task(TaskType::BugFix, task("@.env"), dir.path()).unwrap_err();
        assert!(secret.to_string().contains("looks like a secret"), "{secret}");
    }

    #[test]
    fn s0_51_one_door_serves_bugs_features_and_refactorings() {
        for kind in TaskType::ALL {
            let order = Order::task(kind, task("more"), Path::new(".")).unwrap();
            assert_eq!((order.kind, order.crew), (kind, Crew::Run));
        }
    }

    #[test]
    fn an_issue_becomes_a_feature_with_its_own_branch() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("lld.md"), "# A parser\n\ntext").unwrap();
        let ask = IssueAsk { issue: 87, lld: "lld.md".into(), flags: RunFlags::default() };
        let order = Order::implement(ask, dir.path()).unwrap();
        assert_eq!(order.task.as_str(), "issue-87");
        assert_eq!(order.branch.as_deref(), Some("feat/issue-87"));
        assert_eq!(order.description, "Implement issue 87: A parser");
        assert_eq!(order.kind, TaskType::Feature);
    }
}
