//! The turns of the scout: suggest, scout, classify. What it returns is checked, recorded, and never more than a claim.

use super::entries::{Known, from_structure};
use super::{Hunt, lock};
use crate::text::clock;
use crate::text::harmless::short;
use crate::told::{UNFIT, told};
use anyhow::Result;
use proctor_core::brief::{Brief, Limits};
use proctor_core::event::Usage;
use proctor_core::hunt::{BugStatus, FoundBy, HuntEvent, Notebook};
use proctor_core::prompt::{ErrandInputs, KnownBug};
use proctor_core::turn::Claim;
use proctor_core::words::{Phase, RunId, TaskId};
use proctor_engine::{Errand, ErrandEnd, lines_of_base, run_errand};
use std::time::Duration;

/// As many known bugs are named to a scout, the latest.
const MOST_KNOWN: usize = 200;
const BEAT: Duration = Duration::from_millis(200);

/// What came of an errand.
enum Came {
    Back { claim: Claim, usage: Usage },
    Nothing { why: String, usage: Usage },
    Interrupted,
}

impl Hunt<'_> {
    /// Asks the scout where to look; where it can't say, the sources do.
    pub(super) fn suggest(&self) -> Result<()> {
        let Some(_lease) = self.take("suggest")? else { return Ok(()) };
        let ground = self.ground_of(Phase::Suggest)?;
        let repo = &ground.brief.repo;
        self.face.talk("measuring which lines the tests run, to see where nobody looks");
        let covered = lines_of_base(&self.shop, &ground.brief).unwrap_or_default();
        let candidates = from_structure(self, repo, &covered)?;
        let inputs = ErrandInputs { candidates: candidates.clone(), ..ErrandInputs::default() };
        let task = format!("hunt-{}", self.ledger.read()?.hunt);
        let (usage, fault, proposed, reasoning) =
            match self.errand(Phase::Suggest, &task, &ground.brief, &inputs)? {
                Came::Interrupted => return Ok(()),
                Came::Back {
                    claim: Claim::EntrypointsSuggested { entrypoints, reasoning },
                    usage,
                } => {
                    let known = Known::at(self, &repo.base, &repo.subdir)?;
                    (usage, None, known.keep(&entrypoints), reasoning)
                }
                Came::Back { usage, .. } => (
                    usage,
                    Some("it answered something else".to_owned()),
                    Vec::new(),
                    String::new(),
                ),
                Came::Nothing { why, usage } => (usage, Some(why), Vec::new(), String::new()),
            };
        let added = if proposed.is_empty() {
            HuntEvent::EntrypointsAdded {
                entrypoints: candidates,
                by: FoundBy::Structure,
                reasoning: "found from the structure of the sources".to_owned(),
            }
        } else {
            HuntEvent::EntrypointsAdded { entrypoints: proposed, by: FoundBy::Scout, reasoning }
        };
        self.record(|_| {
            let ended =
                HuntEvent::ErrandEnded { phase: Phase::Suggest, usage, fault: fault.clone() };
            vec![ended, added.clone()]
        })?;
        self.set_aside("suggest");
        Ok(())
    }

    /// Scouts from one entry point.
    pub(super) fn scout(&self, entry: &str) -> Result<()> {
        let Some(_lease) = self.take(entry)? else { return Ok(()) };
        let book = self.ledger.read()?;
        if !book.to_scout().any(|waiting| waiting == entry) {
            return Ok(());
        }
        let inputs = ErrandInputs {
            entrypoint: entry.to_owned(),
            known_bugs: known_bugs(&book),
            ..ErrandInputs::default()
        };
        let ground = self.ground()?;
        let phase = Phase::Scout;
        match self.errand(phase, entry, &ground.brief, &inputs)? {
            Came::Interrupted => {}
            Came::Back { claim: Claim::Scouted { bugs, exploration_summary }, usage } => {
                let repo = &ground.brief.repo;
                let known = Known::at(self, &repo.base, &repo.subdir)?;
                let bugs: Vec<_> = bugs
                    .into_iter()
                    .map(|mut bug| {
                        bug.relevant_files = known.keep(&bug.relevant_files);
                        bug
                    })
                    .collect();
                self.record(|book| {
                    let mut events = vec![HuntEvent::ErrandEnded { phase, usage, fault: None }];
                    events.extend(book.scouting(entry, &bugs, &exploration_summary));
                    events
                })?;
            }
            Came::Back { usage, .. } => {
                self.scouted_nothing(entry, usage, "it answered something else")?;
            }
            Came::Nothing { why, usage } => self.scouted_nothing(entry, usage, &why)?,
        }
        Ok(())
    }

    fn scouted_nothing(&self, entry: &str, usage: Usage, why: &str) -> Result<()> {
        self.record(|_| {
            let (phase, fault) = (Phase::Scout, Some(why.to_owned()));
            let (entrypoint, why) = (entry.to_owned(), why.to_owned());
            vec![
                HuntEvent::ErrandEnded { phase, usage, fault },
                HuntEvent::EntrypointFailed { entrypoint, why },
            ]
        })?;
        Ok(())
    }

    /// Asks how a suspect could be shown.
    pub(super) fn classify(&self, id: &str) -> Result<()> {
        let Some(_lease) = self.take(id)? else { return Ok(()) };
        let book = self.ledger.read()?;
        let Some(bug) = book.to_classify().find(|bug| bug.id == id) else { return Ok(()) };
        let inputs = ErrandInputs {
            entrypoint: bug.entrypoint.clone(),
            description: bug.short_description.clone(),
            details: bug.details.clone(),
            relevant_files: bug.relevant_files.clone(),
            ..ErrandInputs::default()
        };
        let (phase, id) = (Phase::Classify, id.to_owned());
        let ended = |usage, fault| HuntEvent::ErrandEnded { phase, usage, fault };
        match self.errand(phase, &id, &self.ground_of(phase)?.brief, &inputs)? {
            Came::Interrupted => {}
            Came::Back { claim: Claim::Classified { approach, chance, reasoning }, usage } => {
                self.record(|_| {
                    let (id, reasoning) = (id.clone(), reasoning.clone());
                    vec![
                        ended(usage, None),
                        HuntEvent::BugClassified { id, approach, chance, reasoning },
                    ]
                })?;
            }
            Came::Back { usage, .. } => {
                let why = "it answered something else".to_owned();
                self.record(|_| not_classified(&id, &why, ended(usage, Some(why.clone()))))?;
            }
            Came::Nothing { why, usage } => {
                self.record(|_| not_classified(&id, &why, ended(usage, Some(why.clone()))))?;
            }
        }
        Ok(())
    }

    /// Takes work for this call; where another process is at it, it is left to that one.
    pub(super) fn take(&self, work: &str) -> Result<Option<proctor_journal::Lease>> {
        let lease = self.ledger.take(work)?;
        if lease.is_none() {
            lock(&self.elsewhere).insert(work.to_owned());
        }
        Ok(lease)
    }

    /// One turn of the scout. A usage limit is waited for.
    fn errand(
        &self,
        phase: Phase,
        task: &str,
        brief: &Brief,
        inputs: &ErrandInputs,
    ) -> Result<Came> {
        let mut spent = Usage::default();
        loop {
            let book = self.ledger.read()?;
            let left = self.money_left(&book).map(|left| left.saturating_sub(spent.micro_usd));
            let micro_usd = left.or(brief.limits.micro_usd);
            let limits = Limits { micro_usd, ..brief.limits.clone() };
            let brief = Brief { limits, ..brief.clone() };
            let errand = Errand {
                id: RunId::new(format!("{}-{phase}-{:08x}", self.ledger.name(), fnv(task))),
                task: TaskId::new(task),
                phase,
                attempt: book.attempt(phase),
                brief: &brief,
                inputs: inputs.clone(),
            };
            let tell = &mut |line: &str| self.face.talk(&format!("  | {}", short(line, 200)));
            let end = run_errand(&self.shop, &errand, tell).map_err(|why| told(UNFIT, why))?;
            let add = |usage: Usage| Usage {
                tokens: spent.tokens + usage.tokens,
                micro_usd: spent.micro_usd + usage.micro_usd,
                estimated: spent.estimated || usage.estimated,
            };
            match end {
                ErrandEnd::Interrupted => return Ok(Came::Interrupted),
                ErrandEnd::Answered { claim, usage } => {
                    lock(&self.failed).1 = 0;
                    return Ok(Came::Back { claim, usage: add(usage) });
                }
                ErrandEnd::Unusable { why, usage } => {
                    self.note_failure(phase, &why, 1);
                    return Ok(Came::Nothing { why, usage: add(usage) });
                }
                ErrandEnd::Hopeless { why, usage } => {
                    self.note_failure(phase, &why, super::FAILURES);
                    return Ok(Came::Nothing { why, usage: add(usage) });
                }
                ErrandEnd::Limited { until, why, usage } => {
                    spent = add(usage);
                    let when = clock::show(until);
                    self.face.talk(&format!(
                        "! paused until {when} by a usage limit: {}",
                        short(&why, 200)
                    ));
                    while clock::now() < until {
                        if self.shop.signals.asked_to_stop() {
                            return Ok(Came::Interrupted);
                        }
                        std::thread::sleep(BEAT);
                    }
                }
            }
        }
    }

    /// A suggestion that fails has the sources to fall back on: only its lasting faults count.
    fn note_failure(&self, phase: Phase, why: &str, weight: u32) {
        let mut failed = lock(&self.failed);
        if phase != Phase::Suggest {
            failed.0 += 1;
        }
        if phase != Phase::Suggest || weight >= super::FAILURES {
            failed.1 += weight;
            why.clone_into(&mut failed.2);
        }
    }
}

fn not_classified(id: &str, why: &str, ended: HuntEvent) -> Vec<HuntEvent> {
    let (id, why) = (id.to_owned(), why.to_owned());
    vec![ended, HuntEvent::BugNotClassified { id, why }]
}

fn known_bugs(book: &Notebook) -> Vec<KnownBug> {
    let known = book.bugs.iter().filter(|bug| bug.status != BugStatus::Duplicate);
    known
        .rev()
        .take(MOST_KNOWN)
        .map(|bug| KnownBug {
            id: bug.id.clone(),
            status: bug.status.name().to_owned(),
            short_description: bug.short_description.clone(),
            relevant_files: bug.relevant_files.clone(),
            reason: short(&bug.reason, 200),
        })
        .collect()
}

/// FNV-1a, 32 bit: tells the folders of two errands apart.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
