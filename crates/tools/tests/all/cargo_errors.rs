//! What the compiler's errors mean.

use crate::stage::cargo;
use proctor_core::report::{CollectError, Owner, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_tools::Nextest;

const MANIFEST: &str = "[package]\nname = \"demo-pkg\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const LIB: &str = "pub struct Foo { pub a: i32 }
impl Foo { pub fn one(&self, x: i32) -> i32 { x } }
pub enum Bar { A }
pub mod sub {}
pub fn add(a: i32, b: i32) -> i32 { a + b }
";

fn errors(lib_tests: &str, test: &str) -> Option<Vec<CollectError>> {
    let lib = format!("{LIB}{lib_tests}");
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", lib.as_str()),
        ("tests/new.rs", test),
        ("tests/old.rs", "#[test] fn still() { assert_eq!(demo_pkg::add(1, 1), 2); }\n"),
    ];
    let report = cargo(Nextest::Installed, &files)?.run();
    assert!(report.passed(&TestId::new("demo-pkg::old still")), "{:?}", report.end);
    match report.end {
        RunEnd::CollectFailed { errors } => Some(errors),
        other => panic!("{other:?}"),
    }
}

fn missing(errors: &[CollectError], wanted: &[(&str, Owner)]) {
    for (name, owner) in wanted {
        let hit = errors.iter().any(|e| matches!(&e.reason, Reason::Missing { name: n, owner: o, .. } if n == name && o == owner));
        let all: Vec<_> = errors
            .iter()
            .map(|e| match &e.reason {
                Reason::Missing { name, owner, .. } => format!("{name} {owner:?}"),
                other => other.message().lines().next().unwrap_or("").to_owned(),
            })
            .collect();
        assert!(hit, "{name} {owner:?} not in {all:#?}");
    }
}

#[test]
fn a_module_deep_in_a_path_is_missing_where_the_path_begins() {
    let Some(errors) = errors(
        "",
        "use demo_pkg::sub::deep::er::Thing;\nuse std::sync::deeper::er::Thing as Other;\n#[test] fn a() {}\n",
    ) else {
        return;
    };
    missing(&errors, &[("sub::deep", Owner::Project), ("sync::deeper", Owner::Elsewhere)]);
}

#[test]
fn a_trait_that_a_type_of_the_project_lacks_is_missing() {
    let Some(errors) = errors(
        "",
        "use demo_pkg::{Bar, Foo};\n\
         #[test] fn a() { assert!(Foo { a: 1 } == Foo { a: 2 }); let _: Bar = 1u8.into(); let _: String = 1u8.into(); }\n",
    ) else {
        return;
    };
    missing(&errors, &[("Foo", Owner::Project), ("Bar", Owner::Project)]);
    let std = |e: &CollectError| e.reason.message().contains("String");
    assert!(errors.iter().any(|e| std(e) && matches!(e.reason, Reason::Other { .. })));
}

#[test]
fn names_that_do_not_resolve_have_their_owner() {
    let Some(errors) = errors(
        "#[cfg(test)] mod tests { use super::*; #[test] fn t() { assert_eq!(mul(1, 2), 2); super::gone(); crate::sub::x(); Baz::new(); let _: Nope; } }\n",
        "use demo_pkg::{Foo, mul};\nuse demo_pkg::other::thing;\nuse demo_pkg::sub::Thing;\nuse rand::Rng;\nextern crate foo_ext;\n\
         #[test] fn a() { demo_pkg::nope(); tokio::spawn(1); undefined; bare(); demo_pkg::Gone::new(); crate::mine(); }\n",
    ) else {
        return;
    };
    missing(
        &errors,
        &[
            ("mul", Owner::Project),
            ("super::gone", Owner::Project),
            ("crate::sub::x", Owner::Project),
            ("Baz", Owner::Project),
            ("Nope", Owner::Project),
            ("demo_pkg::mul", Owner::Project),
            ("demo_pkg::other", Owner::Project),
            ("demo_pkg::sub::Thing", Owner::Project),
            ("rand", Owner::Elsewhere),
            ("foo_ext", Owner::Elsewhere),
        ],
    );
    assert!(errors.iter().any(|e| e.place.file == "tests/new.rs" && e.place.line == Some(1)));
    assert!(errors.iter().any(|e| e.place.file == "src/lib.rs"));
}

#[test]
fn bare_names_are_the_tests_own_without_a_glob_import() {
    let Some(errors) = errors(
        "",
        "use demo_pkg::Foo;\n#[test] fn a() { undefined; bare(); demo_pkg::nope(); tokio::spawn(1); crate::mine(); demo_pkg::Gone::new(); let _: Option<Foo> = None; }\n",
    ) else {
        return;
    };
    missing(
        &errors,
        &[
            ("undefined", Owner::TestItself),
            ("bare", Owner::TestItself),
            ("demo_pkg::nope", Owner::Project),
            ("tokio", Owner::Elsewhere),
            ("demo_pkg::Gone", Owner::Project),
            ("crate::mine", Owner::TestItself),
        ],
    );
}

#[test]
fn members_that_a_type_lacks_have_the_types_owner() {
    let Some(errors) = errors(
        "",
        "use demo_pkg::*;\nstruct Mine;\n#[test] fn a() { let f = Foo { a: 1, b: 2 }; f.two(); f.c; Foo::new(); Bar::B; f.one(1, 2); add(1); \
        vec![1].frob(); String::new().zap; match Bar::A { Bar::C => {} _ => {} }; let Foo { a, z } = f; Some(3).blorp(); let v: Foo<i32>; Mine.x(); }\n",
    ) else {
        return;
    };
    missing(
        &errors,
        &[
            ("Foo::b", Owner::Project),
            ("Foo::two", Owner::Project),
            ("Foo::c", Owner::Project),
            ("Foo::new", Owner::Project),
            ("Bar::B", Owner::Project),
            ("Bar::C", Owner::Project),
            ("Foo::z", Owner::Project),
            ("one", Owner::Project),
            ("add", Owner::Project),
            ("Foo", Owner::Project),
            ("Vec::frob", Owner::Elsewhere),
            ("String::zap", Owner::Elsewhere),
            ("Option::blorp", Owner::Elsewhere),
            ("Mine::x", Owner::TestItself),
        ],
    );
}

#[test]
fn a_bound_and_a_rule_of_the_project_are_missing_there() {
    let lib = "pub fn print<T: Into<i64>>(x: T) -> i64 { x.into() }\npub fn size<T>(_: &T) {}\n";
    let test = "#[test] fn a() { demo_pkg::size(\"a\"); }\n#[test] fn b() { demo_pkg::print(\"b\"); }\n#[test] fn c() { let _: Vec<i32> = (0..3).map(|x| x as &str).collect::<Vec<String>>(); }\n";
    let Some(found) = errors(lib, test) else { return };
    missing(&found, &[("size", Owner::Project), ("print", Owner::Project)]);
    let lib = "#[macro_export] macro_rules! pairs { () => { Vec::<(i32, i32)>::new() }; }\n";
    let test = "macro_rules! own { () => {}; }\n#[test] fn a() { assert!(demo_pkg::pairs!(\n    1 => 2\n).is_empty()); }\n#[test] fn b() { own!(3); }\n#[test] fn c() { assert!(); }\n";
    let Some(found) = errors(lib, test) else { return };
    missing(&found, &[("pairs", Owner::Project)]);
    let other = found.iter().filter(|e| matches!(e.reason, Reason::Other { .. })).count();
    assert_eq!(
        other, 2,
        "a test's own macro and the standard library's are nobody's work: {found:#?}"
    );
}

#[test]
fn other_errors_are_no_missing_names() {
    for test in ["#[test] fn a() { let x: i32 = \"\"; }\n", "#[test] fn a( {}\n"] {
        let Some(errors) = errors("", test) else { return };
        assert!(
            !errors.is_empty() && errors.iter().all(|e| matches!(e.reason, Reason::Other { .. })),
            "{errors:?}"
        );
    }
}

#[test]
fn a_library_that_does_not_compile_is_reported_once() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn a() -> i32 { \"\" }\n")];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else { return };
    let RunEnd::CollectFailed { errors } = stage.run().end else { panic!() };
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].place.to_string(), "src/lib.rs:1");
}
