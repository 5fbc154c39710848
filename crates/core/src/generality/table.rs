//! The table that people look at: a new test's inputs, the others that were tried, and what both sides answer.

use super::{Generality, fates, generalities, order, seen, showing};
use crate::observation::{Row, Sort, Variation, Varied};
use crate::report::Place;
use crate::words::TestId;
use serde::{Deserialize, Serialize};

/// How many assertions of one test are shown.
const MOST_ASSERTIONS: usize = 4;

/// A test with what its assertions saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    pub test: TestId,
    pub place: Place,
    /// `shown`, `only these inputs`, `suspect`.
    pub judged: String,
    pub answers: Vec<Answer>,
}

/// What both sides answer to one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// "as written", or what is another.
    pub input: String,
    /// Which assertion of the test, from one.
    pub assertion: i32,
    pub base: String,
    pub head: String,
    /// What that says: `red to green`, `differs`, `as on the base`, `one answer`, `nothing`.
    pub says: String,
}

impl Observed {
    /// Every test that was observed.
    pub fn all(varied: &[Varied]) -> Vec<Self> {
        let judged = generalities(varied);
        let red = varied.iter().zip(&judged).filter(|(varied, _)| varied.red);
        red.map(|(varied, judged)| Self::of(varied, judged)).collect()
    }

    fn of(varied: &Varied, judged: &Generality) -> Self {
        let judged = match judged {
            Generality::Shown => "shown",
            Generality::Only { .. } => "only these inputs",
            Generality::Suspect { .. } => "suspect",
        };
        let ordered = order::steadied(varied);
        let varied = ordered.as_ref().unwrap_or(varied);
        let shown = showing(varied);
        let all = fates(varied, &shown);
        let mut answers = Vec::new();
        for (n, key) in shown.iter().enumerate().take(MOST_ASSERTIONS) {
            let answer = |input: String, (base, head): (&[Row], &[Row]), says: &str| Answer {
                input,
                assertion: key.1 + 1,
                base: told(base, *key),
                head: told(head, *key),
                says: says.to_owned(),
            };
            let plain = (varied.base.plain[0].as_slice(), varied.head.plain[0].as_slice());
            answers.push(answer("as written".to_owned(), plain, "red to green"));
            for (v, variation) in varied.variations.iter().enumerate() {
                let rows = |all: &'_ [Vec<Row>]| all.get(v).cloned().unwrap_or_default();
                let (base, head) = (rows(&varied.base.varied), rows(&varied.head.varied));
                let says = all.get(v).and_then(|f| f.get(n)).map_or("nothing", |fate| fate.word());
                answers.push(answer(input(variation), (&base, &head), says));
            }
        }
        Self {
            test: varied.test.clone(),
            place: varied.place.clone(),
            judged: judged.to_owned(),
            answers,
        }
    }
}

fn input(variation: &Variation) -> String {
    match variation.sort {
        Sort::Together if variation.now.is_empty() => "all inputs".to_owned(),
        Sort::Together => format!("all {}", variation.now),
        Sort::Length => format!("a list, {}", variation.now),
        _ => format!("{} → {}", variation.was, variation.now),
    }
}

/// The first value at a place, or how it broke.
fn told(rows: &[Row], key: (u32, i32, u32)) -> String {
    match seen(rows).get(&key) {
        Some(Row { raised: Some(raised), .. }) => raised.clone(),
        Some(row) => row.sides.first().cloned().unwrap_or_else(|| row.holds.to_string()),
        None => rows
            .iter()
            .find(|row| row.case == key.0 && row.raised.is_some())
            .and_then(|row| row.raised.clone())
            .unwrap_or_else(|| "not reached".to_owned()),
    }
}
