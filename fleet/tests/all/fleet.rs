//! A fleet for one test: a service on a port of its own, machines with disks of their own, a person with a checkout, and the
//! remote that all of them know.

use proctor_testkit::{Ran, RepoBuilder, Running, Scenario, TestEnv, missing};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_mins(10);

pub struct Fleet {
    pub repo: RepoBuilder,
    pub remote: PathBuf,
    /// Where the person is.
    pub desk: TestEnv,
    /// Below it stand the remote, the store and the service's file.
    _place: tempfile::TempDir,
    place: PathBuf,
    service: TestEnv,
    running: Option<Running>,
    port: u16,
    temporal: PathBuf,
}

/// A machine of the fleet. Its disk goes with it.
pub struct Machine {
    pub env: TestEnv,
    pub running: Running,
}

/// None where something that a fleet needs is not there; that is said.
pub fn fleet() -> Option<Fleet> {
    if missing("pytest") {
        return None;
    }
    let Some(temporal) = temporal() else {
        assert!(
            std::env::var_os("CI").is_none_or(|value| value != "true"),
            "temporal is not installed, and in CI no test may be skipped\nhint: scripts/setup-fleet installs it"
        );
        eprintln!("skipped: temporal is not installed; scripts/setup-fleet installs it");
        return None;
    };
    let proctor = proctor();
    assert!(proctor.is_file(), "{} is not built: cargo build --bins", proctor.display());
    let repo = RepoBuilder::python_calc();
    let root = tempfile::tempdir().expect("a temporary folder");
    let place = root.path().canonicalize().expect("it has a real path");
    let remote = place.join("remote.git");
    repo.git(&["clone", "--quiet", "--bare", ".", remote.to_str().unwrap()]);
    repo.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let service = TestEnv::new(&temporal).limit(LONG);
    let desk = machine_env(port, &place);
    let mut fleet =
        Fleet { repo, remote, desk, _place: root, place, service, running: None, port, temporal };
    fleet.serve();
    Some(fleet)
}

fn machine_env(port: u16, place: &Path) -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor-fleet"))
        .env("TEMPORAL_ADDRESS", format!("127.0.0.1:{port}"))
        .env("PROCTOR_PROGRAM", proctor())
        .env("PROCTOR_FLEET_STORE", place.join("store"))
        .limit(LONG)
}

fn proctor() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug/proctor");
    std::env::var_os("PROCTOR_PROGRAM").map_or(beside, PathBuf::from)
}

/// `PROCTOR_TEMPORAL`, where `scripts/setup-fleet` puts it, or on the PATH.
fn temporal() -> Option<PathBuf> {
    let named = std::env::var_os("PROCTOR_TEMPORAL").map(PathBuf::from);
    let set_up = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/service/bin/temporal");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|dir| dir.join("temporal"));
    named.into_iter().chain([set_up]).chain(on_path).find(|at| at.is_file())
}

impl Fleet {
    /// Starts the service, or starts it again with what it knew.
    pub fn serve(&mut self) {
        let (db, port) = (self.place.join("service.db"), self.port.to_string());
        let words =
            ["server", "start-dev", "--headless", "--ip", "127.0.0.1", "--log-level", "error"];
        let call = self.service.call(&self.place).args(&words).args(&["--port", &port]);
        self.running = Some(call.arg("--db-filename").arg(db).limit(LONG).spawn());
        let until = Instant::now() + Duration::from_secs(90);
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "the service {} is not up", self.temporal.display());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub fn kill_service(&mut self) {
        self.running.take().expect("it runs").kill9();
    }

    /// A machine with a disk of its own.
    pub fn machine(&self, name: &str, words: &[&str]) -> Machine {
        self.machine_with(name, words, &[])
    }

    pub fn machine_with(&self, name: &str, words: &[&str], vars: &[(&str, &str)]) -> Machine {
        let env = machine_env(self.port, &self.place);
        let mut call =
            env.call(&self.place).args(&["worker", "--name", name]).args(words).limit(LONG);
        for (key, value) in vars {
            call = call.env(key, value);
        }
        let running = call.spawn();
        Machine { env, running }
    }

    /// Another person with a home of their own.
    pub fn somebody_else(&self) -> TestEnv {
        machine_env(self.port, &self.place)
    }

    /// Gives a task to the fleet, in the person's checkout.
    pub fn submit(&self, scenario: &Scenario, words: &[&str]) -> String {
        let ran = self.try_submit(scenario, words);
        assert_eq!(ran.code, 0, "{ran}");
        ran.stdout.trim().to_owned()
    }

    pub fn try_submit(&self, scenario: &Scenario, words: &[&str]) -> Ran {
        let call = self.desk.call(self.repo.path()).mock(scenario);
        call.args(&["submit", "--silence", "5", "fix", "slugify is missing", "--target", "slugify"])
            .args(words)
            .run()
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        self.desk.proctor(self.repo.path(), words)
    }

    /// What the person is shown of a run.
    pub fn shown(&self, run: &str) -> Value {
        let ran = self.run(&["show", run, "--format", "json"]);
        serde_json::from_str(ran.stdout.lines().last().unwrap_or("null")).unwrap_or(Value::Null)
    }

    /// Waits until the run has this status.
    pub fn wait_for(&self, run: &str, status: &str) {
        self.wait(run, &|shown| shown["status"] == status, status);
    }

    pub fn wait(&self, run: &str, is: &dyn Fn(&Value) -> bool, what: &str) {
        let until = Instant::now() + LONG / 2;
        loop {
            let shown = self.shown(run);
            if is(&shown) {
                return;
            }
            let ended = ["AGENT_ERROR", "BLOCKED", "FAILED", "DISCARDED", "MAX_ATTEMPTS_REACHED"];
            assert!(
                !ended.iter().any(|end| shown["status"] == *end),
                "{run} is not {what}: {shown:#}"
            );
            assert!(Instant::now() < until, "{run} is not {what}: {shown:#}");
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    pub fn git(&self, args: &[&str]) -> String {
        let remote = self.remote.to_str().unwrap();
        self.repo.git(&[&["--git-dir", remote], args].concat())
    }

    /// One landing, and nothing but what was proven.
    pub fn landed_once(&self, run: &str) {
        assert_eq!(
            self.git(&["rev-list", "--count", "main"]).trim(),
            "2",
            "one commit more than before"
        );
        assert_eq!(self.git(&["show", "main:calc.py"]).trim(), RIGHT.trim());
        assert_eq!(self.git(&["show", "main:tests/test_slug.py"]).trim(), TEST.trim());
        let said = self.git(&["log", "-1", "--format=%B", "main"]);
        assert!(said.contains(run), "the landed commit names its run: {said}");
    }

    /// How often an agent's turn was carried out and counted, as the history has it.
    pub fn turns(&self, run: &str) -> usize {
        let log = self.run(&["log", run, "--format", "json"]);
        log.stdout.lines().filter(|line| line.contains("\"event\":\"turned\"")).count()
    }
}

const TEST: &str = "from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n\n\ndef test_another_slug():\n    assert slugify('C D e') == 'c-d-e'\n";
const RIGHT: &str = "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\ndef slugify(text):\n    return text.lower().replace(' ', '-')\n";

/// A run whose coder takes so long.
pub fn scenario(coder_ms: u64) -> Scenario {
    let ready = json!({"status": "READY_FOR_REVIEW", "fix_description": "Implemented.", "notes": "Code written."});
    Scenario::new()
        .tests(1, &[("tests/test_slug.py", TEST)])
        .turn(json!({"phase": "implement", "attempt": 1, "sleep_ms": coder_ms, "write": {"calc.py": RIGHT}, "output": ready}))
        .refactor_nothing()
        .review_ok()
}
