//! A small Maven project, run with the real Maven and the repository that Debian's packages fill; and scenes of it,
//! recorded with the reports that Surefire leaves in the tree.

use crate::stage::{Stage, program, skipped, with_program, works};
use proctor_tools::{StepEnd, StepOutput, Tools};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const CART: (&str, &str) = (
    "src/main/java/shop/Cart.java",
    "package shop;\npublic class Cart {\n    public int add(int a, int b) { return a - b; }\n    \
     public int div(int a) { return a / 0; }\n}\n",
);

/// A pom with these dependencies for tests.
pub fn pom(dependency: &str) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  \
         <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>\n  <properties>\n    \
         <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>\n    \
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  \
         <dependencies>{dependency}</dependencies>\n</project>\n"
    )
}

pub const JUNIT4: &str = "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency>";
pub const JUNIT5: &str = "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>debian</version><scope>test</scope></dependency>";

/// Where the packages of the tests lie: what Debian installs, or what the environment names.
fn repository() -> PathBuf {
    let given = std::env::var_os("MAVEN_REPO_LOCAL").map(PathBuf::from);
    given.unwrap_or_else(|| PathBuf::from("/usr/share/maven-repo"))
}

pub fn maven(files: &[(&str, &str)]) -> Option<Stage> {
    let repository = repository();
    let surefire = repository.join("org/apache/maven/plugins/maven-surefire-plugin").is_dir();
    let mvn = program("mvn").filter(|p| surefire && works(p, &["--version"]));
    let Some(mvn) = mvn else {
        skipped("Maven with Surefire");
        return None;
    };
    let mut stage = Stage::new("maven", files, with_program("mvn", mvn));
    stage.limit = Duration::from_mins(5);
    let folder = repository.to_string_lossy().into_owned();
    stage.ask.extra_env.insert("MAVEN_REPO_LOCAL".to_owned(), folder);
    Some(stage)
}

/// One scene: recorded anew where that is asked for, then read with no tool and compared with what is known.
pub fn scene(name: &str, files: &[(&str, &str)]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    if std::env::var_os("PROCTOR_RECORD").is_some() {
        let mut stage = maven(files).expect("a recording needs its tool");
        stage.run();
        record(&folder, &stage);
    }
    assert!(folder.is_dir(), "the scene {name} was never recorded");
    let kept = Stage::new("maven", files, Tools::default());
    for path in left(&folder.join("left"), "left") {
        let text = std::fs::read_to_string(folder.join("left").join(&path)).unwrap();
        kept.write(&path.replace("@target@", "target"), &text.replace("@ROOT@", &kept.root()));
    }
    let outputs = outputs(&folder, &kept.root());
    let mut report = kept.runner.read(&kept.ask, &outputs);
    for case in report.cases.values_mut() {
        case.took_ms = None;
    }
    let shown = format!("{report:#?}").replace(&kept.root(), "@ROOT@");
    insta::assert_snapshot!(name, shown);
}

fn record(folder: &Path, stage: &Stage) {
    let _ = std::fs::remove_dir_all(folder);
    for path in left(&stage.ask.tree, "target") {
        // A folder named target would be left out of the repository by many a configuration.
        let to = folder.join("left").join(path.replace("target/", "@target@/"));
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        let text = std::fs::read_to_string(stage.ask.tree.join(&path)).unwrap();
        std::fs::write(to, masked(stage, &text)).unwrap();
    }
    let steps: Vec<serde_json::Value> = stage
        .outputs
        .iter()
        .map(|step| {
            let StepEnd::Exited(exit) = step.end else { panic!("{:?}", step.end) };
            // Of what Maven tells people only its errors are kept.
            let said = String::from_utf8_lossy(&step.stdout).into_owned();
            let said: Vec<&str> = said.lines().filter(|l| l.starts_with("[ERROR]")).collect();
            let stderr = String::from_utf8_lossy(&step.stderr).into_owned();
            let stderr: Vec<&str> =
                stderr.lines().filter(|l| !l.starts_with("Picked up")).collect();
            serde_json::json!({
                "label": step.label,
                "exit": exit,
                "stdout": masked(stage, &said.join("\n")),
                "stderr": masked(stage, &stderr.join("\n")),
            })
        })
        .collect();
    let text = serde_json::to_string_pretty(&steps).unwrap() + "\n";
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("steps.json"), text).unwrap();
}

/// Without the folders of the recording machine, and without the properties of its Java.
fn masked(stage: &Stage, text: &str) -> String {
    let text = text.replace(&stage.root(), "@ROOT@");
    match (text.find("<properties>"), text.find("</properties>")) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{}", &text[..from], &text[to + "</properties>".len()..])
        }
        _ => text,
    }
}

/// Surefire's reports and the arguments of javac, by their paths.
fn left(folder: &Path, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![String::new()];
    while let Some(at) = todo.pop() {
        for entry in std::fs::read_dir(folder.join(&at)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
            if entry.path().is_dir() {
                todo.push(path);
            } else if kind == "left" || name.starts_with("TEST-") || name.ends_with("arguments") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn outputs(folder: &Path, root: &str) -> Vec<StepOutput> {
    let text = std::fs::read_to_string(folder.join("steps.json")).unwrap();
    let steps: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let bytes = |step: &serde_json::Value, key: &str| {
        step[key].as_str().unwrap().replace("@ROOT@", root).into_bytes()
    };
    steps
        .iter()
        .map(|step| StepOutput {
            label: step["label"].as_str().unwrap().to_owned(),
            end: StepEnd::Exited(i32::try_from(step["exit"].as_i64().unwrap()).unwrap()),
            stdout: bytes(step, "stdout"),
            stderr: bytes(step, "stderr"),
        })
        .collect()
}
