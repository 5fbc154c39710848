//! Tests of Rust that observe, built and run by the real cargo.

use crate::stage::skipped;
use proctor_core::observation::{END, Row};
use proctor_experiments::{Channel, Observing, Sample, observing, read_channel, span};
use proctor_lang::Edit;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

const LIB: &str = r#"//! Docs.
#![deny(warnings, unused, missing_docs, unreachable_pub, nonstandard_style, rust_2018_idioms, unused_results)]
#![forbid(unsafe_code)]

// No docs.

/// Halves.
pub fn half(n: u32) -> u32 {
    if n == 7 {
        panic!("seven is {}", "odd");
    }
    n / 2
}

/// No `Debug`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Dark(pub u32);

/// Has `Debug`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Bad.
    Bad {
        /// Why.
        why: String,
    },
    /// None.
    Nothing,
}

/// Reads.
pub fn read(text: &str) -> Result<u32, Fault> {
    match text.parse() {
        Ok(n) => Ok(n),
        Err(_) if text.is_empty() => Err(Fault::Nothing),
        Err(_) => Err(Fault::Bad { why: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(dead_code)]
    use super::*;
    use std::collections::{HashMap, HashSet};

    /// Plain.
    #[test]
    fn plain() {
        let name = String::from("x\n\"y\"");
        let why = "why";
        assert_eq!(half(4), 2, "no {} {why}", name, why = why);
        assert_ne!(half(4), 3,);
        assert_eq!(name, "other");
        assert!(half(8) > 5, "never {}", why);
        assert!(Dark(1) == Dark(2));
        assert!(!name.is_empty());
        assert!(read("q").is_err());
        assert!(read("1").is_err(), "one");
        assert!(name.chars().count() == 5 && half(2) == 1);
        assert!(matches!(read("q"), Err(Fault::Bad { why, .. }) if why == "q"));
        let fault = read("").unwrap_err();
        assert!(!matches!(fault, Fault::Bad { .. } | Fault::Nothing));
        assert_eq!(fault, Fault::Nothing);
        drop(fault);
        let some = Some(String::from("a"));
        assert!(some.is_some_and(|s| s.len() > 1));
        assert!(name.char_indices().all(|(_, c)| c != 'z'));
    }

    #[test]
    fn breaks() {
        assert_eq!(half(7), 3);
        assert_eq!(half(6), 3);
        let _n = half(7);
        assert_eq!(half(6), 3);
    }

    #[test]
    fn loops() {
        for (n, m) in [(2, 1), (4, 3)] {
            assert_eq!(half(n), m);
        }
        let check = |n: u32| assert!(n < 3);
        check(1);
        check(5);
        match read("5") {
            Ok(n) => assert_eq!(n, 5),
            Err(e) => panic!("{e:?}", e = e),
        }
    }

    #[test]
    fn maps() {
        let map: HashMap<&str, Vec<char>> = ["a", "b", "c", "}", "\""].iter().map(|s| (*s, vec!['{', '"', '\''])).collect();
        let set: HashSet<u32> = (0..20).collect();
        assert_eq!((&map, &set), (&map, &set));
        let p: *const u32 = &1;
        assert_eq!(p, p);
        assert_eq!(vec![1_u32; 900], vec![1; 900]);
    }

    #[test]
    #[should_panic(expected = "is odd")]
    fn panics() {
        let _n = half(7);
    }

    #[test]
    #[should_panic]
    fn does_not_panic() {
        let _n = half(8);
    }

    mod deep {
        mod deeper {
            use super::super::super::read;

            #[test]
            fn ends() -> Result<(), crate::Fault> {
                assert_eq!(read("3")?, 3);
                for _ in 0..1 {
                    assert!(read("x")? == 4);
                }
                Ok(())
            }
        }
    }
}
"#;

const OUTER: &str = r#"use demo::{half, read};

fn assert_half(n: u32, m: u32) {
    assert_eq!(half(n), m);
}

macro_rules! made {
    ($name:ident) => {
        #[test]
        fn $name() {
            assert_eq!(half(2), 1);
        }
    };
}
made!(made_by_a_macro);

#[test]
fn outer() {
    assert_half(4, 2);
    assert_half(4, 3);
    let mut all = Vec::new();
    assert!(all.is_empty());
    all.push(half(2));
    let mut rest = all.iter();
    assert_eq!(rest.next(), Some(&1));
    assert_eq!(rest.next(), None);
    assert_eq!(all.into_iter().map(|n| n + 1).collect::<Vec<_>>(), [2]);
    std::thread::spawn(|| assert!(read("4") == Ok(4))).join().unwrap();
}
"#;

fn line(text: &str, name: &str) -> u32 {
    let found = text.lines().position(|l| l.contains(&format!("fn {name}(")));
    u32::try_from(found.unwrap() + 1).unwrap()
}

fn sample(text: &str, number: usize, name: &str, copies: Vec<Vec<Edit>>) -> Sample {
    Sample { number, line: line(text, name), copies }
}

/// What puts another text in the place of one in a test.
fn other(text: &str, name: &str, was: &str, now: &str) -> Edit {
    let span = span("a.rs", text, line(text, name)).unwrap();
    let from = text[span].find(was).unwrap();
    Edit { line: 0, from, to: from + was.len(), text: now.to_owned(), what: String::new() }
}

fn observed(text: &str, samples: &[Sample]) -> Observing {
    observing("src/lib.rs", text, samples, &Channel("channel-1".into())).unwrap()
}

/// Runs cargo's tests of a crate of these files.
fn run(folder: &Path, edition: &str, files: &[(&str, &str)]) -> Option<Output> {
    let manifest =
        format!("[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n");
    for (path, text) in files.iter().chain(&[("Cargo.toml", manifest.as_str())]) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let _ = std::fs::remove_file(folder.join("channel-1"));
    let mut command = Command::new("cargo");
    command.args(["test", "--offline", "--no-fail-fast", "--lib", "--tests"]);
    command.env("TMPDIR", folder).env("CARGO_TARGET_DIR", folder.join("target"));
    command.env("CARGO_PROFILE_TEST_DEBUG", "0").current_dir(folder).output().ok()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

type Table = BTreeMap<(usize, usize), Vec<Row>>;

fn rows(folder: &Path) -> Table {
    read_channel(&std::fs::read(folder.join("channel-1")).unwrap())
}

/// Rows as lines: `0 holds: 2 | 2`.
fn shown(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let holds = if row.holds { "holds" } else { "fails" };
        let raised = row.raised.as_ref().map_or(String::new(), |x| format!(" !{x}"));
        format!("{} {holds}: {}{raised}\n", row.site, row.sides.join(" | "))
    };
    rows.iter().map(one).collect()
}

#[test]
fn copies_of_tests_are_built_and_say_what_their_assertions_see() {
    let names = ["plain", "breaks", "loops", "maps", "panics", "does_not_panic", "ends"];
    for edition in ["2018", "2024"] {
        let mut samples: Vec<Sample> = (names.iter().enumerate())
            .map(|(n, name)| sample(LIB, n, name, vec![Vec::new()]))
            .collect();
        samples[0].copies.push(vec![other(LIB, "plain", "4), 2", "9), 2")]);
        samples[4].copies.push(vec![other(LIB, "panics", "7", "6")]);
        let lib = observed(LIB, &samples);
        let outer = observed(OUTER, &[sample(OUTER, 9, "outer", vec![Vec::new()])]);
        let folder = tempfile::tempdir().unwrap();
        let files = [("src/lib.rs", lib.text.as_str()), ("tests/outer.rs", outer.text.as_str())];
        let Some(output) = run(folder.path(), edition, &files) else {
            return skipped("cargo");
        };
        assert!(output.status.success(), "{}", said(&output));
        let rows = rows(folder.path());
        let tables = rows.iter().map(|((t, v), rows)| format!("= {t} {v}\n{}", shown(rows)));
        let all = tables.collect::<Vec<_>>().concat();
        insta::with_settings!({ filters => vec![("2700 [0-9a-f]{16}", "2700 HASH")] }, {
            insta::allow_duplicates! { insta::assert_snapshot!(all) };
        });
        assert!(rows.values().all(|r| r.iter().any(|row| row.site == END)));
    }
}

/// The lines that the compiler complains about.
fn bad_lines(output: &Output) -> BTreeSet<u32> {
    let said = said(output);
    let places = said.lines().filter_map(|l| l.trim().strip_prefix("--> src/lib.rs:"));
    places.filter_map(|p| p.split(':').next()?.parse().ok()).collect()
}

#[test]
fn a_copy_that_does_not_compile_is_told_by_its_lines() {
    let text = "#[test]\nfn small() {\n    let n: u8 = 200;\n    assert_eq!(n, 200);\n    assert_eq!([1, 2], [1, 2]);\n    assert!(n < 201);\n}\n";
    let copies = vec![
        Vec::new(),
        vec![other(text, "small", "200", "613")],
        vec![other(text, "small", ", 2]);", "]);")],
        vec![other(text, "small", "201", "\"x\"")],
        vec![other(text, "small", "201", "99")],
    ];
    let made = observed(text, &[sample(text, 0, "small", copies)]);
    let folder = tempfile::tempdir().unwrap();
    let Some(output) = run(folder.path(), "2021", &[("src/lib.rs", &made.text)]) else {
        return skipped("cargo");
    };
    let bad = bad_lines(&output);
    let copy = |line: &u32| made.lines.iter().find(|(at, ..)| at.contains(line)).map(|l| l.2);
    let copies: BTreeSet<Option<usize>> = bad.iter().map(copy).collect();
    // Numbers that are too large are found once the types fit.
    assert_eq!(copies, BTreeSet::from([Some(2), Some(3)]), "{}", said(&output));
}

#[test]
fn crates_without_the_standard_library_and_of_the_first_edition_are_observed_too() {
    let text = "#![no_std]\npub mod a {\n    #[test]\n    fn small() {\n        assert_eq!(1 + 1, 2);\n        assert!([1, 2].contains(&3));\n        assert!(matches!(Some(1), Some(n) if n > 1));\n    }\n}\n";
    for edition in ["2015", "2021"] {
        let made = observed(text, &[sample(text, 0, "small", vec![Vec::new()])]);
        let folder = tempfile::tempdir().unwrap();
        let Some(output) = run(folder.path(), edition, &[("src/lib.rs", &made.text)]) else {
            return skipped("cargo");
        };
        assert!(output.status.success(), "{}", said(&output));
        let found = shown(&rows(folder.path())[&(0, 0)]);
        let wanted =
            "0 holds: 2 | 2\n1 fails: [1, 2] | false\n2 fails: Some(1)\n-1 holds: to its end\n";
        assert_eq!(found, wanted);
    }
}

#[test]
fn functions_and_macros_that_help_tell_what_they_see_of_the_copy_that_runs() {
    let text = r#"#![deny(warnings)]
#[cfg(test)]
mod tests {
    fn net(gross: u32, percent: u32) -> u32 { gross - gross * percent / 100 }
    macro_rules! nets {
        ($gross:expr, $want:expr) => {{
            assert_eq!(net($gross, 10), $want, "of {}", $gross);
            assert!(net($gross, 10) < 1000);
        }};
    }
    struct Shop(u32);
    impl Shop {
        fn expects(&self, want: u32) { assert!(net(self.0, 10) == want, "the shop"); }
    }
    #[track_caller]
    fn check_net(gross: u32, percent: u32, want: u32) {
        let got = net(gross, percent);
        assert_eq!(got, want, "{} and {}", gross, percent,);
        assert_ne!(got, 1);
    }
    #[test]
    fn helped() {
        check_net(200, 10, 180);
        check_net(200, 20, 161);
        nets!(100, 90);
        nets!(100, 91);
        Shop(10).expects(9);
        Shop(10).expects(8);
    }
    #[test]
    #[should_panic(expected = "200 and 20")]
    fn asserts_as_written() { check_net(200, 20, 161); }
    #[test]
    #[should_panic(expected = "of 100")]
    fn macros_assert_as_written() { nets!(100, 91); }
}
"#;
    let made = observed(text, &[sample(text, 0, "helped", vec![Vec::new(); 2])]);
    for edition in ["2018", "2024"] {
        let folder = tempfile::tempdir().unwrap();
        let Some(output) = run(folder.path(), edition, &[("src/lib.rs", &made.text)]) else {
            return skipped("cargo");
        };
        assert!(output.status.success(), "{}\n{}", said(&output), made.text);
        let rows = rows(folder.path());
        assert_eq!(rows[&(0, 0)], rows[&(0, 1)]);
        let wanted = "10003 holds: 180 | 180\n10004 holds: 180 | 1\n10003 fails: 160 | 161\n10004 holds: 160 | 1\n10000 holds: 90 | 90\n10001 holds: true\n10000 fails: 90 | 91\n10001 holds: true\n10002 holds: 9 | 9\n10002 fails: 9 | 8\n-1 holds: to its end\n";
        assert_eq!(shown(&rows[&(0, 0)]), wanted, "{}", made.text);
    }
}

#[test]
fn a_test_that_waits_is_observed() {
    // A runtime that is as small as can be: what waits here never sleeps.
    let text = "mod tests {\n    #[crate::now_test]\n    async fn waits() {\n        assert_eq!(get(1).await, 1);\n        assert!(get(7).await == 2);\n        let n = get(0).await;\n        assert_eq!(n, 1);\n    }\n}\n";
    let made = observed(text, &[sample(text, 0, "waits", vec![Vec::new()])]);
    // The attribute of a runtime is a macro of another crate: done by hand.
    let ready = "fn now<F: std::future::Future<Output = ()>>(f: F) {\n    let mut f = Box::pin(f);\n    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());\n    while f.as_mut().poll(&mut cx).is_pending() {}\n}\nasync fn get(n: u32) -> u32 { if n == 0 { panic!(\"zero\") } n }\n#[test]\nfn all() { super::now(waits__o0()); }\n";
    let (now, get) = ready.split_once("async fn get").unwrap();
    let made = made
        .text
        .replace("#[crate::now_test]", "")
        .replace("mod tests {\n", &format!("{now}mod tests {{\nasync fn get{get}"));
    let folder = tempfile::tempdir().unwrap();
    let Some(output) = run(folder.path(), "2024", &[("src/lib.rs", &made)]) else {
        return skipped("cargo");
    };
    assert!(output.status.success(), "{}", said(&output));
    let found = shown(&rows(folder.path())[&(0, 0)]);
    assert_eq!(found, "0 holds: 1 | 1\n1 fails: 7 | 2\n-1 fails:  !panic: zero\n");
}
