//! Canaries for Go: functions at the end of the test file. Knows no report.

use super::appended;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::Node;

/// Packages whose `Equal(t, a, b)` fails a test.
const ASSERTING: Words = Words(
    "github.com/stretchr/testify/assert github.com/stretchr/testify/require \
    gotest.tools/v3/assert gotest.tools/assert github.com/alecthomas/assert/v2",
);

pub(super) fn with_canaries(source: &str, tag: &str) -> Option<String> {
    let parsed = Language::Go.parse(source)?;
    let imports = imports(parsed.root_node(), source);
    let testing = imports.iter().find(|(path, _)| path == "testing")?;
    let kind = qualified(&testing.1, "T")?;
    // `Test_x` is a test as well as `TestX` is, and keeps the name as it is.
    let mut text = format!(
        "\
func Test_{tag}_passes(t *{kind}) {{
	if got, want := 1+1, 2; got != want {{
		t.Errorf(\"%d is not %d\", got, want)
	}}
}}

func Test_{tag}_fails(t *{kind}) {{
	if got, want := 1+1, 3; got != want {{
		t.Errorf(\"%d is not %d\", got, want)
	}}
}}

func Test_{tag}_skips(t *{kind}) {{
	t.Skip(\"a canary\")
}}
"
    );
    let asserting = imports.iter().filter(|(path, _)| ASSERTING.has(path.as_str()));
    for (index, equal) in asserting.filter_map(|(_, name)| qualified(name, "Equal")).enumerate() {
        let end = if index == 0 { "too".to_owned() } else { format!("too{index}") };
        text.extend([format!(
            "\nfunc Test_{tag}_fails_{end}(t *{kind}) {{\n\t{equal}(t, 1, 2)\n}}\n"
        )]);
    }
    Some(appended(source, &text))
}

/// A name of a package by what the package is called here; none where it is not to be had.
fn qualified(package: &str, name: &str) -> Option<String> {
    match package {
        "_" => None,
        "." => Some(name.to_owned()),
        package => Some(format!("{package}.{name}")),
    }
}

/// The imported paths, each with what it is called here.
fn imports(root: Node<'_>, source: &str) -> Vec<(String, String)> {
    let specs = syntax::nodes_into(root, |n| n.kind() != "function_declaration");
    let named = specs.filter(|n| n.kind() == "import_spec").map(|n| {
        let path = syntax::field(n, "path", source).trim_matches(['"', '`']);
        let name = Some(syntax::field(n, "name", source)).filter(|name| !name.is_empty());
        (path.to_owned(), name.unwrap_or_else(|| last_part(path)).to_owned())
    });
    named.collect()
}

/// A package's usual name: the last part of its path that is no version.
fn last_part(path: &str) -> &str {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path)
}
