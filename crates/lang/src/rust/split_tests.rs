use super::*;

const MIXED: &str = "//! Doc.\nuse std::fmt;\n\npub fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert!(true); }\n}\n\npub fn b() {}\n";

#[test]
fn a_source_is_taken_apart_at_its_test_items() {
    let split = split_rust(MIXED).unwrap();
    assert_eq!(split.production, "//! Doc.\nuse std::fmt;\n\npub fn a() {}\n\npub fn b() {}\n");
    assert_eq!(split.tests.len(), 1);
    assert!(split.tests[0].starts_with("#[cfg(test)]\nmod tests {"), "{}", split.tests[0]);
}

#[test]
fn every_way_to_mark_a_test_item_is_seen() {
    for item in [
        "#[cfg(test)]\nmod tests;",
        "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;",
        "#[cfg(all(test, unix))]\nmod t {}",
        "#[cfg(all(feature = \"a\", all(unix, test)))]\nmod t {}",
        "#[test]\nfn t() {}",
        "#[tokio::test]\nasync fn t() {}",
        "#[cfg(test)]\nuse std::io;",
        "/// Doc.\n#[allow(x)]\n#[cfg(test)]\nmod t {}",
        "#[cfg( test )] mod t {}",
    ] {
        let split = split_rust(&format!("fn a() {{}}\n{item}\n")).unwrap();
        assert_eq!(
            (split.production.as_str(), split.tests),
            ("fn a() {}\n", vec![item.to_owned()]),
            "{item}"
        );
    }
}

#[test]
fn production_items_stay() {
    for source in [
        "fn a() {}\n",
        "#[cfg(any(test, unix))]\nfn a() {}\n",
        "#[cfg(not(test))]\nfn a() {}\n",
        "// #[test]\nfn a() {}\n",
        "",
    ] {
        assert_eq!(split_rust(source), None, "{source}");
    }
}

#[test]
fn sealed_tests_replace_those_of_the_source_in_place() {
    let split = split_rust(MIXED).unwrap();
    let weakened =
        MIXED.replace("assert!(true)", "").replace("pub fn b() {}", "pub fn b() { a() }");
    let joined = join_rust(&weakened, &split.tests);
    assert_eq!(joined, MIXED.replace("pub fn b() {}", "pub fn b() { a() }"));
    assert_eq!(join_rust(MIXED, &split.tests), MIXED);
}

#[test]
fn sealed_tests_come_back_when_the_source_dropped_or_added_some() {
    let split = split_rust(MIXED).unwrap();
    let joined = join_rust("pub fn a() {}\n", &split.tests);
    assert_eq!(split_rust(&joined).unwrap().tests, split.tests);
    let added = format!("{MIXED}\n#[cfg(test)]\nmod more {{}}\n");
    let joined = join_rust(&added, &split.tests);
    assert_eq!(split_rust(&joined).unwrap(), split);
    assert!(!joined.contains("more"));
}

#[test]
fn the_production_part_does_not_depend_on_the_tests() {
    let production = split_rust(MIXED).unwrap().production;
    let other = MIXED.replace("assert!(true);", "assert_eq!(1, 2);\n\n");
    assert_eq!(split_rust(&other).unwrap().production, production);
    assert_eq!(join_rust(MIXED, &[]), production);
}
