use super::*;
use crate::tree::MemoryTree;
use proctor_core::item::Shape;

const MANIFEST: &str = "[package]\nname = \"demo-pkg\"\n";

fn tree(files: &[(&str, &str)]) -> MemoryTree {
    files.iter().map(|(p, t)| (*p, *t)).collect()
}

fn ids(files: &[(&str, &str)]) -> Vec<String> {
    let tree = tree(files);
    items(&tree, &tree.paths()).into_iter().map(|i| i.id.0).collect()
}

fn shape(body: &str) -> Shape {
    shape_with("", body)
}

fn shape_with(attribute: &str, body: &str) -> Shape {
    let source = format!("#[test]\n{attribute}\nfn t() {{ {body} }}\n");
    let tree = tree(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &source)]);
    let list = items(&tree, &["src/lib.rs".to_owned()]);
    assert_eq!(list.len(), 1, "{body}");
    list[0].shape
}

const T: &str = "#[test] fn t() { assert!(f()); }";

#[test]
fn a_file_has_the_ids_of_the_binaries_that_hold_it() {
    let found = ids(&[
        ("Cargo.toml", MANIFEST),
        (
            "src/lib.rs",
            &format!("mod a;\nmod deep {{ pub mod b; }}\n#[cfg(test)] mod tests {{ {T} }}"),
        ),
        ("src/a.rs", &format!("{T}\n#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;")),
        ("src/a_tests.rs", T),
        ("src/deep/b.rs", T),
        ("src/main.rs", &format!("mod only_main; {T}")),
        ("src/only_main.rs", T),
        ("src/bin/tool.rs", T),
        ("tests/integ.rs", &format!("mod common;\n{T}")),
        ("tests/common/mod.rs", T),
        ("tests/all/main.rs", "mod part;"),
        ("tests/all/part.rs", T),
    ]);
    assert_eq!(
        found,
        [
            "demo-pkg a::t",
            "demo-pkg a::tests::t",
            "demo-pkg::bin/tool t",
            "demo-pkg deep::b::t",
            "demo-pkg tests::t",
            "demo-pkg::bin/demo-pkg t",
            "demo-pkg::bin/demo-pkg only_main::t",
            "demo-pkg::all part::t",
            "demo-pkg::integ common::t",
            "demo-pkg::integ t",
        ]
    );
}

#[test]
fn a_member_of_a_workspace_has_its_own_package() {
    let found = ids(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        (
            "crates/x/Cargo.toml",
            "[package]\nname = \"x\"\n[[test]]\nname = \"odd\"\npath = \"tests/deep/file.rs\"\n",
        ),
        ("crates/x/src/lib.rs", T),
        ("crates/x/tests/deep/file.rs", T),
    ]);
    assert_eq!(found, ["x t", "x::odd t"]);
}

#[test]
fn a_file_that_no_crate_reaches_still_has_an_id_to_be_missed() {
    assert_eq!(
        ids(&[("Cargo.toml", MANIFEST), ("src/lib.rs", ""), ("src/lost/tests.rs", T)]),
        ["demo-pkg lost::tests::t"]
    );
}

#[test]
fn attributes_that_end_in_test_count_and_belong_to_the_text() {
    let source = "/// Doc.\n#[tokio::test]\nasync fn a() {\n    assert!(f().await);\n}\n#[rstest]\n#[case(1)]\nfn b(#[case] x: u8) { assert!(f(x)); }\nfn c() {}\n";
    let tree = tree(&[("Cargo.toml", MANIFEST), ("src/lib.rs", source)]);
    let list = items(&tree, &["src/lib.rs".to_owned()]);
    assert_eq!(list.len(), 2);
    assert_eq!(list[0].text, "#[tokio::test] async fn a() { assert!(f().await); }");
    assert_eq!(list[0].place, Place { file: "src/lib.rs".to_owned(), line: Some(3) });
}

#[test]
fn a_body_that_checks_something_is_sound() {
    for body in [
        "assert_eq!(f(), 1);",
        "let x = f().unwrap();",
        "f()?;",
        "if f() { panic!(\"no\"); }",
        "insta::assert_snapshot!(f());",
        "assert!(matches!(f(), Some(_)));",
        "prop_assert_eq!(f(), 1);",
        "let Some(x) = f() else { panic!() };",
        "check_all(f());",
        "match f() { A => {} _ => unreachable!() }",
        "assert_eq!(f(), 1)",
    ] {
        assert_eq!(shape(body), Shape::Sound, "{body}");
    }
    assert_eq!(shape_with("#[should_panic]", "f();"), Shape::Sound);
}

#[test]
fn a_body_without_a_check_is_seen() {
    for body in [
        "",
        "f();",
        "assert!(true);",
        "assert_eq!(1, 1);",
        "let x = Some(1); x.unwrap();",
        "println!(\"x\");",
    ] {
        assert_eq!(shape(body), Shape::NoAssertion, "{body}");
    }
    assert_eq!(shape_with("#[should_panic]", "panic!();"), Shape::NoAssertion);
}

#[test]
fn a_body_that_always_fails_is_seen() {
    for body in [
        "panic!(\"x\")",
        "todo!();",
        "unimplemented!()",
        "unreachable!();",
        "assert!(false);",
        "f(); assert!(false, \"later\");",
        "assert_eq!(1, 2);",
    ] {
        assert_eq!(shape(body), Shape::ConstantFailure, "{body}");
    }
}

#[test]
fn an_ignored_test_is_skipped() {
    assert_eq!(shape_with("#[ignore = \"slow\"]", "assert!(f());"), Shape::Skipped);
}

#[test]
fn a_helper_of_the_same_file_counts_only_if_it_checks() {
    let with = |helper: &str| {
        let source =
            format!("fn check_it(x: u8) {{ {helper} }}\n#[test]\nfn t() {{ check_it(f()); }}");
        let tree = tree(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &source)]);
        items(&tree, &["src/lib.rs".to_owned()])[0].shape
    };
    assert_eq!(with("assert_eq!(x, 1);"), Shape::Sound);
    assert_eq!(with("drop(x);"), Shape::NoAssertion);
}

#[test]
fn a_function_among_the_tests_counts_whatever_its_name_and_one_of_the_code_does_not() {
    let shape = |source: &str| {
        let tree = tree(&[("Cargo.toml", MANIFEST), ("src/lib.rs", source)]);
        items(&tree, &["src/lib.rs".to_owned()])[0].shape
    };
    let test = "#[test]\nfn t() { process(1); }";
    let helper = "fn process(x: u8) { assert_eq!(x, 1); }";
    assert_eq!(shape(&format!("#[cfg(test)]\nmod tests {{ {helper}\n{test} }}")), Shape::Sound);
    let code = format!("pub {helper}\n#[cfg(test)]\nmod tests {{ use super::*;\n{test} }}");
    assert_eq!(shape(&code), Shape::NoAssertion);
}
