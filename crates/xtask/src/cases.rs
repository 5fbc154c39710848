//! `cargo xtask cases`: the public cases of cheats and honest work, put to gates: the exit code of the bare test command, a report of
//! the test tool, `proctor verify`, and any command of somebody else's. Counts what each lets through; judges no case itself.

mod case;
mod gate;

use anyhow::{Context, Result, bail};
use case::{Case, SUITES};
use gate::{Gate, Word};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

pub struct Wish {
    gates: Vec<Gate>,
    runner: Option<String>,
    only: Option<String>,
    core: bool,
    json: bool,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self> {
        let mut wish =
            Self { gates: Vec::new(), runner: None, only: None, core: false, json: false };
        let mut proctor: Option<std::path::PathBuf> = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().copied().with_context(|| format!("{word} wants a value"));
            match *word {
                "--gate" => wish.gates.push(Gate::Command(value()?.to_owned())),
                "--proctor" => proctor = Some(std::path::absolute(value()?)?),
                "--runner" => wish.runner = Some(value()?.to_owned()),
                "--only" => wish.only = Some(value()?.to_owned()),
                "--core" => wish.core = true,
                "--json" => wish.json = true,
                other => bail!("cases does not know `{other}`"),
            }
        }
        let mut gates = vec![Gate::ExitCode, Gate::Report];
        gates.extend(proctor.map(Gate::Proctor));
        gates.append(&mut wish.gates);
        wish.gates = gates;
        Ok(wish)
    }

    fn wants(&self, case: &Case) -> bool {
        self.runner.as_ref().is_none_or(|runner| *runner == case.runner)
            && self.only.as_ref().is_none_or(|part| case.name.contains(part))
            && (case.core || !self.core)
    }
}

/// What one gate said of one case.
#[derive(Serialize)]
struct Row<'a> {
    suite: &'a str,
    case: &'a str,
    gate: String,
    said: &'static str,
}

/// What a gate let through and what it refused, of one suite.
#[derive(Default)]
struct Sum {
    accepted: usize,
    refused: usize,
    /// It has no way to run this tool.
    silent: usize,
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let mut sums: BTreeMap<(usize, &str), Sum> = BTreeMap::new();
    let mut out = std::io::stdout().lock();
    for suite in SUITES {
        for case in Case::all(suite)?.iter().filter(|case| wish.wants(case)) {
            for (at, gate) in wish.gates.iter().enumerate() {
                let said = gate.ask(case)?;
                let sum = sums.entry((at, suite)).or_default();
                match said {
                    Word::Accepted => sum.accepted += 1,
                    Word::Refused => sum.refused += 1,
                    Word::Silent => sum.silent += 1,
                }
                if wish.json {
                    let row = Row { suite, case: &case.name, gate: gate.name(), said: said.name() };
                    writeln!(out, "{}", serde_json::to_string(&row)?)?;
                } else {
                    writeln!(
                        std::io::stderr(),
                        "{:8} {:9} {} ({})",
                        suite,
                        said.name(),
                        case.name,
                        gate.name()
                    )?;
                }
            }
        }
    }
    if sums.is_empty() {
        bail!(
            "no case is asked for\nhint: the folders below crates/cli/tests/cases are their names"
        );
    }
    if !wish.json {
        write!(out, "{}", table(wish, &sums))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(wish: &Wish, sums: &BTreeMap<(usize, &str), Sum>) -> String {
    let mut text =
        "| gate | cheats let through | honest work refused |\n| --- | --- | --- |\n".to_owned();
    for (at, gate) in wish.gates.iter().enumerate() {
        let cell = |suite: &str, wrong: fn(&Sum) -> usize| match sums.get(&(at, suite)) {
            Some(sum) if sum.accepted + sum.refused > 0 => {
                let silent = if sum.silent == 0 {
                    String::new()
                } else {
                    format!(", {} not run", sum.silent)
                };
                format!("{} of {}{silent}", wrong(sum), sum.accepted + sum.refused)
            }
            _ => "not run".to_owned(),
        };
        let (cheats, honest) =
            (cell(SUITES[0], |sum| sum.accepted), cell(SUITES[1], |sum| sum.refused));
        let _ = writeln!(text, "| {} | {cheats} | {honest} |", gate.name());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_that_lets_everything_through_is_counted_as_such() {
        let wish = Wish::read(&["--gate", "true", "--gate", "false", "--only", "pytest-exit-zero"])
            .unwrap();
        let cases = Case::all(SUITES[0]).unwrap();
        let case = cases.iter().find(|case| case.name == "pytest-exit-zero").unwrap();
        assert!(wish.wants(case) && cases.iter().filter(|case| wish.wants(case)).count() == 1);
        let mut sums: BTreeMap<(usize, &str), Sum> = BTreeMap::new();
        for at in [2, 3] {
            let said = wish.gates[at].ask(case).unwrap();
            let sum = sums.entry((at, SUITES[0])).or_default();
            match said {
                Word::Accepted => sum.accepted += 1,
                _ => sum.refused += 1,
            }
        }
        let table = table(&wish, &sums);
        assert!(table.contains("| `true` | 1 of 1 | not run |"), "{table}");
        assert!(table.contains("| `false` | 0 of 1 | not run |"), "{table}");
    }

    #[test]
    fn a_gate_sees_the_two_commits() {
        let cases = Case::all(SUITES[0]).unwrap();
        let case = cases.iter().find(|case| case.name == "pytest-exit-zero").unwrap();
        let gate = Gate::Command(
            "git diff --quiet $BASE $HEAD && exit 3; test -f shop.py && test \"$RUNNER\" = pytest"
                .to_owned(),
        );
        assert_eq!(gate.ask(case).unwrap().name(), "accepted");
    }
}
