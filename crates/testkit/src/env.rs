//! The surroundings of one test: a `PROCTOR_HOME` and a user's home of its own, both gone with the value.
//! It must not let anything of the real user through except `PATH` and the place of the Rust toolchain.

use crate::call::Call;
use crate::processes::{kill_one, processes_with_token};
use crate::running::Ran;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// How long one call of the binary may take before the test fails.
const LIMIT: Duration = Duration::from_mins(2);

#[derive(Debug)]
pub struct TestEnv {
    /// Held for its `Drop` and as the place of scratch files.
    root: TempDir,
    binary: PathBuf,
    home: PathBuf,
    user_home: PathBuf,
    env: Vec<(OsString, OsString)>,
    limit: Duration,
    calls: AtomicU32,
}

/// The user's own settings, below their home.
const SETTINGS: &str = ".config/proctor/proctor.toml";
/// Most tests are about other things than the trials of the green gate and linters, which would cost them many runs.
const QUICK: &str = "[gates]\nprobe = \"off\"\n[audit]\nlinters = \"off\"\n";

impl TestEnv {
    /// `binary` is `env!("CARGO_BIN_EXE_proctor")` of the calling test.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let root = tempfile::Builder::new()
            .prefix("proctor-test-")
            .tempdir()
            .expect("a temporary folder for the test");
        let base = root.path().canonicalize().expect("the temporary folder has a real path");
        let (home, user_home) = (base.join("proctor-home"), base.join("user"));
        for folder in [&home, &user_home, &base.join("scratch")] {
            std::fs::create_dir(folder).expect("a folder inside the temporary folder");
        }
        let settings = user_home.join(SETTINGS);
        std::fs::create_dir_all(settings.parent().expect("it lies in a folder"))
            .and_then(|()| std::fs::write(&settings, QUICK))
            .expect("the user's own settings");
        let mut env = base_env();
        env.push(("HOME".into(), user_home.clone().into()));
        env.push(("PROCTOR_HOME".into(), home.clone().into()));
        Self {
            root,
            binary: binary.into(),
            home,
            user_home,
            env,
            limit: LIMIT,
            calls: AtomicU32::new(0),
        }
    }

    /// Sets a variable for every call from here on; the last value of a name wins.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().into(), value.as_ref().into()));
        self
    }

    /// From here on the green gate makes every trial that it makes for a person.
    #[must_use]
    pub fn probing(self) -> Self {
        std::fs::remove_file(self.user_home.join(SETTINGS)).expect("the user's own settings");
        self
    }

    /// Sets the hard time limit of every call from here on.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The folder that `PROCTOR_HOME` names.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder that `HOME` names.
    pub fn user_home(&self) -> &Path {
        &self.user_home
    }

    /// The variables that every call gets.
    pub fn vars(&self) -> &[(OsString, OsString)] {
        &self.env
    }

    /// A call of the binary with `folder` as its working folder, to be filled in and then run or spawned.
    pub fn call(&self, folder: impl AsRef<Path>) -> Call {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let scratch = self.root.path().join("scratch").join(number.to_string());
        std::fs::create_dir(&scratch).expect("a scratch folder for the call");
        Call::new(
            self.binary.clone(),
            folder.as_ref().to_owned(),
            scratch,
            self.home.clone(),
            self.env.clone(),
            self.limit,
        )
    }

    /// Runs the binary to its end, without input.
    pub fn proctor(&self, folder: impl AsRef<Path>, args: &[&str]) -> Ran {
        self.call(folder).args(args).run()
    }
}

impl Drop for TestEnv {
    fn drop(&mut self) {
        // A test that failed half-way may have left children; the name of the home is theirs alone.
        for process in processes_with_token(&self.home) {
            kill_one(process.pid);
        }
    }
}

/// What the tools need to be found at all: the search path and the Rust toolchain, whose default places hang
/// off the real home.
pub(crate) fn base_env() -> Vec<(OsString, OsString)> {
    let mut env = Vec::new();
    if let Some(path) = std::env::var_os("PATH") {
        env.push(("PATH".into(), path));
    }
    let real_home = std::env::var_os("HOME").map(PathBuf::from);
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let derived = real_home
            .as_ref()
            .map(|home| home.join(folder))
            .filter(|path| path.is_dir())
            .map(PathBuf::into_os_string);
        if let Some(value) = std::env::var_os(name).or(derived) {
            env.push((name.into(), value));
        }
    }
    env
}
