//! What a change would bring in that nobody reads in a diff: large files, files that are no text, names and characters that
//! do not show, files that can be executed. Each is for a person to accept.

use super::Halt;
use proctor_core::concern::{Concern, Raised};
use proctor_core::words::TreeId;
use proctor_experiments::hidden_characters;
use proctor_lab::sources_within;
use proctor_world::listing::{Change, Listing, Mode, is_raw_name};
use proctor_world::shadow::Shadow;
use std::collections::{BTreeMap, BTreeSet};

/// What is larger is no source that a person reads.
const LARGE: usize = 1024 * 1024;
/// What is larger is not read at all.
const MOST_READ: u64 = 16 * 1024 * 1024;
/// How many lines of one file are named.
const MOST_LINES: usize = 5;

/// One side of the change, as far as it differs.
struct Side {
    listing: std::sync::Arc<Listing>,
    texts: BTreeMap<String, Vec<u8>>,
    larger: BTreeSet<String>,
}

impl Side {
    fn read(shadow: &Shadow, tree: &TreeId, touched: &BTreeSet<String>) -> Result<Self, Halt> {
        let listing = shadow.list(tree)?;
        let wanted = |path: &str| touched.contains(path);
        let (texts, larger) = sources_within(shadow, &listing, MOST_READ, wanted)?;
        Ok(Self { listing, texts: texts.0, larger })
    }

    fn is_large(&self, path: &str) -> bool {
        let long = |bytes: &Vec<u8>| bytes.len() > LARGE;
        self.larger.contains(path) || self.texts.get(path).is_some_and(long)
    }

    fn mode(&self, path: &str) -> Option<Mode> {
        self.listing.get(path).map(|entry| entry.mode)
    }

    /// The bytes of a plain file that could be read.
    fn bytes(&self, path: &str) -> Option<&[u8]> {
        let plain = matches!(self.mode(path), Some(Mode::File | Mode::Exec));
        self.texts.get(path).filter(|_| plain && !self.larger.contains(path)).map(Vec::as_slice)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.bytes(path).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }
}

/// What of a change a person must look at before it lands.
pub(super) fn raised(shadow: &Shadow, (from, to): (&TreeId, &TreeId)) -> Result<Vec<Raised>, Halt> {
    let changed = shadow.changed(from, to)?;
    let touched: BTreeSet<String> = changed.iter().map(|(path, _)| path.clone()).collect();
    let (old, new) = (Side::read(shadow, from, &touched)?, Side::read(shadow, to, &touched)?);
    let left = |change: Change| change != Change::Deleted;
    let mut found = Vec::new();
    for (path, change) in changed.iter().filter(|(_, change)| left(*change)) {
        found.extend(of_file(path, *change, (&old, &new)));
    }
    Ok(found)
}

fn of_file(path: &str, change: Change, (old, new): (&Side, &Side)) -> Vec<Raised> {
    let mut found = Vec::new();
    let mut add = |kind: Concern, text: String| found.push(Raised::new(kind, text));
    if new.is_large(path) && !old.is_large(path) {
        add(
            Concern::LargeFile,
            format!("{path} is larger than 1 MiB now; accepted: smaller files, or a reason"),
        );
    }
    let names = hidden_characters(path, &BTreeSet::from([1]));
    if change == Change::Added && (!names.is_empty() || is_raw_name(path)) {
        let what = names.into_iter().next().map_or_else(|| "it is no UTF-8".to_owned(), |n| n.1);
        add(
            Concern::OddName,
            format!("the name of {} does not show as it is: {what}", path.escape_unicode()),
        );
    }
    if new.mode(path) == Some(Mode::Exec) && old.mode(path) != Some(Mode::Exec) {
        add(Concern::Executable, format!("{path} can be executed now, and could not before"));
    }
    let is_binary = new.bytes(path).is_some_and(|bytes| bytes.contains(&0))
        || (new.bytes(path).is_some() && new.text(path).is_none());
    if is_binary {
        add(Concern::BinaryFile, format!("{path} is no text, so nobody reads it in a diff"));
    } else if let Some(text) = new.text(path) {
        let lines = crate::verify::differing(path, old.text(path).unwrap_or_default(), text);
        for (line, what) in hidden_characters(text, &lines).into_iter().take(MOST_LINES) {
            add(Concern::HiddenCharacters, format!("{path}:{line}: {what}"));
        }
    }
    found
}
