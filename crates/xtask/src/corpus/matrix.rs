//! `cargo xtask corpus matrix`: small repositories that are made here, each with one new test in one form and work in one
//! way, and what `proctor verify` says about each. It reads the arguments, spreads the work over some threads and
//! shows the sums.

mod go;
mod make;
mod problem;
mod python;
mod repo;
mod rust;
mod script;
mod spot;
mod sums;

use super::{binary, number, spread};
use anyhow::{Context, Result, bail};
use problem::Problem;
use repo::Repos;
use spot::{Form, Language, Spot, Way};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use sums::{Line, Sums};

/// What was asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    languages: Vec<Language>,
    forms: Vec<Form>,
    ways: Vec<Way>,
    problems: Vec<String>,
    /// Every problem in each place, in the place of one after another.
    all: bool,
    jobs: Option<usize>,
    proctor: Option<PathBuf>,
    /// The one check to make, for a quicker look.
    check: Option<String>,
    /// Where the whole answers go.
    answers: Option<PathBuf>,
    /// Whether the places are what they say, by the languages' own test tools.
    bare: bool,
    json: bool,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let mut values = Vec::new();
            while let Some(value) = words.next_if(|next| !next.starts_with("--")) {
                values.push(value);
            }
            wish.take(word, &values)?;
        }
        Ok(wish)
    }

    fn take(&mut self, word: &str, values: &[&str]) -> Result<(), String> {
        fn each<T>(values: &[&str], of: fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
            let known = |word: &&str| of(word).ok_or(format!("corpus matrix knows no `{word}`"));
            values.iter().map(known).collect()
        }
        match (word, values) {
            ("--json", []) => self.json = true,
            ("--bare", []) => self.bare = true,
            ("--all", []) => self.all = true,
            (_, []) => {
                return Err(format!(
                    "corpus matrix knows no `{word}`, or a value is missing after it"
                ));
            }
            ("--language", _) => self.languages = each(values, Language::of)?,
            ("--form", _) => self.forms = each(values, Form::of)?,
            ("--way", _) => self.ways = each(values, Way::of)?,
            ("--problem", _) => {
                let known = each(values, Problem::of)?;
                self.problems = known.iter().map(|problem| problem.name.to_owned()).collect();
                self.all = true;
            }
            ("--jobs", [value]) => self.jobs = Some(number(value)?),
            ("--proctor", [value]) => self.proctor = Some((*value).into()),
            ("--only-check", [value]) => self.check = Some((*value).to_owned()),
            ("--answers", [value]) => self.answers = Some((*value).into()),
            _ => {
                return Err(format!(
                    "corpus matrix knows no `{word}` with {} values",
                    values.len()
                ));
            }
        }
        Ok(())
    }

    fn spots(&self) -> Vec<Spot> {
        fn among<T: PartialEq>(wanted: &[T], one: &T) -> bool {
            wanted.is_empty() || wanted.contains(one)
        }
        let languages = Language::ALL.iter().filter(|language| among(&self.languages, language));
        let mut spots: Vec<Spot> =
            languages.flat_map(|language| spot::spots(*language, self.all)).collect();
        spots.retain(|spot| {
            among(&self.forms, &spot.form)
                && among(&self.ways, &spot.way)
                && among(&self.problems, &spot.problem.name.to_owned())
        });
        spots
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let spots = wish.spots();
    if spots.is_empty() {
        bail!("no place of the matrix fits what was asked for");
    }
    let folder = tempfile::tempdir().context("no folder for the binary")?;
    let proctor =
        if wish.bare { PathBuf::new() } else { binary(wish.proctor.as_deref(), folder.path())? };
    if let Some(answers) = &wish.answers {
        std::fs::create_dir_all(answers).context("no folder for the answers")?;
    }
    let repos = Repos::new(proctor, wish.check.clone(), wish.answers.clone())?;
    let line = |spot: &Spot| {
        let began = Instant::now();
        let told = if wish.bare { repos.bare(spot) } else { repos.asked(spot) };
        let (verdict, why) = told.unwrap_or_else(|why| (String::new(), format!("{why:#}")));
        Line { spot: *spot, verdict, why, took: began.elapsed() }
    };
    let sums = Sums { lines: spread(&spots, wish.jobs, line) };
    let mut out = std::io::stdout().lock();
    if wish.json {
        writeln!(out, "{}", sums.json())?;
    } else {
        writeln!(out, "{sums}")?;
    }
    Ok(if sums.all_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_names_places_and_every_word_is_known() {
        let words = ["--language", "go", "rust", "--form", "rows", "--way", "part", "--jobs", "2"];
        let spots = Wish::read(&words).unwrap().spots();
        let told: Vec<_> = spots.iter().map(|spot| (spot.language, spot.form, spot.way)).collect();
        let place = |language| (language, Form::Rows, Way::Part);
        assert_eq!(told, [place(Language::Go), place(Language::Rust)]);
        let net = Wish::read(&["--problem", "net", "--language", "python"]).unwrap().spots();
        assert!(net.len() > 50 && net.iter().all(|spot| spot.problem.name == "net"));
        for wrong in
            [&["--language"][..], &["--form", "two", "four"], &["--json", "yes"], &["--odd"]]
        {
            assert!(Wish::read(wrong).is_err(), "{wrong:?}");
        }
    }
}
