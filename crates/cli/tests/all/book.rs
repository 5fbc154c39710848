//! What the book lists is what the program has: commands, flags, agents, test tools, roles. Asked of the program from outside.

use proctor_testkit::{RepoBuilder, TestEnv};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

fn page(name: &str) -> String {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    std::fs::read_to_string(root.join(name)).unwrap()
}

fn book() -> String {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let pages = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    pages
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

fn help(words: &[&str]) -> String {
    let mut proctor = Command::new(env!("CARGO_BIN_EXE_proctor"));
    let out = proctor.args(words).arg("--help").output().unwrap();
    assert!(out.status.success(), "{words:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// The first words below a title of a help page.
fn below(text: &str, title: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| *line != title).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let named = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn long_flags(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| line.trim_start().starts_with('-'));
    let flag = |word: &str| {
        let word = word.strip_prefix("--")?;
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        Some(format!("--{}", word.split(|c| !plain(c)).next()?))
    };
    lines.filter_map(|line| line.split_whitespace().take(2).find_map(flag)).collect()
}

/// The names in backticks in the first column of the tables below a heading.
fn first_column(page: &str, heading: &str) -> BTreeSet<String> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let rows = lines.take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with('|'));
    let ticked = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    rows.filter_map(|row| row.split('|').nth(1)).flat_map(ticked).collect()
}

#[test]
fn the_book_lists_every_command_and_no_other() {
    let told = first_column(&page("docs/command-line.md"), "## Commands");
    let told: BTreeSet<&str> =
        told.iter().filter_map(|words| words.split_whitespace().next()).collect();
    // Flags of the command before them.
    let told: BTreeSet<&str> = told.into_iter().filter(|word| !word.starts_with('-')).collect();
    let commands = below(&help(&[]), "Commands:");
    assert!(commands.len() > 20, "{commands:?}");
    let commands: BTreeSet<&str> =
        commands.iter().map(String::as_str).filter(|name| *name != "help").collect();
    assert_eq!(told, commands, "docs/command-line.md against `proctor --help`");
}

#[test]
fn the_book_names_every_flag() {
    let book = book();
    let mut missing = Vec::new();
    let commands = below(&help(&[]), "Commands:");
    for command in commands.iter().filter(|name| *name != "help") {
        let said = help(&[command]);
        let below = below(&said, "Commands:");
        let pages = below.iter().filter(|name| *name != "help").map(|name| help(&[command, name]));
        for flag in pages.chain([said.clone()]).flat_map(|text| long_flags(&text)) {
            let known = ["--help", "--version"].contains(&flag.as_str()) || book.contains(&flag);
            if !known {
                missing.push(format!("{command} {flag}"));
            }
        }
    }
    missing.dedup();
    assert!(missing.is_empty(), "flags that no page of docs names: {missing:#?}");
}

/// The words that a refusal lists after `hint:`.
fn refused(words: &[&str]) -> String {
    let (env, repo) = (TestEnv::new(env!("CARGO_BIN_EXE_proctor")), RepoBuilder::new());
    repo.file("calc.py", "").commit("base");
    let ran = env
        .call(repo.path())
        .args(&["fix", "it", "--agent-cmd", "true"])
        .args(words)
        .run()
        .expect_code(2);
    ran.stderr
}

#[test]
fn the_book_names_every_test_tool_and_no_other() {
    let said = refused(&["--runner", "zzzzzzzz"]);
    let list = said.split_once("known are ").unwrap().1.lines().next().unwrap();
    let tools: BTreeSet<String> = list.split(", ").map(str::to_owned).collect();
    let told = first_column(&page("docs/test-tools.md"), "## Which tools, and how they are found");
    assert_eq!(told, tools, "docs/test-tools.md against what --runner knows: {said}");
    let schema = page("docs/proctor.schema.json");
    let readme = page("README.md");
    let start = page("docs/getting-started.md");
    for tool in tools.iter().filter(|tool| !["junit", "unittest"].contains(&tool.as_str())) {
        let word = if tool == "maven" { "Maven" } else { tool };
        assert!(readme.contains(word), "README.md does not name {tool}");
        assert!(start.contains(word), "docs/getting-started.md does not name {tool}");
        assert!(schema.contains(&format!("`{tool}`")), "the schema does not name {tool}");
    }
}

#[test]
fn the_book_names_every_kind_of_agent_and_every_role() {
    let schema: serde_json::Value =
        serde_json::from_str(&page("docs/proctor.schema.json")).unwrap();
    let kinds = schema["$defs"]["AgentWord"]["oneOf"].as_array().unwrap();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind["const"].as_str().unwrap()).collect();
    assert!(kinds.len() >= 9, "{kinds:?}");
    for name in ["docs/agents.md", "docs/configuration.md"] {
        let text = page(name);
        for kind in &kinds {
            assert!(text.contains(&format!("`{kind}`")), "{name} does not name the kind {kind}");
        }
    }
    for kind in kinds.iter().filter(|kind| !["command", "script"].contains(*kind)) {
        for name in ["README.md", "docs/getting-started.md"] {
            let named = page(name).to_lowercase().contains(*kind);
            assert!(named, "{name} does not name the agent {kind}");
        }
    }
    let roles = schema["$defs"]["RolesTable"]["properties"].as_object().unwrap();
    let said = refused(&["--role", "zzzzzzzz=x"]);
    for role in roles.keys() {
        for name in ["docs/configuration.md", "docs/glossary.md", "docs/troubleshooting.md"] {
            assert!(page(name).contains(role.as_str()), "{name} does not name the role {role}");
        }
        assert!(said.contains(role.as_str()), "--role does not name {role}: {said}");
    }
}
