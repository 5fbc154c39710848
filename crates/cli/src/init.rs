//! `proctor init`: writes proctor.toml out of what it finds, and says what it found and why. Asks nothing.

use crate::args::InitArgs;
use crate::doctor_api::{Local, ollama};
use crate::out;
use crate::settings::FILE;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::{Context, Result};
use proctor_agents::known::KNOWN;
use proctor_runners::{FolderTree, Found, detect};
use proctor_world::repo::UserRepo;
use std::fmt::Write;
use std::path::PathBuf;

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
    let agents: Vec<(&str, PathBuf)> = KNOWN
        .into_iter()
        .filter_map(|known| Some((known.name, around.program(known.name, &repo.root)?)))
        .collect();
    let named: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
    let local = ollama(around);
    std::fs::write(&path, text(&runners, &named, local.as_ref()))
        .with_context(|| format!("{} can't be written", path.display()))?;
    for found in &runners {
        out::talk(&format!("✓ test tool: {}", found.why));
    }
    if runners.is_empty() {
        out::talk(&format!(
            "✗ test tool: none was found\nhint: set runner or test_cmd, or add a first test; {} are known",
            proctor_runners::RUNNERS.join(", ")
        ));
    }
    for (name, path) in &agents {
        out::talk(&format!("✓ agent: {name} ({})", path.display()));
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
    Ok(0)
}

fn text(runners: &[Found], agents: &[&str], local: Option<&Local>) -> String {
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
    match agents.first() {
        Some(name) => {
            let _ = writeln!(text, "default_agent = \"{name}\"");
        }
        None if local.is_some() => text.push_str("default_agent = \"ollama\"\n"),
        None => text.push_str("# default_agent = \"mine\"\n"),
    }
    text.push_str("\n[limits]\ngreen = 3        # fixes after the first try\ntest_time = \"5m\"\n\n[land]\nmode = \"squash\"  # or merge, rebase, branch\n");
    if let [_, second, ..] = agents {
        // Who did not write it sees more.
        let _ = write!(text, "\n[roles]\nreviewer = \"{second}\"\n");
    }
    for name in agents {
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
    use crate::config::Config;

    #[test]
    fn what_is_written_can_be_read_and_names_the_schema_first() {
        let found =
            Found { runner: "pytest", dir: String::new(), why: "pytest: pytest.ini".to_owned() };
        for runners in [vec![], vec![found]] {
            for agents in [&[][..], &["claude", "codex", "gemini", "opencode", "goose"][..]] {
                let text = text(&runners, agents, None);
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
        let both = Config::parse(&text(&[], &["claude"], Some(&local)), "proctor.toml").unwrap();
        assert_eq!((both.default_agent.as_deref(), both.agents.len()), (Some("claude"), 2));
    }

    #[test]
    fn a_repository_of_several_projects_gets_a_table_for_each() {
        let found = |runner: &'static str, dir: &str| Found {
            runner,
            dir: dir.to_owned(),
            why: format!("{runner}: {dir}"),
        };
        let text = text(&[found("cargo", ""), found("vitest", "web")], &["claude"], None);
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
        let text = text(&[found], &["claude"], None).replace(version, "/vX/");
        insta::assert_snapshot!("init_file", text);
    }
}
