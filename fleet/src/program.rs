//! The program `proctor` that stands beside this one: it shows and steers, and is the keeper of every child.

use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// `PROCTOR_PROGRAM`, else beside this program, else on the PATH.
pub fn proctor() -> Result<PathBuf> {
    let named = std::env::var_os("PROCTOR_PROGRAM").map(PathBuf::from);
    let beside = || Some(std::env::current_exe().ok()?.with_file_name("proctor"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path =
        || std::env::split_paths(&path).map(|dir| dir.join("proctor")).find(|at| at.is_file());
    let found = named.or_else(|| beside().filter(|at| at.is_file())).or_else(on_path);
    match found {
        Some(program) if program.is_file() => Ok(program.canonicalize()?),
        _ => bail!(
            "there is no program `proctor` beside this one or on the PATH\nhint: install it, or name it as PROCTOR_PROGRAM"
        ),
    }
}

/// It must be of the same version: both share the journal and the machine.
pub fn checked() -> Result<PathBuf> {
    let program = proctor()?;
    let (_, told) =
        proctor_world::beside::ask(&program, &[OsString::from("--version")], &BTreeMap::new())?;
    let own = env!("CARGO_PKG_VERSION");
    let other = told.split_whitespace().nth(1).unwrap_or_default();
    if other != own {
        bail!(
            "{} is version {other}, and this is {own}\nhint: install both from the same release",
            program.display()
        );
    }
    Ok(program)
}
