//! A clean place to try a package in: a home, a temp folder and a PATH of their own, and on that PATH the programs that are named
//! and no others. What is installed there goes with it.

use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What installers may know of the machine: where its registries and their certificates are.
const OF_THE_MACHINE: [&str; 6] =
    ["PIP_", "UV_", "NPM_CONFIG_", "SSL_", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"];

pub struct Room {
    folder: tempfile::TempDir,
    path: Vec<PathBuf>,
}

/// How a program ended.
pub struct Ended {
    pub code: Option<i32>,
    pub said: String,
    pub seconds: f64,
}

impl Room {
    /// With these programs, each found on the PATH of this machine.
    pub fn with(programs: &[&str], tools: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let bin = folder.path().join("bin");
        for name in ["bin", "home", "tmp"] {
            std::fs::create_dir(folder.path().join(name))?;
        }
        let room = Self { folder, path: vec![bin.clone()] };
        for program in programs {
            let found = find(program, tools)?;
            // What a program finds beside itself, it finds beside the real one.
            let real = std::fs::canonicalize(&found)?;
            symlink(
                if real.file_name().is_some_and(|name| name == *program) { real } else { found },
                bin.join(program),
            )?;
        }
        Ok(room)
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Looks here first from now on.
    pub fn look_in(&mut self, folder: PathBuf) {
        self.path.insert(0, folder);
    }

    pub fn run(&self, folder: &Path, words: &[&str]) -> Result<Ended> {
        let (program, rest) = words.split_first().context("no program")?;
        let path = std::env::join_paths(&self.path).context("a folder with a colon in its name")?;
        let found = self.path.iter().map(|folder| folder.join(program)).find(|path| path.exists());
        let began = Instant::now();
        let out = Command::new(found.unwrap_or_else(|| PathBuf::from(program)))
            .args(rest)
            .current_dir(folder)
            .env_clear()
            .envs(of_the_machine())
            .env("PATH", path)
            .env("HOME", self.at("home"))
            .env("TMPDIR", self.at("tmp"))
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("`{program}` did not start"))?;
        let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        Ok(Ended { code: out.status.code(), said, seconds: began.elapsed().as_secs_f64() })
    }

    /// As above; ending otherwise than well is an error.
    pub fn must(&self, folder: &Path, words: &[&str]) -> Result<Ended> {
        let ended = self.run(folder, words)?;
        if ended.code != Some(0) {
            bail!("`{}` ended with {:?}:\n{}", words.join(" "), ended.code, ended.said.trim());
        }
        Ok(ended)
    }

    /// A repository with a fix on a branch `fix`, in the language whose tools are there.
    pub fn repository(&self, files: &[(&str, &str)], fixed: &[(&str, &str)]) -> Result<PathBuf> {
        let repo = self.at("repo");
        std::fs::create_dir(&repo)?;
        let git = |words: &[&str]| {
            let who = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"];
            self.must(&repo, &[&who, words].concat())
        };
        git(&["init", "--quiet", "-b", "main"])?;
        for (branch, files) in [("main", files), ("fix", fixed)] {
            git(&["checkout", "--quiet", "-B", branch])?;
            for (name, text) in files {
                std::fs::write(repo.join(name), text)?;
            }
            git(&["add", "--all"])?;
            git(&["commit", "--quiet", "--message", branch])?;
        }
        Ok(repo)
    }

    /// What of ours is left: programs and packages by our name, outside what the user made.
    pub fn left(&self) -> Result<Vec<String>> {
        let (mut found, mut open) = (Vec::new(), vec![self.folder.path().to_owned()]);
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let (entry, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
                // The user's own: runs and demos are theirs, and so is what they downloaded.
                let theirs = ["home", "tmp", "repo"].iter().any(|name| path == self.at(name));
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if theirs {
                    continue;
                }
                if name.starts_with("proctor") {
                    found.push(path.strip_prefix(self.folder.path())?.display().to_string());
                } else if entry?.is_dir() {
                    open.push(path);
                }
            }
        }
        Ok(found)
    }
}

fn of_the_machine() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy().to_uppercase();
        OF_THE_MACHINE.iter().any(|start| name.starts_with(start))
    })
}

fn find(program: &str, tools: &Path) -> Result<PathBuf> {
    let path = super::binary::in_front(tools)?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .with_context(|| {
            format!("{program} is not on the PATH, so what its users have can't be tried")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_has_the_programs_that_are_named_and_no_others() {
        let room = Room::with(&["git"], Path::new("/nowhere")).unwrap();
        let repo = room.repository(&[("a", "1")], &[("a", "2")]).unwrap();
        let told = room.must(&repo, &["git", "log", "--format=%s"]).unwrap();
        assert_eq!(told.said, "fix\nmain\n");
        assert!(room.run(&repo, &["python3", "--version"]).is_err());
        assert!(Room::with(&["no-such-program"], Path::new("/nowhere")).is_err());
    }

    #[test]
    fn what_is_left_of_ours_is_named_and_what_the_user_made_is_not() {
        let room = Room::with(&[], Path::new("/nowhere")).unwrap();
        std::fs::create_dir_all(room.at("venv/bin")).unwrap();
        for name in ["venv/bin/proctor", "home/proctor.log", "venv/other"] {
            std::fs::write(room.at(name), "").unwrap();
        }
        assert_eq!(room.left().unwrap(), ["venv/bin/proctor"]);
    }
}
