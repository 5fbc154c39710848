//! What a run's tree holds against its base, read from the shadow repository. Shows, and decides nothing.

use anyhow::{Context, Result};
use proctor_core::run::Run;
use proctor_core::words::TreeId;
use proctor_engine::Home;
use proctor_engine::dependencies::changed_dependencies;
use proctor_lang::{Zone, zone};
use proctor_world::objects::DiffFor;
use proctor_world::shadow::Shadow;
use std::path::Path;

/// A changed file with its counts; none for binary files.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FileChange {
    pub path: String,
    pub added: Option<u64>,
    pub deleted: Option<u64>,
}

pub struct Changes {
    shadow: Shadow,
    from: TreeId,
    to: TreeId,
}

impl Changes {
    /// The run's current tree against its base. None before the run has a tree of its own.
    pub fn of(home: &Home, run: &Run) -> Result<Option<Self>> {
        let Some(to) = run.tree.clone() else {
            return Ok(None);
        };
        // Looking must not make anything: where there is no shadow there is nothing to see.
        if !home.root().join("repos").is_dir() {
            return Ok(None);
        }
        let git_dir = Path::new(&run.brief.repo.git_dir);
        let shadow = Shadow::open(home.root(), git_dir, &run.base)
            .context("the run's repository can't be opened")?;
        let from = shadow.tree_of(&run.base)?;
        Ok(Some(Self { shadow, from, to }))
    }

    /// The files that differ, with how many lines.
    pub fn files(&self) -> Result<Vec<FileChange>> {
        let git = self.shadow.git();
        let call = git.call(&["diff-tree", "-r", "-z", "--no-renames", "--numstat"]);
        let bytes = call.arg(self.from.as_str()).arg(self.to.as_str()).run()?;
        Ok(numbers(&String::from_utf8_lossy(&bytes)))
    }

    /// What the change does to dependencies, in words.
    pub fn dependencies(&self) -> Result<Vec<String>> {
        Ok(changed_dependencies(&self.shadow, &self.from, &self.to)?)
    }

    /// The difference as two diffs, of the tests and of everything else.
    pub fn parts(&self) -> Result<Parts> {
        let all: Vec<String> = self.files()?.into_iter().map(|file| file.path).collect();
        let (tests, code): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|path| zone(path) == Zone::Test);
        // No path at all would mean every path.
        let diff =
            |paths: &[String]| if paths.is_empty() { Ok(Vec::new()) } else { self.diff(paths) };
        Ok(Parts { tests: diff(&tests)?, code: diff(&code)? })
    }

    /// The difference as a diff; only these paths, or all of it where none is given.
    pub fn diff(&self, paths: &[String]) -> Result<Vec<u8>> {
        Ok(self.shadow.diff(&self.from, &self.to, paths, DiffFor::Reading)?)
    }
}

/// What changed, tests apart from the rest.
pub struct Parts {
    pub tests: Vec<u8>,
    pub code: Vec<u8>,
}

fn numbers(text: &str) -> Vec<FileChange> {
    text.split('\0')
        .filter_map(|entry| {
            let mut parts = entry.splitn(3, '\t');
            let (added, deleted, path) = (parts.next()?, parts.next()?, parts.next()?);
            Some(FileChange {
                path: path.to_owned(),
                added: added.trim().parse().ok(),
                deleted: deleted.parse().ok(),
            })
        })
        .collect()
}

/// Lines like `+12 -3  src/a.py`.
pub fn lines(files: &[FileChange]) -> Vec<String> {
    files
        .iter()
        .map(|file| {
            let count = match (file.added, file.deleted) {
                (Some(added), Some(deleted)) => format!("+{added} -{deleted}"),
                _ => "binary".to_owned(),
            };
            format!("{count:>9}  {}", crate::text::harmless::one_line(&file.path))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_also_for_odd_names_and_binary_files() {
        let files = numbers("3\t1\tsrc/a b.py\0-\t-\timg.png\0");
        assert_eq!(files.len(), 2);
        assert_eq!((files[0].added, files[0].deleted), (Some(3), Some(1)));
        assert_eq!(files[0].path, "src/a b.py");
        assert_eq!(lines(&files)[1], "   binary  img.png");
    }
}
