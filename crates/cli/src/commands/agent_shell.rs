//! `proctor agent shell RUN|--here`: a shell, or one command, in the sandbox that an agent gets.

use crate::args::AgentShellArgs;
use crate::out;
use anyhow::Result;
use proctor_core::agent::{AgentKind, AgentSpec};
use proctor_core::words::Role;
use proctor_desk::config::settings;
use proctor_desk::intake::throwaway::brief_of;
use proctor_desk::run::run_id::meant;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::one_line;
use proctor_desk::told::{UNFIT, told, usage};
use proctor_engine::{Desk, Sitting, load, sit};
use proctor_journal::{Journal, Lease};
use proctor_world::repo::UserRepo;
use std::io::IsTerminal;

pub fn agent_shell(around: &Surroundings, args: &AgentShellArgs) -> Result<u8> {
    let shop = around.shop()?;
    let shell = around.var("SHELL").and_then(|shell| shell.to_str()).unwrap_or("/bin/sh");
    let words = if args.command.is_empty() { vec![shell.to_owned()] } else { args.command.clone() };
    let person = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if args.command.is_empty() && !person {
        return Err(usage(
            "there is no terminal to sit at\nhint: give a command: `proctor agent shell --here -- python -m pytest`",
        ));
    }
    let sitting = if person { Sitting::Terminal } else { Sitting::Heard };
    let plain = AgentSpec::of("shell", AgentKind::Command { argv: words.clone() });
    let sat = if args.here {
        let repo = UserRepo::find(&around.cwd).map_err(usage)?;
        let base = repo.resolve("HEAD")?;
        let config = settings::read(around, &repo, &base)?;
        let brief = brief_of(around, (&repo, base), &config, "a shell")?;
        out::talk(
            "A throw-away copy of HEAD, as an agent would find it. What you change in it is gone afterwards.",
        );
        sit(&shop, &Desk::Copy { brief: &brief }, &plain, (&words, &sitting))
    } else {
        let id = meant(&Journal::open(shop.home.root())?, around, args.run.as_deref())?.id;
        // Nobody may be at work there meanwhile.
        let _lease = Lease::take(shop.home.root(), &id).map_err(|why| {
            usage(format!(
                "run {id} is at work: {why}\nhint: `proctor cancel {id}` stops it; or look at a copy of HEAD with --here"
            ))
        })?;
        let run = load(&shop, &id)?;
        let spec = run.brief.agents.get(&Role::Coder).cloned().unwrap_or(plain);
        out::talk(&format!(
            "The worktree of {id}, as {} finds it. The next turn begins with what was recorded, whatever you change.",
            one_line(&spec.name)
        ));
        sit(&shop, &Desk::Run { id: &id, run: &run }, &spec, (&words, &sitting))
    };
    let sat = sat.map_err(|why| told(UNFIT, why))?;
    out::raw(&sat.heard.stdout);
    out::raw_talk(&sat.heard.stderr);
    Ok(sat.code)
}
