//! What the desk offers to faces, as a list that a snapshot holds: whoever changes it sees that faces are concerned.

use std::fmt::Write;
use std::path::Path;

#[test]
fn what_faces_may_call_is_listed() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    files.sort();
    let mut list = String::new();
    for path in files {
        let name = path.strip_prefix(&src).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let items = items(&text);
        if !items.is_empty() {
            let _ = write!(list, "{name}\n{}\n", items.join("\n"));
        }
    }
    insta::assert_snapshot!("api", list);
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !name.contains("tests")
            && name != "sample.rs"
        {
            files.push(path);
        }
    }
}

/// Functions, types and constants that are public, each on one line.
fn items(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut lines = code.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let kinds = ["pub fn", "pub struct", "pub enum", "pub trait", "pub const", "pub type"];
        let mut item = line.trim().to_owned();
        if !kinds.iter().any(|kind| item.starts_with(kind)) {
            continue;
        }
        let is_open = |item: &str| item.starts_with("pub fn") && !item.contains(['{', ';']);
        while is_open(&item) {
            let Some(next) = lines.next() else { break };
            let gap = if item.ends_with('(') || next.trim().starts_with(')') { "" } else { " " };
            item = format!("{}{gap}{}", item.trim_end_matches(','), next.trim());
        }
        let ends = if item.starts_with("pub const") { ['='; 2] } else { ['{', ';'] };
        let item = item.split(ends).next().unwrap_or_default().trim();
        found.push(format!("  {item}"));
    }
    found
}
