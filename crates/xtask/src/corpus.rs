//! `cargo xtask corpus`: public exercises, each tried with the real binary, and what came of it as a table. It reads
//! the arguments, spreads the pairs over some threads and shows what they say. Nothing of a corpus is kept here.

mod hunt;
mod known;
pub mod matrix;
pub mod newest;
mod pair;
mod polyglot;
mod quixbugs;
pub mod real;
mod source;
mod table;
mod trial;
mod verify;

use crate::bench::cargo_build;
use crate::tree::root;
use anyhow::{Context, Result, bail};
use pair::{Corpus, Language, Pair, Wanted};
use source::Source;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use table::{Line, Table};
use trial::{Trials, Work};

/// Every so many pairs of a corpus and language, the same pair is tried with work that does nothing.
const SAMPLE: usize = 5;

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    quixbugs: Option<PathBuf>,
    polyglot: Option<PathBuf>,
    only: Vec<String>,
    language: Option<Language>,
    jobs: Option<usize>,
    /// A binary that is there already, in the place of a new release build.
    proctor: Option<PathBuf>,
    /// Only every so many exercises of a corpus and language.
    every: Option<usize>,
    form: Form,
    aim: Aim,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Aim {
    /// A run for each exercise.
    #[default]
    Runs,
    /// One hunt over all of them, and over the repaired ones too.
    Hunt,
    /// `proctor verify` on each exercise as two commits.
    Verify,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Table,
    Json,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "--json" => wish.form = Form::Json,
                "hunt" => wish.aim = Aim::Hunt,
                "verify" => wish.aim = Aim::Verify,
                _ => {}
            }
            if matches!(word, "--json" | "hunt" | "verify") {
                continue;
            }
            let Some(value) = words.next_if(|next| !next.starts_with("--")) else {
                return Err(format!("corpus knows no `{word}`, or a value is missing after it"));
            };
            match word {
                "--quixbugs" => wish.quixbugs = Some(value.into()),
                "--polyglot" => wish.polyglot = Some(value.into()),
                "--proctor" => wish.proctor = Some(value.into()),
                "--language" => {
                    let found = Language::of(value);
                    wish.language = Some(found.ok_or(format!("`{value}` is no language here"))?);
                }
                "--jobs" => wish.jobs = Some(number(value)?),
                "--every" => wish.every = Some(number(value)?),
                "--only" => {
                    wish.only.push(value.to_owned());
                    while let Some(name) = words.next_if(|next| !next.starts_with("--")) {
                        wish.only.push(name.to_owned());
                    }
                }
                other => return Err(format!("corpus knows no `{other}`")),
            }
        }
        if wish.aim == Aim::Hunt && (wish.quixbugs.is_none() || wish.polyglot.is_some()) {
            return Err("corpus hunt needs `--quixbugs DIR` alone".to_owned());
        }
        if wish.quixbugs.is_none() && wish.polyglot.is_none() {
            return Err("corpus needs `--quixbugs DIR` or `--polyglot DIR`".to_owned());
        }
        Ok(wish)
    }

    fn wants(&self, pair: &Pair) -> bool {
        let named = |name: &String| *name == pair.name || *name == pair.title();
        self.language.is_none_or(|language| language == pair.language)
            && (self.only.is_empty() || self.only.iter().any(named))
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let pairs = pairs(wish)?;
    if pairs.is_empty() {
        bail!("no exercise fits what was asked for");
    }
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let target = own.ancestors().nth(2).context("this program is in no target folder")?;
    let packages = target.join("tools/exercism/node_modules");
    let folder = tempfile::tempdir().context("no folder for the binary")?;
    let proctor = binary(wish.proctor.as_deref(), folder.path())?;
    if wish.aim == Aim::Hunt {
        return hunt::run(&proctor, &pairs, wish.jobs.unwrap_or(1));
    }
    let trials = Trials::new(proctor, packages)?;
    let turns = turns(&pairs, wish.aim);
    let line = |(pair, work): &(&Pair, Work)| Line {
        corpus: pair.corpus,
        language: pair.language,
        name: pair.name.clone(),
        work: *work,
        outcome: match wish.aim {
            Aim::Verify => trials.verify(pair, *work),
            Aim::Runs | Aim::Hunt => trials.run(pair, *work),
        },
    };
    let table = Table { lines: spread(&turns, wish.jobs, line) };
    let mut out = std::io::stdout().lock();
    match wish.form {
        Form::Table => writeln!(out, "{table}")?,
        Form::Json => writeln!(out, "{}", table.json())?,
    }
    Ok(if table.all_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A copy of the binary: a build that somebody starts meanwhile must not change what is tried.
fn binary(there: Option<&Path>, folder: &Path) -> Result<PathBuf> {
    let built = if let Some(there) = there {
        there.to_owned()
    } else {
        cargo_build(&root()?, "proctor")?;
        let own = std::env::current_exe().context("this program's own path is not known")?;
        let target = own.ancestors().nth(2).context("this program is in no target folder")?;
        target.join("release/proctor")
    };
    let proctor = folder.join("proctor");
    std::fs::copy(built, &proctor).context("proctor was not copied")?;
    Ok(proctor)
}

/// A number above zero.
fn number(value: &str) -> Result<usize, String> {
    let read = value.parse().ok().filter(|number| *number > 0);
    read.ok_or(format!("`{value}` is no number above zero"))
}

fn pairs(wish: &Wish) -> Result<Vec<Pair>> {
    type Read = fn(&Path) -> Result<Vec<Pair>>;
    let corpora: [(&Option<PathBuf>, &str, Read); 2] = [
        (&wish.quixbugs, quixbugs::MARK, quixbugs::pairs),
        (&wish.polyglot, polyglot::MARK, polyglot::pairs),
    ];
    let mut pairs = Vec::new();
    for (folder, mark, read) in corpora {
        if let Some(folder) = folder {
            let source = Source::open(folder, mark)?;
            pairs.extend(read(source.root())?);
        }
    }
    pairs.retain(|pair| wish.wants(pair));
    let mut seen: BTreeMap<(Corpus, Language), usize> = BTreeMap::new();
    pairs.retain(|pair| {
        let at = seen.entry((pair.corpus, pair.language)).or_default();
        *at += 1;
        (*at - 1).is_multiple_of(wish.every.unwrap_or(1))
    });
    Ok(pairs)
}

/// Every pair with its own work, and some of them with work that does nothing, or too little.
fn turns(pairs: &[Pair], aim: Aim) -> Vec<(&Pair, Work)> {
    let mut turns = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        turns.push((pair, Work::Solved));
        let same = |other: &&Pair| (other.corpus, other.language) == (pair.corpus, pair.language);
        let sampled = pairs[..at].iter().filter(same).count().is_multiple_of(SAMPLE);
        // Where only the form is to change, a comment is work enough.
        if sampled && pair.wanted != Wanted::Tidy {
            turns.push((pair, Work::Idle));
            // A coder that knows the answers is stopped by what a branch is asked, not by its tests.
            if aim == Aim::Verify && pair.by_heart.is_some() {
                turns.push((pair, Work::ByHeart));
            }
        }
    }
    turns
}

/// Tries them on so many threads at a time. Each result is told as it comes; all are in the order of the turns.
fn spread<T: Sync, R: Send + Display>(
    turns: &[T],
    jobs: Option<usize>,
    tried: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let waiting = Mutex::new(turns.iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let next = || waiting.lock().ok()?.next();
    std::thread::scope(|scope| {
        for _ in 0..jobs.unwrap_or(1) {
            scope.spawn(|| {
                while let Some((at, turn)) = next() {
                    let line = tried(turn);
                    let _ = writeln!(std::io::stderr(), "{line}");
                    if let Ok(mut done) = done.lock() {
                        done.push((at, line));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_read_from_its_words() {
        let words = [
            "--polyglot",
            "p",
            "--only",
            "wordy",
            "react",
            "--language",
            "go",
            "--jobs",
            "2",
            "--json",
        ];
        let wish = Wish {
            quixbugs: None,
            polyglot: Some("p".into()),
            only: vec!["wordy".to_owned(), "react".to_owned()],
            language: Some(Language::Go),
            jobs: Some(2),
            proctor: None,
            every: None,
            form: Form::Json,
            aim: Aim::Runs,
        };
        assert_eq!(Wish::read(&words), Ok(wish));
    }

    #[test]
    fn a_corpus_must_be_named_and_every_word_known() {
        for words in [&[][..], &["--json"], &["--quixbugs"], &["--quixbugs", "q", "--jobs", "0"]] {
            assert!(Wish::read(words).is_err(), "{words:?}");
        }
        assert!(Wish::read(&["--polyglot", "p", "--language", "cobol"]).is_err());
    }
}
