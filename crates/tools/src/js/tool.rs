//! What the JavaScript tools have in common: where they are installed, the files of a run, the environment, and
//! which files and names a selection means.

use crate::ask::{Ask, Plan, Selection, base_env, slashed};
use crate::at_hand::AtHand;
use proctor_core::words::TestId;
use proctor_lang::child_file;
use proctor_lang::tree::{below, upward};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Our reporter's lines.
pub(crate) fn lines_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("js.jsonl")
}

/// Why test files could not be loaded, as their own processes wrote it down.
pub(crate) fn loads_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("js-loads.jsonl")
}

pub(crate) fn json_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("js-report.json")
}

pub(crate) fn junit_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("js-report.xml")
}

pub(crate) fn coverage_folder(ask: &Ask) -> PathBuf {
    ask.scratch.join("coverage")
}

pub(crate) fn lcov_file(ask: &Ask) -> PathBuf {
    coverage_folder(ask).join("lcov.info")
}

/// Where our reporter is put. It writes its lines into the folder above it.
pub(crate) fn reporter(ask: &Ask, name: &str) -> PathBuf {
    ask.scratch.join("plugin").join(name)
}

pub(crate) fn plan(ask: &Ask, name: &str, text: &str) -> Plan {
    Plan {
        files: vec![(reporter(ask, name), text.as_bytes().to_vec())],
        folders: vec![ask.home(), ask.temp(), ask.scratch.join("plugin"), coverage_folder(ask)],
    }
}

/// The workdir and the folders above it, relative to the tree's root, nearest first.
pub(crate) fn folders(ask: &Ask) -> Vec<String> {
    upward(&slashed(Path::new(&ask.subdir))).into_iter().map(str::to_owned).collect()
}

/// A file in the nearest `node_modules` that has it, inside the tree.
pub(crate) fn installed(ask: &Ask, file: &str) -> Option<PathBuf> {
    folders(ask)
        .iter()
        .map(|folder| ask.tree.join(below(folder, "node_modules")).join(file))
        .find(|path| path.is_file())
}

/// The version of an installed package.
pub(crate) fn version(ask: &Ask, package: &str) -> Option<(u32, u32)> {
    let manifest = installed(ask, &format!("{package}/package.json"))?;
    let text = child_file::read_to_string(manifest).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    let mut parts = value.get("version")?.as_str()?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// What to say where a tool is not there.
pub(crate) fn not_installed(ask: &Ask, package: &str) -> String {
    let manifest = folders(ask).into_iter().find_map(|folder| {
        let path = below(&folder, "package.json");
        let text = child_file::read_to_string(ask.tree.join(&path)).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let listed = ["dependencies", "devDependencies"]
            .iter()
            .any(|key| value.get(key).is_some_and(|list| list.get(package).is_some()));
        listed.then_some(path)
    });
    match manifest {
        Some(path) => format!(
            "{package} is not installed, though {path} lists it\n\
             hint: `npm ci` as a set-up command of the project brings it"
        ),
        None => format!(
            "{package} is not installed\nhint: `npm install --save-dev {package}` brings it"
        ),
    }
}

/// The first of these files in the workdir or above it, inside the tree.
pub(crate) fn configuration(ask: &Ask, names: &[String]) -> Option<PathBuf> {
    folders(ask).iter().find_map(|folder| {
        names.iter().map(|name| ask.tree.join(below(folder, name))).find(|path| path.is_file())
    })
}

/// The command with the programs of the tree's own packages before all others.
pub(crate) fn at_hand(ask: &Ask, words: &[&str]) -> AtHand {
    let mut at_hand = AtHand::of(ask, "node", words);
    let own =
        folders(ask).into_iter().map(|folder| ask.tree.join(below(&folder, "node_modules/.bin")));
    at_hand.path.splice(0..0, own.filter(|folder| folder.is_dir()));
    at_hand
}

pub(crate) fn environment(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let mut env = base_env(ask);
    // Snapshots are not written, and no tool waits for a person.
    env.insert("CI".into(), "1".into());
    env.insert("NO_COLOR".into(), "1".into());
    for unset in
        ["NODE_TEST_CONTEXT", "NODE_V8_COVERAGE", "NODE_PATH", "FORCE_COLOR", "UPDATE_SNAPSHOT"]
    {
        env.remove(&OsString::from(unset));
    }
    env
}

pub(crate) fn flag(name: &str, path: &Path) -> OsString {
    let mut text = OsString::from(name);
    text.push(path);
    text
}

/// The file of an id, relative to the tree's root.
pub(crate) fn file_of(id: &TestId) -> &str {
    let text = id.as_str();
    let stem = text.strip_suffix('…').unwrap_or(text);
    stem.split(" > ").next().unwrap_or(stem).trim_end()
}

/// The files of the selected tests.
pub(crate) fn selected_files(ask: &Ask) -> Option<BTreeSet<String>> {
    match &ask.only {
        Selection::All => None,
        Selection::Ids(ids) => Some(ids.iter().map(|id| file_of(id).to_owned()).collect()),
    }
}

/// A pattern of the full names of the selected tests: their titles joined by one space, as jest and vitest do. It may
/// match a few more; those are left out of the report.
pub(crate) fn name_pattern(ask: &Ask) -> Option<String> {
    let Selection::Ids(ids) = &ask.only else {
        return None;
    };
    let one = |id: &TestId| {
        let text = id.as_str();
        let stem = text.strip_suffix('…');
        let titles = stem.unwrap_or(text).split_once(" > ").map_or("", |(_, titles)| titles);
        let full = escaped(&titles.replace(" > ", " "));
        if stem.is_some() {
            return full;
        }
        // `… #2` is ours where the title itself does not end so.
        let bare = numbered(titles).map(|bare| escaped(&bare.replace(" > ", " ")));
        let either = bare.map_or(full.clone(), |bare| format!("(?:{full}|{bare})"));
        format!("{either}(?:[\\[/].*)?$")
    };
    let parts: Vec<String> = ids.iter().map(one).collect();
    Some(any_of(&parts))
}

/// vitest 1 puts a space before each full name: around a file is a suite without a name.
fn any_of(parts: &[String]) -> String {
    format!("^\\s?(?:{})", parts.join("|"))
}

/// The title before our number of a test whose name is used twice.
pub(crate) fn numbered(title: &str) -> Option<&str> {
    let (bare, number) = title.rsplit_once(" #")?;
    (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit())).then_some(bare)
}

pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\^$.|?*+()[]{}/-".contains(c) {
            out.push('\\');
        }
        // Tools fold line breaks in names, or not.
        if c.is_whitespace() { out.push_str("\\s") } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_its_file_and_its_full_name_as_a_pattern() {
        assert_eq!(file_of(&TestId::new("a/b.test.ts > x > y")), "a/b.test.ts");
        assert_eq!(file_of(&TestId::new("a/b.test.ts > x …")), "a/b.test.ts");
        assert_eq!(file_of(&TestId::new("a/b.test.ts…")), "a/b.test.ts");
        assert_eq!(escaped("adds (1+1)"), "adds\\s\\(1\\+1\\)");
        assert_eq!(any_of(&["a".to_owned(), "b".to_owned()]), "^\\s?(?:a|b)");
        assert_eq!(numbered("x #2"), Some("x"));
        assert_eq!(numbered("issue #x"), None);
    }
}
