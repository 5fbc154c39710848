//! Where this process finds itself: folder, environment, `PROCTOR_HOME`, our own program. Looks, and changes
//! nothing.

use crate::told::{UNFIT, told, usage};
use anyhow::{Context, Result};
use etcetera::base_strategy::{BaseStrategy, choose_base_strategy};
use proctor_engine::{Home, Shop, Signals};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub struct Surroundings {
    /// Where the user is, or said to be with `-C`. Absolute.
    pub cwd: PathBuf,
    pub env: BTreeMap<OsString, OsString>,
    pub home: Home,
}

impl Surroundings {
    pub fn look(folder: Option<&Path>) -> Result<Self> {
        let here = std::env::current_dir()
            .context("the current folder can't be used\nhint: go to a folder that exists")?;
        let cwd = match folder {
            Some(folder) => {
                let folder = here.join(folder);
                folder.canonicalize().map_err(|why| {
                    usage(format!(
                        "-C {}: {why}\nhint: name a folder that exists",
                        folder.display()
                    ))
                })?
            }
            None => here,
        };
        let mut env: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        if let Ok(program) = own_program() {
            leave_out_own_environment(&mut env, &program);
        }
        let home = Home::at(home_folder(&env, &cwd)?);
        Ok(Self { cwd, env, home })
    }

    pub fn var(&self, name: &str) -> Option<&OsString> {
        self.env.get(&OsString::from(name)).filter(|value| !value.is_empty())
    }

    /// What the engine needs to drive runs. From here on ctrl-c is an orderly stop.
    pub fn shop(&self) -> Result<Shop> {
        let signals = Signals::listen().map_err(|why| told(UNFIT, format!("no signals: {why}")))?;
        Ok(Shop {
            home: self.home.clone(),
            own_program: own_program()?,
            env: self.env.clone(),
            signals,
            sandbox: crate::config::sandbox::wish(self)?,
        })
    }

    /// The user's own settings file: `PROCTOR_CONFIG`, else in the platform's config folder.
    pub fn user_config(&self) -> Option<PathBuf> {
        match self.var("PROCTOR_CONFIG") {
            Some(file) => Some(self.cwd.join(file)),
            None => choose_base_strategy()
                .ok()
                .map(|base| base.config_dir().join("proctor").join("proctor.toml")),
        }
    }

    /// A program by its name, from `PATH`; by a path, seen from `from`.
    pub fn program(&self, name: &str, from: &Path) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(from.join(name)).filter(|path| is_program(path));
        }
        let path = self.var("PATH")?;
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| is_program(path))
    }
}

pub fn own_program() -> Result<PathBuf> {
    std::env::current_exe().context("Proctor can't find its own program")
}

/// `uvx` puts an environment that it made for Proctor alone before all others on the PATH; the project's Python stands behind it.
/// One that is active, or has a pytest, is the user's.
fn leave_out_own_environment(env: &mut BTreeMap<OsString, OsString>, program: &Path) {
    let Some((bin, own)) = program.parent().and_then(|bin| Some((bin, bin.parent()?))) else {
        return;
    };
    let is_active =
        env.get(&OsString::from("VIRTUAL_ENV")).is_some_and(|active| Path::new(active) == own);
    if is_active || !own.join("pyvenv.cfg").is_file() || has_pytest(own) {
        return;
    }
    if let Some(path) = env.get_mut(&OsString::from("PATH")) {
        let rest: Vec<PathBuf> =
            std::env::split_paths(path).filter(|folder| folder != bin).collect();
        if let Ok(rest) = std::env::join_paths(rest) {
            *path = rest;
        }
    }
}

fn has_pytest(environment: &Path) -> bool {
    let versions = environment.join("lib").read_dir().into_iter().flatten().flatten();
    versions
        .map(|version| version.path().join("site-packages/pytest"))
        .any(|pytest| pytest.is_dir())
}

fn home_folder(env: &BTreeMap<OsString, OsString>, cwd: &Path) -> Result<PathBuf> {
    let named = env.get(&OsString::from("PROCTOR_HOME")).filter(|v| !v.is_empty());
    match named {
        Some(folder) => Ok(settled(&cwd.join(folder))),
        None => choose_base_strategy()
            .map(|base| base.data_dir().join("proctor"))
            .map_err(|why| {
                told(
                    UNFIT,
                    format!("there is no place for Proctor's own files: {why}\nhint: set PROCTOR_HOME to a folder"),
                )
            }),
    }
}

/// The same place without links and `..`, as far as it exists: two spellings of one home are one home, and tools that
/// compare paths are not led astray.
fn settled(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|above| {
            let rest = path.strip_prefix(above).ok()?;
            above.canonicalize().ok().map(|real| real.join(rest))
        })
        .unwrap_or_else(|| path.to_owned())
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of the PATH for a Proctor in this environment.
    fn path_left(environment: &Path, active: Option<&Path>) -> String {
        let bin = environment.join("bin");
        let path = format!("{}:/usr/bin", bin.display());
        let mut env = BTreeMap::from([(OsString::from("PATH"), OsString::from(path))]);
        if let Some(active) = active {
            env.insert("VIRTUAL_ENV".into(), active.as_os_str().to_owned());
        }
        leave_out_own_environment(&mut env, &bin.join("proctor"));
        env[&OsString::from("PATH")].to_string_lossy().into_owned()
    }

    #[test]
    fn an_environment_that_was_made_for_proctor_alone_does_not_stand_before_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path();
        let whole = format!("{}/bin:/usr/bin", own.display());
        assert_eq!(path_left(own, None), whole, "a folder with programs is no environment");
        std::fs::write(own.join("pyvenv.cfg"), "").unwrap();
        assert_eq!(path_left(own, None), "/usr/bin");
        assert_eq!(path_left(own, Some(own)), whole, "it is active");
        assert_eq!(path_left(own, Some(Path::new("/other"))), "/usr/bin");
        std::fs::create_dir_all(own.join("lib/python3.12/site-packages/pytest")).unwrap();
        assert_eq!(path_left(own, None), whole, "the project's, with its pytest");
    }
}
