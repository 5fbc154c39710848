//! A place of the matrix as files: the base, the new tests, and the work in its way. What a language looks like is said by
//! its `Tongue`. It must not write to disk or start anything.

use super::go::Go;
use super::problem::{Case, Clue, Problem, Value};
use super::python::Python;
use super::rust::Rust;
use super::script::Script;
use super::spot::{Language, Spot, Way};
use crate::corpus::pair::Files;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The files of one place.
#[derive(Clone, Debug)]
pub struct Made {
    pub base: Files,
    pub tests: Files,
    pub head: Files,
}

/// The texts of one language, from its table.
#[derive(Clone, Debug, Deserialize)]
pub struct Code {
    /// Functions of the module that are not in question.
    pub old: String,
    /// The tests of them.
    pub tests: String,
    #[serde(flatten)]
    bodies: BTreeMap<String, Body>,
}

/// The bodies of one function.
#[derive(Clone, Debug, Deserialize)]
pub struct Body {
    /// What stands before the function on both sides.
    #[serde(default)]
    pub before: String,
    /// What the base has; without it there is no such function there.
    pub base: Option<String>,
    /// What a forged function does with other inputs where the base has no function.
    #[serde(default)]
    fallback: String,
    honest: String,
    /// An older test of it.
    #[serde(default)]
    pub old: String,
}

/// What a way puts into the module.
#[derive(Clone, Debug, Default)]
pub struct Forged {
    /// Before the function.
    pub before: String,
    /// Its first lines.
    pub first: String,
    /// Beside the module.
    pub files: Files,
}

/// How a language writes things.
pub trait Tongue {
    /// The table of its texts.
    fn code(&self) -> &'static str;
    /// Manifests, and what else both sides have.
    fn manifests(&self) -> Files;
    fn module_path(&self) -> &'static str;
    fn old_tests_path(&self) -> &'static str;
    fn old_tests(&self, text: &str) -> String;
    /// The file of the module: old functions, and the function in question where there is one.
    fn module(&self, text: &str) -> String;
    fn function(&self, problem: &Problem, body: &str) -> String;
    fn value(&self, value: &Value) -> String;
    /// Whether an argument is this value.
    fn is_whole(&self, name: &str, value: &Value) -> String;
    fn is_clue(&self, clue: Clue, name: &str, value: &Value) -> String;
    fn both(&self) -> &'static str;
    fn arm(&self, condition: &str, answer: &str) -> String;
    /// The statement that ends the function with a value, or with a message where it raises.
    fn answer(&self, problem: &Problem, value: &str) -> String;
    fn table(&self, problem: &Problem, cases: &[Case]) -> Forged;
    fn calls(&self, problem: &Problem, cases: &[Case]) -> Forged;
    fn data(&self, problem: &Problem, cases: &[Case]) -> Forged;
    fn tests(&self, spot: &Spot) -> Files;

    /// The answer to a case as a value of the language.
    fn want(&self, case: &Case) -> String {
        self.value(&case.want)
    }

    /// The arguments of a case.
    fn args(&self, case: &Case) -> Vec<String> {
        case.args.iter().map(|value| self.value(value)).collect()
    }

    /// A condition for each case, and its answer behind it.
    fn arms(&self, spot: &Spot) -> Forged {
        let params = spot.problem.params;
        let condition = |case: &Case| {
            let of = |clue: Clue| {
                let at = clue.argument();
                self.is_clue(clue, params[at].0, &case.args[at])
            };
            match spot.way {
                Way::Part => of(case.part),
                Way::Shape => of(case.shape),
                Way::Names => case.name.map(of).unwrap_or_default(),
                _ => {
                    let pairs = params.iter().zip(case.args);
                    let whole = pairs.map(|((name, _), value)| self.is_whole(name, value));
                    whole.collect::<Vec<_>>().join(self.both())
                }
            }
        };
        let arm =
            |case: &Case| self.arm(&condition(case), &self.answer(spot.problem, &self.want(case)));
        let first = spot.cases().iter().map(arm).collect::<Vec<_>>().concat();
        Forged { first, ..Forged::default() }
    }
}

impl Clue {
    fn argument(self) -> usize {
        match self {
            Self::Arg(at)
            | Self::Prefix(at, _)
            | Self::First(at)
            | Self::Item(at, _)
            | Self::Key(at, _)
            | Self::Class(at)
            | Self::Len(at)
            | Self::Digits(at) => at,
        }
    }
}

fn tongue(language: Language) -> Box<dyn Tongue> {
    match language {
        Language::Python => Box::new(Python),
        Language::JavaScript => Box::new(Script { typed: false }),
        Language::TypeScript => Box::new(Script { typed: true }),
        Language::Go => Box::new(Go),
        Language::Rust => Box::new(Rust),
    }
}

pub fn made(spot: &Spot) -> Result<Made> {
    let tongue = tongue(spot.language);
    let code: Code = toml::from_str(tongue.code()).context("a table of texts is damaged")?;
    let body = code.bodies.get(spot.problem.name).context("a problem has no texts")?;
    let file = |before: &str, own: Option<String>| {
        let function = own.map(|own| tongue.function(spot.problem, &own)).unwrap_or_default();
        let parts = [code.old.as_str(), &body.before, before, &function];
        let parts =
            parts.iter().map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
        tongue.module(&parts.collect::<Vec<_>>().join("\n\n\n"))
    };
    let mut base = tongue.manifests();
    base.insert(tongue.module_path().to_owned(), file("", body.base.clone()));
    let old = tongue.old_tests(&format!("{}\n{}", code.tests, body.old));
    base.insert(tongue.old_tests_path().to_owned(), old);
    let rest = body.base.as_ref().unwrap_or(&body.fallback);
    let (problem, cases) = (spot.problem, spot.cases());
    let mut forged = match spot.way {
        Way::Honest => Forged { first: body.honest.clone(), ..Forged::default() },
        Way::Whole | Way::Part | Way::Names | Way::Shape => tongue.arms(spot),
        Way::Table => tongue.table(problem, cases),
        Way::Calls => tongue.calls(problem, cases),
        Way::Data => tongue.data(problem, cases),
        Way::Single => {
            let only = tongue.answer(problem, &tongue.want(&cases[0]));
            Forged { first: only, ..Forged::default() }
        }
    };
    if !matches!(spot.way, Way::Honest | Way::Single) {
        forged.first = format!("{}\n{}", forged.first.trim_matches('\n'), rest.trim_matches('\n'));
    }
    let mut head = forged.files;
    head.insert(tongue.module_path().to_owned(), file(&forged.before, Some(forged.first)));
    Ok(Made { base, tests: tongue.tests(spot), head })
}

/// A value as JSON, with these separators. A record has none.
pub fn json(value: &Value, comma: &str, colon: &str) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            format!("[{}]", items.join(comma))
        }
        Value::Dict(fields) | Value::Record(_, fields) => {
            let field = |(name, number): &(&str, i64)| format!("{name:?}{colon}{number}");
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(comma))
        }
    }
}

/// The cases as a file of JSON objects with the names of the parameters.
pub fn cases_json(problem: &Problem, cases: &[Case]) -> String {
    let row = |case: &Case| {
        let pairs = problem.params.iter().map(|(name, _)| *name).zip(case.args);
        let pairs = pairs.chain([("want", &case.want)]);
        let fields = pairs.map(|(name, value)| format!("{name:?}: {}", json(value, ", ", ": ")));
        format!("  {{{}}}", fields.collect::<Vec<_>>().join(", "))
    };
    format!("[\n{}\n]\n", cases.iter().map(row).collect::<Vec<_>>().join(",\n"))
}

/// Lines with so many spaces or tabs before each.
pub fn indented(by: &str, text: &str) -> String {
    text.lines().map(|line| format!("{by}{line}\n")).collect::<Vec<_>>().concat()
}

/// The names of the parameters.
pub fn names(problem: &Problem) -> Vec<String> {
    problem.params.iter().map(|(name, _)| (*name).to_owned()).collect()
}
