//! Which report files a run left: files, folders and patterns as a user names them. Reads no report.

use crate::ask::{Ask, slashed};
use std::path::{Component, Path, PathBuf};

/// Stands in a command and among its reports for a file of this run alone.
pub(crate) const PLACEHOLDER: &str = "{report}";

pub(crate) fn own_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("report.xml")
}

/// The report files that are there now, in order. A folder stands for each XML file below it. What lies outside the
/// tree and the scratch folder is never a report.
pub(crate) fn find(ask: &Ask, patterns: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for pattern in patterns {
        let path = pattern.replace(PLACEHOLDER, &own_file(ask).to_string_lossy());
        let path = Path::new(&path);
        let (base, inside) = if path.is_absolute() {
            let bases = [&ask.scratch, &ask.tree];
            let Some((base, inside)) =
                bases.into_iter().find_map(|b| Some((b.clone(), path.strip_prefix(b).ok()?)))
            else {
                continue;
            };
            (base, inside)
        } else {
            (ask.workdir(), path)
        };
        if inside.components().any(|c| c == Component::ParentDir) {
            continue;
        }
        let pattern = slashed(inside);
        let pattern: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty()).collect();
        let files = files_below(&base).into_iter().filter(|file| is_meant(&pattern, file));
        found.extend(files.map(|file| base.join(file)));
    }
    found.sort();
    found.dedup();
    found
}

/// Every file below a folder, by its path in it. Links are not followed: a report is what the run itself wrote.
fn files_below(base: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![String::new()];
    while let Some(at) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(base.join(&at)) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = proctor_lang::tree::below(&at, &name);
            match entry.file_type() {
                Ok(kind) if kind.is_file() => found.push(path),
                Ok(kind) if kind.is_dir() && name != ".git" && name != "node_modules" => {
                    todo.push(path);
                }
                _ => {}
            }
        }
    }
    found
}

fn is_meant(pattern: &[&str], file: &str) -> bool {
    let parts: Vec<&str> = file.split('/').collect();
    let is_xml = proctor_lang::zone::has_ending(file, "xml");
    let folders = || (0..parts.len()).any(|n| parts.get(..n).is_some_and(|f| fits(pattern, f)));
    fits(pattern, &parts) || (is_xml && folders())
}

/// Whether a path fits a pattern, part by part. `**` stands for any number of folders.
fn fits(pattern: &[&str], parts: &[&str]) -> bool {
    match (pattern.split_first(), parts.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            fits(rest, parts) || parts.split_first().is_some_and(|(_, more)| fits(pattern, more))
        }
        (Some((first, rest)), Some((part, more))) => word_fits(first, part) && fits(rest, more),
        _ => false,
    }
}

/// `*` stands for any characters, `?` for one.
fn word_fits(pattern: &str, word: &str) -> bool {
    let mut letters = pattern.chars();
    match letters.next() {
        None => word.is_empty(),
        Some('*') => {
            let rest = letters.as_str();
            word.char_indices()
                .map(|(at, _)| at)
                .chain([word.len()])
                .any(|at| word.get(at..).is_some_and(|w| word_fits(rest, w)))
        }
        Some(letter) => {
            let mut word = word.chars();
            word.next().is_some_and(|w| letter == '?' || letter == w)
                && word_fits(letters.as_str(), word.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(pattern: &str, file: &str) -> bool {
        is_meant(&pattern.split('/').collect::<Vec<_>>(), file)
    }

    #[test]
    fn files_folders_and_patterns_are_told_apart() {
        assert!(meant("out/a.xml", "out/a.xml"));
        assert!(meant("out", "out/deep/a.xml"));
        assert!(!meant("out", "out/a.txt"));
        assert!(!meant("out", "output/a.xml"));
        assert!(meant(
            "**/target/surefire-reports/TEST-*.xml",
            "target/surefire-reports/TEST-a.B.xml"
        ));
        assert!(meant(
            "**/target/surefire-reports/TEST-*.xml",
            "m/target/surefire-reports/TEST-x.xml"
        ));
        assert!(!meant("**/TEST-*.xml", "m/test-x.xml"));
        assert!(meant("**/reports", "m/reports/x.xml"));
        assert!(meant("*/r?.xml", "a/r1.xml"));
        assert!(!meant("*.xml", "a/r1.xml"));
    }
}
