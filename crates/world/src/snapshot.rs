//! What a folder holds now, found by walking and hashing it ourselves. Ignore rules come from the base tree, not
//! from the folder: an agent can't hide work, or a changed test, behind rules of its own. Only reads.

use crate::files::{ObjectFormat, entry_of};
use crate::listing::{Entry, Listing, Mode, folders_above, on_disk, path_text};
use crate::shadow::Shadow;
use crate::tree::{TreeError, at};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use proctor_core::words::TreeId;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

/// The tree that a folder began as, with its ignore rules.
#[derive(Debug)]
pub struct BaseTree {
    pub tree: TreeId,
    pub listing: Arc<Listing>,
    format: ObjectFormat,
    folders: HashSet<String>,
    /// By the folder that holds the `.gitignore`; the top is the empty name.
    rules: HashMap<String, Gitignore>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub listing: Listing,
    /// What git can't hold (pipes, sockets, devices) and what could not be read.
    pub odd: Vec<String>,
}

impl BaseTree {
    pub fn read(shadow: &Shadow, tree: &TreeId) -> Result<Arc<Self>, TreeError> {
        if let Some(base) = shadow.known.base(tree) {
            return Ok(base);
        }
        let listing = shadow.list(tree)?;
        let mut folders = HashSet::new();
        for path in listing.keys() {
            for folder in folders_above(path) {
                if !folders.insert(folder.to_owned()) {
                    break;
                }
            }
        }
        let files: Vec<(&str, &str)> = listing
            .iter()
            .filter(|(_, entry)| matches!(entry.mode, Mode::File | Mode::Exec))
            .filter_map(|(path, entry)| {
                let folder = match path.strip_suffix(".gitignore")? {
                    "" => "",
                    folder => folder.strip_suffix('/')?,
                };
                Some((folder, entry.oid.as_str()))
            })
            .collect();
        let oids: Vec<&str> = files.iter().map(|(_, oid)| *oid).collect();
        let texts = shadow.read_blobs(&oids)?;
        let rules = files
            .iter()
            .zip(texts)
            .map(|((folder, _), text)| ((*folder).to_owned(), rules_of(&text)))
            .collect();
        let base =
            Arc::new(Self { tree: tree.clone(), format: shadow.format(), listing, folders, rules });
        shadow.known.learn_base(tree, &base);
        Ok(base)
    }
}

fn rules_of(text: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(text);
    let mut builder = GitignoreBuilder::new("");
    for line in text.trim_start_matches('\u{feff}').lines() {
        // Git skips a line that it can't read, and so do we.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The rules in force in a folder, each with the length of its own folder's name.
type InForce<'a> = Rc<Vec<(usize, &'a Gitignore)>>;

/// What is looked for in a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Everything,
    /// The folder is ignored: only what the base lists counts.
    OnlyListed,
}

struct Place<'a> {
    path: String,
    look: Look,
    rules: InForce<'a>,
}

/// How many files a folder may hold beyond those of its base, and how large one may be. Git could hardly hold more,
/// and nobody could look at it.
const MOST_MORE: usize = 200_000;
const LARGEST: u64 = 1024 * 1024 * 1024;

struct Walk<'a> {
    dir: &'a Path,
    base: &'a BaseTree,
    todo: Vec<Place<'a>>,
    found: Vec<String>,
    odd: Vec<String>,
    /// How much of anything is looked at.
    most: usize,
}

/// Walks and hashes `dir`. A file that vanishes meanwhile is taken as not there.
pub fn snapshot(dir: &Path, base: &BaseTree) -> Result<Snapshot, TreeError> {
    fs::symlink_metadata(dir).map_err(at("read", dir))?;
    let most = base.listing.len() + MOST_MORE;
    let mut walk = Walk { dir, base, todo: Vec::new(), found: Vec::new(), odd: Vec::new(), most };
    walk.enter(String::new(), Look::Everything, &Rc::default());
    while let Some(place) = walk.todo.pop() {
        walk.visit(&place)?;
        if [walk.found.len(), walk.todo.len(), walk.odd.len()].iter().any(|many| *many > most) {
            return Err(TreeError::TooMany { dir: dir.to_owned(), most });
        }
    }
    let Walk { found, mut odd, .. } = walk;
    for path in &found {
        let about = fs::symlink_metadata(on_disk(dir, path));
        if let Some(about) = about.ok().filter(|about| about.is_file() && about.len() > LARGEST) {
            let (path, bytes) = (path.clone(), about.len());
            return Err(TreeError::TooLarge { path, bytes, most: LARGEST });
        }
    }
    let (left, right) = found.split_at(found.len() / 2);
    let (here, there) = thread::scope(|scope| {
        let other = scope.spawn(|| hash_all(dir, base.format, right));
        (hash_all(dir, base.format, left), other.join())
    });
    let Ok(there) = there else {
        let source = io::Error::other("a thread ended early");
        return Err(at("read", dir)(source));
    };
    let mut listing = Listing::new();
    for (path, hashed) in here.into_iter().chain(there) {
        match hashed {
            Ok(entry) => {
                listing.insert(path, entry);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => odd.push(path),
        }
    }
    let submodules = base.listing.iter();
    let submodules = submodules.filter(|(_, entry)| entry.mode == Mode::Submodule);
    listing.extend(submodules.map(|(path, entry)| (path.clone(), entry.clone())));
    odd.sort();
    Ok(Snapshot { listing, odd })
}

fn hash_all(
    dir: &Path,
    format: ObjectFormat,
    paths: &[String],
) -> Vec<(String, io::Result<Entry>)> {
    paths.iter().map(|path| (path.clone(), entry_of(format, &on_disk(dir, path)))).collect()
}

impl<'a> Walk<'a> {
    fn enter(&mut self, path: String, look: Look, above: &InForce<'a>) {
        let rules = match self.base.rules.get(&path) {
            None => Rc::clone(above),
            Some(own) => {
                let mut rules = above.as_ref().clone();
                rules.push((path.len(), own));
                Rc::new(rules)
            }
        };
        self.todo.push(Place { path, look, rules });
    }

    fn visit(&mut self, place: &Place<'a>) -> Result<(), TreeError> {
        let folder = on_disk(self.dir, &place.path);
        let Ok(entries) = fs::read_dir(&folder) else {
            self.odd.push(place.path.clone());
            return Ok(());
        };
        // One folder alone can hold more names than there is memory.
        let entries: Vec<_> = entries.flatten().take(self.most + 1).collect();
        if entries.len() > self.most {
            return Err(TreeError::TooMany { dir: folder, most: self.most });
        }
        let holds = |name: &str| entries.iter().any(|entry| entry.file_name() == name);
        let is_crate = holds("Cargo.toml");
        let is_cache = !place.path.is_empty() && holds("CACHEDIR.TAG") && is_cache(&folder);
        let look = if is_cache { Look::OnlyListed } else { place.look };
        for entry in &entries {
            let name = path_text(entry.file_name().as_bytes());
            if name.eq_ignore_ascii_case(".git") {
                continue;
            }
            let path =
                if place.path.is_empty() { name.clone() } else { format!("{}/{name}", place.path) };
            let listed = self.base.listing.get(&path);
            if listed.is_some_and(|entry| entry.mode == Mode::Submodule) {
                continue;
            }
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                let hidden = look == Look::OnlyListed
                    || is_litter_folder(&name, is_crate)
                    || is_ignored(&place.rules, &path, true);
                if !hidden {
                    self.enter(path, Look::Everything, &place.rules);
                } else if self.base.folders.contains(&path) {
                    self.enter(path, Look::OnlyListed, &place.rules);
                }
                continue;
            }
            let hidden = look == Look::OnlyListed
                || Path::new(&name).extension().is_some_and(|end| end == "pyc")
                || is_ignored(&place.rules, &path, false);
            if hidden && listed.is_none() {
                continue;
            }
            if kind.is_file() || kind.is_symlink() {
                self.found.push(path);
            } else {
                self.odd.push(path);
            }
        }
        Ok(())
    }
}

fn is_ignored(rules: &InForce<'_>, path: &str, is_dir: bool) -> bool {
    for (length, rules) in rules.iter().rev() {
        let inner = path[*length..].trim_start_matches('/');
        let found = rules.matched(on_disk(Path::new(""), inner), is_dir);
        if found.is_ignore() {
            return true;
        }
        if found.is_whitelist() {
            return false;
        }
    }
    false
}

/// Folders that tools fill and nobody commits.
fn is_litter_folder(name: &str, beside_cargo_toml: bool) -> bool {
    match name {
        "__pycache__" | ".pytest_cache" | "node_modules" | ".venv" => true,
        "target" => beside_cargo_toml,
        _ => false,
    }
}

/// Whether the folder's `CACHEDIR.TAG` is a true one.
fn is_cache(folder: &Path) -> bool {
    const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
    let tag = folder.join("CACHEDIR.TAG");
    if !fs::symlink_metadata(&tag).is_ok_and(|about| about.is_file()) {
        return false;
    }
    let mut start = [0; SIGNATURE.len()];
    File::open(tag)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == SIGNATURE)
}
