//! What somebody who works in a tree needs so that its usual test command does there what a gate does: programs, packages,
//! variables, and what of it all may be read. It must not start anything.

use crate::disk::make;
use crate::furnish::Furniture;
use crate::suite::{Bench, Suite};
use crate::{Halt, Lab};
use proctor_core::brief::Reach;
use proctor_tools::{Ask, AtHand, Coverage, Manner, Order, Programs, Selection};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The surroundings of a tree that is worked in. Holds for as long as this value lives.
#[derive(Default)]
pub struct Surroundings {
    /// The test command of each project, with the folder that it is typed in; empty for the top.
    pub commands: Vec<(String, String)>,
    pub env: BTreeMap<OsString, OsString>,
    /// Folders of programs, before all others: those of the tree's own environments, then those of the tools.
    own: Vec<PathBuf>,
    path: Vec<PathBuf>,
    pub read: Vec<PathBuf>,
    /// Build products of whoever works there, and of nobody else.
    pub write: Vec<PathBuf>,
    /// Folders that are seen empty.
    pub hollow: Vec<PathBuf>,
    /// What was lent.
    held: Furniture,
}

impl Surroundings {
    /// Puts the surroundings over an environment.
    pub fn over(&self, env: &mut BTreeMap<OsString, OsString>) {
        env.extend(self.env.clone());
        let name = OsString::from("PATH");
        let before = env.get(&name).cloned().unwrap_or_default();
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in self.own.iter().chain(&self.path).cloned().chain(std::env::split_paths(&before))
        {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if let Ok(path) = std::env::join_paths(paths) {
            env.insert(name, path);
        }
    }
}

impl Lab {
    /// The surroundings of a tree that was furnished in this room. Build products go into `products`.
    pub fn surroundings_of(
        &self,
        (tree, room): (&Path, &Path),
        suite: &Suite,
        products: &Path,
    ) -> Result<Surroundings, Halt> {
        let given = self.refurnish(room, tree, suite)?;
        let mut around = Surroundings { read: given.read.clone(), ..Surroundings::default() };
        for (n, bench) in suite.benches.iter().enumerate() {
            let cache = products.join(n.to_string());
            make(&cache)?;
            let ask = self.ask_by_hand(tree, bench, (&given, &cache));
            let at_hand = bench.runner.at_hand(&ask);
            around.commands.push((bench.project.dir.clone(), at_hand.line()));
            let programs = ask.tools.programs.values().chain(bench.tools.programs.values());
            around.read.extend(programs.flat_map(|path| self.behind(path)));
            around.write.push(cache);
            around.take((&ask, bench), at_hand);
        }
        around.hollow.clone_from(&suite.editable);
        around.held = given;
        Ok(around)
    }

    /// What is asked of a runner that nobody starts.
    pub(crate) fn ask_by_hand(
        &self,
        tree: &Path,
        bench: &Bench,
        (given, cache): (&Furniture, &Path),
    ) -> Ask {
        let mut extra_env = bench.env_with(given);
        if self.setting.sandbox.network == Reach::Loopback {
            extra_env.entry("CARGO_NET_OFFLINE".to_owned()).or_insert_with(|| "true".to_owned());
        }
        Ask {
            tree: tree.to_owned(),
            subdir: bench.project.dir.clone(),
            start: None,
            scratch: cache.to_owned(),
            cache: cache.to_owned(),
            only: Selection::All,
            order: Order::AsWritten,
            coverage: Coverage::Off,
            manner: Manner::Users,
            elsewhere: vec![self.setting.repo.root.clone().into()],
            programs: Programs::ThrownAway,
            tools: bench.tools_with(given),
            extra_env,
        }
    }
}

impl Surroundings {
    /// Where two projects want the same variable, the first has it.
    fn take(&mut self, (ask, bench): (&Ask, &Bench), at_hand: AtHand) {
        // The home is the user's word, or the agent's own.
        let theirs = |name: &String| !matches!(name.as_str(), "PATH" | "HOME" | "TMPDIR");
        let listed = ask.extra_env.iter().filter(|(name, _)| theirs(name));
        // An environment of the tree's own knows what is imported from where.
        let layered = ask.tools.programs.get("python") != bench.tools.programs.get("python");
        let imports = Some(&at_hand.imports).filter(|imports| !imports.is_empty() && !layered);
        let imports = imports.and_then(|imports| std::env::join_paths(imports).ok());
        if let Some(imports) = imports {
            self.env.entry("PYTHONPATH".into()).or_insert(imports);
        }
        for (name, value) in at_hand.env.iter().chain(listed) {
            self.env.entry(name.into()).or_insert_with(|| value.into());
        }
        let given =
            |(name, path): &(&String, &PathBuf)| bench.tools.programs.get(*name) != Some(*path);
        let given = ask.tools.programs.iter().filter(given).filter_map(|(_, path)| path.parent());
        self.own.extend(given.map(Path::to_owned));
        let (own, others): (Vec<_>, Vec<_>) =
            at_hand.path.into_iter().partition(|folder| folder.starts_with(&ask.tree));
        self.own.extend(own);
        self.path.extend(others);
        let beside = bench.tools.programs.values().filter_map(|path| path.parent());
        self.path.extend(beside.map(Path::to_owned));
        if let Some(path) = ask.extra_env.get("PATH") {
            self.path.extend(std::env::split_paths(path));
        }
    }
}
