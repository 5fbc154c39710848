//! The proof for any branch: settles what is compared with what, and lets the engine measure.

mod examiner;
pub mod pace;

use crate::config::settings;
use crate::intake::tooling::{Named, folder, projects, runner, setup};
use crate::place::place;
use crate::surroundings::Surroundings;
use crate::told::{UNFIT, told, usage};
use anyhow::{Context, Result};
use proctor_core::brief::{ChangedTests, Hang, Limits, Repo, Require};
use proctor_core::claims::held;
use proctor_core::proof::RedRule;
use proctor_core::verdict::{CheckName, Verification};
use proctor_core::words::{CommitId, TaskType};
use proctor_engine::hosts::Line;
use proctor_engine::{Known, Setting, Shop, VerifyAsk, VerifyEnd, is_enough, unjudged};
use proctor_journal::Journal;
use proctor_world::git::Git;
use proctor_world::repo::{RepoError, UserRepo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The two commits that a person named.
struct Ends {
    base: CommitId,
    head: CommitId,
}

/// Which branch is to be proven, and how.
#[derive(Clone, Debug, Default)]
pub struct BranchAsk {
    /// Main or master where none is named.
    pub base: Option<String>,
    pub head: String,
    pub kind: Option<TaskType>,
    pub targets: Vec<String>,
    pub allow_changed_tests: bool,
    pub only: Vec<CheckName>,
    pub skip: Vec<CheckName>,
    /// In milliseconds.
    pub budget: Option<u64>,
    /// Where results and build products are kept, in the place of Proctor's own folder.
    pub cache: Option<PathBuf>,
    /// A description whose claims are held against what was measured.
    pub claims: Option<ClaimsOf>,
    /// Nothing is taken from an earlier verification.
    pub fresh: bool,
    pub test_cmd: Option<String>,
    pub runner: Option<String>,
    pub subdir: Option<String>,
    /// An agent that writes tests without sight of the change, and the task's text (or `@FILE`) that it is given.
    pub examine: Option<(String, String)>,
}

/// Where a description is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimsOf {
    File(PathBuf),
    /// The pull or merge request with this number, on the host of the remote `origin`.
    Request(u64),
}

impl ClaimsOf {
    fn read(&self, around: &Surroundings) -> Result<String> {
        match self {
            Self::File(file) => {
                let file = around.cwd.join(file);
                std::fs::read_to_string(&file).map_err(|why| {
                    usage(format!("--claims {} can't be read: {why}", file.display()))
                })
            }
            Self::Request(number) => {
                let line = Line::open(&place(around, None, None)?, &around.env)?;
                let told = line.ask(&line.host.request(*number))?;
                let request = line.host.read_request(&told).context("the answer is no request")?;
                Ok(format!("{}\n\n{}", request.title, request.body))
            }
        }
    }
}

/// What came of it.
pub enum Answer {
    Judged(Box<Verification>),
    /// A person ended it: what is known by then.
    Interrupted(Option<Box<Verification>>),
}

/// Proves a branch; `tell` hears what is under way.
pub fn verify(
    around: &Surroundings,
    args: &BranchAsk,
    tell: &mut dyn FnMut(&str),
) -> Result<Answer> {
    // What is claimed is read first: nobody wants to wait for a file that is not there.
    let claims = args.claims.as_ref().map(|claims| claims.read(around)).transpose()?;
    let shop = around.shop()?;
    let shop = match &args.cache {
        Some(dir) => with_cache(shop, &around.cwd.join(dir), tell)?,
        None => shop,
    };
    let mut answer = verify_in(around, &shop, args, tell)?;
    if let (Some(text), Answer::Judged(judged)) = (claims, &mut answer) {
        judged.claims = held(&text, judged);
    }
    Ok(answer)
}

/// A cache that tests could write into would let a change decide what is found there later: then there is none.
fn with_cache(shop: Shop, dir: &Path, tell: &mut dyn FnMut(&str)) -> Result<Shop> {
    if !is_enough(&shop.level().level, Require::Files) {
        tell(
            "cache: not used, since nothing here can keep tests from writing into it (`proctor doctor` says what is missing)",
        );
        return Ok(shop);
    }
    std::fs::create_dir_all(dir)
        .and_then(|()| dir.canonicalize())
        .map(|dir| Shop { home: shop.home.with_cache(dir), ..shop })
        .map_err(|why| told(UNFIT, format!("the cache {} can't be used: {why}", dir.display())))
}

/// The same with a shop that stands already.
pub fn verify_in(
    around: &Surroundings,
    shop: &Shop,
    args: &BranchAsk,
    tell: &mut dyn FnMut(&str),
) -> Result<Answer> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let ends = ends(&repo, args)?;
    let common = repo.merge_base(&ends.base, &ends.head)?;
    // Where there is no merge base the rules are those of the base that was named, and nothing is judged.
    let base = common.clone().unwrap_or_else(|| ends.base.clone());
    let ask = ask(around, &repo, args, (&base, &ends.head))?;
    let answer = if common.is_none() {
        unjudged(&ask, &nothing_in_common(&repo, &ends))
    } else if base == ends.head {
        unjudged(&ask, &nothing_between(&repo, &ends)?)
    } else {
        // The journal makes the home private before anything is put there.
        Journal::open(around.home.root())?;
        match proctor_engine::verify(shop, &ask, tell) {
            VerifyEnd::Judged(answer) => *answer,
            VerifyEnd::Interrupted(known) => return Ok(Answer::Interrupted(known)),
        }
    };
    let answer = match &args.examine {
        Some((agent, task)) if common.is_some() => {
            let asked = (agent.as_str(), task.as_str());
            match examiner::examined(around, shop, &repo, asked, answer, tell)? {
                Some(answer) => answer,
                None => return Ok(Answer::Interrupted(None)),
            }
        }
        _ => answer,
    };
    Ok(Answer::Judged(Box::new(answer)))
}

/// What was named, or what goes without saying: HEAD against the main branch.
fn ends(repo: &UserRepo, args: &BranchAsk) -> Result<Ends> {
    let resolve = |rev: &str| {
        repo.resolve(rev).map_err(|error| match error {
            RepoError::NotCloned { .. } | RepoError::OneBranch { .. } => told(UNFIT, error),
            other => usage(other),
        })
    };
    let head = resolve(&args.head)?;
    if let Some(rev) = &args.base {
        return Ok(Ends { base: resolve(rev)?, head });
    }
    for rev in ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"] {
        if let Some(base) = repo.commit_at(rev)? {
            return Ok(Ends { base, head });
        }
    }
    Err(usage(
        "there is no branch main or master to compare with\nhint: name one with `--base REV`",
    ))
}

/// The branches that may be named, the latest first.
pub fn branches(around: &Surroundings) -> Result<Vec<String>> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let git = Git::on(&repo.git_dir);
    let call = git.call(&["for-each-ref", "--sort=-committerdate", "--format=%(refname:short)"]);
    let bytes = call.arg("refs/heads").run()?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// The text at head of each file that a mutant was made in, as far as it can be read.
pub fn mutated(around: &Surroundings, answer: &Verification) -> BTreeMap<String, String> {
    let Ok(repo) = UserRepo::find(&around.cwd) else { return BTreeMap::new() };
    let paths: BTreeSet<&String> = answer.mutants.iter().map(|m| &m.place.file).collect();
    let text = |path: &String| repo.read_at(&answer.head, path).ok().flatten();
    let read = |path: &String| Some((path.clone(), String::from_utf8(text(path)?).ok()?));
    paths.into_iter().filter_map(read).collect()
}

fn nothing_between(repo: &UserRepo, ends: &Ends) -> Result<String> {
    let (base, head) = (ends.base.short(), ends.head.short());
    let what = if ends.base == ends.head {
        format!("base and head are the same commit ({base})")
    } else {
        format!("the base {base} holds head {head} already")
    };
    let way = if repo.has_uncommitted()? {
        "commit your work first: what is not committed is not looked at"
    } else if repo.has_one_branch() {
        "only one branch was cloned: `git remote set-branches origin '*' && git fetch` brings the others, and `--base origin/NAME` names one; `--base HEAD^` compares the last commit with the one before"
    } else {
        "name the branch that head was made from with `--base`, and the work with `--head`; `--base HEAD^` compares the last commit with the one before"
    };
    Ok(format!("{what}, so there is nothing to compare\nhint: {way}"))
}

fn nothing_in_common(repo: &UserRepo, ends: &Ends) -> String {
    let (base, head) = (ends.base.short(), ends.head.short());
    if repo.is_shallow() {
        return format!(
            "{base} and {head} have no commit in common here, since this clone is shallow\nhint: `git fetch --unshallow` (in CI: fetch with depth 0)"
        );
    }
    format!(
        "{base} and {head} have no commit in common, so there is nothing to compare from\nhint: name the branch that head was made from with `--base`"
    )
}

pub(crate) fn ask(
    around: &Surroundings,
    repo: &UserRepo,
    args: &BranchAsk,
    (base, head): (&CommitId, &CommitId),
) -> Result<VerifyAsk> {
    let config = settings::read(around, repo, base)?;
    let subdir = match args.subdir.as_ref().or(config.subdir.as_ref()) {
        Some(text) => folder(text)?,
        None => String::new(),
    };
    let named = Named { runner: &args.runner, test_cmd: &args.test_cmd };
    let setting = Setting {
        repo: Repo {
            root: repo.root.to_string_lossy().into_owned(),
            git_dir: repo.git_dir.to_string_lossy().into_owned(),
            base: base.clone(),
            subdir,
        },
        runner: runner(named, &config)?,
        projects: projects(&config)?,
        setup: setup(&config)?,
        sandbox: config.sandbox.spec(around)?,
        hang: Hang::Unknown,
        baseline_runs: config.gates.baseline_runs.unwrap_or(1),
        test_ms: config.limits.test_time.map_or(Limits::default().test_ms, |span| span.0),
    };
    let changed_tests =
        if args.allow_changed_tests { ChangedTests::Allowed } else { ChangedTests::NeedAPerson };
    let all = CheckName::ALL.into_iter();
    let wanted: BTreeSet<CheckName> = match (args.only.is_empty(), args.skip.is_empty()) {
        (true, true) => all.collect(),
        (false, _) => args.only.iter().copied().collect(),
        (true, false) => all.filter(|name| !args.skip.contains(name)).collect(),
    };
    Ok(VerifyAsk {
        rule: RedRule {
            kind: args.kind.unwrap_or(TaskType::Feature),
            targets: args.targets.clone(),
            hang: setting.hang,
        },
        setting,
        changed_tests,
        accepted: config.gates.accept.clone().unwrap_or_default(),
        head: head.clone(),
        wanted,
        budget: args.budget.map(Duration::from_millis),
        said: args.kind,
        survivors: config.gates.mutants.map(|share| share.0),
        known: if args.fresh { Known::Anew } else { Known::Taken },
    })
}
