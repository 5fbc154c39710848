use super::*;

#[test]
fn only_sources_with_code_in_their_docs_are_worth_a_run() {
    for source in [
        "/// ```\n/// a();\n/// ```\nfn a() {}\n",
        "//! ~~~\n//! a();\n//! ~~~\n",
        "    ///     a();\n",
        "#![doc = include_str!(\"../README.md\")]\n",
        "#[cfg_attr(x, doc = \"y\")]\nfn a() {}\n",
        "/** Text.\n```\na();\n```\n*/\nfn a() {}\n",
    ] {
        assert!(may_hold_code(source), "{source}");
    }
    for source in
        ["/// Text.\nfn a() {}\n", "// ```\nlet s = \"```\";\n", "#[doc(hidden)]\nfn a() {}\n"]
    {
        assert!(!may_hold_code(source), "{source}");
    }
}

#[test]
fn ids_do_not_depend_on_lines() {
    let mut told = Told::default();
    for name in [
        "src/lib.rs - add (line 113)",
        "src/lib.rs - add (line 20)",
        "src/lib.rs - (line 1)",
        "src/../README.md - R (line 3)",
    ] {
        told.ends.insert(name.to_owned(), LibtestEnd::Ok);
    }
    let shown: Vec<(String, String)> =
        ids("a-pkg", &told).into_iter().map(|(name, id)| (name, id.0)).collect();
    let shown: Vec<(&str, &str)> = shown.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("src/../README.md - R (line 3)", "a-pkg::doc src/../README.md - R"),
            ("src/lib.rs - (line 1)", "a-pkg::doc src/lib.rs"),
            ("src/lib.rs - add (line 113)", "a-pkg::doc src/lib.rs - add #2"),
            ("src/lib.rs - add (line 20)", "a-pkg::doc src/lib.rs - add"),
        ]
    );
}

#[test]
fn a_doctest_is_told_from_a_test_in_a_target_named_doc() {
    let item = |id: &str| item_of(&TestId::new(id)).map(str::to_owned);
    assert_eq!(item("a::doc src/lib.rs - add #2").as_deref(), Some("src/lib.rs - add"));
    assert_eq!(item("a::doc src/lib.rs").as_deref(), Some("src/lib.rs"));
    assert_eq!(item("a::doc module::test"), None);
    assert_eq!(item("a tests::test"), None);
}

#[test]
fn rustdoc_is_told_of_the_tests_that_are_wanted_now_and_not_of_those_that_cargo_was_asked_for() {
    let words = ["--test", "src/lib.rs", "--test-args", "-Z", "--test-args", "sub", "-L", "deps"];
    let args = words.map(str::to_owned).into();
    let run = DocRun { package: "a".to_owned(), env: BTreeMap::new(), args };
    let only = Selection::Ids(vec![TestId::new("a::doc src/lib.rs - add")]);
    let told = |only| {
        let ask = Ask { only, ..nowhere() };
        let args = args_for(&ask, &run).into_iter().map(|arg| arg.to_string_lossy().into_owned());
        args.collect::<Vec<_>>().join(" ")
    };
    let json = "--test-args -Z --test-args unstable-options --test-args --format --test-args json --test-args --show-output";
    let plain = format!("--test src/lib.rs -L deps {json}");
    assert_eq!(told(Selection::All), plain);
    assert_eq!(told(only), format!("{plain} --test-args add"));
}

fn nowhere() -> Ask {
    Ask {
        tree: PathBuf::from("/t"),
        subdir: String::new(),
        start: None,
        scratch: PathBuf::from("/s"),
        cache: PathBuf::from("/c"),
        only: Selection::All,
        order: crate::ask::Order::AsWritten,
        coverage: crate::ask::Coverage::Off,
        manner: crate::ask::Manner::Ours,
        programs: crate::ask::Programs::ThrownAway,
        elsewhere: Vec::new(),
        tools: crate::ask::Tools::default(),
        extra_env: BTreeMap::new(),
    }
}
