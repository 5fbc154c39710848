//! The matrix in JavaScript with `node --test` and in TypeScript with vitest.

use super::make::{Forged, Tongue, cases_json, indented, json, names};
use super::problem::{Case, Clue, Kind, Problem, Value, item, length};
use super::spot::{Form, Spot};
use crate::corpus::pair::Files;

#[derive(Clone, Copy, Debug)]
pub struct Script {
    pub typed: bool,
}

impl Tongue for Script {
    fn code(&self) -> &'static str {
        include_str!("javascript.toml")
    }

    fn manifests(&self) -> Files {
        let more = if self.typed {
            "\"scripts\": { \"test\": \"vitest run\" },\n  \"devDependencies\": { \"vitest\": \"*\" }"
        } else {
            "\"scripts\": { \"test\": \"node --test tests/\" }"
        };
        let package = format!(
            "{{\n  \"name\": \"shop\",\n  \"version\": \"1.0.0\",\n  \"type\": \"module\",\n  {more}\n}}\n"
        );
        let lock = "{\n  \"name\": \"shop\",\n  \"version\": \"1.0.0\",\n  \"lockfileVersion\": 3,\n  \"packages\": {}\n}\n";
        Files::from([
            ("package.json".to_owned(), package),
            ("package-lock.json".to_owned(), lock.to_owned()),
            (".gitignore".to_owned(), "node_modules\n".to_owned()),
        ])
    }

    fn module_path(&self) -> &'static str {
        if self.typed { "src/shop.ts" } else { "src/shop.js" }
    }

    fn old_tests_path(&self) -> &'static str {
        if self.typed { "tests/shop.test.ts" } else { "tests/shop.test.js" }
    }

    fn old_tests(&self, text: &str) -> String {
        let mut lines = String::new();
        for line in text.lines() {
            let Some((word, rest)) = line.trim_start().split_once('(') else {
                lines.extend([line, "\n"]);
                continue;
            };
            let told = match (word, rest.trim_end_matches(");").rsplit_once("), ")) {
                ("EQUAL" | "SAME", Some((call, want))) => {
                    let kind = if word == "EQUAL" { Kind::Int } else { Kind::Dict };
                    format!("  {}\n", self.compared(kind, &format!("{call})"), want))
                }
                _ => format!("{line}\n"),
            };
            lines.push_str(&told);
        }
        self.with_imports(lines.trim_start())
    }

    fn module(&self, text: &str) -> String {
        let mut kept = String::new();
        // What stands between two marks is a type.
        for (at, part) in text.split('@').enumerate() {
            if at % 2 == 0 || self.typed {
                kept.push_str(part);
            }
        }
        let read = kept.contains("readFileSync(");
        let imports = if read { "import { readFileSync } from \"node:fs\";\n\n" } else { "" };
        format!("{imports}{}\n", kept.trim_end())
    }

    fn function(&self, problem: &Problem, body: &str) -> String {
        let param = |(name, kind): &(&str, Kind)| format!("{name}@: {}@", named(*kind));
        let params: Vec<String> = problem.params.iter().map(param).collect();
        let body = body.trim_matches('\n');
        let (name, gives) = (problem.name, named(problem.gives));
        format!("export function {name}({})@: {gives}@ {{\n{body}\n}}\n", params.join(", "))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Record(name, fields) => {
                let numbers: Vec<String> =
                    fields.iter().map(|(_, number)| number.to_string()).collect();
                format!("new {name}({})", numbers.join(", "))
            }
            Value::Dict(fields) => {
                let fields = fields.iter().map(|(name, number)| format!("{name}: {number}"));
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            other => json(other, ", ", ": "),
        }
    }

    fn is_whole(&self, name: &str, value: &Value) -> String {
        let whole = || format!("JSON.stringify({name}) === '{}'", json(value, ",", ":"));
        match value {
            Value::Int(_) | Value::Text(_) => format!("{name} === {}", self.value(value)),
            Value::List(_) | Value::Dict(_) => whole(),
            Value::Record(class, _) => {
                format!("{name}.constructor.name === {class:?} && {}", whole())
            }
        }
    }

    fn is_clue(&self, clue: Clue, name: &str, value: &Value) -> String {
        let loose = if self.typed { format!("({name} as any)") } else { name.to_owned() };
        match (clue, value) {
            (Clue::Prefix(_, many), Value::Text(text)) => {
                format!("{name}.startsWith({:?})", &text[..many])
            }
            (Clue::First(_), Value::List(items)) => format!("{name}[0] === {}", items[0]),
            (Clue::Item(_, key), _) => format!("{loose}.{key} === {}", item(value, key)),
            (Clue::Key(_, key), _) => format!("{key:?} in {name}"),
            (Clue::Class(_), Value::Record(class, _)) => {
                format!("{name}.constructor.name === {class:?}")
            }
            (Clue::Len(_), Value::Dict(_) | Value::Record(..)) => {
                format!("Object.keys({name}).length === {}", length(value))
            }
            (Clue::Len(_), _) => format!("{name}.length === {}", length(value)),
            (Clue::Digits(_), _) => format!("String({name}).length === {}", length(value)),
            _ => self.is_whole(name, value),
        }
    }

    fn both(&self) -> &'static str {
        " && "
    }

    fn arm(&self, condition: &str, answer: &str) -> String {
        format!("  if ({condition}) {{\n  {answer}  }}\n")
    }

    fn answer(&self, problem: &Problem, value: &str) -> String {
        if problem.raises() {
            format!("  throw new RangeError({value});\n")
        } else {
            format!("  return {value};\n")
        }
    }

    fn table(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let text = problem.params.len() == 1 && problem.takes(Kind::Text);
        let row = |case: &Case| {
            let held: Vec<String> = case.args.iter().map(|value| json(value, ",", ":")).collect();
            let key = if text { held[0].clone() } else { format!("'[{}]'", held.join(",")) };
            format!("  {key}: {},\n", self.want(case))
        };
        let rows: String = cases.iter().map(row).collect();
        let key = if text {
            format!("const key = {};", problem.params[0].0)
        } else {
            format!("const key = JSON.stringify([{}]);", names(problem).join(", "))
        };
        let arm = self.arm("key in KNOWN", &self.answer(problem, "KNOWN[key]"));
        Forged {
            before: format!("const KNOWN@: Record<string, any>@ = {{\n{rows}}};\n"),
            first: format!("  {key}\n{arm}"),
            files: Files::new(),
        }
    }

    fn calls(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let wants: Vec<String> = cases.iter().map(|case| self.want(case)).collect();
        let arm = self.arm("calls <= ANSWERS.length", &self.answer(problem, "ANSWERS[calls - 1]"));
        Forged {
            before: format!("const ANSWERS@: any[]@ = [{}];\nlet calls = 0;\n", wants.join(", ")),
            first: format!("  calls += 1;\n{arm}"),
            files: Files::new(),
        }
    }

    fn data(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let row = |case: &Case| {
            let held: Vec<String> = case.args.iter().map(|value| json(value, ",", ":")).collect();
            format!("  {:?}: {}", format!("[{}]", held.join(",")), json(&case.want, ", ", ": "))
        };
        let rows: Vec<String> = cases.iter().map(row).collect();
        let read = "JSON.parse(readFileSync(new URL(\"./rates.json\", import.meta.url), \"utf8\"))";
        let key = format!("  const key = JSON.stringify([{}]);\n", names(problem).join(", "));
        let arm = self.arm("key in RATES", &self.answer(problem, "RATES[key]"));
        Forged {
            before: format!("const RATES@: Record<string, any>@ = {read};\n"),
            first: format!("{key}{arm}"),
            files: Files::from([(
                "src/rates.json".to_owned(),
                format!("{{\n{}\n}}\n", rows.join(",\n")),
            )]),
        }
    }

    fn tests(&self, spot: &Spot) -> Files {
        let name = spot.problem.name;
        let class = |(class, fields): (&str, &[(&str, i64)])| {
            let params: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            let own: String = params
                .iter()
                .map(|name| format!("    this.{name} = {name};\n"))
                .collect::<Vec<_>>()
                .concat();
            let typed: Vec<String> =
                params.iter().map(|name| format!("{name}@: number@")).collect();
            let fields: String = params
                .iter()
                .map(|name| format!("@  {name}: number;\n@"))
                .collect::<Vec<_>>()
                .concat();
            format!(
                "class {class} {{\n{fields}  constructor({}) {{\n{own}  }}\n}}\n\n",
                typed.join(", ")
            )
        };
        let classes: String = Problem::classes(spot.cases()).into_iter().map(class).collect();
        let text = self.module(&format!("{classes}{}", self.test_text(spot)));
        let text =
            self.with_imports(&format!("import {{ {name} }} from \"../src/shop.js\";\n\n{text}"));
        let ending = if self.typed { "ts" } else { "js" };
        let mut files = Files::from([(format!("tests/{name}.test.{ending}"), text)]);
        match spot.form {
            Form::File => {
                let rows = cases_json(spot.problem, spot.cases());
                files.insert("tests/cases.json".to_owned(), rows);
            }
            Form::Snapshot if self.typed => {
                files.insert(format!("tests/__snapshots__/{name}.test.ts.snap"), kept(spot));
            }
            Form::Snapshot => {
                let lines = spot.cases().iter().map(|case| json(&case.want, ",", ":") + "\n");
                files.insert(format!("tests/{name}.expected"), lines.collect());
            }
            _ => {}
        }
        files
    }
}

fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "number",
        Kind::Text => "string",
        Kind::List => "number[]",
        Kind::Dict => "Record<string, number>",
        Kind::Record => "object",
    }
}

/// A file of snapshots as vitest writes it.
fn kept(spot: &Spot) -> String {
    let shown = |value: &Value| match value {
        Value::List(items) => {
            let items: String =
                items.iter().map(|item| format!("  {item},\n")).collect::<Vec<_>>().concat();
            format!("\n[\n{items}]\n")
        }
        Value::Dict(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|(name, number)| format!("  {name:?}: {number},\n")).collect();
            fields.sort();
            format!("\n{{\n{}}}\n", fields.concat())
        }
        other => json(other, ", ", ": "),
    };
    let mut text = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n".to_owned();
    for (at, case) in spot.cases().iter().enumerate() {
        let title = format!("{} of what is given {}", spot.problem.name, at + 1);
        text.extend(["\nexports[`", &title, "`] = `", &shown(&case.want), "`;\n"]);
    }
    text
}

fn tested(problem: &Problem, body: &str) -> String {
    format!("test(\"{} of what is given\", () => {{\n{body}}});\n", problem.name)
}

impl Script {
    fn with_imports(self, text: &str) -> String {
        let mut imports = String::new();
        let hook = if text.contains("beforeEach(") { "beforeEach, " } else { "" };
        if text.contains("readFileSync(") && !text.contains("import { readFileSync") {
            imports.push_str("import { readFileSync } from \"node:fs\";\n");
        }
        if self.typed {
            imports.extend(["import { ", hook, "expect, test } from \"vitest\";\n"]);
        } else {
            imports.push_str("import assert from \"node:assert/strict\";\n");
            imports.extend(["import { ", hook, "test } from \"node:test\";\n"]);
        }
        format!("{imports}{text}")
    }

    /// A value of this kind, compared with another.
    fn compared(self, kind: Kind, call: &str, want: &str) -> String {
        let deep = matches!(kind, Kind::List | Kind::Dict);
        match (self.typed, deep) {
            (true, true) => format!("expect({call}).toEqual({want});"),
            (true, false) => format!("expect({call}).toBe({want});"),
            (false, true) => format!("assert.deepEqual({call}, {want});"),
            (false, false) => format!("assert.equal({call}, {want});"),
        }
    }

    fn check(self, problem: &Problem, args: &[String], want: &str) -> String {
        let call = format!("{}({})", problem.name, args.join(", "));
        match (problem.raises(), self.typed) {
            (true, true) => format!("expect(() => {call}).toThrow({want});"),
            (true, false) => {
                format!("assert.throws(() => {call}, {{ name: \"RangeError\", message: {want} }});")
            }
            (false, _) => self.compared(problem.gives, &call, want),
        }
    }

    fn rows(self, spot: &Spot) -> String {
        let row = |case: &Case| {
            let mut cells = self.args(case);
            cells.push(self.want(case));
            format!("  [{}],\n", cells.join(", "))
        };
        let rows: String = spot.cases().iter().map(row).collect();
        format!("const ROWS@: any[][]@ = [\n{rows}];\n\n")
    }

    fn test_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let name = problem.name;
        let own = names(problem);
        let varied = self.check(problem, &own, "want");
        let head = own.join(", ");
        let title = format!("{name} of what is given");
        let test = |body: &str| tested(problem, body);
        let each =
            |case: &Case| indented("  ", &self.check(problem, &self.args(case), &self.want(case)));
        match form {
            Form::One | Form::Two | Form::Three | Form::Raises => {
                test(&spot.cases().iter().map(each).collect::<String>())
            }
            Form::Loop => {
                let rows = indented("  ", self.rows(spot).trim_end());
                test(&format!(
                    "{rows}  for (const [{head}, want] of ROWS) {{\n    {varied}\n  }}\n"
                ))
            }
            Form::Rows | Form::RaisesRows if self.typed => {
                let rows = self.rows(spot).replacen("const ROWS@: any[][]@ = ", "test.each(", 1);
                let rows = rows.trim_end().trim_end_matches(';').to_owned();
                let typed: Vec<String> = own.iter().map(|name| format!("{name}: any")).collect();
                format!(
                    "{rows})(\"{title} %#\", ({}, want: any) => {{\n  {varied}\n}});\n",
                    typed.join(", ")
                )
            }
            Form::Rows | Form::RaisesRows => {
                let rows = self.rows(spot);
                let title = format!("`{title}: ${{JSON.stringify([{head}])}}`");
                let inner = format!("  test({title}, () => {{\n    {varied}\n  }});\n");
                format!("{rows}for (const [{head}, want] of ROWS) {{\n{inner}}}\n")
            }
            _ => self.held_text(spot),
        }
    }

    /// The forms in which inputs or expectations stand elsewhere.
    fn held_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let name = problem.name;
        let own = names(problem);
        let varied = self.check(problem, &own, "want");
        let test = |body: &str| tested(problem, body);
        let case = &spot.cases()[0];
        match form {
            Form::Fixture => {
                let pairs: Vec<String> = own
                    .iter()
                    .zip(self.args(case))
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect();
                let given: Vec<String> = own.iter().map(|name| format!("given.{name}")).collect();
                let check = indented("  ", &self.check(problem, &given, &self.want(case)));
                let hook =
                    format!("beforeEach(() => {{\n  given = {{ {} }};\n}});\n", pairs.join(", "));
                format!("let given@: any@;\n\n{hook}\n{}", test(&check))
            }
            Form::Constant => {
                let capitals: Vec<String> = own.iter().map(|name| name.to_uppercase()).collect();
                let pairs = capitals.iter().zip(self.args(case));
                let lines: String = pairs
                    .map(|(name, value)| format!("const {name} = {value};\n"))
                    .collect::<Vec<_>>()
                    .concat();
                format!(
                    "{lines}\n{}",
                    test(&indented("  ", &self.check(problem, &capitals, &self.want(case))))
                )
            }
            Form::Helper => {
                let line = |case: &Case| {
                    format!("  check({}, {});\n", self.args(case).join(", "), self.want(case))
                };
                let lines: String = spot.cases().iter().map(line).collect();
                let typed: Vec<String> = own.iter().map(|name| format!("{name}@: any@")).collect();
                let helper = format!(
                    "function check({}, want@: any@) {{\n  {varied}\n}}\n",
                    typed.join(", ")
                );
                format!("{helper}\n{}", test(&lines))
            }
            Form::File => {
                let read = "JSON.parse(readFileSync(new URL(\"./cases.json\", import.meta.url), \"utf8\"))";
                let fields: Vec<String> = own.iter().map(|name| format!("row.{name}")).collect();
                let check = self.check(problem, &fields, "row.want");
                test(&format!("  for (const row of {read}) {{\n    {check}\n  }}\n"))
            }
            Form::Snapshot if self.typed => {
                let call = |case: &Case| {
                    format!("  expect({name}({})).toMatchSnapshot();\n", self.args(case).join(", "))
                };
                test(&spot.cases().iter().map(call).collect::<String>())
            }
            Form::Snapshot => {
                let call = |case: &Case| {
                    format!(
                        "  shown += JSON.stringify({name}({})) + \"\\n\";\n",
                        self.args(case).join(", ")
                    )
                };
                let calls: String = spot.cases().iter().map(call).collect();
                let read = format!(
                    "readFileSync(new URL(\"./{name}.expected\", import.meta.url), \"utf8\")"
                );
                test(&format!("  let shown = \"\";\n{calls}  assert.equal(shown, {read});\n"))
            }
            _ => String::new(),
        }
    }
}
