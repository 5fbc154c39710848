//! Where a demo takes place: a fresh folder in the temp folder that holds the small repository, the scenario and a
//! `PROCTOR_HOME` of its own, so that nothing of the user's is touched.

use crate::demo::lesson::{FIRST_COMMIT, Lesson};
use anyhow::{Context, Result};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::{UNFIT, told};
use proctor_engine::Home;
use proctor_world::git::{Git, GitError};
use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// More demos than anyone keeps.
const MOST: u32 = 10_000;
const SETTINGS: &str = "# The user's own settings in the demo: none.\n";

pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// Takes a folder that was not there before.
    pub fn reserve(temp: &Path) -> Result<Self> {
        Ok(Self { folder: fresh_folder(temp)? })
    }

    /// Puts everything there that a run needs.
    pub fn furnish(&self, lesson: &Lesson) -> Result<()> {
        for (path, text) in lesson.files() {
            write(&self.repo().join(path), &text)?;
        }
        write(&self.folder.join("scenario.json"), &lesson.scenario())?;
        write(&self.settings(), SETTINGS)?;
        self.first_commit()?;
        Ok(())
    }

    /// Leaves a folder that nothing was put into.
    pub fn give_up(self) {
        // It is empty, and ours; if it stays, it does no harm.
        let _ = std::fs::remove_dir(self.folder);
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn repo(&self) -> PathBuf {
        self.folder.join("repo")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn settings(&self) -> PathBuf {
        self.folder.join("settings.toml")
    }

    pub fn git(&self) -> Git {
        Git::new(&self.repo())
    }

    /// The user's surroundings, moved here: nothing that they have set for their own runs counts.
    pub fn surroundings(&self, around: &Surroundings) -> Surroundings {
        let mut env = around.env.clone();
        for name in ["PROCTOR_MOCK", "AGENTOS_MOCK_LLM"] {
            env.remove(std::ffi::OsStr::new(name));
        }
        env.insert("PROCTOR_CONFIG".into(), self.settings().into());
        env.insert("PROCTOR_HOME".into(), self.home().into());
        Surroundings { cwd: self.repo(), env, home: Home::at(self.home()) }
    }

    fn first_commit(&self) -> Result<(), GitError> {
        let git = self.git();
        git.run(&["init", "--quiet", "--initial-branch=main"])?;
        git.run(&["config", "user.name", "Proctor demo"])?;
        git.run(&["config", "user.email", "demo@localhost"])?;
        // By force: what the user ignores everywhere is part of this repository all the same.
        git.run(&["add", "--all", "--force"])?;
        git.run(&["commit", "--quiet", "--message", FIRST_COMMIT])?;
        Ok(())
    }
}

/// A folder that was not there before and that only the user can look into.
fn fresh_folder(temp: &Path) -> Result<PathBuf> {
    let unusable = |path: &Path, why: &std::io::Error| {
        let path = path.display();
        told(
            UNFIT,
            format!(
                "{path} can't be used: {why}\nhint: point TMPDIR at a folder that you may write to"
            ),
        )
    };
    let temp = temp.canonicalize().map_err(|why| unusable(temp, &why))?;
    for number in 1..=MOST {
        let folder = temp.join(format!("proctor-demo-{number}"));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(unusable(&folder, &why)),
        }
    }
    Err(told(
        UNFIT,
        format!(
            "{} is full of demos\nhint: delete the folders proctor-demo-* there",
            temp.display()
        ),
    ))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} can't be made", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn every_demo_has_a_private_folder_of_its_own() {
        let temp = tempfile::tempdir().unwrap();
        let first = fresh_folder(temp.path()).unwrap();
        let second = fresh_folder(temp.path()).unwrap();
        assert_ne!(first, second);
        let mode = second.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_temp_folder_that_is_not_there_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let none = temp.path().join("none");
        let error = fresh_folder(&none).unwrap_err().to_string();
        assert!(error.contains(&none.display().to_string()) && error.contains("hint:"), "{error}");
    }
}
