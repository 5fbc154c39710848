//! Build products that are kept from one run to the next, in `PROCTOR_HOME/warm/KEY`. A run gets a copy of its own
//! and gives one back, so that no run can change what another one builds on. Must not know what a key means: who
//! calls has to put everything into it that decides what may be reused.

use crate::child::Cancel;
use crate::clone::{CloneError, Cloned, Manner, Rights, clone_tree, fill};
use crate::draft::Settled;
use crate::shelf::Shelf;
use crate::tree::{TreeError, at};
use std::fs;
use std::io;
use std::path::Path;

/// How giving came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    Kept(Cloned),
    /// A copy under this key was there already and stays as it is.
    ThereBefore,
}

/// Copies what is kept under `key` to `into`. `None` where nothing is kept, and where `into` holds something already:
/// a run's own products are never replaced.
pub fn take(
    home: &Path,
    key: &str,
    into: &Path,
    cancel: &Cancel,
) -> Result<Option<Cloned>, CloneError> {
    let Some(held) = shelf(home).hold(key)? else {
        return Ok(None);
    };
    if is_filled(into)? {
        return Ok(None);
    }
    match clone_tree(held.dir(), into, &|_| true, cancel) {
        Ok(cloned) => Ok(Some(cloned)),
        Err(CloneError::There { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps a copy of `from` under `key` if there is none yet. Who gives second loses nothing: the first copy stays.
pub fn give(
    home: &Path,
    key: &str,
    from: &Path,
    keep: &dyn Fn(&Path) -> bool,
    cancel: &Cancel,
) -> Result<Given, CloneError> {
    let shelf = shelf(home);
    if shelf.place(key)?.exists() {
        return Ok(Given::ThereBefore);
    }
    let draft = shelf.draft(key)?;
    let manner = Manner { keep, rights: Rights::Same, aim: &Manner::same_aim };
    let cloned = fill(from, draft.dir(), &manner, cancel)?;
    match draft.settle()? {
        Settled::Done => {
            // Its time is that of the last use from here on, not the original's.
            drop(shelf.hold(key)?);
            Ok(Given::Kept(cloned))
        }
        Settled::ThereBefore => Ok(Given::ThereBefore),
    }
}

/// Removes all but the `keep_newest` copies that were used last, and says which. One that is being taken is spared.
pub fn trim(home: &Path, keep_newest: usize) -> Result<Vec<String>, TreeError> {
    shelf(home).trim(keep_newest)
}

fn shelf(home: &Path) -> Shelf {
    Shelf::new(home.join("warm"))
}

fn is_filled(dir: &Path) -> Result<bool, TreeError> {
    match fs::read_dir(dir) {
        Ok(mut inside) => Ok(inside.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(at("read", dir)(error)),
    }
}
