//! The bounds of an agent's turn: what it may write, read and reach, and which home it is told of.

use super::agent::Turn;
use super::{Halt, Job};
use proctor_core::words::{Hands, Phase};
use proctor_lab::{Needs, Surroundings};
use proctor_world::sandbox::{Bounds, Level};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

impl Job {
    /// The bounds of an agent's turn.
    pub(super) fn agent_bounds(
        &self,
        Turn { spec, phase, .. }: Turn<'_>,
        (scratch, around): (&Path, &Surroundings),
        own: &proctor_agents::Needs,
        (argv, env): (&[OsString], &BTreeMap<OsString, OsString>),
    ) -> Result<Bounds, Halt> {
        let mut read: Vec<PathBuf> = spec.read.iter().map(PathBuf::from).collect();
        read.extend(own.read.clone());
        let worktree = self.worktree();
        let mut write = own.write.clone();
        write.push(scratch.to_owned());
        read.extend(around.read.clone());
        write.extend(around.write.clone());
        // A coding agent that only reads has nothing to write there. What a program of somebody's own does is compared.
        if spec.kind.cli().is_some() && phase.hands() == Hands::Tied {
            write.retain(|path| !path.starts_with(&worktree));
            read.push(worktree);
        } else {
            write.push(worktree);
        }
        // The folder that its program stands in, even where that is the whole checkout (without its git folder).
        let root = Path::new(&self.run.brief.repo.root);
        let stands_there = |word: &OsString| Path::new(word).parent() == Some(root);
        read.extend(argv.first().filter(|word| stands_there(word)).map(|_| root.to_owned()));
        self.settle_in(spec, &scratch.join("home"))?;
        self.bounds(Needs {
            write,
            read,
            hollow: around.hollow.clone(),
            temp: scratch.join("tmp"),
            home: Some(scratch.join("home")),
            reach: spec.kind.reach(),
            argv,
            env,
        })
    }

    /// Sealed files that the coder may only read. What a refactoring may tidy is told apart by comparison alone.
    pub(super) fn closed(&self, turn: Turn<'_>, sealed: &[String], cwd: &Path) -> Vec<PathBuf> {
        let brief = &self.run.brief;
        let coded = turn.phase == Phase::Implement && brief.assignment.route.has_red_gate();
        if coded && brief.sandbox.seals.cover(&turn.spec.kind) {
            return sealed.iter().map(|path| cwd.join(path)).collect();
        }
        Vec::new()
    }

    /// Where nothing can stand in the place of the user's home, an agent is told of its own; tools that would be looked for
    /// in the user's are named.
    pub(super) fn tell_home(&self, bounds: &Bounds, env: &mut BTreeMap<OsString, OsString>) {
        let home = self.shop.var("HOME").map(PathBuf::from);
        let own = bounds.private.iter().find(|own| Some(&own.at) == home.as_ref());
        let (Level::Landlock, Some(own)) = (&bounds.level, own) else { return };
        // One that was given a home already keeps it.
        if env.get(OsStr::new("HOME")).map(PathBuf::from) != home {
            return;
        }
        for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let there = own.at.join(usual);
            if there.is_dir() {
                env.entry(name.into()).or_insert_with(|| there.into());
            }
        }
        env.insert("HOME".into(), own.from.clone().into());
    }
}
