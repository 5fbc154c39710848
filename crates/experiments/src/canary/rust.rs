//! Canaries for Rust: functions at the end of the block that holds the file's tests. Knows no report.

use super::{appended, inserted};
use proctor_lang::Language;
use proctor_lang::rust::attributed;
use proctor_lang::rust::split::{is_test_attribute, is_test_function_attribute};
use proctor_lang::syntax;
use proctor_lang::zone::{Zone, zone};
use tree_sitter::Node;

pub(super) fn with_canaries(file: &str, source: &str, tag: &str) -> Option<String> {
    let parsed = Language::Rust.parse(source)?;
    let root = parsed.root_node();
    let mut blocks = Blocks { source, with_tests: None, for_tests: None };
    blocks.read(root);
    let canaries = canaries(root, source, tag);
    match blocks.with_tests.or(blocks.for_tests) {
        Some(block) if block.kind() != "source_file" => {
            inserted(source, block.end_byte().checked_sub(1)?, &format!("\n{canaries}"))
        }
        Some(_) => Some(appended(source, &canaries)),
        // All its tests may be made by macros.
        None if zone(file) == Zone::Test => Some(appended(source, &canaries)),
        None => None,
    }
}

/// The last block that holds tests itself, and the last one that is compiled for tests alone.
struct Blocks<'t, 's> {
    source: &'s str,
    with_tests: Option<Node<'t>>,
    for_tests: Option<Node<'t>>,
}

impl<'t> Blocks<'t, '_> {
    fn read(&mut self, block: Node<'t>) {
        for (node, attributes) in attributed(block) {
            let marked =
                |is: fn(&str) -> bool| attributes.iter().any(|a| is(syntax::text(*a, self.source)));
            match (node.kind(), node.child_by_field_name("body")) {
                ("mod_item", Some(body)) => {
                    if marked(is_test_attribute) {
                        self.for_tests = Some(body);
                    }
                    self.read(body);
                }
                ("function_item", _) if marked(is_test_function_attribute) => {
                    self.with_tests = Some(block);
                }
                _ => {}
            }
        }
    }
}

/// The plain ones use no macro and no path: any of those may be the project's own, and editions differ in them.
fn canaries(root: Node<'_>, source: &str, tag: &str) -> String {
    let of = |kind: &'static str| syntax::nodes(root).filter(move |n| n.kind() == kind);
    let other_test = of("use_declaration").any(|n| brings_test(syntax::text(n, source)));
    let uses = |name| of("macro_invocation").any(|n| syntax::field(n, "macro", source) == name);
    // `use tokio::test;` would make the plain word mean something else.
    let mark = if other_test { "#[::core::prelude::v1::test]" } else { "#[test]" };
    let mut text = format!(
        "\
{mark}
fn {tag}_passes() {{
    [1].first().filter(|one| **one == 1).unwrap();
}}

{mark}
fn {tag}_fails() {{
    [1].first().filter(|one| **one == 2).unwrap();
}}

{mark}
#[ignore]
fn {tag}_skips() {{
    [1].first().filter(|one| **one == 2).unwrap();
}}
"
    );
    for (name, end, call) in
        [("assert_eq", "too", "assert_eq!(1, 2)"), ("assert", "true", "assert!([1].len() == 2)")]
    {
        if uses(name) {
            text.extend([format!("\n{mark}\nfn {tag}_fails_{end}() {{\n    {call};\n}}\n")]);
        }
    }
    text
}

fn brings_test(declaration: &str) -> bool {
    let path = declaration.trim_end_matches(';');
    let mut names = path.split([',', '{', '}']).map(str::trim);
    names.any(|name| name == "test" || name.ends_with("::test") || name.ends_with(" as test"))
}
