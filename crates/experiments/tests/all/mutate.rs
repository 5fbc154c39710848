//! Texts that hold many mutants, built by the real compiler.

use crate::skipped;
use proctor_experiments::mutants;
use proctor_lang::Edit;
use proctor_lang::{SWITCH, blamed, switched};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

const SOURCE: &str = "#![deny(warnings)]
#![forbid(unsafe_code)]
use std::collections::HashMap;
/// Doc.
pub struct Cart {
    items: Vec<u32>,
    names: HashMap<String, u32>,
}
impl Cart {
    fn first<'a>(&'a mut self, name: &str) -> Option<&'a mut u32> {
        let at = self.names.get(name).copied()?;
        self.items.iter_mut().filter(move |item| **item > at).next()
    }
    fn total(&self) -> u32 {
        let mut sum = 0;
        for item in &self.items {
            if *item == 2 {
                continue;
            }
            sum += item;
        }
        sum
    }
    fn label(&self) -> String {
        format!(\"{} items\", self.items.len())
    }
}
pub trait Named {
    fn name(&self) -> &'static str {
        \"cart\"
    }
}
impl Named for Cart {}
mod inner {
    pub fn text(a: &str) -> String {
        String::from(a) + a
    }
}
fn main() {
    let mut cart = Cart { items: vec![1, 2, 3], names: HashMap::new() };
    cart.names.insert(\"a\".to_owned(), 1);
    let first = cart.first(\"a\").map(|item| *item);
    println!(\"{:?} {} {} {} {}\", first, cart.total(), cart.label(), cart.name(), inner::text(\"x\"));
}
";

fn rustc(folder: &Path, text: &str, edition: &str) -> Option<Output> {
    std::fs::write(folder.join("a.rs"), text).unwrap();
    let mut command = Command::new("rustc");
    command.args(["--edition", edition, "-Cdebuginfo=0", "--error-format=json", "-o", "a", "a.rs"]);
    command.current_dir(folder).output().ok()
}

/// What the program prints with a mutant switched on.
fn said(folder: &Path, number: Option<usize>) -> String {
    let mut command = Command::new(folder.join("a"));
    command.env_remove(SWITCH).envs(number.map(|n| (SWITCH, n.to_string())));
    String::from_utf8(command.output().unwrap().stdout).unwrap().trim().to_owned()
}

/// The lines that the compiler complains about.
fn bad_lines(output: &Output) -> BTreeSet<u32> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let messages = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let mut lines = BTreeSet::new();
    for message in messages.filter(|m| m["level"] == "error") {
        for span in message["spans"].as_array().into_iter().flatten() {
            if span["is_primary"] == true {
                lines.extend(span["line_start"].as_u64().and_then(|n| u32::try_from(n).ok()));
            }
        }
    }
    lines
}

#[test]
fn one_build_holds_many_mutants_and_each_behaves_as_its_own_text() {
    const FIRST: usize = 100;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if rustc(folder, "fn main() {}", "2021").is_none() {
        skipped("rustc");
        return;
    }
    let lines = (1..=u32::try_from(SOURCE.lines().count()).unwrap()).collect();
    let mut list = mutants("src/main.rs", SOURCE, &lines);
    // One that has no type.
    let from = SOURCE.find("sum += item").unwrap();
    let text = "sum += \"x\"".to_owned();
    let to = from + "sum += item".len();
    list.push(Edit { line: 20, from, to, text, what: "not viable".to_owned() });
    let bad = FIRST + list.len() - 1;

    let many = switched("src/main.rs", SOURCE, &list, FIRST).unwrap();
    assert!(many.taken.len() > 15, "{:?}", many.taken);
    let output = rustc(folder, &many.text, "2021").unwrap();
    assert!(!output.status.success());
    assert_eq!(blamed(&many.text, &bad_lines(&output)), [bad]);

    list.pop();
    let many = switched("src/main.rs", SOURCE, &list, FIRST).unwrap();
    for edition in ["2015", "2024", "2021"] {
        let output = rustc(folder, &many.text, edition).unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{edition}: {complaint}");
    }
    let plain = "Some(2) 4 3 items cart xx";
    assert_eq!(said(folder, None), plain);
    assert_eq!(said(folder, Some(7)), plain, "a number of no mutant");
    let with = |what: &str| {
        let index = list.iter().position(|e| e.what == what).unwrap();
        assert!(many.taken.contains(&index), "{what}");
        said(folder, Some(FIRST + index))
    };
    assert_eq!(with("`==` becomes `!=`"), "Some(2) 2 3 items cart xx");
    assert_eq!(with("`>` becomes `<=`"), "Some(1) 4 3 items cart xx");
    assert_eq!(with("`2` becomes `3`"), "Some(2) 3 3 items cart xx");
    assert_eq!(with("the body of `total` is left out, it returns 0"), "Some(2) 0 3 items cart xx");
    assert_eq!(with("returns String::new()"), "Some(2) 4  cart xx");
    assert_eq!(with("`\"cart\"` becomes `\"mutated\"`"), "Some(2) 4 3 items mutated xx");
}
