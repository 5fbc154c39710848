//! `proctor agent try NAME TEXT`: one turn of an agent in a throw-away copy of the base commit, and what happened.

use crate::args::{AgentTryArgs, Format};
use crate::out;
use anyhow::Result;
use proctor_core::duration::show_duration;
use proctor_desk::config::settings;
use proctor_desk::intake::casting::Casting;
use proctor_desk::intake::throwaway::brief_of;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::flags::RunFlags;
use proctor_desk::text::amount::show_usd;
use proctor_desk::text::harmless::{harmless, one_line};
use proctor_desk::told::{INTERRUPTED, UNFIT, told, usage};
use proctor_engine::{Tried, try_agent};
use proctor_world::repo::UserRepo;
use serde_json::json;

/// The exit code of an agent's failure, as at the end of a run.
const AGENT_ERROR: u8 = 8;

pub fn agent_try(around: &Surroundings, args: &AgentTryArgs) -> Result<u8> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let base = repo.resolve("HEAD")?;
    let config = settings::read(around, &repo, &base)?;
    let flags = RunFlags { agent: Some(args.agent.clone()), ..RunFlags::default() };
    let cast = Casting {
        around,
        config: &config,
        flags: &flags,
        root: &repo.root,
        built_in: None,
        tools: &[],
        session: None,
    }
    .cast()?;
    let Some(spec) = cast.into_values().next() else {
        return Err(usage(format!("there is no agent `{}`", args.agent)));
    };
    let brief = brief_of(around, (&repo, base), &config, &args.text)?;
    out::talk(&format!(
        "{} ({}) gets your text and a copy of the base commit; the copy is thrown away",
        one_line(&spec.name),
        spec.kind.name()
    ));
    let tell = &mut |line: &str| out::talk(&format!("  | {}", one_line(line)));
    let tried = try_agent(&around.shop()?, &brief, &spec, &args.text, tell)
        .map_err(|why| told(UNFIT, why))?;
    match tried {
        Some(tried) => Ok(show(&tried, args.format)),
        None => Ok(INTERRUPTED),
    }
}

fn show(tried: &Tried, format: Format) -> u8 {
    let code = if tried.said.is_ok() { 0 } else { AGENT_ERROR };
    let took_ms = u64::try_from(tried.took.as_millis()).unwrap_or(u64::MAX);
    match format {
        Format::Json => {
            let (notes, fault) = match &tried.said {
                Ok(notes) => (Some(notes), None),
                Err(fault) => (None, Some(fault)),
            };
            let line = json!({
                "ok": tried.said.is_ok(), "notes": notes, "fault": fault, "changed": tried.changed,
                "session": tried.session, "tokens": tried.usage.tokens, "micro_usd": tried.usage.micro_usd,
                "estimated": tried.usage.estimated, "took_ms": took_ms,
            });
            out::json(&line.to_string());
        }
        Format::Text => {
            out::data(&match &tried.said {
                Ok(notes) => out::coloured(&format!("✓ it answered: {}", harmless(notes))),
                Err(fault) => out::coloured(&format!("✗ {}", harmless(fault))),
            });
            out::data(&match tried.changed.as_slice() {
                [] => "  changed: nothing".to_owned(),
                files => format!("  changed: {}", one_line(&files.join(", "))),
            });
            let about = if tried.usage.estimated { "about " } else { "" };
            out::data(&format!(
                "  used: {about}{} tokens, {}, {}",
                tried.usage.tokens,
                show_usd(tried.usage.micro_usd),
                show_duration(took_ms)
            ));
        }
    }
    code
}
