//! The table that people look at: a new test's inputs, the others that were tried, and what both sides answer.

use super::answer::answering;
use super::{Generality, fates, generalities, order, seen, showing};
use crate::observation::{HELPERS, Row, Sort, Variation, Varied};
use crate::report::Place;
use crate::words::TestId;
use serde::{Deserialize, Serialize};

/// How many assertions of one test are kept.
const MOST_ASSERTIONS: usize = 12;

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
    /// Which assertion of the test, from one; zero is the test's end.
    pub assertion: i32,
    /// Which case of a parametrised test, from one.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub case: u32,
    /// The how many-th time in this case, from one.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub time: u32,
    pub base: String,
    pub head: String,
    /// What that says: `red to green`, `differs`, `as on the base`, `no own answer`, `one answer`, `nothing`.
    pub says: String,
}

/// One assertion: its own value on both sides, and what other inputs give, what decides first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asserted<'a> {
    /// `assertion 2, case 3`.
    pub label: String,
    pub written: &'a Answer,
    pub others: Vec<&'a Answer>,
}

impl Observed {
    /// Every test that was observed, beside older ones that may say what other inputs give.
    pub fn all(varied: &[Varied], older: &[Varied]) -> Vec<Self> {
        let judged = generalities(varied, older);
        let red = varied.iter().zip(&judged).filter(|(varied, _)| varied.red);
        red.map(|(varied, judged)| Self::of(varied, judged)).collect()
    }

    pub fn is_suspect(&self) -> bool {
        self.judged == "suspect"
    }

    /// The table by assertion. Of a suspect test those inputs come first with which the difference is gone.
    pub fn assertions(&self) -> Vec<Asserted<'_>> {
        let mut all: Vec<Asserted<'_>> = Vec::new();
        let place = |answer: &Answer| (answer.case, answer.assertion, answer.time);
        for answer in &self.answers {
            match all.last_mut() {
                Some(last) if place(last.written) == place(answer) => last.others.push(answer),
                _ => {
                    all.push(Asserted {
                        label: label(answer),
                        written: answer,
                        others: Vec::new(),
                    });
                }
            }
        }
        let order = if self.is_suspect() {
            ["as on the base", "no own answer", "one answer", "differs"]
        } else {
            ["differs", "as on the base", "no own answer", "one answer"]
        };
        let rank = |answer: &&Answer| order.iter().position(|says| *says == answer.says);
        for seen in &mut all {
            seen.others.sort_by_key(|answer| rank(answer).unwrap_or(order.len()));
        }
        all
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
            let side = answering(varied, *key);
            let answer = |input: String, (base, head): (&[Row], &[Row]), says: &str| {
                let (base, head) = (told(base, *key, side), told(head, *key, side));
                // Dead, though they differ: head breaks, gives back what it was given, or says the same to all others.
                let own = says != "as on the base" || base == head;
                let says = if own { says } else { "no own answer" }.to_owned();
                let (case, assertion, time) = (key.0.max(1), key.1 + 1, key.2 + 1);
                Answer { input, assertion, case, time, base, head, says }
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

/// Both values, each cut to a number of characters, so that what differs between them stays in sight.
pub fn apart(base: &str, head: &str, most: usize) -> (String, String) {
    let same = base.chars().zip(head.chars()).take_while(|(a, b)| a == b).count();
    let longest = base.chars().count().max(head.chars().count());
    // A part of what is the same leads to the difference; no more is left out than has to be.
    let skip = if longest > most && base != head {
        same.saturating_sub(most / 3).min(longest + 1 - most)
    } else {
        0
    };
    let cut = |text: &str| {
        let lead = if skip > 0 { "…" } else { "" };
        let rest: Vec<char> = text.chars().skip(skip).collect();
        let room = most.saturating_sub(lead.chars().count());
        if rest.len() <= room {
            return format!("{lead}{}", rest.iter().collect::<String>());
        }
        format!("{lead}{}…", rest.iter().take(room.saturating_sub(1)).collect::<String>())
    };
    (cut(base), cut(head))
}

fn first() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_first(n: &u32) -> bool {
    *n == 1
}

fn label(answer: &Answer) -> String {
    let mut parts = vec![match answer.assertion {
        0 => "its end".to_owned(),
        n if n > HELPERS => format!("a helper's assertion {}", (n - 1) % 1000 + 1),
        n => format!("assertion {n}"),
    }];
    let counts = [("case", answer.case), ("time", answer.time)].into_iter();
    parts.extend(counts.filter(|(_, n)| *n > 1).map(|(word, n)| format!("{word} {n}")));
    parts.join(", ")
}

fn input(variation: &Variation) -> String {
    match variation.sort {
        Sort::Together if variation.now.is_empty() => {
            format!("all: {}", variation.given.join(", "))
        }
        Sort::Together => format!("all {}", variation.now),
        Sort::Length => format!("a list, {}", variation.now),
        _ => format!("{} → {}", variation.was, variation.now),
    }
}

type Key = (u32, i32, u32);

/// The value at a place, or how it broke.
fn told(rows: &[Row], key: Key, side: usize) -> String {
    match seen(rows).get(&key) {
        Some(Row { raised: Some(raised), .. }) => raised.clone(),
        Some(row) => row.sides.get(side).cloned().unwrap_or_else(|| row.holds.to_string()),
        None => rows
            .iter()
            .find(|row| row.case == key.0 && row.raised.is_some())
            .and_then(|row| row.raised.clone())
            .unwrap_or_else(|| "not reached".to_owned()),
    }
}
