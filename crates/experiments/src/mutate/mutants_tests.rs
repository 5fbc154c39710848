//! What becomes of a few lines in every language, and what is left alone in all of them.

use super::*;

fn all(source: &str) -> BTreeSet<u32> {
    (1..=u32::try_from(source.lines().count()).unwrap()).collect()
}

/// The mutants of all lines as "line: what".
fn told(file: &str, source: &str) -> Vec<String> {
    let found = mutants(file, source, &all(source));
    found.iter().map(|e| format!("{}: {}", e.line, e.what)).collect()
}

/// The mutated lines alone.
fn written(file: &str, source: &str) -> Vec<String> {
    let found = mutants(file, source, &all(source));
    let plus = |e: &Edit| {
        let diff = e.diff(file, source);
        let lines: Vec<_> = diff.lines().filter_map(|l| l.strip_prefix('+')).collect();
        lines.iter().map(|l| l.trim()).collect::<Vec<_>>().join(" ")
    };
    found.iter().map(plus).collect()
}

#[test]
fn where_a_function_gives_up_early_it_may_go_on_instead() {
    let source = "def __eq__(self, other):
    if not isinstance(other, Money):
        return NotImplemented
    return self.cents == other.cents
";
    let left_out = "3: the return is left out".to_owned();
    assert!(told("a.py", source).contains(&left_out), "{:#?}", told("a.py", source));
    let script = "function f(a) {
  if (a.odd) {
    return g(a);
  }
  return a.b(3);
}
";
    assert!(told("a.js", script).contains(&left_out));
    assert!(!told("a.js", script).contains(&"5: the return is left out".to_owned()));
    let itself = script.replace("g(a)", "f(a.b)");
    assert!(!told("a.js", &itself).contains(&left_out));
}

#[test]
fn python_mutants_turn_conditions_values_and_statements() {
    let source = "def price(cart, rate):
    if cart.total < 10 and not rate:
        cart.fee = 5
    for item in cart.items:
        if item.free:
            continue
        cart.add(item)
    total = cart.total * rate
    total += 1
    return total
";
    assert_eq!(
        told("a.py", source),
        [
            "2: the body of `price` is left out, it returns None",
            "2: the condition is turned round",
            "2: `<` becomes `>=`",
            "2: `and` becomes `or`",
            "3: the assignment is left out",
            "3: `5` becomes `6`",
            "5: the condition is turned round",
            "6: `continue` becomes `break`",
            "7: the call is left out",
            "8: `*` becomes `/`",
            "9: `+=` becomes `-=`",
            "9: `1` becomes `2`",
            "10: returns None",
        ]
    );
    assert_eq!(
        written("a.py", "def f(a):\n    return a if a.ok() else 'no'\n"),
        ["return a if not (a.ok()) else 'no'", "return None", "return a if a.ok() else 'mutated'"]
    );
}

#[test]
fn rust_mutants_know_the_default_of_a_signature() {
    let of = |signature: &str, body: &str| {
        let source = format!("fn f(a: &T) -> {signature} {{\n    a.b();\n    {body}\n}}\n");
        let found = mutants("a.rs", &source, &BTreeSet::from([3]));
        let texts = found.iter().filter(|e| e.what.starts_with("returns"));
        texts.map(|e| e.text.clone()).collect::<Vec<_>>().concat()
    };
    assert_eq!(of("bool", "a.c()"), "false");
    assert_eq!(of("u8", "a.c()"), "0");
    assert_eq!(of("f64", "return a.c();"), "return 0.0");
    assert_eq!(of("String", "format!(\"{a}\")"), "String::new()");
    assert_eq!(of("&'static str", "a.c()"), "\"\"");
    assert_eq!(of("Option<T>", "Some(a)"), "None");
    assert_eq!(of("Vec<T>", "a.c()"), "Vec::new()");
    assert_eq!(of("Result<(), E>", "a.c()"), "Ok(())");
    assert_eq!(of("std::io::Result<(u8, Vec<T>)>", "a.c()"), "Ok((0, Vec::new()))");
    assert_eq!(of("&[T]", "a.c()"), "&[]");
    // Not told by the signature, a failure, or the default already.
    assert_eq!(of("Self", "a.c()"), "");
    assert_eq!(of("impl Iterator<Item = u8>", "a.c()"), "");
    assert_eq!(of("Result<u8, E>", "Err(a.c())"), "");
    assert_eq!(of("Vec<T>", "vec![]"), "");
}

#[test]
fn rust_mutants_reach_into_branches_and_leave_tests_alone() {
    let source = "#[derive(Default)]
pub struct Cart(u8);
pub fn name(kind: &str, n: u8) -> String {
    match kind {
        \"a\" if n > 1 => many(0..n),
        _ => panic!(\"no\"),
    }
}
pub fn cart() -> Cart {
    Cart(3)
}
#[test]
fn is_right() { assert_eq!(1 + 1, 2); let a = 1 + 2; }
#[cfg(test)]
mod tests { fn helper() -> bool { 1 < 2 } }
";
    assert_eq!(
        told("src/a.rs", source),
        [
            "3: the body of `name` is left out, it returns String::new()",
            "5: `>` becomes `<=`",
            "5: returns String::new()",
            "5: `>` becomes `>=`",
            "10: returns Default::default()",
            "10: `3` becomes `4`",
        ]
    );
}

#[test]
fn go_mutants_keep_every_name_in_use() {
    let source = "package a

func Sum(xs []int, m Money) (Money, error) {
	for i := 0; i < len(xs); i++ {
		m.add(xs[i])
	}
	if err := m.check(); err != nil {
		return m, err
	}
	return m, nil
}
";
    assert_eq!(
        written("a.go", source),
        [
            "func Sum(xs []int, m Money) (Money, error) { if true { return *new(Money), nil };",
            "for i := 0; false && (i < len(xs)); i++ {",
            "for i := 0; i <= len(xs); i++ {",
            "for i := 1; i < len(xs); i++ {",
            "if false { m.add(xs[i]) }",
            "if err := m.check(); err == nil {",
            "if true { return *new(Money), nil }; return m, nil",
        ]
    );
}

#[test]
fn script_mutants_know_what_an_annotation_says() {
    let source = "export async function load(id: string): Promise<number> {
  const rows = await get(id);
  if (rows.length === 0 || !id) { throw new Error(\"no \" + id); }
  return rows.length;
}
export const name = (row: Row): string => row.name + \"!\";
";
    assert_eq!(
        told("a.ts", source),
        [
            "1: the body of `load` is left out, it returns 0",
            "3: the condition is turned round",
            "3: `===` becomes `!==`",
            "3: `||` becomes `&&`",
            "4: returns 0",
            "6: returns \"\"",
            "6: `\"!\"` becomes `\"mutated\"`",
        ]
    );
    let plain = "const f = (a) => {\n  a.b = 1;\n  return a.c ?? 2;\n};\n";
    assert_eq!(
        written("a.mjs", plain),
        [
            "const f = (a) => {};",
            ";",
            "a.b = 2;",
            "return a.c && 2;",
            "return undefined;",
            "return a.c ?? 3;"
        ]
    );
    assert_eq!(
        written("a.tsx", "const V = (p: P) => <a href=\"x\">{p.n > 1 ? 'm' : 'o'}</a>;\n"),
        [
            "const V = (p: P) => <a href=\"x\">{p.n <= 1 ? 'm' : 'o'}</a>;",
            "const V = (p: P) => undefined as any;",
            "const V = (p: P) => <a href=\"x\">{p.n >= 1 ? 'm' : 'o'}</a>;",
        ]
    );
}

#[test]
fn what_no_test_should_notice_is_left_alone() {
    let python = "\"\"\"Text.\"\"\"
from a import b
from typing import TYPE_CHECKING, TypeVar
if TYPE_CHECKING:
    c = 1 + 2
__version__ = \"1.2\"
T = TypeVar(\"T\")
REQUEST_TIMEOUT = 30
log = logging.getLogger(\"a\")
@cached(1 + 2)
def f(a: \"int\", b: \"str\" = None) -> \"list\":
    \"\"\"Text.\"\"\"
    assert a, \"no \" + b
    # a + b
    log.info(\"a %s\", a + 1)
    print(\"a\", 1 + 2)
    raise ValueError(\"a < \" + str(a + 1))
class A:
    \"\"\"Text.\"\"\"
    def __repr__(self):
        return \"A\" + str(1 + 2)
if __name__ == \"__main__\":
    f(1 + 2)
";
    let (raised, others): (Vec<String>, Vec<String>) =
        told("a.py", python).into_iter().partition(|text| text.contains("exception"));
    assert_eq!((raised.len(), others), (1, Vec::new()), "only what is raised may be another");
    let rust = "#![allow(dead_code)]
use std::fmt;
#[doc = \"1 + 2\"]
struct A { a: [u8; 3] }
impl fmt::Debug for A {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(\"A\") }
}
impl fmt::Display for A {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, \"{}\", 1 + 2) }
}
macro_rules! m { () => { 1 + 2 } }
fn f(a: Option<u8>) -> Self {
    assert!(1 < 2, \"no\");
    println!(\"{}\", 1 + 2);
    a.expect(\"a is there\").0
}
";
    assert_eq!(told("a.rs", rust), Vec::<String>::new());
    let go = "package a
import \"fmt\"
type A struct { N int `json:\"n\"` }
func f(a [3]int) error {
	log.Printf(\"a %d\", 1+2)
	fmt.Println(\"a\", 1+2)
	return fmt.Errorf(\"a %d\", 1+2)
}
";
    assert_eq!(told("a.go", go), Vec::<String>::new());
    let script = "'use strict';
import a from 'a';
export * from './b';
const c = require('c');
interface I { a: 1 | 2; b: 'x' }
type T = 'a' | 'b';
function f(a: 'x' | 'y'): void {
  console.log('a', 1 + 2);
  throw new Error('a' + 1);
}
";
    assert_eq!(told("a.ts", script), Vec::<String>::new());
}

#[test]
fn loops_still_end() {
    let python = "def f(xs, i):
    while i < len(xs):
        i += 1
    while True:
        i += 1
        xs.step()
        if i > 9:
            break
";
    let found = told("a.py", python);
    assert!(found.contains(&"2: the loop never runs".to_owned()), "{found:?}");
    for line in ["3:", "5:", "6:", "8:"] {
        assert!(!found.iter().any(|f| f.starts_with(line)), "{line} {found:?}");
    }
    let go = "package a\nfunc f(n int) {\n\tfor {\n\t\tn++\n\t\tif n > 3 {\n\t\t\tbreak\n\t\t}\n\t}\n}\n";
    let found = told("a.go", go);
    assert!(!found.iter().any(|f| f.starts_with("4:") || f.starts_with("6:")), "{found:?}");
}

#[test]
fn mutants_that_no_test_could_tell_apart_are_left_out() {
    let boundary = |file: &str, source: &str| {
        told(file, source).iter().any(|t| t.contains("`>` becomes `>=`"))
    };
    assert!(boundary("a.py", "def f(a, b):\n    if a > b:\n        a.c()\n"));
    assert!(!boundary("a.py", "def f(a, best):\n    if a > best:\n        best = a\n"));
    assert!(!boundary("a.py", "def f(a, b):\n    return a if a > b else b\n"));
    assert!(!boundary("a.rs", "fn f(a: u8, b: u8) -> u8 { if a > b { a } else { b } }\n"));
    assert!(!boundary("a.js", "const f = (a) => (a > 0 ? a : -a);\n"));
    assert_eq!(told("a.py", "x = a * 1\n"), ["1: `1` becomes `2`"]);
}

#[test]
fn only_the_lines_that_are_asked_for_are_mutated() {
    let source = "def f(a):\n    b = a + 1\n    c = b - 2\n    return c * 3\n";
    let lines = |lines: &[u32]| {
        let lines = lines.iter().copied().collect();
        mutants("a.py", source, &lines).into_iter().map(|e| e.what).collect::<Vec<_>>()
    };
    assert_eq!(lines(&[3]), ["`-` becomes `+`", "`2` becomes `3`"]);
    assert_eq!(lines(&[2, 3]).first().unwrap(), "the body of `f` is left out, it returns None");
    assert!(lines(&[]).is_empty());
    assert!(mutants("a.rb", source, &all(source)).is_empty());
}

#[test]
fn a_line_has_few_mutants_and_no_two_are_the_same_text() {
    let source = "def f(a, b, c):\n    return a < b and b < c and c < a + 1 or a == b - c * 2\n";
    let found = mutants("a.py", source, &all(source));
    assert_eq!(found.len(), 3);
    for file in ["a.py", "a.rs", "a.go", "a.ts"] {
        let source = "f(a + b, \"x\", 1)\nif (a < b) { g.h(); }\n";
        let found = mutants(file, source, &all(source));
        let texts: BTreeSet<String> = found.iter().map(|e| e.apply(source)).collect();
        assert_eq!(texts.len(), found.len(), "{file}");
        assert!(!texts.contains(source));
    }
}

#[test]
fn a_mutant_always_parses_even_in_a_file_that_does_not() {
    let source = "def f(a):\n    return a + 1\n\ndef g(:\n    x = = 3\n";
    assert_eq!(
        mutants("a.py", source, &BTreeSet::from([2])).len(),
        3,
        "what stands before the error is still mutated"
    );
    let deep = format!("x = {}1{}\n", "(".repeat(20_000), ")".repeat(20_000));
    assert!(mutants("a.py", &deep, &BTreeSet::from([1])).is_empty());
}

#[test]
fn the_number_behind_a_name_of_an_enum_is_left_alone() {
    let python = "class Level(enum.IntEnum):\n    LOW = 1\n    HIGH = 2\n";
    assert_eq!(told("a.py", python), [] as [&str; 0]);
    let plain = "class Level:\n    low = 1\n";
    assert!(!told("a.py", plain).is_empty());
    let typed = "enum Level {\n  Low = 1,\n  High = 2,\n}\n";
    assert_eq!(told("a.ts", typed), [] as [&str; 0]);
}

#[test]
fn a_boundary_is_moved_once() {
    let whats = |file: &str, source: &str| -> Vec<String> {
        mutants(file, source, &all(source)).into_iter().map(|e| e.what).collect()
    };
    let go = "package a\n\nfunc f(n int) {\n\tif n < 3 {\n\t\tg()\n\t}\n}\n";
    let found = whats("a.go", go);
    assert!(found.iter().any(|w| w == "`<` becomes `<=`"), "{found:?}");
    assert!(!found.iter().any(|w| w == "`3` becomes `4`"), "{found:?}");
    let other = go.replace("n < 3", "n <= 3");
    assert!(whats("a.go", &other).iter().any(|w| w == "`3` becomes `4`"));
    let turned = go.replace("n < 3", "3 > n");
    assert!(!whats("a.go", &turned).iter().any(|w| w == "`3` becomes `4`"));
    let python = "def f(n):\n    return n >= 3\n";
    assert!(!whats("a.py", python).iter().any(|w| w == "`3` becomes `4`"));
}

#[test]
fn a_number_with_a_point_becomes_the_next_and_a_tolerance_stays() {
    let rust = "fn f(a: f64) -> f64 {\n    if a < 0.5 {\n        let b = 1.8;\n        return a * b + 1e-9;\n    }\n    g(2.5e3)\n}\n";
    let found: Vec<String> =
        mutants("a.rs", rust, &all(rust)).into_iter().map(|e| e.what).collect();
    let floats: Vec<&String> = found.iter().filter(|w| w.contains('.')).collect();
    assert!(floats.iter().any(|w| *w == "`1.8` becomes `2.8`"), "{found:?}");
    assert!(!floats.iter().any(|w| w.starts_with("`0.5`") || w.starts_with("`2.5e3`")));
}

#[test]
fn what_no_test_can_call_is_left_alone() {
    let go = "package main\n\nfunc main() {\n\tf(1 + 2)\n}\n";
    assert!(mutants("main.go", go, &all(go)).is_empty());
}

#[test]
fn a_result_without_a_default_becomes_an_error() {
    let rust = "pub enum Shape {\n    A,\n}\n\npub fn f(x: u8) -> Result<Shape, String> {\n    Ok(g(x))\n}\n";
    let written = written("a.rs", rust);
    assert!(written.iter().any(|line| line.contains("Err(String::new())")), "{written:?}");
}
