//! `proctor run FILE`: a task that stands in a file. Reads it, says everything that is wrong with it, and makes an order
//! of it. What a flag says wins over the file. The formats are elsewhere (`spec_file`, `task_json`).

use crate::args::Format;
use crate::args_task::{FileArgs, RunFlags};
use crate::order::{Asked, Crew, Order, details, text_of};
use crate::out;
use crate::settings;
use crate::spec_file::Spec;
use crate::start;
use crate::surroundings::Surroundings;
use crate::task_json::{Shell, TaskFault, TaskJson};
use crate::told::usage;
use anyhow::Result;
use proctor_core::assignment::{Assignment, Origin, Route};
use proctor_core::chronicle::refused_marker;
use proctor_core::intake::task_id_from;
use proctor_core::words::{Phase, TaskId, TaskType};
use proctor_world::repo::UserRepo;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(around: &Surroundings, args: FileArgs) -> Result<u8> {
    if args.check {
        return check(around, args);
    }
    let (format, json) = (args.run.format, is_json_file(&args.file));
    let begun = order(around, args).and_then(|order| start::start(around, order));
    // What an orchestrator reads ends with a marker, also where nothing could begin.
    if let (Err(error), Format::Text, true) = (&begun, format, json) {
        out::data(refused_marker(&format!("{error:#}")).trim_end());
    }
    begun
}

/// Says whether a file is a task. Nothing is created, and no repository is needed.
fn check(around: &Surroundings, args: FileArgs) -> Result<u8> {
    let (file, format) = (args.file.display().to_string(), args.run.format);
    let order = order(around, args)?;
    for remark in &order.asked.remarks {
        out::talk(remark);
    }
    let route = order.asked.assignment.route;
    match format {
        Format::Text => {
            let way = match route {
                Route::Tdd => "failing tests first",
                Route::Plain => "one turn, no red gate",
                Route::Cycle => "code, test, audit",
            };
            out::data(&format!("{file} is a task: {} ({}, {way})", order.task, order.kind));
            out::data(&format!("  {}", order.description));
        }
        Format::Json => out::json(
            &json!({
                "event": "task-checked", "file": file, "task": order.task, "type": order.kind,
                "description": order.description, "route": route
            })
            .to_string(),
        ),
    }
    Ok(0)
}

/// The order that a file and the flags beside it are.
pub fn order(around: &Surroundings, args: FileArgs) -> Result<Order> {
    let text = text_of(&around.cwd, &args.file, "task file")?;
    let order = if is_json(&args.file, &text) {
        let shell = shell_of(around, args.run.base.as_deref());
        of_json(TaskJson::parse(&text, shell).map_err(|faults| told(&args.file, &faults))?)
    } else {
        of_spec(spec(&text, &args.file)?)
    };
    finished(order, args, &around.cwd)
}

/// What flags say about the task itself, over what its file says.
fn finished(order: Order, args: FileArgs, cwd: &Path) -> Result<Order> {
    let kind = args.kind.unwrap_or(order.kind);
    let mut order = Order {
        task: args.id.map_or(order.task, TaskId::new),
        kind,
        details: match &args.details {
            Some(text) => details(text, cwd)?,
            None => order.details,
        },
        flags: args.run.over(order.flags),
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

fn is_json_file(file: &Path) -> bool {
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

impl RunFlags {
    /// These flags over what a file says. Lists add up; a switch that is on in either is on.
    #[must_use]
    pub fn over(self, file: Self) -> Self {
        let both = |mut ours: Vec<String>, theirs: Vec<String>| {
            ours.splice(0..0, theirs);
            ours
        };
        Self {
            files: both(self.files, file.files),
            context: both(self.context, file.context),
            targets: both(self.targets, file.targets),
            tests: both(self.tests, file.tests),
            test_count: self.test_count.or(file.test_count),
            // An agent that was typed in one way is not mixed with one that the file names in another.
            agent: if self.agent_cmd.is_some() { None } else { self.agent.or(file.agent) },
            agent_cmd: self.agent_cmd,
            roles: both(self.roles, file.roles),
            // So with the test tool.
            test_cmd: if self.runner.is_some() {
                self.test_cmd
            } else {
                self.test_cmd.or(file.test_cmd)
            },
            runner: self.runner.or(file.runner),
            subdir: self.subdir.or(file.subdir),
            coverage: self.coverage.or(file.coverage),
            hangs: self.hangs || file.hangs,
            strict_red: self.strict_red || file.strict_red,
            allow_changed_tests: self.allow_changed_tests || file.allow_changed_tests,
            no_refactor: self.no_refactor || file.no_refactor,
            base: self.base.or(file.base),
            land: self.land.or(file.land),
            branch: self.branch.or(file.branch),
            yes: self.yes || file.yes,
            max_cost: self.max_cost.or(file.max_cost),
            max_time: self.max_time.or(file.max_time),
            max_calls: self.max_calls.or(file.max_calls),
            max_tokens: self.max_tokens.or(file.max_tokens),
            detach: self.detach,
            format: self.format,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Least;

    fn ordered(args: FileArgs, cwd: &Path) -> Result<Order> {
        let text = text_of(cwd, &args.file, "task file")?;
        finished(of_spec(spec(&text, &args.file)?), args, cwd)
    }

    fn args(file: &str, run: RunFlags) -> FileArgs {
        FileArgs { file: file.into(), check: false, id: None, kind: None, details: None, run }
    }

    #[test]
    fn a_flag_wins_over_the_file_and_lists_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let text = "---\nid: from-file\ntype: bug_fix\nfiles: a.py\ncoverage: 50%\ntest_cmd: pytest -q\nagent: other\n---\n# The title\nbody\n";
        std::fs::write(dir.path().join("s.md"), text).unwrap();
        let plain = ordered(args("s.md", RunFlags::default()), dir.path()).unwrap();
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
        let over = FileArgs {
            id: Some("typed".to_owned()),
            kind: Some(TaskType::Feature),
            details: Some("other".to_owned()),
            ..args("s.md", flags)
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
        std::fs::write(dir.path().join("s.md"), "---\ntyp: x\nland: pr\n---\n# T\n").unwrap();
        let error = ordered(args("s.md", RunFlags::default()), dir.path()).unwrap_err().to_string();
        assert!(error.contains("s.md, line 2: unknown key `typ`"), "{error}");
        assert!(error.contains("s.md, line 3: `land`"), "{error}");
    }
}
