//! What a tree holds: paths, modes and blob ids, and how two trees differ. Pure. Paths are text everywhere; a
//! name that is not UTF-8 is carried in private-use characters, so that nothing is lost on the way back to disk.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    File,
    Exec,
    Link,
    Submodule,
}

impl Mode {
    pub fn octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Exec => "100755",
            Self::Link => "120000",
            Self::Submodule => "160000",
        }
    }

    /// Reads git's octal mode. Old trees hold `100664`: a plain file.
    pub fn from_octal(text: &str) -> Option<Self> {
        match text {
            "100755" => Some(Self::Exec),
            "120000" => Some(Self::Link),
            "160000" => Some(Self::Submodule),
            text if text.starts_with("100") => Some(Self::File),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub mode: Mode,
    pub oid: String,
}

/// Every file of a tree by its path from the top, with `/` between names.
pub type Listing = BTreeMap<String, Entry>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Added,
    Modified,
    Deleted,
}

/// How `to` differs from `from`, in order of path.
pub fn changes(from: &Listing, to: &Listing) -> Vec<(String, Change)> {
    let mut all: BTreeMap<&str, Change> = BTreeMap::new();
    for (path, entry) in to {
        match from.get(path) {
            None => {
                all.insert(path, Change::Added);
            }
            Some(old) if old != entry => {
                all.insert(path, Change::Modified);
            }
            Some(_) => {}
        }
    }
    for path in from.keys().filter(|path| !to.contains_key(*path)) {
        all.insert(path, Change::Deleted);
    }
    all.into_iter().map(|(path, change)| (path.to_owned(), change)).collect()
}

/// The last 128 code points stand for the bytes 0x80 to 0xff of names that are not UTF-8.
const RAW: u32 = 0x10_ff00;

fn is_raw(c: char) -> bool {
    u32::from(c) >= RAW + 0x80
}

/// Whether a path holds bytes that are no UTF-8.
pub fn is_raw_name(path: &str) -> bool {
    path.chars().any(is_raw)
}

/// A path from disk or git as text.
pub fn path_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let raw =
        |byte: u8| char::from_u32(RAW + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_raw(c) {
                let mut buffer = [0; 4];
                text.extend(c.encode_utf8(&mut buffer).bytes().map(raw));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(raw));
    }
    text
}

/// The bytes that `path_text` was given.
pub fn path_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(u32::from(c).wrapping_sub(RAW)) {
            Ok(byte) if is_raw(c) => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Where a listed path is below `dir`.
pub fn on_disk(dir: &Path, path: &str) -> PathBuf {
    dir.join(OsStr::from_bytes(&path_bytes(path)))
}

/// Whether a path stays inside the tree and outside every `.git`.
pub fn is_lawful(path: &str) -> bool {
    !path.contains('\0')
        && path.split('/').all(|name| {
            !name.is_empty() && name != "." && name != ".." && !name.eq_ignore_ascii_case(".git")
        })
}

/// The folders above a path, the nearest first, without the top.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/').map(|(above, _)| above), |folder| {
        folder.rsplit_once('/').map(|(above, _)| above)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_utf8_survives_the_way_there_and_back() {
        for name in [
            b"plain.txt".to_vec(),
            "späße/ü b".into(),
            vec![b'a', 0xff, 0x80, b'/', 0xc3],
            "\u{10ffff}\u{10ff80}x".into(),
            vec![0xf4, 0x8f, 0xbf],
        ] {
            assert_eq!(path_bytes(&path_text(&name)), name, "{name:?}");
        }
    }

    #[test]
    fn a_path_that_leaves_the_tree_or_enters_git_is_not_lawful() {
        for path in ["../a", "a/../b", "/a", "a//b", ".git/config", "a/.GIT/x", "", "a/", "."] {
            assert!(!is_lawful(path), "{path}");
        }
        for path in ["a", "a/b", ".gitignore", "a/.github/x", "..a"] {
            assert!(is_lawful(path), "{path}");
        }
    }

    #[test]
    fn folders_are_named_from_the_nearest_up() {
        assert_eq!(folders_above("a/b/c").collect::<Vec<_>>(), ["a/b", "a"]);
        assert_eq!(folders_above("a").count(), 0);
    }
}
