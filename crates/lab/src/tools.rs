//! The programs that tests run with: found once for each test run, always by absolute path.

use crate::suite::installed_beside;
use crate::{Halt, Lab};
use proctor_tools::{Nextest, Runner, Tools};
use proctor_world::child::{End, Launch, Stdin};
use proctor_world::leftovers::TOKEN;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Variables of the user that tests see, where they are set. Everything else stays outside.
const TEST_ENV: [&str; 3] = ["PATH", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"];

/// Variables that the user's own programs see, where they are set.
pub const USER_ENV: [&str; 17] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TERM",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "VIRTUAL_ENV",
];

const PROBE: &str = "import sys, site; print(sys.executable); print(site.getuserbase())";

fn not_found(name: &str) -> Halt {
    let hint = match name {
        "go" => "install Go from https://go.dev/dl, or put go on the PATH",
        "node" => "install Node.js 20 or later, or put node on the PATH",
        "bun" => "`npm install -g bun`, or put bun on the PATH",
        "deno" => "`npm install -g deno`, or put deno on the PATH",
        "mvn" => "install Maven, or put mvn on the PATH",
        _ => "put it on the PATH",
    };
    Halt::lasting(format!("{name} was not found, and the tests need it\nhint: {hint}"))
}

/// A program proper, not a script that looks for one.
fn is_binary(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

impl Lab {
    /// Finds what a runner needs for the tests of a folder; gives the environment that goes with it.
    pub fn find_tools(
        &self,
        runner: &dyn Runner,
        dir: &str,
        given: Option<&str>,
        tools: &mut Tools,
    ) -> Result<BTreeMap<String, String>, Halt> {
        let mut env = self.test_env();
        for program in runner.programs() {
            match *program {
                "python" => self.find_python(dir, given, tools, &mut env)?,
                "cargo" => self.find_cargo(given, tools)?,
                name => {
                    let named = given.filter(|g| g.rsplit('/').next() == Some(name));
                    let path =
                        self.on_path(named.unwrap_or(name)).ok_or_else(|| not_found(name))?;
                    tools.programs.insert(name.to_owned(), path);
                }
            }
        }
        self.find_homes(runner.name(), &mut env);
        Ok(env)
    }

    /// `HOME` is a fresh folder for tests: caches of downloaded dependencies that lie below the user's are named.
    fn find_homes(&self, runner: &str, env: &mut BTreeMap<String, String>) {
        let homes: &[(&str, &str)] = match runner {
            "cargo" => &[("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")],
            "deno" => &[("DENO_DIR", ".cache/deno")],
            "go" => &[("GOPATH", "go"), ("GOMODCACHE", "go/pkg/mod")],
            "maven" => &[
                ("MAVEN_REPO_LOCAL", ".m2/repository"),
                ("MAVEN_USER_HOME", ".m2"),
                ("JAVA_HOME", "no usual place"),
            ],
            _ => &[],
        };
        let home = self.shop.var("HOME").map(PathBuf::from).unwrap_or_default();
        for (name, usual) in homes {
            let path = self.shop.var(name).map_or_else(|| home.join(usual), PathBuf::from);
            if path.is_dir() {
                env.insert((*name).to_owned(), path.to_string_lossy().into_owned());
            }
        }
    }

    /// The environment of a program that is the user's to name: these names, what was asked for, some values of its own,
    /// and the token by which we know our own.
    pub fn environment(
        &self,
        names: &[&str],
        asked_for: &[String],
        own: &BTreeMap<OsString, OsString>,
    ) -> BTreeMap<OsString, OsString> {
        let names = names.iter().copied().chain(asked_for.iter().map(String::as_str));
        let mut env: BTreeMap<OsString, OsString> = names
            .filter_map(|name| Some((OsString::from(name), self.shop.var(name)?.clone())))
            .collect();
        env.extend(own.clone());
        env.insert(TOKEN.into(), self.shop.token(&self.id).into());
        env
    }

    fn test_env(&self) -> BTreeMap<String, String> {
        let passed = &self.setting.setup.env_pass;
        let names = TEST_ENV.iter().copied().chain(passed.iter().map(String::as_str));
        let mut env: BTreeMap<String, String> = names
            .filter_map(|name| Some((name.to_owned(), self.shop.var(name)?.to_str()?.to_owned())))
            .collect();
        env.insert(TOKEN.to_owned(), self.shop.token(&self.id));
        env
    }

    fn find_python(
        &self,
        dir: &str,
        given: Option<&str>,
        tools: &mut Tools,
        env: &mut BTreeMap<String, String>,
    ) -> Result<(), Halt> {
        let root = self.root();
        let sub = root.join(dir);
        let named = given.filter(|name| name.contains("python")).map(|name| self.on_path(name));
        let venvs = [sub.join(".venv"), root.join(".venv"), sub.join("venv"), root.join("venv")];
        let active = self.shop.var("VIRTUAL_ENV").map(PathBuf::from);
        let venv = venvs.into_iter().chain(active).find(|dir| dir.join("bin/python").exists());
        let python = match (named, &venv) {
            (Some(named), _) => named,
            (None, Some(dir)) => Some(dir.join("bin/python")),
            (None, None) => self.on_path("python3").or_else(|| self.on_path("python")),
        };
        let Some(python) = python else {
            return Err(Halt::lasting(
                "no Python was found for pytest\nhint: install python3, or make a virtualenv `.venv` in the repository",
            ));
        };
        let (real, user_base) = self.real_python(&python)?;
        tools.programs.insert("python".to_owned(), if venv.is_some() { python } else { real });
        env.insert("PYTHONUSERBASE".to_owned(), user_base);
        Ok(())
    }

    /// Whether the Python of a folder has pytest, as far as the folders of its packages say; nobody is started for it.
    pub(crate) fn has_pytest(&self, dir: &str) -> Result<bool, Halt> {
        let (mut tools, mut env) = (Tools::default(), BTreeMap::new());
        if !self.setting.setup.run.is_empty() {
            return Ok(true);
        }
        self.find_python(dir, None, &mut tools, &mut env)?;
        let mut folders = installed_beside(&tools.program("python"));
        let own = env.get("PYTHONUSERBASE").map(|base| PathBuf::from(base).join("lib"));
        let own = own.and_then(|lib| std::fs::read_dir(lib).ok());
        folders.extend(
            own.into_iter().flatten().flatten().map(|one| one.path().join("site-packages")),
        );
        Ok(folders.is_empty() || folders.iter().any(|folder| folder.join("pytest").is_dir()))
    }

    /// The program behind a version manager's shim, which needs the user's home that tests do not get; and
    /// where the user's own packages lie. Asked once a run.
    fn real_python(&self, python: &Path) -> Result<(PathBuf, String), Halt> {
        let home = self.shop.var("HOME").map(PathBuf::from).unwrap_or_default();
        let base =
            self.shop.var("PYTHONUSERBASE").map_or_else(|| home.join(".local"), PathBuf::from);
        let known = self.shop.home.run(&self.id).join("python.txt");
        // A program of the checkout is started in the bounds of a test or not at all: a repository may bring its own.
        let own = python.starts_with(&self.setting.repo.root);
        let said = if own || is_binary(python) {
            String::new()
        } else if let Ok(said) = std::fs::read_to_string(&known) {
            said
        } else {
            let said = self.probe(&[python.as_os_str(), "-c".as_ref(), PROBE.as_ref()])?;
            crate::disk::write(&known, said.as_bytes())?;
            said
        };
        let mut lines = said.lines();
        let real = lines.next().map(PathBuf::from).filter(|path| path.is_absolute());
        let base = lines.next().map_or_else(|| base.to_string_lossy().into_owned(), str::to_owned);
        Ok((real.unwrap_or_else(|| python.to_owned()), base))
    }

    fn find_cargo(&self, given: Option<&str>, tools: &mut Tools) -> Result<(), Halt> {
        let cargo = self.on_path(given.filter(|g| g.contains("cargo")).unwrap_or("cargo"));
        let Some(cargo) = cargo else {
            return Err(Halt::lasting(
                "cargo was not found\nhint: install Rust, or put cargo on the PATH",
            ));
        };
        let beside = cargo.with_file_name("cargo-nextest");
        if beside.exists() || self.on_path("cargo-nextest").is_some() {
            tools.nextest = Nextest::Installed;
        }
        tools.programs.insert("cargo".to_owned(), cargo);
        Ok(())
    }

    /// A program on the user's PATH, or the path itself.
    pub fn on_path(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            let path = self.root().join(name);
            return path.is_file().then_some(path);
        }
        let path = self.shop.var("PATH")?;
        std::env::split_paths(path).map(|dir| dir.join(name)).find(|file| file.is_file())
    }

    /// What a short command says, with the user's own environment.
    fn probe(&self, argv: &[&std::ffi::OsStr]) -> Result<String, Halt> {
        let mut env = self.shop.env.clone();
        env.insert(TOKEN.into(), self.shop.token(&self.id).into());
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: self.shop.home.root().to_owned(),
            env,
            stdin: Stdin::Empty,
            limit: Duration::from_secs(20),
            logs: self.shop.home.logs(&self.id, self.no),
            name: "probe".to_owned(),
            // The user's own tool is asked about itself, before anything of a change is run.
            bounds: None,
        };
        let ended = self.keep(&launch)?;
        match ended.how {
            End::Exited(0) => Ok(std::fs::read_to_string(&ended.stdout).unwrap_or_default()),
            End::Cancelled => Err(Halt::Cancelled),
            End::Exited(_) | End::Signalled(_) | End::TimedOut | End::CouldNotStart(_) => {
                Ok(String::new())
            }
        }
    }
}
