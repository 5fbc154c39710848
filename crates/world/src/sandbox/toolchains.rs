//! Where compilers, interpreters and downloaded dependencies lie below a person's home: what a child may read of it. Found
//! from the environment, from their usual places, and from where programs on the search path really are. Looks, and
//! changes nothing. It must not let in a folder that holds more than tools.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::bounds::SYSTEM;

/// Tools with a home of their own: the variable that names it, its usual place, and what of it is read.
const HOMES: [(&str, &str, &[&str]); 35] = [
    ("CARGO_HOME", ".cargo", &["bin", "registry", "git", "config", "config.toml", "env"]),
    ("RUSTUP_HOME", ".rustup", &["."]),
    ("PYENV_ROOT", ".pyenv", &["."]),
    ("PYTHONUSERBASE", ".local", &["bin", "lib", "pipx"]),
    ("UV_PYTHON_INSTALL_DIR", ".local/share/uv", &["."]),
    ("UV_CACHE_DIR", ".cache/uv", &["."]),
    ("PIP_CACHE_DIR", ".cache/pip", &["."]),
    ("PIPX_HOME", ".local/share/pipx", &["."]),
    ("POETRY_CACHE_DIR", ".cache/pypoetry", &["."]),
    ("CONDA_ROOT", "miniconda3", &["."]),
    ("MAMBA_ROOT_PREFIX", "anaconda3", &["."]),
    ("NVM_DIR", ".nvm", &["."]),
    ("VOLTA_HOME", ".volta", &["."]),
    ("FNM_DIR", ".local/share/fnm", &["."]),
    ("ASDF_DATA_DIR", ".asdf", &["."]),
    ("MISE_DATA_DIR", ".local/share/mise", &["."]),
    ("NPM_CONFIG_CACHE", ".npm/_cacache", &["."]),
    ("PNPM_HOME", ".local/share/pnpm", &["."]),
    ("BUN_INSTALL", ".bun", &["bin", "install"]),
    ("DENO_INSTALL_ROOT", ".deno", &["."]),
    ("PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright", &["."]),
    ("PUPPETEER_CACHE_DIR", ".cache/puppeteer", &["."]),
    ("GOPATH", "go", &["bin", "pkg/mod", "pkg/sumdb"]),
    ("GOROOT", "sdk", &["."]),
    ("GOMODCACHE", "go/pkg/mod", &["."]),
    ("JAVA_HOME", ".jdks", &["."]),
    ("SDKMAN_DIR", ".sdkman", &["candidates"]),
    ("MAVEN_REPO_LOCAL", ".m2/repository", &["."]),
    ("MAVEN_USER_HOME", ".m2", &["repository", "wrapper"]),
    ("GRADLE_USER_HOME", ".gradle", &["caches", "wrapper", "jdks"]),
    ("COURSIER_CACHE", ".cache/coursier", &["."]),
    ("RBENV_ROOT", ".rbenv", &["."]),
    ("GEM_HOME", ".gem", &["ruby"]),
    ("DOTNET_ROOT", ".dotnet", &["."]),
    ("NUGET_PACKAGES", ".nuget/packages", &["."]),
];

/// Lists of folders in which programs and libraries are looked for.
const LISTS: [&str; 10] = [
    "CLASSPATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "NODE_PATH",
    "PKG_CONFIG_PATH",
    "PYTHONPATH",
    "RUBYLIB",
    "VIRTUAL_ENV",
];

/// Folders that only an installed tool has beside its programs.
const BESIDE: [&str; 6] = ["lib", "libexec", "share", "include", "pyvenv.cfg", "conda-meta"];

/// Whose tools are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    pub env: &'a BTreeMap<OsString, OsString>,
    /// Folders that are never let in as a whole, nor one that holds them: homes, checkouts, our own store.
    pub guarded: &'a [PathBuf],
}

/// Whether a variable can say where tools lie: all others change nothing in what a seat finds readable.
pub fn names_tools(name: &OsStr) -> bool {
    let homes = HOMES.iter().map(|(name, ..)| *name);
    homes.chain(LISTS).chain(["HOME", "PATH"]).any(|known| name == known)
}

impl Seat<'_> {
    /// Everything that a child may read so that tools work.
    pub fn readable(&self) -> Vec<PathBuf> {
        let mut found = BTreeSet::new();
        let home = self.var("HOME");
        for (name, usual, parts) in HOMES {
            let places = [self.var(name), home.as_ref().map(|home| home.join(usual))];
            for place in places.into_iter().flatten() {
                let whole = parts == ["."];
                if whole && self.is_guarded(&place) {
                    continue;
                }
                found.extend(parts.iter().map(|part| place.join(part)).filter(|p| p.exists()));
            }
        }
        for name in LISTS {
            found.extend(self.named_by(name));
        }
        let path = self.env.get(&OsString::from("PATH"));
        for folder in path.into_iter().flat_map(std::env::split_paths) {
            self.add_programs(&folder, &mut found);
        }
        found.into_iter().map(|path| tidy(&path)).collect()
    }

    /// The files and folders that a variable names, alone or as a list.
    pub fn named_by(&self, name: &str) -> Vec<PathBuf> {
        let mut found = BTreeSet::new();
        let value = self.env.get(&OsString::from(name));
        for path in value.into_iter().flat_map(std::env::split_paths) {
            self.add(&path, &mut found);
        }
        found.into_iter().collect()
    }

    /// What has to be read so that a program can run: itself with the folder it stands in, and whatever its links lead to.
    pub fn program(&self, program: &Path) -> Vec<PathBuf> {
        let mut found = BTreeSet::new();
        let mut next = program.to_owned();
        for _ in 0..20 {
            if is_system(&next) {
                break;
            }
            let folder = next.parent().unwrap_or(&next).to_owned();
            if self.is_guarded(&folder) {
                found.insert(next.clone());
            } else {
                found.insert(folder.clone());
                self.add_prefix(&folder, &mut found);
            }
            let Ok(target) = fs::read_link(&next) else { break };
            next = folder.join(target);
        }
        if let Ok(real) = program.canonicalize()
            && !is_system(&real)
        {
            let folder = real.parent().unwrap_or(&real);
            self.add(if self.is_guarded(folder) { &real } else { folder }, &mut found);
            self.add_prefix(folder, &mut found);
        }
        found.into_iter().collect()
    }

    fn var(&self, name: &str) -> Option<PathBuf> {
        self.env.get(&OsString::from(name)).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Whether a folder holds something that must not be read as a whole.
    fn is_guarded(&self, folder: &Path) -> bool {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let holds = |guarded: &PathBuf| guarded.starts_with(folder) || guarded.starts_with(&real);
        real.parent().is_none() || self.guarded.iter().any(holds)
    }

    fn add(&self, path: &Path, found: &mut BTreeSet<PathBuf>) {
        if path.is_absolute() && path.exists() && !is_system(path) && !self.is_guarded(path) {
            found.insert(path.to_owned());
        }
    }

    /// A folder of the search path, the tool that it belongs to, and what links in it lead to.
    fn add_programs(&self, folder: &Path, found: &mut BTreeSet<PathBuf>) {
        if !folder.is_absolute() || is_system(folder) {
            return;
        }
        self.add(folder, found);
        self.add_prefix(folder, found);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                continue;
            }
            if let Ok(real) = entry.path().canonicalize() {
                let package = real.ancestors().find(|above| above.ends_with("node_modules"));
                let above = package.or(real.parent()).unwrap_or(&real);
                self.add(above, found);
                self.add_prefix(above, found);
            }
        }
    }

    /// The tool that a `bin` folder belongs to.
    fn add_prefix(&self, folder: &Path, found: &mut BTreeSet<PathBuf>) {
        let named = ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name));
        let Some(prefix) = folder.parent().filter(|_| named) else { return };
        let installed = BESIDE.iter().any(|name| prefix.join(name).exists());
        if installed && !prefix.join(".git").exists() {
            self.add(prefix, found);
        }
    }
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

fn tidy(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn at(root: &Path, path: &str) -> PathBuf {
        let path = root.join(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn tools_below_a_home_are_found_and_the_home_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        for path in
            [".cargo/registry", ".rustup", ".ssh", "bin", "tool/bin", "tool/lib", "notes/bin"]
        {
            at(&home, path);
        }
        fs::write(home.join(".cargo/credentials.toml"), "secret").unwrap();
        at(&home, ".local/share/agent/versions");
        fs::write(home.join(".local/share/agent/versions/1"), "").unwrap();
        symlink(home.join(".local/share/agent/versions/1"), home.join("bin/agent")).unwrap();
        let path = ["bin", "tool/bin", "notes/bin"].map(|dir| home.join(dir));
        let env = BTreeMap::from([
            ("HOME".into(), home.clone().into_os_string()),
            ("PATH".into(), std::env::join_paths(path).unwrap()),
        ]);
        let guarded = [home.clone()];
        let found = Seat { env: &env, guarded: &guarded }.readable();
        let below: Vec<String> = found
            .iter()
            .map(|path| path.strip_prefix(&home).unwrap().display().to_string())
            .collect();
        assert_eq!(
            below,
            [
                ".cargo/registry",
                ".local/share/agent/versions",
                ".rustup",
                "bin",
                "notes/bin",
                "tool",
                "tool/bin",
            ]
        );
    }

    #[test]
    fn only_variables_that_name_tools_change_what_is_readable() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let place = at(&root, "tools/bin");
        let with = |name: &str| {
            let env = BTreeMap::from([(OsString::from(name), place.clone().into_os_string())]);
            Seat { env: &env, guarded: &[] }.readable()
        };
        for name in ["PATH", "RUSTUP_HOME", "PYTHONPATH", "NODE_PATH"] {
            assert!(names_tools(OsStr::new(name)) && !with(name).is_empty(), "{name}");
        }
        for name in ["PROCTOR_MUTANT", "TMPDIR", "LANG"] {
            assert!(!names_tools(OsStr::new(name)) && with(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn a_program_brings_its_folder_and_what_its_links_lead_to() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (venv, python) = (at(&root, "repo/.venv/bin"), at(&root, "python/bin"));
        at(&root, "python/lib");
        fs::write(python.join("python3"), "").unwrap();
        fs::write(root.join("repo/.venv/pyvenv.cfg"), "").unwrap();
        fs::write(root.join("repo/agent"), "").unwrap();
        symlink(python.join("python3"), venv.join("python")).unwrap();
        let guarded = [root.join("repo")];
        let seat = Seat { env: &BTreeMap::new(), guarded: &guarded };
        let found = seat.program(&venv.join("python"));
        for path in ["repo/.venv", "python"] {
            assert!(found.contains(&root.join(path)), "{path}: {found:?}");
        }
        assert_eq!(seat.program(&root.join("repo/agent")), [root.join("repo/agent")]);
    }
}
