//! A small tree in a temp folder, and the loop that a caller of this crate has: write the plan, run step by step, read.

use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_tools::{
    Ask, Coverage, Nextest, Order, Runner, Selection, StepEnd, StepOutput, Tools, by_name,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Stage {
    folder: tempfile::TempDir,
    pub ask: Ask,
    pub runner: Box<dyn Runner>,
    pub limit: Duration,
    pub outputs: Vec<StepOutput>,
}

pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|p| p.join(name)).find(|p| p.is_file())
}

pub fn works(program: &Path, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Says that a test was skipped for want of a tool; in CI that is a failure.
pub fn skipped(tool: &str) {
    assert!(
        std::env::var_os("CI").is_none_or(|value| value != "true"),
        "{tool} is not installed, and in CI no test may be skipped\nhint: scripts/setup installs it"
    );
    println!("skipped: {tool} is not installed");
}

/// Tools with one program.
pub fn with_program(name: &str, path: PathBuf) -> Tools {
    Tools { programs: BTreeMap::from([(name.to_owned(), path)]), ..Tools::default() }
}

pub fn pytest(files: &[(&str, &str)]) -> Option<Stage> {
    let python = program("python3").filter(|p| works(p, &["-m", "pytest", "--version"]));
    if python.is_none() {
        skipped("python3 with pytest");
    }
    Some(Stage::new("pytest", files, with_program("python", python?)))
}

pub fn cargo(nextest: Nextest, files: &[(&str, &str)]) -> Option<Stage> {
    let cargo = program("cargo")?;
    if nextest == Nextest::Installed && !works(&cargo, &["nextest", "--version"]) {
        skipped("cargo-nextest");
        return None;
    }
    let mut stage = Stage::new("cargo", files, Tools { nextest, ..with_program("cargo", cargo) });
    for (key, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let given = std::env::var(key).ok();
        let usual = std::env::var("HOME").ok().map(|home| format!("{home}/{usual}"));
        if let Some(path) = given.or(usual) {
            stage.ask.extra_env.insert(key.to_owned(), path);
        }
    }
    stage.ask.extra_env.insert("CARGO_NET_OFFLINE".to_owned(), "true".to_owned());
    Some(stage)
}

/// A stage for a recording: no tool is needed.
pub fn replay(runner: &str, nextest: Nextest, files: &[(&str, &str)]) -> Stage {
    Stage::new(runner, files, Tools { nextest, ..Tools::default() })
}

impl Stage {
    /// The folder that holds tree, scratch and cache.
    pub fn root(&self) -> String {
        self.folder.path().to_string_lossy().into_owned()
    }

    pub fn new(runner: &str, files: &[(&str, &str)], tools: Tools) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for sub in ["tree", "scratch", "cache"] {
            std::fs::create_dir(root.join(sub)).unwrap();
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let ask = Ask {
            tree: root.join("tree"),
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
            tools,
            extra_env: BTreeMap::from([("PATH".to_owned(), path)]),
        };
        let stage = Self {
            folder,
            ask,
            runner: by_name(runner).unwrap(),
            limit: Duration::from_mins(2),
            outputs: Vec::new(),
        };
        for (path, text) in files {
            stage.write(path, text);
        }
        stage
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.ask.tree.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn only(mut self, ids: &[&str]) -> Self {
        self.ask.only = Selection::Ids(ids.iter().map(|i| TestId::new(*i)).collect());
        self
    }

    pub fn run(&mut self) -> TestReport {
        let scratch = self.folder.path().join("scratch");
        std::fs::remove_dir_all(&scratch).unwrap();
        std::fs::create_dir(&scratch).unwrap();
        for path in self.runner.stale(&self.ask) {
            std::fs::remove_file(path).unwrap();
        }
        let plan = self.runner.plan(&self.ask);
        for folder in &plan.folders {
            std::fs::create_dir_all(folder).unwrap();
        }
        for (path, bytes) in &plan.files {
            std::fs::write(path, bytes).unwrap();
        }
        self.outputs.clear();
        while let Some(step) = self.runner.next(&self.ask, &self.outputs) {
            let out = scratch.join("step.out");
            let err = scratch.join("step.err");
            let mut child = Command::new(&step.argv[0])
                .args(&step.argv[1..])
                .current_dir(&step.cwd)
                .env_clear()
                .envs(&step.env)
                .stdin(Stdio::null())
                .stdout(std::fs::File::create(&out).unwrap())
                .stderr(std::fs::File::create(&err).unwrap())
                .spawn()
                .unwrap();
            let end = wait(&mut child, self.limit);
            let (stdout, stderr) = (std::fs::read(out).unwrap(), std::fs::read(err).unwrap());
            self.outputs.push(StepOutput { label: step.label, end, stdout, stderr });
        }
        self.runner.read(&self.ask, &self.outputs)
    }

    /// A run that must finish.
    pub fn finished(&mut self) -> TestReport {
        let report = self.run();
        let said = self.outputs.last().map(|s| String::from_utf8_lossy(&s.stdout).into_owned());
        assert_eq!(report.end, RunEnd::Finished, "{}", said.unwrap_or_default());
        report
    }
}

fn wait(child: &mut std::process::Child, limit: Duration) -> StepEnd {
    use std::os::unix::process::ExitStatusExt;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return match (status.code(), status.signal()) {
                (Some(code), _) => StepEnd::Exited(code),
                (None, signal) => StepEnd::Signalled(signal.unwrap_or_default()),
            };
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            return StepEnd::TimedOut;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn end<'a>(report: &'a TestReport, id: &str) -> &'a CaseEnd {
    &report.cases.get(&TestId::new(id)).unwrap_or_else(|| panic!("no case {id} in {report:#?}")).end
}

pub fn reason<'a>(report: &'a TestReport, id: &str) -> &'a Reason {
    match end(report, id) {
        CaseEnd::Failed { reason } => reason,
        other => panic!("{id} did not fail: {other:?}"),
    }
}
