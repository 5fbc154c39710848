//! Figures, and how they are shown: the median and spread of some rounds, beside a yardstick and a goal. It must
//! not measure.

use serde_json::{Value, json};
use std::fmt;

/// One part of the benchmark, as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    pub name: String,
    pub rounds: usize,
    pub figures: Vec<Figure>,
    pub goals: Vec<Goal>,
    /// What a reader must know about these figures, such as what could not be measured.
    pub remarks: Vec<String>,
}

/// What was measured in some rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub name: String,
    pub unit: Unit,
    pub value: Summary,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Ours,
    /// What it is held against.
    Yardstick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Millis,
    Bytes,
    Megabytes,
    Count,
    Times,
}

/// A limit, and how it was met.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    pub says: String,
    pub unit: Unit,
    pub value: f64,
    pub limit: f64,
}

/// The median of some rounds, and the values that leave a tenth of the rounds on either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Summary {
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let tenth = last / 10;
        let middle = last / 2;
        Some(Self {
            median: f64::midpoint(sorted[middle], sorted[last - middle]),
            low: sorted[tenth],
            high: sorted[last - tenth],
        })
    }
}

impl Chapter {
    pub fn new(name: impl Into<String>, rounds: usize) -> Self {
        Self {
            name: name.into(),
            rounds,
            figures: Vec::new(),
            goals: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Adds a figure and returns its median. A figure without rounds is left out, and has none.
    pub fn add(&mut self, name: &str, role: Role, unit: Unit, values: &[f64]) -> Option<f64> {
        let value = Summary::of(values)?;
        self.figures.push(Figure { name: name.to_owned(), unit, value, role });
        Some(value.median)
    }

    /// Adds a goal, where there is a figure for it.
    pub fn goal(&mut self, says: &str, unit: Unit, value: Option<f64>, limit: f64) {
        let says = says.to_owned();
        self.goals.extend(value.map(|value| Goal { says, unit, value, limit }));
    }

    pub fn json(&self) -> Value {
        let figures = self.figures.iter().map(|figure| {
            json!({
                "name": figure.name,
                "role": figure.role.word(),
                "unit": figure.unit.word(),
                "median": figure.value.median,
                "low": figure.value.low,
                "high": figure.value.high,
            })
        });
        let goals = self.goals.iter().map(|goal| {
            json!({
                "goal": goal.says,
                "unit": goal.unit.word(),
                "value": goal.value,
                "limit": goal.limit,
                "met": goal.met(),
            })
        });
        json!({
            "rounds": self.rounds,
            "figures": figures.collect::<Vec<_>>(),
            "goals": goals.collect::<Vec<_>>(),
            "remarks": self.remarks,
        })
    }
}

impl Goal {
    pub fn met(&self) -> bool {
        self.value <= self.limit
    }
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Ours => "proctor",
            Self::Yardstick => "yardstick",
        }
    }
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Millis => "ms",
            Self::Bytes => "bytes",
            Self::Megabytes => "MB",
            Self::Count => "",
            Self::Times => "times",
        }
    }

    fn show(self, value: f64) -> String {
        match self {
            Self::Millis if value.abs() < 1.0 => format!("{value:.3}"),
            Self::Millis if value.abs() < 100.0 => format!("{value:.1}"),
            Self::Millis | Self::Bytes | Self::Count => format!("{value:.0}"),
            Self::Megabytes => format!("{value:.1}"),
            Self::Times => format!("{value:.2}"),
        }
    }
}

impl fmt::Display for Chapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} rounds)", self.name, self.rounds)?;
        let names = self.figures.iter().map(|figure| figure.name.chars().count());
        let width = names.max().unwrap_or(0);
        for figure in &self.figures {
            let (unit, value) = (figure.unit, figure.value);
            let spread = format!("{} to {}", unit.show(value.low), unit.show(value.high));
            write!(
                f,
                "\n  {:width$}  {:>9} {:5}  {spread:>18}",
                figure.name,
                unit.show(value.median),
                unit.word(),
            )?;
            match figure.role {
                Role::Ours => {}
                Role::Yardstick => write!(f, "  yardstick")?,
            }
        }
        for goal in &self.goals {
            let verdict = if goal.met() { "met" } else { "NOT MET" };
            let (unit, word) = (goal.unit, goal.unit.word());
            write!(
                f,
                "\n  goal: {}: {} {word} of at most {} {word}: {verdict}",
                goal.says,
                unit.show(goal.value),
                unit.show(goal.limit),
            )?;
        }
        for remark in &self.remarks {
            write!(f, "\n  note: {remark}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_rounds_lies_between_the_two_in_the_middle() {
        let of = |values: &[f64]| Summary::of(values).unwrap();
        assert_eq!(of(&[4.0, 1.0, 3.0, 2.0]), Summary { median: 2.5, low: 1.0, high: 4.0 });
        assert_eq!(of(&[7.0]), Summary { median: 7.0, low: 7.0, high: 7.0 });
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn the_spread_leaves_out_a_tenth_on_either_side() {
        let values: Vec<f64> = (0..=20).map(f64::from).collect();
        assert_eq!(Summary::of(&values), Some(Summary { median: 10.0, low: 2.0, high: 18.0 }));
    }

    #[test]
    fn a_chapter_shows_figures_goals_and_remarks() {
        let mut chapter = Chapter::new("start", 2);
        let ours = chapter.add("proctor --version", Role::Ours, Unit::Millis, &[2.0, 3.0]);
        chapter.add("bare process", Role::Yardstick, Unit::Millis, &[0.5]);
        assert_eq!(chapter.add("nothing", Role::Ours, Unit::Bytes, &[]), None);
        chapter.goal("over a bare process", Unit::Millis, ours, 2.0);
        chapter.goal("no figure", Unit::Millis, None, 2.0);
        chapter.remarks.push("a noisy machine".to_owned());
        let shown = "\
start (2 rounds)
  proctor --version        2.5 ms             2.0 to 3.0
  bare process           0.500 ms         0.500 to 0.500  yardstick
  goal: over a bare process: 2.5 ms of at most 2.0 ms: NOT MET
  note: a noisy machine";
        assert_eq!(chapter.to_string(), shown);
        assert_eq!(chapter.json()["goals"][0]["met"], false);
        assert_eq!(chapter.json()["figures"][1]["role"], "yardstick");
    }
}
