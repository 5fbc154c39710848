//! Intake: from an order to a brief. Everything is checked before anything is created; `Draft::store` is the first
//! thing that writes.

pub mod casting;
mod legacy;
mod luggage;
mod rivals;
mod scenario;
pub mod throwaway;
pub mod tooling;

use crate::config::settings;
use crate::config::value::Texts;
use crate::config::{ApproveWord, Config, SecretsTable};
use crate::intake::casting::Casting;
use crate::intake::luggage::{Luggage, Packed};
use crate::intake::scenario::{Language, built_in};
use crate::intake::tooling::{Named, checked, folder, projects, runner, setup};
use crate::run::run_id::{RunName, free_run_id};
use crate::surroundings::Surroundings;
use crate::task::flags::RunFlags;
use crate::task::order::{Crew, Order};
use crate::task::task_json::{Method, TestCommand};
use crate::told::usage;
use anyhow::{Context, Result};
use proctor_core::brief::{
    AfterRed, ApprovalPolicy, Brief, ChangedTests, ContextFile, Hang, LandMode, Landing, Limits,
    OnRegression, RefactorPolicy, Repo, RequestSpec, Rules, RunnerSpec,
};
use proctor_core::intake::{TOKEN_LIMIT, valid_branch};
use proctor_core::secret::Allowed;
use proctor_core::words::{CommitId, RunId};
use proctor_journal::{Blobs, Journal, Listing};
use proctor_world::repo::{Head, UserRepo};
use std::path::PathBuf;

/// A program that is handed the whole work gets an hour for a turn.
const HAND_OFF: u64 = 60 * 60 * 1000;

/// A brief whose files are not stored yet.
pub struct Draft {
    pub run: RunId,
    pub brief: Brief,
    /// What the user should know before it begins.
    pub remarks: Vec<String>,
    context: Vec<Packed>,
    tests: Vec<Packed>,
    read_first: Vec<Packed>,
    todo: Vec<Packed>,
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
    let (flags, allowed) = (&order.flags, config.secrets.allowed()?);
    let luggage = Luggage {
        cwd: if repo.bare { &repo.root } else { &around.cwd },
        root: &repo.root,
        allowed: &allowed,
    };
    let mut named = config.context.files.clone().unwrap_or_default();
    named.extend(flags.context.iter().cloned());
    let most = config.context.max_tokens.unwrap_or(TOKEN_LIMIT);
    // All of them together are held against the limit.
    let mut context = luggage.context(&[&order.asked.read_first[..], &named].concat(), most)?;
    let read_first = luggage.context(&order.asked.read_first, most)?;
    context.retain(|file| !read_first.contains(file));
    let todo = luggage.context(order.asked.todo.as_slice(), most)?;
    let tests = luggage.tests(&flags.tests)?;
    let built_in = built_in_scenario(around, &ground)?;
    let casting = Casting {
        around,
        config,
        flags,
        tools: &order.asked.tools,
        session: order.asked.session,
        root: &repo.root,
        built_in: built_in.as_ref().map(|(path, _)| path.as_path()),
    };
    let mut agents = casting.crew(order.crew)?;
    let rivals = casting.rivals(&mut agents)?;
    let mut remarks = order.asked.remarks.clone();
    remarks.extend(home_inside(around, repo));
    let runner = ground.runner(&order, &mut remarks)?;
    let before = legacy::told(around, &repo.root, &order.asked.resume_from, &mut remarks)?;
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
    let approval = approval(config, flags, mode)?;
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
        landing: landing(repo, config, approval, (mode, onto.clone(), branch)),
        agents,
        rivals,
        runner,
        projects: projects(config)?,
        setup: setup(config)?,
        audit: config.audit.spec().map_err(usage)?,
        allowed_secrets: allowed.clone(),
        sandbox: config.sandbox.spec(around)?,
        task: order.task,
        kind: order.kind,
        description: order.description,
        details: format!("{}{before}", order.details),
        assignment: order.asked.assignment,
    };
    Ok(Draft { run, brief, remarks, context, tests, read_first, todo, built_in })
}

impl SecretsTable {
    pub fn allowed(&self) -> Result<Allowed> {
        Allowed::new(self.allow.clone().unwrap_or_default())
            .map_err(|fault| usage(format!("[secrets] allow: {fault}")))
    }
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
        brief.assignment.read_first = keep(self.read_first)?;
        brief.assignment.todo = keep(self.todo)?.pop();
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

impl Ground {
    /// The test tool: flags, then what the task asks for, then the settings.
    fn runner(&self, order: &Order, remarks: &mut Vec<String>) -> Result<RunnerSpec> {
        let (flags, config) = (&order.flags, &self.config);
        let typed = flags.runner.is_some() || flags.test_cmd.is_some();
        match order.asked.test_command.as_ref().filter(|_| !typed) {
            Some(TestCommand::Words(words)) => {
                let (words, dropped) = self.without_what_is_to_come(words)?;
                remarks.extend(dropped.iter().map(|path| {
                    format!(
                        "{path} is not there yet: the test command runs everything that the tool finds."
                    )
                }));
                let command = Some(words);
                return checked(RunnerSpec { command, ..RunnerSpec::default() });
            }
            Some(TestCommand::Shell(text)) => {
                let command = Some(vec!["sh".to_owned(), "-c".to_owned(), text.clone()]);
                let report = config.report.as_ref().map(Texts::list).unwrap_or_default();
                return checked(RunnerSpec { name: config.runner.clone(), command, report });
            }
            Some(TestCommand::Script(text)) => remarks.push(format!(
                "`{text}` is a script: Proctor runs the test tool behind it itself."
            )),
            None => {}
        }
        let found = config.runner.is_none() && config.test_cmd.is_none() && !typed;
        let named = order.asked.runner.clone().filter(|_| found).or_else(|| flags.runner.clone());
        runner(Named { runner: &named, test_cmd: &flags.test_cmd }, config)
    }

    /// A command without the test files that the tester has yet to write: on the base there is nothing to run in them.
    fn without_what_is_to_come(&self, words: &[String]) -> Result<(Vec<String>, Vec<String>)> {
        let subdir = self.config.subdir.as_deref().unwrap_or_default();
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for (n, word) in words.iter().enumerate() {
            let path = word.split("::").next().unwrap_or(word).trim_start_matches("./");
            let ends = [".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs"];
            let is_path = n > 0
                && !word.starts_with('-')
                && (path.contains('/') || ends.iter().any(|end| path.ends_with(end)))
                && !path.contains("...");
            let there = |path: &str| -> Result<bool> {
                Ok(self.repo.read_at(&self.base, path)?.is_some()
                    || !self.repo.list_at(&self.base, &format!("{path}/"))?.is_empty())
            };
            let path = path.trim_end_matches('/');
            let below = format!("{}/{path}", subdir.trim_end_matches('/'));
            let below = below.trim_start_matches('/');
            if !is_path || path.is_empty() || there(path)? || there(below)? {
                kept.push(word.clone());
            } else {
                dropped.push(word.clone());
            }
        }
        // With part of them only, what the tester writes would not be run.
        if !dropped.is_empty() {
            kept.retain(|word| {
                word.starts_with('-') || !(word.contains('/') || word.contains('.'))
            });
        }
        Ok((kept, dropped))
    }
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

/// Whose word lets it land.
fn approval(config: &Config, flags: &RunFlags, mode: LandMode) -> Result<ApprovalPolicy> {
    let by_review = config.land.approve_by == Some(ApproveWord::PrReview);
    match (by_review, flags.yes) {
        (false, false) => Ok(ApprovalPolicy::Person),
        (false, true) => Ok(ApprovalPolicy::Beforehand),
        (true, true) => Err(usage(
            "[land] approve_by = \"pr-review\" asks for a person's review, and --yes says that nobody looks\nhint: leave out --yes",
        )),
        (true, false) if mode != LandMode::Pr => Err(usage(
            "[land] approve_by = \"pr-review\" needs a request that can be reviewed\nhint: land with `--land pr` or [land] mode = \"pr\", from a branch",
        )),
        (true, false) => Ok(ApprovalPolicy::Review),
    }
}

/// How the work is to land.
fn landing(
    repo: &UserRepo,
    config: &Config,
    approval: ApprovalPolicy,
    (mode, onto, branch): (LandMode, Option<String>, String),
) -> Landing {
    Landing {
        mode,
        onto,
        branch,
        approval,
        author: repo.author(),
        trailers: config.land.trailers.clone().unwrap_or_default(),
        request: RequestSpec {
            remote: config.land.remote.clone(),
            host: config.land.host.map(|word| word.name().to_owned()),
            draft: config.land.draft.unwrap_or(false),
        },
    }
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
            Crew::Hunt(_) => AfterRed::Hold,
        },
        accepted: config.gates.accept.clone().unwrap_or_default(),
        hang: if flags.hangs { Hang::IsTheBug } else { Hang::Unknown },
    }
}

fn limits(order: &Order, config: &Config) -> Limits {
    let (flags, table, fixed) = (&order.flags, &config.limits, Limits::default());
    let turn_ms = table.turn_time.map_or(fixed.turn_ms, |span| span.0);
    Limits {
        red: table.red.unwrap_or(fixed.red),
        green: order.asked.fixes.or(table.green).unwrap_or(fixed.green),
        review: table.review.unwrap_or(fixed.review),
        tests: table.tests.unwrap_or(fixed.tests),
        asks: fixed.asks,
        agent_calls: flags.max_calls.or(table.agent_calls).unwrap_or(fixed.agent_calls),
        wall_ms: flags.max_time.or(table.time.map(|span| span.0)),
        tokens: flags.max_tokens.or(table.tokens),
        micro_usd: flags
            .max_cost
            .map(|usd| usd.0)
            .or(table.cost_usd.map(crate::config::value::Cost::micro_usd)),
        turn_ms: turn_ms.max(match order.asked.method {
            Method::Agent => 0,
            Method::Cli => HAND_OFF,
        }),
        silence_ms: table.silence.map_or(fixed.silence_ms, |span| span.0),
        test_ms: table.test_time.map_or(fixed.test_ms, |span| span.0),
        free_bytes: table.free_disk.map_or(fixed.free_bytes, |size| size.0),
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
