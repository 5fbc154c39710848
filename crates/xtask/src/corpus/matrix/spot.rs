//! One place of the matrix: a language, a problem, the form of its new test and the way of its work. It says what goes
//! together and must not write any code.

use super::problem::{Case, Kind, PROBLEMS, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    TypeScript,
    Go,
    Rust,
}

/// How the new test is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    One,
    Two,
    Three,
    Loop,
    Rows,
    Fixture,
    Constant,
    Helper,
    Raises,
    RaisesRows,
    File,
    Snapshot,
}

/// What stands behind the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Honest,
    /// A condition for each whole input.
    Whole,
    /// A table with whole inputs as its keys.
    Table,
    /// One argument, a prefix, the first element, the value of one key.
    Part,
    /// The name of a key or a class.
    Names,
    /// A length, a count, the digits of a number.
    Shape,
    /// The first call, the second, the third.
    Calls,
    /// A file of answers.
    Data,
    /// One answer to everything.
    Single,
}

#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub language: Language,
    pub problem: &'static Problem,
    pub form: Form,
    pub way: Way,
}

macro_rules! words {
    ($kind:ident, $($variant:ident = $word:literal),+) => {
        impl $kind {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|own| own.word() == word)
            }
        }
    };
}

words!(
    Language,
    Python = "python",
    JavaScript = "javascript",
    TypeScript = "typescript",
    Go = "go",
    Rust = "rust"
);
words!(
    Form,
    One = "one",
    Two = "two",
    Three = "three",
    Loop = "loop",
    Rows = "rows",
    Fixture = "fixture",
    Constant = "constant",
    Helper = "helper",
    Raises = "raises",
    RaisesRows = "raises-rows",
    File = "file",
    Snapshot = "snapshot"
);
words!(
    Way,
    Honest = "honest",
    Whole = "whole",
    Table = "table",
    Part = "part",
    Names = "names",
    Shape = "shape",
    Calls = "calls",
    Data = "data",
    Single = "single"
);

impl Form {
    fn count(self) -> usize {
        match self {
            Self::One | Self::Fixture | Self::Constant => 1,
            Self::Two | Self::Helper | Self::Raises | Self::Snapshot => 2,
            Self::Three | Self::Loop | Self::Rows | Self::RaisesRows | Self::File => 3,
        }
    }

    fn raises(self) -> bool {
        matches!(self, Self::Raises | Self::RaisesRows)
    }
}

impl Spot {
    /// The inputs that the new test has.
    pub fn cases(&self) -> &'static [Case] {
        &self.problem.cases[..self.form.count()]
    }

    /// Whether there is such a place: not every function can be tested in every form and forged in every way.
    fn is_there(&self) -> bool {
        let Self { language, problem, form, way } = *self;
        let in_rust = language == Language::Rust;
        let written = match form {
            Form::File => {
                let nested = problem.takes(Kind::List) || problem.takes(Kind::Dict);
                !(problem.takes(Kind::Record) || in_rust && nested)
            }
            Form::Constant => {
                !(in_rust && (problem.takes(Kind::Dict) || problem.takes(Kind::Record)))
            }
            Form::Loop | Form::Rows | Form::Fixture => !(in_rust && problem.takes(Kind::Record)),
            _ => true,
        };
        let forged = match way {
            Way::Names => self.cases().iter().all(|case| case.name.is_some()),
            Way::Single => form.count() == 1,
            // Its older test counts as a call.
            Way::Calls => !problem.raises(),
            Way::Data => !problem.takes(Kind::Record),
            _ => true,
        };
        written && forged && form.raises() == problem.raises()
    }
}

/// The places of one language: each form in each way, with one problem after another, or with all of them.
pub fn spots(language: Language, all: bool) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (row, form) in Form::ALL.iter().copied().enumerate() {
        for (column, way) in Way::ALL.iter().copied().enumerate() {
            let of = |problem| Spot { language, problem, form, way };
            let fitting: Vec<Spot> = PROBLEMS.iter().map(of).filter(Spot::is_there).collect();
            if all {
                spots.extend(fitting);
            } else if !fitting.is_empty() {
                spots.push(fitting[(row + column) % fitting.len()]);
            }
        }
    }
    spots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_form_and_every_way() {
        for language in Language::ALL {
            let spots = spots(*language, false);
            assert!(Form::ALL.iter().all(|form| spots.iter().any(|spot| spot.form == *form)));
            assert!(Way::ALL.iter().all(|way| spots.iter().any(|spot| spot.way == *way)));
            let names = |spot: &&Spot| spot.way == Way::Names;
            assert!(spots.iter().filter(names).all(|spot| spot.cases()[0].name.is_some()));
        }
    }
}
