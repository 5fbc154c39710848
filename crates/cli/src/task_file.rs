//! `proctor run FILE`: a task that stands in a file. Reads it, says everything that is wrong with it, and makes an order
//! of it. What a flag says wins over the file. The formats are elsewhere (`spec_file`).

use crate::args::{FileArgs, Format, RunFlags};
use crate::order::{Order, details, text_of};
use crate::out;
use crate::spec_file::Spec;
use crate::start;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_core::intake::task_id_from;
use proctor_core::words::{TaskId, TaskType};
use serde_json::json;
use std::path::Path;

pub fn run(around: &Surroundings, args: FileArgs) -> Result<u8> {
    if args.check {
        return check(around, args);
    }
    let order = order(args, &around.cwd)?;
    start::start(around, order)
}

/// Says whether a file is a task. Nothing is created, and no repository is needed.
fn check(around: &Surroundings, args: FileArgs) -> Result<u8> {
    let (file, format) = (args.file.display().to_string(), args.run.format);
    let order = order(args, &around.cwd)?;
    match format {
        Format::Text => {
            out::data(&format!("{file} is a task: {} ({})", order.task, order.kind));
            out::data(&format!("  {}", order.description));
        }
        Format::Json => out::json(
            &json!({
                "event": "task-checked", "file": file, "task": order.task, "type": order.kind,
                "description": order.description
            })
            .to_string(),
        ),
    }
    Ok(0)
}

/// The order that a file and the flags beside it are.
pub fn order(args: FileArgs, cwd: &Path) -> Result<Order> {
    let text = text_of(cwd, &args.file, "task file")?;
    let spec = spec(&text, &args.file)?;
    let kind = args.kind.or(spec.kind).unwrap_or(TaskType::Feature);
    let details = match &args.details {
        Some(text) => details(text, cwd)?,
        None => spec.details,
    };
    let task = args.id.or(spec.id);
    Order {
        task: task.map_or_else(|| task_id_from(&spec.description, kind), TaskId::new),
        kind,
        description: spec.description,
        details,
        branch: None,
        flags: args.run.over(spec.flags),
    }
    .checked()
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

    fn args(file: &str, run: RunFlags) -> FileArgs {
        FileArgs { file: file.into(), check: false, id: None, kind: None, details: None, run }
    }

    #[test]
    fn a_flag_wins_over_the_file_and_lists_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let text = "---\nid: from-file\ntype: bug_fix\nfiles: a.py\ncoverage: 50%\ntest_cmd: pytest -q\nagent: other\n---\n# The title\nbody\n";
        std::fs::write(dir.path().join("s.md"), text).unwrap();
        let plain = order(args("s.md", RunFlags::default()), dir.path()).unwrap();
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
        let order = order(over, dir.path()).unwrap();
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
        let error = order(args("s.md", RunFlags::default()), dir.path()).unwrap_err().to_string();
        assert!(error.contains("s.md, line 2: unknown key `typ`"), "{error}");
        assert!(error.contains("s.md, line 3: `land`"), "{error}");
    }
}
