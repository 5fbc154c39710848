//! The project's own linters and formatters on a change: only what they say of it and did not say of its base counts.
//! Which there are is settled by the base's files, and so are their rules. Decides nothing about what follows.

use super::{Halt, Job};
use proctor_core::audit::{AuditCommand, Linters, Remark, fresh};
use proctor_core::words::TreeId;
use proctor_lab::Stage;
use proctor_lab::TestRuns;
use proctor_lab::Trial;
use proctor_lab::{Surveyed, sources};
use proctor_lang::Tree;
use proctor_tools::{
    Ask, LintAsk, Linter, Seat, Step, StepEnd, StepOutput, base_env, is_lint_rules, sarif,
};
use proctor_world::listing::Change;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What linting came to.
#[derive(Default)]
pub(super) struct Linted {
    /// What is new.
    pub(super) remarks: Vec<Remark>,
    /// What could not be looked at, and why.
    pub(super) notes: Vec<String>,
}

/// A tool and where it works: one of those that are known, or a command of the project's own.
enum Task<'a> {
    Known { linter: Linter, dir: String, why: String, files: Vec<String> },
    Own(&'a AuditCommand),
}

impl Job {
    /// Lints what `to` changed in `from`.
    pub(super) fn linted(
        &self,
        shadow: &Shadow,
        (from, to): (&TreeId, &TreeId),
    ) -> Result<Linted, Halt> {
        let spec = &self.run.brief.audit;
        if spec.linters == Linters::Off && spec.commands.is_empty() {
            return Ok(Linted::default());
        }
        let changed = shadow.changed(from, to)?;
        let base = shadow.list(from)?;
        let suite = self.suite_of(shadow, from)?;
        let mut dirs: BTreeSet<String> =
            suite.benches.iter().map(|bench| bench.project.dir.clone()).collect();
        dirs.insert(String::new());
        let mut tasks = self.known(&Surveyed::new(shadow, &base)?, &dirs, &changed);
        tasks.extend(spec.commands.iter().map(Task::Own));
        if tasks.is_empty() {
            return Ok(Linted::default());
        }
        let mut found = Linted::default();
        let mut runs = TestRuns::new(self, shadow, suite);
        // The rules that the change found are the rules that it is judged by.
        let rules: Vec<&String> =
            changed.iter().map(|(path, _)| path).filter(|path| is_lint_rules(path)).collect();
        let old_rules = sources(shadow, &base, |path| rules.iter().any(|rule| *rule == path))?;
        let mut trial = Trial::of(to);
        for path in rules {
            let bytes = base.contains_key(path).then(|| old_rules.read(path)).flatten();
            trial.edits.insert(path.clone(), bytes);
        }
        let after = self.look(&mut runs, &trial, tasks, &mut found.notes)?;
        let (clean, suspect): (Vec<_>, Vec<_>) =
            after.into_iter().partition(|(_, remarks)| remarks.is_empty());
        drop(clean);
        if suspect.is_empty() {
            return Ok(found);
        }
        let (tasks, after): (Vec<_>, Vec<_>) = suspect.into_iter().unzip();
        let names: Vec<String> = tasks.iter().map(Task::label).collect();
        let before = self.look(&mut runs, &Trial::of(from), tasks, &mut found.notes)?;
        for (name, after) in names.iter().zip(after) {
            // Where it can't look at the base, nothing can be called new.
            let same = before.iter().find(|(task, _)| task.label() == *name);
            found.remarks.extend(same.map(|(_, b)| fresh(b, &after)).unwrap_or_default());
        }
        found.notes.dedup();
        Ok(found)
    }

    fn known<'a>(
        &self,
        tree: &dyn Tree,
        dirs: &BTreeSet<String>,
        changed: &[(String, Change)],
    ) -> Vec<Task<'a>> {
        let mut tasks = Vec::new();
        for linter in Linter::ALL {
            if !self.run.brief.audit.linters.wants(linter.name()) {
                continue;
            }
            for dir in dirs {
                let Some(why) = linter.used_by(tree, dir) else { continue };
                let below = |path: &str| {
                    dir.is_empty()
                        || path.strip_prefix(dir.as_str()).is_some_and(|p| p.starts_with('/'))
                };
                let files: Vec<String> = changed
                    .iter()
                    .filter(|(path, _)| below(path) && linter.reads(path))
                    .map(|(path, _)| path.clone())
                    .collect();
                if !files.is_empty() {
                    tasks.push(Task::Known { linter, dir: dir.clone(), why, files });
                }
            }
        }
        tasks
    }

    /// What each says of one tree. One that could not look is named in the notes, and is not among them.
    fn look<'a>(
        &self,
        runs: &mut TestRuns<'_>,
        trial: &Trial,
        tasks: Vec<Task<'a>>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<(Task<'a>, Vec<Remark>)>, Halt> {
        let stage = runs.stand(trial)?;
        let mut all = Vec::new();
        for task in tasks {
            self.wanted()?;
            match task.look(self, runs, &stage, trial)? {
                Ok(remarks) => all.push((task, remarks)),
                Err(why) => notes.push(format!("{}: {why}", task.label())),
            }
        }
        Ok(all)
    }

    /// Where a linter's program is, seen from a tree that stands.
    fn seat_of(
        &self,
        runs: &TestRuns<'_>,
        stage: &Stage,
        seat: Seat,
        dir: &str,
    ) -> Option<PathBuf> {
        let beside = |program: &str, name: &str| {
            let mut benches = runs.suite().benches.iter();
            let own =
                benches.find_map(|b| b.tools_with(stage.given()).programs.get(program).cloned());
            let path = own?.with_file_name(name);
            path.is_file().then_some(path)
        };
        match seat {
            Seat::Python(name) => beside("python", name).or_else(|| self.on_path(name)),
            Seat::Go(name) => beside("go", name).or_else(|| self.on_path(name)),
            Seat::Cargo => beside("cargo", "cargo").or_else(|| self.on_path("cargo")),
            Seat::Path(name) => self.on_path(name),
            Seat::Packages(name) => {
                let in_folder =
                    |at: &Path| stage.root().join(at).join("node_modules/.bin").join(name);
                let mut folders = Path::new(dir).ancestors().map(in_folder);
                folders.find(|path| path.exists()).or_else(|| self.on_path(name))
            }
        }
    }
}

impl Task<'_> {
    fn label(&self) -> String {
        match self {
            Self::Known { linter, dir, .. } if dir.is_empty() => linter.name().to_owned(),
            Self::Known { linter, dir, .. } => format!("{} in {dir}", linter.name()),
            Self::Own(command) => command.name.clone(),
        }
    }

    fn look(
        &self,
        job: &Job,
        runs: &mut TestRuns<'_>,
        stage: &Stage,
        trial: &Trial,
    ) -> Result<Result<Vec<Remark>, String>, Halt> {
        let (dir, files, seat) = match self {
            Self::Known { linter, dir, why, files } => {
                let there = |path: &&String| stage.root().join(path.as_str()).is_file();
                let files: Vec<String> = files.iter().filter(there).cloned().collect();
                if files.is_empty() {
                    return Ok(Ok(Vec::new()));
                }
                let Some(program) = job.seat_of(runs, stage, linter.seat(), dir) else {
                    return Ok(Err(format!(
                        "the project uses it ({why}), and it was not found here"
                    )));
                };
                (dir.as_str(), files, program)
            }
            Self::Own(command) => {
                let name = command.argv.first().map_or("", String::as_str);
                let Some(program) = job.on_path(name) else {
                    return Ok(Err(format!("its program `{name}` was not found")));
                };
                ("", Vec::new(), program)
            }
        };
        let tree = stage.root().to_owned();
        let ask = LintAsk { tree, dir: dir.to_owned(), files, program: seat };
        let argv = match self {
            Self::Known { linter, .. } => linter.argv(&ask),
            Self::Own(command) => std::iter::once(ask.program.clone().into_os_string())
                .chain(command.argv.iter().skip(1).map(OsString::from))
                .collect(),
        };
        let done = runs.step((stage, trial), dir, |own| step(&self.label(), argv, own))?;
        Ok(match self {
            Self::Known { linter, .. } => linter.read(&ask, &done),
            Self::Own(command) => own_remarks(command, &ask, &done),
        })
    }
}

fn own_remarks(
    command: &AuditCommand,
    ask: &LintAsk,
    done: &StepOutput,
) -> Result<Vec<Remark>, String> {
    match &done.end {
        StepEnd::Exited(_) => sarif(&command.name, ask, &String::from_utf8_lossy(&done.stdout)),
        StepEnd::Signalled(signal) => Err(format!("it was ended by signal {signal}")),
        StepEnd::TimedOut => Err("it was ended at its time limit".to_owned()),
        StepEnd::CouldNotStart(why) => Err(format!("it could not be started: {why}")),
    }
}

fn step(label: &str, argv: Vec<OsString>, ask: &Ask) -> Step {
    let mut env = base_env(ask);
    // Beside the products of the test runs: other flags would have them built again and again.
    env.insert("CARGO_TARGET_DIR".into(), ask.cache.join("target-lint").into());
    env.insert("CARGO_TERM_COLOR".into(), "never".into());
    env.insert("GOFLAGS".into(), "".into());
    env.insert("GOTOOLCHAIN".into(), "local".into());
    env.insert("GOPROXY".into(), "off".into());
    env.insert("GOCACHE".into(), ask.cache.join("go-build").into());
    env.insert("NO_COLOR".into(), "1".into());
    Step { label: label.to_owned(), argv, cwd: ask.workdir(), env }
}
