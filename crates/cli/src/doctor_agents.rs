//! What `proctor doctor` says about coding agents: which are installed, which version, and whether there is a key or a login.
//! It asks no model anything.

use crate::config::{AgentTable, AgentWord, Config};
use crate::doctor::{Finding, good, note};
use crate::doctor_api;
use crate::harmless::one_line;
use crate::probe::Probe;
use crate::surroundings::Surroundings;
use proctor_agents::known::{KNOWN, Known};
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
        findings.push(doctor_api::check(around, name, table));
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
fn access(around: &Surroundings, known: Known, table: Option<&AgentTable>) -> Option<String> {
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
