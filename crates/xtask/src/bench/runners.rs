//! What a runner adds over the bare test command: a suite that is made on the spot, run by hand and through the steps
//! that `proctor-tools` plans for the same tree, in turn. It counts everything from the plan to the read report, and
//! must not count what the engine does around it: trees, sandbox, journal.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::millis;
use super::suites::{self, TESTS, Tool};
use anyhow::{Context, Result, bail};
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_tools::{
    Ask, Coverage, Nextest, Order, Runner, Selection, Step, StepEnd, StepOutput, Tools, base_env,
    by_name,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;
use tempfile::TempDir;

const ROUNDS: usize = 7;
const GOAL_TIMES: f64 = 1.05;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let mut chapter = Chapter::new("runners", ROUNDS);
    for tool in Tool::ALL {
        match Stage::make(bench, tool)? {
            Some(stage) => stage.measure(&mut chapter)?,
            None => chapter.remarks.push(format!("skipped: {} is not here", tool.needs())),
        }
    }
    Ok(chapter)
}

/// A suite and both ways to run it.
struct Stage {
    /// Held for its `Drop`.
    folder: TempDir,
    tool: Tool,
    runner: Box<dyn Runner>,
    ask: Ask,
    bare: Vec<OsString>,
}

impl Stage {
    /// None where the tool is not there.
    fn make(bench: &Bench, tool: Tool) -> Result<Option<Self>> {
        let Some(program) = program_of(tool) else {
            return Ok(None);
        };
        // Not below the workspace: cargo would take a crate in there for a lost member of it.
        let folder = tempfile::tempdir().context("no folder for a suite")?;
        let root = folder.path().canonicalize().context("the temporary folder has no real path")?;
        let tree = root.join("tree");
        std::fs::create_dir(&tree).context("no folder for a suite")?;
        if let Some(entry) = tool.package() {
            let packages = bench.scratch.with_file_name("tools").join("js/node_modules");
            if !packages.join(entry).is_file() {
                return Ok(None);
            }
            std::os::unix::fs::symlink(packages, tree.join("node_modules"))
                .context("the packages could not be linked")?;
        }
        let runner = by_name(tool.runner()).context("a runner without a name")?;
        let name = *runner.programs().first().context("a runner without a program")?;
        let ask = Ask {
            subdir: String::new(),
            start: None,
            scratch: root.join("scratch"),
            cache: root.join("cache"),
            only: Selection::All,
            order: Order::AsWritten,
            coverage: Coverage::Off,
            manner: proctor_tools::Manner::Ours,
            programs: proctor_tools::Programs::ThrownAway,
            elsewhere: Vec::new(),
            tools: Tools {
                programs: BTreeMap::from([(name.to_owned(), program.clone())]),
                nextest: tool.nextest(),
                ..Tools::default()
            },
            extra_env: surroundings(),
            tree,
        };
        let bare = std::iter::once(program.into_os_string())
            .chain(tool.bare().iter().map(OsString::from))
            .collect();
        Ok(Some(Self { folder, tool, runner, ask, bare }))
    }

    fn measure(&self, chapter: &mut Chapter) -> Result<()> {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        // The first round builds and fills caches, and counts for nobody.
        for round in 0..=ROUNDS {
            self.write_anew()?;
            let by_hand = self.by_hand()?;
            self.write_anew()?;
            let planned = self.planned()?;
            if round > 0 {
                bare.push(by_hand);
                ours.push(planned);
            }
        }
        let name = self.tool.name();
        let times: Vec<f64> = ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect();
        chapter.add(&format!("{name}: planned steps"), Role::Ours, Unit::Millis, &ours);
        chapter.add(&format!("{name}: bare command"), Role::Yardstick, Unit::Millis, &bare);
        let times = chapter.add(&format!("{name}: ratio"), Role::Ours, Unit::Times, &times);
        chapter.goal(&format!("{name} to its bare command"), Unit::Times, times, GOAL_TIMES);
        Ok(())
    }

    /// Writes the sources again, as they are after a change and in every gate: cargo goes by the times of files, and
    /// would else build nothing for the person, while the runner never takes what an older tree has left.
    fn write_anew(&self) -> Result<()> {
        for (path, text) in suites::files(self.tool) {
            put(&self.ask.tree.join(path), text.as_bytes())?;
        }
        Ok(())
    }

    /// As a person has it: a home and a temporary folder that stay, so caches are warm.
    fn by_hand(&self) -> Result<f64> {
        let stays = Ask { scratch: self.folder.path().join("person"), ..self.ask.clone() };
        let env = base_env(&stays);
        for name in ["HOME", "TMPDIR"] {
            let folder = env.get(&OsString::from(name)).context("no home of its own")?;
            std::fs::create_dir_all(folder).context("no home of its own")?;
        }
        let log = self.folder.path().join("person.log");
        let began = Instant::now();
        let status = run(&self.bare, &self.ask.tree, &env, &log)?;
        let took = millis(began.elapsed());
        if !status.success() {
            bail!("{} by hand ended with {status}\n{}", self.tool.name(), tail(&log));
        }
        Ok(took)
    }

    fn planned(&self) -> Result<f64> {
        let scratch = &self.ask.scratch;
        if scratch.is_dir() {
            std::fs::remove_dir_all(scratch).context("the last run's folder stays")?;
        }
        std::fs::create_dir_all(scratch).context("no folder for a run")?;
        let began = Instant::now();
        let report = self.report()?;
        let took = millis(began.elapsed());
        let passed = report.cases.values().filter(|case| case.end == CaseEnd::Passed).count();
        if report.end != RunEnd::Finished || passed != TESTS {
            bail!("{}: {passed} of {TESTS} tests passed, {:?}", self.tool.name(), report.end);
        }
        Ok(took)
    }

    fn report(&self) -> Result<TestReport> {
        for path in self.runner.stale(&self.ask) {
            std::fs::remove_file(path).context("an old report stays")?;
        }
        let plan = self.runner.plan(&self.ask);
        for folder in &plan.folders {
            std::fs::create_dir_all(folder).context("no folder for a run")?;
        }
        for (path, bytes) in &plan.files {
            put(path, bytes)?;
        }
        let mut done = Vec::new();
        while let Some(step) = self.runner.next(&self.ask, &done) {
            done.push(self.step(step)?);
        }
        Ok(self.runner.read(&self.ask, &done))
    }

    fn step(&self, step: Step) -> Result<StepOutput> {
        let log = self.folder.path().join("step.log");
        let status = run(&step.argv, &step.cwd, &step.env, &log)?;
        let end = match (status.code(), status.signal()) {
            (Some(code), _) => StepEnd::Exited(code),
            (None, signal) => StepEnd::Signalled(signal.unwrap_or_default()),
        };
        let read = |path: &Path| std::fs::read(path).context("a step's output is gone");
        Ok(StepOutput { label: step.label, end, stdout: read(&log)?, stderr: read(&errors(&log))? })
    }
}

fn run(
    words: &[OsString],
    folder: &Path,
    env: &BTreeMap<OsString, OsString>,
    log: &Path,
) -> Result<ExitStatus> {
    let (program, args) = words.split_first().context("a command without words")?;
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .env_clear()
        .envs(env)
        .stdin(Stdio::null())
        .stdout(File::create(log).context("no log")?)
        .stderr(File::create(errors(log)).context("no log")?)
        .status()
        .with_context(|| format!("{} did not start", program.display()))
}

fn errors(log: &Path) -> PathBuf {
    log.with_extension("err")
}

fn tail(log: &Path) -> String {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let text = read(log) + &read(&errors(log));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file stands in a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("no {}", folder.display()))?;
    std::fs::write(path, bytes).with_context(|| format!("could not write {}", path.display()))
}

/// What both ways see of this machine.
fn surroundings() -> BTreeMap<String, String> {
    let var = |name: &str| std::env::var(name).ok();
    let mut env = BTreeMap::new();
    env.extend(var("PATH").map(|path| ("PATH".to_owned(), path)));
    let homes =
        [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"), ("PYTHONUSERBASE", ".local")];
    for (name, usual) in homes {
        let usual = var("HOME").map(|home| format!("{home}/{usual}"));
        env.extend(var(name).or(usual).map(|path| (name.to_owned(), path)));
    }
    env
}

/// The program itself, where the tool works. Asked of Python: what stands first on the path may be a script that
/// looks for the real one each time.
fn program_of(tool: Tool) -> Option<PathBuf> {
    let out = |program: &str, args: &[&str]| {
        let out = Command::new(program).args(args).stderr(Stdio::null()).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let on_path = |name: &str| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    };
    match tool {
        Tool::Pytest => {
            out("python3", &["-c", "import sys, pytest; print(sys.executable)"]).map(PathBuf::from)
        }
        Tool::Nextest => out("cargo", &["nextest", "--version"]).and_then(|_| on_path("cargo")),
        Tool::Cargo => out("cargo", &["--version"]).and_then(|_| on_path("cargo")),
        Tool::Go => out("go", &["version"]).and_then(|_| on_path("go")),
        Tool::Vitest | Tool::Jest | Tool::Node => {
            out("node", &["--version"]).and_then(|_| on_path("node"))
        }
    }
}

impl Tool {
    fn nextest(self) -> Nextest {
        match self {
            Self::Nextest => Nextest::Installed,
            Self::Pytest | Self::Cargo | Self::Go | Self::Vitest | Self::Jest | Self::Node => {
                Nextest::Absent
            }
        }
    }
}
