//! Coverage in LCOV's format, which most tools can write: `SF` a file, `DA` a line and how often it ran.

use crate::ask::{Ask, Covered, slashed};
use proctor_core::report::LineCoverage;
use proctor_lang::child_file;
use std::path::Path;

/// Reads a tracefile. Files outside the tree are left out; a path that is not absolute is seen from `from`.
pub(crate) fn read(ask: &Ask, file: &Path, from: &Path) -> Covered {
    match child_file::read_to_string(file) {
        Ok(text) => Covered::Lines(parse(&text, &ask.tree, from)),
        Err(why) => Covered::Unreadable { why: format!("no coverage came out: {why}") },
    }
}

pub(crate) fn parse(text: &str, tree: &Path, from: &Path) -> LineCoverage {
    let real = tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let mut coverage = LineCoverage::default();
    let mut at: Option<String> = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let path = from.join(path.trim());
            let inside = path.strip_prefix(tree).or_else(|_| path.strip_prefix(&real));
            at = inside.ok().map(slashed);
        } else if let (Some((number, count)), Some(file)) = (data(line), &at) {
            let lines = coverage.files.entry(file.clone()).or_default();
            if count > 0 {
                lines.missed.remove(&number);
                lines.hit.insert(number);
            } else if !lines.hit.contains(&number) {
                lines.missed.insert(number);
            }
        } else if line.trim() == "end_of_record" {
            at = None;
        }
    }
    coverage
}

fn data(line: &str) -> Option<(u32, u64)> {
    let mut parts = line.strip_prefix("DA:")?.split(',');
    Some((parts.next()?.trim().parse().ok()?, parts.next()?.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_ran_once_count_as_run_and_files_elsewhere_do_not_count() {
        let text = "TN:\nSF:src/a.py\nDA:1,1\nDA:2,0\nDA:2,3\nDA:4,0,abc\nend_of_record\n\
                    SF:/tree/b.js\nDA:7,0\nend_of_record\nSF:/usr/lib/x.js\nDA:1,1\nend_of_record\n";
        let found = parse(text, Path::new("/tree"), Path::new("/tree"));
        let shown: Vec<String> = found
            .files
            .iter()
            .map(|(file, lines)| format!("{file} {:?} {:?}", lines.hit, lines.missed))
            .collect();
        assert_eq!(shown, ["b.js {} {7}", "src/a.py {1, 2} {4}"]);
    }
}
