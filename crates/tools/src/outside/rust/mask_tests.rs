use super::*;

fn masked(source: &str) -> String {
    Edit::applied(source, &edits(source, Side::Production))
}

/// Whether something is as without the test build.
fn asks(source: &str) -> bool {
    edits(source, Side::Production).iter().any(|edit| edit.text == FALSE)
}

#[test]
fn what_the_test_build_exchanges_is_as_without_it() {
    for (source, wanted) in [
        ("fn f() -> i32 { if cfg!(test) { 4 } else { 5 } }", "if cfg!(any()) { 4 }"),
        ("fn f() { g(cfg!(all(test, unix))) }", "g(cfg!(all(any(), unix)))"),
        ("fn f() { println!(\"{}\", cfg!(test)) }", "cfg!(any())"),
        (
            "fn f() -> i32 {\n    #[cfg(test)]\n    return 4;\n    5\n}",
            "#[cfg(any())]\n    return 4",
        ),
        (
            "fn f() -> i32 { #[cfg(not(test))] { 5 } #[cfg(test)] { 4 } }",
            "#[cfg(not(any()))] { 5 }",
        ),
        ("fn f(n: i32) { match n { #[cfg(test)] 1 => {}, _ => {} } }", "#[cfg(any())] 1 =>"),
        (
            "#[cfg(test)]\nfn f() {}\n#[cfg(not(test))]\nfn f() {}",
            "#[cfg(any())]\nfn f() {}\n#[cfg(not(any()))]",
        ),
        ("#[cfg(test)] use a::f;\n#[cfg(not(test))] use b::f;", "#[cfg(any())] use a::f"),
        ("#[cfg_attr(test, path = \"fake.rs\")] mod real;", "#[cfg_attr(any(), path"),
    ] {
        assert!(masked(source).contains(wanted), "{source}\n{}", masked(source));
        assert!(asks(source), "{source}");
    }
}

#[test]
fn what_the_test_build_adds_stays() {
    for (source, wanted) in [
        (
            "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert!(cfg!(test)) }\n}",
            "cfg!(all())",
        ),
        (
            "#[cfg(test)]\nmod tests { #[test]\n fn a() {} }",
            "#[cfg(all())]\npub(crate) mod tests { \n pub(crate) fn a()",
        ),
        ("#[cfg(test)]\nimpl A { fn made() -> Self { A } }", "#[cfg(all())]\nimpl A"),
        ("#[cfg_attr(test, derive(Debug))]\nstruct A;", "#[cfg_attr(all(), derive(Debug))]"),
        ("struct A { #[cfg(test)] calls: u32 }", "#[cfg(all())] calls"),
        (
            "#[cfg(test)] static CALLS: A = A;\nfn f() { #[cfg(test)] CALLS.add(1); }",
            "{ #[cfg(all())] CALLS.add",
        ),
        ("#![deny(warnings)]\n#![cfg(test)]\n", "#![allow(warnings)]\n#![cfg(all())]"),
        ("#![cfg_attr(not(test), no_std)]\nfn f() {}", "\nfn f() {}"),
        ("fn test() { let test = 1; }", "fn test() { let test = 1; }"),
    ] {
        assert!(masked(source).contains(wanted), "{source}\n{}", masked(source));
        assert!(!asks(source), "{source}");
    }
}
