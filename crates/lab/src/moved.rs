//! A tree that its child sees at another path than it stands at: Python's as an installed package does, others as a checkout.
//! What the child is told names that path, and what it says is put into the words of here again.

use crate::suite::{Bench, Suite};
use proctor_world::child::Launch;
use proctor_world::sandbox::{Private, Strength};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the folder of a gate is seen.
const WORK: &str = "/srv/work";
const INSTALLED: &str = "/srv/app/venv/lib/python3/site-packages";
const CHECKOUT: &str = "/srv/src/checkout";
/// A report that is longer is left as it is.
const MOST_BYTES: u64 = 64 << 20;

/// Folders and where they are seen, inner ones first.
pub(crate) struct Moved([(PathBuf, &'static str); 2]);

impl Moved {
    pub(crate) fn new(suite: &Suite, root: &Path, place: &Path) -> Self {
        let is_python = suite.benches.iter().all(Bench::is_python);
        let tree = if is_python { INSTALLED } else { CHECKOUT };
        Self([(root.to_owned(), tree), (place.to_owned(), WORK)])
    }

    /// The same launch as seen from there. A level that can't show a folder elsewhere leaves it where it is.
    pub(crate) fn launch(&self, mut launch: Launch) -> Launch {
        let Some(bounds) = &mut launch.bounds else { return launch };
        if bounds.level.strength() != Strength::Strong {
            return launch;
        }
        for (from, at) in &self.0 {
            bounds.private.push(Private { at: (*at).into(), from: from.clone() });
        }
        launch.cwd = self.there(launch.cwd.as_os_str()).into();
        launch.argv = launch.argv.iter().map(|word| self.there(word)).collect();
        launch.env = launch.env.iter().map(|(k, v)| (k.clone(), self.there(v))).collect();
        launch
    }

    fn there(&self, word: &OsStr) -> OsString {
        let Some(text) = word.to_str() else { return word.to_owned() };
        let seen = |text: String, (from, at): &(PathBuf, &str)| match from.to_str() {
            Some(from) => text.replace(from, at),
            None => text,
        };
        self.0.iter().fold(text.to_owned(), seen).into()
    }

    /// What was said there, in the words of here.
    pub(crate) fn here(&self, said: Vec<u8>) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(&said) else { return said };
        if !self.0.iter().any(|(_, at)| text.contains(at)) {
            return said;
        }
        let put = |text: String, (from, at): &(PathBuf, &str)| match from.to_str() {
            Some(from) => text.replace(at, from),
            None => text,
        };
        self.0.iter().fold(text.to_owned(), put).into_bytes()
    }

    /// The same for the reports in a folder.
    pub(crate) fn reports_here(&self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_report = |about: fs::Metadata| about.is_file() && about.len() <= MOST_BYTES;
            if !entry.metadata().is_ok_and(is_report) {
                continue;
            }
            // What can't be read or written stays as it is, and its tests count as not run.
            let Ok(said) = fs::read(entry.path()) else { continue };
            let told = self.here(said.clone());
            if told != said {
                let _ = fs::write(entry.path(), told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_others_there_and_the_same_again_here() {
        let moved = Moved::new(&Suite::default(), Path::new("/g/v/tree"), Path::new("/g/v"));
        let there = moved.there(OsStr::new("--x=/g/v/tree/a.py:/g/v/scratch"));
        assert_eq!(there, OsString::from(format!("--x={INSTALLED}/a.py:{WORK}/scratch")));
        let here = moved.here(there.into_encoded_bytes());
        assert_eq!(here, b"--x=/g/v/tree/a.py:/g/v/scratch");
    }
}
