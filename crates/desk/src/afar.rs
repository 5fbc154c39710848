//! Runs that a fleet works on, as every machine of it needs them: one step carried out and handed back through git, a run
//! sent off, and what came of it brought home. Which service keeps the histories is not known here.

use crate::told::usage;
use anyhow::{Context, Result};
use proctor_core::brief::{Brief, LandMode};
use proctor_core::event::{Effect, Event};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{BlobId, RunId};
use proctor_engine::{Afar, Carried, Fact, Shop, afar_of, carry_one, crash, follow, send_afar};
use proctor_journal::{Blobs, Journal, Lease};
use proctor_world::child::Cancel;
use proctor_world::mirror::Mirror;
use proctor_world::remote::Remote;
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;
use proctor_world::steps::{Move, Published, Steps};
use proctor_world::tripwire::note_landing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How often a landing is tried again because the branch moved under it.
const TRIES: u32 = 5;

/// A step that a machine is asked for: the run as it stands, with one effect under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    pub run: RunId,
    pub afar: Afar,
    pub facts: Vec<Fact>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Came {
    Facts(Vec<Fact>),
    /// It was stopped, and so was whatever it had started.
    Stopped,
    /// Not on this machine, and why.
    NotHere(String),
}

/// Carries a step out. What it came to stands on the remote before this returns; where it stood there already, nothing is done.
pub fn carry(shop: &Shop, step: &Step, cancel: &Cancel, tell: &dyn Fn(&str)) -> Result<Came> {
    let Some(run) = Run::replay(step.facts.iter().map(|fact| &fact.event)) else {
        anyhow::bail!("the history of run {} does not begin with a brief", step.run);
    };
    let Some(flight) = run.in_flight.clone() else {
        return Ok(Came::Facts(Vec::new()));
    };
    // Makes the home private, and holds off another attempt on this machine: one that was frozen may still be there.
    Journal::open(shop.home.root())?;
    let _lease = match Lease::take(shop.home.root(), &step.run) {
        Ok(lease) => lease,
        Err(error) => return Ok(Came::NotHere(error.to_string())),
    };
    let home = shop.home.root();
    let mirror = Mirror::open(home, &step.afar.remote)?;
    let run = at_home(run, &mirror);
    let lands = matches!(flight.effect, Effect::Land { .. });
    for _ in 0..TRIES {
        let lock = mirror.lock()?;
        mirror.refresh(&step.run, &lock)?;
        note_landing(home)?;
        let before = mirror.heads()?;
        // Whoever lands holds on until it is pushed; the rest only needed to look.
        let lock = lands.then_some(lock);
        let shadow = Shadow::open(home, mirror.dir(), &run.brief.repo.base)?;
        let steps = Steps { shadow: &shadow, mirror: &mirror, run: &step.run };
        steps.bring()?;
        if let Some(kept) = steps.kept(flight.no)? {
            tell("this step was carried out before");
            return Ok(Came::Facts(read(&kept)?));
        }
        let store = Store::open(&step.afar.store)?;
        let here = Blobs::open(home)?;
        copy(&serde_json::to_vec(&step.facts)?, &store.blobs, &here)?;
        let facts = match carry_one(shop, (&step.run, run.clone()), cancel, tell) {
            Carried::Done(facts) => facts,
            Carried::Stopped => return Ok(Came::Stopped),
            Carried::NotHere(why) => return Ok(Came::NotHere(why)),
        };
        let written = serde_json::to_vec(&facts)?;
        copy(&written, &here, &store.blobs)?;
        store.keep_logs(shop, &step.run, flight.no)?;
        let moves = if lands { moved(&before, &mirror.heads()?) } else { Vec::new() };
        let refused = steps.push(flight.no, &written, &moves)?;
        drop(lock);
        crash::point(if lands { "landing pushed" } else { "step pushed" });
        match steps.settle(flight.no, &moves, refused)? {
            Published::Done => return Ok(Came::Facts(facts)),
            Published::Before(kept) => return Ok(Came::Facts(read(&kept)?)),
            Published::Moved => tell("the branch moved meanwhile: landing again"),
        }
    }
    Ok(Came::NotHere(format!("the branch moved {TRIES} times while this step landed")))
}

/// Sends a run off: from here on a fleet works on it. To send it twice is to send it once. Gives its history.
pub fn send(
    shop: &Shop,
    run: &RunId,
    named: Option<&str>,
    (service, store): (&str, &str),
) -> Result<(Afar, Vec<Fact>)> {
    if let Some(sent) = sent(shop, run)? {
        return Ok(sent);
    }
    let _lease = Lease::take(shop.home.root(), run)?;
    let journal = Journal::open(shop.home.root())?;
    let history = journal.history::<Event>(run)?;
    let mut facts: Vec<Fact> =
        history.into_iter().map(|one| Fact { at: one.at, event: one.body }).collect();
    let Some(mut state) = Run::replay(facts.iter().map(|fact| &fact.event)) else {
        anyhow::bail!("the history of run {run} does not begin with a brief");
    };
    if let Some(lost) = state.in_flight.clone() {
        let fact = Fact { at: shop.now(), event: Event::EffectLost { no: lost.no } };
        follow(shop, run, (facts.len() as u64, std::slice::from_ref(&fact)))?;
        state = proctor_core::evolve::evolve(state, &fact.event);
        facts.push(fact);
    }
    let brief = state.brief.clone();
    may_go(run, &state)?;
    let user = UserRepo::find(Path::new(&brief.repo.root)).map_err(usage)?;
    let shadow = Shadow::open(shop.home.root(), Path::new(&brief.repo.git_dir), &state.base)?;
    let branch = brief.landing.onto.clone().unwrap_or_default();
    let remote = address(named, &user, &shadow, &branch)?;
    if let Some(Fact { event: Event::Created { brief }, .. }) = facts.first_mut() {
        brief.repo.root.clone_from(&remote);
        brief.repo.git_dir.clone_from(&remote);
    }
    let afar = Afar { service: service.to_owned(), remote, store: store.to_owned() };
    let mirror = Mirror::open(shop.home.root(), &afar.remote)?;
    let written = serde_json::to_vec(&facts)?;
    copy(&written, &Blobs::open(shop.home.root())?, &Store::open(store)?.blobs)?;
    let steps = Steps { shadow: &shadow, mirror: &mirror, run };
    let refused = steps.push(0, &written, &[])?;
    match steps.settle(0, &[], refused)? {
        Published::Before(kept) if read(&kept)? != facts => {
            return Err(usage(format!(
                "another run by the name of {run} is at {}\nhint: give the task another name with --id",
                afar.remote
            )));
        }
        Published::Done | Published::Before(_) | Published::Moved => {}
    }
    send_afar(shop, run, &afar)?;
    Ok((afar, facts))
}

/// A run that was sent before, as it was then.
fn sent(shop: &Shop, run: &RunId) -> Result<Option<(Afar, Vec<Fact>)>> {
    let Some(afar) = afar_of(shop, run) else { return Ok(None) };
    let brief = proctor_engine::load(shop, run)?.brief;
    let git_dir = Path::new(&brief.repo.git_dir);
    let shadow = Shadow::open(shop.home.root(), git_dir, &brief.repo.base)?;
    let mirror = Mirror::open(shop.home.root(), &afar.remote)?;
    mirror.refresh(run, &mirror.lock()?)?;
    let steps = Steps { shadow: &shadow, mirror: &mirror, run };
    steps.bring()?;
    match steps.kept(0)? {
        Some(kept) => Ok(Some((afar, read(&kept)?))),
        None => Ok(None),
    }
}

/// Brings home what a fleet recorded after what is known here, and what it leads to.
pub fn bring_home(
    shop: &Shop,
    run: &RunId,
    afar: &Afar,
    (after, facts): (u64, &[Fact]),
) -> Result<()> {
    let mirror = Mirror::open(shop.home.root(), &afar.remote)?;
    {
        let lock = mirror.lock()?;
        mirror.refresh(run, &lock)?;
    }
    let mut facts = facts.to_vec();
    let known = if after > 0 { Some(proctor_engine::load(shop, run)?.brief) } else { None };
    if let Some(Fact { event: Event::Created { brief }, .. }) = facts.first_mut() {
        at_home_of(brief, &mirror);
    }
    let first = match facts.first() {
        Some(Fact { event: Event::Created { brief }, .. }) => Some((**brief).clone()),
        _ => known,
    };
    if let Some(brief) = first {
        let git_dir = PathBuf::from(&brief.repo.git_dir);
        let shadow = Shadow::open(shop.home.root(), &git_dir, &brief.repo.base)?;
        Steps { shadow: &shadow, mirror: &mirror, run }.bring()?;
    }
    copy(
        &serde_json::to_vec(&facts)?,
        &Store::open(&afar.store)?.blobs,
        &Blobs::open(shop.home.root())?,
    )?;
    if !proctor_engine::is_afar(shop, run) {
        send_afar(shop, run, afar)?;
    }
    follow(shop, run, (after, &facts))?;
    Ok(())
}

/// What is refused before anything is sent.
fn may_go(run: &RunId, state: &Run) -> Result<()> {
    if state.brief.landing.mode == LandMode::Pr {
        return Err(usage(
            "a fleet does not make pull requests yet\nhint: `--land branch` leaves the work on a branch of the remote",
        ));
    }
    if matches!(state.stage, Stage::Closed { .. }) {
        return Err(usage(format!("run {run} has ended\nhint: `proctor show {run}` says how")));
    }
    Ok(())
}

/// The address of the remote, as every machine can reach it.
fn address(named: Option<&str>, user: &UserRepo, shadow: &Shadow, branch: &str) -> Result<String> {
    let url = Remote::find(user, shadow, (named, branch))?.url().to_owned();
    let login = url.split_once("://").and_then(|(_, rest)| rest.split('/').next());
    if login.and_then(|host| host.rsplit_once('@')).is_some_and(|(who, _)| who.contains(':')) {
        return Err(usage(
            "the address of the remote holds a password, and it would be written down for the whole fleet\nhint: leave it out of the address and use a credential helper",
        ));
    }
    // A folder is meant from where the repository is.
    let folder = user.root.join(&url);
    match folder.canonicalize() {
        Ok(folder) if !url.contains("://") => Ok(folder.to_string_lossy().into_owned()),
        _ => Ok(url),
    }
}

/// A run whose repository is this machine's mirror.
fn at_home(mut run: Run, mirror: &Mirror) -> Run {
    at_home_of(&mut run.brief, mirror);
    run
}

fn at_home_of(brief: &mut Brief, mirror: &Mirror) {
    brief.repo.root = mirror.dir().to_string_lossy().into_owned();
    brief.repo.git_dir.clone_from(&brief.repo.root);
}

fn read(kept: &[u8]) -> Result<Vec<Fact>> {
    serde_json::from_slice(kept)
        .context("the facts of a step can't be read\nhint: was it carried out by a newer Proctor?")
}

/// The branches that a landing moved here.
fn moved(
    before: &std::collections::BTreeMap<String, proctor_core::words::CommitId>,
    after: &std::collections::BTreeMap<String, proctor_core::words::CommitId>,
) -> Vec<Move> {
    let other = after.iter().filter(|(name, to)| before.get(*name) != Some(*to));
    other
        .map(|(name, to)| Move {
            name: name.clone(),
            from: before.get(name).cloned(),
            to: to.clone(),
        })
        .collect()
}

/// Where blobs and logs of all machines are: a folder that each can reach.
struct Store {
    root: PathBuf,
    blobs: Blobs,
}

impl Store {
    fn open(root: &str) -> Result<Self> {
        let root = PathBuf::from(root);
        Ok(Self { blobs: Blobs::open(&root)?, root })
    }

    /// What the step's children printed, and what was asked of them.
    fn keep_logs(&self, shop: &Shop, run: &RunId, no: u32) -> Result<()> {
        let name = format!("{no:04}");
        for kind in ["logs", "turns"] {
            let from = shop.home.run(run).join(kind).join(&name);
            let to = self.root.join("runs").join(run.as_str()).join(kind).join(&name);
            copy_folder(&from, &to).with_context(|| format!("{} can't be kept", from.display()))?;
        }
        Ok(())
    }
}

/// Plain files only: what an agent left as a link leads nowhere that is ours.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    let Ok(entries) = std::fs::read_dir(from) else { return Ok(()) };
    std::fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        let (kind, at) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &at)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), at)?;
        }
    }
    Ok(())
}

/// Copies the blobs that a text names, and those that they name. What is named comes first: a blob that is there is there
/// with all that it leads to.
fn copy(text: &[u8], from: &Blobs, to: &Blobs) -> Result<()> {
    let words = text.split(|byte| !byte.is_ascii_alphanumeric());
    let is_name = |word: &&[u8]| {
        word.len() == 64 && word.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let names: BTreeSet<&[u8]> = words.filter(is_name).collect();
    for name in names {
        let id = BlobId::new(String::from_utf8_lossy(name));
        if to.get(&id).is_ok() {
            continue;
        }
        if let Ok(bytes) = from.get(&id) {
            copy(&bytes, from, to)?;
            to.put(&bytes)?;
        }
    }
    Ok(())
}
