//! What only a person can say, by kind. The list is closed: a person accepts a kind by its name, and the base may do so
//! beforehand.

use crate::verdict::{Check, CheckName, Finding, Weight};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A kind of finding that stops a run until a person has accepted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    SpecialCased,
    WeakTests,
    ChangedTests,
    ChangedBehaviour,
    TestDetection,
    Configuration,
    SuspiciousCode,
    HiddenCharacters,
    Unread,
    LargeFile,
    BinaryFile,
    OddName,
    Executable,
    Unjudged,
}

impl Concern {
    pub const ALL: [Self; 14] = [
        Self::SpecialCased,
        Self::WeakTests,
        Self::ChangedTests,
        Self::ChangedBehaviour,
        Self::TestDetection,
        Self::Configuration,
        Self::SuspiciousCode,
        Self::HiddenCharacters,
        Self::Unread,
        Self::LargeFile,
        Self::BinaryFile,
        Self::OddName,
        Self::Executable,
        Self::Unjudged,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::SpecialCased => "special-cased",
            Self::WeakTests => "weak-tests",
            Self::ChangedTests => "changed-tests",
            Self::ChangedBehaviour => "changed-behaviour",
            Self::TestDetection => "test-detection",
            Self::Configuration => "configuration",
            Self::SuspiciousCode => "suspicious-code",
            Self::HiddenCharacters => "hidden-characters",
            Self::Unread => "unread",
            Self::LargeFile => "large-file",
            Self::BinaryFile => "binary-file",
            Self::OddName => "odd-name",
            Self::Executable => "executable",
            Self::Unjudged => "unjudged",
        }
    }

    /// What it means, in some words.
    pub fn means(self) -> &'static str {
        match self {
            Self::SpecialCased => "the work may fit nothing but what the tests ask",
            Self::WeakTests => "new tests may check nothing, or too little",
            Self::ChangedTests => "an older test expects something else now",
            Self::ChangedBehaviour => "a refactoring changes what the code does",
            Self::TestDetection => "code asks whether it runs under test",
            Self::Configuration => "a new test passes only with a changed configuration",
            Self::SuspiciousCode => {
                "code that meddles with test tools, reads tests, or is left unfinished"
            }
            Self::HiddenCharacters => {
                "characters that show as nothing or as others, look-alike names"
            }
            Self::Unread => "a changed file that could not be read, or that leads elsewhere",
            Self::LargeFile => "a new or grown file of more than 1 MiB",
            Self::BinaryFile => "a new or changed file that is no text",
            Self::OddName => "a file name that can't be read, or that shows as another",
            Self::Executable => "a file that can be executed now",
            Self::Unjudged => "an experiment that could not be made",
        }
    }

    /// Whether the base may accept it for all that comes. What could not be judged is looked at each time.
    pub fn is_foreseeable(self) -> bool {
        self != Self::Unjudged
    }

    /// The kind of a finding that says none of its own.
    pub(crate) fn of(check: CheckName, weight: Weight) -> Option<Self> {
        match (weight, check) {
            (Weight::Note | Weight::Warning | Weight::Refutes, _) => None,
            (Weight::Unjudged, _) => Some(Self::Unjudged),
            (Weight::NeedsPerson, CheckName::RedReplay) => Some(Self::SpecialCased),
            (Weight::NeedsPerson, CheckName::TestsIntact | CheckName::Regression) => {
                Some(Self::ChangedTests)
            }
            (Weight::NeedsPerson, CheckName::Isolation) => Some(Self::TestDetection),
            (Weight::NeedsPerson, CheckName::Source) => Some(Self::SuspiciousCode),
            (
                Weight::NeedsPerson,
                CheckName::Green | CheckName::Harness | CheckName::Mutants | CheckName::Coverage,
            ) => Some(Self::WeakTests),
        }
    }
}

impl fmt::Display for Concern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of finding")]
pub struct NoConcern(pub String);

impl FromStr for Concern {
    type Err = NoConcern;

    fn from_str(word: &str) -> Result<Self, NoConcern> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == word);
        found.ok_or_else(|| NoConcern(word.to_owned()))
    }
}

/// Something that a person must look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Raised {
    pub kind: Concern,
    /// What is so, and what would be accepted.
    pub text: String,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.text)
    }
}

impl Raised {
    pub fn new(kind: Concern, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// The kinds of these, each once.
    pub fn kinds(all: &[Self]) -> BTreeSet<Concern> {
        all.iter().map(|raised| raised.kind).collect()
    }

    /// Those that the base does not accept, and those that it does, in words.
    pub fn sorted(all: Vec<Self>, accepted: &BTreeSet<Concern>) -> (Vec<Self>, Vec<String>) {
        let (known, open): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|raised| accepted.contains(&raised.kind));
        (open, known.iter().map(|raised| beforehand(raised.kind, &raised.text)).collect())
    }
}

fn beforehand(kind: Concern, text: &str) -> String {
    format!("{text} ({kind}, accepted by [gates] accept of the base)")
}

impl Finding {
    /// The same where the base accepts its kind: told, and no more than that.
    pub(crate) fn under(mut self, accepted: &BTreeSet<Concern>) -> Self {
        if let Some(kind) = self.kind.filter(|kind| accepted.contains(kind))
            && self.weight == Weight::NeedsPerson
        {
            self.weight = Weight::Warning;
            self.text = beforehand(kind, &self.text);
        }
        self
    }
}

impl Check {
    /// What of it a person must look at.
    pub fn raised(&self) -> impl Iterator<Item = Raised> {
        self.details.iter().filter_map(|finding| {
            let waits = matches!(finding.weight, Weight::NeedsPerson | Weight::Unjudged);
            let kind = finding.kind.or(Concern::of(self.name, finding.weight))?;
            waits.then(|| Raised::new(kind, finding.text.clone()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_again_by_its_name_and_others_are_not() {
        for kind in Concern::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert!("special".parse::<Concern>().is_err());
    }

    #[test]
    fn whatever_waits_for_a_person_has_a_kind() {
        for name in CheckName::ALL {
            for weight in [Weight::NeedsPerson, Weight::Unjudged] {
                let check = Check::of(name, "", vec![Finding::new(weight, "look")]);
                assert_eq!(check.raised().count(), 1, "{name}");
                assert!(check.details[0].kind.is_some(), "{name}");
            }
            let told = Check::of(name, "", vec![Finding::new(Weight::Warning, "look")]);
            assert_eq!(told.raised().count(), 0, "{name}");
        }
    }

    #[test]
    fn a_kind_that_the_base_accepts_is_told_and_what_could_not_be_judged_is_not_accepted() {
        let all = BTreeSet::from(Concern::ALL);
        let check = |weight| Check::of(CheckName::RedReplay, "", vec![Finding::new(weight, "it")]);
        let person = check(Weight::NeedsPerson).details.remove(0).under(&all);
        assert_eq!(person.weight, Weight::Warning);
        assert_eq!(person.text, "it (special-cased, accepted by [gates] accept of the base)");
        let unjudged = check(Weight::Unjudged).details.remove(0).under(&all);
        assert_eq!(unjudged.weight, Weight::Unjudged);
    }
}
