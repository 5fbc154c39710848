//! The modules that a Rust source declares and that lie in files of their own. Follows none of them.

use super::attributed;
use super::items::{normal, path_attribute};
use super::split::is_test_attribute;
use crate::language::Language;
use crate::syntax;
use crate::tree::{below, parent};

/// `mod name;` at the top level of a source, tests left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustModule {
    pub name: String,
    /// The declaration with its attributes.
    pub text: String,
    /// Where its file may lie.
    pub files: Vec<String>,
}

/// The modules that the source of this file declares.
pub fn rust_modules(file: &str, source: &str) -> Vec<RustModule> {
    let Some(parsed) = Language::Rust.parse(source) else { return Vec::new() };
    let mut found = Vec::new();
    for (node, attributes) in attributed(parsed.root_node()) {
        let attributes: Vec<&str> = attributes.iter().map(|a| syntax::text(*a, source)).collect();
        let declared = node.kind() == "mod_item" && node.child_by_field_name("body").is_none();
        if !declared || attributes.iter().any(|a| is_test_attribute(a)) {
            continue;
        }
        let name = syntax::field(node, "name", source).to_owned();
        let base = below(&folder_of(file), &name);
        let given = attributes.iter().find_map(|a| path_attribute(a));
        let files = given.map_or_else(
            || vec![format!("{base}.rs"), format!("{base}/mod.rs")],
            |path| vec![normal(&below(parent(file), &path))],
        );
        let text = attributes.iter().copied().chain([syntax::text(node, source)]);
        found.push(RustModule { name, text: text.collect::<Vec<_>>().join("\n"), files });
    }
    found
}

/// Where the modules of a file lie.
fn folder_of(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    if matches!(name, "lib.rs" | "main.rs" | "mod.rs") {
        return parent(file).to_owned();
    }
    file.trim_end_matches(".rs").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_in_files_of_their_own_are_found_with_where_they_may_lie() {
        let source = "mod a;\npub mod b {\n    mod c;\n}\n#[cfg(test)]\nmod tests;\n#[path = \"x/y.rs\"]\npub(crate) mod d;\n";
        let found = rust_modules("src/net/url.rs", source);
        let told: Vec<(&str, &str, Vec<&str>)> = found
            .iter()
            .map(|m| {
                (m.name.as_str(), m.text.as_str(), m.files.iter().map(String::as_str).collect())
            })
            .collect();
        assert_eq!(
            told,
            [
                ("a", "mod a;", vec!["src/net/url/a.rs", "src/net/url/a/mod.rs"]),
                ("d", "#[path = \"x/y.rs\"]\npub(crate) mod d;", vec!["src/net/x/y.rs"]),
            ]
        );
        let root = rust_modules("src/lib.rs", "pub mod slug;\n");
        assert_eq!(root[0].files, ["src/slug.rs", "src/slug/mod.rs"]);
    }
}
