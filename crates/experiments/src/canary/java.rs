//! Canaries for `JUnit` 4 and 5: methods at the end of the file's first class of tests. Knows no report.

use super::inserted;
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn with_canaries(source: &str, tag: &str) -> Option<String> {
    let parsed = Language::Java.parse(source)?;
    let root = parsed.root_node();
    let package = |name: &str| {
        let imported = |n: Node<'_>| {
            n.kind() == "import_declaration" && syntax::text(n, source).contains(name)
        };
        syntax::children(root).into_iter().any(imported)
    };
    // The newer first: a file may use the older one's matchers besides.
    let [test, skip, equals] = if package("org.junit.jupiter.api") {
        [
            "org.junit.jupiter.api.Test",
            "org.junit.jupiter.api.Disabled",
            "org.junit.jupiter.api.Assertions",
        ]
    } else if package("org.junit.") {
        ["org.junit.Test", "org.junit.Ignore", "org.junit.Assert"]
    } else {
        return None;
    };
    let class = syntax::children(root)
        .into_iter()
        .find(|n| n.kind() == "class_declaration" && syntax::text(*n, source).contains("Test"))?;
    let end = class.child_by_field_name("body")?.end_byte().checked_sub(1)?;
    let method = |marks: &str, name: &str, body: &str| {
        format!("\n    {marks}\n    public void test_{tag}_{name}() {{\n        {body}\n    }}\n")
    };
    let plain = |wanted: &str| {
        format!(
            "if (\"a\".length() + 1 != {wanted}) throw new java.lang.AssertionError(\"a canary\");"
        )
    };
    let methods = [
        method(&format!("@{test}"), "passes", &plain("2")),
        method(&format!("@{test}"), "fails", &plain("3")),
        method(&format!("@{test}"), "fails_too", &format!("{equals}.assertEquals(1, 2);")),
        method(&format!("@{test} @{skip}"), "skips", &plain("3")),
    ];
    inserted(source, end, &methods.concat())
}
