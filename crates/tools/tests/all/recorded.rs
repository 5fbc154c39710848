//! Outputs of the real tools, recorded, and read again without any tool. The scenes of each language are in files of
//! their own; `PROCTOR_RECORD=1` records them anew (see `fixtures/README.md`).

use crate::stage::Stage;
use proctor_tools::{StepEnd, StepOutput};
use std::path::{Path, PathBuf};

/// Files that a tool or our reporter leaves in the scratch folder and that `read` looks at.
const REPORTS: [&str; 5] = ["jsonl", "json", "xml", "info", "out"];

fn folder(scene: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(scene)
}

/// A text with the folders of the recording machine taken out.
fn masked(stage: &Stage, bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).replace(&stage.root(), "@ROOT@");
    // The recording machine's name.
    while let Some(at) = text.find(" hostname=\"") {
        let end = text[at + 11..].find('"').map_or(text.len(), |end| at + 12 + end);
        text.replace_range(at..end, "");
    }
    for (mark, instead) in [
        ("/lib/python3", "/usr"),
        ("/.rustup/toolchains/", ""),
        ("/toolchains/", ""),
        ("/bin/python3", "/usr"),
        ("/go-build/", "@ROOT@/cache"),
        ("/go/src/", "/usr/local"),
        ("/target/tools/", ""),
    ] {
        let mut from = 0;
        while let Some(at) = text[from..].find(mark).map(|at| at + from) {
            // The path that leads to the mark begins after the last character that is not part of a path.
            let start = text[..at]
                .rfind(|c: char| !(c.is_alphanumeric() || "/._-".contains(c)))
                .map_or(0, |s| s + 1);
            text.replace_range(start..at, instead);
            from = start + instead.len() + mark.len();
        }
    }
    text
}

/// One scene: recorded anew where that is asked for, then read with no tool and compared with what is known.
#[expect(
    clippy::needless_pass_by_value,
    reason = "each scene makes its own and needs it nowhere else"
)]
pub fn scene(name: &str, live: impl FnOnce() -> Option<Stage>, kept: Stage) {
    if std::env::var_os("PROCTOR_RECORD").is_some() {
        let mut stage = live().expect("a recording needs its tool");
        stage.run();
        record(name, &stage);
    }
    let folder = folder(name);
    assert!(folder.is_dir(), "the scene {name} was never recorded");
    for (path, text) in reports(&folder) {
        let to = kept.ask.scratch.join(&path);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        if path != Path::new("steps.json") {
            std::fs::write(to, text.replace("@ROOT@", &kept.root())).unwrap();
        }
    }
    let outputs = steps(&folder, &kept.root());
    let mut report = kept.runner.read(&kept.ask, &outputs);
    for case in report.cases.values_mut() {
        case.took_ms = None;
    }
    let shown = format!("{report:#?}").replace(&kept.root(), "@ROOT@");
    insta::assert_snapshot!(name, shown);
}

fn record(name: &str, stage: &Stage) {
    let folder = folder(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (path, text) in reports(&stage.ask.scratch) {
        let to = folder.join(path);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, masked(stage, text.as_bytes())).unwrap();
    }
    let steps: Vec<serde_json::Value> = stage
        .outputs
        .iter()
        .map(|step| {
            let exit = match step.end {
                StepEnd::Exited(code) => serde_json::json!(code),
                StepEnd::TimedOut => serde_json::json!("timed out"),
                StepEnd::Signalled(_) | StepEnd::CouldNotStart(_) => panic!("{:?}", step.end),
            };
            serde_json::json!({
                "label": step.label,
                "exit": exit,
                "stdout": masked(stage, &step.stdout),
                "stderr": masked(stage, &step.stderr),
            })
        })
        .collect();
    let text = serde_json::to_string_pretty(&steps).unwrap() + "\n";
    std::fs::write(folder.join("steps.json"), text).unwrap();
}

fn steps(folder: &Path, root: &str) -> Vec<StepOutput> {
    let text = std::fs::read_to_string(folder.join("steps.json")).unwrap();
    let steps: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let bytes = |step: &serde_json::Value, key: &str| {
        step[key].as_str().unwrap().replace("@ROOT@", root).into_bytes()
    };
    let end = |step: &serde_json::Value| match step["exit"].as_i64() {
        Some(code) => StepEnd::Exited(i32::try_from(code).unwrap()),
        None => StepEnd::TimedOut,
    };
    steps
        .iter()
        .map(|step| StepOutput {
            label: step["label"].as_str().unwrap().to_owned(),
            end: end(step),
            stdout: bytes(step, "stdout"),
            stderr: bytes(step, "stderr"),
        })
        .collect()
}

/// The report files below a folder, by their path in it. What a tool keeps for itself (homes, caches) is left out.
fn reports(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(at) = todo.pop() {
        for entry in std::fs::read_dir(folder.join(&at)).unwrap().flatten() {
            let path = at.join(entry.file_name());
            if entry.path().is_dir() {
                let own = ["home", "tmp", "plugin", "pytest-cache", "coverage"];
                if !own.iter().any(|n| path == Path::new(n)) {
                    todo.push(path);
                }
            } else if path.extension().is_some_and(|e| REPORTS.iter().any(|r| e == *r))
                && path != Path::new("step.out")
            {
                found.push((path, std::fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    found.sort();
    found
}
