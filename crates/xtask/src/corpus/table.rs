//! What came of all pairs, counted by corpus and language, and how it is shown. It must not run anything.

use super::pair::{Corpus, Language};
use super::trial::{Outcome, Verdict, Work};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// One run of one pair.
#[derive(Clone, Debug)]
pub struct Line {
    pub corpus: Corpus,
    pub language: Language,
    pub name: String,
    pub work: Work,
    pub outcome: Outcome,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    right: usize,
    known: usize,
    wrong: usize,
    skipped: usize,
    took: Duration,
}

impl Count {
    fn add(&mut self, outcome: &Outcome) {
        match outcome.verdict {
            Verdict::Right => self.right += 1,
            Verdict::Known { .. } => self.known += 1,
            Verdict::Wrong { .. } => self.wrong += 1,
            Verdict::Skipped { .. } => self.skipped += 1,
        }
        self.took += outcome.took;
    }

    fn all(&self) -> usize {
        self.right + self.known + self.wrong + self.skipped
    }
}

impl Table {
    pub fn all_right(&self) -> bool {
        !self.lines.iter().any(|line| matches!(line.outcome.verdict, Verdict::Wrong { .. }))
    }

    /// Corpus, language and kind of work, each with its count.
    fn counts(&self) -> Vec<([&'static str; 3], Count)> {
        let mut counts: BTreeMap<(Corpus, Language, Work), Count> = BTreeMap::new();
        for line in &self.lines {
            let row = counts.entry((line.corpus, line.language, line.work));
            row.or_default().add(&line.outcome);
        }
        let named = counts.into_iter().map(|((corpus, language, work), count)| {
            ([corpus.word(), language.word(), word(work)], count)
        });
        named.collect()
    }

    pub fn json(&self) -> Value {
        let counts = self.counts().into_iter().map(|([corpus, language, work], count)| {
            json!({
                "corpus": corpus,
                "language": language,
                "work": work,
                "runs": count.all(),
                "right": count.right,
                "known": count.known,
                "wrong": count.wrong,
                "skipped": count.skipped,
                "seconds": count.took.as_secs_f64(),
            })
        });
        let runs = self.lines.iter().map(|line| {
            let (verdict, why) = said(&line.outcome.verdict);
            json!({
                "name": line.title(),
                "work": word(line.work),
                "verdict": verdict,
                "why": why,
                "seconds": line.outcome.took.as_secs_f64(),
            })
        });
        json!({"counts": counts.collect::<Vec<_>>(), "runs": runs.collect::<Vec<_>>()})
    }
}

impl Line {
    fn title(&self) -> String {
        format!("{}/{}/{}", self.corpus.word(), self.language.word(), self.name)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verdict, why) = said(&self.outcome.verdict);
        let seconds = self.outcome.took.as_secs_f64();
        write!(f, "{verdict:7} {} ({}) {seconds:.1} s", self.title(), word(self.work))?;
        why.map_or(Ok(()), |why| {
            write!(f, "\n          {}", why.trim().replace('\n', "\n          "))
        })
    }
}

fn word(work: Work) -> &'static str {
    match work {
        Work::Solved => "solved",
        Work::Idle => "idle",
        Work::ByHeart => "by heart",
    }
}

fn said(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Right => ("right", None),
        Verdict::Known { why } => ("known", Some(why)),
        Verdict::Wrong { why } => ("wrong", Some(why)),
        Verdict::Skipped { why } => ("skipped", Some(why)),
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["corpus", "language", "work"];
        let heads = ["runs", "right", "known", "wrong", "skipped", "seconds"];
        write!(f, "{:10}{:12}{:9}", names[0], names[1], names[2])?;
        for head in heads {
            write!(f, "{head:>9}")?;
        }
        for ([corpus, language, work], count) in self.counts() {
            write!(f, "\n{corpus:10}{language:12}{work:9}")?;
            for number in [count.all(), count.right, count.known, count.wrong, count.skipped] {
                write!(f, "{number:>9}")?;
            }
            write!(f, "{:>9.0}", count.took.as_secs_f64())?;
        }
        let mut odd = self.lines.iter().filter(|line| line.outcome.verdict != Verdict::Right);
        odd.try_for_each(|line| write!(f, "\n{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, work: Work, verdict: Verdict) -> Line {
        let outcome = Outcome { verdict, took: Duration::from_secs(2) };
        let (corpus, language) = (Corpus::Polyglot, Language::Go);
        Line { corpus, language, name: name.to_owned(), work, outcome }
    }

    #[test]
    fn what_is_not_right_is_counted_and_listed_with_its_reason() {
        let wrong = Verdict::Wrong { why: "red was not proven: odd".to_owned() };
        let table = Table {
            lines: vec![
                line("wordy", Work::Solved, Verdict::Right),
                line("react", Work::Solved, wrong),
                line("wordy", Work::Idle, Verdict::Right),
            ],
        };
        assert!(!table.all_right());
        let shown = "\
corpus    language    work          runs    right    known    wrong  skipped  seconds
polyglot  go          solved           2        1        0        1        0        4
polyglot  go          idle             1        1        0        0        0        2
wrong   polyglot/go/react (solved) 2.0 s
          red was not proven: odd";
        assert_eq!(table.to_string(), shown);
        assert_eq!(table.json()["counts"][0]["wrong"], 1);
    }
}
