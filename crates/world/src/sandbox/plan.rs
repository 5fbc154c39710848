//! What stands where in the tree of files that a child sees: its bounds and the system, by real paths, and the links that
//! lead to them. Looks at the disk for links, and changes nothing.

use super::Bounds;
use super::bounds::{NAMED, SECRET, SYSTEM};
use rustix::io::Errno;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stands {
    Nothing,
    Read,
    /// Another folder, to be written.
    Shown(PathBuf),
    Write,
    /// A file to be read amid what is written.
    Sealed,
}

/// All of it, parents first.
#[derive(Debug, Default)]
pub(super) struct Plan {
    places: BTreeMap<PathBuf, Stands>,
    pub(super) links: BTreeMap<PathBuf, PathBuf>,
    /// Folders to be made where nothing else stands.
    pub(super) hollow: Vec<PathBuf>,
}

impl Plan {
    pub(super) fn of(bounds: &Bounds) -> Result<Self, String> {
        let mut plan = Self::default();
        for path in SECRET.iter().map(Path::new).chain(bounds.hide.iter().map(PathBuf::as_path)) {
            plan.add_if_there(path, &Stands::Nothing);
        }
        let read = SYSTEM.iter().chain(&NAMED).map(Path::new);
        for path in read.chain(bounds.read.iter().map(PathBuf::as_path)) {
            plan.add_if_there(path, &Stands::Read);
        }
        let refused =
            |path: &Path, why: &io::Error| format!("could not let {} in: {why}", path.display());
        for own in &bounds.private {
            let from = own.from.canonicalize().map_err(|why| refused(&own.from, &why))?;
            // Where it is to be seen there may be a link, or nothing.
            let at = follow(&own.at).map_or_else(|_| own.at.clone(), |(real, _)| real);
            plan.places.insert(at, Stands::Shown(from));
        }
        for path in &bounds.write {
            plan.add(path, Stands::Write).map_err(|why| refused(path, &why))?;
        }
        plan.settle();
        for path in &bounds.sealed {
            plan.seal(path);
        }
        let may_be_made = |path: &&PathBuf| match plan.at(path) {
            Stands::Nothing | Stands::Shown(_) => path.is_absolute(),
            Stands::Read | Stands::Write | Stands::Sealed => false,
        };
        plan.hollow = bounds.hollow.iter().filter(may_be_made).cloned().collect();
        Ok(plan)
    }

    /// Only a plain file that could be written else: a link would let in what it leads to.
    fn seal(&mut self, path: &Path) {
        let plain = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
        if plain
            && let Ok((real, _)) = follow(path)
            && *self.at(&real) == Stands::Write
        {
            self.places.insert(real, Stands::Sealed);
        }
    }

    /// What may be written may be read: a place to read does not close a part of it.
    fn settle(&mut self) {
        let written: Vec<PathBuf> = self
            .places
            .iter()
            .filter(|(path, stands)| {
                **stands == Stands::Read
                    && path
                        .ancestors()
                        .skip(1)
                        .filter_map(|above| self.places.get(above))
                        .find(|above| **above != Stands::Read)
                        == Some(&Stands::Write)
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in written {
            self.places.remove(&path);
        }
    }

    fn add_if_there(&mut self, path: &Path, stands: &Stands) {
        // What is not there, or can't be looked at, can't be let in either.
        let _ = self.add(path, stands.clone());
    }

    fn add(&mut self, path: &Path, stands: Stands) -> io::Result<()> {
        let (real, links) = follow(path)?;
        self.links.extend(links);
        let there = self.places.entry(real).or_insert(Stands::Nothing);
        if *there < stands {
            *there = stands;
        }
        Ok(())
    }

    /// What a path is part of.
    pub(super) fn at(&self, path: &Path) -> &Stands {
        path.ancestors().find_map(|above| self.places.get(above)).unwrap_or(&Stands::Nothing)
    }

    /// What has to be mounted: all that is not part of the same already.
    pub(super) fn mounts(&self) -> impl Iterator<Item = (&Path, &Stands)> {
        let differs = |(path, stands): &(&PathBuf, &Stands)| {
            let above = path.parent().map_or(&Stands::Nothing, |above| self.at(above));
            match (stands, above) {
                (Stands::Shown(_), _) => true,
                // A folder of the child's own holds nothing that had to be hidden.
                (Stands::Nothing, Stands::Shown(_)) => false,
                (stands, above) => *stands != above,
            }
        };
        self.places.iter().filter(differs).map(|(path, stands)| (path.as_path(), stands))
    }
}

/// Where a path really leads, and the links on the way.
fn follow(path: &Path) -> io::Result<(PathBuf, Vec<(PathBuf, PathBuf)>)> {
    let parts = |path: &Path| -> VecDeque<OsString> {
        path.components()
            .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
            .map(|part| part.as_os_str().to_owned())
            .collect()
    };
    let (mut real, mut links) = (PathBuf::from("/"), Vec::new());
    let mut todo = parts(path);
    while let Some(part) = todo.pop_front() {
        if part == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&part);
        match fs::read_link(&next) {
            Ok(target) => {
                if links.len() > 40 {
                    return Err(io::Error::other("too many links"));
                }
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                let mut rest = parts(&target);
                rest.append(&mut todo);
                todo = rest;
                links.push((next, target));
            }
            Err(why) if why.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => real = next,
            Err(why) => return Err(why),
        }
    }
    Ok((real, links))
}

#[cfg(test)]
mod tests {
    use super::super::{Caps, Level, Network, Otherwise, Private};
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_path_is_followed_through_links_of_links() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/real")).unwrap();
        symlink("a", root.join("b")).unwrap();
        symlink(root.join("b/real"), root.join("c")).unwrap();
        let (real, links) = follow(&root.join("c/.")).unwrap();
        assert_eq!(real, root.join("a/real"));
        let names: Vec<&OsStr> = links.iter().filter_map(|(link, _)| link.file_name()).collect();
        assert_eq!(names, ["c", "b"]);
        assert!(follow(&root.join("none")).is_err());
    }

    #[test]
    fn the_nearest_word_counts_and_what_is_written_is_not_closed_by_a_reader() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for path in ["a/own/part", "a/shown", "b"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        let plan = Plan::of(&Bounds {
            level: Level::None,
            write: vec![root.join("a/own")],
            sealed: Vec::new(),
            read: vec![root.join("a"), root.join("a/own/part")],
            hide: vec![root.clone(), root.join("a/shown")],
            hollow: vec![root.join("none"), root.join("a/own")],
            private: vec![Private { at: root.join("b"), from: root.join("a/shown") }],
            network: Network::Loopback,
            caps: Caps::default(),
            otherwise: Otherwise::default(),
        })
        .unwrap();
        assert_eq!(plan.hollow, [root.join("none")]);
        let at = |path: &str| plan.at(&root.join(path)).clone();
        assert_eq!(at("."), Stands::Nothing);
        assert_eq!(at("a/file"), Stands::Read);
        assert_eq!(at("a/shown/file"), Stands::Nothing);
        assert_eq!(at("a/own/part/file"), Stands::Write);
        assert_eq!(at("b"), Stands::Shown(root.join("a/shown")));
        let below: Vec<_> =
            plan.mounts().filter_map(|(path, _)| path.strip_prefix(&root).ok()).collect();
        assert_eq!(below, ["a", "a/own", "a/shown", "b"].map(Path::new));
    }

    #[test]
    fn only_a_plain_file_amid_what_is_written_is_sealed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for path in ["own/tests", "other"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        for path in ["own/tests/a.py", "other/secret"] {
            fs::write(root.join(path), "").unwrap();
        }
        symlink("../../other/secret", root.join("own/tests/link.py")).unwrap();
        symlink("../other", root.join("own/way")).unwrap();
        let named = ["own/tests/a.py", "own/tests/link.py", "own/way/secret", "own/tests", "none"];
        let plan = Plan::of(&Bounds {
            level: Level::None,
            write: vec![root.join("own")],
            sealed: named.map(|path| root.join(path)).into(),
            read: Vec::new(),
            hide: Vec::new(),
            hollow: Vec::new(),
            private: Vec::new(),
            network: Network::Loopback,
            caps: Caps::default(),
            otherwise: Otherwise::default(),
        })
        .unwrap();
        let sealed: Vec<_> =
            plan.mounts().filter(|(_, stands)| **stands == Stands::Sealed).collect();
        assert_eq!(sealed, [(root.join("own/tests/a.py").as_path(), &Stands::Sealed)]);
        assert_eq!(*plan.at(&root.join("other/secret")), Stands::Nothing);
    }
}
