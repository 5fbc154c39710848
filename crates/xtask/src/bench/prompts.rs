//! `cargo xtask bench prompts`: what the agents of three clean runs are told, in tokens, and what the runs cost beside it. The same
//! three tasks each time, in libraries whose tests are long already, played by a script; several builds of Proctor can be
//! compared. It must not judge.

use anyhow::{Context, Result, bail};
use proctor_core::tokens::count_tokens;
use proctor_testkit::RepoBuilder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// How many tests a library has already.
const OLD_TESTS: usize = 150;

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    proctors: Vec<PathBuf>,
    json: bool,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--json" => wish.json = true,
                "--proctor" => {
                    let file = words.next().ok_or("a value is missing after `--proctor`")?;
                    wish.proctors.push(file.into());
                }
                other => return Err(format!("bench prompts knows no `{other}`")),
            }
        }
        Ok(wish)
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let beside = own.with_file_name("proctor");
    let proctors = if wish.proctors.is_empty() { vec![beside] } else { wish.proctors.clone() };
    let mut out = std::io::stdout().lock();
    let mut sums = Vec::new();
    for proctor in &proctors {
        let proctor = proctor.canonicalize().with_context(|| {
            format!("{} is not there; build it, or name one with --proctor", proctor.display())
        })?;
        let mut all = Figures::default();
        for task in [Task::Python, Task::Rust, Task::Go] {
            if !task.is_possible() {
                writeln!(out, "{:<10} skipped: its tools are not here", task.name())?;
                continue;
            }
            let figures = task.run(&proctor)?;
            if wish.json {
                writeln!(out, "{}", figures.json(task.name(), &proctor))?;
            } else {
                writeln!(out, "{:<10} {figures}", task.name())?;
            }
            all.add(&figures);
        }
        if wish.json {
            writeln!(out, "{}", all.json("all", &proctor))?;
        } else {
            writeln!(out, "{:<10} {all}  ({})", "all", proctor.display())?;
        }
        sums.push(all.tokens);
    }
    if let (Some(first), Some(last), false) = (sums.first(), sums.last(), wish.json)
        && sums.len() > 1
    {
        let share = 100 * last / (*first).max(1);
        writeln!(out, "the last has {share} % of the tokens of the first")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What one run, or several, came to.
#[derive(Debug, Default)]
struct Figures {
    prompts: u64,
    tokens: u64,
    /// Prompts that were answered with something of use.
    turns: u64,
    /// All but the agents' turns.
    own_ms: u64,
    children: u64,
    /// Of these those that ran tests.
    test_runs: u64,
}

impl Figures {
    fn add(&mut self, more: &Self) {
        self.prompts += more.prompts;
        self.tokens += more.tokens;
        self.turns += more.turns;
        self.test_runs += more.test_runs;
        self.own_ms += more.own_ms;
        self.children += more.children;
    }

    fn json(&self, task: &str, proctor: &Path) -> Value {
        json!({
            "task": task, "proctor": proctor, "prompts": self.prompts, "tokens": self.tokens,
            "turns": self.turns, "own_ms": self.own_ms, "children": self.children,
            "test_runs": self.test_runs,
        })
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:>2} prompts  {:>2} turns  {:>6} tokens  {:>6.1} s of Proctor's own  {:>4} children  {:>4} test runs",
            self.prompts,
            self.turns,
            self.tokens,
            std::time::Duration::from_millis(self.own_ms).as_secs_f64(),
            self.children,
            self.test_runs
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Python,
    Rust,
    Go,
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Rust => "rust",
            Self::Go => "go",
        }
    }

    fn is_possible(self) -> bool {
        let (program, word) = match self {
            Self::Python => ("pytest", "--version"),
            Self::Rust => ("cargo", "--version"),
            Self::Go => ("go", "version"),
        };
        let call =
            Command::new(program).arg(word).stdout(Stdio::null()).stderr(Stdio::null()).status();
        call.is_ok_and(|status| status.success())
    }

    /// The files of the library: code, tests.
    fn files(self) -> Vec<(&'static str, String)> {
        let many = |one: &dyn Fn(usize) -> String| (0..OLD_TESTS).map(one).collect::<String>();
        match self {
            Self::Python => vec![
                ("words.py", "def count(text):\n    return len(text.split(' '))\n".to_owned()),
                ("tests/test_words.py", format!(
                    "from words import count\n{}",
                    many(&|n| format!("\n\ndef test_{n}_words_are_counted():\n    text = ' '.join(['word'] * {})\n    assert count(text) == {}\n", n + 1, n + 1))
                )),
            ],
            Self::Rust => vec![
                ("Cargo.toml", "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2021\"\n".to_owned()),
                ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"words\"\nversion = \"0.1.0\"\n".to_owned()),
                ("src/lib.rs", format!(
                    "pub fn count(text: &str) -> usize {{\n    text.split(' ').count()\n}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n{}}}\n",
                    many(&|n| format!("\n    #[test]\n    fn words_are_counted_{n}() {{\n        assert_eq!(count(&vec![\"word\"; {}].join(\" \")), {});\n    }}\n", n + 1, n + 1))
                )),
            ],
            Self::Go => vec![
                ("go.mod", "module words\n\ngo 1.20\n".to_owned()),
                ("words.go", "package words\n\nimport \"strings\"\n\nfunc Count(text string) int { return len(strings.Split(text, \" \")) }\n".to_owned()),
                ("words_test.go", format!(
                    "package words\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n{}",
                    many(&|n| format!("\nfunc TestCounts{n}(t *testing.T) {{\n\ttext := strings.TrimSpace(strings.Repeat(\"word \", {}))\n\tif got := Count(text); got != {} {{\n\t\tt.Errorf(\"got %d\", got)\n\t}}\n}}\n", n + 1, n + 1))
                )),
            ],
        }
    }

    /// The file with its new test, and the code that is right.
    fn work(self) -> [(&'static str, String); 2] {
        let files = self.files();
        let text = |path: &str| {
            files.iter().find(|(p, _)| *p == path).map(|(_, t)| t.clone()).unwrap_or_default()
        };
        match self {
            Self::Python => [
                ("tests/test_words.py", format!("{}\n\ndef test_two_spaces_part_two_words():\n    assert count('a  b') == 2\n    assert count(' x') == 1\n", text("tests/test_words.py"))),
                ("words.py", "def count(text):\n    return len(text.split())\n".to_owned()),
            ],
            Self::Rust => {
                let lib = text("src/lib.rs");
                let tests = format!("{}\n    #[test]\n    fn two_spaces_part_two_words() {{\n        assert_eq!(count(\"a  b\"), 2);\n        assert_eq!(count(\" x\"), 1);\n    }}\n}}\n", lib.trim_end().trim_end_matches('}'));
                let code = tests.replace("text.split(' ').count()", "text.split_whitespace().count()");
                [("src/lib.rs", tests), ("src/lib.rs", code)]
            }
            Self::Go => [
                ("words_test.go", format!("{}\nfunc TestTwoSpaces(t *testing.T) {{\n\tif got := Count(\"a  b\"); got != 2 {{\n\t\tt.Errorf(\"got %d\", got)\n\t}}\n}}\n", text("words_test.go"))),
                ("words.go", "package words\n\nimport \"strings\"\n\nfunc Count(text string) int { return len(strings.Fields(text)) }\n".to_owned()),
            ],
        }
    }

    fn run(self, proctor: &Path) -> Result<Figures> {
        let folder = tempfile::tempdir().context("no folder for a run")?;
        let repo = RepoBuilder::new();
        for (path, text) in self.files() {
            repo.file(path, &text);
        }
        repo.commit("a library");
        let [(test, tests), (code, right)] = self.work();
        let scenario = json!({"turns": [
            {"phase": "write_tests", "write": {test: tests}, "output":
                {"status": "PREPARED_FOR_FIX", "test_file_path": test, "notes": "one test"}},
            {"phase": "implement", "write": {code: right}, "output":
                {"status": "READY_FOR_REVIEW", "fix_description": "splits at white space", "notes": ""}},
            {"phase": "refactor", "output": {"refactored": false, "notes": "nothing to tidy"}},
            {"phase": "review", "output": {"status": "SUCCESS", "reason": null, "notes": "fine"}},
        ]});
        let script = folder.path().join("scenario.json");
        std::fs::write(&script, scenario.to_string())
            .context("the scenario could not be written")?;
        let home = folder.path().join("home");
        let ran = Command::new(proctor)
            .args(["fix", "two spaces in a row count as a word", "--yes", "--format", "json"])
            .current_dir(repo.path())
            .env("PROCTOR_HOME", &home)
            .env("PROCTOR_MOCK", &script)
            .env("PROCTOR_CONFIG", "/dev/null")
            .stdin(Stdio::null())
            .output()
            .context("proctor could not be started")?;
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        let events: Vec<Value> =
            said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let last = events.last().cloned().unwrap_or_default();
        if last["status"] != "SUCCESS" {
            bail!(
                "the {} task ended with {last}\n{}",
                self.name(),
                String::from_utf8_lossy(&ran.stderr)
            );
        }
        let run = last["run"].as_str().context("a run has a name")?;
        Ok(figures(&events, &home.join("runs").join(run)))
    }
}

/// Whether a command that was recorded runs tests, whatever it runs them with.
fn runs_tests(line: &str) -> bool {
    let record: Value = serde_json::from_str(line).unwrap_or_default();
    let words = record["argv"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut words = words.map(|word| word.rsplit('/').next().unwrap_or(word));
    words.any(|word| ["pytest", "nextest", "test"].contains(&word))
}

fn figures(events: &[Value], folder: &Path) -> Figures {
    let mut figures = Figures::default();
    let named = |name: &'static str| events.iter().filter(move |event| event["event"] == name);
    figures.turns = u64::try_from(named("turned").count()).unwrap_or_default();
    for began in named("effect-began") {
        let no = began["no"].as_u64().unwrap_or_default();
        if began["effect"]["effect"] == "ask" {
            let path = folder.join(format!("turns/{no:04}/prompt.md"));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            figures.prompts += 1;
            figures.tokens += count_tokens(&text);
            continue;
        }
        let commands = folder.join(format!("logs/{no:04}/commands.jsonl"));
        let lines = std::fs::read_to_string(commands).unwrap_or_default();
        figures.children += u64::try_from(lines.lines().count()).unwrap_or_default();
        let tests = lines.lines().filter(|line| runs_tests(line)).count();
        figures.test_runs += u64::try_from(tests).unwrap_or_default();
        let ended = named("effect-ended").find(|ended| ended["no"] == no);
        figures.own_ms += ended.and_then(|ended| ended["took_ms"].as_u64()).unwrap_or_default();
    }
    figures
}
