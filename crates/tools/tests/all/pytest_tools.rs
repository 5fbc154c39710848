//! A Python with the plugins that projects use, and environments made from it.

use crate::stage::{skipped, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of `scripts/setup`, with pytest, its common plugins, coverage.py and setuptools.
pub fn plugins() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/python-plugins");
    let python = tools.join("bin/python");
    if works(&python, &["-c", "import pytest, xdist, pytest_cov, setuptools, wheel"]) {
        return Some(python);
    }
    skipped("python with pytest's plugins");
    None
}

pub fn python(program: &Path, args: &[&str], cwd: &Path) -> String {
    let output = Command::new(program).args(args).current_dir(cwd).output().unwrap();
    let (out, err) = (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "{args:?}: {err}");
    String::from_utf8(out).unwrap()
}

const PURELIB: [&str; 2] = ["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"];

fn packages(program: &Path) -> PathBuf {
    PathBuf::from(python(program, &PURELIB, Path::new("/")).trim())
}

/// An environment that sees the packages of the outer one.
pub fn venv(outer: &Path, at: &Path) {
    bare_venv(outer, at, &[]);
    let own = packages(&at.join("bin/python"));
    let told = format!("{}\n", packages(outer).display());
    std::fs::write(own.join("outer.pth"), told).unwrap();
}

/// An environment with these packages of the outer one, and no others.
pub fn bare_venv(outer: &Path, at: &Path, some: &[&str]) {
    python(outer, &["-m", "venv", "--without-pip", &at.to_string_lossy()], Path::new("/"));
    let (from, own) = (packages(outer), packages(&at.join("bin/python")));
    for entry in std::fs::read_dir(&from).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        // `pytest`, and what is known about it: `pytest-9.0.dist-info`.
        if some.iter().any(|wanted| name.split('-').next() == Some(*wanted)) {
            std::os::unix::fs::symlink(entry.path(), own.join(name)).unwrap();
        }
    }
}
