//! How long the last verification of a repository took: an estimate for the next one, and nothing else. What can't be read or
//! written is no estimate.

use crate::surroundings::Surroundings;
use proctor_world::repo::UserRepo;
use std::path::PathBuf;

fn file(around: &Surroundings) -> Option<PathBuf> {
    let root = UserRepo::find(&around.cwd).ok()?.root;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = root.to_string_lossy().chars().map(plain).collect();
    // As long as a name of a file may be: the end tells more than the beginning.
    let name = name.get(name.len().saturating_sub(200)..)?;
    Some(around.home.root().join("paces").join(name))
}

/// In milliseconds; none where nothing is known.
pub fn usual(around: &Surroundings) -> Option<u64> {
    std::fs::read_to_string(file(around)?).ok()?.trim().parse().ok()
}

/// Keeps it for the next time.
pub fn took(around: &Surroundings, ms: u64) {
    if let Some(file) = file(around)
        && let Some(folder) = file.parent()
    {
        let _ = std::fs::create_dir_all(folder);
        let _ = std::fs::write(file, ms.to_string());
    }
}
