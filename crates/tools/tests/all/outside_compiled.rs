//! The tests' bodies outside `go test` and libtest.

use crate::go_stage::go_stage;
use crate::outside::ends;
use crate::stage::cargo;
use proctor_tools::Nextest;
use std::collections::BTreeMap;

#[track_caller]
fn assert_ends(found: &BTreeMap<String, &'static str>, wanted: &[(&str, &str)]) {
    let wanted: BTreeMap<String, &str> =
        wanted.iter().map(|(id, end)| ((*id).to_owned(), *end)).collect();
    assert_eq!(*found, wanted);
}

const GO_SHOP: &str = "package shop

import (
	\"flag\"
	\"os\"
	\"runtime\"
	\"strings\"
)

func ByProgram(n int) int {
	if strings.HasSuffix(os.Args[0], \".test\") {
		return 2 * n
	}
	return n
}

func ByFlag(n int) int {
	if flag.Lookup(\"test.v\") != nil {
		return 2 * n
	}
	return n
}

func ByFrame(n int) int {
	for skip := 0; ; skip++ {
		_, file, _, there := runtime.Caller(skip)
		if !there {
			return n
		}
		if strings.HasSuffix(file, \"_test.go\") || strings.Contains(file, \"/testing/\") {
			return 2 * n
		}
	}
}

func Double(n int) int { return 2 * n }
";

const GO_TESTS: &str = "package shop

import \"testing\"

func TestProgram(t *testing.T) {
	if got := ByProgram(2); got != 4 {
		t.Errorf(\"got %d\", got)
	}
}

func TestFlag(t *testing.T) {
	t.Run(\"two\", func(t *testing.T) {
		if got := ByFlag(2); got != 4 {
			t.Fatalf(\"got %d\", got)
		}
	})
}

func TestFrame(t *testing.T) {
	if ByFrame(2) != 4 {
		t.Fatal(\"wrong\")
	}
}

func TestTable(t *testing.T) {
	for _, one := range []struct{ n, want int }{{1, 2}, {2, 4}} {
		one := one
		t.Run(\"case\", func(t *testing.T) {
			t.Parallel()
			if got := Double(one.n); got != one.want {
				t.Errorf(\"%s: got %d\", t.Name(), got)
			}
		})
	}
}

func TestSkips(t *testing.T) { t.Skip(\"later\") }

func TestPanics(t *testing.T) { panic(\"no\") }

func BenchmarkDouble(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Double(i)
	}
}
";

#[test]
fn go_that_asks_for_its_runner_is_found_out_and_honest_go_holds() {
    let apart = "package shop_test

import (
	\"os\"
	\"testing\"

	\"example.com/demo/internal/help\"
	\"example.com/demo/shop\"
)

func TestApart(t *testing.T) {
	help.Same(t, shop.Double(2), 4)
	if text, err := os.ReadFile(\"testdata/a.txt\"); err != nil || string(text) != \"a\" {
		t.Fatal(err)
	}
}
";
    let help = "package help

import \"testing\"

func Same(t testing.TB, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf(\"%d is not %d\", got, want)
	}
}
";
    let program = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(twice(1)) }\n\nfunc twice(n int) int { return 2 * n }\n";
    let own = "package main\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif twice(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n";
    let whole = "package whole\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n\nfunc TestA(t *testing.T) {}\n";
    let Some(stage) = go_stage(&[
        ("shop/shop.go", GO_SHOP),
        ("shop/shop_test.go", GO_TESTS),
        ("shop/apart_test.go", apart),
        ("shop/testdata/a.txt", "a"),
        ("internal/help/help.go", help),
        ("main.go", program),
        ("main_test.go", own),
        ("whole/a_test.go", whole),
    ]) else {
        return;
    };
    let found = ends(&stage);
    assert_ends(
        &found,
        &[
            ("example.com/demo TestTwice", "holds"),
            ("example.com/demo/shop TestApart", "holds"),
            ("example.com/demo/shop TestFlag", "fails"),
            ("example.com/demo/shop TestFrame", "fails"),
            ("example.com/demo/shop TestPanics", "not made"),
            ("example.com/demo/shop TestProgram", "fails"),
            ("example.com/demo/shop TestSkips", "not made"),
            ("example.com/demo/shop TestTable", "holds"),
            ("example.com/demo/whole TestA", "not made"),
        ],
    );
}

const RUST_SHOP: &str = r#"//! A shop.
#![deny(warnings)]

pub mod inner;

pub fn by_build(n: i32) -> i32 {
    if cfg!(test) { 2 * n } else { n }
}

#[cfg(test)]
pub fn by_twin(n: i32) -> i32 {
    2 * n
}

#[cfg(not(test))]
pub fn by_twin(n: i32) -> i32 {
    n
}

pub fn by_statement(n: i32) -> i32 {
    #[cfg(test)]
    return 2 * n;
    #[cfg(not(test))]
    n
}

pub fn by_thread(n: i32) -> i32 {
    let main = std::thread::current().name() == Some("main");
    if main { n } else { 2 * n }
}

pub fn by_program(n: i32) -> i32 {
    let deps = std::env::current_exe().is_ok_and(|p| p.parent().is_some_and(|p| p.ends_with("deps")));
    if deps { 2 * n } else { n }
}

pub fn by_panic(n: i32) -> i32 {
    assert!(n > 0, "too small");
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn build() { assert_eq!(by_build(2), 4) }
    #[test]
    fn twin() { assert_eq!(by_twin(2), 4) }
    #[test]
    fn statement() { assert!(by_statement(2) == 4, "other") }
    #[test]
    fn thread() { assert_eq!(by_thread(2), 4) }
    #[test]
    fn program() { assert_eq!(by_program(2), 4) }
    #[test]
    #[should_panic]
    fn panics() { by_panic(0); }
    #[test]
    fn beyond() { assert_eq!(by_panic(-1), -1) }
    #[test]
    fn data() -> Result<(), std::io::Error> {
        assert_eq!(include_str!("../data.txt"), std::fs::read_to_string(Path::new("data.txt"))?);
        Ok(())
    }
    #[test]
    #[ignore]
    fn later() { assert!(false) }
}
"#;

#[test]
fn rust_that_asks_for_its_runner_is_found_out_and_honest_rust_holds() {
    let inner = "use std::cell::Cell;\n\n#[derive(Default)]\npub struct Counter {\n    n: i32,\n    \
        #[cfg(test)]\n    calls: Cell<u32>,\n}\n\nimpl Counter {\n    pub fn next(&self) -> i32 {\n        \
        #[cfg(test)]\n        self.calls.set(self.calls.get() + 1);\n        self.n + 1\n    }\n}\n\n\
        pub fn cell() -> Cell<i32> {\n    Cell::new(1)\n}\n\n#[cfg(test)]\nmod tests;\n";
    let inner_tests = "use super::*;\n\n#[test]\nfn counts() {\n    let counter = Counter::default();\n    \
        assert_eq!(counter.next(), 1);\n    assert_eq!(counter.calls.get(), 1);\n}\n";
    let program = "fn main() {\n    println!(\"{}\", twice(1));\n}\n\nfn twice(n: i32) -> i32 {\n    2 * n\n}\n\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::twice(1), 2);\n    }\n}\n";
    let apart = "mod common;\n\n#[test]\nfn apart() {\n    assert_eq!(shop::by_panic(2), common::two());\n}\n\n\
        #[test]\nfn name() {\n    assert_eq!(shop::by_program(2), 4);\n}\n";
    let Some(stage) = cargo(
        Nextest::Absent,
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            ("src/lib.rs", RUST_SHOP),
            ("src/inner.rs", inner),
            ("src/inner/tests.rs", inner_tests),
            ("src/main.rs", program),
            ("tests/apart.rs", apart),
            ("tests/common/mod.rs", "pub fn two() -> i32 {\n    2\n}\n"),
            ("data.txt", "d"),
        ],
    ) else {
        return;
    };
    let found = ends(&stage);
    assert_ends(
        &found,
        &[
            ("shop inner::tests::counts", "holds"),
            ("shop tests::beyond", "not made"),
            ("shop tests::build", "fails"),
            ("shop tests::data", "holds"),
            ("shop tests::later", "not made"),
            ("shop tests::panics", "holds"),
            ("shop tests::program", "fails"),
            ("shop tests::statement", "fails"),
            ("shop tests::thread", "fails"),
            ("shop tests::twin", "fails"),
            ("shop::apart apart", "holds"),
            ("shop::apart name", "fails"),
            ("shop::bin/shop tests::doubles", "holds"),
        ],
    );
}
