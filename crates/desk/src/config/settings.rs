//! The settings of a run: the user's own file, and over it proctor.toml as it is on the base commit, so that no
//! agent can change the rules of its own exam.

use crate::config::Config;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_core::words::CommitId;
use proctor_world::repo::UserRepo;
use std::io;
use std::path::Path;

pub const FILE: &str = "proctor.toml";

/// Both files, one over the other.
pub fn read(around: &Surroundings, repo: &UserRepo, base: &CommitId) -> Result<Config> {
    let user = own(around)?;
    let own = match repo.read_at(base, FILE)? {
        Some(bytes) => parse(&bytes, &format!("{FILE} at {}", base.short()))?,
        None => Config::default(),
    };
    Ok(user.under(own))
}

/// The user's own settings, without any repository's.
pub fn own(around: &Surroundings) -> Result<Config> {
    match around.user_config() {
        Some(path) => read_user(&path, around.var("PROCTOR_CONFIG").is_some()),
        None => Ok(Config::default()),
    }
}

/// The user's own file. Only one that was named must be there.
fn read_user(path: &Path, named: bool) -> Result<Config> {
    match std::fs::read(path) {
        Ok(bytes) => parse(&bytes, &path.display().to_string()),
        Err(why) if why.kind() == io::ErrorKind::NotFound && !named => Ok(Config::default()),
        Err(why) => Err(usage(format!(
            "the settings {} can't be read: {why}\nhint: PROCTOR_CONFIG names the file of your own settings",
            path.display()
        ))),
    }
}

fn parse(bytes: &[u8], place: &str) -> Result<Config> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| usage(format!("{place} is not UTF-8 text\nhint: save it as UTF-8")))?;
    Config::parse(text, place).map_err(usage)
}
