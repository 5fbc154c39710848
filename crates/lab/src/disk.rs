//! Files and folders as effects need them, with what went wrong in words. It must not know what a file is for.

use crate::Halt;
use proctor_tools::Plan;
use proctor_world::child::read_capped;
use std::fs;
use std::path::Path;

/// How much of a child's output is read back. All of it stays in the log file.
pub const READ_BACK: u64 = 64 * 1024 * 1024;

pub fn write_plan(plan: &Plan) -> Result<(), Halt> {
    for folder in &plan.folders {
        make(folder)?;
    }
    for (path, bytes) in &plan.files {
        write(path, bytes)?;
    }
    Ok(())
}

pub fn captured(path: &Path) -> Result<Vec<u8>, Halt> {
    let read = read_capped(path, READ_BACK).map_err(|e| Halt::io("could not read", path, &e))?;
    Ok(read.bytes)
}

pub fn make(folder: &Path) -> Result<(), Halt> {
    fs::create_dir_all(folder).map_err(|e| Halt::io("could not make", folder, &e))
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Halt> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    fs::write(path, bytes).map_err(|e| Halt::io("could not write", path, &e))
}

/// Makes sure that there is an empty folder.
pub fn empty(dir: &Path) -> Result<(), Halt> {
    proctor_world::tree::remove_tree(dir)?;
    make(dir)
}

/// Makes sure that there is a folder for a run of the test tool, in which nothing is left of another. The folders that
/// each plan makes may be there.
pub fn cleared(dir: &Path) -> Result<(), Halt> {
    proctor_world::tree::clear(dir, &["home", "tmp"])?;
    make(dir)
}
