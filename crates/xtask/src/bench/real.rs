//! `cargo xtask bench real --repos DIR`: the processor time of a whole first `proctor verify` on real commits, and of a second
//! one, against the two bare runs of base and head, all in one run. One commit of each library that is there. It must
//! not judge a verdict.

use super::figures::{Chapter, Role, Unit};
use super::process::{children_cpu_ms, millis};
use crate::corpus::real::case::{Known, Way, all};
use crate::corpus::real::room::Rooms;
use crate::corpus::real::tree::Tree;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// A suite that takes longer, bare and once, is a long one.
const LONG_MS: f64 = 20_000.0;
/// How many times both bare runs a first verify may cost: of a long suite, and of another.
const GOALS: (f64, f64) = (3.0, 5.0);

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    repos: PathBuf,
    cache: Option<PathBuf>,
    proctor: Option<PathBuf>,
    only: Vec<String>,
    json: bool,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            if word == "--json" {
                wish.json = true;
                continue;
            }
            let mut value =
                || words.next().ok_or_else(|| format!("a value is missing after `{word}`"));
            match word {
                "--repos" => wish.repos = value()?.into(),
                "--cache" => wish.cache = Some(value()?.into()),
                "--proctor" => wish.proctor = Some(value()?.into()),
                "--only" => {
                    while let Some(name) = words.next_if(|next| !next.starts_with("--")) {
                        wish.only.push(name.to_owned());
                    }
                }
                other => return Err(format!("bench real knows no `{other}`")),
            }
        }
        if wish.repos.as_os_str().is_empty() {
            return Err("bench real needs `--repos DIR`".to_owned());
        }
        Ok(wish)
    }

    /// The first commit of each library that is there, or those that are named.
    fn cases(&self, known: Vec<Known>) -> Vec<Known> {
        let mut met = BTreeSet::new();
        let mut wanted = |known: &Known| {
            let named = |name: &String| *name == known.case.name || *name == known.library.name;
            let there = self.repos.join(&known.library.repo).is_dir();
            let first = met.insert(known.library.repo.clone());
            there && if self.only.is_empty() { first } else { self.only.iter().any(named) }
        };
        known.into_iter().filter(|known| wanted(known)).collect()
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let target = own.ancestors().nth(2).context("this program is in no target folder")?;
    let proctor = if let Some(file) = &wish.proctor {
        file.canonicalize().context("proctor is not there")?
    } else {
        super::cargo_build(&crate::tree::root()?, "proctor")?;
        target.join("release/proctor")
    };
    let rooms = Rooms::new(&wish.cache.clone().unwrap_or_else(|| target.join("tools/real")))?;
    let repos = wish.repos.canonicalize().context("the folder of repositories is not there")?;
    let cases = wish.cases(all()?);
    if cases.is_empty() {
        bail!("no library that is known stands in {}", wish.repos.display());
    }
    let mut out = std::io::stdout().lock();
    let (mut found, mut code) = (Map::new(), ExitCode::SUCCESS);
    for known in &cases {
        let chapter = match measure(known, &proctor, (&repos, &rooms)) {
            Ok(chapter) => chapter,
            Err(why) => {
                writeln!(std::io::stderr(), "error: {}: {why:#}", known.case.name)?;
                code = ExitCode::FAILURE;
                continue;
            }
        };
        if wish.json {
            found.insert(chapter.name.clone(), chapter.json());
        } else {
            writeln!(out, "{chapter}\n")?;
        }
    }
    if wish.json {
        writeln!(out, "{}", Value::Object(found))?;
    }
    Ok(code)
}

fn measure(known: &Known, proctor: &Path, (repos, rooms): (&Path, &Rooms)) -> Result<Chapter> {
    let tree = Tree::laid_out(known, Way::Honest, repos, rooms)?;
    let kept = tempfile::tempdir().context("no folder for what is built and kept")?;
    let mut chapter = Chapter::new(known.case.name.clone(), 1);
    let (mut bare_wall, mut bare_cpu) = (0.0_f64, 0.0);
    for branch in ["main", "head"] {
        let (wall, cpu) = timed(|| bare(known, &tree, (branch, kept.path())))?;
        (bare_wall, bare_cpu) = (bare_wall.max(wall), bare_cpu + cpu);
    }
    let ms = Unit::Millis;
    let once = chapter.add("the suite bare, once", Role::Yardstick, ms, &[bare_wall]);
    let both = chapter.add("processor time, base and head", Role::Yardstick, ms, &[bare_cpu]);
    for (name, times) in [("a first verify", "  to both bare runs"), ("a second one", "  to both")]
    {
        let mut verdict = String::new();
        let (wall, cpu) = timed(|| {
            verdict = verified(proctor, &tree, &kept.path().join("home"))?;
            Ok(())
        })?;
        chapter.add(&format!("{name}: {verdict}"), Role::Ours, ms, &[wall]);
        chapter.add("  of processor time", Role::Ours, ms, &[cpu]);
        let ratio = both.map(|both| cpu / both.max(1.0));
        chapter.add(times, Role::Ours, Unit::Times, ratio.as_slice());
        if name == "a first verify" {
            let limit = if once > Some(LONG_MS) { GOALS.0 } else { GOALS.1 };
            chapter.goal("processor time to both bare runs", Unit::Times, ratio, limit);
        }
    }
    Ok(chapter)
}

fn timed(act: impl FnOnce() -> Result<()>) -> Result<(f64, f64)> {
    let (before, began) = (children_cpu_ms(), Instant::now());
    act()?;
    Ok((millis(began.elapsed()), children_cpu_ms() - before))
}

/// The library's own command on one side, with build products that the other side may use.
fn bare(known: &Known, tree: &Tree, (branch, kept): (&str, &Path)) -> Result<()> {
    let mut switch = Command::new("git");
    switch.args(["switch", "--quiet", branch]).current_dir(tree.path());
    if !switch.status().context("git did not start")?.success() {
        bail!("{branch} could not be checked out");
    }
    let line = known.case.check.as_deref().unwrap_or(&known.library.check);
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(tree.path());
    tree.room.dress(&mut command)?;
    command.env("CARGO_TARGET_DIR", kept.join("target")).env("GOCACHE", kept.join("go"));
    let out = command.stdin(Stdio::null()).output().context("sh did not start")?;
    if !out.status.success() {
        bail!("the suite does not pass on {branch}: {}", String::from_utf8_lossy(&out.stderr));
    }
    Ok(())
}

fn verified(proctor: &Path, tree: &Tree, home: &Path) -> Result<String> {
    let mut command = Command::new(proctor);
    command.args(["verify", "--base", "main", "--head", "head", "--format", "json"]);
    command.current_dir(tree.path());
    tree.room.dress(&mut command)?;
    let out = command.env("PROCTOR_HOME", home).stdin(Stdio::null()).output();
    let out = out.context("proctor did not start")?;
    let answer: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| String::from_utf8_lossy(&out.stderr).into_owned())?;
    let verdict = answer["verdict"].as_str().unwrap_or("no verdict").to_owned();
    Ok(if answer["kept"] == Value::Bool(true) { format!("{verdict}, kept") } else { verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_names_the_repositories() {
        let words = ["--repos", "r", "--only", "a", "b", "--proctor", "p", "--json"];
        let only = vec!["a".to_owned(), "b".to_owned()];
        let (repos, proctor) = ("r".into(), Some("p".into()));
        let wish = Wish { repos, proctor, only, cache: None, json: true };
        assert_eq!(Wish::read(&words), Ok(wish));
        assert!(Wish::read(&[]).is_err() && Wish::read(&["--repos"]).is_err());
        assert!(Wish::read(&["--repos", "r", "--speed"]).is_err());
    }

    #[test]
    fn one_commit_of_each_library_that_is_there_is_measured() {
        let repos = tempfile::tempdir().unwrap();
        let known = all().unwrap();
        let library = known[0].library.repo.clone();
        std::fs::create_dir(repos.path().join(&library)).unwrap();
        let wish = Wish { repos: repos.path().into(), ..Wish::default() };
        let cases = wish.cases(known);
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].library.repo, library);
    }
}
