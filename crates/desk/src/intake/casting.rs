//! Which agent takes which role: flags over `[roles]` over the default, and the scripted agent over all of them.

use crate::config::sandbox;
use crate::config::settings;
use crate::config::{AgentTable, AgentWord, Config};
use crate::surroundings::Surroundings;
use crate::task::flags::RunFlags;
use crate::task::order::Crew;
use crate::text::nearest::nearest;
use crate::text::shell_words;
use crate::told::usage;
use anyhow::Result;
use proctor_agents::acp::make_of;
use proctor_agents::known::Known;
use proctor_core::agent::{AcpSpec, CliSpec, Make, SessionPolicy};
use proctor_core::brief::{AgentKind, AgentSpec};
use proctor_core::words::{Phase, Role};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The roles that every run has turns for.
pub const ROLES: [Role; 3] = [Role::Tester, Role::Coder, Role::Reviewer];
/// The roles that a run does without where nobody is named for them.
const OPTIONAL: [Role; 2] = [Role::Diagnostician, Role::Auditor];

/// The word for nobody, in the place of an examiner.
const NOBODY: &str = "none";

const NO_AGENT: &str = "no agent is configured
hint: name a coding agent with --agent claude (or codex, gemini, opencode, goose), any program with --agent-cmd 'my-agent --flag', or put one (also a model by its API, kind = \"api\") into proctor.toml (`proctor init` writes it):
  default_agent = \"mine\"
  [agents.mine]
  kind = \"command\"
  command = [\"my-agent\", \"--flag\"]";

/// Finds an agent for every role.
pub struct Casting<'a> {
    pub around: &'a Surroundings,
    pub config: &'a Config,
    pub flags: &'a RunFlags,
    /// The agents that a task file names for roles, each with where it does.
    pub tools: &'a [(Role, String, String)],
    /// How a task file wants conversations to go on.
    pub session: Option<SessionPolicy>,
    /// The top of the user's checkout: paths in proctor.toml are seen from here.
    pub root: &'a Path,
    /// The built-in scenario's file, where it was asked for.
    pub built_in: Option<&'a Path>,
}

impl Casting<'_> {
    pub fn cast(&self) -> Result<BTreeMap<Role, AgentSpec>> {
        let asked = self.asked_roles()?;
        let optional = OPTIONAL.into_iter().filter_map(|role| {
            Some((role, asked.get(&role).map(String::as_str).or(self.configured(role))?))
        });
        let examiner =
            asked.get(&Role::Examiner).map(String::as_str).or(self.configured(Role::Examiner));
        if let Some(script) = self.mock()? {
            let named = examiner.filter(|name| *name != NOBODY).map(|_| Role::Examiner);
            let roles = ROLES.into_iter().chain(optional.map(|(role, _)| role)).chain(named);
            return Ok(roles.map(|role| (role, script.clone())).collect());
        }
        let by_flag = self.by_flag()?;
        let mut cast = BTreeMap::new();
        for role in ROLES {
            cast.insert(role, self.one(role, &asked, by_flag.as_ref())?);
        }
        for (role, name) in optional {
            cast.insert(role, self.named(name, "[roles]")?);
        }
        let examiner = match examiner {
            Some(NOBODY) => None,
            Some(name) => Some(self.named(name, "[roles] examiner")?),
            None => second(&cast),
        };
        cast.extend(examiner.map(|spec| (Role::Examiner, spec)));
        if let Some(policy) = self.session {
            for cli in cast.values_mut().filter_map(|spec| spec.kind.cli_mut()) {
                cli.session = policy;
            }
        }
        Ok(cast)
    }

    /// Everybody that an order needs.
    pub fn crew(&self, crew: Crew) -> Result<BTreeMap<Role, AgentSpec>> {
        let mut cast = self.cast()?;
        if let Crew::Hunt(step) = crew {
            cast.insert(Role::Scout, self.scout(step)?);
        }
        Ok(cast)
    }

    /// The agent that takes a step of a hunt: what was typed, else the step's own, else the scout.
    fn scout(&self, step: Phase) -> Result<AgentSpec> {
        if let Some(script) = self.mock()? {
            return Ok(script);
        }
        let (asked, by_flag) = (self.asked_roles()?, self.by_flag()?);
        let hunt = &self.config.hunt;
        let own = match step {
            Phase::Suggest => hunt.suggest.as_deref(),
            Phase::Scout => hunt.scout.as_deref(),
            Phase::Classify => hunt.classify.as_deref(),
            Phase::WriteTests
            | Phase::Implement
            | Phase::Refactor
            | Phase::Review
            | Phase::Diagnose
            | Phase::Audit => None,
        };
        match own {
            Some(name) if by_flag.is_none() && !asked.contains_key(&Role::Scout) => {
                self.named(name, "[hunt]")
            }
            _ => self.one(Role::Scout, &asked, by_flag.as_ref()),
        }
    }

    fn one(
        &self,
        role: Role,
        asked: &BTreeMap<Role, String>,
        by_flag: Option<&AgentSpec>,
    ) -> Result<AgentSpec> {
        let tool = self.tools.iter().find(|(of, _, _)| *of == role);
        match (asked.get(&role), by_flag, tool, self.configured(role)) {
            (Some(name), _, _, _) => self.named(name, "--role"),
            (None, Some(spec), _, _) => Ok(spec.clone()),
            (None, None, Some((_, name, place)), _) => self.named(name, place),
            (None, None, None, Some(name)) => self.named(name, "[roles]"),
            (None, None, None, None) => self.default(),
        }
    }

    /// The agent of `--agent-cmd` or `--agent`.
    fn by_flag(&self) -> Result<Option<AgentSpec>> {
        match (&self.flags.agent_cmd, &self.flags.agent) {
            (Some(command), _) => self.on_the_spot(command).map(Some),
            (None, Some(name)) => self.named(name, "--agent").map(Some),
            (None, None) => Ok(None),
        }
    }

    /// `PROCTOR_MOCK` puts a scenario in the place of every agent, and so does the built-in one.
    fn mock(&self) -> Result<Option<AgentSpec>> {
        let Some(file) = self.around.var("PROCTOR_MOCK") else {
            // The file is written when everything is checked, so it need not be there yet.
            return Ok(self.built_in.map(|path| AgentSpec {
                name: "built-in scenario".to_owned(),
                env: Vec::new(),
                read: Vec::new(),
                copy: Vec::new(),
                kind: AgentKind::Script { file: path.to_string_lossy().into_owned() },
            }));
        };
        let path = self.around.cwd.join(file);
        let name = path.to_string_lossy().into_owned();
        Self::script("mock", &path, &format!("PROCTOR_MOCK={name}")).map(Some)
    }

    fn asked_roles(&self) -> Result<BTreeMap<Role, String>> {
        let mut asked = BTreeMap::new();
        for text in &self.flags.roles {
            let Some((role, agent)) = text.split_once('=') else {
                return Err(usage(format!(
                    "--role {text} is not ROLE=AGENT\nhint: write it like --role reviewer=mine"
                )));
            };
            let known = || ROLES.into_iter().chain(OPTIONAL).chain([Role::Examiner, Role::Scout]);
            let found = known().find(|known| known.name() == role);
            let Some(found) = found else {
                let hint = nearest(role, known().map(Role::name)).map_or_else(
                    || {
                        "the roles are tester, coder, reviewer, diagnostician, auditor, examiner and scout"
                            .to_owned()
                    },
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(usage(format!(
                    "--role {text}: there is no role `{role}`\nhint: {hint}"
                )));
            };
            asked.insert(found, agent.to_owned());
        }
        Ok(asked)
    }

    fn configured(&self, role: Role) -> Option<&str> {
        let roles = &self.config.roles;
        match role {
            Role::Tester => roles.tester.as_deref(),
            Role::Coder => roles.coder.as_deref(),
            Role::Reviewer => roles.reviewer.as_deref(),
            Role::Auditor => roles.auditor.as_deref(),
            Role::Diagnostician => roles.diagnostician.as_deref(),
            Role::Scout => roles.scout.as_deref(),
            Role::Examiner => roles.examiner.as_deref(),
        }
    }

    /// The named default, or the only agent that there is.
    fn default(&self) -> Result<AgentSpec> {
        if let Some(name) = &self.config.default_agent {
            return self.named(name, "default_agent");
        }
        let mut names = self.config.agents.keys();
        match (names.next(), names.next()) {
            (Some(only), None) => self.named(only, "[agents]"),
            (None, _) => Err(usage(self.uncommitted(None).unwrap_or_else(|| NO_AGENT.to_owned()))),
            (Some(_), Some(_)) => Err(usage(format!(
                "several agents are configured ({}) and none is the default\nhint: choose with --agent NAME, or set default_agent in proctor.toml",
                self.known()
            ))),
        }
    }

    /// What a `proctor.toml` says that is not committed: it does not count, and whoever wrote it should know.
    fn uncommitted(&self, asked: Option<&str>) -> Option<String> {
        let path = self.root.join(settings::FILE);
        let text = std::fs::read_to_string(path).ok()?;
        let config = Config::parse(&text, settings::FILE).ok()?;
        let named = match asked {
            Some(name) => config.agents.contains_key(name).then(|| name.to_owned()),
            None => config.default_agent.or_else(|| config.agents.into_keys().next()),
        }?;
        Some(format!(
            "{file} in your checkout names the agent `{named}`, but it is not committed, and a run reads it from its base commit\nhint: `git add {file} && git commit -m \"proctor: settings\"`; or name the agent here with --agent",
            file = settings::FILE
        ))
    }

    fn known(&self) -> String {
        let names: Vec<&str> = self.config.agents.keys().map(String::as_str).collect();
        names.join(", ")
    }

    fn named(&self, name: &str, whence: &str) -> Result<AgentSpec> {
        if let Some(table) = self.config.agents.get(name) {
            return self.spec(name, table);
        }
        if let Some(kind) = AgentWord::by_name(name) {
            return self.coding_agent(name, &AgentTable { kind, ..AgentTable::default() });
        }
        if let Some(text) = self.uncommitted(Some(name)) {
            return Err(usage(text));
        }
        let names = self.config.agents.keys().map(String::as_str);
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.config.agents.is_empty() => {
                "no agent is configured; name a program with --agent-cmd, or add [agents.NAME] to proctor.toml".to_owned()
            }
            None => format!("configured are {}", self.known()),
        };
        Err(usage(format!("{whence}: there is no agent `{name}`\nhint: {hint}")))
    }

    /// An agent that was typed for a role; a scenario in the place of all agents is in its place too.
    pub(super) fn typed(&self, name: &str) -> Result<AgentSpec> {
        match self.mock()? {
            Some(script) => Ok(script),
            None => self.named(name, "--role"),
        }
    }

    fn spec(&self, name: &str, table: &AgentTable) -> Result<AgentSpec> {
        let paths = |named: &[String], key: &str| {
            sandbox::paths(self.around, named, &format!("[agents.{name}] {key}"))
        };
        Ok(AgentSpec {
            env: table.env.clone(),
            read: paths(&table.read, "read")?,
            copy: paths(&table.copy, "copy")?,
            ..self.bare_spec(name, table)?
        })
    }

    fn bare_spec(&self, name: &str, table: &AgentTable) -> Result<AgentSpec> {
        let missing = |key: &str| usage(format!("[agents.{name}] needs `{key}`"));
        match table.kind {
            AgentWord::Command => {
                let words = table.command.as_ref().ok_or_else(|| missing("command"))?;
                let argv = words.split(&format!("agents.{name}.command")).map_err(usage)?;
                self.command(name, argv, self.root)
            }
            AgentWord::Claude
            | AgentWord::Codex
            | AgentWord::Gemini
            | AgentWord::Opencode
            | AgentWord::Goose => self.coding_agent(name, table),
            AgentWord::Api => Ok(AgentSpec::of(name, AgentKind::Api(table.api()))),
            AgentWord::Acp => {
                let words = table.command.as_ref().ok_or_else(|| missing("command"))?;
                let argv = words.split(&format!("agents.{name}.command")).map_err(usage)?;
                self.acp(name, &argv, table)
            }
            AgentWord::Script => {
                let file = table.file.as_ref().ok_or_else(|| missing("file"))?;
                Self::script(name, &self.root.join(file), &format!("[agents.{name}] file"))
            }
        }
    }

    /// A coding agent with a driver of its own. Its program is found like any other.
    fn coding_agent(&self, name: &str, table: &AgentTable) -> Result<AgentSpec> {
        let cli = table.cli();
        let Some(known) = table.kind.cli().and_then(Known::by_name) else {
            return Err(usage(format!("[agents.{name}] is of a kind that has no driver")));
        };
        let program = table.program.as_deref().unwrap_or(known.name);
        let Some(path) = self.around.program(program, self.root) else {
            return Err(usage(format!(
                "the program `{program}` of agent `{name}` was not found\nhint: install it, put it on PATH, or name its place as `program` in [agents.{name}]"
            )));
        };
        let path = path.canonicalize().unwrap_or(path);
        let cli = CliSpec { program: path.to_string_lossy().into_owned(), ..cli };
        Ok(AgentSpec::of(name, known.kind(cli)))
    }

    /// Any agent that speaks the Agent Client Protocol, started by a command.
    fn acp(&self, name: &str, argv: &[String], table: &AgentTable) -> Result<AgentSpec> {
        let make = make_of(argv);
        let (program, rest) = argv.split_first().map(|(p, r)| (p.clone(), r)).unwrap_or_default();
        let Some(path) = self.around.program(&program, self.root) else {
            return Err(usage(format!(
                "the program `{program}` of agent `{name}` was not found\nhint: install it, put it on PATH, or give its full path in `command` of [agents.{name}]"
            )));
        };
        // A node program lies among its packages, wherever the link to it is; other links may mean something by their name.
        let real = path.canonicalize().ok();
        let packaged = |real: &PathBuf| real.components().any(|c| c.as_os_str() == "node_modules");
        let path = real.filter(packaged).unwrap_or(path);
        let cli = table.cli();
        if make == Make::Other && (cli.base_url.is_some() || cli.provider.is_some()) {
            return Err(usage(format!(
                "[agents.{name}]: Proctor does not know how `{program}` is told of `base_url` or `provider`\nhint: use the program's own arguments (`args`) or variables (`env`)"
            )));
        }
        let cli = CliSpec {
            program: path.to_string_lossy().into_owned(),
            args: rest.iter().chain(&table.args).cloned().collect(),
            ..cli
        };
        Ok(AgentSpec::of(name, AgentKind::Acp(AcpSpec { cli, mode: table.mode.clone(), make })))
    }

    fn on_the_spot(&self, command: &str) -> Result<AgentSpec> {
        let argv = shell_words::split(command).map_err(|fault| {
            usage(format!(
                "--agent-cmd {command:?} can't be split into words: {fault}\nhint: quote as in a shell; no shell is run"
            ))
        })?;
        let program = argv.first().cloned().unwrap_or_default();
        let name = Path::new(&program)
            .file_name()
            .map_or_else(|| program.clone(), |name| name.to_string_lossy().into_owned());
        self.command(&name, argv, &self.around.cwd)
    }

    /// A command agent whose program is there. Its path is kept, so that resuming elsewhere finds the same.
    fn command(&self, name: &str, mut argv: Vec<String>, from: &Path) -> Result<AgentSpec> {
        let program = argv.first().cloned().unwrap_or_default();
        let Some(path) = self.around.program(&program, from) else {
            return Err(usage(format!(
                "the program `{program}` of agent `{name}` was not found\nhint: install it, put it on PATH, or give its full path"
            )));
        };
        if let Some(first) = argv.first_mut() {
            *first = path.to_string_lossy().into_owned();
        }
        Ok(AgentSpec {
            name: name.to_owned(),
            env: Vec::new(),
            read: Vec::new(),
            copy: Vec::new(),
            kind: AgentKind::Command { argv },
        })
    }

    fn script(name: &str, path: &Path, whence: &str) -> Result<AgentSpec> {
        match path.canonicalize() {
            Ok(full) if full.is_file() => Ok(AgentSpec {
                name: name.to_owned(),
                env: Vec::new(),
                read: Vec::new(),
                copy: Vec::new(),
                kind: AgentKind::Script { file: full.to_string_lossy().into_owned() },
            }),
            Ok(_) => Err(usage(format!("{whence}: not a file\nhint: name a scenario file"))),
            Err(why) => Err(usage(format!(
                "{whence} can't be read: {why}\nhint: name a scenario file that exists"
            ))),
        }
    }
}

/// Who examines where nobody is named: an agent other than the coder's, and than the tester's where there is one.
fn second(cast: &BTreeMap<Role, AgentSpec>) -> Option<AgentSpec> {
    let name = |role: Role| cast.get(&role).map(|spec| spec.name.as_str());
    let (coder, tester) = (name(Role::Coder), name(Role::Tester));
    [Role::Reviewer, Role::Auditor, Role::Diagnostician, Role::Tester]
        .into_iter()
        .filter_map(|role| cast.get(&role))
        .filter(|spec| Some(spec.name.as_str()) != coder)
        .min_by_key(|spec| Some(spec.name.as_str()) == tester)
        .cloned()
}

#[cfg(test)]
#[path = "casting_tests.rs"]
mod tests;
