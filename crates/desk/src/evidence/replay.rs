//! `proctor verify PACK`: looks whether the pack is whole, brings its commits into a place of their own, runs the ordinary
//! verification there, and says whether the same comes out. A pack is a stranger's: nothing in it loosens a rule.

use super::compare::{compare, with};
use super::pack::{FileRow, Pack, SCHEMA};
use super::parcel::{BUNDLE, EVIDENCE, PAGE, Parcel};
use super::scratch::Scratch;
use super::{bundle, html, tar};
use crate::intake::tooling::{checked, folder};
use crate::surroundings::Surroundings;
use crate::told::usage;
use crate::verify::{Answer, BranchAsk, ask};
use anyhow::{Context, Result, anyhow};
use proctor_core::brief::ProjectSpec;
use proctor_core::verdict::{Check, CheckName, Finding, Verdict, Verification, Weight, judge};
use proctor_core::words::CommitId;
use proctor_engine::{Home, Shop, VerifyAsk, VerifyEnd, verify_with_grounds};
use proctor_journal::Journal;
use proctor_world::git::Git;
use proctor_world::repo::UserRepo;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read as a pack.
const LARGEST: u64 = 1 << 30;

/// Why there is no replay.
pub(super) enum Stop {
    /// The pack is not what it says.
    Refuted(Vec<String>),
    /// It can't be replayed here.
    Unjudged(String),
}

/// A pack that is whole.
struct Opened {
    pack: Pack,
    /// The commits, where they came with it.
    bundle: Option<Vec<u8>>,
}

/// Where the two commits are.
struct Commits {
    repo: UserRepo,
    base: CommitId,
    head: CommitId,
}

pub fn verify_pack(
    around: &Surroundings,
    args: &BranchAsk,
    path: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Answer> {
    let path = around.cwd.join(path);
    let bytes = whole(&path).map_err(|why| {
        usage(format!("{} can't be read: {why}\nhint: name a file that `proctor evidence RUN --tar FILE` made", path.display()))
    })?;
    if !is_pack(&bytes) {
        let text = "is no pack\nhint: `proctor evidence RUN --tar FILE` makes one; to verify a branch, name it with --head";
        return Err(usage(format!("{} {text}", path.display())));
    }
    // The journal makes the home private before anything is put there.
    Journal::open(around.home.root())?;
    let shop = around.shop()?;
    let (pack, halt) = match open(&bytes) {
        Ok(opened) => match replay(around, &shop, args, &opened, tell)? {
            Ok(Some(answer)) => return Ok(Answer::Judged(Box::new(answer))),
            Ok(None) => return Ok(Answer::Interrupted(None)),
            Err(halt) => (Some(opened.pack), halt),
        },
        Err(halt) => (None, halt),
    };
    Ok(Answer::Judged(Box::new(stopped(pack.as_ref(), &halt))))
}

/// A plain file of a size that a pack can have: a pipe would be waited for, and a device never ends.
fn whole(path: &Path) -> io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if !about.is_file() && !about.is_dir() {
        return Err(io::Error::other("it is no plain file"));
    }
    if about.len() > LARGEST {
        return Err(io::Error::other("it has more than 1 GiB, and no pack is that large"));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn is_pack(bytes: &[u8]) -> bool {
    is_json(bytes) || bytes.get(257..262) == Some(b"ustar")
}

/// A pack that is as its manifest says.
pub(super) fn read_whole(bytes: &[u8]) -> Result<Pack, String> {
    if !is_pack(bytes) {
        return Err("it is no pack".to_owned());
    }
    open(bytes).map(|opened| opened.pack).map_err(|stop| match stop {
        Stop::Refuted(texts) => texts.join("; "),
        Stop::Unjudged(text) => text,
    })
}

fn open(bytes: &[u8]) -> Result<Opened, Stop> {
    if is_json(bytes) {
        return Ok(Opened { pack: read(bytes)?, bundle: None });
    }
    let files = tar::read(bytes)
        .map_err(|why| Stop::Refuted(vec![format!("the pack is damaged: {why}")]))?;
    let mut parcel = Parcel(files);
    let changes = parcel.changes();
    if !changes.is_empty() {
        return Err(Stop::Refuted(changes));
    }
    let pack = read(parcel.0.get(EVIDENCE).map(Vec::as_slice).unwrap_or_default())?;
    let page = parcel.0.get(PAGE).map(Vec::as_slice).unwrap_or_default();
    // Another version draws another page.
    if pack.proctor == env!("CARGO_PKG_VERSION") && html::render(&pack).as_bytes() != page {
        return Err(Stop::Refuted(vec![format!("{PAGE} does not show what {EVIDENCE} says")]));
    }
    Ok(Opened { pack, bundle: parcel.0.remove(BUNDLE) })
}

pub(super) fn read(bytes: &[u8]) -> Result<Pack, Stop> {
    let value: serde_json::Value = serde_json::from_slice(bytes)
        .map_err(|why| Stop::Refuted(vec![format!("{EVIDENCE} is not JSON: {why}")]))?;
    if value["schema"] != SCHEMA {
        return Err(Stop::Unjudged(format!(
            "{EVIDENCE} is of schema {}, and this Proctor reads schema {SCHEMA}",
            value["schema"]
        )));
    }
    serde_json::from_value(value)
        .map_err(|why| Stop::Refuted(vec![format!("{EVIDENCE} can't be read: {why}")]))
}

/// None where a person stopped it.
fn replay(
    around: &Surroundings,
    shop: &Shop,
    args: &BranchAsk,
    opened: &Opened,
    tell: &mut dyn FnMut(&str),
) -> Result<Result<Option<Verification>, Stop>> {
    let pack = &opened.pack;
    let scratch = Scratch::new(shop)?;
    let commits = match commits(around, opened, &scratch) {
        Ok(commits) => commits,
        Err(halt) => return Ok(Err(halt)),
    };
    let wanted = ask(around, &commits.repo, args, (&commits.base, &commits.head))?;
    let wanted = match as_the_pack_says(around, args, pack, wanted) {
        Ok(wanted) => wanted,
        Err(why) => return Ok(Err(Stop::Unjudged(format!("the pack's settings: {why:#}")))),
    };
    // A home of its own: nothing that was measured before on this machine takes part.
    let home = Home::at(scratch.path().join("home"));
    Journal::open(home.root())?;
    let own = Shop { home, ..shop.clone() };
    let (ended, grounds) = verify_with_grounds(&own, &wanted, tell);
    let answer = match ended {
        VerifyEnd::Judged(answer) => *answer,
        VerifyEnd::Interrupted(_) => return Ok(Ok(None)),
    };
    let mut answer = compare(pack, answer, grounds.as_deref());
    if numbers(&commits)? != by_path(&pack.files) {
        let text = "the pack's list of changed files is not what its commits hold";
        answer = with(answer, vec![(CheckName::Source, Finding::new(Weight::Refutes, text))]);
    }
    Ok(Ok(Some(answer)))
}

/// Both commits in one repository, and that they are those that the pack speaks of.
fn commits(around: &Surroundings, opened: &Opened, scratch: &Scratch) -> Result<Commits, Stop> {
    let pack = &opened.pack;
    let Some(proven) = &pack.proven else {
        return Err(Stop::Unjudged(format!(
            "nothing was proven in run {} ({}), so there is nothing to replay",
            pack.run, pack.status
        )));
    };
    for id in [&pack.base.commit, &proven.commit] {
        if !is_hash(id) {
            return Err(Stop::Refuted(vec![format!(
                "{:?} is not the id of a commit",
                id.as_str()
            )]));
        }
    }
    let base = pack.base.commit.clone();
    let found = match &opened.bundle {
        Some(bytes) => {
            let opened = bundle::open(scratch, bytes, &base)
                .and_then(|git_dir| Ok(UserRepo::find(&git_dir)?))
                .map_err(|why| Stop::Refuted(vec![format!("{BUNDLE} can't be opened: {why:#}")]))?;
            Commits { repo: opened, base, head: proven.commit.clone() }
        }
        None => at_hand(around, pack, proven)?,
    };
    let mut wrong = Vec::new();
    for (commit, tree) in [(&found.base, &pack.base.tree), (&found.head, &proven.tree)] {
        match bundle::tree_of(&found.repo.git_dir, commit) {
            Some(is) if is == *tree => {}
            Some(is) => wrong.push(format!(
                "commit {} holds tree {}, and the pack says {}",
                commit.short(),
                is.short(),
                tree.short()
            )),
            None => wrong.push(format!("commit {} is not in the pack", commit.short())),
        }
    }
    let git = Git::on(&found.repo.git_dir);
    let ancestor = git.call(&["merge-base", "--is-ancestor"]);
    let ancestor = ancestor.arg(found.base.as_str()).arg(found.head.as_str()).answer();
    if wrong.is_empty() && !ancestor.is_ok_and(|answer| answer.code == Some(0)) {
        wrong.push("the proven commit was not made from the base".to_owned());
    }
    if wrong.is_empty() { Ok(found) } else { Err(Stop::Refuted(wrong)) }
}

/// The commits of a pack without a bundle, in the repository that the person is in.
fn at_hand(
    around: &Surroundings,
    pack: &Pack,
    proven: &proctor_core::proof::Point,
) -> Result<Commits, Stop> {
    let lacks = |what: &str| {
        Stop::Unjudged(format!(
            "{what}\nhint: a pack made with `proctor evidence {} --tar FILE` brings its commits along",
            pack.run
        ))
    };
    let repo = UserRepo::find(&around.cwd).map_err(|why| lacks(&why.to_string()))?;
    let base = pack.base.commit.clone();
    if bundle::tree_of(&repo.git_dir, &base).is_none() {
        return Err(lacks(&format!("this repository does not have the base {}", base.short())));
    }
    // What landed may be another commit, with the same tree.
    let landed = pack.landed.as_ref().map(|landed| &landed.commit).filter(|id| is_hash(id));
    let head = [Some(&proven.commit), landed].into_iter().flatten().find(|commit| {
        bundle::tree_of(&repo.git_dir, commit).is_some_and(|tree| tree == proven.tree)
    });
    let Some(head) = head.cloned() else {
        return Err(lacks("this repository does not have the proven work"));
    };
    Ok(Commits { repo, base, head })
}

fn is_hash(id: &CommitId) -> bool {
    let text = id.as_str();
    matches!(text.len(), 40 | 64)
        && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// What the run was told about its tests, as far as the person says nothing else now.
fn as_the_pack_says(
    around: &Surroundings,
    args: &BranchAsk,
    pack: &Pack,
    mut ask: VerifyAsk,
) -> Result<VerifyAsk> {
    let settings = &pack.settings;
    let kind = args.kind.unwrap_or(pack.task.kind);
    (ask.said, ask.rule.kind) = (Some(kind), kind);
    (ask.setting.hang, ask.rule.hang) = (settings.hang, settings.hang);
    if args.targets.is_empty() {
        ask.rule.targets.clone_from(&settings.targets);
    }
    if args.subdir.is_none() {
        ask.setting.repo.subdir = folder(&settings.subdir)?;
    }
    if args.runner.is_none() && args.test_cmd.is_none() {
        ask.setting.runner = checked(settings.runner.clone())?;
        let project = |spec: &ProjectSpec| -> Result<ProjectSpec> {
            Ok(ProjectSpec { dir: folder(&spec.dir)?, runner: checked(spec.runner.clone())? })
        };
        ask.setting.projects = settings.projects.iter().map(project).collect::<Result<_>>()?;
    }
    // A checkout of the same repository lends its installed packages and its virtual environment.
    if let Ok(repo) = UserRepo::find(&around.cwd)
        && bundle::tree_of(&repo.git_dir, &pack.base.commit).is_some()
    {
        ask.setting.repo.root = repo.root.to_string_lossy().into_owned();
    }
    Ok(ask)
}

/// How many lines changed in each file; none for a binary one.
type Numbers = BTreeMap<String, (Option<u64>, Option<u64>)>;

fn by_path(files: &[FileRow]) -> Numbers {
    files.iter().map(|file| (file.path.clone(), (file.added, file.deleted))).collect()
}

fn numbers(commits: &Commits) -> Result<Numbers> {
    let git = Git::on(&commits.repo.git_dir);
    let call = git.call(&["diff-tree", "-r", "-z", "--no-renames", "--numstat"]);
    let bytes = call.arg(commits.base.as_str()).arg(commits.head.as_str()).run()?;
    let text = String::from_utf8_lossy(&bytes);
    let entry = |entry: &str| {
        let mut parts = entry.splitn(3, '\t');
        let (added, deleted, path) = (parts.next()?, parts.next()?, parts.next()?);
        Some((path.to_owned(), (added.trim().parse().ok(), deleted.parse().ok())))
    };
    let entries = text.split('\0').filter(|text| !text.is_empty()).map(entry);
    entries
        .collect::<Option<Numbers>>()
        .ok_or_else(|| anyhow!("git's list of changes"))
        .context("can't be read")
}

/// The answer where nothing was run.
fn stopped(pack: Option<&Pack>, halt: &Stop) -> Verification {
    let unknown = || CommitId::new("unknown");
    let checks: Vec<Check> = match halt {
        Stop::Refuted(texts) => {
            let found = || texts.iter().map(|text| Finding::new(Weight::Refutes, text)).collect();
            let check = |name: CheckName| match name {
                CheckName::Source => Check::of(name, "", found()),
                other => Check::skipped(other, "not made: the pack itself does not hold"),
            };
            CheckName::ALL.into_iter().map(check).collect()
        }
        Stop::Unjudged(why) => CheckName::ALL
            .into_iter()
            .map(|name| Check::of(name, "", vec![Finding::new(Weight::Unjudged, why)]))
            .collect(),
    };
    let (verdict, reason) = match halt {
        Stop::Refuted(_) => judge(&checks),
        Stop::Unjudged(why) => {
            (Verdict::Inconclusive, why.lines().next().unwrap_or_default().to_owned())
        }
    };
    let proven = pack.and_then(|pack| pack.proven.as_ref());
    Verification {
        observations: Vec::new(),
        mutants: Vec::new(),
        looked: Vec::new(),
        verdict,
        reason,
        base: pack.map_or_else(unknown, |pack| pack.base.commit.clone()),
        head: proven.map_or_else(unknown, |point| point.commit.clone()),
        checks,
        tests: BTreeMap::new(),
        left_out: Vec::new(),
        took_ms: 0,
        kept: false,
        claims: Vec::new(),
    }
}
