use crate::mutate::mutants;
use proctor_lang::edit::Edit;
use proctor_lang::{blamed, switched};
use std::collections::BTreeSet;

const SOURCE: &str = "//! Doc.
#![allow(dead_code)]
pub fn less(a: i32, b: i32) -> bool {
    a < b
}
pub const fn fixed() -> i32 {
    1 + 2
}
pub fn all() -> impl Iterator<Item = i32> {
    (0..3).map(|x| x + 1)
}
pub const LIMIT: i32 = 5;
pub mod inner {
    pub fn add(a: i32) -> i32 {
        a + 1
    }
}
";

fn found(source: &str) -> Vec<Edit> {
    let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
    mutants("src/lib.rs", source, &lines)
}

#[test]
fn only_functions_that_can_hold_many_bodies_are_taken() {
    let mutants = found(SOURCE);
    let switched = switched("src/lib.rs", SOURCE, &mutants, 40).unwrap();
    let lines: BTreeSet<u32> = switched.taken.iter().map(|i| mutants[*i].line).collect();
    assert_eq!(lines, BTreeSet::from([4, 15]));
    assert!(switched.text.starts_with("//! Doc.\n#![allow(dead_code)]\n"));
    assert!(switched.text.contains("{ match self::__proctor_mutant() {"));
    assert!(switched.text.contains("{ match super::__proctor_mutant() {"));
    for index in &switched.taken {
        assert!(switched.text.contains(&format!("\n{}usize => {{", 40 + index)));
    }
}

#[test]
fn other_languages_and_crates_without_the_standard_library_are_not_switched() {
    let edit = Edit { line: 2, from: 24, to: 25, text: "2".into(), what: String::new() };
    let plain = "pub fn f() -> u8 {\n     1 }\n";
    assert!(switched("a.rs", plain, std::slice::from_ref(&edit), 0).is_some());
    assert_eq!(switched("a.py", plain, std::slice::from_ref(&edit), 0), None);
    let bare = format!("#![no_std]\n{SOURCE}");
    assert_eq!(switched("a.rs", &bare, &found(&bare), 0), None);
    assert_eq!(switched("a.rs", SOURCE, &[], 0), None);
}

#[test]
fn a_body_with_what_can_be_there_only_once_is_not_taken() {
    let source = "pub fn f(a: u8) -> u8 {
    struct A;
    impl A { fn g() -> u8 { 1 } }
    a + A::g()
}
";
    assert_eq!(switched("a.rs", source, &found(source), 0), None);
}

#[test]
fn the_mutants_on_bad_lines_are_blamed() {
    let mutants = found(SOURCE);
    let switched = switched("src/lib.rs", SOURCE, &mutants, 7).unwrap();
    let line = |wanted: &str| {
        let at = switched.text.lines().position(|l| l.starts_with(wanted)).unwrap();
        u32::try_from(at + 1).unwrap()
    };
    let numbers: Vec<usize> = switched.taken.iter().map(|i| i + 7).collect();
    let (one, two) = (numbers[0], numbers[1]);
    let inside = BTreeSet::from([line(&format!("{one}usize")) + 1]);
    assert_eq!(blamed(&switched.text, &inside), [one]);
    let both = BTreeSet::from([line(&format!("{one}usize")), line(&format!("{two}usize"))]);
    assert_eq!(blamed(&switched.text, &both), [one, two]);
    assert!(blamed(&switched.text, &BTreeSet::from([1, line("_ =>") + 1])).is_empty());
    let reader = BTreeSet::from([line("fn __proctor_mutant")]);
    assert_eq!(blamed(&switched.text, &reader), numbers, "all of them need it");
}

#[test]
fn a_go_file_holds_many_bodies_too_except_where_a_label_stands() {
    let source = "// Package a.\npackage a\n\nimport \"strings\"\n\nfunc less(a, b int) bool {\n\treturn a < b\n}\n\nfunc (t T) first() int {\nouter:\n\tfor i := 0; i < 3; i++ {\n\t\tbreak outer\n\t}\n\treturn 1 + 2\n}\n\nvar limit = 1 + 4\n\nvar _ = strings.ToUpper\n";
    let lines = (1..=20).collect();
    let mutants = mutants("a.go", source, &lines);
    let switched = switched("a.go", source, &mutants, 3).unwrap();
    let taken: BTreeSet<u32> = switched.taken.iter().map(|i| mutants[*i].line).collect();
    assert_eq!(taken, BTreeSet::from([7]));
    let top = "// Package a.\npackage a\nimport proctorOs \"os\"\n\n\nimport \"strings\"\n";
    assert!(switched.text.starts_with(top), "{}", switched.text);
    assert!(switched.text.contains("func less(a, b int) bool { switch proctorMutant3 {\n"));
    assert!(switched.text.contains("\ndefault: {\n\treturn a < b\n}\n} }\n"));
    let end = "\nvar proctorMutant3 = proctorOs.Getenv(\"PROCTOR_MUTANT\")\n";
    assert!(switched.text.ends_with(end), "{}", switched.text);
}
