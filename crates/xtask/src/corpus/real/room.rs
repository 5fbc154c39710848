//! What the tests of a library need besides its checkout: made once by the commands of its table, and kept. It starts
//! the commands that the table names, and nothing else.

use super::case::Library;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The kept folders of all libraries.
#[derive(Debug)]
pub struct Rooms {
    cache: PathBuf,
    /// One is made at a time: what is installed may share a cache of its own.
    making: Mutex<()>,
}

/// The kept folder of one library.
#[derive(Clone, Debug)]
pub struct Room {
    folder: PathBuf,
    path: Vec<String>,
}

/// Says that everything was done, and by which commands.
const MARK: &str = "prepared";

impl Rooms {
    pub fn new(cache: &Path) -> Result<Self> {
        std::fs::create_dir_all(cache)
            .with_context(|| format!("could not make {}", cache.display()))?;
        let cache = cache.canonicalize();
        let cache = cache.context("the folder for what is kept has no real path")?;
        Ok(Self { cache, making: Mutex::new(()) })
    }

    /// The room of a library, made now where it is not there or was made by other commands.
    pub fn room(&self, library: &Library, tree: &Path) -> Result<Room> {
        let folder = self.cache.join(&library.name);
        let room = Room { folder: folder.clone(), path: library.path.clone() };
        let commands = library.prepare.join("\n");
        let mark = folder.join(MARK);
        let _turn = self.making.lock().ok();
        if std::fs::read_to_string(&mark).is_ok_and(|there| there == commands) {
            return Ok(room);
        }
        if folder.exists() {
            std::fs::remove_dir_all(&folder).context("an old room could not be removed")?;
        }
        std::fs::create_dir_all(&folder).context("no room")?;
        for line in &library.prepare {
            let mut command = Command::new("sh");
            command.args(["-c", line]).current_dir(&folder).env("TREE", tree);
            let out = command.stdin(Stdio::null()).output().context("sh did not start")?;
            if !out.status.success() {
                let said = String::from_utf8_lossy(&out.stderr);
                bail!("{} could not be prepared: `{line}`: {}", library.name, said.trim());
            }
        }
        std::fs::write(mark, commands).context("the mark of a room was not written")?;
        Ok(room)
    }
}

impl Room {
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gives a command what it needs to work with this room, and nothing of the build that this program came from.
    pub fn dress(&self, command: &mut Command) -> Result<()> {
        let own = self.path.iter().map(|part| self.folder.join(part));
        let before = std::env::var_os("PATH").unwrap_or_default();
        let all = std::env::join_paths(own.chain(std::env::split_paths(&before)));
        command.env("PATH", all.context("a folder can't stand in PATH")?);
        command.env_remove("CARGO_TARGET_DIR");
        let venv = self.folder.join("venv");
        if venv.is_dir() {
            command.env("VIRTUAL_ENV", venv);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(prepare: &str) -> Library {
        let text = format!(
            "name = 'a'\nrepo = 'o+a'\nprepare = ['{prepare}']\npath = ['bin']\ntests = []\ncheck = ''\n\
             truth = {{ file = '', run = '' }}\n"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn a_room_is_made_once_and_again_by_other_commands() {
        let cache = tempfile::tempdir().unwrap();
        let rooms = Rooms::new(cache.path()).unwrap();
        let once = library("echo 1 >> made");
        let room = rooms.room(&once, cache.path()).unwrap();
        rooms.room(&once, cache.path()).unwrap();
        let read = || std::fs::read_to_string(room.folder().join("made")).unwrap();
        assert_eq!(read(), "1\n");
        rooms.room(&library("echo 2 >> made"), cache.path()).unwrap();
        assert_eq!(read(), "2\n");
        let mut command = Command::new("true");
        room.dress(&mut command).unwrap();
        let path = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path);
        let first = std::env::split_paths(path.unwrap()).next().unwrap();
        assert_eq!(first, room.folder().join("bin"));
    }

    #[test]
    fn a_command_that_fails_is_named() {
        let cache = tempfile::tempdir().unwrap();
        let rooms = Rooms::new(cache.path()).unwrap();
        let why = rooms.room(&library("echo no >&2; exit 3"), cache.path()).unwrap_err();
        assert!(why.to_string().ends_with("exit 3`: no"), "{why}");
    }
}
