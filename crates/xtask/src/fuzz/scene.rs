//! Recorded outputs of real test tools as samples: the files below `crates/tools/tests/fixtures`. Each input is laid
//! out as the tool would have left it, and read by its runner.

use anyhow::{Context, Result};
use proctor_testkit::Target;
use proctor_tools::{Ask, Coverage, Order, Runner, Selection, StepEnd, StepOutput, Tools, by_name};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What coverage tools leave, so that their readers are tried too.
const COVERAGE: [(&str, &str); 2] = [
    (
        "coverage/lcov.info",
        "TN:\nSF:src/a.py\nDA:1,1\nDA:2,0,abc\nend_of_record\nSF:b.js\nDA:7,3\nend_of_record\n",
    ),
    ("cover-0.out", "mode: set\nm/a.go:3.14,5.2 1 1\nm/a.go:7.2,7.30 2 0\n"),
];
const COVERAGE_STEPS: [&str; 4] =
    ["coverage-probe", "coverage-lcov", "rustc --print target-libdir", "llvm-cov export"];

/// One recorded run: report files by name, and what each step printed.
struct Scene {
    files: Vec<PathBuf>,
    steps: Vec<(String, StepEnd)>,
    parts: Vec<Vec<u8>>,
}

/// One target for each test tool.
pub fn of_runners(fixtures: &Path) -> Result<Vec<Target>> {
    let mut scenes: BTreeMap<&'static str, Vec<Scene>> = BTreeMap::new();
    let folders = std::fs::read_dir(fixtures).context("there are no recorded outputs")?;
    let mut folders: Vec<PathBuf> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.join("steps.json").is_file()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(runner) = runner_of(&name) {
            scenes.entry(runner).or_default().push(Scene::read(folder)?);
        }
    }
    let mut writers = Vec::new();
    for (_, bytes) in reports(&fixtures.join("junit-writers"))? {
        let files = vec![PathBuf::from("report.xml")];
        let steps = vec![("junit".to_owned(), StepEnd::Exited(1))];
        writers.push(Scene { files, steps, parts: vec![bytes, Vec::new(), Vec::new()] });
    }
    scenes.insert("junit", writers);
    scenes.into_iter().map(|(runner, scenes)| target(runner, scenes)).collect()
}

fn runner_of(scene: &str) -> Option<&'static str> {
    let kind = scene.split('-').next().unwrap_or_default();
    Some(match kind {
        "pytest" => "pytest",
        "cargo" | "libtest" | "nextest" => "cargo",
        "go" => "go",
        "jest" => "jest",
        "vitest" => "vitest",
        "node" => "node",
        "maven" => "maven",
        _ => return None,
    })
}

impl Scene {
    fn read(folder: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(folder.join("steps.json"))?;
        let recorded: Vec<serde_json::Value> = serde_json::from_str(&text)?;
        let (mut files, mut parts, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for (path, bytes) in reports(folder)? {
            files.push(path);
            parts.push(bytes);
        }
        for (name, text) in COVERAGE {
            files.push(PathBuf::from(name));
            parts.push(text.as_bytes().to_vec());
        }
        for step in &recorded {
            let end = match step["exit"].as_i64() {
                Some(code) => StepEnd::Exited(i32::try_from(code)?),
                None => StepEnd::TimedOut,
            };
            steps.push((step["label"].as_str().unwrap_or_default().to_owned(), end));
            for key in ["stdout", "stderr"] {
                parts.push(step[key].as_str().unwrap_or_default().as_bytes().to_vec());
            }
        }
        for label in COVERAGE_STEPS {
            steps.push((label.to_owned(), StepEnd::Exited(0)));
            parts.extend([COVERAGE[0].1.as_bytes().to_vec(), Vec::new()]);
        }
        Ok(Self { files, steps, parts })
    }
}

fn reports(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let (mut found, mut todo) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(at) = todo.pop() {
        for entry in std::fs::read_dir(folder.join(&at))?.flatten() {
            let path = at.join(entry.file_name());
            if entry.path().is_dir() {
                todo.push(path);
            } else if path != Path::new("steps.json") {
                found.push((path, std::fs::read(entry.path())?));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn target(name: &'static str, scenes: Vec<Scene>) -> Result<Target> {
    let runner: Arc<dyn Runner> = Arc::from(by_name(name).context("a runner is not known")?);
    // In memory where that can be had: the disk is not what is tried.
    let memory = Path::new("/dev/shm");
    let room = if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? };
    let ask = Ask {
        tree: room.path().join("tree"),
        subdir: String::new(),
        start: None,
        scratch: room.path().join("scratch"),
        cache: room.path().join("cache"),
        only: Selection::All,
        order: Order::AsWritten,
        coverage: Coverage::Measured,
        manner: proctor_tools::Manner::Ours,
        programs: proctor_tools::Programs::ThrownAway,
        elsewhere: Vec::new(),
        tools: Tools { reports: vec!["{report}".to_owned()], ..Tools::default() },
        extra_env: BTreeMap::new(),
    };
    std::fs::create_dir_all(&ask.tree)?;
    // A part's number says which scene it is of: the samples carry it in front.
    let place = room.path().to_string_lossy().into_owned();
    let samples = scenes
        .iter()
        .enumerate()
        .map(|(n, scene)| {
            let parts = scene
                .parts
                .iter()
                .map(|part| String::from_utf8_lossy(part).replace("@ROOT@", &place).into_bytes());
            std::iter::once(vec![u8::try_from(n).unwrap_or(0)]).chain(parts).collect()
        })
        .collect();
    let feed = move |inputs: &[Vec<u8>]| {
        let _room = &room;
        let number = inputs.first().and_then(|first| first.first()).copied().unwrap_or(0);
        let Some(scene) = scenes.get(usize::from(number) % scenes.len()) else { return };
        let mut parts = inputs.iter().skip(1);
        let _ = std::fs::remove_dir_all(&ask.scratch);
        for file in &scene.files {
            let to = ask.scratch.join(file);
            let _ = to.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(to, parts.next().map(Vec::as_slice).unwrap_or_default());
        }
        let done: Vec<StepOutput> = scene
            .steps
            .iter()
            .map(|(label, end)| StepOutput {
                label: label.clone(),
                end: end.clone(),
                stdout: parts.next().cloned().unwrap_or_default(),
                stderr: parts.next().cloned().unwrap_or_default(),
            })
            .collect();
        let extra = done.iter().filter(|step| COVERAGE_STEPS.contains(&step.label.as_str()));
        let plain = done.len() - extra.count();
        let _ = runner.read(&ask, done.get(..plain).unwrap_or_default());
        let _ = runner.coverage(&ask, &done);
        let _ = runner.next(&ask, done.get(..plain).unwrap_or_default());
    };
    Ok(Target { name: format!("runner {name}"), share: 2, samples, feed: Box::new(feed) })
}
