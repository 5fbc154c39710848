//! `cargo xtask check`: every check in turn, a line for each with its time, and all faults at the end. It
//! knows the checks by name and must not judge anything itself.

use crate::fault::{Fault, Weight};
use crate::layers::Crates;
use crate::tree::{Tree, root};
use crate::{docs, features, layers, lock, manners, requirements, size, stubs, tools};
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Full,
    /// Without the tools that have to build first.
    Fast,
}

type Check<'a> = (&'static str, Box<dyn Fn() -> Result<Vec<Fault>> + 'a>);

pub fn run(extent: Extent) -> Result<ExitCode> {
    let root = root()?;
    let tree = Tree::read(&root)?;
    let mut out = std::io::stdout().lock();
    let mut found = Vec::new();
    for (name, check) in checks(extent, &root, &tree) {
        let began = Instant::now();
        let faults = check()?;
        writeln!(out, "{}", line(name, began.elapsed(), &faults))?;
        found.extend(faults.into_iter().map(|fault| (name, fault)));
    }
    // Warnings first, so that what fails the check stands last and is seen.
    found.sort_by_key(|(_, fault)| fault.weight == Weight::Error);
    for (name, fault) in &found {
        writeln!(out, "\n[{name}] {fault}")?;
    }
    if found.iter().any(|(_, fault)| fault.weight == Weight::Error) {
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn checks<'a>(extent: Extent, root: &'a Path, tree: &'a Tree) -> Vec<Check<'a>> {
    let mut list: Vec<Check<'a>> = vec![
        ("size", Box::new(|| Ok(size::check(tree)))),
        ("lock", Box::new(|| Ok(lock::check(tree)))),
        ("docs", Box::new(|| Ok(docs::check(tree)))),
        ("tests", Box::new(|| Ok(requirements::check(tree)))),
        ("layers", Box::new(|| Ok(layers::check(tree, &Crates::ask_cargo(root)?)))),
        ("features", Box::new(|| features::check(root))),
        ("stubs", Box::new(|| Ok(stubs::check(tree)))),
        ("manners", Box::new(|| Ok(manners::check(tree)))),
    ];
    match extent {
        Extent::Fast => {}
        Extent::Full => {
            list.push(("fmt", Box::new(|| tools::fmt(root))));
            list.push(("clippy", Box::new(|| tools::clippy(root))));
        }
    }
    list
}

fn line(name: &str, took: Duration, faults: &[Fault]) -> String {
    let count = |weight| faults.iter().filter(|fault| fault.weight == weight).count();
    let (errors, warnings) = (count(Weight::Error), count(Weight::Warning));
    let word = if errors > 0 { "FAIL" } else { "ok" };
    let counted = |count: usize, noun: &str| match count {
        0 => String::new(),
        1 => format!("  1 {noun}"),
        many => format!("  {many} {noun}s"),
    };
    format!(
        "{word:4}  {name:8} {:6.2}s{}{}",
        took.as_secs_f64(),
        counted(errors, "fault"),
        counted(warnings, "warning"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_check_its_time_and_its_counts() {
        let took = Duration::from_millis(1230);
        let error = Fault::error("a", "b", "c");
        let warning = Fault::warning("a", "b", "c");
        assert_eq!(line("size", took, &[]), "ok    size       1.23s");
        assert_eq!(
            line("docs", took, &[error.clone(), error, warning.clone()]),
            "FAIL  docs       1.23s  2 faults  1 warning"
        );
        assert_eq!(line("size", took, &[warning]), "ok    size       1.23s  1 warning");
    }

    #[test]
    fn the_fast_extent_leaves_out_what_has_to_build() {
        let tree = Tree::default();
        let names = |extent| -> Vec<&str> {
            let list = checks(extent, Path::new("."), &tree);
            list.iter().map(|(name, _)| *name).collect()
        };
        assert!(!names(Extent::Fast).contains(&"clippy"));
        assert!(names(Extent::Full).starts_with(&names(Extent::Fast)));
        assert!(names(Extent::Full).ends_with(&["fmt", "clippy"]));
    }
}
