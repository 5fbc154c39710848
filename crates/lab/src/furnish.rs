//! What a tree needs before its tests can run and git does not hold: files of the user's checkout, installed packages,
//! an environment for what the set-up commands install, ports. Nothing of it lets one run change another's, or the
//! user's own files.

use crate::bounds::Needs;
use crate::disk::{captured, make};
use crate::suite::{Bench, Suite};
use crate::tools::USER_ENV;
use crate::{Halt, Lab, Limit};
use proctor_lang::tree::below;
use proctor_lang::zone::{Zone, zone};
use proctor_lang::{Language, Tree};
use proctor_world::child::{End, Launch, Stdin};
use proctor_world::overlay::Place;
use proctor_world::packages::{self, Kept};
use proctor_world::ports::{self, Ports};
use proctor_world::venv::{self, Layer};
use proctor_world::{include, listing::Listing};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a tree was given. It holds for as long as this value lives.
#[derive(Default)]
pub struct Furniture {
    /// Added to what set-up commands and tests see.
    pub env: BTreeMap<String, String>,
    /// The environment that set-up commands install into, in the place of the user's.
    pub python: Option<PathBuf>,
    /// What children must be able to read for it.
    pub read: Vec<PathBuf>,
    /// Locks on the packages and ports.
    held: (Option<Kept>, Option<Ports>),
}

/// What is larger was not made for a build.
const MOST_MADE: u64 = 1024 * 1024;

/// How many copies of installed packages are kept.
const MOST_PACKAGES: usize = 8;

impl Lab {
    /// Gives a tree what it needs: copies, packages, then the commands of the set-up recipe.
    pub fn furnish(
        &self,
        (tree, place): (&Path, Place<'_>),
        suite: &Suite,
        began: Instant,
    ) -> Result<Furniture, Halt> {
        self.furnish_in(&self.shop.home.gate(&self.id), (tree, place), suite, began)
    }

    /// The same where what the commands install lies in a room of the tree's own, and stays there.
    pub fn furnish_in(
        &self,
        seat: &Path,
        (tree, place): (&Path, Place<'_>),
        suite: &Suite,
        began: Instant,
    ) -> Result<Furniture, Halt> {
        let setup = &self.setting.setup;
        let root = self.root();
        for name in &suite.copies {
            let (from, to) = (root.join(name), tree.join(name));
            if let Some(folder) = to.parent() {
                make(folder)?;
            }
            fs::copy(&from, &to).map_err(|e| Halt::io("the set-up could not copy", &from, &e))?;
        }
        let mut given = self.lend(tree, suite)?;
        let worked_in = seat != self.shop.home.gate(&self.id);
        match self.layer(seat, (tree, worked_in), suite, &mut given) {
            // Somebody works there with the user's own environment, then.
            Err(_) if setup.run.is_empty() => {}
            layered => layered?,
        }
        for (n, argv) in setup.run.iter().enumerate() {
            self.set_up_command((seat, tree, place), argv, &given, (n, began))?;
        }
        Ok(given)
    }

    /// What a tree that was furnished in this room goes on with. No command is run again.
    pub fn refurnish(&self, seat: &Path, tree: &Path, suite: &Suite) -> Result<Furniture, Halt> {
        let mut given = self.lend(tree, suite)?;
        let own = seat.join("python");
        if let Some(found) = venv::describe(&own) {
            given.read.push(own.clone());
            given.read.extend(self.behind(&found.python));
            self.enter(&own, found.python, &mut given);
        }
        Ok(given)
    }

    /// Packages, variables, ports: what is shared, and held for as long as the tree is in use.
    fn lend(&self, tree: &Path, suite: &Suite) -> Result<Furniture, Halt> {
        let setup = &self.setting.setup;
        let root = self.root();
        let mut given = Furniture { env: setup.env.clone(), ..Furniture::default() };
        if suite.benches.iter().any(Bench::is_script) {
            let kept = packages::keep(self.shop.home.root(), root, &self.cancel)?;
            if let Some(kept) = &kept {
                packages::link(kept, tree, &self.cancel)?;
                packages::trim(self.shop.home.root(), MOST_PACKAGES)?;
            }
            if let Some(kept) = &kept {
                given.read.push(kept.dir().to_owned());
                given.read.extend(kept.leads());
            }
            given.held.0 = kept;
        }
        if setup.ports > 0 {
            let block = ports::block(&self.shop.home.root().join("ports"), setup.ports)
                .map_err(|e| Halt::passing(format!("no free block of ports was found: {e}")))?;
            given.env.insert("PROCTOR_PORT".to_owned(), block.first.to_string());
            given.env.insert("PROCTOR_PORTS".to_owned(), block.count.to_string());
            given.held.1 = Some(block);
        }
        Ok(given)
    }

    /// An environment of the tree's own on top of the user's: what set-up commands install goes into it alone.
    /// Who works in a tree also gets one for what the tests import: an editable package leads to the tree.
    fn layer(
        &self,
        seat: &Path,
        (tree, worked_in): (&Path, bool),
        suite: &Suite,
        given: &mut Furniture,
    ) -> Result<(), Halt> {
        let found = suite.benches.iter().find(|b| b.is_python());
        let wanted = worked_in || !self.setting.setup.run.is_empty();
        let Some(bench) = found.filter(|_| wanted) else { return Ok(()) };
        let python = bench.tools.program("python");
        given.read.extend(self.behind(&python));
        let below = python.parent().and_then(Path::parent).and_then(venv::describe);
        let Some(below) = below else { return Ok(()) };
        let root = self.root();
        let mut first: Vec<PathBuf> = venv::paths_into(&below.site_packages, root)
            .into_iter()
            .map(|path| tree.join(path))
            .collect();
        let mut packages = below.site_packages.clone();
        if worked_in {
            let ask = self.ask_by_hand(tree, bench, (given, seat));
            let imports = bench.runner.at_hand(&ask).imports;
            first.splice(0..0, imports);
            let user = bench.env.get("PYTHONUSERBASE").map(Path::new);
            let user =
                user.map(|base| base.join(format!("lib/python{}/site-packages", below.version)));
            packages.splice(0..0, user.filter(|folder| folder.is_dir() && !is_venv(&below.prefix)));
        }
        let into = seat.join("python");
        proctor_world::tree::remove_tree(&into)?;
        let layer = Layer { python: &python, first: &first, below: &packages };
        let own = venv::layered(&layer, &into).map_err(|e| Halt::lasting(e.to_string()))?;
        if worked_in && is_venv(&below.prefix) {
            venv::lend_scripts(&below.prefix, &own).map_err(|e| Halt::lasting(e.to_string()))?;
        }
        self.enter(&into, own.python, given);
        Ok(())
    }

    /// What `activate` of an environment would do.
    fn enter(&self, into: &Path, python: PathBuf, given: &mut Furniture) {
        let bin = into.join("bin");
        let path = self.shop.var("PATH").cloned().unwrap_or_default();
        let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
        if let Some(path) = std::env::join_paths(paths).ok().and_then(|p| p.into_string().ok()) {
            given.env.insert("PATH".to_owned(), path);
        }
        given.env.insert("VIRTUAL_ENV".to_owned(), into.to_string_lossy().into_owned());
        given.python = Some(python);
    }

    fn set_up_command(
        &self,
        (seat, tree, place): (&Path, &Path, Place<'_>),
        argv: &[String],
        given: &Furniture,
        (n, began): (usize, Instant),
    ) -> Result<(), Halt> {
        let limit = self.limit(self.setting.test_ms, began);
        let own: BTreeMap<OsString, OsString> =
            given.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let words: Vec<OsString> = argv.iter().map(OsString::from).collect();
        let env = self.environment(&USER_ENV, &self.setting.setup.env_pass, &own);
        make(seat)?;
        let bounds = self.bounds(Needs {
            write: vec![tree.to_owned(), seat.to_owned()],
            read: given.read.clone(),
            hollow: Vec::new(),
            temp: seat.join("tmp"),
            home: Some(seat.join("home")),
            reach: self.setting.sandbox.network,
            argv: &words,
            env: &env,
        })?;
        let launch = Launch {
            argv: words,
            cwd: tree.join(&self.setting.repo.subdir),
            env,
            stdin: Stdin::Empty,
            limit: limit.time(),
            logs: self.shop.home.logs(&self.id, self.no),
            name: format!("setup-{n}"),
            bounds: Some(bounds),
        };
        let ended = self.keep_in(place, &launch)?;
        let line = argv.join(" ");
        let said =
            || String::from_utf8_lossy(&captured(&ended.stderr).unwrap_or_default()).into_owned();
        match (&ended.how, limit) {
            (End::Exited(0), _) => Ok(()),
            (End::Cancelled, _) => Err(Halt::Cancelled),
            (End::TimedOut, Limit::OfTheRun(_)) => Err(Halt::TimeUp),
            (how, _) => Err(Halt::lasting(format!(
                "the set-up command `{line}` ended with {how:?}: {}\nhint: mend [setup] in proctor.toml on the base commit, then start again",
                said().trim()
            ))),
        }
    }

    /// The files of the user's checkout that every tree gets: those that the configuration names, untracked ones that
    /// the base's `.worktreeinclude` matches, and ignored ones that its sources can't be built or loaded without.
    pub fn copies(&self, tree: &dyn Tree, listing: &Listing) -> Result<Vec<String>, Halt> {
        let mut names = self.setting.setup.copy.clone();
        let patterns = tree.read(include::FILE).filter(|text| !text.is_empty());
        if let Some(patterns) = patterns {
            let root = self.root();
            let text = String::from_utf8_lossy(&patterns);
            let found = include::matches(root, &text, &|path| listing.contains_key(path))
                .map_err(|e| Halt::lasting(e.to_string()))?;
            names
                .extend(found.into_iter().filter(|path| !names.contains(path)).collect::<Vec<_>>());
        }
        // Where git has no word about it, as in a bare repository, nothing is ignored.
        for path in include::ignored(self.root()).unwrap_or_default() {
            let size = fs::metadata(self.root().join(&path)).map_or(u64::MAX, |about| about.len());
            if size <= MOST_MADE && is_made(&path, listing) && !names.contains(&path) {
                self.say(format!("{path} comes from the checkout: git ignores it"));
                names.push(path);
            }
        }
        Ok(names)
    }
}

fn is_venv(prefix: &Path) -> bool {
    prefix.join("pyvenv.cfg").is_file()
}

/// Whether an ignored file is made for the sources beside it: what locks a tracked manifest's packages, or a module of a
/// folder whose other modules are tracked. Tests are never among them.
fn is_made(path: &str, listing: &Listing) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let tracked = |name: &str| listing.contains_key(&below(folder, name));
    if name == "Cargo.lock" {
        return tracked("Cargo.toml");
    }
    let Some(language) = Language::of(path).filter(|_| zone(path) == Zone::Production) else {
        return false;
    };
    listing.keys().any(|other| {
        let beside = other.rsplit_once('/').unwrap_or(("", other)).0 == folder;
        beside && Language::of(other) == Some(language) && zone(other) == Zone::Production
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_world::listing::{Entry, Mode};

    #[test]
    fn locks_and_modules_that_are_made_come_along_and_nothing_else() {
        let entry = Entry { mode: Mode::File, oid: String::new() };
        let tracked = ["Cargo.toml", "pkg/__init__.py", "setup.py", "tests/test_a.py"];
        let listing: Listing = tracked.iter().map(|p| ((*p).to_owned(), entry.clone())).collect();
        assert!(is_made("Cargo.lock", &listing));
        assert!(is_made("pkg/_version.py", &listing));
        for other in ["pkg/Cargo.lock", "pkg/data.bin", "build/lib/a.py", "tests/test_b.py"] {
            assert!(!is_made(other, &listing), "{other}");
        }
    }
}
