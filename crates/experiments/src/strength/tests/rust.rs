use super::*;

#[test]
fn a_weaker_rust_test_is_named() {
    let rust = |before: &str, after: &str, wanted: &str| {
        let whole = |body: &str| format!("#[test]\nfn a() {{\n    {body}\n}}\n");
        table("tests/a.rs", &[(&whole(before), &whole(after), wanted)]);
    };
    rust("assert_eq!(f(2), 4); assert_eq!(f(3), 9);", "assert_eq!(f(2), 4);", "is gone");
    rust("assert_eq!(f(2), Ok(4));", "assert!(f(2).is_ok());", "being there");
    rust("assert_eq!(f(2), 4);", "assert!(f(2) > 0);", "an order");
    rust("assert_eq!(f(2), 4);", "assert_ne!(f(2), 0);", "a difference");
    rust("assert_eq!(f(2), 4);", "let r = f(2); assert_eq!(r, f(2));", "holds whatever");
    rust("assert_eq!(f(2), 4);", "assert!(matches!(f(2), _));", "a part or a pattern");
    rust("assert_eq!(f(2), 4);", "if let Some(x) = g() { assert_eq!(f(2), 4); }", "one branch");
    rust(
        "assert_eq!(f(2), 4);",
        "let _ = std::panic::catch_unwind(|| { assert_eq!(f(2), 4); });",
        "caught",
    );
    rust(
        "assert_eq!(f(2), 4);",
        "if std::env::var(\"X\").is_err() { return; } assert_eq!(f(2), 4);",
        "way out",
    );
    rust(
        "assert!((f(2) - 4.0).abs() < 1e-9);",
        "assert!((f(2) - 4.0).abs() < 1.0);",
        "the bound moved",
    );
    rust(
        "for (a, b) in [(1, 1), (2, 4)] { assert_eq!(f(a), b); }",
        "for (a, b) in [(1, 1)] { assert_eq!(f(a), b); }",
        "the case",
    );
    rust(
        "for i in 0..100 { assert_eq!(f(i), i); }",
        "for i in 0..2 { assert_eq!(f(i), i); }",
        "a loop now ends at 2",
    );
    rust("assert_eq!(f(2), vec![1, 2]);", "assert_eq!(f(2).len(), 2);", "only a part");
    table(
        "tests/a.rs",
        &[
            (
                "#[test]\nfn a() { assert_eq!(f(2), 4); }\n",
                "#[test]\n#[ignore]\nfn a() { assert_eq!(f(2), 4); }\n",
                "ignore",
            ),
            (
                "#[test]\n#[should_panic(expected = \"bad\")]\nfn a() { f(2); }\n",
                "#[test]\n#[should_panic]\nfn a() { f(2); }\n",
                "the message",
            ),
            (
                "#[rstest]\n#[case(1, 1)]\n#[case(2, 4)]\nfn a(#[case] n: u8, #[case] w: u8) { assert_eq!(f(n), w); }\n",
                "#[rstest]\n#[case(1, 1)]\nfn a(#[case] n: u8, #[case] w: u8) { assert_eq!(f(n), w); }\n",
                "the case",
            ),
        ],
    );
}

#[test]
fn an_honest_rewrite_of_a_rust_test_is_fine() {
    let rust = |before: &str, after: &str| {
        let whole = |body: &str| format!("#[test]\nfn a() {{\n    {body}\n}}\n");
        table("tests/a.rs", &[(&whole(before), &whole(after), "")]);
    };
    rust("assert_eq!(f(2), 4);", "assert_eq!(f(2), 5);");
    rust("assert_eq!(f(2), 4);", "assert_eq!(4, f(2), \"two\");");
    rust("assert!(f(2) == 4);", "assert_eq!(f(2), 4);");
    rust("assert_eq!(f(2), None);", "assert!(f(2).is_none());");
    rust("assert_eq!(f(2), Err(E::Bad));", "assert!(matches!(f(2), Err(E::Bad)));");
    rust(
        "let r = f(2).unwrap(); assert_eq!(r, 4);",
        "let value = f(2).unwrap(); assert_eq!(value, 4);",
    );
    rust(
        "assert_eq!(f(1), 1); assert_eq!(f(2), 4);",
        "for (n, w) in [(1, 1), (2, 4)] { assert_eq!(f(n), w); }",
    );
    rust(
        "assert_eq!(f(2), 4);",
        "match g() { Ok(_) => assert_eq!(f(2), 4), Err(e) => panic!(\"{e}\") }",
    );
    rust("assert_eq!(f(2), 4);", "let Some(_) = g() else { panic!(\"no\") }; assert_eq!(f(2), 4);");
    rust("assert!(f(2).is_empty());", "assert_eq!(f(2), Vec::<u8>::new());");
    table(
        "tests/a.rs",
        &[(
            "#[test]\nfn a() { assert_eq!(f(1), 1); assert_eq!(f(2), 4); }\n",
            "#[test]\nfn a() { same(1, 1); same(2, 4); }\nfn same(n: u8, w: u8) { assert_eq!(f(n), w); }\n",
            "",
        )],
    );
}
