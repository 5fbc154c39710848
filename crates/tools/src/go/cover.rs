//! The coverage profiles that `go test -coverprofile` writes: blocks of source with how often each ran.

use super::listing::Listing;
use crate::ask::{Ask, Covered};
use proctor_core::report::{LineCoverage, Lines};
use proctor_lang::Language;
use proctor_lang::child_file;
use proctor_lang::syntax;
use proctor_lang::tree::below;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tree_sitter::Node;

/// The profile of one round.
pub(crate) fn profile(ask: &Ask, round: usize) -> PathBuf {
    ask.scratch.join(format!("cover-{round}.out"))
}

/// All rounds together: what ran in one of them ran.
pub(crate) fn read(ask: &Ask, listing: &Listing, rounds: usize) -> Covered {
    let mut blocks: BTreeMap<String, Vec<Block>> = BTreeMap::new();
    let mut read_one = false;
    for round in 0..rounds {
        let Ok(text) = child_file::read_to_string(profile(ask, round)) else {
            continue;
        };
        if !text.starts_with("mode: ") {
            let why = "the profile does not begin with its mode".to_owned();
            return Covered::Unreadable { why };
        }
        read_one = true;
        for line in text.lines().skip(1) {
            let Some((file, block)) = Block::read(line) else {
                return Covered::Unreadable { why: format!("no block of a profile: {line}") };
            };
            if let Some(file) = file_of(listing, file) {
                blocks.entry(file).or_default().push(block);
            }
        }
    }
    if !read_one {
        return Covered::Unreadable { why: "go test wrote no coverage profile".to_owned() };
    }
    let mut coverage = LineCoverage::default();
    for (file, blocks) in blocks {
        let source = child_file::read_to_string(ask.tree.join(&file)).unwrap_or_default();
        coverage.files.insert(file, lines(&blocks, &code(&source)));
    }
    Covered::Lines(coverage)
}

/// Line and column, both from one, the column in bytes.
type Position = (u32, u32);

/// From its first position to before its last.
struct Block {
    from: Position,
    to: Position,
    count: u64,
}

impl Block {
    /// `example.com/shop/cart.go:3.25,5.2 1 0`, with its file.
    fn read(line: &str) -> Option<(&str, Self)> {
        let (file, rest) = line.rsplit_once(':')?;
        let mut words = rest.split(' ');
        let (from, to) = words.next()?.split_once(',')?;
        let position = |text: &str| {
            let (line, column) = text.split_once('.')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        };
        let count = words.nth(1)?.parse().ok()?;
        Some((file, Self { from: position(from)?, to: position(to)?, count }))
    }
}

/// A block has the lines on which code of it stands: where a block begins (at its brace or at its first statement)
/// differs between versions of Go. A line of several blocks ran where one of them did.
fn lines(blocks: &[Block], code: &BTreeSet<Position>) -> Lines {
    let mut lines = Lines::default();
    for block in blocks.iter().filter(|b| b.from < b.to) {
        let inside = code.range(block.from..block.to).map(|(line, _)| *line);
        if block.count > 0 {
            lines.hit.extend(inside);
        } else {
            lines.missed.extend(inside);
        }
    }
    lines.missed.retain(|line| !lines.hit.contains(line));
    lines
}

/// A file by its import path, relative to the tree.
fn file_of(listing: &Listing, file: &str) -> Option<String> {
    let (package, name) = file.rsplit_once('/')?;
    let dir = listing.packages.get(package)?.dir.as_deref()?;
    Some(below(dir, name))
}

/// Where the words of a source stand, without comments and brackets.
fn code(source: &str) -> BTreeSet<Position> {
    let mut found = BTreeSet::new();
    if let Some(parsed) = Language::Go.parse(source) {
        leaves(parsed.root_node(), source, &mut found);
    }
    found
}

fn leaves(node: Node<'_>, source: &str, found: &mut BTreeSet<Position>) {
    if node.kind() == "comment" {
        return;
    }
    let mut cursor = node.walk();
    let children: Vec<_> = node.children(&mut cursor).collect();
    let text = syntax::text(node, source).trim();
    let bracket = matches!(text, "" | "{" | "}" | "(" | ")" | "[" | "]" | "," | ";");
    if children.is_empty() && !bracket {
        let (start, end) = (node.start_position(), node.end_position());
        let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        found.insert((number(start.row), number(start.column)));
        // A string over several lines.
        found.extend((start.row + 1..=end.row).map(|row| (number(row), 1)));
    }
    for child in children {
        leaves(child, source, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_positions_and_its_count() {
        let (file, block) = Block::read("example.com/shop/cart.go:3.25,5.2 1 7").unwrap();
        assert_eq!(file, "example.com/shop/cart.go");
        assert_eq!((block.from, block.to, block.count), ((3, 25), (5, 2), 7));
        assert!(Block::read("mode: set").is_none());
    }

    #[test]
    fn only_lines_with_code_of_a_block_count() {
        let source = "package a\n\nfunc Sign(a int) int {\n\tif a < 0 {\n\t\t// below\n\t\treturn -1\n\t} else {\n\t\treturn 1\n\t}\n}\n";
        let block = |from, to, count| Block { from, to, count };
        let old = [block((3, 22), (4, 11), 1), block((4, 11), (7, 3), 0), block((7, 8), (9, 3), 1)];
        let new = [block((4, 2), (4, 11), 1), block((6, 3), (6, 12), 0), block((8, 3), (8, 11), 1)];
        for blocks in [old, new] {
            let lines = lines(&blocks, &code(source));
            assert_eq!(lines.hit, BTreeSet::from([4, 8]));
            assert_eq!(lines.missed, BTreeSet::from([6]));
        }
    }
}
