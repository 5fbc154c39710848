//! The fleet's runs among this machine's own: facts come home into the journal, requests from the inbox go out. So every face
//! of Proctor shows and steers them as it does its own.

use crate::course::Asked;
use crate::keeping::Keeping;
use crate::out::talk;
use crate::program::proctor;
use anyhow::Result;
use proctor_core::event::{Event, Request};
use proctor_core::run::{Run, Stage};
use proctor_core::words::RunId;
use proctor_desk::afar::bring_home;
use proctor_desk::steer::judged;
use proctor_engine::Shop;
use proctor_journal::{Answer, InboxId, Journal, Lease};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// How often it is looked what is new.
const BEAT: Duration = Duration::from_millis(500);
/// How long a machine's answer to a request is waited for. Where no machine is up, the request waits with the service.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a look at one run may take.
const SIGHT: Duration = Duration::from_secs(3);

pub struct Follower {
    service: Keeping,
    shop: Shop,
    leases: BTreeMap<RunId, Lease>,
    /// Those that have ended, and are here whole.
    done: BTreeSet<RunId>,
    /// What was said about runs that could not be followed.
    said: BTreeMap<RunId, String>,
}

impl Follower {
    pub fn new(service: Keeping, shop: Shop) -> Self {
        let (leases, done, said) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { service, shop, leases, done, said }
    }

    /// One look at everything that the service knows.
    pub async fn look(&mut self) -> Result<()> {
        for listed in self.service.list().await? {
            if !listed.running && self.is_here_whole(&listed.run) {
                self.leases.remove(&listed.run);
                self.done.insert(listed.run.clone());
            }
            if self.done.contains(&listed.run) || !self.holds(&listed.run) {
                continue;
            }
            match self.one(&listed.run).await {
                Ok(()) if !listed.running => {
                    self.leases.remove(&listed.run);
                    self.done.insert(listed.run);
                }
                Ok(()) => {}
                Err(error) => {
                    let text = format!("{}: {error:#}", listed.run);
                    if self.said.insert(listed.run, text.clone()).as_ref() != Some(&text) {
                        talk(&text);
                    }
                }
            }
        }
        Ok(())
    }

    /// Follows until it is asked to stop.
    pub async fn follow(mut self) -> Result<()> {
        while !self.shop.signals.asked_to_stop() {
            if let Err(error) = self.look().await {
                talk(&format!("{error:#}"));
                tokio::time::sleep(BEAT * 4).await;
            }
            tokio::time::sleep(BEAT).await;
        }
        Ok(())
    }

    /// Whether all of a run that has ended is known here.
    fn is_here_whole(&self, run: &RunId) -> bool {
        let state = proctor_engine::load(&self.shop, run);
        state.is_ok_and(|state| matches!(state.stage, Stage::Closed { .. }))
    }

    /// Whether this process follows the run; another may.
    fn holds(&mut self, run: &RunId) -> bool {
        if !self.leases.contains_key(run)
            && let Ok(lease) = Lease::take(self.shop.home.root(), run)
        {
            self.leases.insert(run.clone(), lease);
        }
        self.leases.contains_key(run)
    }

    async fn one(&self, run: &RunId) -> Result<()> {
        // Without a machine nothing new can be seen; requests go out all the same.
        let home = tokio::time::timeout(SIGHT, self.home(run, None)).await;
        self.send_requests(run).await?;
        home.unwrap_or_else(|_| Err(anyhow::anyhow!("no machine is up to say where it stands")))
    }

    /// Brings home what is new, and whether a request was answered.
    async fn home(&self, run: &RunId, asked: Option<&str>) -> Result<()> {
        let journal = Journal::open(self.shop.home.root())?;
        let after = journal.history::<Event>(run)?.last().map_or(0, |last| last.seq);
        let sight = self.service.sight(run, after).await?;
        let Some(afar) = sight.afar else { return Ok(()) };
        if !sight.facts.is_empty() {
            bring_home(&self.shop, run, &afar, (after, &sight.facts))?;
        }
        if let Some(name) = asked {
            match sight.answers.get(name) {
                Some(Some(why)) => anyhow::bail!(Refused(why.clone())),
                Some(None) => {}
                None => anyhow::bail!("no machine has answered yet"),
            }
        }
        Ok(())
    }

    /// Requests of people go to the service, which keeps them where no machine is up.
    async fn send_requests(&self, run: &RunId) -> Result<()> {
        let journal = Journal::open(self.shop.home.root())?;
        let pending: Vec<(InboxId, Request)> = journal.pending(run)?;
        for (id, request) in pending {
            let history = journal.history::<Event>(run)?;
            let state = Run::replay(history.iter().map(|one| &one.body));
            let refused = state.and_then(|state| judged(&state, &request).err());
            if let Some(why) = refused {
                journal.answer(id, &Answer::Refused { why: why.to_string() })?;
                continue;
            }
            let name = format!("{}-{id:?}", self.shop.home.root().display());
            self.service.ask(run, Asked { name: name.clone(), request }).await?;
            let answer = self.answer(run, &name).await;
            journal.answer(id, &answer)?;
        }
        Ok(())
    }

    async fn answer(&self, run: &RunId, name: &str) -> Answer {
        let until = Instant::now() + PATIENCE;
        loop {
            match tokio::time::timeout(PATIENCE, self.home(run, Some(name))).await {
                Ok(Ok(())) => return Answer::Accepted,
                Ok(Err(error)) => {
                    if let Some(Refused(why)) = error.downcast_ref::<Refused>() {
                        return Answer::Refused { why: why.clone() };
                    }
                }
                Err(_) => {}
            }
            if Instant::now() >= until {
                talk(&format!("{run}: no machine is up; the request waits with the service"));
                return Answer::Accepted;
            }
            tokio::time::sleep(BEAT / 2).await;
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refused(String);

/// A command of `proctor` while this machine's list is in step with the fleet. Gives its exit code.
pub async fn with_the_fleet(service: Keeping, shop: Shop, words: Vec<OsString>) -> Result<u8> {
    let mut follower = Follower::new(service, shop.clone());
    if let Err(error) =
        tokio::time::timeout(PATIENCE, follower.look()).await.map_err(anyhow::Error::from).flatten()
    {
        talk(&format!("the fleet can't be asked, so what is shown may be old: {error:#}"));
    }
    let program = proctor()?;
    let home = BTreeMap::from([(
        OsString::from("PROCTOR_HOME"),
        std::path::absolute(shop.home.root())?.into_os_string(),
    )]);
    let command =
        tokio::task::spawn_blocking(move || proctor_world::beside::show(&program, &words, &home));
    tokio::pin!(command);
    loop {
        tokio::select! {
            code = &mut command => return Ok(code??.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
            () = tokio::time::sleep(BEAT) => {
                if let Err(error) = follower.look().await {
                    talk(&format!("{error:#}"));
                }
            }
        }
    }
}
