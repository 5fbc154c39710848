//! An agent's turn: put the worktree as it was recorded, ask, see what came back, put back what was not allowed.

use super::disk::{READ_BACK, make, write};
use super::held::View;
use super::policy::Trees;
use super::{Halt, Heard, Job, Limit};
use crate::crash;
use crate::drive::token;
use proctor_agents::{AgentEnd, LimitEnd, TurnAsk, UsageSource, plan, read};
use proctor_core::event::{Outcome, Turn, Usage};
use proctor_core::prompt::commit_message;
use proctor_core::turn::Claim;
use proctor_core::words::{Millis, Phase, TreeId};
use proctor_world::child::{Cancel, End, Ended, Launch, Stdin};
use proctor_world::files::{ReadFault, read_plain};
use proctor_world::leftovers::TOKEN;
use proctor_world::listing::Listing;
use proctor_world::overlay::Place;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, Snapshot, snapshot};
use proctor_world::tree::{empty_but_git, put};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What every agent may see of the user's environment, where it is set.
const AGENT_ENV: [&str; 17] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TERM",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "VIRTUAL_ENV",
];

/// How many lines of one turn are passed on, and how long one may be. All of it stays in the log file.
const MOST_LINES: usize = 2000;
const LONGEST_LINE: usize = 8 * 1024;

/// How many files that git can't hold are named to the agent.
const MOST_ODD: usize = 20;
const ODD: &str = "pipes, sockets, devices and files that can't be read are not part of the work";

/// Where the first line of a text ends: at its line break, or where it gets too long to wait for one.
fn line_end(text: &str) -> Option<usize> {
    let cut = (0..=LONGEST_LINE.min(text.len())).rev().find(|i| text.is_char_boundary(*i))?;
    match text.get(..cut)?.find('\n') {
        Some(end) => Some(end + 1),
        None if text.len() > LONGEST_LINE => Some(cut),
        None => None,
    }
}

pub(super) fn ask(job: &Job, phase: Phase, attempt: u32, ask: u32) -> Result<Outcome, Halt> {
    let role = phase.role();
    let Some(spec) = job.run.brief.agents.get(&role).cloned() else {
        return Err(Halt::lasting(format!(
            "no agent is configured for the role {role}\nhint: `--agent-cmd`, `--role {role}=NAME`, or [roles] in proctor.toml",
            role = role.name()
        )));
    };
    let shadow = job.shadow()?;
    let base = BaseTree::read(&shadow, &shadow.tree_of(&job.run.base)?)?;
    let worktree = job.worktree();
    let view = job.view(&shadow, phase, &job.recorded_tree(&shadow)?)?;
    job.without_traces(&shadow, &view)?;
    restore(&shadow, &worktree, &base, &view.tree)?;
    crash::point("worktree restored");
    let prompt = job.prompt(&shadow, phase, attempt)?;
    let scratch = job.shop.home.run(&job.id).join("turns").join(format!("{:04}", job.no));
    let cwd = worktree.join(&job.run.brief.repo.subdir);
    let turn = TurnAsk {
        run: &job.id,
        task: &job.run.brief.task,
        kind: job.run.brief.kind,
        phase,
        attempt,
        ask,
        worktree: &cwd,
        scratch: &scratch,
        prompt: &prompt,
        own_program: &job.shop.own_program,
    };
    let plan = plan(&spec, &turn);
    make(&scratch)?;
    for (path, bytes) in &plan.files {
        write(path, bytes)?;
    }
    let limit = job.limit(job.run.limits.turn_ms, Instant::now());
    let (argv, mut env) = (job.resolved(&plan.argv), job.agent_env(&spec.env, &plan.env));
    env.insert("TMPDIR".into(), scratch.join("tmp").into());
    let bounds = job.agent_bounds(&spec, &scratch, (&argv, &env))?;
    let launch = Launch {
        argv,
        cwd: plan.cwd,
        env,
        stdin: Stdin::File(plan.stdin_file),
        limit: limit.time(),
        logs: job.shop.home.logs(&job.id, job.no),
        name: "agent".to_owned(),
        bounds: Some(bounds),
    };
    let (ended, heard) = job.watched(&launch)?;
    crash::point("agent ended");
    let output = job.left(&plan.output_file)?;
    let redactor = job.redactor();
    let stderr = String::from_utf8_lossy(&heard.stderr);
    let end = agent_end(&ended, limit)?;
    let report = read(&spec, &turn, end, output.as_deref(), &heard.stdout, tail(&stderr));
    let usage = Usage {
        tokens: report.usage.tokens,
        micro_usd: report.usage.micro_usd,
        estimated: report.usage.source == UsageSource::Estimated,
    };
    if let Some(limited) = report.limited {
        let until = job.until(limited.until);
        return Ok(Outcome::Limited { until, why: redactor.text(&limited.why), usage });
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
        Err(fault) => {
            let why = redactor.text(&fault.to_string());
            let Taken { tree, put_back, .. } = taken;
            Ok(Outcome::TurnFailed { why, tree, put_back, usage })
        }
    }
}

/// What a turn left in the worktree, lawful parts only.
struct Taken {
    tree: TreeId,
    changed: Vec<String>,
    put_back: Vec<String>,
}

impl Job {
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
                self.furnish((&dir, Place::Here), &suite, Instant::now())?;
                Ok(Err(format!(
                    "{flood}\nhint: nothing of this turn was kept; leave only files that belong to the work"
                )))
            }
            found => Ok(Ok(found?)),
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
    fn take_over(
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

    /// Runs the agent and passes its lines on while they come.
    fn watched(&self, launch: &Launch) -> Result<(Ended, Heard), Halt> {
        let stdout = launch.logs.join(format!("{}.stdout", launch.name));
        let over = Cancel::new();
        let ended = std::thread::scope(|scope| {
            let passing_on = scope.spawn(|| self.pass_on(&stdout, &over));
            crash::during("agent at work");
            let ended = self.hear(Place::Here, launch);
            over.cancel();
            passing_on.thread().unpark();
            ended
        })?;
        Ok(ended)
    }

    fn pass_on(&self, path: &Path, over: &Cancel) {
        let mut said = 0;
        let (mut rest, mut file) = (String::new(), None);
        let mut stream = self.redactor().stream();
        loop {
            let last = over.is_cancelled();
            // Opened once: when the agent has ended, a redacted file takes this one's place.
            file = file.or_else(|| File::open(path).ok());
            let mut bytes = vec![0; 256 * 1024];
            while let Some(file) = file.as_mut()
                && let Ok(count) = file.read(&mut bytes)
            {
                if count == 0 || said >= MOST_LINES {
                    break;
                }
                let piece = stream.push(bytes.get(..count).unwrap_or_default());
                rest.push_str(&String::from_utf8_lossy(&piece));
                while let Some(end) = line_end(&rest) {
                    let line: String = rest.drain(..end).collect();
                    self.say(line.trim_end());
                    said += 1;
                }
            }
            if last {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(40));
        }
        rest.push_str(&String::from_utf8_lossy(&stream.finish().rest));
        if said >= MOST_LINES {
            self.say(format!("… the rest of what it prints is only in {}", path.display()));
        } else if !rest.trim().is_empty() {
            for line in rest.lines() {
                self.say(line.trim_end());
            }
        }
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

    /// The environment of an agent: a fixed list of names, what this agent is configured to get, the contract, and
    /// the token by which we know our own.
    pub(super) fn agent_env(
        &self,
        asked_for: &[String],
        contract: &BTreeMap<OsString, OsString>,
    ) -> BTreeMap<OsString, OsString> {
        let asked_for = asked_for.iter().map(String::as_str);
        let mut env: BTreeMap<OsString, OsString> = AGENT_ENV
            .into_iter()
            .chain(asked_for)
            .filter_map(|name| Some((OsString::from(name), self.shop.var(name)?.clone())))
            .collect();
        env.extend(contract.clone());
        env.insert(TOKEN.into(), token(&self.shop, &self.id).into());
        env
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
