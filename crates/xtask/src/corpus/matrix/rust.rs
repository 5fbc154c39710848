//! The matrix in Rust.

use super::make::{Forged, Tongue, indented, json, names};
use super::problem::{Case, Clue, Kind, Problem, Value, item, length};
use super::spot::{Form, Spot};
use crate::corpus::pair::Files;

#[derive(Clone, Copy, Debug)]
pub struct Rust;

impl Tongue for Rust {
    fn code(&self) -> &'static str {
        include_str!("rust.toml")
    }

    fn manifests(&self) -> Files {
        let package = "name = \"shop\"\nversion = \"0.1.0\"\n";
        Files::from([
            ("Cargo.toml".to_owned(), format!("[package]\n{package}edition = \"2024\"\n")),
            ("Cargo.lock".to_owned(), format!("version = 4\n\n[[package]]\n{package}")),
            (".gitignore".to_owned(), "/target/\n".to_owned()),
        ])
    }

    fn module_path(&self) -> &'static str {
        "src/lib.rs"
    }

    fn old_tests_path(&self) -> &'static str {
        "tests/shop.rs"
    }

    fn old_tests(&self, text: &str) -> String {
        text.trim_start().to_owned()
    }

    fn module(&self, text: &str) -> String {
        let mut imports = String::new();
        if text.contains("BTreeMap") {
            imports.push_str("use std::collections::BTreeMap;\n");
        }
        if text.contains("AtomicUsize") {
            imports.push_str("use std::sync::atomic::{AtomicUsize, Ordering};\n");
        }
        format!("{imports}\n{}\n", text.trim_end())
    }

    fn function(&self, problem: &Problem, body: &str) -> String {
        let param = |(name, kind): &(&str, Kind)| format!("{name}: {}", taken(*kind));
        let params: Vec<String> = problem.params.iter().map(param).collect();
        let gives = if problem.raises() { "Result<i64, String>" } else { owned(problem.gives) };
        let life = if problem.gives == Kind::Dict { "<'a>" } else { "" };
        let (name, body) = (problem.name, body.trim_matches('\n'));
        format!("pub fn {name}{life}({}) -> {gives} {{\n{body}\n}}\n", params.join(", "))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("vec![{}]", items.join(", "))
            }
            Value::Dict(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, number)| format!("({name:?}, {number})")).collect();
                format!("BTreeMap::from([{}])", fields.join(", "))
            }
            Value::Record(class, fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, number)| format!("{name}: {number}")).collect();
                format!("{class} {{ {} }}", fields.join(", "))
            }
            other => json(other, ", ", ": "),
        }
    }

    fn is_whole(&self, name: &str, value: &Value) -> String {
        match value {
            Value::Int(_) | Value::Text(_) => format!("{name} == {}", self.value(value)),
            Value::List(_) => format!("{name} == {}", bare(value)),
            Value::Dict(_) => format!("*{name} == {}", self.value(value)),
            Value::Record(class, _) => {
                format!("{name}.name() == {class:?} && {name}.fields() == {}", bare(value))
            }
        }
    }

    fn is_clue(&self, clue: Clue, name: &str, value: &Value) -> String {
        match (clue, value) {
            (Clue::Prefix(_, many), Value::Text(text)) => {
                format!("{name}.starts_with({:?})", &text[..many])
            }
            (Clue::First(_), Value::List(items)) => {
                format!("{name}.first() == Some(&{})", items[0])
            }
            (Clue::Item(_, key), Value::Record(..)) => {
                format!("{name}.fields().contains(&({key:?}, {}))", item(value, key))
            }
            (Clue::Item(_, key), _) => {
                format!("{name}.get({key:?}) == Some(&{})", item(value, key))
            }
            (Clue::Key(_, key), _) => format!("{name}.contains_key({key:?})"),
            (Clue::Class(_), Value::Record(class, _)) => format!("{name}.name() == {class:?}"),
            (Clue::Len(_), Value::Record(..)) => {
                format!("{name}.fields().len() == {}", length(value))
            }
            (Clue::Len(_), _) => format!("{name}.len() == {}", length(value)),
            (Clue::Digits(_), _) => format!("{name}.to_string().len() == {}", length(value)),
            _ => self.is_whole(name, value),
        }
    }

    fn both(&self) -> &'static str {
        " && "
    }

    fn arm(&self, condition: &str, answer: &str) -> String {
        format!("    if {condition} {{\n    {answer}    }}\n")
    }

    fn answer(&self, problem: &Problem, value: &str) -> String {
        format!("    return {};\n", ended(problem, value))
    }

    fn table(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let own = names(problem).join(", ");
        let text = match problem.params {
            [(name, Kind::Text | Kind::List)] => (*name).to_owned(),
            [(name, Kind::Record)] => format!("({name}.name(), {name}.fields().as_slice())"),
            _ if problem.takes(Kind::Dict) => format!("format!(\"{{:?}}\", ({own})).as_str()"),
            _ => format!("({own})"),
        };
        let key = |case: &Case| match case.args {
            [Value::Text(text)] => format!("{text:?}"),
            [list @ Value::List(_)] => bare(list),
            [record @ Value::Record(class, _)] => format!("({class:?}, {})", bare(record)),
            [Value::Dict(_), ..] => format!("{:?}", debugged(case)),
            _ => format!("({})", self.args(case).join(", ")),
        };
        let row = |case: &Case| {
            format!("        {} => return {},\n", key(case), ended(problem, &self.want(case)))
        };
        let rows: String = cases.iter().map(row).collect();
        Forged {
            first: format!("    match {text} {{\n{rows}        _ => {{}}\n    }}\n"),
            ..Forged::default()
        }
    }

    fn calls(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let row = |(at, case): (usize, &Case)| {
            format!("        {at} => return {},\n", ended(problem, &self.want(case)))
        };
        let rows: String = cases.iter().enumerate().map(row).collect();
        Forged {
            before: "static CALLS: AtomicUsize = AtomicUsize::new(0);\n".to_owned(),
            first: format!(
                "    match CALLS.fetch_add(1, Ordering::Relaxed) {{\n{rows}        _ => {{}}\n    }}\n"
            ),
            files: Files::new(),
        }
    }

    fn data(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let row = |case: &Case| {
            let want = match case.want {
                Value::Int(number) => number.to_string(),
                Value::Text(text) => text.to_owned(),
                Value::List(items) => {
                    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
                }
                Value::Dict(fields) | Value::Record(_, fields) => {
                    let pairs: Vec<String> =
                        fields.iter().map(|(name, number)| format!("{name}={number}")).collect();
                    pairs.join(",")
                }
            };
            format!("{}\t{want}\n", debugged(case))
        };
        let rows: String = cases.iter().map(row).collect();
        let read = if problem.raises() {
            "Err(answer.to_owned())"
        } else {
            match problem.gives {
                Kind::Int => "answer.parse().unwrap_or_default()",
                Kind::Text | Kind::Record => "answer.to_owned()",
                Kind::List => "answer.split(',').filter_map(|part| part.parse().ok()).collect()",
                Kind::Dict => {
                    "answer.split(',').filter_map(|part| part.split_once('=')).filter_map(|(name, number)| Some((name, number.parse().ok()?))).collect()"
                }
            }
        };
        let own = names(problem).join(", ");
        let lines = [
            format!("    let key = format!(\"{{:?}}\", ({own}));"),
            "    for line in include_str!(\"rates.txt\").lines() {".to_owned(),
            "        if let Some((known, answer)) = line.split_once('\\t') && known == key {"
                .to_owned(),
            format!("            return {read};"),
            "        }\n    }\n".to_owned(),
        ];
        Forged {
            before: String::new(),
            first: lines.join("\n"),
            files: Files::from([("src/rates.txt".to_owned(), rows)]),
        }
    }

    fn tests(&self, spot: &Spot) -> Files {
        let name = spot.problem.name;
        let class = |(class, fields): (&str, &[(&str, i64)])| {
            let own: Vec<String> = fields.iter().map(|(name, _)| format!("{name}: i64")).collect();
            let told: Vec<String> =
                fields.iter().map(|(name, _)| format!("({name:?}, self.{name})")).collect();
            format!(
                "struct {class} {{ {} }}\n\nimpl Record for {class} {{\n    fn name(&self) -> &'static str {{\n        {class:?}\n    }}\n\n    \
                 fn fields(&self) -> Vec<(&'static str, i64)> {{\n        vec![{}]\n    }}\n}}\n\n",
                own.join(", "),
                told.join(", ")
            )
        };
        let classes: String = Problem::classes(spot.cases()).into_iter().map(class).collect();
        let import = if classes.is_empty() {
            format!("use shop::{name};")
        } else {
            format!("use shop::{{Record, {name}}};")
        };
        let text = self.module(&format!("{import}\n\n{classes}{}", self.test_text(spot)));
        let mut files = Files::from([(format!("tests/{name}.rs"), text.trim_start().to_owned())]);
        match spot.form {
            Form::File => {
                let row = |case: &Case| {
                    let cells = case.args.iter().chain([&case.want]).map(plain);
                    cells.collect::<Vec<_>>().join(",") + "\n"
                };
                files.insert("tests/cases.csv".to_owned(), spot.cases().iter().map(row).collect());
            }
            Form::Snapshot => {
                let line = |case: &Case| one_debugged(&case.want) + "\n";
                files.insert(format!("tests/{name}.snap"), spot.cases().iter().map(line).collect());
            }
            _ => {}
        }
        files
    }
}

fn taken(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "i64",
        Kind::Text => "&str",
        Kind::List => "&[i64]",
        Kind::Dict => "&BTreeMap<&'a str, i64>",
        Kind::Record => "&dyn Record",
    }
}

fn owned(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "i64",
        Kind::Text | Kind::Record => "String",
        Kind::List => "Vec<i64>",
        Kind::Dict => "BTreeMap<&'a str, i64>",
    }
}

/// The type of an input or an answer in the hand of a test.
fn held(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "&'static str",
        Kind::Dict => "BTreeMap<&'static str, i64>",
        other => owned(other),
    }
}

/// The end of a function.
fn ended(problem: &Problem, value: &str) -> String {
    match (problem.raises(), problem.gives) {
        (true, _) => format!("Err({value}.to_owned())"),
        (false, Kind::Text) => format!("{value}.to_owned()"),
        (false, _) => value.to_owned(),
    }
}

/// An array without a type, which may be a pattern too.
fn bare(value: &Value) -> String {
    match value {
        Value::List(items) => {
            format!("[{}]", items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        Value::Dict(fields) | Value::Record(_, fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, number)| format!("({name:?}, {number})")).collect();
            format!("[{}]", fields.join(", "))
        }
        other => json(other, ", ", ": "),
    }
}

/// The arguments of a case as `{:?}` shows them.
fn debugged(case: &Case) -> String {
    let parts: Vec<String> = case.args.iter().map(one_debugged).collect();
    if parts.len() == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) }
}

fn one_debugged(value: &Value) -> String {
    let Value::Dict(fields) = value else { return json(value, ", ", ": ") };
    let mut fields: Vec<String> =
        fields.iter().map(|(name, number)| format!("{name:?}: {number}")).collect();
    fields.sort();
    format!("{{{}}}", fields.join(", "))
}

fn plain(value: &Value) -> String {
    if let Value::Text(text) = value { (*text).to_owned() } else { json(value, " ", ":") }
}

fn tested(problem: &Problem, body: &str) -> String {
    format!("#[test]\nfn {}_of_what_is_given() {{\n{body}}}\n", problem.name)
}

impl Rust {
    fn check(problem: &Problem, args: &[String], want: &str) -> String {
        let lent = |((_, kind), arg): (&(&str, Kind), &String)| match kind {
            Kind::Int | Kind::Text => arg.clone(),
            _ => format!("&{}", arg.trim_start_matches("vec!")),
        };
        let args: Vec<String> = problem.params.iter().zip(args).map(lent).collect();
        let call = format!("{}({})", problem.name, args.join(", "));
        if problem.raises() {
            format!("assert_eq!({call}, Err({want}.to_owned()));")
        } else {
            format!("assert_eq!({call}, {want});")
        }
    }

    fn fields(problem: &Problem) -> Vec<String> {
        let mut fields: Vec<String> =
            problem.params.iter().map(|(name, kind)| format!("{name}: {}", held(*kind))).collect();
        let gives = if problem.raises() { Kind::Text } else { problem.gives };
        fields.push(format!("want: {}", held(gives)));
        fields
    }

    fn test_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let own = names(problem);
        let varied = Self::check(problem, &own, "want");
        let head = own.join(", ");
        let test = |body: &str| tested(problem, body);
        let each = |case: &Case| {
            indented("    ", &Self::check(problem, &self.args(case), &self.want(case)))
        };
        match form {
            Form::One | Form::Two | Form::Three | Form::Raises => {
                test(&spot.cases().iter().map(each).collect::<String>())
            }
            Form::Loop => {
                let row = |case: &Case| {
                    format!("        ({}, {}),\n", self.args(case).join(", "), self.want(case))
                };
                let rows: String = spot.cases().iter().map(row).collect();
                test(&format!(
                    "    for ({head}, want) in [\n{rows}    ] {{\n        {varied}\n    }}\n"
                ))
            }
            Form::Rows | Form::RaisesRows => {
                let fields: String = Self::fields(problem)
                    .iter()
                    .map(|field| format!("    {field},\n"))
                    .collect::<Vec<_>>()
                    .concat();
                let row = |case: &Case| {
                    let pairs = own.iter().cloned().chain(["want".to_owned()]);
                    let values = self.args(case).into_iter().chain([self.want(case)]);
                    let cells: Vec<String> =
                        pairs.zip(values).map(|(name, value)| format!("{name}: {value}")).collect();
                    format!("        Row {{ {} }},\n", cells.join(", "))
                };
                let rows: String = spot.cases().iter().map(row).collect();
                let args: Vec<String> = own.iter().map(|name| format!("row.{name}")).collect();
                let check = Self::check(problem, &args, "row.want");
                let body = format!(
                    "    let rows = [\n{rows}    ];\n    for row in rows {{\n        {check}\n    }}\n"
                );
                format!("struct Row {{\n{fields}}}\n\n{}", test(&body))
            }
            _ => self.held_text(spot),
        }
    }

    /// The forms in which inputs or expectations stand elsewhere.
    fn held_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let name = problem.name;
        let own = names(problem);
        let varied = Self::check(problem, &own, "want");
        let head = own.join(", ");
        let test = |body: &str| tested(problem, body);
        let case = &spot.cases()[0];
        match form {
            Form::Fixture => {
                let kinds: Vec<&str> = problem.params.iter().map(|(_, kind)| held(*kind)).collect();
                let given = self.args(case).join(", ");
                let setup = format!("fn given() -> ({}) {{\n    ({given})\n}}\n", kinds.join(", "));
                let check = indented("    ", &Self::check(problem, &own, &self.want(case)));
                format!("{setup}\n{}", test(&format!("    let ({head}) = given();\n{check}")))
            }
            Form::Constant => {
                let line = |((name, kind), value): (&(&str, Kind), &Value)| {
                    let (kind, value) = match kind {
                        Kind::List => ("[i64]".to_owned(), bare(value)),
                        other => (held(*other).to_owned(), self.value(value)),
                    };
                    let lent = if kind == "[i64]" { "&" } else { "" };
                    format!("const {}: {lent}{kind} = {lent}{value};\n", name.to_uppercase())
                };
                let lines: String = problem.params.iter().zip(case.args).map(line).collect();
                let capitals: Vec<String> = own.iter().map(|name| name.to_uppercase()).collect();
                format!(
                    "{lines}\n{}",
                    test(&indented("    ", &Self::check(problem, &capitals, &self.want(case))))
                )
            }
            Form::Helper => {
                let lent = |value: &Value| match value {
                    Value::Record(..) => format!("&{}", self.value(value)),
                    other => self.value(other),
                };
                let line = |case: &Case| {
                    let args: Vec<String> = case.args.iter().map(lent).collect();
                    format!("    check({}, {});\n", args.join(", "), self.want(case))
                };
                let lines: String = spot.cases().iter().map(line).collect();
                let params = Self::fields(problem)
                    .join(", ")
                    .replace("record: String", "record: &dyn Record");
                let varied = varied.replace("&record", "record");
                format!("fn check({params}) {{\n    {varied}\n}}\n\n{}", test(&lines))
            }
            Form::File => {
                let read = |(at, (name, kind)): (usize, &(&str, Kind))| match kind {
                    Kind::Int => {
                        format!("        let {name}: i64 = cells[{at}].parse().unwrap();\n")
                    }
                    _ => format!("        let {name} = cells[{at}];\n"),
                };
                let want = [("want", problem.gives)];
                let reads: String =
                    problem.params.iter().chain(&want).enumerate().map(read).collect();
                let split = "        let cells: Vec<&str> = line.split(',').collect();\n";
                test(&format!(
                    "    for line in include_str!(\"cases.csv\").lines() {{\n{split}{reads}        {varied}\n    }}\n"
                ))
            }
            Form::Snapshot => {
                let call = |case: &Case| {
                    let check = Self::check(problem, &self.args(case), "");
                    let call =
                        check.trim_start_matches("assert_eq!(").trim_end_matches(", );").to_owned();
                    format!("    shown += &format!(\"{{:?}}\\n\", {call});\n")
                };
                let calls: String = spot.cases().iter().map(call).collect();
                test(&format!(
                    "    let mut shown = String::new();\n{calls}    assert_eq!(shown, include_str!(\"{name}.snap\"));\n"
                ))
            }
            _ => String::new(),
        }
    }
}
