//! Intake: from an order to a brief. Everything is checked before anything is created; `Draft::store` is the first
//! thing that writes.

use crate::casting::Casting;
use crate::config::Config;
use crate::luggage::{Luggage, Packed};
use crate::order::{Crew, Order};
use crate::run_id::{RunName, free_run_id};
use crate::scenario::{Language, built_in};
use crate::settings;
use crate::surroundings::Surroundings;
use crate::told::usage;
use crate::tooling::{Named, folder, projects, runner, setup};
use anyhow::{Context, Result};
use proctor_core::brief::{
    AfterRed, ApprovalPolicy, Brief, ChangedTests, ContextFile, Hang, LandMode, Landing, Limits,
    OnRegression, RefactorPolicy, Repo, Rules,
};
use proctor_core::intake::{TOKEN_LIMIT, valid_branch};
use proctor_core::secret::Allowed;
use proctor_core::words::{CommitId, Role, RunId};
use proctor_journal::{Blobs, Journal, Listing};
use proctor_world::repo::{Head, UserRepo};
use std::path::PathBuf;

/// A brief whose files are not stored yet.
pub struct Draft {
    pub run: RunId,
    pub brief: Brief,
    /// What the user should know before it begins.
    pub remarks: Vec<String>,
    context: Vec<Packed>,
    tests: Vec<Packed>,
    built_in: Option<(PathBuf, String)>,
}

/// Where the work begins and where it goes.
struct Ground {
    repo: UserRepo,
    base: CommitId,
    onto: Option<String>,
    config: Config,
}

/// Checks an order against the repository and the settings.
pub fn draft(around: &Surroundings, order: Order) -> Result<Draft> {
    let ground = survey(around, &order)?;
    let Ground { repo, base, onto, config } = &ground;
    let flags = &order.flags;
    let allowed = Allowed::new(config.secrets.allow.clone().unwrap_or_default())
        .map_err(|fault| usage(format!("[secrets] allow: {fault}")))?;
    let luggage = Luggage {
        cwd: if repo.bare { &repo.root } else { &around.cwd },
        root: &repo.root,
        allowed: &allowed,
    };
    let mut named = config.context.files.clone().unwrap_or_default();
    named.extend(flags.context.iter().cloned());
    let most = config.context.max_tokens.unwrap_or(TOKEN_LIMIT);
    let context = luggage.context(&named, most)?;
    let tests = luggage.tests(&flags.tests)?;
    let built_in = built_in_scenario(around, &ground)?;
    let casting = Casting {
        around,
        config,
        flags,
        root: &repo.root,
        built_in: built_in.as_ref().map(|(path, _)| path.as_path()),
    };
    let mut agents = casting.cast()?;
    if order.crew == Crew::Hunt {
        agents.insert(Role::Scout, casting.scout()?);
    }
    let mut remarks: Vec<String> = home_inside(around, repo).into_iter().collect();
    let mut mode = flags.land.or(config.land.mode).unwrap_or(LandMode::Squash);
    let run = free_run_id(&around.home, &RunName::of(&order.task))?;
    let branch = branch_of(&order, config, &run)?;
    if onto.is_none() && mode != LandMode::Branch {
        mode = LandMode::Branch;
        remarks.push(format!(
            "The base is not a branch, so there is none to land on: the work will be left on branch {branch}."
        ));
    }
    refuse_taken(around, repo, &branch, mode)?;
    let brief = Brief {
        repo: Repo {
            root: repo.root.to_string_lossy().into_owned(),
            git_dir: repo.git_dir.to_string_lossy().into_owned(),
            base: base.clone(),
            subdir: subdir(&order, &ground)?,
        },
        relevant_files: Luggage::names(&flags.files)?,
        context: Vec::new(),
        targets: flags.targets.clone(),
        brought_tests: Vec::new(),
        test_count: flags.test_count,
        rules: rules(&order, config),
        limits: limits(&order, config),
        landing: Landing {
            mode,
            onto: onto.clone(),
            branch,
            approval: if flags.yes { ApprovalPolicy::Beforehand } else { ApprovalPolicy::Person },
            author: repo.author(),
        },
        agents,
        runner: runner(Named { runner: &flags.runner, test_cmd: &flags.test_cmd }, config)?,
        projects: projects(config)?,
        setup: setup(config)?,
        allowed_secrets: allowed.clone(),
        sandbox: config.sandbox.spec(around)?,
        task: order.task,
        kind: order.kind,
        description: order.description,
        details: order.details,
    };
    Ok(Draft { run, brief, remarks, context, tests, built_in })
}

impl Draft {
    /// Stores what the brief names. The first write of a run.
    pub fn store(self, around: &Surroundings) -> Result<(RunId, Brief)> {
        let mut brief = self.brief;
        // The journal makes the home private before anything is put there.
        Journal::open(around.home.root())?;
        let blobs = Blobs::open(around.home.root())?;
        let keep = |files: Vec<Packed>| -> Result<Vec<ContextFile>> {
            files
                .into_iter()
                .map(|file| Ok(ContextFile { blob: blobs.put(&file.bytes)?, path: file.path }))
                .collect()
        };
        brief.context = keep(self.context)?;
        brief.brought_tests = keep(self.tests)?;
        if let Some((path, text)) = self.built_in {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("{} can't be made", folder.display()))?;
            }
            std::fs::write(&path, text)
                .with_context(|| format!("{} can't be written", path.display()))?;
        }
        Ok((self.run, brief))
    }
}

/// Finds repository, base, landing branch and settings.
fn survey(around: &Surroundings, order: &Order) -> Result<Ground> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let asked = order.flags.base.as_deref();
    let base = repo.resolve(asked.unwrap_or("HEAD")).map_err(usage)?;
    let config = settings::read(around, &repo, &base)?;
    let (base, config, onto) = match (asked, &config.land.onto) {
        (Some(rev), _) => {
            let onto = repo.branch_of(rev);
            (base, config, onto)
        }
        (None, Some(onto)) => {
            // The branch that runs land on is also where they begin, and its own settings count.
            let onto = onto.clone();
            let tip = repo
                .resolve(&format!("refs/heads/{onto}"))
                .map_err(|error| usage(format!("[land] onto = {onto:?}: {error}")))?;
            let config = settings::read(around, &repo, &tip)?;
            (tip, config, Some(onto))
        }
        (None, None) => {
            let onto = match &repo.head {
                Head::Branch { name, .. } => Some(name.clone()),
                Head::Detached { .. } | Head::Unborn { .. } => None,
            };
            (base, config, onto)
        }
    };
    Ok(Ground { repo, base, onto, config })
}

/// Tools look upward from where they run, and some would meet what is not committed there.
fn home_inside(around: &Surroundings, repo: &UserRepo) -> Option<String> {
    let home = around.home.root();
    (!repo.bare && home.starts_with(&repo.root)).then(|| {
        format!(
            "PROCTOR_HOME {} is inside this repository: worktrees and logs will lie in your checkout. A folder outside keeps it clean.",
            home.display()
        )
    })
}

fn branch_of(order: &Order, config: &Config, run: &RunId) -> Result<String> {
    let template = order
        .flags
        .branch
        .as_deref()
        .or(order.branch.as_deref())
        .or(config.branch.as_deref())
        .unwrap_or("proctor/{run}");
    let branch = template
        .replace("{run}", run.as_str())
        .replace("{task}", order.task.as_str())
        .replace("{type}", order.kind.name());
    valid_branch(&branch).map_err(usage)?;
    Ok(branch)
}

/// A branch is never silently used again.
fn refuse_taken(
    around: &Surroundings,
    repo: &UserRepo,
    branch: &str,
    mode: LandMode,
) -> Result<()> {
    if mode == LandMode::Branch && repo.branch_exists(branch) {
        return Err(usage(format!(
            "the branch {branch} is already there, and the work would be left on it\nhint: name another with --branch, or delete it with `git branch -D {branch}`"
        )));
    }
    if !around.home.root().join("journal.db").is_file() {
        return Ok(());
    }
    let root = repo.root.to_string_lossy();
    let journal = Journal::open(around.home.root())?;
    let open = journal.runs(Listing::Open)?;
    let taken = open.iter().find(|row| row.head.branch == branch && row.head.repo == root);
    match taken {
        Some(row) => Err(usage(format!(
            "run {id} is already open on branch {branch}\nhint: go on with `proctor resume {id}`, end it with `proctor abort {id}`, or name another branch with --branch",
            id = row.id
        ))),
        None => Ok(()),
    }
}

fn subdir(order: &Order, ground: &Ground) -> Result<String> {
    let Some(text) = order.flags.subdir.as_ref().or(ground.config.subdir.as_ref()) else {
        return Ok(String::new());
    };
    let path = folder(text)?;
    if !path.is_empty() && ground.repo.list_at(&ground.base, &format!("{path}/"))?.is_empty() {
        return Err(usage(format!(
            "there is no folder {path} at {}\nhint: give it from the top of the repository, and commit it first",
            ground.base.short()
        )));
    }
    Ok(path)
}

fn rules(order: &Order, config: &Config) -> Rules {
    let flags = &order.flags;
    let fixed = Rules::default();
    Rules {
        strict_red: flags.strict_red || config.gates.strict_red.unwrap_or(fixed.strict_red),
        refactor: if flags.no_refactor { RefactorPolicy::Skipped } else { fixed.refactor },
        on_regression: config.gates.on_regression.unwrap_or(OnRegression::Halt),
        changed_tests: if flags.allow_changed_tests {
            ChangedTests::Allowed
        } else {
            ChangedTests::NeedAPerson
        },
        repeats: config.gates.repeats.unwrap_or(fixed.repeats),
        baseline_runs: config.gates.baseline_runs.unwrap_or(fixed.baseline_runs),
        coverage: flags.coverage.or(config.gates.coverage).map(|least| least.0),
        probe: config.gates.probe.unwrap_or_default(),
        survivors: config.gates.mutants.map(|share| share.0),
        held_out: config.gates.held_out.map(|share| share.0),
        after_red: match order.crew {
            Crew::Run => AfterRed::GoOn,
            Crew::Hunt => AfterRed::Hold,
        },
        hang: if flags.hangs { Hang::IsTheBug } else { Hang::Unknown },
    }
}

fn limits(order: &Order, config: &Config) -> Limits {
    let (flags, table, fixed) = (&order.flags, &config.limits, Limits::default());
    Limits {
        red: table.red.unwrap_or(fixed.red),
        green: table.green.unwrap_or(fixed.green),
        review: table.review.unwrap_or(fixed.review),
        tests: table.tests.unwrap_or(fixed.tests),
        asks: fixed.asks,
        agent_calls: flags.max_calls.or(table.agent_calls).unwrap_or(fixed.agent_calls),
        wall_ms: flags.max_time.or(table.time.map(|span| span.0)),
        tokens: flags.max_tokens.or(table.tokens),
        micro_usd: flags
            .max_cost
            .map(|usd| usd.0)
            .or(table.cost_usd.map(crate::value::Cost::micro_usd)),
        turn_ms: table.turn_time.map_or(fixed.turn_ms, |span| span.0),
        silence_ms: table.silence.map_or(fixed.silence_ms, |span| span.0),
        test_ms: table.test_time.map_or(fixed.test_ms, |span| span.0),
    }
}

/// `AGENTOS_MOCK_LLM=1` asks for the built-in scenario. Its file is written with the blobs.
fn built_in_scenario(around: &Surroundings, ground: &Ground) -> Result<Option<(PathBuf, String)>> {
    let asked = around.var("AGENTOS_MOCK_LLM").is_some_and(|value| value == "1");
    if !asked || around.var("PROCTOR_MOCK").is_some() {
        return Ok(None);
    }
    let cargo_toml = ground.repo.read_at(&ground.base, "Cargo.toml")?;
    let text = cargo_toml.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let language = Language::of(text.as_deref());
    let file = match &language {
        Language::Python => "python.json".to_owned(),
        Language::Rust { library } => format!("rust-{library}.json"),
    };
    let path = around.home.root().join("scenarios").join(file);
    Ok(Some((path, format!("{:#}\n", built_in(&language)))))
}
