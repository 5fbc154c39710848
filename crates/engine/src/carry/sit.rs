//! A person in the sandbox that an agent gets: the same folders, environment and programs, in the worktree of a run or in a
//! throw-away copy of the base commit. Nothing is recorded and nothing is judged.

use super::agent::Turn;
use super::{Halt, Job};
use proctor_core::brief::{AgentKind, AgentSpec, Brief};
use proctor_core::event::Trouble;
use proctor_core::run::Run;
use proctor_core::words::{Phase, RunId};
use proctor_lab::tools::USER_ENV;
use proctor_lab::{Heard, Lab, Shop, SlotKind};
use proctor_world::child::{Cancel, End, Launch, Stdin};
use proctor_world::overlay::Place;
use proctor_world::seat::{SEAT, Seat};
use proctor_world::worktree::{WorktreeOrder, make};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Nobody hurries a person.
const LIMIT: Duration = Duration::from_hours(24);

/// Where the person sits.
pub enum Desk<'a> {
    /// In the worktree of a run that nobody drives now.
    Run { id: &'a RunId, run: &'a Run },
    /// In a copy of the base commit, which is gone afterwards.
    Copy { brief: &'a Brief },
}

/// How the person's command is started.
pub enum Sitting {
    /// With the person's own terminal.
    Terminal,
    /// Without one; what it prints is given when it has ended.
    Heard,
}

/// How it ended.
pub struct Sat {
    pub code: u8,
    pub heard: Heard,
}

/// Runs a command as an agent would run it. The agent is the run's coder, or what stands in its place.
pub fn sit(
    shop: &Shop,
    desk: &Desk<'_>,
    spec: &AgentSpec,
    (argv, sitting): (&[String], &Sitting),
) -> Result<Sat, String> {
    let (sender, _) = mpsc::channel();
    let (id, run) = match desk {
        Desk::Run { id, run } => ((*id).clone(), (*run).clone()),
        Desk::Copy { brief } => {
            let id = RunId::new(format!("shell-{}-{}", shop.now().0, std::process::id()));
            (id, Run::new((*brief).clone()))
        }
    };
    let job = Job::new(shop, (&id, 0), run, Cancel::new(), sender);
    let spec = AgentSpec { kind: AgentKind::Command { argv: argv.to_vec() }, ..spec.clone() };
    let sat = job.sit(desk, &spec, (argv, sitting));
    if matches!(desk, Desk::Copy { .. }) {
        for folder in [shop.home.worktree(&id), shop.home.run(&id), shop.home.gate(&id)] {
            // What can't be removed now is no harm: its name is used once.
            let _ = proctor_world::tree::remove_tree(&folder);
        }
    }
    sat.map_err(|halt| match halt {
        Halt::Cancelled => "interrupted".to_owned(),
        Halt::TimeUp => "the time is used up".to_owned(),
        Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }) => why,
    })
}

impl Job {
    fn sit(
        &self,
        desk: &Desk<'_>,
        spec: &AgentSpec,
        (argv, sitting): (&[String], &Sitting),
    ) -> Result<Sat, Halt> {
        let shadow = self.shadow()?;
        if let Desk::Copy { .. } = desk {
            let tree = shadow.tree_of(&self.run.base)?;
            let order = WorktreeOrder {
                run: &self.id,
                base: &self.run.base,
                listing: &*shadow.list(&tree)?,
                branch: "shell",
                author: &self.run.brief.landing.author,
            };
            let worktree = make(self.shop.home.root(), &shadow, &order)?;
            let room = self.shop.home.room(&self.id);
            if let Ok(suite) = self.suite_of(&shadow, &tree) {
                self.furnish_in(&room, (&worktree, Place::Here), &suite, Instant::now())?;
            }
        }
        let worktree = self.worktree();
        if !worktree.is_dir() {
            return Err(Halt::lasting(
                "this run has no worktree any more\nhint: `proctor agent shell --here` shows a copy of the base commit",
            ));
        }
        let turn = Turn { spec, phase: Phase::Implement, attempt: 1 };
        let scratch = self.shop.home.run(&self.id).join("shell");
        let around = self.surroundings(turn, &shadow)?;
        let mut env = self.environment(&USER_ENV, &spec.env, &BTreeMap::new());
        around.over(&mut env);
        env.insert("TMPDIR".into(), scratch.join("tmp").into());
        let words: Vec<OsString> = match sitting {
            Sitting::Terminal => {
                let own = [self.shop.own_program.clone().into_os_string(), SEAT.into()];
                own.into_iter().chain(argv.iter().map(OsString::from)).collect()
            }
            Sitting::Heard => argv.iter().map(OsString::from).collect(),
        };
        let needs = proctor_agents::Needs::default();
        let bounds = self.agent_bounds(turn, (&scratch, &around), &needs, (&words, &env))?;
        self.tell_home(&bounds, &mut env);
        let launch = Launch {
            argv: words,
            cwd: worktree.join(&self.run.brief.repo.subdir),
            env,
            stdin: Stdin::Empty,
            limit: LIMIT,
            logs: scratch.join("logs"),
            name: "shell".to_owned(),
            bounds: Some(bounds),
        };
        let (how, heard) = match sitting {
            Sitting::Heard => {
                let own = Lab { slot: SlotKind::Uncounted, ..(**self).clone() };
                let (ended, heard) = own.hear(Place::Here, &launch)?;
                (ended.how, heard)
            }
            Sitting::Terminal => (self.at_terminal(&launch)?, Heard::default()),
        };
        let code = match how {
            End::Exited(code) => u8::try_from(code).unwrap_or(1),
            End::Signalled(signal) => u8::try_from(128 + signal).unwrap_or(1),
            End::TimedOut | End::Cancelled => 130,
            End::CouldNotStart(why) => return Err(Halt::lasting(why)),
        };
        Ok(Sat { code, heard })
    }

    fn at_terminal(&self, launch: &Launch) -> Result<End, Halt> {
        let broken =
            |why: &std::io::Error| Halt::io("could not pass on", Path::new("the terminal"), why);
        let seat = Seat::open().map_err(|why| broken(&why))?;
        let relay = seat.begin().map_err(|why| broken(&why))?;
        let ended = self.shop.keeper().run_at(seat.near(), launch, &self.cancel);
        drop(relay);
        Ok(ended?.how)
    }
}
