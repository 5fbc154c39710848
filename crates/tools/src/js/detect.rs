//! What says which JavaScript tool a folder's tests are for, and what a user's command for them means.

use super::node::is_test_file;
use super::{command, described, runtime};
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
        let there = |name: &&str| lists(package.as_deref(), name);
        let runner = ["vitest", "jest"].into_iter().find(there)?;
        Some((runner, format!("{manifest} has {runner}")))
    };
    let by_tests = || nodes_own(tree, dir).map(|path| ("node", format!("{path} uses node:test")));
    let by_runtime = || {
        let there = |name: &&&str| tree.read(&below(dir, name)).is_some();
        runtime::ALL
            .iter()
            .find_map(|one| Some((one.name, below(dir, one.configurations.iter().find(there)?))))
    };
    let by_words = || described(tree, dir, package.as_deref());
    by_script()
        .or_else(by_file)
        .or_else(by_package)
        .or_else(by_tests)
        .or_else(by_words)
        .or_else(by_runtime)
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
    None
}

/// A tool that a few words describe: by its configuration, then among the dependencies.
fn described(tree: &dyn Tree, dir: &str, package: Option<&str>) -> Option<(&'static str, String)> {
    let configured = described::ALL.iter().find_map(|tool| {
        let endings =
            ["", ".js", ".cjs", ".mjs", ".ts", ".mts", ".json", ".jsonc", ".yaml", ".yml"];
        let names = tool.configurations.iter();
        let mut paths = names.flat_map(|stem| endings.map(|e| below(dir, &format!("{stem}{e}"))));
        paths.find(|path| tree.read(path).is_some()).map(|path| (tool.name, path))
    });
    // What a workspace lists is for its packages, which are asked themselves.
    let spread = lists(package, "workspaces")
        || ["pnpm-workspace.yaml", "lerna.json"]
            .iter()
            .any(|name| tree.read(&below(dir, name)).is_some());
    configured.or_else(|| {
        if spread {
            return None;
        }
        let manifest = below(dir, "package.json");
        let tool = described::ALL.iter().find(|tool| lists(package, tool.package))?;
        Some((tool.name, format!("{manifest} has {}", tool.package)))
    })
}

/// Whether a package has this among its dependencies, or a table for it.
fn lists(package: Option<&str>, name: &str) -> bool {
    let Some(value) = package.and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok())
    else {
        return false;
    };
    ["devDependencies", "dependencies", "peerDependencies"]
        .iter()
        .any(|key| value.get(key).is_some_and(|list| list.get(name).is_some()))
        || value.get(name).is_some()
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
            (
                &[("package.json", r#"{"scripts": {"test": "c8 mocha --recursive"}}"#)],
                "mocha: package.json runs mocha",
            ),
            (&[(".mocharc.yml", "")], "mocha: .mocharc.yml"),
            (
                &[("package.json", r#"{"scripts": {"test": "bun test --bail"}}"#)],
                "bun: package.json runs bun",
            ),
            (&[("deno.jsonc", "{}")], "deno: deno.jsonc"),
            (&[("spec/support/jasmine.json", "{}")], "jasmine: spec/support/jasmine.json"),
            (
                &[("package.json", r#"{"devDependencies": {"@playwright/test": "1"}}"#)],
                "playwright: package.json has @playwright/test",
            ),
            (&[("package.json", r#"{"ava": {}}"#)], "ava: package.json has ava"),
            (
                &[
                    ("package.json", r#"{"workspaces": ["a"], "devDependencies": {"mocha": "1"}}"#),
                    (".mocharc.json", "{}"),
                ],
                "mocha: .mocharc.json",
            ),
            (
                &[("package.json", r#"{"jest": {}}"#), ("playwright.config.ts", "")],
                "jest: package.json has jest",
            ),
        ] {
            assert_eq!(claim(files).as_deref(), Some(said));
        }
        assert_eq!(claim(&[("package.json", "{}"), ("a.test.js", "")]), None);
        assert_eq!(claim(&[("package.json", "{")]), None);
        let spread = r#"{"workspaces": ["a"], "devDependencies": {"mocha": "1"}}"#;
        assert_eq!(claim(&[("package.json", spread)]), None);
    }
}
