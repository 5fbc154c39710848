//! `proctor doctor`: what works here and what does not, each with its remedy. Looks at everything, changes nothing
//! but a probe file in `PROCTOR_HOME`.

pub mod agents;
pub mod api;
mod tools;

use crate::args::{DoctorArgs, Format};
use crate::commands::doctor::tools::Tools;
use crate::out;
use anyhow::Result;
use proctor_core::brief::{AgentSpec, Require};
use proctor_desk::bundle::bundle;
use proctor_desk::config::Config;
use proctor_desk::config::sandbox;
use proctor_desk::config::settings;
use proctor_desk::intake::casting::Casting;
use proctor_desk::probe::Probe;
use proctor_desk::surroundings::{Surroundings, own_program};
use proctor_desk::task::flags::RunFlags;
use proctor_desk::text::harmless::{harmless, one_line};
use proctor_desk::told::UNFIT;
use proctor_world::child::Keeper;
use proctor_world::git;
use proctor_world::repo::{Head, UserRepo};
use proctor_world::sandbox::{Strength, probe};
use serde::Serialize;
use std::os::unix::fs::DirBuilderExt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Health {
    Good,
    /// Worth knowing; a run works without it.
    Note,
    /// A run can't work here.
    Bad,
}

#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) name: &'static str,
    pub(crate) health: Health,
    pub(crate) what: String,
    pub(crate) remedy: Option<String>,
}

pub fn doctor(around: &Surroundings, args: &DoctorArgs) -> Result<u8> {
    let format = args.format.format;
    let probe = Probe::new(around)?;
    let mut findings = vec![git_version(), home(around)];
    let repo = UserRepo::find(&around.cwd);
    findings.push(repository(&repo));
    let mut required = Require::None;
    match &repo {
        Ok(repo) => {
            let config = configuration(around, repo, &mut findings);
            required = config.sandbox.require.unwrap_or_default();
            Tools { around, probe: &probe, root: &repo.root }.check(&config, &mut findings);
            findings.push(agents(around, repo, &config));
            self::agents::check(around, &probe, &config, &mut findings);
        }
        Err(_) => {
            Tools { around, probe: &probe, root: &around.cwd }.python(Health::Note, &mut findings);
        }
    }
    findings.push(containment(around, required)?);
    findings.push(clock());
    for finding in &findings {
        show(finding, format)?;
    }
    if let Some(file) = &args.bundle {
        let lines: Result<Vec<String>, _> = findings.iter().map(serde_json::to_string).collect();
        let names = bundle(around, &(lines?.join("\n") + "\n"), &around.cwd.join(file))?;
        let file = file.display();
        out::talk(&format!(
            "packed into {file}: {}; look through it before you send it on",
            names.join(", ")
        ));
    }
    let fit = findings.iter().all(|finding| finding.health != Health::Bad);
    Ok(if fit { 0 } else { UNFIT })
}

fn show(finding: &Finding, format: Format) -> Result<()> {
    match format {
        Format::Json => out::json(&serde_json::to_string(finding)?),
        Format::Text => {
            let mark = match finding.health {
                Health::Good => '✓',
                Health::Note => '·',
                Health::Bad => '✗',
            };
            let what = harmless(&finding.what).replace('\n', "\n    ");
            out::data(&out::coloured(&format!("{mark} {}: {what}", finding.name)));
            if let Some(remedy) = &finding.remedy {
                out::data(&format!("    hint: {}", one_line(remedy)));
            }
        }
    }
    Ok(())
}

pub(crate) fn good(name: &'static str, what: impl Into<String>) -> Finding {
    Finding { name, health: Health::Good, what: what.into(), remedy: None }
}

pub(crate) fn note(name: &'static str, what: impl Into<String>) -> Finding {
    Finding { health: Health::Note, ..good(name, what) }
}

/// Takes an error's own hint as the remedy.
pub(crate) fn bad(name: &'static str, text: &str) -> Finding {
    let (what, remedy) = match text.split_once("\nhint: ") {
        Some((what, remedy)) => (what, Some(remedy.to_owned())),
        None => (text, None),
    };
    Finding { name, health: Health::Bad, what: what.to_owned(), remedy }
}

fn containment(around: &Surroundings, required: Require) -> Result<Finding> {
    let keeper = Keeper { program: own_program()?, args: vec!["keep".into()] };
    let found = probe(&keeper, sandbox::wish(around)?, around.home.root());
    let (what, why) = sandbox::told(&found);
    let enough = proctor_engine::is_enough(&found.level, required);
    let remedy = "install bubblewrap, or allow user namespaces (docs/sandbox.md)".to_owned();
    let what = match why.as_slice() {
        [] => what,
        why => format!("{what}\n{}", why.join("\n")),
    };
    Ok(match (enough, found.level.strength()) {
        (false, _) => Finding {
            remedy: Some(remedy),
            ..bad("sandbox", &format!("{what}\n[sandbox] require is \"{}\"", required.name()))
        },
        (true, Strength::Strong) => good("sandbox", what),
        (true, Strength::Files | Strength::None) => {
            Finding { remedy: Some(remedy), ..note("sandbox", what) }
        }
    })
}

/// New tests are also run on another date, where something can shift it.
fn clock() -> Finding {
    match proctor_engine::clock_shifter() {
        Some(_) => good("clock", "libfaketime: new tests are run some years from now too"),
        None => Finding {
            remedy: Some("`apt-get install faketime`".to_owned()),
            ..note("clock", "libfaketime is not installed; new tests are run on today's date alone")
        },
    }
}

fn git_version() -> Finding {
    match git::version() {
        Ok((major, minor)) if (major, minor) >= git::OLDEST => {
            good("git", format!("{major}.{minor}"))
        }
        Ok((major, minor)) => bad(
            "git",
            &format!(
                "{major}.{minor} is too old\nhint: install {}.{} or newer",
                git::OLDEST.0,
                git::OLDEST.1
            ),
        ),
        Err(why) => bad("git", &why.to_string()),
    }
}

fn home(around: &Surroundings) -> Finding {
    let root = around.home.root();
    let tried = || -> std::io::Result<()> {
        // As a run would make it: for nobody else's eyes.
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(root)?;
        let file = root.join(format!(".doctor-{}", std::process::id()));
        std::fs::write(&file, b"")?;
        std::fs::remove_file(&file)
    };
    match tried() {
        Ok(()) => good("home", format!("{} can be written", root.display())),
        Err(why) => bad(
            "home",
            &format!(
                "{} can't be written: {why}\nhint: point PROCTOR_HOME at a folder of your own",
                root.display()
            ),
        ),
    }
}

fn repository(repo: &Result<UserRepo, proctor_world::repo::RepoError>) -> Finding {
    match repo {
        Ok(repo) => match &repo.head {
            Head::Branch { name, commit } => good(
                "repository",
                format!("{} on {name} at {}", repo.root.display(), commit.short()),
            ),
            Head::Detached { commit } => good(
                "repository",
                format!(
                    "{} at {}, no branch: work is left on a branch of its own",
                    repo.root.display(),
                    commit.short()
                ),
            ),
            Head::Unborn { .. } => bad(
                "repository",
                &format!("{} has no commit yet\nhint: make a first commit", repo.root.display()),
            ),
        },
        Err(why) => bad("repository", &why.to_string()),
    }
}

fn configuration(around: &Surroundings, repo: &UserRepo, findings: &mut Vec<Finding>) -> Config {
    let Ok(base) = repo.resolve("HEAD") else {
        return Config::default();
    };
    match settings::read(around, repo, &base) {
        Ok(config) => {
            let committed = matches!(repo.read_at(&base, settings::FILE), Ok(Some(_)));
            let uncommitted = !committed && repo.root.join(settings::FILE).exists();
            findings.push(match (committed, uncommitted) {
                (true, _) => good("configuration", format!("{} is valid", settings::FILE)),
                (false, true) => Finding {
                    remedy: Some("commit it; runs read it from their base commit".to_owned()),
                    ..note(
                        "configuration",
                        format!("{} is not committed, so no run sees it", settings::FILE),
                    )
                },
                (false, false) => Finding {
                    remedy: Some("`proctor init` writes one".to_owned()),
                    ..note("configuration", format!("no {}; defaults apply", settings::FILE))
                },
            });
            config
        }
        Err(why) => {
            findings.push(bad("configuration", &why.to_string()));
            Config::default()
        }
    }
}

fn agents(around: &Surroundings, repo: &UserRepo, config: &Config) -> Finding {
    let flags = RunFlags::default();
    let cast = Casting {
        around,
        config,
        flags: &flags,
        root: &repo.root,
        built_in: None,
        tools: &[],
        session: None,
    }
    .cast();
    match cast {
        Ok(cast) => {
            let name = |spec: &AgentSpec| one_line(&spec.name);
            let roles: Vec<String> =
                cast.iter().map(|(role, spec)| format!("{} {}", role.name(), name(spec))).collect();
            good("agents", roles.join(", "))
        }
        // A run works with --agent-cmd where nothing is configured at all.
        Err(why) if config.agents.is_empty() && config.default_agent.is_none() => {
            Finding { health: Health::Note, ..bad("agents", &why.to_string()) }
        }
        Err(why) => bad("agents", &why.to_string()),
    }
}
