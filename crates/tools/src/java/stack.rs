//! A Java stack trace as places in the tree. Knows no test tool.

use crate::ask::Ask;
use proctor_core::report::Place;
use proctor_lang::tree::{FolderTree, Tree};
use proctor_lang::zone::{Zone, zone};
use std::cell::OnceCell;

/// The sources of the tree, listed when the first stack trace is read.
pub(crate) struct Sources {
    tree: FolderTree,
    paths: OnceCell<Vec<String>>,
}

impl Sources {
    pub(crate) fn of(ask: &Ask) -> Self {
        Self { tree: FolderTree::new(&ask.tree), paths: OnceCell::new() }
    }

    pub(crate) fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| self.tree.paths())
    }

    /// The frames that are the project's own code, in the order of the text.
    pub(crate) fn frames(&self, text: &str) -> Vec<Place> {
        text.lines().filter_map(|line| self.frame(line)).collect()
    }

    /// The text without the frames of other people's code: those of the test tool alone are a hundred lines.
    pub(crate) fn shortened(&self, text: &str) -> String {
        let kept: Vec<&str> = text
            .lines()
            .filter(|line| source_of(line).is_none() || self.frame(line).is_some())
            .filter(|line| !is_native(line))
            .collect();
        kept.join("\n").trim().to_owned()
    }

    fn frame(&self, line: &str) -> Option<Place> {
        let (wanted, line) = source_of(line)?;
        let fits = |path: &&String| {
            path.strip_suffix(wanted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let candidates = || self.paths().iter().filter(fits);
        // Where two modules hold the same class, nothing may be blamed on production code.
        let file =
            candidates().find(|p| zone(p) != Zone::Production).or_else(|| candidates().next())?;
        Some(Place { file: file.clone(), line })
    }
}

/// `at app//shop.Cart$Line.add(Cart.java:4)` as `shop/Cart.java` and its line.
fn source_of(line: &str) -> Option<(String, Option<u32>)> {
    let (call, place) = line.trim().strip_prefix("at ")?.strip_suffix(')')?.rsplit_once('(')?;
    let (file, number) = place.rsplit_once(':')?;
    let call = call.rsplit('/').next().unwrap_or(call);
    let (class, _method) = call.rsplit_once('.')?;
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    Some((proctor_lang::tree::below(&package.replace('.', "/"), file), number.parse().ok()))
}

fn is_native(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("at ")
        && (line.ends_with("(Native Method)") || line.ends_with("(Unknown Source)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_names_the_source_of_its_class() {
        let source = |line: &str| source_of(line).map(|(file, _)| file);
        assert_eq!(source("\tat shop.Cart.div(Cart.java:4)").unwrap(), "shop/Cart.java");
        assert_eq!(source("at app//shop.Cart$Line.add(Cart.java:4)").unwrap(), "shop/Cart.java");
        assert_eq!(
            source("at java.base/java.lang.Integer.parseInt(Integer.java:6)").unwrap(),
            "java/lang/Integer.java"
        );
        assert_eq!(source("at Main.main(Main.java:1)").unwrap(), "Main.java");
        assert_eq!(source("at shop.Cart.div(Native Method)"), None);
        assert_eq!(source("at ./spec/shop_spec.rb:2"), None);
    }
}
