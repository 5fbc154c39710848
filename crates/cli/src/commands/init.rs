//! `proctor init`: writes proctor.toml out of what it finds, and says what it found and why. Asks nothing.

use crate::args::InitArgs;
use crate::commands::doctor::agents::access;
use crate::commands::doctor::api::{Local, ollama};
use crate::out;
use anyhow::{Context, Result};
use proctor_agents::known::{KNOWN, Known};
use proctor_desk::config::settings::FILE;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::usage;
use proctor_lang::FolderTree;
use proctor_tools::{Found, detect};
use proctor_world::repo::UserRepo;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const SCHEMA: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/raw/v",
    env!("CARGO_PKG_VERSION"),
    "/docs/proctor.schema.json"
);

pub fn init(around: &Surroundings, args: &InitArgs) -> Result<u8> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    if repo.bare {
        return Err(usage(
            "this is a bare repository, which has no files to write to\nhint: run `proctor init` in a checkout",
        ));
    }
    let path = repo.root.join(FILE);
    if path.exists() && !args.force {
        return Err(usage(format!(
            "{} is already there\nhint: edit it, or replace it with `proctor init --force`",
            path.display()
        )));
    }
    let runners = detect(&FolderTree::new(&repo.root), "");
    let agents = installed(around, &repo.root);
    let local = ollama(around);
    std::fs::write(&path, text(&runners, &agents, local.as_ref()))
        .with_context(|| format!("{} can't be written", path.display()))?;
    for found in &runners {
        out::talk(&format!("✓ test tool: {}", found.why));
    }
    if runners.is_empty() {
        out::talk(&format!(
            "✗ test tool: none was found\nhint: set runner or test_cmd, or add a first test; {} are known",
            proctor_tools::RUNNERS.join(", ")
        ));
    }
    for Installed { known, path, access } in &agents {
        let shown = format!("agent: {} ({})", known.name, path.display());
        out::talk(&match access {
            Some(how) => format!("✓ {shown}: {how}"),
            None => format!("· {shown}: no key and no login were found\nhint: {}", known.remedy),
        });
    }
    if let Some(local) = &local {
        out::talk(&format!("✓ agent: {} by Ollama ({})", local.model, local.base_url));
    }
    if agents.is_empty() && local.is_none() {
        out::talk(
            "✗ agent: none of claude, codex, gemini, opencode and goose is on PATH, and no Ollama listens here\nhint: add one as [agents.NAME], a model by its API (kind = \"api\"), or any program with its command",
        );
    }
    out::data(&format!("wrote {}", path.display()));
    out::talk(
        "Commit it: a run reads it from its base commit, so that no agent can change the rules of its own exam.",
    );
    out::talk(&format!("next: {}", next(&agents, local.as_ref())));
    Ok(0)
}

/// The one command that leads on from here, with the agent that is there.
fn next(agents: &[Installed], local: Option<&Local>) -> String {
    let task = "proctor fix \"what is wrong, in a sentence\"";
    let ready = agents.iter().find(|agent| agent.access.is_some());
    match (ready, local, agents.first()) {
        (Some(agent), _, _) | (None, None, Some(agent)) => {
            format!("{task} --agent {}", agent.known.name)
        }
        // It is known by the file alone.
        (None, Some(_), _) => {
            format!("git add {FILE} && git commit -m \"proctor: settings\" && {task}")
        }
        (None, None, None) => format!("{task} --agent-cmd 'my-agent --flag'"),
    }
}

/// A coding agent that is here.
struct Installed {
    known: Known,
    path: PathBuf,
    /// By what it would get to its model.
    access: Option<String>,
}

/// Those that can work first.
fn installed(around: &Surroundings, root: &Path) -> Vec<Installed> {
    let found = KNOWN.into_iter().filter_map(|known| {
        let path = around.program(known.name, root)?;
        Some(Installed { known, path, access: access(around, known, None) })
    });
    let mut found: Vec<Installed> = found.collect();
    found.sort_by_key(|agent| agent.access.is_none());
    found
}

fn text(runners: &[Found], agents: &[Installed], local: Option<&Local>) -> String {
    let mut text = format!(
        "#:schema {SCHEMA}\n# The rules of the exam. `proctor schema` prints every key.\n\n"
    );
    // Writing into a string can't fail.
    match runners {
        [] => text
            .push_str("# runner = \"pytest\"  # or cargo, go, vitest, jest, node, maven, junit\n"),
        [found] if found.dir.is_empty() => {
            let _ = writeln!(text, "runner = \"{}\"  # {}", found.runner, found.why);
        }
        // Their tables come last: whatever follows a table would be part of it.
        _ => {}
    }
    let ready: Vec<&str> = agents
        .iter()
        .filter(|agent| agent.access.is_some())
        .map(|agent| agent.known.name)
        .collect();
    match (ready.first(), agents.first()) {
        (Some(name), _) => {
            let _ = writeln!(text, "default_agent = \"{name}\"");
        }
        (None, _) if local.is_some() => text.push_str("default_agent = \"ollama\"\n"),
        (None, Some(agent)) => {
            let _ = writeln!(text, "default_agent = \"{}\"", agent.known.name);
        }
        (None, None) => text.push_str("# default_agent = \"mine\"\n"),
    }
    text.push_str("\n[limits]\ngreen = 3        # fixes after the first try\ntest_time = \"5m\"\n\n[land]\nmode = \"squash\"  # or merge, rebase, branch\n");
    if let [_, second, ..] = ready.as_slice() {
        // Who did not write it sees more.
        let _ = write!(text, "\n[roles]\nreviewer = \"{second}\"\n");
    }
    for Installed { known: Known { name, .. }, .. } in agents {
        let _ = write!(text, "\n[agents.{name}]\nkind = \"{name}\"\n# model = \"…\"\n");
    }
    if let Some(Local { base_url, model }) = local {
        let _ = write!(
            text,
            "\n[agents.ollama]  # it needs a context of its own: OLLAMA_CONTEXT_LENGTH=32000 ollama serve\nkind = \"api\"\nprovider = \"openai\"\nbase_url = {base_url:?}\nmodel = {model:?}\ncontext_tokens = 32000\n"
        );
    }
    if runners.len() > 1 || runners.iter().any(|found| !found.dir.is_empty()) {
        for found in runners {
            let dir = if found.dir.is_empty() { "." } else { &found.dir };
            let _ = write!(
                text,
                "\n[[project]]  # {}\ndir = {dir:?}\nrunner = \"{}\"\n",
                found.why, found.runner
            );
        }
    }
    if agents.is_empty() && local.is_none() {
        text.push_str("\n# Any program: prompt on stdin, a JSON object as its last output.\n# [agents.mine]\n# kind = \"command\"\n# command = [\"my-agent\", \"--flag\"]\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_desk::config::Config;

    /// Those with a key say so behind their name.
    fn here(names: &[&str]) -> Vec<Installed> {
        let agent = |name: &&str| {
            let (name, key) = name.split_once(' ').map_or((*name, None), |(n, k)| (n, Some(k)));
            let known = Known::by_name(name).unwrap();
            Installed { known, path: PathBuf::new(), access: key.map(str::to_owned) }
        };
        names.iter().map(agent).collect()
    }

    #[test]
    fn only_an_agent_that_can_reach_its_model_gets_a_role() {
        let config =
            |names: &[&str]| Config::parse(&text(&[], &here(names), None), "proctor.toml").unwrap();
        let both = config(&["claude key", "codex key", "goose"]);
        assert_eq!(both.default_agent.as_deref(), Some("claude"));
        assert_eq!(both.roles.reviewer.as_deref(), Some("codex"));
        let one = config(&["codex key", "claude"]);
        assert_eq!((one.default_agent.as_deref(), one.roles.reviewer), (Some("codex"), None));
        let none = config(&["claude", "codex"]);
        assert_eq!((none.default_agent.as_deref(), none.roles.reviewer), (Some("claude"), None));
    }

    #[test]
    fn it_ends_with_the_command_that_works_with_the_agent_that_is_there() {
        let local = Local { base_url: "http://127.0.0.1:11434/v1".into(), model: "q:7b".into() };
        assert!(next(&here(&["codex key", "claude"]), None).ends_with("--agent codex"));
        assert!(next(&here(&["claude"]), None).ends_with("--agent claude"));
        assert!(next(&here(&["claude"]), Some(&local)).starts_with("git add proctor.toml"));
        assert!(next(&[], None).contains("--agent-cmd"));
    }

    #[test]
    fn what_is_written_can_be_read_and_names_the_schema_first() {
        let found =
            Found { runner: "pytest", dir: String::new(), why: "pytest: pytest.ini".to_owned() };
        for runners in [vec![], vec![found]] {
            for agents in [&[][..], &["claude", "codex", "gemini", "opencode", "goose"][..]] {
                let text = text(&runners, &here(agents), None);
                assert!(text.starts_with("#:schema https://"), "{text}");
                let config = Config::parse(&text, "proctor.toml").unwrap();
                assert_eq!(config.agents.len(), agents.len());
                assert_eq!(config.runner.is_some(), !runners.is_empty());
            }
        }
    }

    #[test]
    fn a_local_model_is_an_agent_and_the_default_where_there_is_no_other() {
        let local = Local { base_url: "http://127.0.0.1:11434/v1".into(), model: "q:7b".into() };
        let config = Config::parse(&text(&[], &[], Some(&local)), "proctor.toml").unwrap();
        assert_eq!(config.default_agent.as_deref(), Some("ollama"));
        assert_eq!(config.agents["ollama"].model.as_deref(), Some("q:7b"));
        let both = Config::parse(&text(&[], &here(&["claude key"]), Some(&local)), "proctor.toml")
            .unwrap();
        assert_eq!((both.default_agent.as_deref(), both.agents.len()), (Some("claude"), 2));
    }

    #[test]
    fn a_repository_of_several_projects_gets_a_table_for_each() {
        let found = |runner: &'static str, dir: &str| Found {
            runner,
            dir: dir.to_owned(),
            why: format!("{runner}: {dir}"),
        };
        let text = text(&[found("cargo", ""), found("vitest", "web")], &here(&["claude"]), None);
        let config = Config::parse(&text, "proctor.toml").unwrap();
        assert_eq!(config.runner, None);
        let projects: Vec<(&str, Option<&str>)> =
            config.project.iter().map(|p| (p.dir.as_str(), p.runner.as_deref())).collect();
        assert_eq!(projects, [(".", Some("cargo")), ("web", Some("vitest"))]);
        assert_eq!(config.agents.len(), 1);
    }

    #[test]
    fn the_file_is_as_agreed() {
        let found =
            Found { runner: "cargo", dir: String::new(), why: "cargo: Cargo.toml".to_owned() };
        let version = concat!("/v", env!("CARGO_PKG_VERSION"), "/");
        let text = text(&[found], &here(&["claude"]), None).replace(version, "/vX/");
        insta::assert_snapshot!("init_file", text);
    }
}
