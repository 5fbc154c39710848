//! Held-out tests: which ones, what the coder is shown in their place, and how they come back when its turn is over. The
//! worktree of the coder never holds them; every gate does.

mod choice;

use super::policy::{is_rust, may_hold_tests, parts};
use super::{Halt, Job};
use proctor_core::item::TestItem;
use proctor_core::proof::Anchor;
use proctor_core::words::{Phase, Role, TestId, TreeId};
use proctor_experiments::is_executable_source;
use proctor_lab::Suite;
use proctor_lab::disk::write;
use proctor_lab::sources;
use proctor_lang::{MemoryTree, Zone, join_rust, without_tests, zone};
use proctor_tools::is_manifest;
use proctor_world::listing::{Entry, Listing, on_disk};
use proctor_world::overlay::Place;
use proctor_world::shadow::Shadow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// A shorter word of a test says nothing about it.
const SHORTEST: usize = 4;

/// A tree as somebody is shown it.
pub(super) struct View {
    pub(super) tree: TreeId,
    pub(super) whole: TreeId,
    /// What is shown in the place of each file that is not shown as it is; nothing where it is not there at all.
    hidden: BTreeMap<String, Option<Entry>>,
    /// Names and other telling words that stand only in what is hidden.
    words: BTreeSet<String>,
    /// Tests that could not be taken out of their file by themselves.
    stuck: BTreeSet<TestId>,
}

impl View {
    /// Everything.
    pub(super) fn of_all(tree: &TreeId) -> Self {
        Self {
            tree: tree.clone(),
            whole: tree.clone(),
            hidden: BTreeMap::new(),
            words: BTreeSet::new(),
            stuck: BTreeSet::new(),
        }
    }

    fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Whether a file is shown otherwise than it is.
    pub(super) fn alters(&self, path: &str) -> bool {
        self.hidden.contains_key(path)
    }

    /// Files that are not shown at all.
    fn unseen_files(&self) -> Vec<String> {
        self.hidden
            .iter()
            .filter(|(_, shown)| shown.is_none())
            .map(|(path, _)| path.clone())
            .collect()
    }
}

/// What a view is made of.
struct Ground<'a> {
    shadow: &'a Shadow,
    suite: &'a Suite,
    base: TreeId,
}

impl Ground<'_> {
    /// A tree without these tests.
    fn without(&self, tree: &TreeId, held: &[TestId]) -> Result<View, Halt> {
        let mut view = View::of_all(tree);
        if held.is_empty() {
            return Ok(view);
        }
        let touched: Vec<String> = self
            .shadow
            .changed(&self.base, tree)?
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| may_hold_tests(path))
            .collect();
        let (base, listing) = (self.shadow.list(&self.base)?, self.shadow.list(tree)?);
        let texts = sources(self.shadow, &listing, |path| {
            is_manifest(path) || touched.iter().any(|t| t == path)
        })?;
        let mut names = Vec::new();
        let mut plain = Vec::new();
        for path in touched.iter().filter(|path| listing.contains_key(*path)) {
            let items = self.suite.items(&texts, std::slice::from_ref(path));
            let (out, kept): (Vec<TestItem>, Vec<TestItem>) =
                items.into_iter().partition(|item| held.contains(&item.id));
            if out.is_empty() {
                plain.push((path, kept.is_empty()));
                continue;
            }
            names.extend(out.iter().map(|item| item.id.name().to_owned()).filter(|n| n.len() > 5));
            let new = !base.contains_key(path);
            let shown = if kept.is_empty() && new && zone(path) == Zone::Test {
                None
            } else {
                self.cut(&mut view, path, (&texts, &listing), &out)?
            };
            view.hidden.insert(path.clone(), shown);
        }
        // Recorded expectations and data that speak of a hidden test go with it.
        for (path, data) in plain {
            let text = text_of(&texts, path);
            let speaks = names
                .iter()
                .any(|name| text.contains(name.as_str()) || path.contains(name.as_str()));
            if data && speaks && zone(path) == Zone::Test && !base.contains_key(path) {
                view.hidden.insert(path.clone(), None);
            }
        }
        self.finish(view, &texts, &listing)
    }

    /// What is shown of a file that also holds other things; what can't be cut is hidden with all that the tester wrote there.
    fn cut(
        &self,
        view: &mut View,
        path: &str,
        (texts, listing): (&MemoryTree, &Listing),
        out: &[TestItem],
    ) -> Result<Option<Entry>, Halt> {
        let text = text_of(texts, path);
        let lines: Vec<u32> = out.iter().filter_map(|item| item.place.line).collect();
        let left = (lines.len() == out.len()).then(|| without_tests(path, &text, &lines)).flatten();
        let base = self.shadow.list(&self.base)?;
        let Some(entry) = listing.get(path) else { return Ok(None) };
        let left = if let Some(left) = left {
            left
        } else {
            view.stuck.extend(out.iter().map(|item| item.id.clone()));
            if zone(path) == Zone::Test {
                return Ok(base.get(path).cloned());
            }
            let old = base.get(path).map(|entry| self.shadow.read_blob(&entry.oid));
            let old = old.transpose()?.unwrap_or_default();
            join_rust(&text, &parts(&String::from_utf8_lossy(&old)).tests)
        };
        let oid = self.shadow.write_blob(left.as_bytes())?;
        Ok(Some(Entry { mode: entry.mode, oid }))
    }

    /// The tree of a view, and the words that it keeps back.
    fn finish(&self, mut view: View, texts: &MemoryTree, whole: &Listing) -> Result<View, Halt> {
        if !view.hides() {
            return Ok(view);
        }
        let mut listing = whole.clone();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (path, shown) in &view.hidden {
            match shown {
                Some(entry) => {
                    let text = self.shadow.read_blob(&entry.oid)?;
                    seen.extend(telling(&String::from_utf8_lossy(&text)));
                    listing.insert(path.clone(), entry.clone());
                }
                None => {
                    listing.remove(path);
                }
            }
        }
        for path in texts.0.keys().filter(|path| !view.hidden.contains_key(*path)) {
            seen.extend(telling(&text_of(texts, path)));
        }
        for path in view.hidden.keys() {
            view.words.extend(telling(&text_of(texts, path)));
        }
        view.words.retain(|word| !seen.contains(word));
        view.tree = self.shadow.write_tree(&listing)?;
        Ok(view)
    }
}

/// Whether the agent of a phase is the coder, or tells the coder what it thinks.
pub(super) fn shown_as_to_a_coder(phase: Phase) -> bool {
    matches!(phase.role(), Role::Coder | Role::Diagnostician)
}

impl Job {
    /// What the agent of a phase is shown of a tree: all of it, but for a coder from whom tests are held out.
    pub(super) fn view(&self, shadow: &Shadow, phase: Phase, tree: &TreeId) -> Result<View, Halt> {
        let held = self.run.stage.anchor().map_or(&[][..], Anchor::unseen);
        if !shown_as_to_a_coder(phase) || held.is_empty() {
            return Ok(View::of_all(tree));
        }
        let suite = self.suite(shadow, &MemoryTree::default())?;
        let base = shadow.tree_of(&self.run.base)?;
        Ground { shadow, suite: &suite, base }.without(tree, held)
    }

    /// Makes sure that nothing of an earlier turn speaks of what this one is not shown: compiled tests, caches, commits of
    /// the agent's own. The folder is made anew when somebody else was in it.
    pub(super) fn without_traces(&self, shadow: &Shadow, view: &View) -> Result<(), Halt> {
        let mark = self.shop.home.run(&self.id).join("coder-was-last");
        if !view.hides() {
            return match std::fs::remove_file(&mark) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    Err(Halt::io("could not remove", &mark, &e))
                }
                _ => Ok(()),
            };
        }
        if mark.exists() {
            return Ok(());
        }
        proctor_world::worktree::remove(self.shop.home.root(), &self.worktree())?;
        let worktree = self.make_worktree(shadow)?;
        let suite = self.suite(shadow, &MemoryTree::default())?;
        self.furnish((&worktree, Place::Here), &suite, Instant::now())?;
        write(&mark, b"")
    }

    /// What a turn left, with what was hidden from it in its place.
    pub(super) fn whole_again(
        &self,
        shadow: &Shadow,
        view: &View,
        mut listing: Listing,
    ) -> Result<Listing, Halt> {
        let whole = shadow.list(&view.whole)?;
        for (path, shown) in &view.hidden {
            let Some(full) = whole.get(path) else { continue };
            let now = listing.get(path).cloned();
            let entry = match now {
                // The coder may have changed the production part of the same file.
                Some(now)
                    if is_rust(path)
                        && zone(path) != Zone::Test
                        && Some(&now) != shown.as_ref() =>
                {
                    let file = on_disk(&self.worktree(), path);
                    let bytes =
                        std::fs::read(&file).map_err(|e| Halt::io("could not read", &file, &e))?;
                    let sealed = shadow.read_blob(&full.oid)?;
                    let tests = parts(&String::from_utf8_lossy(&sealed)).tests;
                    let text = join_rust(&String::from_utf8_lossy(&bytes), &tests);
                    Entry { mode: now.mode, oid: shadow.write_blob(text.as_bytes())? }
                }
                _ => full.clone(),
            };
            listing.insert(path.clone(), entry);
        }
        Ok(listing)
    }

    /// Words of somebody who saw everything, for somebody who must not: lines that speak of what is hidden are left out.
    pub(super) fn discreet(
        &self,
        shadow: &Shadow,
        view: &View,
        text: &str,
    ) -> Result<String, Halt> {
        let held = self.run.stage.anchor().and_then(Anchor::held_out);
        let Some(held) = held.filter(|_| view.hides()) else { return Ok(text.to_owned()) };
        let mut words: BTreeSet<String> =
            telling(text).filter(|w| view.words.contains(w)).collect();
        if !words.is_empty() {
            // What the shown files say too is no secret.
            let listing = shadow.list(&self.recorded_tree(shadow)?)?;
            let shown = |path: &str| !view.alters(path) && is_executable_source(path);
            for (path, bytes) in sources(shadow, &listing, shown)?.0 {
                if shown(&path) {
                    telling(&String::from_utf8_lossy(&bytes)).for_each(|word| {
                        words.remove(&word);
                    });
                }
            }
        }
        let speaks =
            |line: &str| held.is_named_in(line) || telling(line).any(|w| words.contains(&w));
        let lines = text.lines().map(|line| {
            if speaks(line) { "[a line that speaks of held-out tests is left out]" } else { line }
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }
}

fn text_of(texts: &MemoryTree, path: &str) -> String {
    texts.0.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
}

/// Words that are no plain English: names with an underline, a digit or a capital inside, numbers of several digits.
fn telling(text: &str) -> impl Iterator<Item = String> + '_ {
    let odd = |word: &&str| {
        let inner = word.chars().skip(1);
        word.len() >= SHORTEST
            && (word.contains('_')
                || word.contains(|c: char| c.is_ascii_digit())
                || (inner.clone().any(char::is_uppercase) && word.chars().any(char::is_lowercase)))
    };
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(odd).map(str::to_owned)
}
