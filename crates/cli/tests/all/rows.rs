//! A desk at which the real binary sits an exam: a small repository, a home of its own, and what a test asks of the
//! events that came out. The rows of the contract are in the files beside this one.

use proctor_testkit::{Call, Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Flags of a run that is about something else than refactoring and approval.
pub const QUICK: &[&str] = &["--yes", "--no-refactor"];

/// One run of the tests a gate: for rows that say nothing about repetition.
pub const ONCE: &str = "[gates]\nrepeats = 1\n";

pub const CALC: &str = "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n";

/// A test of a function that is not there yet, and the code that passes it.
pub const SUB_TEST: &str = "from calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 4\n";

pub fn with_sub(body: &str) -> String {
    format!("{CALC}\n\ndef sub(a, b):\n    {body}\n")
}

/// Tests and code that are right, and a reviewer who agrees.
pub fn honest() -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .refactor_nothing()
        .review_ok()
}

/// A tester's turn that writes and deletes.
pub fn tester(attempt: u32, write: &Value, delete: &[&str]) -> Value {
    json!({
        "phase": "write_tests", "attempt": attempt, "write": write, "delete": delete,
        "output": {"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_new.py", "notes": "tests"},
    })
}

/// A coder's turn that writes and deletes.
pub fn coder(attempt: u32, write: &Value, delete: &[&str]) -> Value {
    json!({
        "phase": "implement", "attempt": attempt, "write": write, "delete": delete,
        "output": {"status": "READY_FOR_REVIEW", "fix_description": "done", "notes": "code"},
    })
}

pub struct Desk {
    pub env: TestEnv,
    pub repo: RepoBuilder,
}

impl Desk {
    /// A Python project whose base commit holds this proctor.toml. None where pytest is not installed.
    pub fn with(config: &str) -> Option<Self> {
        let repo = RepoBuilder::python_calc();
        if !config.is_empty() {
            repo.file("proctor.toml", config).commit("proctor.toml");
        }
        Self::over(repo)
    }

    pub fn over(repo: RepoBuilder) -> Option<Self> {
        if missing("pytest") {
            return None;
        }
        Some(Self { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")), repo })
    }

    pub fn call(&self, args: &[&str]) -> Call {
        self.env.call(self.repo.path()).args(args)
    }

    /// A command with the JSON face, with this scenario in the place of every agent.
    pub fn played(&self, scenario: &Scenario, args: &[&[&str]]) -> Story {
        let call = self.call(&args.concat()).args(&["--format", "json"]);
        self.told(call.mock(scenario).run())
    }

    /// A command with the JSON face.
    pub fn json(&self, args: &[&str]) -> Story {
        self.told(self.call(args).args(&["--format", "json"]).run())
    }

    pub fn told(&self, ran: Ran) -> Story {
        let home = self.env.home().to_owned();
        Story { ran, home }
    }

    /// A program of the test's own that plays the agent; gives the words for `--agent-cmd`.
    pub fn agent(&self, source: &str) -> String {
        let folder = self.env.user_home().join("agent");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("agent.py");
        std::fs::write(&path, source).unwrap();
        format!("python3 {}", path.display())
    }

    /// The checkout is as it was: nothing but refs that the user asked for may ever be written there.
    #[track_caller]
    pub fn untouched(&self, head: &str) {
        assert_eq!(self.repo.head(), head);
        assert_eq!(self.repo.git(&["status", "--porcelain"]), "");
        assert_eq!(self.repo.git(&["branch", "--format=%(refname:short)"]), "main");
    }
}

/// What a command told.
pub struct Story {
    pub ran: Ran,
    home: PathBuf,
}

impl Story {
    /// The end of the run: its status, in the last line and as the exit code.
    #[track_caller]
    pub fn ends(self, status: &str, code: i32) -> Self {
        let end = self.ran.finished();
        assert!(
            end["status"] == status && end["exit_code"] == code && self.ran.code == code,
            "wanted {status} and {code}:\n{}",
            self.ran
        );
        self
    }

    #[track_caller]
    pub fn run(&self) -> String {
        self.ran.finished()["run"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn reason(&self) -> String {
        self.ran.finished()["reason"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn named(&self, event: &str) -> Vec<Value> {
        self.ran.events_named(event)
    }

    #[track_caller]
    pub fn has(&self, event: &str) -> bool {
        !self.named(event).is_empty()
    }

    /// The faults of each refusal of a gate: `red-refused` or `green-refused`.
    #[track_caller]
    pub fn faults(&self, event: &str) -> Vec<String> {
        let words = |event: &Value| {
            let faults = event["faults"].as_array().unwrap().iter();
            faults
                .map(|fault| fault["fault"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
                .join("+")
        };
        self.named(event).iter().map(words).collect()
    }

    /// The turns that were asked for: phase, attempt, ask.
    #[track_caller]
    pub fn asked(&self) -> Vec<String> {
        self.asks().iter().map(|(_, label)| label.clone()).collect()
    }

    fn asks(&self) -> Vec<(u64, String)> {
        let asks = |event: &Value| {
            let effect = &event["effect"];
            let phase = effect["phase"].as_str()?;
            Some((
                event["no"].as_u64()?,
                format!("{phase} {}.{}", effect["attempt"], effect["ask"]),
            ))
        };
        self.named("effect-began").iter().filter_map(asks).collect()
    }

    /// The turns that could be used, of one phase.
    #[track_caller]
    pub fn turns(&self, phase: &str) -> Vec<Value> {
        let turns = self.named("turned").into_iter().map(|event| event["turn"].clone());
        turns.filter(|turn| turn["phase"] == phase).collect()
    }

    /// The prompt of a turn, named like `implement 2.1` (attempt, ask).
    #[track_caller]
    pub fn prompt(&self, label: &str) -> String {
        let asks = self.asks();
        let found = asks.iter().find(|(_, asked)| asked == label);
        let Some((no, _)) = found else { panic!("{label} was never asked: {asks:?}") };
        let path = self.home.join("runs").join(self.run()).join(format!("turns/{no:04}/prompt.md"));
        std::fs::read_to_string(path).unwrap()
    }

    pub fn worktree(&self) -> PathBuf {
        self.home.join("worktrees").join(self.run())
    }

    pub fn folder(&self) -> PathBuf {
        self.home.join("runs").join(self.run())
    }
}
