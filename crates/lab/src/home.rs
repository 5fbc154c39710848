//! Where everything that Proctor keeps lies: the one place that knows the layout of `PROCTOR_HOME`.

use proctor_core::words::RunId;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    /// Where what may be carried from one machine to the next is kept, if not here.
    cache: Option<PathBuf>,
}

impl Home {
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), cache: None }
    }

    /// The same with another place for results and build products that are known by what they are made of.
    #[must_use]
    pub fn with_cache(&self, cache: impl Into<PathBuf>) -> Self {
        Self { cache: Some(cache.into()), ..self.clone() }
    }

    pub fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// What holds whatever is known by what it is made of.
    pub fn kept_root(&self) -> &Path {
        self.cache.as_deref().unwrap_or(&self.root)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Evidence, logs and `.process/` of a run.
    pub fn run(&self, run: &RunId) -> PathBuf {
        self.root.join("runs").join(run.as_str())
    }

    /// That a fleet works on a run, and where its history is.
    pub fn afar(&self, run: &RunId) -> PathBuf {
        self.run(run).join("afar.json")
    }

    /// The notes of the process that people and orchestrators read.
    pub fn process(&self, run: &RunId) -> PathBuf {
        self.run(run).join(".process")
    }

    /// What every child of one effect printed.
    pub fn logs(&self, run: &RunId, effect: u32) -> PathBuf {
        self.run(run).join("logs").join(format!("{effect:04}"))
    }

    /// The agent's folder.
    pub fn worktree(&self, run: &RunId) -> PathBuf {
        self.root.join("worktrees").join(run.as_str())
    }

    /// Where the homes of an agent's own program are in a run: its sessions, its settings, what it keeps for itself.
    /// What was installed for the agents' worktree of a run.
    pub fn room(&self, run: &RunId) -> PathBuf {
        self.run(run).join("room")
    }

    pub fn agent(&self, run: &RunId, agent: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        self.run(run).join("agents").join(agent.chars().map(plain).collect::<String>())
    }

    /// Throw-away trees in which gates judge, and what their tests may write.
    pub fn gate(&self, run: &RunId) -> PathBuf {
        self.root.join("gates").join(run.as_str())
    }

    /// That an account met a usage limit, and until when.
    pub fn hold(&self, account: &str) -> PathBuf {
        self.root.join("holds").join(format!("{account}.json"))
    }

    /// The notebook of a repository as files: what the journal holds, for people and other programs.
    pub fn hunt(&self, name: &str) -> PathBuf {
        self.root.join("hunts").join(name)
    }

    /// What is kept of a checkout with a guarded task.
    pub fn guard(&self, name: &str) -> PathBuf {
        self.root.join("guards").join(name)
    }

    /// Locks on the places of the machine that all processes of this home share.
    pub fn slots(&self, kind: &str) -> PathBuf {
        self.root.join("slots").join(kind)
    }

    /// What was answered about two trees, by all that the answer depends on.
    pub fn verdict(&self, key: &str) -> PathBuf {
        self.kept_root().join("verdicts").join(format!("{key}.json"))
    }

    /// Mutants of a repository that a person let pass.
    pub fn settled(&self, key: &str) -> PathBuf {
        self.root.join("settled").join(format!("{key}.json"))
    }

    /// What trials of branches showed, each by all that it depends on.
    pub fn trials(&self) -> PathBuf {
        self.kept_root().join("trials")
    }

    /// What the suite showed on a tree of the user's, by tree and surroundings.
    pub fn baseline(&self, key: &str) -> PathBuf {
        self.kept_root().join("baselines").join(format!("{key}.json"))
    }
}
