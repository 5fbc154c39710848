//! A task that stands in a file: reads it, says everything that is wrong with it, and makes an order of it. What a flag
//! says wins over the file. The formats are elsewhere (`spec_file`, `task_json`).

use crate::config::settings;
use crate::surroundings::Surroundings;
use crate::task::flags::RunFlags;
use crate::task::order::{Asked, Crew, Order, details, text_of};
use crate::task::spec_file::Spec;
use crate::task::task_json::{Shell, TaskFault, TaskJson};
use crate::told::usage;
use anyhow::Result;
use proctor_core::assignment::{Assignment, Origin, Route};
use proctor_core::intake::task_id_from;
use proctor_core::words::{Phase, TaskId, TaskType};
use proctor_world::repo::UserRepo;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A task that stands in a file. What is said here wins over the file.
#[derive(Clone, Debug)]
pub struct FileAsk {
    pub file: PathBuf,
    pub id: Option<String>,
    pub kind: Option<TaskType>,
    /// Text, or `@FILE`.
    pub details: Option<String>,
    pub flags: RunFlags,
}

/// The order that a file and the flags beside it are.
pub fn order(around: &Surroundings, ask: FileAsk) -> Result<Order> {
    let text = text_of(&around.cwd, &ask.file, "task file")?;
    let order = if is_json(&ask.file, &text) {
        let shell = shell_of(around, ask.flags.base.as_deref());
        of_json(TaskJson::parse(&text, shell).map_err(|faults| told(&ask.file, &faults))?)
    } else {
        of_spec(spec(&text, &ask.file)?)
    };
    finished(order, ask, &around.cwd)
}

/// The orders that several files are. What is wrong with any of them is said of all before anything begins.
pub fn orders(around: &Surroundings, asks: Vec<FileAsk>) -> Result<Vec<Order>> {
    if asks.len() > 1 && asks.iter().any(|ask| ask.id.is_some()) {
        return Err(usage(
            "--id names one task, and there are several files\nhint: let each file say its own id (`id:` in the front matter)",
        ));
    }
    let (mut orders, mut wrong) = (Vec::new(), Vec::new());
    for ask in asks {
        match order(around, ask) {
            Ok(order) => orders.push(order),
            Err(error) => wrong.push(format!("{error:#}")),
        }
    }
    if wrong.is_empty() { Ok(orders) } else { Err(usage(wrong.join("\n"))) }
}

/// What flags say about the task itself, over what its file says.
fn finished(order: Order, ask: FileAsk, cwd: &Path) -> Result<Order> {
    let kind = ask.kind.unwrap_or(order.kind);
    let mut order = Order {
        task: ask.id.map_or(order.task, TaskId::new),
        kind,
        details: match &ask.details {
            Some(text) => details(text, cwd)?,
            None => order.details,
        },
        flags: ask.flags.over(order.flags),
        ..order
    };
    // Tests that a person brings are judged by the red gate.
    if !order.flags.tests.is_empty() {
        order.asked.assignment.route = Route::Tdd;
    }
    order.checked()
}

/// By its name, else by how it begins.
fn is_json(file: &Path, text: &str) -> bool {
    match file.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
        Some("md" | "markdown" | "txt") => false,
        _ => is_json_file(file) || text.trim_start().starts_with('{'),
    }
}

pub fn is_json_file(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// Whether the base commit allows commands for a shell. Where there is no repository to ask, nothing does.
fn shell_of(around: &Surroundings, base: Option<&str>) -> Shell {
    let allowed = || -> Option<bool> {
        let repo = UserRepo::find(&around.cwd).ok()?;
        let base = repo.resolve(base.unwrap_or("HEAD")).ok()?;
        settings::read(around, &repo, &base).ok()?.tasks.shell
    };
    if allowed() == Some(true) { Shell::Allowed } else { Shell::Refused }
}

/// Every fault of a task, and what to do about them.
fn told(file: &Path, faults: &[TaskFault]) -> anyhow::Error {
    let file = file.display();
    let lines: Vec<String> = faults.iter().map(|fault| format!("{file}: {fault}")).collect();
    let faults = if lines.len() == 1 { "1 fault" } else { &format!("{} faults", lines.len()) };
    usage(format!(
        "{}\nhint: the task has {faults}, and nothing was run; generate it again with these mended. `proctor schema task` prints the format, `proctor run --check {file}` looks again",
        lines.join("\n")
    ))
}

pub fn of_spec(spec: Spec) -> Order {
    let kind = spec.kind.unwrap_or(TaskType::Feature);
    let task = spec.id.map_or_else(|| task_id_from(&spec.description, kind), TaskId::new);
    let (description, details) = (spec.description, spec.details);
    let asked = Asked::default();
    Order {
        task,
        kind,
        description,
        details,
        branch: None,
        flags: spec.flags,
        crew: Crew::Run,
        asked,
    }
}

fn of_json(task: TaskJson) -> Order {
    let kind = task.kind.unwrap_or(TaskType::Feature);
    let orders: BTreeMap<Phase, String> = Phase::LOOP
        .into_iter()
        .map(|phase| (phase, task.orders(phase)))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    let tdd = task.route == Route::Tdd;
    let assignment = Assignment {
        route: task.route,
        origin: Origin::Orchestrator,
        cases: if tdd { task.test_cases() } else { Vec::new() },
        orders,
        scope: task.scopes().join("; "),
        session: task.cli.id.clone(),
        ..Assignment::default()
    };
    let role = |phase: Phase| phase.role();
    let asked = Asked {
        assignment,
        tools: task
            .tools
            .iter()
            .map(|(phase, tool, at)| (role(*phase), tool.clone(), at.clone()))
            .collect(),
        fixes: task.max_iterations,
        method: task.method,
        session: task.cli.strategy,
        resume_from: task.cli.resume_from.clone(),
        test_command: task.test_command.clone(),
        runner: task.runner.clone(),
        todo: task.todo.clone(),
        read_first: task.files_to_read.clone(),
        remarks: task.remarks.clone(),
    };
    let flags = RunFlags {
        files: task.focus_paths.clone(),
        test_count: task.test_count().filter(|_| tdd),
        coverage: task.coverage().filter(|_| tdd),
        ..RunFlags::default()
    };
    let details = task.details();
    let description = task.title.clone();
    let id = task.id.map_or_else(|| task_id_from(&description, kind), TaskId::new);
    Order { task: id, kind, description, details, branch: None, flags, crew: Crew::Run, asked }
}

/// A Markdown spec, with every fault in one message.
pub fn spec(text: &str, file: &Path) -> Result<Spec> {
    Spec::parse(text).map_err(|faults| {
        let told: Vec<String> =
            faults.iter().map(|fault| format!("{}, {fault}", file.display())).collect();
        usage(told.join("\n"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::value::Least;

    fn ordered(ask: FileAsk, cwd: &Path) -> Result<Order> {
        let text = text_of(cwd, &ask.file, "task file")?;
        finished(of_spec(spec(&text, &ask.file)?), ask, cwd)
    }

    fn ask(file: &str, flags: RunFlags) -> FileAsk {
        FileAsk { file: file.into(), id: None, kind: None, details: None, flags }
    }

    #[test]
    fn a_flag_wins_over_the_file_and_lists_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let text = "---\nid: from-file\ntype: bug_fix\nfiles: a.py\ncoverage: 50%\ntest_cmd: pytest -q\nagent: other\n---\n# The title\nbody\n";
        std::fs::write(dir.path().join("s.md"), text).unwrap();
        let plain = ordered(ask("s.md", RunFlags::default()), dir.path()).unwrap();
        assert_eq!((plain.task.as_str(), plain.kind), ("from-file", TaskType::BugFix));
        assert_eq!(
            (plain.description.as_str(), plain.details.as_str()),
            ("The title", "# The title\nbody")
        );
        assert_eq!(plain.flags.agent.as_deref(), Some("other"));
        let flags = RunFlags {
            files: vec!["b.py".to_owned()],
            coverage: Some(Least::parse("80%").unwrap()),
            runner: Some("cargo".to_owned()),
            agent_cmd: Some("mine".to_owned()),
            ..RunFlags::default()
        };
        let over = FileAsk {
            id: Some("typed".to_owned()),
            kind: Some(TaskType::Feature),
            details: Some("other".to_owned()),
            ..ask("s.md", flags)
        };
        let order = ordered(over, dir.path()).unwrap();
        assert_eq!((order.task.as_str(), order.kind), ("typed", TaskType::Feature));
        assert_eq!(order.details, "other");
        assert_eq!(order.flags.files, ["a.py", "b.py"]);
        assert_eq!(order.flags.coverage.map(|least| least.0.0), Some(8000));
        assert_eq!((order.flags.test_cmd, order.flags.agent), (None, None));
    }

    #[test]
    fn a_bad_file_names_itself_in_every_fault() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("s.md"), "---\ntyp: x\nland: nowhere\n---\n# T\n").unwrap();
        let error = ordered(ask("s.md", RunFlags::default()), dir.path()).unwrap_err().to_string();
        assert!(error.contains("s.md, line 2: unknown key `typ`"), "{error}");
        assert!(error.contains("s.md, line 3: `land`"), "{error}");
    }
}
