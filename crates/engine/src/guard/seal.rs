//! Sealed files of a checkout: which of them changed since, whatever changed them, and how they come back. A file that was
//! looked at is hashed again only where the system says that it was touched.

use super::{GuardError, GuardLedger, io_at};
use crate::carry::policy::with_seal;
use proctor_core::brief::Repo;
use proctor_core::guard::{Extent, Seal, Sealed};
use proctor_world::files::{ObjectFormat, entry_of};
use proctor_world::listing::{Entry, Listing, Mode, on_disk};
use proctor_world::shadow::Shadow;
use proctor_world::tree::put;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A file touched later than this ago may be touched again without that its times show it.
const FRESH_NS: i64 = 100_000_000;

/// A sealed file that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tampered {
    pub path: String,
    /// Where what stood there is kept; none where the file was gone.
    pub saved: Option<String>,
}

/// By what the system tells that a file was touched. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    node: u64,
    size: u64,
    mode: u32,
    written: i64,
    changed: i64,
}

impl Stamp {
    /// Whether a later touch would show.
    fn tells(self, now: i64) -> bool {
        now - self.changed > FRESH_NS
    }
}

/// A sealed file that is not what it was, byte for byte.
struct Changed<'a> {
    path: &'a String,
    sealed: &'a Sealed,
    stamp: Option<Stamp>,
    bytes: Option<Vec<u8>>,
}

/// Looks at the sealed files of one checkout.
pub struct Watcher<'a> {
    pub ledger: &'a GuardLedger,
    pub repo: &'a Repo,
    pub seal: &'a Seal,
}

impl Watcher<'_> {
    /// Puts back every sealed file that changed.
    pub fn put_back(&self) -> Result<Vec<Tampered>, GuardError> {
        let root = Path::new(&self.repo.root);
        let known = self.known();
        let (mut stamps, mut changed) = (BTreeMap::new(), Vec::new());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let format = ObjectFormat::of(self.repo.base.as_str());
        let mut folders = Folders { root, inside: BTreeMap::new() };
        for (path, sealed) in self.seal {
            let disk = on_disk(root, path);
            let stamp = folders.stamp(&disk);
            if let Some(known) = known.get(path).filter(|known| Some(**known) == stamp) {
                stamps.insert(path.clone(), *known);
                continue;
            }
            let there = stamp.and_then(|_| entry_of(format, &disk).ok());
            let is_same =
                |there: &Entry| there.oid == sealed.oid && there.mode.octal() == sealed.mode;
            if !there.as_ref().is_some_and(is_same) {
                let bytes = there.and_then(|_| fs::read(&disk).ok());
                changed.push(Changed { path, sealed, stamp, bytes });
            } else if let Some(stamp) = stamp.filter(|stamp| stamp.tells(now)) {
                stamps.insert(path.clone(), stamp);
            }
        }
        let (back, fine) = self.bring_back(root, changed)?;
        stamps.extend(fine.into_iter().filter(|(_, stamp)| stamp.tells(now)));
        if stamps != known {
            // What can't be kept is hashed again the next time.
            let _ = serde_json::to_vec(&stamps).map(|bytes| fs::write(self.stamps(), bytes));
        }
        Ok(back)
    }

    /// Gives what was put back, and what changed only where nothing of it is sealed.
    fn bring_back(
        &self,
        root: &Path,
        changed: Vec<Changed<'_>>,
    ) -> Result<(Vec<Tampered>, BTreeMap<String, Stamp>), GuardError> {
        let (mut back, mut fine) = (Vec::new(), BTreeMap::new());
        if changed.is_empty() {
            return Ok((back, fine));
        }
        let shadow = self.ledger.shadow(self.repo)?;
        for Changed { path, sealed, stamp, bytes } in changed {
            let mode = Mode::from_octal(&sealed.mode).unwrap_or(Mode::File);
            let wanted = match sealed.extent {
                Extent::Whole => Entry { mode, oid: sealed.oid.clone() },
                Extent::Part => {
                    let then = shadow.read_blob(&sealed.oid)?;
                    let Some((text, _)) = with_seal(path, &then, bytes.as_deref()) else {
                        fine.extend(stamp.map(|stamp| (path.clone(), stamp)));
                        continue;
                    };
                    Entry { mode, oid: shadow.write_blob(&text)? }
                }
            };
            let saved = bytes.map(|bytes| self.save(path, &bytes)).transpose()?;
            restore(&shadow, root, path, wanted)?;
            back.push(Tampered { path: path.clone(), saved });
        }
        Ok((back, fine))
    }

    /// Nothing of anybody's is lost: what stood in the place of a sealed file is kept.
    fn save(&self, path: &str, bytes: &[u8]) -> Result<String, GuardError> {
        let folder = self.ledger.folder().join("put-back");
        fs::create_dir_all(&folder).map_err(io_at("make", &folder))?;
        let name = path.replace('/', "_");
        let free = |n: &u32| !folder.join(format!("{n}-{name}")).exists();
        let n = (1..=u32::MAX).find(free).unwrap_or_default();
        let file = folder.join(format!("{n}-{name}"));
        fs::write(&file, bytes).map_err(io_at("write", &file))?;
        Ok(file.to_string_lossy().into_owned())
    }

    fn stamps(&self) -> PathBuf {
        self.ledger.folder().join("stamps.json")
    }

    fn known(&self) -> BTreeMap<String, Stamp> {
        let bytes = fs::read(self.stamps()).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

/// Folders that were looked at: many sealed files stand in one.
struct Folders<'a> {
    root: &'a Path,
    /// Whether a folder stands in the checkout: a link on the way leads elsewhere.
    inside: BTreeMap<PathBuf, bool>,
}

impl Folders<'_> {
    fn is_inside(&mut self, folder: &Path) -> bool {
        if folder == self.root {
            return true;
        }
        if let Some(known) = self.inside.get(folder) {
            return *known;
        }
        let real = fs::symlink_metadata(folder).is_ok_and(|about| !about.is_symlink());
        let is = real && folder.parent().is_some_and(|above| self.is_inside(above));
        self.inside.insert(folder.to_owned(), is);
        is
    }

    /// None where the file is not to be found inside the checkout.
    fn stamp(&mut self, disk: &Path) -> Option<Stamp> {
        if !disk.parent().is_some_and(|folder| self.is_inside(folder)) {
            return None;
        }
        let about = fs::symlink_metadata(disk).ok()?;
        let ns = |s: i64, ns: i64| s.saturating_mul(1_000_000_000).saturating_add(ns);
        Some(Stamp {
            node: about.ino(),
            size: about.size(),
            mode: about.mode(),
            written: ns(about.mtime(), about.mtime_nsec()),
            changed: ns(about.ctime(), about.ctime_nsec()),
        })
    }
}

fn restore(shadow: &Shadow, root: &Path, path: &str, entry: Entry) -> Result<(), GuardError> {
    let wanted: Listing = [(path.to_owned(), entry)].into();
    match put(shadow, root, &wanted, &Listing::new()) {
        Ok(_) => Ok(()),
        Err(proctor_world::tree::TreeError::Io { source, .. })
            if source.kind() == ErrorKind::AlreadyExists =>
        {
            // Somebody writes at this moment: the next event sees to it.
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
