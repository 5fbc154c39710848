//! How an agent is started for one turn: program, folder, environment, files. Nothing is started or written here.

use proctor_core::brief::{AgentKind, AgentSpec};
use proctor_core::turn;
use proctor_core::words::{Phase, RunId, TaskId, TaskType};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One turn that is asked of an agent.
#[derive(Clone, Copy, Debug)]
pub struct TurnAsk<'a> {
    pub run: &'a RunId,
    pub task: &'a TaskId,
    pub kind: TaskType,
    pub phase: Phase,
    /// Counts the turns of this phase in the run, from 1.
    pub attempt: u32,
    /// Counts how often this same turn was asked for usable output, from 1.
    pub ask: u32,
    /// Where the agent works, subfolder included.
    pub worktree: &'a Path,
    /// A folder for this turn's own files, outside the worktree; the agent may write there.
    pub scratch: &'a Path,
    pub prompt: &'a str,
    /// The program `proctor` itself, which plays scenarios.
    pub own_program: &'a Path,
}

/// Everything that the one who starts the child needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchPlan {
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// What the contract with agents promises. The caller adds `PATH`, `HOME` and the like.
    pub env: BTreeMap<OsString, OsString>,
    pub stdin_file: PathBuf,
    /// To be written before the start. The output file is among them, empty, so that the answer of an earlier
    /// ask can't be taken for this one's.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub output_file: PathBuf,
}

/// Plans the launch of an agent for one turn.
pub fn plan(spec: &AgentSpec, ask: &TurnAsk<'_>) -> LaunchPlan {
    let prompt = ask.scratch.join("prompt.md");
    let schema = ask.scratch.join("schema.json");
    let output = ask.scratch.join("output.json");
    let argv = match &spec.kind {
        AgentKind::Command { argv } => argv.iter().map(OsString::from).collect(),
        AgentKind::Script { file } => vec![ask.own_program.into(), "play".into(), file.into()],
    };
    let env = [
        ("PROCTOR_RUN", ask.run.as_str().into()),
        ("PROCTOR_TASK", ask.task.as_str().into()),
        ("PROCTOR_PHASE", ask.phase.name().into()),
        ("PROCTOR_ATTEMPT", ask.attempt.to_string().into()),
        ("PROCTOR_ASK", ask.ask.to_string().into()),
        ("PROCTOR_PROMPT", prompt.clone().into_os_string()),
        ("PROCTOR_SCHEMA", schema.clone().into_os_string()),
        ("PROCTOR_OUTPUT", output.clone().into_os_string()),
    ]
    .into_iter()
    .map(|(name, value)| (OsString::from(name), value))
    .collect();
    let schema_text = format!("{:#}\n", turn::schema(ask.phase, ask.kind));
    LaunchPlan {
        argv,
        cwd: ask.worktree.to_owned(),
        env,
        stdin_file: prompt.clone(),
        files: vec![
            (prompt, ask.prompt.as_bytes().to_vec()),
            (schema, schema_text.into_bytes()),
            (output.clone(), Vec::new()),
        ],
        output_file: output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(kind: AgentKind) -> LaunchPlan {
        let (run, task) = (RunId::new("r1"), TaskId::new("t1"));
        let ask = TurnAsk {
            run: &run,
            task: &task,
            kind: TaskType::BugFix,
            phase: Phase::WriteTests,
            attempt: 2,
            ask: 3,
            worktree: Path::new("/tree/sub"),
            scratch: Path::new("/scratch"),
            prompt: "do it",
            own_program: Path::new("/bin/proctor"),
        };
        let name = "a".to_owned();
        plan(&AgentSpec { name, env: Vec::new(), read: Vec::new(), copy: Vec::new(), kind }, &ask)
    }

    #[test]
    fn a_command_gets_the_whole_contract() {
        let argv = vec!["helper".to_owned(), "-x y".to_owned()];
        let plan = planned(AgentKind::Command { argv });
        assert_eq!(plan.argv, ["helper", "-x y"]);
        assert_eq!(plan.cwd, Path::new("/tree/sub"));
        assert_eq!(plan.stdin_file, Path::new("/scratch/prompt.md"));
        let env: Vec<_> = plan
            .env
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        assert_eq!(
            env,
            [
                "PROCTOR_ASK=3",
                "PROCTOR_ATTEMPT=2",
                "PROCTOR_OUTPUT=/scratch/output.json",
                "PROCTOR_PHASE=write_tests",
                "PROCTOR_PROMPT=/scratch/prompt.md",
                "PROCTOR_RUN=r1",
                "PROCTOR_SCHEMA=/scratch/schema.json",
                "PROCTOR_TASK=t1",
            ]
        );
    }

    #[test]
    fn the_output_file_is_emptied_before_the_start() {
        let plan = planned(AgentKind::Command { argv: Vec::new() });
        assert_eq!(plan.files[0], ("/scratch/prompt.md".into(), b"do it".to_vec()));
        let schema: serde_json::Value = serde_json::from_slice(&plan.files[1].1).unwrap();
        assert_eq!(schema, turn::schema(Phase::WriteTests, TaskType::BugFix));
        assert_eq!(plan.files[2], (plan.output_file, Vec::new()));
    }

    #[test]
    fn a_script_is_played_by_our_own_program() {
        let file = "/x/demo.json".to_owned();
        let plan = planned(AgentKind::Script { file });
        assert_eq!(plan.argv, ["/bin/proctor", "play", "/x/demo.json"]);
    }
}
