//! What `proctor doctor` says about coding agents: which are installed, which version, and whether there is a key or a login.
//! It asks no model anything.

use crate::commands::doctor::{Finding, good, note};
use proctor_agents::acp::make_of;
use proctor_agents::known::{KNOWN, Known};
use proctor_core::agent::Make;
use proctor_desk::config::{AgentTable, AgentWord, Config};
use proctor_desk::probe::Probe;
use proctor_desk::surroundings::{Surroundings, own_program};
use proctor_desk::text::harmless::one_line;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(crate) fn check(
    around: &Surroundings,
    probe: &Probe,
    config: &Config,
    findings: &mut Vec<Finding>,
) {
    for known in KNOWN {
        let tables = config.agents.values();
        let mut tables = tables.filter(|table| table.kind.cli() == Some(known.name)).peekable();
        let own = tables.peek().and_then(|table| table.program.clone());
        let name = own.as_deref().unwrap_or(known.name);
        let Some(program) = around.program(name, &around.cwd) else { continue };
        findings.push(installed(around, probe, known, &program, tables.next()));
    }
    for (name, table) in config.agents.iter().filter(|(_, t)| t.kind == AgentWord::Api) {
        findings.push(crate::commands::doctor::api::check(around, name, table));
    }
    let over_acp = config.agents.iter().filter(|(_, table)| table.kind == AgentWord::Acp);
    for (name, table) in over_acp {
        findings.push(greeted(around, probe, name, table));
    }
}

/// An agent that speaks the Agent Client Protocol is met: it says who it is, and no session is opened.
fn greeted(around: &Surroundings, probe: &Probe, name: &str, table: &AgentTable) -> Finding {
    let unfit = |what: String, remedy: &str| Finding {
        remedy: Some(remedy.to_owned()),
        ..note("agent", format!("{name} (acp) {what}"))
    };
    let words = table.command.as_ref().and_then(|command| command.split("command").ok());
    let Some((program, rest)) = words.as_ref().and_then(|words| words.split_first()) else {
        return unfit("has no command".to_owned(), "name its program in `command`");
    };
    let found = around.program(program, &around.cwd).zip(own_program().ok());
    let Some((path, own)) = found else {
        return unfit(
            format!("has the program `{program}`, which was not found"),
            "install it, or put it on PATH",
        );
    };
    let mut argv = vec![own.as_os_str(), OsStr::new("acp-greet"), path.as_os_str()];
    argv.extend(rest.iter().chain(&table.args).map(OsStr::new));
    let said = match probe.says(&argv) {
        Ok(said) => one_line(&said),
        Err(why) => {
            let what = format!("does not answer: {}", one_line(&why));
            return unfit(what, "look whether `command` starts it with the Agent Client Protocol");
        }
    };
    let shown = format!("{name} (acp) is {said} ({})", path.display());
    let make = words.as_ref().map(|words| make_of(words)).and_then(Make::driver);
    match make.and_then(Known::by_name).map(|known| (access(around, known, Some(table)), known)) {
        Some((None, known)) => Finding {
            remedy: Some(known.remedy.to_owned()),
            ..note("agent", format!("{shown}: no key and no login were found"))
        },
        Some((Some(how), _)) => good("agent", format!("{shown}: {how}")),
        None => good("agent", shown),
    }
}

fn installed(
    around: &Surroundings,
    probe: &Probe,
    known: Known,
    program: &Path,
    table: Option<&AgentTable>,
) -> Finding {
    let version = probe.says(&[program.as_os_str(), OsStr::new("--version")]);
    let shown = match &version {
        Ok(version) => format!("{} {} ({})", known.name, one_line(version), program.display()),
        Err(why) => {
            let what = format!("{} does not start: {}", program.display(), one_line(why));
            let remedy = Some("install it again".to_owned());
            return Finding { remedy, ..note("agent", what) };
        }
    };
    match access(around, known, table) {
        Some(how) => good("agent", format!("{shown}: {how}")),
        None => Finding {
            remedy: Some(known.remedy.to_owned()),
            ..note("agent", format!("{shown}: no key and no login were found"))
        },
    }
}

/// By what it would get to its model.
pub(crate) fn access(
    around: &Surroundings,
    known: Known,
    table: Option<&AgentTable>,
) -> Option<String> {
    let named = table.map(|table| table.env.as_slice()).unwrap_or_default();
    let set = known
        .keys
        .iter()
        .copied()
        .chain(named.iter().map(String::as_str).filter(|name| name.ends_with("_KEY")))
        .find(|name| around.var(name).is_some());
    if let Some(name) = set {
        return Some(format!("{name} is set"));
    }
    let login = PathBuf::from(around.var("HOME")?).join(known.login);
    login.is_file().then(|| format!("logged in ({})", login.display()))
}
