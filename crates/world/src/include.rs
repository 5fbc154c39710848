//! Which files of the user's checkout that are not in git belong into a new tree: `.worktreeinclude`, a list of
//! patterns in the manner of `.gitignore` (`.env`, `config/local.*`, `!secret.env`). Only looks; who calls copies.
//! Must not name a tracked file, follow a link, or look into a git directory.

use crate::git::{Git, GitError};
use crate::listing::{on_disk, path_text};
use crate::tree::{TreeError, at};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The name of the file, at the top of the repository.
pub const FILE: &str = ".worktreeinclude";

pub const MOST_FILES: usize = 2_000;
pub const MOST_BYTES: u64 = 100 * 1024 * 1024;

/// Folders that tools fill with thousands of files: entered where a pattern names them, else passed by.
const PASSED_BY: [&str; 4] = ["node_modules", "target", ".venv", "venv"];

#[derive(Debug, thiserror::Error)]
pub enum IncludeError {
    #[error("{FILE}: line {line}, `{pattern}`, is not a pattern: {why}")]
    BadPattern { line: usize, pattern: String, why: String },
    #[error(
        "{FILE} matches more than {MOST_FILES} files below {}, `{path}` among them\n\
         hint: name the few files that tests need, not whole folders", checkout.display()
    )]
    TooMany { checkout: PathBuf, path: String },
    #[error(
        "the files below {} that {FILE} matches hold more than {} MB; `{path}` was one too many\n\
         hint: name the few files that tests need, not whole folders", checkout.display(), MOST_BYTES / 1024 / 1024
    )]
    TooBig { checkout: PathBuf, path: String },
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// The plain files of a checkout that git ignores, in order; what stands in folders that are ignored as a whole is not
/// among them.
pub fn ignored(checkout: &Path) -> Result<Vec<String>, GitError> {
    let asked = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    let listed = Git::new(checkout).with_users_settings().run(&asked)?;
    let names = listed.split(|byte| *byte == 0).map(path_text);
    let is_plain = |name: &String| {
        let plain = !name.is_empty() && !name.ends_with('/');
        plain && fs::symlink_metadata(on_disk(checkout, name)).is_ok_and(|about| about.is_file())
    };
    Ok(names.filter(is_plain).collect())
}

/// The untracked plain files below `checkout` that the patterns match, in order. `tracked` says of a path from the
/// top whether git has it.
pub fn matches(
    checkout: &Path,
    patterns: &str,
    tracked: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, IncludeError> {
    let rules = read(patterns)?;
    if rules.num_ignores() == 0 {
        return Ok(Vec::new());
    }
    let named: Vec<&str> = PASSED_BY.into_iter().filter(|name| names(patterns, name)).collect();
    let mut found: Vec<String> = Vec::new();
    let mut bytes = 0;
    let mut todo = vec![String::new()];
    while let Some(folder) = todo.pop() {
        let dir = on_disk(checkout, &folder);
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if folder.is_empty() => return Err(at("read", &dir)(error).into()),
            // A folder of another user's in the checkout is no reason to stop.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let name = path_text(entry.file_name().as_bytes());
            let Ok(about) = entry.metadata() else { continue };
            let passed_by = PASSED_BY.contains(&name.as_str()) && !named.contains(&name.as_str());
            if name.eq_ignore_ascii_case(".git") || (about.is_dir() && passed_by) {
                continue;
            }
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if about.is_dir() {
                todo.push(path);
                continue;
            }
            if !about.is_file() || !is_wanted(&rules, &path) || tracked(&path) {
                continue;
            }
            let checkout = checkout.to_owned();
            if found.len() == MOST_FILES {
                return Err(IncludeError::TooMany { checkout, path });
            }
            bytes += about.len();
            if bytes > MOST_BYTES {
                return Err(IncludeError::TooBig { checkout, path });
            }
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(patterns: &str) -> Result<Gitignore, IncludeError> {
    let mut builder = GitignoreBuilder::new("");
    let bad = |line: usize, pattern: &str, error: &ignore::Error| IncludeError::BadPattern {
        line,
        pattern: pattern.to_owned(),
        why: error.to_string(),
    };
    for (n, line) in patterns.trim_start_matches('\u{feff}').lines().enumerate() {
        builder.add_line(None, line).map_err(|error| bad(n + 1, line, &error))?;
    }
    builder.build().map_err(|error| bad(patterns.lines().count(), "", &error))
}

/// A pattern that matches a folder takes all that is in it.
fn is_wanted(rules: &Gitignore, path: &str) -> bool {
    match rules.matched_path_or_any_parents(on_disk(Path::new(""), path), false) {
        Match::Ignore(_) => true,
        Match::Whitelist(_) | Match::None => false,
    }
}

/// Whether a pattern that adds files has the name as one of its parts.
fn names(patterns: &str, name: &str) -> bool {
    patterns
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['#', '!']))
        .any(|line| line.split('/').any(|part| part == name))
}
