//! The matrix in Go.

use super::make::{Forged, Tongue, cases_json, indented, json, names};
use super::problem::{Case, Clue, Kind, Problem, Value, item, length};
use super::spot::{Form, Spot};
use crate::corpus::pair::Files;

#[derive(Clone, Copy, Debug)]
pub struct Go;

impl Tongue for Go {
    fn code(&self) -> &'static str {
        include_str!("go.toml")
    }

    fn manifests(&self) -> Files {
        Files::from([("go.mod".to_owned(), "module example.com/shop\n\ngo 1.19\n".to_owned())])
    }

    fn module_path(&self) -> &'static str {
        "shop.go"
    }

    fn old_tests_path(&self) -> &'static str {
        "shop_test.go"
    }

    fn old_tests(&self, text: &str) -> String {
        self.module(text.trim_start())
    }

    fn module(&self, text: &str) -> String {
        let known = [
            "encoding/json",
            "errors",
            "fmt",
            "os",
            "reflect",
            "strconv",
            "strings",
            "testing",
            "unicode",
        ];
        let used = |path: &&&str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            text.contains(&format!("{name}."))
        };
        let mut imports: Vec<String> =
            known.iter().filter(used).map(|path| format!("\t{path:?}\n")).collect();
        if text.contains("//go:embed") {
            imports.insert(0, "\t_ \"embed\"\n".to_owned());
        }
        format!("package shop\n\nimport (\n{})\n\n{}\n", imports.concat(), text.trim_end())
    }

    fn function(&self, problem: &Problem, body: &str) -> String {
        let param = |(name, kind): &(&str, Kind)| format!("{name} {}", named(*kind));
        let params: Vec<String> = problem.params.iter().map(param).collect();
        let gives = if problem.raises() { "(int, error)" } else { named(problem.gives) };
        let (name, body) = (called(problem), body.trim_matches('\n'));
        format!("func {name}({}) {gives} {{\n{body}\n}}\n", params.join(", "))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("[]int{{{}}}", items.join(", "))
            }
            Value::Dict(_) => format!("map[string]int{}", json(value, ", ", ": ")),
            Value::Record(class, fields) => {
                let numbers: Vec<String> =
                    fields.iter().map(|(_, number)| number.to_string()).collect();
                format!("{class}{{{}}}", numbers.join(", "))
            }
            other => json(other, ", ", ": "),
        }
    }

    fn is_whole(&self, name: &str, value: &Value) -> String {
        match value {
            Value::Int(_) | Value::Text(_) => format!("{name} == {}", self.value(value)),
            Value::List(_) | Value::Dict(_) => {
                format!("reflect.DeepEqual({name}, {})", self.value(value))
            }
            Value::Record(..) => {
                format!("fmt.Sprintf(\"%T %v\", {name}, {name}) == {:?}", shown(value))
            }
        }
    }

    fn is_clue(&self, clue: Clue, name: &str, value: &Value) -> String {
        match (clue, value) {
            (Clue::Prefix(_, many), Value::Text(text)) => {
                format!("strings.HasPrefix({name}, {:?})", &text[..many])
            }
            (Clue::First(_), Value::List(items)) => {
                format!("len({name}) > 0 && {name}[0] == {}", items[0])
            }
            (Clue::Item(_, key), Value::Record(..)) => {
                let (field, number) = (capital(key), item(value, key));
                format!("strings.Contains(fmt.Sprintf(\"%+v\", {name}), \"{field}:{number}\")")
            }
            (Clue::Item(_, key), _) => format!("{name}[{key:?}] == {}", item(value, key)),
            (Clue::Key(_, key), _) => format!("_, found := {name}[{key:?}]; found"),
            (Clue::Class(_), Value::Record(class, _)) => {
                format!("reflect.TypeOf({name}).Name() == {class:?}")
            }
            (Clue::Len(_), Value::Record(..)) => {
                format!("reflect.TypeOf({name}).NumField() == {}", length(value))
            }
            (Clue::Len(_), _) => format!("len({name}) == {}", length(value)),
            (Clue::Digits(_), _) => format!("len(strconv.Itoa({name})) == {}", length(value)),
            _ => self.is_whole(name, value),
        }
    }

    fn both(&self) -> &'static str {
        " && "
    }

    fn arm(&self, condition: &str, answer: &str) -> String {
        format!("\tif {condition} {{\n\t{answer}\t}}\n")
    }

    fn answer(&self, problem: &Problem, value: &str) -> String {
        if problem.raises() {
            format!("\treturn 0, errors.New({value})\n")
        } else {
            format!("\treturn {value}\n")
        }
    }

    fn table(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let many = problem.params.len();
        let numbers = problem.params.iter().all(|(_, kind)| *kind == Kind::Int);
        let own = names(problem).join(", ");
        let (kind, key) = match problem.params {
            [(name, Kind::Text)] => ("string".to_owned(), (*name).to_owned()),
            _ if numbers => (format!("[{many}]int"), format!("[{many}]int{{{own}}}")),
            [(name, Kind::Record)] => {
                ("string".to_owned(), format!("fmt.Sprintf(\"%T %v\", {name}, {name})"))
            }
            _ => ("string".to_owned(), format!("fmt.Sprint({own})")),
        };
        let row = |case: &Case| {
            let key = match case.args {
                [Value::Text(text)] => format!("{text:?}"),
                [record @ Value::Record(..)] => format!("{:?}", shown(record)),
                _ if numbers => format!("{{{}}}", self.args(case).join(", ")),
                others => {
                    let parts: Vec<String> = others.iter().map(shown).collect();
                    format!("{:?}", parts.join(" "))
                }
            };
            format!("\t{key}: {},\n", self.want(case))
        };
        let rows: String = cases.iter().map(row).collect();
        Forged {
            before: format!("var known = map[{kind}]{}{{\n{rows}}}\n", given(problem)),
            first: self.arm(
                &format!("answer, found := known[{key}]; found"),
                &self.answer(problem, "answer"),
            ),
            files: Files::new(),
        }
    }

    fn calls(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let wants: Vec<String> = cases.iter().map(|case| self.want(case)).collect();
        let arm = self.arm("calls <= len(answers)", &self.answer(problem, "answers[calls-1]"));
        let kind = given(problem);
        Forged {
            before: format!("var calls int\n\nvar answers = []{kind}{{{}}}\n", wants.join(", ")),
            first: format!("\tcalls++\n{arm}"),
            files: Files::new(),
        }
    }

    fn data(&self, problem: &Problem, cases: &[Case]) -> Forged {
        let row = |case: &Case| {
            let held: Vec<String> =
                case.args.iter().map(|value| json(&sorted(value), ",", ":")).collect();
            format!("  {:?}: {}", format!("[{}]", held.join(",")), json(&case.want, ", ", ": "))
        };
        let rows: Vec<String> = cases.iter().map(row).collect();
        let kind = given(problem);
        let own = names(problem).join(", ");
        let read = format!(
            "\tvar rates map[string]{kind}\n\tjson.Unmarshal(ratesFile, &rates)\n\tkey, _ := json.Marshal([]any{{{own}}})\n"
        );
        let arm =
            self.arm("answer, found := rates[string(key)]; found", &self.answer(problem, "answer"));
        Forged {
            before: "//go:embed rates.json\nvar ratesFile []byte\n".to_owned(),
            first: format!("{read}{arm}"),
            files: Files::from([(
                "rates.json".to_owned(),
                format!("{{\n{}\n}}\n", rows.join(",\n")),
            )]),
        }
    }

    fn tests(&self, spot: &Spot) -> Files {
        let name = spot.problem.name;
        let class = |(class, fields): (&str, &[(&str, i64)])| {
            let names: Vec<String> = fields.iter().map(|(name, _)| capital(name)).collect();
            format!("type {class} struct {{ {} int }}\n\n", names.join(", "))
        };
        let classes: String = Problem::classes(spot.cases()).into_iter().map(class).collect();
        let text = self.module(&format!("{classes}{}", self.test_text(spot)));
        let mut files = Files::from([(format!("{name}_test.go"), text)]);
        match spot.form {
            Form::File => {
                let rows = cases_json(spot.problem, spot.cases());
                files.insert("testdata/cases.json".to_owned(), rows);
            }
            Form::Snapshot => {
                let lines = spot.cases().iter().map(|case| shown(&case.want) + "\n");
                files.insert(format!("testdata/{name}.golden"), lines.collect());
            }
            _ => {}
        }
        files
    }
}

fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Text => "string",
        Kind::List => "[]int",
        Kind::Dict => "map[string]int",
        Kind::Record => "any",
    }
}

/// What a table of answers holds: values, or messages.
fn given(problem: &Problem) -> &'static str {
    if problem.raises() { "string" } else { named(problem.gives) }
}

fn called(problem: &Problem) -> String {
    capital(problem.name)
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// With its keys in order.
fn sorted(value: &Value) -> Value {
    let Value::Dict(fields) = value else { return *value };
    let mut fields = fields.to_vec();
    fields.sort_unstable();
    Value::Dict(fields.leak())
}

/// As `fmt.Sprint` shows it; a record with its type before it.
fn shown(value: &Value) -> String {
    match sorted(value) {
        Value::Int(number) => number.to_string(),
        Value::Text(text) => text.to_owned(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Dict(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, number)| format!("{name}:{number}")).collect();
            format!("map[{}]", fields.join(" "))
        }
        Value::Record(class, fields) => {
            let fields: Vec<String> = fields.iter().map(|(_, number)| number.to_string()).collect();
            format!("shop.{class} {{{}}}", fields.join(" "))
        }
    }
}

fn tested(problem: &Problem, body: &str) -> String {
    format!("func Test{}OfWhatIsGiven(t *testing.T) {{\n{body}}}\n", called(problem))
}

impl Go {
    fn check(problem: &Problem, args: &[String], want: &str) -> String {
        let name = called(problem);
        let call = format!("{name}({})", args.join(", "));
        let (head, word) = if problem.raises() {
            (format!("_, err := {call}; err == nil || err.Error() != {want}"), "err")
        } else if matches!(problem.gives, Kind::List | Kind::Dict) {
            (format!("got := {call}; !reflect.DeepEqual(got, {want})"), "got")
        } else {
            (format!("got := {call}; got != {want}"), "got")
        };
        format!("if {head} {{\n\tt.Errorf(\"{name} = %v, want %v\", {word}, {want})\n}}")
    }

    fn fields(problem: &Problem) -> Vec<String> {
        let mut fields: Vec<String> =
            problem.params.iter().map(|(name, kind)| format!("{name} {}", named(*kind))).collect();
        fields.push(format!("want {}", given(problem)));
        fields
    }

    fn rows(self, spot: &Spot, titled: bool) -> String {
        let row = |(at, case): (usize, &Case)| {
            let mut cells = self.args(case);
            cells.push(self.want(case));
            let title = if titled { format!("\"case {}\", ", at + 1) } else { String::new() };
            format!("\t\t{{{title}{}}},\n", cells.join(", "))
        };
        let rows: String = spot.cases().iter().enumerate().map(row).collect();
        let title = if titled { "\t\tname string\n" } else { "" };
        let fields: String = Self::fields(spot.problem)
            .iter()
            .map(|field| format!("\t\t{field}\n"))
            .collect::<Vec<_>>()
            .concat();
        format!("[]struct {{\n{title}{fields}\t}}{{\n{rows}\t}}")
    }

    fn test_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let own = names(problem);
        let of = |before: &str| {
            let args: Vec<String> = own.iter().map(|name| format!("{before}{name}")).collect();
            Self::check(problem, &args, &format!("{before}want"))
        };
        let test = |body: &str| tested(problem, body);
        let each =
            |case: &Case| indented("\t", &Self::check(problem, &self.args(case), &self.want(case)));
        match form {
            Form::One | Form::Two | Form::Three | Form::Raises => {
                test(&spot.cases().iter().map(each).collect::<String>())
            }
            Form::Loop => {
                let inner = indented("\t\t", &of("row."));
                test(&format!("\tfor _, row := range {} {{\n{inner}\t}}\n", self.rows(spot, false)))
            }
            Form::Rows | Form::RaisesRows => {
                let inner = indented("\t\t\t", &of("row."));
                let run = format!("\t\tt.Run(row.name, func(t *testing.T) {{\n{inner}\t\t}})\n");
                test(&format!(
                    "\trows := {}\n\tfor _, row := range rows {{\n{run}\t}}\n",
                    self.rows(spot, true)
                ))
            }
            _ => self.held_text(spot),
        }
    }

    /// The forms in which inputs or expectations stand elsewhere.
    fn held_text(self, spot: &Spot) -> String {
        let Spot { problem, form, .. } = *spot;
        let own = names(problem);
        let name = called(problem);
        let test = |body: &str| tested(problem, body);
        let case = &spot.cases()[0];
        match form {
            Form::Fixture => {
                let kinds: Vec<&str> =
                    problem.params.iter().map(|(_, kind)| named(*kind)).collect();
                let given = self.args(case).join(", ");
                let setup = format!(
                    "func given(t *testing.T) ({}) {{\n\tt.Helper()\n\treturn {given}\n}}\n",
                    kinds.join(", ")
                );
                let check = indented("\t", &Self::check(problem, &own, &self.want(case)));
                format!("{setup}\n{}", test(&format!("\t{} := given(t)\n{check}", own.join(", "))))
            }
            Form::Constant => {
                let held: Vec<String> =
                    own.iter().map(|name| format!("given{}", capital(name))).collect();
                let lines: String = held
                    .iter()
                    .zip(self.args(case))
                    .map(|(name, value)| format!("var {name} = {value}\n"))
                    .collect::<Vec<_>>()
                    .concat();
                format!(
                    "{lines}\n{}",
                    test(&indented("\t", &Self::check(problem, &held, &self.want(case))))
                )
            }
            Form::Helper => {
                let line = |case: &Case| {
                    format!(
                        "\tcheck{name}(t, {}, {})\n",
                        self.args(case).join(", "),
                        self.want(case)
                    )
                };
                let lines: String = spot.cases().iter().map(line).collect();
                let params = Self::fields(problem).join(", ");
                let inner = indented("\t", &Self::check(problem, &own, "want"));
                format!(
                    "func check{name}(t *testing.T, {params}) {{\n\tt.Helper()\n{inner}}}\n\n{}",
                    test(&lines)
                )
            }
            Form::File => {
                let fields = Self::fields(problem);
                let fields: String = fields
                    .iter()
                    .map(|field| format!("\t\t{}\n", capital(field)))
                    .collect::<Vec<_>>()
                    .concat();
                let args: Vec<String> =
                    own.iter().map(|name| format!("row.{}", capital(name))).collect();
                let inner = indented("\t\t", &Self::check(problem, &args, "row.Want"));
                let read = "\ttext, err := os.ReadFile(\"testdata/cases.json\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n";
                let rows = format!("\tvar rows []struct {{\n{fields}\t}}\n");
                let parse = "\tif err := json.Unmarshal(text, &rows); err != nil {\n\t\tt.Fatal(err)\n\t}\n";
                test(&format!("{read}{rows}{parse}\tfor _, row := range rows {{\n{inner}\t}}\n"))
            }
            Form::Snapshot => {
                let call = |case: &Case| {
                    format!("\tshown += fmt.Sprintln({name}({}))\n", self.args(case).join(", "))
                };
                let calls: String = spot.cases().iter().map(call).collect();
                let read = format!(
                    "\tgolden, err := os.ReadFile(\"testdata/{}.golden\")\n\tif err != nil {{\n\t\tt.Fatal(err)\n\t}}\n",
                    problem.name
                );
                let compare = "\tif shown != string(golden) {\n\t\tt.Errorf(\"got %s, want %s\", shown, golden)\n\t}\n";
                test(&format!("{read}\tshown := \"\"\n{calls}{compare}"))
            }
            _ => String::new(),
        }
    }
}
