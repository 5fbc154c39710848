//! `cargo xtask corpus newest`: the newest commits of libraries that changed tests and code, chosen by that rule and by
//! nothing else, each with ground truth by the library's own tool, and what `proctor verify` says of it with nothing
//! configured. Nothing of a library is kept here but its name and how its contributors install and test it.

mod place;
mod rule;
mod told;
mod truth;

use super::pair::Language;
use super::verify::Answer;
use super::{binary, number, spread};
use anyhow::{Context, Result, bail};
use place::Place;
use rule::{Commit, LOG, commits};
use serde::Deserialize;
use std::fmt::{self, Display};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use truth::Truth;

const TABLE: &str = include_str!("newest/libraries.toml");
/// How many commits of a library are tried, and how many of the newest that fit are looked at for them.
const COUNT: usize = 2;
const LOOKED_AT: usize = 8;

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    repos: PathBuf,
    cache: Option<PathBuf>,
    only: Vec<String>,
    language: Option<Language>,
    count: Option<usize>,
    jobs: Option<usize>,
    budget: Option<String>,
    proctor: Option<PathBuf>,
    /// Ground truth alone, without Proctor.
    truth: bool,
    json: bool,
}

/// A library, and how its contributors get its tests to run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    name: String,
    /// `OWNER+NAME`, the folder of its repository.
    repo: String,
    language: String,
    /// What is special about its tests, for the table.
    tests: String,
    /// Commands for `sh` in the clone.
    #[serde(default)]
    prepare: Vec<String>,
    /// Its own tests, for `sh` in the clone.
    check: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    library: Vec<Library>,
}

/// A library with what came of its commits, or why there was nothing to try.
struct Tried {
    library: Library,
    lines: Result<Vec<Line>, String>,
}

struct Line {
    commit: Commit,
    truth: Truth,
    /// Not where there is no ground truth, or only that was asked for.
    answer: Option<Answer>,
    took: Duration,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "--json" => wish.json = true,
                "--truth" => wish.truth = true,
                _ => {}
            }
            if matches!(word, "--json" | "--truth") {
                continue;
            }
            let Some(value) = words.next_if(|next| !next.starts_with("--")) else {
                return Err(format!(
                    "corpus newest knows no `{word}`, or a value is missing after it"
                ));
            };
            match word {
                "--repos" => wish.repos = value.into(),
                "--cache" => wish.cache = Some(value.into()),
                "--count" => wish.count = Some(number(value)?),
                "--jobs" => wish.jobs = Some(number(value)?),
                "--budget" => wish.budget = Some(value.to_owned()),
                "--proctor" => wish.proctor = Some(value.into()),
                "--language" => {
                    let found = Language::of(value);
                    wish.language = Some(found.ok_or(format!("`{value}` is no language here"))?);
                }
                "--only" => {
                    wish.only.push(value.to_owned());
                    while let Some(name) = words.next_if(|next| !next.starts_with("--")) {
                        wish.only.push(name.to_owned());
                    }
                }
                other => return Err(format!("corpus newest knows no `{other}`")),
            }
        }
        if wish.repos.as_os_str().is_empty() {
            return Err("corpus newest needs `--repos DIR`".to_owned());
        }
        Ok(wish)
    }

    fn wants(&self, library: &Library) -> bool {
        self.language.is_none_or(|language| language.word() == library.language)
            && (self.only.is_empty() || self.only.contains(&library.name))
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let wanted: Vec<Library> =
        libraries()?.into_iter().filter(|library| wish.wants(library)).collect();
    if wanted.is_empty() {
        bail!("no library fits what was asked for");
    }
    let repos = wish.repos.canonicalize();
    let repos = repos.with_context(|| format!("{} is not there", wish.repos.display()))?;
    let cache = wish.cache.clone().map_or_else(kept, Ok)?;
    std::fs::create_dir_all(&cache).context("no folder for the clones")?;
    let cache = cache.canonicalize().context("the folder for the clones has no real path")?;
    let folder = tempfile::tempdir().context("no folder for the binary")?;
    let proctor =
        if wish.truth { None } else { Some(binary(wish.proctor.as_deref(), folder.path())?) };
    let home = folder.path().join("home");
    let ways =
        Ways { wish, repos: &repos, cache: &cache, proctor: proctor.as_deref(), home: &home };
    let tried = spread(&wanted, wish.jobs, |library| Tried {
        library: library.clone(),
        lines: ways.tried(library).map_err(|why| format!("{why:#}")),
    });
    let mut out = std::io::stdout().lock();
    if wish.json {
        writeln!(out, "{}", told::json(&tried))?;
    } else {
        writeln!(out, "{}", told::markdown(&tried))?;
    }
    Ok(if told::wrong(&tried) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn libraries() -> Result<Vec<Library>> {
    let table: Table = toml::from_str(TABLE).context("the table of libraries can't be read")?;
    Ok(table.library)
}

/// Where the clones are kept, beside the other tools of this workspace.
fn kept() -> Result<PathBuf> {
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let target = own.ancestors().nth(2).context("this program is in no target folder")?;
    Ok(target.join("tools/newest"))
}

struct Ways<'a> {
    wish: &'a Wish,
    repos: &'a Path,
    cache: &'a Path,
    proctor: Option<&'a Path>,
    home: &'a Path,
}

impl Ways<'_> {
    /// The newest commits that have ground truth; those that have none are told and not counted.
    fn tried(&self, library: &Library) -> Result<Vec<Line>> {
        let language = Language::of(&library.language)
            .with_context(|| format!("{} is no language here", library.language))?;
        let place = Place::open(library, language, self.repos, self.cache)?;
        let fits = |commit: &Commit| place.fits(commit);
        let fitting: Vec<Commit> =
            commits(&place.log(&LOG)?).into_iter().filter(fits).take(LOOKED_AT).collect();
        let mut lines: Vec<Line> = Vec::new();
        for commit in fitting {
            let honest = lines.iter().filter(|line| line.truth == Truth::Honest).count();
            if honest == self.wish.count.unwrap_or(COUNT) {
                break;
            }
            place.checkout(&commit.id)?;
            let truth = Truth::of(&place, &commit)?;
            let began = Instant::now();
            let answer = match self.proctor {
                Some(proctor) if truth == Truth::Honest => Some(self.asked(proctor, &place)?),
                _ => None,
            };
            let line = Line { commit, truth, answer, took: began.elapsed() };
            writeln!(std::io::stderr(), "{} {line}", library.name)?;
            lines.push(line);
        }
        Ok(lines)
    }

    /// As somebody types it who reads the first page of the book.
    fn asked(&self, proctor: &Path, place: &Place) -> Result<Answer> {
        let mut words = vec!["--base", "HEAD^"];
        if let Some(budget) = &self.wish.budget {
            words.extend(["--budget", budget]);
        }
        let mut command = Command::new(proctor);
        command.env_remove("CARGO_TARGET_DIR").env("PROCTOR_HOME", self.home);
        Answer::of(&mut command, place.folder(), &words)
    }
}

impl Display for Tried {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lines {
            Ok(lines) => write!(out, "{}: {} commits looked at", self.library.name, lines.len()),
            Err(why) => write!(out, "{}: {why}", self.library.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_library_of_the_table_has_a_name_of_its_own_and_a_language() {
        let all = libraries().unwrap();
        let names: BTreeSet<&str> = all.iter().map(|library| library.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        for library in &all {
            assert!(Language::of(&library.language).is_some(), "{}", library.name);
            assert!(library.repo.contains('+'), "{}", library.name);
        }
    }

    #[test]
    fn a_wish_needs_repositories_and_knows_every_word() {
        assert!(Wish::read(&["--count", "3"]).is_err());
        assert!(Wish::read(&["--repos", "r", "--colour", "red"]).is_err());
        let words = ["--repos", "r", "--only", "a", "b", "--language", "go", "--truth"];
        let wish = Wish::read(&words).unwrap();
        let only = vec!["a".to_owned(), "b".to_owned()];
        let wanted = Wish {
            repos: "r".into(),
            only,
            language: Some(Language::Go),
            truth: true,
            ..Wish::default()
        };
        assert_eq!(wish, wanted);
    }
}
