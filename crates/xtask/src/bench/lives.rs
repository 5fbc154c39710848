//! Who was alive when, in a run of Proctor: read from the task events of `perf`, which the kernel writes down at
//! every fork, exec and exit. Nothing is stopped for that, as a debugger such as `strace` would, whose stops cost
//! more than what is looked for. It must not start anything.
//!
//! A moment belongs to the commands while any of them is alive: git, or what a keeper keeps (an agent, a test tool,
//! and all that these start). Otherwise it is Proctor's own: its work, waiting for the disk, and starting a child up
//! to the moment in which the child's program begins, with a keeper's beginning and end. What Proctor does while a
//! command is alive is not seen, and neither is whether a command was needed.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;

/// Where the time of one run went. The parts add up to `whole_ms`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lives {
    pub whole_ms: f64,
    /// Nobody but Proctor was there.
    pub own_ms: f64,
    /// A keeper was there, and nothing that it keeps.
    pub keeping_ms: f64,
    pub git_ms: f64,
    pub kept_ms: f64,
    pub git_calls: u32,
    pub kept_calls: u32,
}

impl Lives {
    /// What Proctor added to its commands.
    pub fn added_ms(&self) -> f64 {
        self.own_ms + self.keeping_ms
    }

    /// The commands alone.
    pub fn floor_ms(&self) -> f64 {
        self.git_ms + self.kept_ms
    }

    /// Reads what `perf script --show-task-events` prints about a run of the program `name`.
    pub fn read(text: &str, name: &str) -> Result<Self> {
        let mut changes: Vec<Change> = text.lines().filter_map(Change::read).collect();
        changes.sort_by(|one, other| one.at_ms.total_cmp(&other.at_ms));
        let first = changes.iter().position(|change| change.what.is_exec_of(name));
        let first = first.with_context(|| format!("perf saw no start of {name}"))?;
        let Change { at_ms: began, what: What::Exec { pid: main, .. } } = changes[first] else {
            bail!("perf saw no start of {name}");
        };
        let mut room = Room { members: BTreeMap::from([(main, Member::Proctor)]), name };
        let mut lives = Self::default();
        let mut now = began;
        for change in &changes[first + 1..] {
            let passed = change.at_ms - now;
            now = change.at_ms;
            match room.owner() {
                Member::Proctor => lives.own_ms += passed,
                Member::Keeper => lives.keeping_ms += passed,
                Member::Git => lives.git_ms += passed,
                Member::Kept => lives.kept_ms += passed,
            }
            match room.change(&change.what) {
                Some(Member::Git) => lives.git_calls += 1,
                Some(Member::Kept) => lives.kept_calls += 1,
                Some(Member::Proctor | Member::Keeper) | None => {}
            }
            if matches!(change.what, What::Exit { pid } if pid == main) {
                lives.whole_ms = now - began;
                return Ok(lives);
            }
        }
        bail!("perf saw no end of {name}")
    }
}

/// One line of perf that matters.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    at_ms: f64,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Fork { pid: u32, parent: u32 },
    Exec { pid: u32, name: String },
    Exit { pid: u32 },
}

impl Change {
    /// Such as `git 31 [000]  12.345678: PERF_RECORD_FORK(32:32):(31:31)`. Threads come and go unseen.
    fn read(line: &str) -> Option<Self> {
        let (before, record) = line.split_once(": PERF_RECORD_")?;
        let seconds: f64 = before.split_whitespace().next_back()?.parse().ok()?;
        let what = if let Some(exec) = record.strip_prefix("COMM exec: ") {
            let (name, ids) = exec.trim().rsplit_once(':')?;
            let (pid, _) = ids.split_once('/')?;
            What::Exec { pid: pid.parse().ok()?, name: name.to_owned() }
        } else if let Some(ids) = record.strip_prefix("FORK(") {
            let (child, parent) = ids.split_once("):(")?;
            let (parent, _) = parent.split_once(':')?;
            let (pid, parent) = (process(child)?, parent.parse().ok()?);
            What::Fork { pid, parent }
        } else {
            let (ended, _) = record.strip_prefix("EXIT(")?.split_once(')')?;
            What::Exit { pid: process(ended)? }
        };
        Some(Self { at_ms: seconds * 1000.0, what })
    }
}

/// The process of `pid:tid`, none for a thread that is not the first of its process.
fn process(ids: &str) -> Option<u32> {
    let (pid, thread) = ids.split_once(':')?;
    if pid == thread { pid.parse().ok() } else { None }
}

impl What {
    fn is_exec_of(&self, wanted: &str) -> bool {
        matches!(self, Self::Exec { name, .. } if name == wanted)
    }
}

/// What a process is. A fork is what its parent is, until it begins a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Member {
    Proctor,
    Keeper,
    Git,
    Kept,
}

/// The processes of a run that are alive.
struct Room<'a> {
    members: BTreeMap<u32, Member>,
    name: &'a str,
}

impl Room<'_> {
    /// To whom this moment belongs. What is kept comes before a git call that is there at the same time.
    fn owner(&self) -> Member {
        self.members.values().copied().max().unwrap_or(Member::Proctor)
    }

    /// Lets the change happen, and tells whether a command of Proctor began.
    fn change(&mut self, what: &What) -> Option<Member> {
        match what {
            What::Fork { pid, parent } => {
                let member = *self.members.get(parent)?;
                self.members.insert(*pid, member);
                None
            }
            What::Exec { pid, name } => {
                let member = self.members.get_mut(pid)?;
                let becomes = match *member {
                    Member::Proctor if name == self.name => Member::Keeper,
                    Member::Proctor => Member::Git,
                    Member::Keeper => Member::Kept,
                    Member::Git | Member::Kept => return None,
                };
                *member = becomes;
                Some(becomes)
            }
            What::Exit { pid } => {
                self.members.remove(pid);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_belongs_to_a_command_from_its_exec_to_its_exit_and_else_to_proctor() {
        let text = "\
       perf-exec     0 [-01]     0.000000: PERF_RECORD_COMM: perf-exec:10/10
         proctor    10 [-01]     1.000000: PERF_RECORD_COMM exec: proctor:10/10
         proctor    10 [-01]     1.001000: PERF_RECORD_FORK(11:11):(10:10)
             git    11 [-01]     1.002000: PERF_RECORD_COMM exec: git:11/11
             git    11 [-01]     1.003000: PERF_RECORD_FORK(12:12):(11:11)
     git: odd a1    12 [-01]     1.004000: PERF_RECORD_COMM exec: git: odd a1:12/12
     git: odd a1    12 [-01]     1.006000: PERF_RECORD_EXIT(12:12):(11:11)
             git    11 [-01]     1.008000: PERF_RECORD_EXIT(11:11):(10:10)
         proctor    10 [-01]     1.009000: PERF_RECORD_FORK(10:13):(10:10)
         proctor    13 [-01]     1.010000: PERF_RECORD_FORK(14:14):(10:13)
         proctor    14 [-01]     1.011000: PERF_RECORD_COMM exec: proctor:14/14
         proctor    14 [-01]     1.013000: PERF_RECORD_FORK(15:15):(14:14)
         proctor    15 [-01]     1.014000: PERF_RECORD_COMM exec: proctor:15/15
         proctor    15 [-01]     1.020000: PERF_RECORD_EXIT(15:15):(14:14)
         proctor    14 [-01]     1.021000: PERF_RECORD_EXIT(14:14):(10:10)
         proctor    13 [-01]     1.022000: PERF_RECORD_EXIT(10:13):(9:9)
         proctor    10 [-01]     1.025000: PERF_RECORD_EXIT(10:10):(9:9)
            perf     9 [-01]     1.900000: PERF_RECORD_EXIT(9:9):(1:1)
";
        let lives = Lives::read(text, "proctor").unwrap();
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.001, "{found}");
        near(lives.whole_ms, 25.0);
        near(lives.own_ms, 2.0 + 3.0 + 4.0);
        near(lives.keeping_ms, 3.0 + 1.0);
        near(lives.git_ms, 6.0);
        near(lives.kept_ms, 6.0);
        near(lives.added_ms() + lives.floor_ms(), lives.whole_ms);
        assert_eq!((lives.git_calls, lives.kept_calls), (1, 1));
    }

    #[test]
    fn a_record_without_the_program_or_its_end_is_refused() {
        let began = "proctor 10 [-01] 1.0: PERF_RECORD_COMM exec: proctor:10/10\n";
        let why = |text: &str| Lives::read(text, "proctor").unwrap_err().to_string();
        assert_eq!(why(""), "perf saw no start of proctor");
        assert_eq!(why(began), "perf saw no end of proctor");
    }
}
