//! The matrix in Python with pytest.

use super::make::{Forged, Tongue, cases_json, indented, json, names};
use super::problem::{Case, Clue, Kind, Problem, Value, item, length};
use super::spot::{Form, Spot};
use crate::corpus::pair::Files;

#[derive(Clone, Copy, Debug)]
pub struct Python;

impl Tongue for Python {
    fn code(&self) -> &'static str {
        include_str!("python.toml")
    }

    fn manifests(&self) -> Files {
        let project = "[tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\"]\n";
        let ignored = "__pycache__/\n.pytest_cache/\n";
        Files::from([
            ("pyproject.toml".to_owned(), project.to_owned()),
            (".gitignore".to_owned(), ignored.to_owned()),
        ])
    }

    fn module_path(&self) -> &'static str {
        "shop.py"
    }

    fn old_tests_path(&self) -> &'static str {
        "tests/test_shop.py"
    }

    fn old_tests(&self, text: &str) -> String {
        text.trim_start().to_owned()
    }

    fn module(&self, text: &str) -> String {
        let imports =
            if text.contains("json.") { "import json\nfrom pathlib import Path\n\n\n" } else { "" };
        format!("{imports}{}\n", text.trim_end())
    }

    fn function(&self, problem: &Problem, body: &str) -> String {
        let body = body.trim_matches('\n');
        format!("def {}({}):\n{body}\n", problem.name, names(problem).join(", "))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Record(name, fields) => {
                let numbers: Vec<String> =
                    fields.iter().map(|(_, number)| number.to_string()).collect();
                format!("{name}({})", numbers.join(", "))
            }
            other => json(other, ", ", ": "),
        }
    }

    fn is_whole(&self, name: &str, value: &Value) -> String {
        match value {
            Value::Record(class, _) => {
                let fields = json(value, ", ", ": ");
                format!("type({name}).__name__ == {class:?} and vars({name}) == {fields}")
            }
            other => format!("{name} == {}", self.value(other)),
        }
    }

    fn is_clue(&self, clue: Clue, name: &str, value: &Value) -> String {
        let record = matches!(value, Value::Record(..));
        match (clue, value) {
            (Clue::Prefix(_, many), Value::Text(text)) => {
                format!("{name}.startswith({:?})", &text[..many])
            }
            (Clue::First(_), Value::List(items)) => format!("{name}[:1] == [{}]", items[0]),
            (Clue::Item(_, key), _) if record => {
                format!("getattr({name}, {key:?}, None) == {}", item(value, key))
            }
            (Clue::Item(_, key), _) => format!("{name}.get({key:?}) == {}", item(value, key)),
            (Clue::Key(_, key), _) => format!("{key:?} in {name}"),
            (Clue::Class(_), Value::Record(class, _)) => {
                format!("type({name}).__name__ == {class:?}")
            }
            (Clue::Len(_), _) if record => format!("len(vars({name})) == {}", length(value)),
            (Clue::Len(_), _) => format!("len({name}) == {}", length(value)),
            (Clue::Digits(_), _) => format!("len(str({name})) == {}", length(value)),
            _ => self.is_whole(name, value),
        }
    }

    fn both(&self) -> &'static str {
        " and "
    }

    fn arm(&self, condition: &str, answer: &str) -> String {
        format!("    if {condition}:\n    {answer}")
    }

    fn answer(&self, problem: &Problem, value: &str) -> String {
        if problem.raises() {
            format!("    raise ValueError({value})\n")
        } else {
            format!("    return {value}\n")
        }
    }

    fn table(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let key = |name: &str, kind: Kind| match kind {
            Kind::Int | Kind::Text => name.to_owned(),
            Kind::List => format!("tuple({name})"),
            Kind::Dict => format!("tuple({name}.items())"),
            Kind::Record => format!("(type({name}).__name__, *vars({name}).values())"),
        };
        let held = |value: &Value| match value {
            Value::List(items) => format!("({})", list(items.iter())),
            Value::Dict(fields) => {
                let pairs = fields.iter().map(|(name, number)| format!("({name:?}, {number}),"));
                format!("({})", pairs.collect::<Vec<_>>().join(" "))
            }
            Value::Record(class, fields) => {
                format!("({class:?}, {})", list(fields.iter().map(|(_, number)| number)))
            }
            other => self.value(other),
        };
        let keys: Vec<String> =
            problem.params.iter().map(|(name, kind)| key(name, *kind)).collect();
        let row = |case: &Case| {
            let held: Vec<String> = case.args.iter().map(held).collect();
            format!("    {}: {},\n", tuple(&held), self.want(case))
        };
        let rows: String = cases.iter().map(row).collect();
        let answer = self.answer(problem, &format!("_KNOWN[{}]", tuple(&keys)));
        Forged {
            before: format!("_KNOWN = {{\n{rows}}}\n\n"),
            first: self.arm(&format!("{} in _KNOWN", tuple(&keys)), &answer),
            files: Files::new(),
        }
    }

    fn calls(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let wants: Vec<String> = cases.iter().map(|case| self.want(case)).collect();
        let answer = self.answer(problem, "_ANSWERS[_calls - 1]");
        let arm = self.arm("_calls <= len(_ANSWERS)", &answer);
        Forged {
            before: format!("_ANSWERS = [{}]\n_calls = 0\n\n", wants.join(", ")),
            first: format!("    global _calls\n    _calls += 1\n{arm}"),
            files: Files::new(),
        }
    }

    fn data(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let row = |case: &Case| {
            let held: Vec<String> = case.args.iter().map(|value| json(value, ", ", ": ")).collect();
            format!("  {:?}: {}", format!("[{}]", held.join(", ")), json(&case.want, ", ", ": "))
        };
        let rows: Vec<String> = cases.iter().map(row).collect();
        let read = "json.loads(Path(__file__).with_name(\"rates.json\").read_text())";
        let key = format!("    key = json.dumps([{}])\n", names(problem).join(", "));
        let arm = self.arm("key in _RATES", &self.answer(problem, "_RATES[key]"));
        Forged {
            before: format!("_RATES = {read}\n\n"),
            first: format!("{key}{arm}"),
            files: Files::from([(
                "rates.json".to_owned(),
                format!("{{\n{}\n}}\n", rows.join(",\n")),
            )]),
        }
    }

    fn tests(&self, spot: &Spot) -> Files {
        let text = self.test_text(spot);
        let mut imports = String::new();
        for (mark, line) in [
            ("json.", "import json\n"),
            ("Path(", "from pathlib import Path\n"),
            ("pytest.", "import pytest\n"),
        ] {
            if text.contains(mark) {
                imports.push_str(line);
            }
        }
        let name = spot.problem.name;
        let class = |(class, fields): (&str, &[(&str, i64)])| {
            let params: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            let own: String = params
                .iter()
                .map(|name| format!("        self.{name} = {name}\n"))
                .collect::<Vec<_>>()
                .concat();
            format!("class {class}:\n    def __init__(self, {}):\n{own}\n\n", params.join(", "))
        };
        let classes: String = Problem::classes(spot.cases()).into_iter().map(class).collect();
        let text = format!("{imports}from shop import {name}\n\n\n{classes}{text}");
        let mut files = Files::from([(format!("tests/test_{name}.py"), text)]);
        match spot.form {
            Form::File => {
                let rows = cases_json(spot.problem, spot.cases());
                files.insert("tests/cases.json".to_owned(), rows);
            }
            Form::Snapshot => {
                let lines = spot.cases().iter().map(|case| json(&case.want, ", ", ": ") + "\n");
                files.insert(format!("tests/{name}.expected"), lines.collect());
            }
            _ => {}
        }
        files
    }
}

impl Python {
    fn check(problem: &Problem, args: &[String], want: &str) -> String {
        let call = format!("{}({})", problem.name, args.join(", "));
        if problem.raises() {
            format!("with pytest.raises(ValueError, match={want}):\n    {call}")
        } else {
            format!("assert {call} == {want}")
        }
    }

    fn rows(self, spot: &Spot) -> String {
        let row = |case: &Case| {
            let mut cells = self.args(case);
            cells.push(self.want(case));
            format!("        ({}),\n", cells.join(", "))
        };
        spot.cases().iter().map(row).collect()
    }

    fn test_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let (name, own) = (problem.name, names(problem));
        let varied = Self::check(problem, &own, "want");
        let head = own.join(", ");
        let test = format!("def test_{name}_of_what_is_given");
        let each = |case: &Case| {
            indented("    ", &Self::check(problem, &self.args(case), &self.want(case)))
        };
        let case = &spot.cases()[0];
        match form {
            Form::One | Form::Two | Form::Three | Form::Raises => {
                format!("{test}():\n{}", spot.cases().iter().map(each).collect::<String>())
            }
            Form::Loop => {
                let rows = self.rows(spot);
                let inner = indented("        ", &varied);
                format!("{test}():\n    for {head}, want in [\n{rows}    ]:\n{inner}")
            }
            Form::Rows | Form::RaisesRows => {
                let titles: Vec<String> = own
                    .iter()
                    .map(String::as_str)
                    .chain(["want"])
                    .map(|name| format!("{name:?}"))
                    .collect();
                let rows = self.rows(spot);
                let mark = format!(
                    "@pytest.mark.parametrize(\n    ({}),\n    [\n{rows}    ],\n)\n",
                    titles.join(", ")
                );
                format!("{mark}{test}({head}, want):\n{}", indented("    ", &varied))
            }
            Form::Fixture => {
                let star = if own.len() == 1 { "given" } else { "*given" };
                let check =
                    indented("    ", &Self::check(problem, &[star.to_owned()], &self.want(case)));
                let given = self.args(case).join(", ");
                format!(
                    "@pytest.fixture\ndef given():\n    return {given}\n\n\n{test}(given):\n{check}"
                )
            }
            Form::Constant => {
                let capitals: Vec<String> = own.iter().map(|name| name.to_uppercase()).collect();
                let pairs = capitals.iter().zip(self.args(case));
                let lines: String = pairs
                    .map(|(name, value)| format!("{name} = {value}\n"))
                    .collect::<Vec<_>>()
                    .concat();
                let check = indented("    ", &Self::check(problem, &capitals, &self.want(case)));
                format!("{lines}\n\n{test}():\n{check}")
            }
            Form::Helper => {
                let line = |case: &Case| {
                    format!("    check({}, {})\n", self.args(case).join(", "), self.want(case))
                };
                let lines: String = spot.cases().iter().map(line).collect();
                let inner = indented("    ", &varied);
                format!("def check({head}, want):\n{inner}\n\n{test}():\n{lines}")
            }
            Form::File => {
                let read = "json.loads(Path(__file__).with_name(\"cases.json\").read_text())";
                let fields: Vec<String> =
                    own.iter().map(|name| format!("case[{name:?}]")).collect();
                let inner = indented("        ", &Self::check(problem, &fields, "case[\"want\"]"));
                format!("{test}():\n    for case in {read}:\n{inner}")
            }
            Form::Snapshot => {
                let call = |case: &Case| {
                    format!(
                        "    shown += json.dumps({name}({})) + \"\\n\"\n",
                        self.args(case).join(", ")
                    )
                };
                let calls: String = spot.cases().iter().map(call).collect();
                let read = format!("Path(__file__).with_name(\"{name}.expected\").read_text()");
                format!("{test}():\n    shown = \"\"\n{calls}    assert shown == {read}\n")
            }
        }
    }
}

fn list<'a>(numbers: impl Iterator<Item = &'a i64>) -> String {
    numbers.map(|number| format!("{number},")).collect::<Vec<_>>().join(" ")
}

/// One alone, or several as a tuple.
fn tuple(parts: &[String]) -> String {
    if parts.len() == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) }
}
