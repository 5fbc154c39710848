//! An agent's turn: put the worktree as it was recorded, ask, see what came back, put back what was not allowed.

use super::agent::{Turn as AgentTurn, Watched, Watching};
use super::held::View;
use super::policy::{Trees, with_tests_of};
use super::{Halt, Job};
use proctor_agents::{
    AgentEnd, AgentFault, Left, LimitEnd, TurnAsk, TurnReport, UsageSource, plan, read,
};
use proctor_core::agent::Session;
use proctor_core::event::{Outcome, Turn, Usage};
use proctor_core::prompt::commit_message;
use proctor_core::turn::Claim;
use proctor_core::words::{Millis, Phase, TreeId};
use proctor_lab::Limit;
use proctor_lab::crash;
use proctor_lab::disk::{READ_BACK, make};
use proctor_world::child::{End, Ended, Launch, Stdin};
use proctor_world::files::{ReadFault, read_plain};
use proctor_world::listing::Listing;
use proctor_world::overlay::Place;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, Snapshot, snapshot};
use proctor_world::tree::{empty_but_git, put};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Instant;

/// A second opinion is worth five minutes.
const LONGEST_DIAGNOSIS: u64 = 5 * 60 * 1000;
/// How many files that git can't hold are named to the agent.
const MOST_ODD: usize = 20;
const ODD: &str = "pipes, sockets, devices and files that can't be read are not part of the work";

pub(super) fn ask(job: &Job, phase: Phase, attempt: u32, ask: u32) -> Result<Outcome, Halt> {
    let role = phase.role();
    let Some(spec) = job.run.brief.agents.get(&role).cloned() else {
        return Err(Halt::lasting(format!(
            "no agent is configured for the role {role}\nhint: `--agent-cmd`, `--role {role}=NAME`, or [roles] in proctor.toml",
            role = role.name()
        )));
    };
    if let Some((until, why)) = job.held_back(&spec) {
        return Ok(Outcome::Limited { until, why, usage: Usage::default() });
    }
    let shadow = job.shadow()?;
    let base = BaseTree::read(&shadow, &shadow.tree_of(&job.run.base)?)?;
    let worktree = job.worktree();
    let view = job.view(&shadow, phase, &job.recorded_tree(&shadow)?)?;
    job.without_traces(&shadow, &view)?;
    let offered = job.offered(&shadow, phase, &view)?;
    restore(&shadow, &worktree, &base, &offered)?;
    crash::point("worktree restored");
    let turn = AgentTurn { spec: &spec, phase, attempt };
    let prompt = |session: &Session| job.prompt(&shadow, (phase, attempt), session);
    let session = if job.is_raced() { Session::New } else { job.session(turn) };
    let mut report =
        job.take_turn(turn, ask, &session, &prompt(&session)?, (&shadow, &view.tree))?;
    if matches!(report.claim, Err(AgentFault::SessionGone { .. })) && session != Session::New {
        let (session, all) = (Session::New, prompt(&Session::New)?);
        report = job.take_turn(turn, ask, &session, &all, (&shadow, &view.tree))?;
    }
    let redactor = job.redactor();
    let usage = usage_of(&report);
    if let Some(limited) = report.limited {
        let until = job.until(limited.until);
        let why = redactor.text(&limited.why);
        job.hold_others(&spec, until, &why);
        return Ok(Outcome::Limited { until, why, usage });
    }
    let after = match job.found(&shadow, &base, &view.tree)? {
        Ok(after) => after,
        Err(why) => {
            return Ok(Outcome::TurnFailed { why, tree: view.whole, put_back: Vec::new(), usage });
        }
    };
    let taken = job.take_over(&shadow, &base, phase, (&view, &after))?;
    crash::point("turn taken over");
    match report.claim {
        Ok(claim) => {
            let claim = claim.reworded(|text| redactor.text(text));
            job.turned(&shadow, (phase, attempt), claim, taken, usage)
        }
        // Asking again would not help: a person has to.
        Err(fault @ AgentFault::NoLogin { .. }) => {
            Err(Halt::lasting(redactor.text(&fault.to_string())))
        }
        Err(fault) => {
            let why = redactor.text(&fault.to_string());
            let Taken { tree, put_back, .. } = taken;
            Ok(Outcome::TurnFailed { why, tree, put_back, usage })
        }
    }
}

/// What a turn cost.
pub(super) fn usage_of(report: &TurnReport) -> Usage {
    Usage {
        tokens: report.usage.tokens,
        micro_usd: report.usage.micro_usd,
        estimated: report.usage.source == UsageSource::Estimated,
    }
}

/// What a turn left in the worktree, lawful parts only.
pub(super) struct Taken {
    pub(super) tree: TreeId,
    changed: Vec<String>,
    put_back: Vec<String>,
}

impl Job {
    /// What the worktree holds when a turn begins: what was recorded, and of a coder that disputed a test what it had done.
    fn offered(&self, shadow: &Shadow, phase: Phase, view: &View) -> Result<TreeId, Halt> {
        match &self.run.kept {
            Some(kept) if phase == Phase::Implement => {
                with_tests_of(shadow, &kept.code, (&kept.tests, &view.tree))
            }
            _ => Ok(view.tree.clone()),
        }
    }

    fn until(&self, end: LimitEnd) -> Millis {
        match end {
            LimitEnd::At(at) => at,
            LimitEnd::After(ms) => Millis(self.shop.now().0 + ms),
        }
    }

    /// What a turn left in the worktree; or why nothing of it can be kept, and then it is as the turn found it.
    fn found(
        &self,
        shadow: &Shadow,
        base: &BaseTree,
        from: &TreeId,
    ) -> Result<Result<Snapshot, String>, Halt> {
        let dir = self.worktree();
        make(&dir)?;
        match snapshot(&dir, base) {
            Err(flood) if flood.is_flood() => {
                restore(shadow, &dir, base, from)?;
                let tree = &shadow.tree_of(&self.run.base)?;
                let suite = self.suite_of(shadow, tree)?;
                let room = self.shop.home.room(&self.id);
                self.furnish_in(&room, (&dir, Place::Here), &suite, Instant::now())?;
                Ok(Err(format!(
                    "{flood}\nhint: nothing of this turn was kept; leave only files that belong to the work"
                )))
            }
            found => Ok(Ok(found?)),
        }
    }

    /// Asks an agent once, and reads what came back.
    pub(super) fn take_turn(
        &self,
        turn: AgentTurn<'_>,
        ask: u32,
        session: &Session,
        prompt: &str,
        (shadow, from): (&Shadow, &TreeId),
    ) -> Result<TurnReport, Halt> {
        let AgentTurn { spec, phase, attempt } = turn;
        let scratch = self.shop.home.run(&self.id).join("turns").join(format!("{:04}", self.no));
        let cwd = self.worktree().join(&self.run.brief.repo.subdir);
        let room = self.room(turn, session.clone(), shadow, from)?;
        let asked = TurnAsk {
            run: &self.id,
            task: &self.run.brief.task,
            kind: self.run.brief.kind,
            phase,
            attempt,
            ask,
            worktree: &cwd,
            scratch: &scratch,
            prompt,
            own_program: &self.shop.own_program,
            room: &room,
        };
        let plan = plan(spec, &asked);
        make(&scratch)?;
        let laid_out = self.lay_out(&plan)?;
        let most = match phase {
            Phase::Diagnose => self.run.limits.turn_ms.min(LONGEST_DIAGNOSIS),
            _ => self.run.limits.turn_ms,
        };
        let limit = self.limit(most, Instant::now());
        let around = self.surroundings(turn, shadow)?;
        let (argv, mut env) = (self.resolved(&plan.argv), self.launch_env(spec, &plan, &around));
        env.entry("TMPDIR".into()).or_insert_with(|| scratch.join("tmp").into());
        let mut bounds =
            self.agent_bounds(turn, (&scratch, &around), &plan.needs, (&argv, &env))?;
        bounds.sealed = self.closed(turn, &room.sealed, &cwd);
        self.tell_home(&bounds, &mut env);
        let launch = Launch {
            argv,
            cwd: plan.cwd.clone(),
            env,
            stdin: Stdin::File(plan.stdin_file.clone()),
            limit: limit.time(),
            logs: self.shop.home.logs(&self.id, self.no),
            name: "agent".to_owned(),
            bounds: Some(bounds),
        };
        let before = self.run.tally_of(turn.phase.role(), session);
        let watched = self.watched(&launch, Watching::new(self, turn, &plan, before));
        laid_out.put_away()?;
        let Watched { ended, heard, stream, stopped } = watched?;
        crash::point("agent ended");
        let output = self.left(&plan.output_file)?;
        let stderr = String::from_utf8_lossy(&heard.stderr);
        let end = match stopped {
            Some(stopped) if !self.cancel.is_cancelled() => Ok(stopped.end()),
            _ => agent_end(&ended, limit),
        };
        let left = Left {
            output: output.as_deref(),
            stdout: &heard.stdout,
            stderr_tail: tail(&stderr),
            heard: stream.heard(),
            before,
        };
        match end {
            Ok(end) => Ok(read(spec, &asked, &end, &left)),
            Err(halt) => {
                let report = read(spec, &asked, &AgentEnd::Signalled(15), &left);
                *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = usage_of(&report);
                Err(halt)
            }
        }
    }

    fn turned(
        &self,
        shadow: &Shadow,
        (phase, attempt): (Phase, u32),
        claim: Claim,
        taken: Taken,
        usage: Usage,
    ) -> Result<Outcome, Halt> {
        let message = commit_message(self.run.brief.kind, phase, self.run.brief.task.as_str());
        let at = self.commit(shadow, taken.tree, &message)?;
        let turn =
            Turn { phase, attempt, claim, at, changed: taken.changed, put_back: taken.put_back };
        Ok(Outcome::Turned { turn: Box::new(turn), usage })
    }

    /// Hashes the worktree, puts back what the phase may not change, stores the rest.
    pub(super) fn take_over(
        &self,
        shadow: &Shadow,
        base: &BaseTree,
        phase: Phase,
        (view, found): (&View, &Snapshot),
    ) -> Result<Taken, Halt> {
        let dir = self.worktree();
        let before = shadow.list(&view.tree)?;
        let Snapshot { listing: after, odd } = found;
        let trees = Trees { base: &base.listing, before: &before, after, view };
        let mut lawful = self.lawful(shadow, phase, &trees)?;
        let odd = odd.iter().take(MOST_ODD);
        lawful.put_back.extend(odd.map(|path| format!("{path}: {ODD}")));
        put(shadow, &dir, &lawful.listing, after)?;
        let tree = if lawful.listing == *before {
            view.whole.clone()
        } else {
            shadow.store(&dir, &lawful.listing, &before)?;
            shadow.write_tree(&self.whole_again(shadow, view, lawful.listing)?)?
        };
        Ok(Taken { tree, changed: lawful.changed, put_back: lawful.put_back })
    }

    /// What an agent wrote into its output file. What is no plain file, or endless, counts as not there.
    fn left(&self, path: &Path) -> Result<Option<Vec<u8>>, Halt> {
        match read_plain(path, READ_BACK) {
            Ok(bytes) => {
                self.hush(path)?;
                Ok(Some(bytes))
            }
            Err(ReadFault::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(why) => {
                self.say(format!("the agent's output file is not read: {why}"));
                Ok(None)
            }
        }
    }

    /// A program given by a relative path is meant from the user's repository, not from the worktree.
    fn resolved(&self, argv: &[OsString]) -> Vec<OsString> {
        let mut argv = argv.to_vec();
        if let Some(program) = argv.first_mut() {
            let path = PathBuf::from(&*program);
            let relative = path.components().count() > 1 && path.is_relative();
            let there = Path::new(&self.run.brief.repo.root).join(&path);
            if relative && there.is_file() {
                *program = there.into_os_string();
            }
        }
        argv
    }
}

/// Puts the worktree into the state that was recorded, whatever a crash left in it.
pub(super) fn restore(
    shadow: &Shadow,
    dir: &Path,
    base: &BaseTree,
    tree: &TreeId,
) -> Result<(), Halt> {
    // An agent may have removed even the folder itself.
    make(dir)?;
    let current = match snapshot(dir, base) {
        Err(flood) if flood.is_flood() => {
            empty_but_git(dir)?;
            Listing::new()
        }
        current => current?.listing,
    };
    put(shadow, dir, &*shadow.list(tree)?, &current)?;
    Ok(())
}

fn agent_end(ended: &Ended, limit: Limit) -> Result<AgentEnd, Halt> {
    match (&ended.how, limit) {
        (End::Exited(code), _) => Ok(AgentEnd::Exited(*code)),
        (End::Signalled(signal), _) => Ok(AgentEnd::Signalled(*signal)),
        (End::CouldNotStart(why), _) => Ok(AgentEnd::CouldNotStart(why.clone())),
        (End::TimedOut, Limit::OfTheChild(_)) => Ok(AgentEnd::TimedOut),
        (End::TimedOut, Limit::OfTheRun(_)) => Err(Halt::TimeUp),
        (End::Cancelled, _) => Err(Halt::Cancelled),
    }
}

/// The end of a text, for a message.
fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(2000);
    let start = (start..text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    text.get(start..).unwrap_or(text)
}
