//! What observing tests of Rust look like.

use super::super::{Channel, Sample, observing, span};

const TEXT: &str = r#"//! Nets.
#![deny(warnings)]

/// Net.
pub fn net(a: u32) -> u32 {
    a
}

#[cfg(test)]
mod tests {
    //! Of nets.
    use super::*;

    /// Nets are counted.
    #[test]
    fn nets() {
        let name = "net".to_owned();
        assert_eq!(net(200), 180, "no {}", name);
        pretty_assertions::assert_ne!(net(1), 2,);
        assert!(net(3) >= 4, "why");
        assert!(!name.is_empty());
        assert!(name.is_char_boundary(2));
        assert!(parse("x").is_err(), "{}", 1);
        assert!(matches!(parse("x"), Err(E::Bad { .. }) if name == "y"));
        assert_matches!(name, Some(_) | None, "m");
        assert!(net(1) == 1 && net(2) == 2);
        for n in [1, 2] {
            debug_assert!(n != 3);
        }
        insta::assert_snapshot!(net(1), @"1");
        assert_close!(1.0, 2.0);
        assert_same(&name, &name);
        const _: () = assert!(true);
        prop_assert!(true);
        let ended = std::panic::catch_unwind(|| assert!(net(5) == 6));
        impl Drop for Mine {
            fn drop(&mut self) {
                assert!(self.0);
            }
        }
        assert_eq! { net(1), 1 }
    }

    mod deep {
        #[test]
        #[should_panic(expected = "too \"low\"")]
        // Why it does.
        fn panics() { super::net(0); assert!(false); }

        #[test]
        fn ends() -> Result<(), Box<dyn std::error::Error>> {
            assert_eq!("1".parse::<u32>()?, 1);
            Ok(())
        }

        #[tokio::test(flavor = "current_thread")]
        async fn waits() {
            assert!(get("a?b") == 1);
            assert!(get("b").await == 1);
        }
    }
}
"#;

/// The line of a function.
fn line(text: &str, name: &str) -> u32 {
    let found = text.lines().position(|l| l.contains(&format!("fn {name}(")));
    u32::try_from(found.unwrap() + 1).unwrap()
}

fn samples(text: &str, names: &[&str], copies: usize) -> Vec<Sample> {
    let one = |(number, name): (usize, &&str)| Sample {
        number,
        line: line(text, name),
        copies: vec![Vec::new(); copies],
    };
    names.iter().enumerate().map(one).collect()
}

#[test]
fn a_rust_test_stands_there_once_a_copy_with_its_assertions_recorded() {
    let names = ["nets", "panics", "ends", "waits"];
    let samples = samples(TEXT, &names, 1);
    let made = observing("src/lib.rs", TEXT, &samples, &Channel("c1".into())).unwrap();
    assert_eq!(made.samples, [0, 1, 2, 3]);
    let own = made.text.split("/// Net.").nth(1).unwrap();
    insta::assert_snapshot!(own);
    assert!(made.text.starts_with("//! Nets.\n#![deny(warnings)]\n#[cfg(test)]"), "{}", made.text);
}

#[test]
fn each_copy_says_in_its_first_line_which_it_is() {
    let made =
        observing("src/lib.rs", TEXT, &samples(TEXT, &["nets"], 3), &Channel("c1".into())).unwrap();
    let marks: Vec<u32> = made.lines.iter().map(|(lines, ..)| lines.start).collect();
    let lines: Vec<&str> = made.text.lines().collect();
    for (copy, mark) in marks.iter().enumerate() {
        let at = usize::try_from(*mark).unwrap() - 1;
        assert!(lines[at].contains(&format!("/* ob_0_{copy}_ */")), "{}", lines[at]);
        assert!(lines[at + 2].contains(&format!("fn nets__o{copy}()")), "{}", lines[at + 2]);
    }
    assert_eq!(marks.len(), 3);
}

#[test]
fn what_is_no_plain_test_is_left_alone() {
    let cases = [
        "fn a() {}\n",
        "#[test]\n#[ignore]\nfn a() {}\n",
        "#[test]\n#[cfg_attr(unix, should_panic)]\nfn a() {}\n",
        "#[test_case(1)]\nfn a(n: u8) {}\n",
        "#[rstest]\nfn a(#[values(1)] n: u8) {}\n",
        "#[test]\nfn a() -> std::process::ExitCode { f() }\n",
        "tests! { 1;\n#[test]\nfn a() {} }\n",
        "fn b() {\n#[test]\nfn a() {}\n}\n",
    ];
    for text in cases {
        assert_eq!(span("a.rs", text, line(text, "a")), None, "{text}");
    }
    let whole = "fn b() {} // b\n/** Doc. */\n// why\n#[test]\nfn a() {}\n";
    let found = span("a.rs", whole, 5).unwrap();
    assert_eq!(&whole[found], "/** Doc. */\n// why\n#[test]\nfn a() {}");
}

#[test]
fn functions_and_macros_among_tests_tell_what_they_see_and_production_does_not() {
    let text = "pub fn net(a: u32) -> u32 {\n    assert!(a > 0);\n    a\n}\n#[cfg(test)]\nmod tests {\n    macro_rules! nets { ($a:expr) => { assert_eq!(super::net($a), 1) }; }\n    fn assert_net(a: u32) { assert_eq!(super::net(a), 1, \"of {}\", a); }\n    #[test]\n    fn one() { assert_net(1); nets!(1); }\n}\n";
    let samples = [Sample { number: 0, line: 10, copies: vec![Vec::new()] }];
    let made = observing("src/lib.rs", text, &samples, &Channel("c1".into())).unwrap().text;
    assert!(made.contains("    assert!(a > 0);\n"), "{made}");
    assert!(made.contains("{ assert_net(1); nets!(1); }"), "{made}");
    let at = "(__ob::t()) (__ob::v())";
    assert!(made.contains(&format!("__ob!(c {at} 10000 eq ")), "{made}");
    assert!(made.contains(&format!("__ob!(c {at} 10001 eq ")), "{made}");
}

#[test]
fn a_question_may_change_what_it_is_asked_of() {
    let text = "#[test]\nfn a() {\n    assert!(args.contains(\"-v\"));\n    assert!(!args().is_empty());\n}\n";
    let samples = samples(text, &["a"], 1);
    let made = observing("tests/a.rs", text, &samples, &Channel("c1".into())).unwrap().text;
    assert!(made.contains("at; args; args.contains(\"-v\"))"), "{made}");
    assert!(made.contains("on false; args(); .is_empty())"), "{made}");
}
