//! Where a link in a copied `node_modules` leads. Owns the rule that no link in the store leads into the user's
//! checkout: inside the repository it is a relative one, which leads to the same place in whatever folder is laid
//! out like the checkout. Only reads.

use super::NODE_MODULES;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The folders that are copied, and where their copies are in the store.
pub(super) struct Sources {
    checkout: PathBuf,
    /// The real `node_modules`, and its path from the top of the checkout.
    modules: Vec<(PathBuf, PathBuf)>,
}

impl Sources {
    pub(super) fn new(checkout: &Path, folders: &[PathBuf]) -> Self {
        let modules = folders
            .iter()
            .map(|folder| folder.join(NODE_MODULES))
            .filter_map(|inside| Some((checkout.join(&inside).canonicalize().ok()?, inside)))
            .collect();
        Self { checkout: checkout.to_owned(), modules }
    }

    /// The target of the copy of a link. `path` is the link's own from the top of the checkout, `here` where it is.
    pub(super) fn aim(&self, path: &Path, here: &Path, target: PathBuf) -> PathBuf {
        let above = path.parent().unwrap_or(Path::new(""));
        let Ok(real) = here.canonicalize() else {
            return self.aim_of_nothing(above, target);
        };
        match self.place(&real) {
            // Outside the repository: the same place from everywhere.
            None if target.is_relative() => real,
            None => target,
            Some(place) => {
                // As it was written where that leads there in the copy as well: links may go by way of links.
                let written = target.is_relative().then(|| plain(&above.join(&target))).flatten();
                let same = written.is_some_and(|written| {
                    self.checkout.join(written).canonicalize().is_ok_and(|there| there == real)
                });
                if same { target } else { relative(above, &place) }
            }
        }
    }

    /// A link that leads nowhere may lead somewhere one day, but never into the checkout.
    fn aim_of_nothing(&self, above: &Path, target: PathBuf) -> PathBuf {
        match target.strip_prefix(&self.checkout) {
            Ok(place) => relative(above, place),
            Err(_) => target,
        }
    }

    /// Where something real is from the top, if it is copied or in the repository.
    fn place(&self, real: &Path) -> Option<PathBuf> {
        for (modules, inside) in &self.modules {
            if let Ok(rest) = real.strip_prefix(modules) {
                return Some(inside.join(rest));
            }
        }
        real.strip_prefix(&self.checkout).ok().map(Path::to_owned)
    }
}

/// A path from the top without `.` and `..`; `None` where it leaves the top or does not begin there.
pub(super) fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// Whether a path from the top is inside a `node_modules`.
pub(super) fn is_installed(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == OsStr::new(NODE_MODULES))
}

/// The way from a folder to a place, both from the top.
fn relative(folder: &Path, place: &Path) -> PathBuf {
    let (mut from, mut to) = (folder.components().peekable(), place.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let mut way: PathBuf = from.map(|_| Component::ParentDir).collect();
    way.extend(to);
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_place_to_another_goes_up_and_then_down() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("node_modules/@x", "packages/a"), Path::new("../../packages/a"));
        assert_eq!(way("node_modules", "node_modules/.pnpm/a"), Path::new(".pnpm/a"));
        assert_eq!(way("node_modules", "node_modules"), Path::new("."));
        assert_eq!(way("", "a"), Path::new("a"));
    }

    #[test]
    fn a_path_that_leaves_the_top_has_no_plain_form() {
        assert_eq!(plain(Path::new("a/../b/./c")), Some(PathBuf::from("b/c")));
        assert_eq!(plain(Path::new("a/../../b")), None);
        assert_eq!(plain(Path::new("/a")), None);
    }
}
