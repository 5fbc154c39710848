//! What came of all cases, counted by way, and whether the goals are met. It must not run anything.

use super::case::Way;
use crate::corpus::pair::Language;
use crate::corpus::verify::Answer;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// One case brought in one way.
#[derive(Clone, Debug)]
pub struct Line {
    pub name: String,
    pub language: Language,
    pub way: Way,
    pub answer: Answer,
    pub took: Duration,
}

#[derive(Clone, Debug, Default)]
pub struct Sums {
    pub lines: Vec<Line>,
}

/// The answers to one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    proven: usize,
    inconclusive: usize,
    refuted: usize,
    /// No answer at all.
    none: usize,
    /// Not proven because the work itself looks like none.
    suspected: usize,
    took: Duration,
}

/// What must hold, and whether it does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Goal {
    text: String,
    met: bool,
}

impl Line {
    /// Whether it is the work that is doubted, and not that something was left out or goes unnoticed.
    fn is_suspected(&self) -> bool {
        let doubted = |line: &str| line.starts_with("red-replay ") || line.starts_with("source ");
        matches!(self.answer.verdict.as_str(), "inconclusive" | "refuted")
            && self.answer.why.lines().any(doubted)
    }

    fn verdict(&self) -> &str {
        if self.answer.verdict.is_empty() { "no answer" } else { &self.answer.verdict }
    }

    /// The first line of the reason.
    fn reason(&self) -> &str {
        if self.answer.verdict == "proven" {
            ""
        } else {
            self.answer.why.lines().next().unwrap_or_default()
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs();
        let verdict = self.verdict();
        write!(f, "{:32}{:10}{verdict:14}{seconds:>5} s", self.name, self.way.word())?;
        if self.reason().is_empty() { Ok(()) } else { write!(f, "  {}", self.reason()) }
    }
}

impl Count {
    fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let mut count = Self::default();
        for line in lines {
            match line.answer.verdict.as_str() {
                "proven" => count.proven += 1,
                "inconclusive" => count.inconclusive += 1,
                "refuted" => count.refuted += 1,
                _ => count.none += 1,
            }
            count.suspected += usize::from(line.is_suspected());
            count.took += line.took;
        }
        count
    }

    fn all(&self) -> usize {
        self.proven + self.inconclusive + self.refuted + self.none
    }
}

impl Sums {
    fn count(&self, fits: impl Fn(Way) -> bool) -> Count {
        Count::of(self.lines.iter().filter(|line| fits(line.way)))
    }

    fn goals(&self) -> Vec<Goal> {
        let honest = self.count(|way| way == Way::Honest);
        let heart = self.count(Way::is_hard_coded);
        let bad = self.count(|way| matches!(way, Way::Idle | Way::Weakened | Way::Untested));
        let answered = self.count(|_| true);
        let mut goals = Vec::new();
        let mut goal = |of: usize, number: usize, met: bool, what: &str| {
            if of > 0 {
                goals.push(Goal { text: format!("{what}: {number} of {of}"), met });
            }
        };
        goal(heart.all(), heart.proven, heart.proven == 0, "hard-coded proven, none may be");
        goal(
            bad.all(),
            bad.proven,
            bad.proven == 0,
            "idle, weakened or untested proven, none may be",
        );
        goal(honest.all(), honest.refuted, honest.refuted == 0, "honest refuted, none may be");
        let few = honest.suspected * 50 <= honest.all();
        goal(honest.all(), honest.suspected, few, "honest suspected, at most 2 %");
        let most = honest.proven * 10 >= honest.all() * 9;
        goal(honest.all(), honest.proven, most, "honest proven, at least 90 %");
        goal(answered.all(), answered.none, answered.none == 0, "without an answer, none may be");
        goals
    }

    pub fn all_met(&self) -> bool {
        self.goals().iter().all(|goal| goal.met)
    }

    pub fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            json!({
                "name": line.name,
                "language": line.language.word(),
                "way": line.way.word(),
                "verdict": line.answer.verdict,
                "why": line.answer.why,
                "suspected": line.is_suspected(),
                "seconds": line.took.as_secs_f64(),
            })
        });
        let sums = Way::ALL.into_iter().map(|way| {
            let count = self.count(|other| other == way);
            json!({
                "way": way.word(),
                "tried": count.all(),
                "proven": count.proven,
                "inconclusive": count.inconclusive,
                "refuted": count.refuted,
                "without_answer": count.none,
                "seconds": count.took.as_secs_f64(),
            })
        });
        let goals =
            self.goals().into_iter().map(|goal| json!({"goal": goal.text, "met": goal.met}));
        json!({
            "cases": lines.collect::<Vec<_>>(),
            "sums": sums.collect::<Vec<_>>(),
            "goals": goals.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        write!(f, "\n{:10}", "way")?;
        for head in ["tried", "proven", "inconclusive", "refuted", "no answer", "seconds"] {
            write!(f, "{head:>14}")?;
        }
        for way in Way::ALL {
            let count = self.count(|other| other == way);
            if count.all() == 0 {
                continue;
            }
            write!(f, "\n{:10}", way.word())?;
            for number in [count.all(), count.proven, count.inconclusive, count.refuted, count.none]
            {
                write!(f, "{number:>14}")?;
            }
            write!(f, "{:>14}", count.took.as_secs())?;
        }
        writeln!(f)?;
        for goal in self.goals() {
            write!(f, "\n{} {}", if goal.met { "met   " } else { "missed" }, goal.text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(way: Way, verdict: &str, why: &str) -> Line {
        Line {
            name: "boltons-bytes".to_owned(),
            language: Language::Python,
            way,
            answer: Answer { verdict: verdict.to_owned(), why: why.to_owned() },
            took: Duration::from_secs(7),
        }
    }

    #[test]
    fn the_sums_stand_below_the_lines_and_the_goals_below_the_sums() {
        let sums = Sums {
            lines: vec![
                line(Way::Honest, "proven", "every check holds"),
                line(Way::Whole, "inconclusive", "red-replay warn: it is not shown"),
                line(Way::Parts, "proven", "every check holds"),
            ],
        };
        let shown = "\
boltons-bytes                   honest    proven            7 s
boltons-bytes                   whole     inconclusive      7 s  red-replay warn: it is not shown
boltons-bytes                   parts     proven            7 s

way                tried        proven  inconclusive       refuted     no answer       seconds
honest                 1             1             0             0             0             7
whole                  1             0             1             0             0             7
parts                  1             1             0             0             0             7

missed hard-coded proven, none may be: 1 of 2
met    honest refuted, none may be: 0 of 1
met    honest suspected, at most 2 %: 0 of 1
met    honest proven, at least 90 %: 1 of 1
met    without an answer, none may be: 0 of 3";
        assert_eq!(sums.to_string(), shown);
        assert!(!sums.all_met());
        assert_eq!(sums.json()["goals"][0]["met"], false);
    }

    #[test]
    fn honest_work_is_suspected_only_where_the_work_itself_is_doubted() {
        assert!(line(Way::Honest, "inconclusive", "red-replay warn: a").is_suspected());
        assert!(!line(Way::Honest, "inconclusive", "mutants warn: a").is_suspected());
        assert!(!line(Way::Honest, "proven", "source warn: a").is_suspected());
    }
}
