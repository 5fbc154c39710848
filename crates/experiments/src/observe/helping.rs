//! Functions that help tests: assertions stand there too. They are rewritten where they stand, once, and tell what they see
//! of the copy that is just running; where none is, they assert as they are written. Each language says which they are.

use super::{Aid, Channel, Observer, Observing, Source, lines, observer, put};
use proctor_core::observation::HELPERS;
use proctor_lang::{Edit, Language, Zone, zone};
use std::collections::{BTreeMap, BTreeSet};

/// In the place of a sample's number: lines of a function that helps.
pub const HELPER: usize = usize::MAX;

/// So many places of one file ask something at most.
const PLACES: usize = 1000;

/// What may help the tests of a file.
#[derive(Clone, Copy, Debug)]
pub struct Helping<'a> {
    /// The files of tests around it, by path.
    pub files: &'a BTreeMap<String, String>,
    /// The functions that are left as they are, since the language does not take them otherwise.
    pub left_out: &'a BTreeSet<usize>,
}

/// Whether functions of a file can help the tests of another without a word.
pub fn may_help(file: &str, other: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(f, _)| f.to_owned());
    // A package is a folder in these.
    let of_tests = |path: &str| match Language::of(path) {
        Some(Language::Go) => path.ends_with("_test.go"),
        Some(Language::Java) => zone(path) == Zone::Test,
        _ => false,
    };
    let same = folder(file) == folder(other) && Language::of(file) == Language::of(other);
    file != other && same && of_tests(file) && of_tests(other)
}

/// A file without tests that are observed, with the functions of it that help others.
pub fn helpers(
    file: &str,
    text: &str,
    (channel, helping): (&Channel, &Helping<'_>),
) -> Option<Observing> {
    let (language, observer) = observer(file)?;
    let tree = language.parse(text)?;
    let mut source = Source::new(file, text, &tree, language);
    source.helped = helping.names(file, text);
    let edits = helping.edits(&*observer, &source);
    if edits.is_empty() {
        return None;
    }
    let text = Edit::applied(text, &edits);
    let beside = observer.beside(&source, channel);
    Some(Observing { lines: lines(&text, &[]), text, beside, samples: Vec::new() })
}

impl Helping<'_> {
    /// The number of a file's first place.
    fn first(&self, file: &str) -> usize {
        let before = self.files.keys().take_while(|path| path.as_str() < file).count();
        HELPERS.unsigned_abs() as usize + PLACES * before
    }

    /// The names of all functions that help a file's tests.
    pub(super) fn names(&self, file: &str, text: &str) -> BTreeSet<String> {
        let around = self.files.iter().filter(|(path, _)| may_help(file, path));
        let all = around.map(|(path, text)| (path.as_str(), text.as_str()));
        std::iter::once((file, text))
            .chain(all)
            .flat_map(|(path, text)| self.of(path, text))
            .collect()
    }

    fn of(&self, file: &str, text: &str) -> Vec<String> {
        let Some((language, observer)) = observer(file) else { return Vec::new() };
        let Some(tree) = language.parse(text) else { return Vec::new() };
        let first = self.first(file);
        let all = observer.helpers(&Source::new(file, text, &tree, language), first);
        let kept =
            all.into_iter().enumerate().filter(|(n, _)| !self.left_out.contains(&(first + n)));
        kept.map(|(_, helper)| helper.name).collect()
    }

    /// What makes the functions of a file tell what they see.
    pub(super) fn edits(&self, observer: &dyn Observer, source: &Source<'_>) -> Vec<Edit> {
        let first = self.first(source.file);
        let all = observer.helpers(source, first).into_iter().zip(first..);
        let kept = all.filter(|(_, number)| !self.left_out.contains(number));
        let marked = |(helper, number): (Aid, usize)| {
            let (from, to) = (helper.span.start, helper.span.end);
            let mut edits = vec![put(from, from, format!("/* {} */ ", begins(number)))];
            edits.extend(helper.edits);
            edits.push(put(to, to, format!(" /* {ENDS} */")));
            edits
        };
        kept.flat_map(marked).collect()
    }
}

/// Stands in the line where a function ends that helps.
const ENDS: &str = "ob_helped_";

/// Stands in the line where it begins.
fn begins(number: usize) -> String {
    format!("ob_helps_{number}_")
}

/// The number of a function that helps and begins in this line.
pub(super) fn beginning(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("/* ob_helps_")?;
    rest.split('_').next()?.parse().ok()
}

/// Whether a function that helps ends in this line.
pub(super) fn ends(line: &str) -> bool {
    line.contains(&format!("/* {ENDS} */"))
}
