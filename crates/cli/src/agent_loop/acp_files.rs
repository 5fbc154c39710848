//! Files that an agent reads and writes through the client of the Agent Client Protocol: those of its worktree, links looked through.

use proctor_agents::acp::Fault;
use proctor_agents::policy::Policy;
use std::io;
use std::path::{Path, PathBuf};

/// More is not sent in one message.
const MOST: u64 = 16 * 1024 * 1024;

/// The whole worktree that a folder belongs to.
pub fn top_of(cwd: &Path) -> PathBuf {
    let top = cwd.ancestors().find(|folder| folder.join(".git").exists());
    top.unwrap_or(cwd).to_owned()
}

pub fn read(policy: &Policy, path: &Path, line: u64, limit: u64) -> Result<String, Fault> {
    let real = real(policy, path)?;
    let length = std::fs::metadata(&real).map_err(|why| io_fault(path, &why))?.len();
    if length > MOST {
        let message = format!("{} is too large to be read at once: {length} bytes", path.display());
        return Err(Fault::new(Fault::INTERNAL, message));
    }
    let bytes = std::fs::read(&real).map_err(|why| io_fault(path, &why))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Fault::new(Fault::INTERNAL, format!("{} is no text in UTF-8", path.display()))
    })?;
    if line <= 1 && limit == u64::MAX {
        return Ok(text);
    }
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let skipped = text.split_inclusive('\n').skip(count(line).saturating_sub(1));
    Ok(skipped.take(count(limit)).collect())
}

pub fn write(policy: &Policy, path: &Path, content: &str) -> Result<(), Fault> {
    let real = real(policy, path)?;
    // By whatever link it is reached.
    if let Ok(below) = real.strip_prefix(settled(&policy.top)) {
        let refused = |why| Fault::new(Fault::BAD_PARAMS, why);
        policy.may_write(&policy.top.join(below)).map_err(refused)?;
    }
    if let Some(folder) = real.parent() {
        std::fs::create_dir_all(folder).map_err(|why| io_fault(path, &why))?;
    }
    std::fs::write(&real, content).map_err(|why| io_fault(path, &why))
}

fn settled(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Where a path really leads, which must be in the worktree. What is not there yet leads where its folder does.
fn real(policy: &Policy, path: &Path) -> Result<PathBuf, Fault> {
    let top = settled(&policy.top);
    let found = path.ancestors().find_map(|above| match above.canonicalize() {
        Ok(real) => Some(path.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest))),
        // A link to what is not there could lead anywhere.
        Err(_) if above.symlink_metadata().is_ok() => Some(PathBuf::new()),
        Err(_) => None,
    });
    // An empty rest leaves a slash at the end.
    let found: Option<PathBuf> = found.map(|path| path.components().collect());
    found.filter(|real| real.starts_with(&top)).ok_or_else(|| {
        let message = format!(
            "{} leads out of the worktree {}: only files in there can be used",
            path.display(),
            policy.top.display()
        );
        Fault::new(Fault::BAD_PARAMS, message)
    })
}

fn io_fault(path: &Path, why: &io::Error) -> Fault {
    let code = match why.kind() {
        io::ErrorKind::NotFound => Fault::NOT_FOUND,
        _ => Fault::INTERNAL,
    };
    Fault::new(code, format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn worktree() -> (tempfile::TempDir, Policy) {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("tree");
        fs::create_dir_all(top.join("tests")).unwrap();
        fs::create_dir(top.join(".git")).unwrap();
        fs::write(top.join("tests/test_a.py"), "one\ntwo\nthree\n").unwrap();
        fs::write(dir.path().join("secret"), "s").unwrap();
        let policy = Policy {
            top: top.clone(),
            cwd: top,
            sealed: vec!["tests/test_a.py".to_owned()],
            ..Policy::default()
        };
        (dir, policy)
    }

    #[test]
    fn a_file_is_read_whole_or_in_part() {
        let (_dir, policy) = worktree();
        let path = policy.top.join("tests/test_a.py");
        assert_eq!(read(&policy, &path, 1, u64::MAX).unwrap(), "one\ntwo\nthree\n");
        assert_eq!(read(&policy, &path, 2, 1).unwrap(), "two\n");
        let none = read(&policy, &policy.top.join("none"), 1, 9).unwrap_err();
        assert_eq!(none.code, Fault::NOT_FOUND);
    }

    #[test]
    fn a_link_leads_neither_out_nor_to_a_sealed_file() {
        let (dir, policy) = worktree();
        symlink(dir.path(), policy.top.join("out")).unwrap();
        symlink(dir.path().join("new"), policy.top.join("dangling")).unwrap();
        symlink("tests", policy.top.join("t")).unwrap();
        for path in ["out/secret", "out/new", "dangling"] {
            let fault = write(&policy, &policy.top.join(path), "x").unwrap_err();
            assert!(fault.message.contains("leads out of the worktree"), "{path}: {fault:?}");
        }
        assert!(read(&policy, &policy.top.join("out/secret"), 1, u64::MAX).is_err());
        let fault = write(&policy, &policy.top.join("t/test_a.py"), "x").unwrap_err();
        assert!(fault.message.contains("is sealed"), "{fault:?}");
        assert!(!dir.path().join("new").exists());
        write(&policy, &policy.top.join("deep/new.py"), "x").unwrap();
        assert_eq!(fs::read_to_string(policy.top.join("deep/new.py")).unwrap(), "x");
    }
}
