//! `cargo xtask corpus real`: real commits of real libraries, each brought in several ways, and what `proctor verify`
//! says about each. It reads the arguments, spreads the work over some threads and shows the sums. Nothing of a library
//! is kept here but its name and a commit.

mod bare;
pub mod case;
mod edit;
pub mod room;
mod sums;
pub mod tree;

use super::pair::Language;
use super::verify::Answer;
use super::{binary, number, spread};
use anyhow::{Context, Result, bail};
use case::{Known, Way};
use room::Rooms;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use sums::{Line, Sums};
use tree::Tree;

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    repos: PathBuf,
    cache: Option<PathBuf>,
    only: Vec<String>,
    ways: Vec<Way>,
    language: Option<Language>,
    jobs: Option<usize>,
    budget: Option<String>,
    proctor: Option<PathBuf>,
    aim: Aim,
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Aim {
    /// What Proctor says.
    #[default]
    Verify,
    /// Whether the cases are what they say, by the libraries' own test tools.
    Bare,
    /// The names of the cases.
    List,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "--json" => wish.json = true,
                "--bare" => wish.aim = Aim::Bare,
                "--list" => wish.aim = Aim::List,
                _ => {}
            }
            if matches!(word, "--json" | "--bare" | "--list") {
                continue;
            }
            let mut values = Vec::new();
            while let Some(value) = words.next_if(|next| !next.starts_with("--")) {
                values.push(value);
            }
            wish.take(word, &values)?;
        }
        if wish.repos.as_os_str().is_empty() && wish.aim != Aim::List {
            return Err("corpus real needs `--repos DIR`".to_owned());
        }
        Ok(wish)
    }

    fn take(&mut self, word: &str, values: &[&str]) -> Result<(), String> {
        let Some(first) = values.first().copied() else {
            return Err(format!("corpus real knows no `{word}`, or a value is missing after it"));
        };
        match word {
            "--only" => self.only.extend(values.iter().map(|name| (*name).to_owned())),
            "--way" => {
                for word in values {
                    self.ways.push(Way::of(word).ok_or(format!("`{word}` is no way here"))?);
                }
            }
            _ if values.len() > 1 => return Err(format!("`{word}` takes one value")),
            "--repos" => self.repos = first.into(),
            "--cache" => self.cache = Some(first.into()),
            "--budget" => self.budget = Some(first.to_owned()),
            "--proctor" => self.proctor = Some(first.into()),
            "--jobs" => self.jobs = Some(number(first)?),
            "--language" => {
                let found = Language::of(first);
                self.language = Some(found.ok_or(format!("`{first}` is no language here"))?);
            }
            other => return Err(format!("corpus real knows no `{other}`")),
        }
        Ok(())
    }

    fn wants(&self, known: &Known) -> bool {
        let named = |name: &String| *name == known.case.name || *name == known.library.name;
        self.language.is_none_or(|language| language == known.language)
            && (self.only.is_empty() || self.only.iter().any(named))
    }

    fn turns<'a>(&self, all: &'a [Known]) -> Vec<(&'a Known, Way)> {
        let wanted = |way: &Way| self.ways.is_empty() || self.ways.contains(way);
        let fitting = all.iter().filter(|known| self.wants(known));
        fitting
            .flat_map(|known| Way::ALL.into_iter().filter(wanted).map(move |way| (known, way)))
            .collect()
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let all = case::all()?;
    let turns = wish.turns(&all);
    if turns.is_empty() {
        bail!("no case fits what was asked for");
    }
    if wish.aim == Aim::List {
        return list(&turns);
    }
    let cache = wish.cache.clone().map_or_else(kept, Ok)?;
    let rooms = Rooms::new(&cache)?;
    let repos = wish.repos.canonicalize();
    let repos = repos.with_context(|| format!("{} is not there", wish.repos.display()))?;
    if wish.aim == Aim::Bare {
        return show_bare(&turns, &repos, &rooms);
    }
    let folder = tempfile::tempdir().context("no folder for the binary")?;
    let proctor = binary(wish.proctor.as_deref(), folder.path())?;
    let line = |(known, way): &(&Known, Way)| {
        let began = Instant::now();
        let asked = asked(known, *way, &proctor, &repos, &rooms, wish);
        let answer =
            asked.unwrap_or_else(|why| Answer { verdict: String::new(), why: format!("{why:#}") });
        let (name, language) = (known.case.name.clone(), known.language);
        Line { name, language, way: *way, answer, took: began.elapsed() }
    };
    let sums = Sums { lines: spread(&turns, wish.jobs, line) };
    let mut out = std::io::stdout().lock();
    if wish.json {
        writeln!(out, "{}", sums.json())?;
    } else {
        writeln!(out, "{sums}")?;
    }
    Ok(if sums.all_met() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where rooms are kept, beside the other tools of this workspace.
fn kept() -> Result<PathBuf> {
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let target = own.ancestors().nth(2).context("this program is in no target folder")?;
    Ok(target.join("tools/real"))
}

fn list(turns: &[(&Known, Way)]) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    for (known, _) in turns.iter().filter(|(_, way)| *way == turns[0].1) {
        let Known { language, library, case } = known;
        let commit = case.commit.get(..10).unwrap_or_default();
        writeln!(out, "{:12}{:32}{} {commit}", language.word(), case.name, library.repo)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_bare(turns: &[(&Known, Way)], repos: &Path, rooms: &Rooms) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut faults = 0;
    for (known, way) in turns {
        let fault = bare::fault(known, *way, repos, rooms);
        let fault = fault.unwrap_or_else(|why| Some(format!("{why:#}")));
        let verdict = if fault.is_some() { "wrong" } else { "right" };
        writeln!(out, "{verdict:7}{:32}{}", known.case.name, way.word())?;
        if let Some(fault) = fault {
            faults += 1;
            writeln!(out, "          {}", fault.replace('\n', "\n          "))?;
        }
    }
    writeln!(out, "{} looked at, {faults} wrong", turns.len())?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn asked(
    known: &Known,
    way: Way,
    proctor: &Path,
    repos: &Path,
    rooms: &Rooms,
    wish: &Wish,
) -> Result<Answer> {
    let tree = Tree::laid_out(known, way, repos, rooms)?;
    let home = tempfile::tempdir().context("no folder for what is kept")?;
    let mut words = vec!["--base", "main", "--head", "head"];
    if let Some(budget) = &wish.budget {
        words.extend(["--budget", budget]);
    }
    let mut command = Command::new(proctor);
    tree.room.dress(&mut command)?;
    command.env("PROCTOR_HOME", home.path());
    Answer::of(&mut command, tree.path(), &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_read_from_its_words() {
        let words = [
            "--repos", "r", "--only", "a", "b", "--way", "whole", "parts", "--jobs", "2", "--json",
        ];
        let wish = Wish {
            repos: "r".into(),
            only: vec!["a".to_owned(), "b".to_owned()],
            ways: vec![Way::Whole, Way::Parts],
            jobs: Some(2),
            json: true,
            ..Wish::default()
        };
        assert_eq!(Wish::read(&words), Ok(wish));
    }

    #[test]
    fn the_repositories_must_be_named_and_every_word_known() {
        let wrong: [&[&str]; 5] = [
            &[],
            &["--repos"],
            &["--repos", "r", "s"],
            &["--repos", "r", "--way", "half"],
            &["--repos", "r", "--colour", "red"],
        ];
        for words in wrong {
            assert!(Wish::read(words).is_err(), "{words:?}");
        }
        assert!(Wish::read(&["--list"]).is_ok());
    }

    #[test]
    fn a_case_is_wanted_by_its_own_name_or_its_librarys() {
        let all = case::all().unwrap();
        let name = all[0].case.name.clone();
        let wish = Wish { only: vec![name.clone()], ways: vec![Way::Idle], ..Wish::default() };
        let turns = wish.turns(&all);
        let named: Vec<_> = turns.iter().map(|(known, way)| (&known.case.name, *way)).collect();
        assert_eq!(named, [(&name, Way::Idle)]);
        let library = all[0].library.name.clone();
        let wish = Wish { only: vec![library.clone()], ..Wish::default() };
        assert!(wish.turns(&all).iter().all(|(known, _)| known.library.name == library));
    }
}
