//! What says which JavaScript tool a folder's tests are for, and what a user's command for them means.

use super::node::is_test_file;
use super::{command, described};
use crate::detect::{UnknownCommand, UserCommand};
use proctor_lang::tree::{Tree, below, text};

pub(crate) fn claims(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    let manifest = below(dir, "package.json");
    let package = text(tree, &manifest);
    let by_script = || {
        let (runner, _) = command::script_of(package.as_ref()?)?;
        let shown = if runner == "node" { "node --test" } else { runner };
        Some((runner, format!("{manifest} runs {shown}")))
    };
    let by_file = || configured(tree, dir);
    let by_package = || {
        let runner = listed(package.as_ref()?)?;
        Some((runner, format!("{manifest} has {runner}")))
    };
    let by_tests = || nodes_own(tree, dir).map(|path| ("node", format!("{path} uses node:test")));
    by_script().or_else(by_file).or_else(by_package).or_else(by_tests)
}

pub(crate) fn command(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    command::understood(words)
}

fn configured(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    let endings = ["ts", "mts", "cts", "js", "mjs", "cjs", "json"];
    for (stem, runner) in
        [("vitest.config", "vitest"), ("vitest.workspace", "vitest"), ("jest.config", "jest")]
    {
        for ending in endings {
            let path = below(dir, &format!("{stem}.{ending}"));
            if tree.read(&path).is_some() {
                return Some((runner, path));
            }
        }
    }
    described::ALL.iter().find_map(|tool| {
        let endings =
            ["", ".js", ".cjs", ".mjs", ".ts", ".mts", ".json", ".jsonc", ".yaml", ".yml"];
        let names = tool.configurations.iter();
        let mut paths = names.flat_map(|stem| endings.map(|e| below(dir, &format!("{stem}{e}"))));
        paths.find(|path| tree.read(path).is_some()).map(|path| (tool.name, path))
    })
}

/// The tool among a package's dependencies; a `jest` table is one too.
fn listed(package: &str) -> Option<&'static str> {
    let value: serde_json::Value = serde_json::from_str(package).ok()?;
    let has = |name: &str| {
        ["devDependencies", "dependencies", "peerDependencies"]
            .iter()
            .any(|key| value.get(key).is_some_and(|list| list.get(name).is_some()))
    };
    if has("vitest") {
        return Some("vitest");
    }
    let own = |name: &str| has(name) || value.get(name).is_some();
    if own("jest") {
        return Some("jest");
    }
    described::ALL.iter().find(|tool| own(tool.package)).map(|tool| tool.name)
}

/// A test file that imports node's own tests.
fn nodes_own(tree: &dyn Tree, dir: &str) -> Option<String> {
    let inside = below(dir, "");
    tree.paths().into_iter().find(|path| {
        path.strip_prefix(&inside).is_some_and(is_test_file)
            && !path.split('/').any(|part| part == "node_modules")
            && text(tree, path).is_some_and(|source| {
                ["'node:test'", "\"node:test\""].iter().any(|name| source.contains(name))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_lang::tree::MemoryTree;

    fn claim(files: &[(&str, &str)]) -> Option<String> {
        let tree: MemoryTree = files.iter().map(|(p, t)| (*p, *t)).collect();
        claims(&tree, "").map(|(runner, why)| format!("{runner}: {why}"))
    }

    #[test]
    fn the_script_counts_most_then_configuration_then_what_is_installed() {
        let both = r#"{"devDependencies": {"jest": "1", "vitest": "1"}}"#;
        let script = r#"{"scripts": {"test": "jest"}, "devDependencies": {"vitest": "1"}}"#;
        for (files, said) in [
            (&[("package.json", both)][..], "vitest: package.json has vitest"),
            (&[("package.json", both), ("jest.config.js", "")], "jest: jest.config.js"),
            (&[("package.json", script), ("vitest.config.ts", "")], "jest: package.json runs jest"),
            (&[("package.json", r#"{"jest": {}}"#)], "jest: package.json has jest"),
            (
                &[("package.json", r#"{"scripts": {"test": "node --test"}}"#)],
                "node: package.json runs node --test",
            ),
            (&[("test/a.js", "require('node:test')")], "node: test/a.js uses node:test"),
        ] {
            assert_eq!(claim(files).as_deref(), Some(said));
        }
        assert_eq!(claim(&[("package.json", "{}"), ("a.test.js", "")]), None);
        assert_eq!(claim(&[("package.json", "{")]), None);
    }
}
