//! A repository, a coding agent's program and a played model.

use proctor_testkit::{
    Call, ModelServer, Ran, RepoBuilder, Script, TestEnv, coding_agent, missing,
};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

pub const TEST: &str =
    "from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n";

/// A key that can be looked for.
pub const KEY: &str = "played-key-4711-of-no-use";

pub struct Bench {
    pub env: TestEnv,
    pub repo: RepoBuilder,
    pub model: ModelServer,
}

impl Bench {
    /// None where the program is not there. `more` goes into the agent's table.
    pub fn of(kind: &str, script: Script, more: &str) -> Option<Self> {
        let program = coding_agent(program_of(kind))?;
        if missing("pytest") {
            return None;
        }
        // Some programs need many seconds to begin where the machine is busy.
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
            .limit(Duration::from_secs(220))
            .env("ANTHROPIC_API_KEY", "no-real-key")
            .env("OPENAI_API_KEY", "no-real-key")
            .env("GEMINI_API_KEY", "no-real-key");
        let model = ModelServer::start(script, env.home().join("worktrees"));
        let url = model.url();
        let config = format!("default_agent = \"it\"\n{}\n{more}\n", table(kind, &program, &url));
        let repo = RepoBuilder::python_calc();
        repo.file("proctor.toml", &config).commit("settings");
        Some(Self { env, repo, model })
    }

    /// Our own loop, which needs no program. `provider` is one of the configuration's.
    pub fn api(provider: &str, script: Script, more: &str) -> Option<Self> {
        if missing("pytest") {
            return None;
        }
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
            .limit(Duration::from_secs(220))
            .env("ANTHROPIC_API_KEY", KEY)
            .env("OPENAI_API_KEY", KEY);
        let model = ModelServer::start(script, env.home().join("worktrees"));
        let config = format!(
            "default_agent = \"it\"\n[agents.it]\nkind = \"api\"\nprovider = \"{provider}\"\nbase_url = \"{}\"\nmodel = \"played\"\n{more}\n",
            model.url()
        );
        let repo = RepoBuilder::python_calc();
        repo.file("proctor.toml", &config).commit("settings");
        Some(Self { env, repo, model })
    }

    pub fn call(&self) -> Call {
        let words = ["add", "a slugify function", "--id", "slug", "--yes", "--format", "json"];
        self.env.call(self.repo.path()).args(&words)
    }

    pub fn run(&self) -> Ran {
        self.call().run()
    }
}

/// The program behind a name such as `gemini` or `acp_gemini`.
pub fn program_of(kind: &str) -> &str {
    match kind {
        "acp_claude" => "claude-agent-acp",
        "acp_codex" => "codex-acp",
        other => other.strip_prefix("acp_").unwrap_or(other),
    }
}

/// The agent's table, with the played model.
fn table(kind: &str, program: &Path, url: &str) -> String {
    let (over_acp, make) = match kind.strip_prefix("acp_") {
        Some(make) => (true, make),
        None => (false, kind),
    };
    let rest = match make {
        "claude" => format!("base_url = \"{url}\"\nmodel = \"claude-sonnet-4-5\""),
        "codex" => format!("base_url = \"{url}/v1\"\nmodel = \"gpt-5.5\""),
        "gemini" => format!("base_url = \"{url}\"\nmodel = \"gemini-2.5-pro\""),
        "opencode" => format!("base_url = \"{url}/v1\"\nmodel = \"played\""),
        _ => format!("base_url = \"{url}\"\nmodel = \"gpt-4o\"\nprovider = \"openai\""),
    };
    let program = program.display();
    let words = match make {
        "gemini" => ", \"--acp\"",
        "opencode" | "goose" => ", \"acp\"",
        _ => "",
    };
    let start = if over_acp {
        format!("kind = \"acp\"\ncommand = [\"{program}\"{words}]")
    } else {
        format!("kind = \"{kind}\"\nprogram = \"{program}\"")
    };
    format!("[agents.it]\n{start}\n{rest}")
}

/// The whole of calc.py with this in it.
pub fn calc(rest: &str) -> String {
    format!("def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\n{rest}")
}

pub const RIGHT: &str = "def slugify(text):\n    return text.lower().replace(' ', '-')\n";

pub fn prepared() -> Value {
    json!({"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_slug.py", "notes": "one test"})
}

pub fn ready() -> Value {
    json!({"status": "READY_FOR_REVIEW", "fix_description": "slugify", "notes": "done"})
}

/// Tests, code, nothing to tidy, a review that agrees.
pub fn honest() -> Script {
    tests().then(code()).then(closing())
}

pub fn tests() -> Script {
    Script::new().write("tests/test_slug.py", TEST).answer(prepared())
}

pub fn code() -> Script {
    Script::new().write("calc.py", &calc(RIGHT)).answer(ready())
}

pub fn closing() -> Script {
    Script::new()
        .answer(json!({"refactored": false, "notes": "nothing to tidy"}))
        .answer(json!({"status": "SUCCESS", "reason": null, "notes": "reads well"}))
}
