//! The home of an agent for one turn: a folder of its own with copies of the few files by which its program knows the
//! user. What it changes there is gone after the turn.

use super::{Halt, Job};
use proctor_core::brief::{AgentKind, AgentSpec};
use proctor_lab::disk::make;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Programs that are agents, and what they need of a home: log-in and settings, no history.
const KNOWN: [(&str, &[&str]); 6] = [
    ("claude", &[".claude.json", ".claude/.credentials.json", ".claude/settings.json"]),
    ("codex", &[".codex/auth.json", ".codex/config.toml"]),
    (
        "gemini",
        &[".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json"],
    ),
    ("goose", &[".config/goose"]),
    ("opencode", &[".config/opencode", ".local/share/opencode/auth.json"]),
    ("qwen", &[".qwen/oauth_creds.json", ".qwen/settings.json"]),
];

/// More than this is no settings folder.
const MOST_FILES: usize = 10_000;

impl Job {
    /// Fills the home of a turn.
    pub(super) fn settle_in(&self, spec: &AgentSpec, into: &Path) -> Result<(), Halt> {
        make(into)?;
        let Some(home) = self.shop.var("HOME").map(PathBuf::from) else { return Ok(()) };
        let usual = match &spec.kind {
            AgentKind::Command { argv } => needs_of(argv),
            // A driver lets in what its program needs.
            AgentKind::Script { .. }
            | AgentKind::Claude(_)
            | AgentKind::Codex(_)
            | AgentKind::Gemini(_)
            | AgentKind::Opencode(_)
            | AgentKind::Goose(_)
            | AgentKind::Api(_)
            | AgentKind::Acp(_) => &[],
        };
        let named = spec.copy.iter().map(PathBuf::from);
        for path in usual.iter().map(|below| home.join(below)).chain(named) {
            let Ok(below) = path.strip_prefix(&home) else {
                return Err(Halt::lasting(format!(
                    "{} can't be copied for the agent {}: it is not below your home\nhint: let it in with `read` instead",
                    path.display(),
                    spec.name
                )));
            };
            let mut left = MOST_FILES;
            copy(&path, &into.join(below), &mut left)
                .map_err(|e| Halt::io("could not copy for the agent", &path, &e))?;
        }
        Ok(())
    }
}

fn needs_of(argv: &[String]) -> &'static [&'static str] {
    let program = argv.first().map(Path::new).and_then(Path::file_name);
    let known = KNOWN.iter().find(|(name, _)| program == Some(name.as_ref()));
    known.map_or(&[], |(_, needs)| needs)
}

fn copy(from: &Path, to: &Path, left: &mut usize) -> io::Result<()> {
    let about = match fs::metadata(from) {
        Ok(about) => about,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(why),
    };
    if *left == 0 {
        return Err(io::Error::other(format!("it holds more than {MOST_FILES} files")));
    }
    *left -= 1;
    if about.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()), left)?;
        }
    } else if about.is_file() {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_copied_and_a_link_in_a_circle_ends() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path().join("from");
        fs::create_dir_all(from.join("deep")).unwrap();
        fs::write(from.join("deep/key"), "k").unwrap();
        let mut left = 100;
        copy(&from, &dir.path().join("to"), &mut left).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("to/deep/key")).unwrap(), "k");
        std::os::unix::fs::symlink(&from, from.join("deep/again")).unwrap();
        let mut left = 100;
        assert!(copy(&from, &dir.path().join("other"), &mut left).is_err());
        assert!(copy(Path::new("/none"), &dir.path().join("none"), &mut left).is_ok());
    }

    #[test]
    fn a_known_program_is_known_by_its_name_wherever_it_lies() {
        assert!(needs_of(&["/opt/x/codex".to_owned()]).contains(&".codex/auth.json"));
        assert!(needs_of(&["/opt/x/my-agent".to_owned()]).is_empty());
    }
}
