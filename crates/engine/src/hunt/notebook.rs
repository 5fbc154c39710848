//! Where the notebook of a repository is kept: a history of its own in the journal, and files that are made from it. Many
//! may write at once: each record is made from what is there at that moment, or not at all.

use proctor_core::hunt::{HuntEvent, Notebook, bugs_json, entrypoints_json, fixes_json, page};
use proctor_core::words::{Millis, RunId};
use proctor_journal::{AppendError, Journal, JournalError, Lease, LeaseError, Recorded};
use proctor_lab::Home;
use proctor_lab::crash;
use proctor_world::files::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Lease(#[from] LeaseError),
    #[error("{} can't be written: {source}\nhint: name a folder that you may write to", path.display())]
    File { path: PathBuf, source: io::Error },
}

/// The notebook of one repository.
#[derive(Clone, Debug)]
pub struct Ledger {
    home: Home,
    name: RunId,
}

impl Ledger {
    /// The notebook of the repository with this git folder.
    pub fn of(home: &Home, git_dir: &Path) -> Self {
        let hash = hex(&Sha256::digest(git_dir.to_string_lossy().as_bytes()));
        let short = hash.get(..12).unwrap_or(&hash);
        Self { home: home.clone(), name: RunId::new(format!("notebook-{short}")) }
    }

    /// What tells the notebooks of two repositories apart.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    pub fn read(&self) -> Result<Notebook, LedgerError> {
        Ok(self.replay(&Journal::open(self.home.root())?)?.0)
    }

    /// Records what follows from the notebook as it is now. Where somebody else wrote meanwhile it is worked out again.
    /// Gives the facts with the notebook that they led to; none where nothing followed.
    pub fn record(
        &self,
        decide: impl Fn(&Notebook) -> Vec<HuntEvent>,
    ) -> Result<(Vec<HuntEvent>, Notebook), LedgerError> {
        let journal = Journal::open(self.home.root())?;
        loop {
            let (mut book, seq) = self.replay(&journal)?;
            let events = decide(&book);
            if events.is_empty() {
                return Ok((events, book));
            }
            let at = now();
            match journal.append_unlisted(&self.name, seq, &events, at) {
                Ok(_) => {
                    for event in &events {
                        book.fold(event, at);
                    }
                    crash::hunted(&events, "recorded");
                    self.write_files()?;
                    crash::hunted(&events, "exported");
                    return Ok((events, book));
                }
                Err(AppendError::Moved { .. }) => {}
                Err(AppendError::Journal(error)) => return Err(error.into()),
            }
        }
    }

    /// Takes a piece of work for this process; none where another one has it. Held for as long as the value lives.
    pub fn take(&self, work: &str) -> Result<Option<Lease>, LedgerError> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let hash = hex(&Sha256::digest(work.as_bytes()));
        let start: String = work.chars().map(plain).take(24).collect();
        let name = format!("{}-{start}-{}", self.name, hash.get(..8).unwrap_or(&hash));
        match Lease::take(self.home.root(), &RunId::new(name)) {
            Ok(lease) => Ok(Some(lease)),
            Err(LeaseError::Held { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the notebook as files into a folder. What others added to a bug's page stays.
    pub fn export(&self, folder: &Path) -> Result<Notebook, LedgerError> {
        let journal = Journal::open(self.home.root())?;
        fs::create_dir_all(folder.join("bugs")).map_err(at(folder))?;
        let lock = folder.join(".lock");
        let file = File::create(&lock).map_err(at(&lock))?;
        file.lock().map_err(at(&lock))?;
        // Read under the lock: an older notebook never takes the place of a newer one.
        let book = self.replay(&journal)?.0;
        for (name, value) in [
            ("bugs.json", bugs_json(&book)),
            ("fixes.json", fixes_json(&book)),
            ("entrypoints.json", entrypoints_json(&book)),
        ] {
            put(&folder.join(name), &pretty(&value))?;
        }
        for bug in &book.bugs {
            let path = folder.join("bugs").join(format!("{}.md", bug.id));
            let there = fs::read_to_string(&path).unwrap_or_default();
            let text = continued(&there, &page(bug));
            if text != there {
                put(&path, &text)?;
            }
        }
        Ok(book)
    }

    /// The files in our own home.
    fn write_files(&self) -> Result<(), LedgerError> {
        self.export(&self.folder()).map(|_| ())
    }

    /// Where the files are that are always up to date.
    pub fn folder(&self) -> PathBuf {
        self.home.hunt(self.name.as_str())
    }

    fn replay(&self, journal: &Journal) -> Result<(Notebook, u64), JournalError> {
        let history: Vec<Recorded<HuntEvent>> = journal.history(&self.name)?;
        let seq = history.last().map_or(0, |recorded| recorded.seq);
        let facts = history.iter().map(|recorded| (&recorded.body, recorded.at));
        Ok((Notebook::replay(facts), seq))
    }
}

/// A page with the parts that it does not have yet. Nothing that is there goes away.
fn continued(there: &str, parts: &[String]) -> String {
    let whole = parts.join("\n");
    if there.is_empty() || whole.starts_with(there) {
        return whole;
    }
    let mut text = there.to_owned();
    // Two parts may be alike: each stands for itself.
    let mut rest = there;
    for part in parts {
        if let Some(place) = rest.find(part.as_str()) {
            rest = rest.get(place + part.len()..).unwrap_or_default();
        } else {
            if !text.ends_with("\n\n") {
                text.push('\n');
            }
            text.push_str(part);
        }
    }
    text
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Whole or not at all.
fn put(path: &Path, text: &str) -> Result<(), LedgerError> {
    let part = path.with_extension("part");
    fs::write(&part, text).map_err(at(&part))?;
    fs::rename(&part, path).map_err(at(path))
}

fn at(path: &Path) -> impl Fn(io::Error) -> LedgerError {
    let path = path.to_owned();
    move |source| LedgerError::File { path: path.clone(), source }
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::hunt::FoundBy;

    fn ledger(home: &Path) -> Ledger {
        Ledger::of(&Home::at(home), Path::new("/repo/.git"))
    }

    fn added(path: &str) -> HuntEvent {
        let by = FoundBy::Person;
        HuntEvent::EntrypointsAdded {
            entrypoints: vec![path.to_owned()],
            by,
            reasoning: String::new(),
        }
    }

    #[test]
    fn s2_27_two_hunts_at_once_lose_no_entry_point() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for who in 0..4 {
                let ledger = ledger(dir.path());
                scope.spawn(move || {
                    for n in 0..5 {
                        ledger.record(|_| vec![added(&format!("{who}-{n}.py"))]).unwrap();
                    }
                });
            }
        });
        let ledger = ledger(dir.path());
        assert_eq!(ledger.read().unwrap().queue.len(), 20);
        let text = fs::read_to_string(ledger.folder().join("entrypoints.json")).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["entrypoints"].as_array().unwrap().len(), 20);
    }

    #[test]
    fn work_that_somebody_has_is_not_given_twice() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = ledger(dir.path());
        let first = ledger.take("src/a.py").unwrap();
        assert!(first.is_some() && ledger.take("src/a.py").unwrap().is_none());
        assert!(ledger.take("src/b.py").unwrap().is_some());
        drop(first);
        assert!(ledger.take("src/a.py").unwrap().is_some());
    }

    #[test]
    fn s2_21_a_page_is_only_added_to() {
        let parts = ["# a\n".to_owned(), "## one\n\nx\n".to_owned()];
        assert_eq!(continued("", &parts), "# a\n\n## one\n\nx\n");
        let own = "# a\n\nmy own words\n";
        assert_eq!(continued(own, &parts), "# a\n\nmy own words\n\n## one\n\nx\n");
        let both = [parts[0].clone(), parts[1].clone(), parts[1].clone()];
        let once = "# a\n\n## one\n\nx\n\nmine\n";
        assert_eq!(continued(once, &both), "# a\n\n## one\n\nx\n\nmine\n\n## one\n\nx\n");
    }
}
