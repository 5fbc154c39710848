//! A coding agent at work: the room that it finds, its login, what must be out of its way, and its lines while they come.
//! It knows no program; what is let in and what a line means is the driver's to say.

use super::agent_lines::Lines;
use super::{Halt, Job, Message};
use proctor_agents::known::{Forks, Resumes};
use proctor_agents::{AgentEnd, LaunchPlan, Room, Side, Stream, Walls};
use proctor_core::agent::{AgentSpec, Session, SessionMark, SessionPolicy, Tally};
use proctor_core::brief::Probe;
use proctor_core::secret::Redactor;
use proctor_core::words::{Hands, Phase, TreeId};
use proctor_lab::crash;
use proctor_lab::disk::{make, write};
use proctor_lab::tools::USER_ENV;
use proctor_lab::{Heard, Lab, SlotKind, Surroundings};
use proctor_lang::Zone;
use proctor_world::child::{Cancel, Ended, Launch};
use proctor_world::overlay::Place;
use proctor_world::sandbox::Strength;
use proctor_world::shadow::Shadow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How many lines of one turn are passed on, and how long one may be. All of it stays in the log file.
const MOST_LINES: usize = 2000;
const LONGEST_LINE: usize = 8 * 1024;
/// An event can hold a whole file. Beyond this it is not read.
const LONGEST_EVENT: usize = 32 * 1024 * 1024;
/// How long a program may stay after it said that the turn is over, or that it waits for its provider.
const GRACE: Duration = Duration::from_secs(3);
/// How many sealed files an agent is told of by its own means. Whatever it changes is compared afterwards anyway.
const MOST_SEALED: usize = 200;

/// Where tools keep what they share between projects, below the user's home: an agent with a home of its own still
/// builds with them.
const SHARED: [(&str, &str); 3] =
    [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"), ("GOPATH", "go")];

/// Which turn is taken, by whom.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) spec: &'a AgentSpec,
    pub(super) phase: Phase,
    pub(super) attempt: u32,
}

impl Job {
    /// How a turn begins, as far as its agent can.
    pub(super) fn session(&self, turn: Turn<'_>) -> Session {
        match self.run.session_for(turn.phase, turn.attempt) {
            Session::Fork { .. } if Forks::of(&turn.spec.kind) == Forks::Cannot => Session::New,
            Session::Resume { .. } if Resumes::of(&turn.spec.kind) == Resumes::Cannot => {
                Session::New
            }
            session => session,
        }
    }

    /// What no session carries, for the prompt.
    pub(super) fn history(&self, phase: Phase, session: &Session) -> String {
        let told = self.run.history_for(phase, session);
        if told.is_empty() {
            return String::new();
        }
        let turns: Vec<String> = told
            .iter()
            .map(|t| {
                format!(
                    "- {} ({}, turn {}): {}",
                    t.phase.role().name(),
                    t.phase,
                    t.attempt,
                    t.notes
                )
            })
            .collect();
        format!("## What was said before\n\n{}\n\n", turns.join("\n"))
    }

    pub(super) fn room(
        &self,
        turn: Turn<'_>,
        session: Session,
        shadow: &Shadow,
        tree: &TreeId,
    ) -> Result<Room, Halt> {
        let money_left = self
            .run
            .limits
            .micro_usd
            .map(|limit| limit.saturating_sub(self.run.spent.usage.micro_usd));
        let named = self.shop.env.iter().filter(|(_, value)| !value.is_empty());
        Ok(Room {
            home: self.home_of(turn),
            user_home: self.user_home(),
            session,
            sealed: self.sealed(turn.phase, shadow, tree)?,
            side: self.side(turn.phase),
            walls: match self.level()?.strength() {
                Strength::Strong => Walls::Strong,
                Strength::Files | Strength::None => Walls::Weak,
            },
            money_left,
            allowed_secrets: self.run.brief.allowed_secrets.clone(),
            set: named.map(|(name, _)| name.to_string_lossy().into_owned()).collect(),
        })
    }

    /// Each role has a home of its own, so that nothing that a coder runs can change what the same agent reviews with. Where
    /// one role is to branch off the session of another, they share one: that is where sessions are.
    pub(super) fn home_of(&self, turn: Turn<'_>) -> PathBuf {
        let home = self.shop.home.agent(&self.id, &turn.spec.name);
        match turn.spec.kind.cli().map(|cli| cli.session) {
            Some(SessionPolicy::Fork | SessionPolicy::MergeFork) => home.join("shared"),
            Some(SessionPolicy::New | SessionPolicy::Resume) | None => {
                home.join(turn.phase.role().name())
            }
        }
    }

    fn user_home(&self) -> PathBuf {
        self.shop.var("HOME").map(PathBuf::from).unwrap_or_default()
    }

    /// Files that the phase may not change in any part, seen from where the agent works.
    fn sealed(&self, phase: Phase, shadow: &Shadow, tree: &TreeId) -> Result<Vec<String>, Halt> {
        // A turn that only reads has no tools that write.
        if phase == Phase::WriteTests || phase.hands() == Hands::Tied {
            return Ok(Vec::new());
        }
        let subdir = &self.run.brief.repo.subdir;
        let below = |path: &str| match subdir.as_str() {
            "" => Some(path.to_owned()),
            dir => Some(path.strip_prefix(dir)?.strip_prefix('/')?.to_owned()),
        };
        // What means more than itself in a pattern is left to the comparison.
        let plain = |path: &String| {
            !path.contains(['*', '?', '[', ']', '{', '}', '(', ')', ',', '!', '\\'])
        };
        let (listing, base) = (shadow.list(tree)?, shadow.list(&shadow.tree_of(&self.run.base)?)?);
        let brought = &self.run.brief.brought_tests;
        let stays = |path: &String| match self.side(phase) {
            Side::Any | Side::Tests | Side::Code => true,
            // What the run itself brought may still change; what was there before is compared and put back.
            Side::Both => {
                base.get(path) == listing.get(path) || brought.iter().any(|file| file.path == *path)
            }
        };
        let tests = listing.keys().filter(|path| self.zone(path) == Zone::Test && stays(path));
        Ok(tests.filter_map(|path| below(path)).filter(plain).take(MOST_SEALED).collect())
    }

    /// Which files a phase is there to change. What it did change is compared all the same.
    fn side(&self, phase: Phase) -> Side {
        let brief = &self.run.brief;
        match phase {
            Phase::WriteTests => Side::Tests,
            Phase::Implement if brief.assignment.route.has_red_gate() => Side::Code,
            Phase::Refactor if brief.rules.probe == Probe::Off => Side::Code,
            Phase::Implement | Phase::Refactor => Side::Both,
            Phase::Review
            | Phase::Diagnose
            | Phase::Audit
            | Phase::Suggest
            | Phase::Scout
            | Phase::Classify => Side::Any,
        }
    }

    /// The environment of an agent's program: the usual names, its keys, and what the plan sets.
    pub(super) fn launch_env(
        &self,
        spec: &AgentSpec,
        plan: &LaunchPlan,
        around: &Surroundings,
    ) -> BTreeMap<OsString, OsString> {
        let mut names = spec.env.clone();
        names.extend(plan.pass.iter().map(|name| (*name).to_owned()));
        let mut env = self.environment(&USER_ENV, &names, &BTreeMap::new());
        around.over(&mut env);
        for name in &plan.withhold {
            env.remove(&OsString::from(name));
        }
        if plan.env.contains_key(&OsString::from("HOME")) {
            for (name, folder) in SHARED {
                let there = self.user_home().join(folder);
                if there.is_dir() {
                    env.entry(name.into()).or_insert_with(|| there.into_os_string());
                }
            }
        }
        // What is handed over in a file is in no environment, whatever the configuration names.
        for (name, _) in &plan.keys {
            env.remove(&OsString::from(name));
        }
        env.extend(plan.env.clone());
        env
    }

    /// Writes and moves what the plan wants. What is moved and copied goes back when the value is put away.
    pub(super) fn lay_out(&self, plan: &LaunchPlan) -> Result<LaidOut, Halt> {
        for folder in &plan.folders {
            make(folder)?;
        }
        for (path, bytes) in &plan.files {
            write(path, bytes)?;
        }
        let mut out = LaidOut { logins: Vec::new(), keys: KeyFiles(Vec::new()), aside: Vec::new() };
        for (name, path) in &plan.keys {
            let Some(value) = self.shop.var(name) else { continue };
            let _ = fs::remove_file(path);
            out.keys.0.push(path.clone());
            let written = File::options()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path)
                .and_then(|mut file| file.write_all(value.as_bytes()));
            written.map_err(|e| Halt::io("could not write", path, &e))?;
        }
        for (from, to) in &plan.logins {
            let Ok(bytes) = fs::read(from) else { continue };
            write(to, &bytes)?;
            fs::set_permissions(to, fs::Permissions::from_mode(0o600))
                .map_err(|e| Halt::io("could not protect", to, &e))?;
            out.logins.push(Login { own: from.clone(), copy: to.clone(), bytes });
        }
        let store = self.shop.home.run(&self.id).join("aside");
        proctor_world::tree::remove_tree(&store)?;
        let top = self.worktree();
        let folders = plan.cwd.ancestors().take_while(|folder| folder.starts_with(&top));
        for (n, place) in
            folders.flat_map(|f| plan.aside.iter().map(|name| f.join(name))).enumerate()
        {
            if place.symlink_metadata().is_ok() {
                make(&store)?;
                let kept = store.join(n.to_string());
                fs::rename(&place, &kept).map_err(|e| Halt::io("could not move", &place, &e))?;
                out.aside.push((place, kept));
            }
        }
        Ok(out)
    }

    /// Runs the agent and passes its lines on while they come.
    pub(super) fn watched(&self, launch: &Launch, watch: Watching<'_>) -> Result<Watched, Halt> {
        let log = |what: &str| launch.logs.join(format!("{}.{what}", launch.name));
        let files = (log("stdout"), log("stderr"));
        // A try before this one may have left its own, which would be read for this one's until they are written anew.
        for file in [&files.0, &files.1] {
            let _ = fs::remove_file(file);
        }
        let over = Cancel::new();
        let cord = self.cancel.below();
        let kept = Lab { cancel: cord.clone(), slot: SlotKind::Agents, ..(**self).clone() };
        std::thread::scope(|scope| {
            let passing_on = scope.spawn(|| self.pass_on(&files, &over, &cord, watch));
            crash::during("agent at work");
            let ended = kept.hear(Place::Here, launch);
            over.cancel();
            passing_on.thread().unpark();
            let (stream, stopped) = passing_on
                .join()
                .map_err(|_| Halt::lasting("the agent's lines could not be read"))?;
            let (ended, heard) = ended?;
            Ok(Watched { ended, heard, stream, stopped })
        })
    }

    fn pass_on(
        &self,
        (path, errors): &(PathBuf, PathBuf),
        over: &Cancel,
        cord: &Cancel,
        mut watch: Watching<'_>,
    ) -> (Stream, Option<Stopped>) {
        let (mut lines, mut complaints) = (Lines::of(path), Lines::of(errors));
        let redactor = self.redactor();
        // What a program prints as it likes is redacted as a whole, since a secret may go over several lines. Events are
        // read as they are, and what is told of them is redacted.
        let mut hiding = watch.turn.spec.kind.cli().is_none().then(|| redactor.stream());
        let (mut said, mut stopped) = (0, None);
        loop {
            let last = over.is_cancelled();
            complaints.read(|bytes| bytes);
            while let Some(line) = complaints.next(LONGEST_LINE) {
                self.hear_complaint(&mut watch, &line, &redactor);
            }
            while lines.read(|bytes| match &mut hiding {
                Some(stream) => stream.push(&bytes),
                None => bytes,
            }) {
                while let Some(line) = lines.next(watch.longest) {
                    self.hear_line(&mut watch, &line, (&redactor, &mut said));
                }
            }
            if last {
                break;
            }
            if stopped.is_none()
                && let Some(why) = watch.enough()
            {
                stopped = Some(why);
                cord.cancel();
            }
            std::thread::park_timeout(Duration::from_millis(40));
        }
        if let Some(stream) = hiding {
            lines.rest.extend(stream.finish().rest);
        }
        for line in lines.rest.split(|byte| *byte == b'\n').filter(|l| !l.trim_ascii().is_empty()) {
            self.hear_line(&mut watch, line, (&redactor, &mut said));
        }
        if said > MOST_LINES {
            self.say(format!("… the rest of what it prints is only in {}", path.display()));
        }
        if let Some(id) = watch.stream.heard().session.clone().or(watch.chosen.clone()) {
            self.mark(&watch, id, watch.stream.heard().bill.total(watch.before));
        }
        (watch.stream, stopped)
    }

    fn hear_complaint(&self, watch: &mut Watching<'_>, line: &[u8], redactor: &Redactor) {
        for note in watch.stream.error_line(String::from_utf8_lossy(line).trim_end()) {
            self.say(redactor.text(&note));
        }
    }

    fn hear_line(
        &self,
        watch: &mut Watching<'_>,
        line: &[u8],
        (redactor, said): (&Redactor, &mut usize),
    ) {
        let known = watch.stream.heard().session.is_some();
        let line = String::from_utf8_lossy(line);
        watch.last = Instant::now();
        for note in watch.stream.line(line.trim_end()) {
            if *said < MOST_LINES {
                self.say(redactor.text(&note));
            }
            *said += 1;
        }
        if !known && let Some(id) = watch.stream.heard().session.clone() {
            self.mark(watch, id, watch.before);
        }
    }

    fn mark(&self, watch: &Watching<'_>, id: String, total: Tally) {
        let mark = SessionMark {
            agent: watch.turn.spec.name.clone(),
            id,
            phase: watch.turn.phase,
            attempt: watch.turn.attempt,
            total,
        };
        let _ = self.sender.send(Message::Session { run: self.id.clone(), no: self.no, mark });
    }
}

/// An agent that has ended, and what it said.
pub(super) struct Watched {
    pub(super) ended: Ended,
    pub(super) heard: Heard,
    pub(super) stream: Stream,
    pub(super) stopped: Option<Stopped>,
}

/// Why an agent was ended before its time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    Lingered,
    Waited,
    Silent(u64),
}

impl Stopped {
    pub(super) fn end(self) -> AgentEnd {
        match self {
            Self::Lingered => AgentEnd::Lingered,
            Self::Waited => AgentEnd::Waited,
            Self::Silent(ms) => AgentEnd::Silent(ms),
        }
    }
}

/// What is looked for while an agent works.
pub(super) struct Watching<'a> {
    turn: Turn<'a>,
    stream: Stream,
    /// The session's id where we chose it, and what the session had used before.
    chosen: Option<String>,
    before: Tally,
    /// How long it may be without an event; none for programs whose lines mean nothing to us.
    silence: Option<Duration>,
    longest: usize,
    last: Instant,
    /// Since when it has had nothing more to do.
    over: Option<Instant>,
}

impl<'a> Watching<'a> {
    pub(super) fn new(job: &Job, turn: Turn<'a>, plan: &LaunchPlan, before: Tally) -> Self {
        let known = turn.spec.kind.cli().is_some();
        let silence = known.then(|| Duration::from_millis(job.run.limits.silence_ms));
        Self {
            turn,
            stream: Stream::of(&turn.spec.kind, &plan.cwd),
            chosen: plan.session.clone(),
            before,
            silence,
            longest: if known { LONGEST_EVENT } else { LONGEST_LINE },
            last: Instant::now(),
            over: None,
        }
    }

    fn enough(&mut self) -> Option<Stopped> {
        let heard = self.stream.heard();
        let why = match (&heard.end, &heard.wait) {
            (Some(_), _) => Some(Stopped::Lingered),
            (None, Some(_)) => Some(Stopped::Waited),
            (None, None) => None,
        };
        if let Some(why) = why {
            let since = *self.over.get_or_insert_with(Instant::now);
            return (since.elapsed() > GRACE).then_some(why);
        }
        self.over = None;
        let limit = self.silence.filter(|limit| self.last.elapsed() > *limit)?;
        Some(Stopped::Silent(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
    }
}

/// What was copied and moved for one turn.
#[must_use]
pub(super) struct LaidOut {
    logins: Vec<Login>,
    keys: KeyFiles,
    aside: Vec<(PathBuf, PathBuf)>,
}

/// Keys in files. They are gone with the turn, however it ended; usually the program removed them itself.
struct KeyFiles(Vec<PathBuf>);

impl Drop for KeyFiles {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = fs::remove_file(file);
        }
    }
}

struct Login {
    own: PathBuf,
    copy: PathBuf,
    bytes: Vec<u8>,
}

impl LaidOut {
    /// Puts back what was moved. A login that the program renewed is the user's again, unless somebody else renewed it
    /// meanwhile: the old one may not be valid any more.
    pub(super) fn put_away(self) -> Result<(), Halt> {
        drop(self.keys);
        for (place, kept) in self.aside {
            proctor_world::tree::remove_tree(&place)?;
            if let Some(folder) = place.parent() {
                make(folder)?;
            }
            fs::rename(&kept, &place).map_err(|e| Halt::io("could not put back", &place, &e))?;
        }
        for Login { own, copy, bytes } in self.logins {
            let (Ok(renewed), Ok(now)) = (fs::read(&copy), fs::read(&own)) else { continue };
            if renewed != bytes && now == bytes && !renewed.trim_ascii().is_empty() {
                let beside = own.with_extension("proctor-new");
                write(&beside, &renewed)?;
                let placed = fs::set_permissions(&beside, fs::Permissions::from_mode(0o600))
                    .and_then(|()| fs::rename(&beside, &own));
                placed.map_err(|e| Halt::io("could not renew", &own, &e))?;
            }
        }
        Ok(())
    }
}
