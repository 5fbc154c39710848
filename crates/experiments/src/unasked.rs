//! A changed file of set-up without what nobody asks it for: of what the change brought, only the definitions that tests name
//! are left, and what those need. The rest stands as in the base's text, or is not there. Read from texts; nothing is run.

use proctor_lang::{Language, syntax};
use std::collections::BTreeSet;

/// After these words stands a name that is given to something.
const NAMING: &str = " def class function const let var fn func struct enum type mod trait static ";
/// What only takes in or hands on.
const PASSING_ON: [&str; 13] = [
    "//go:",
    "import ",
    "import(",
    "from ",
    "package ",
    "use ",
    "extern ",
    "export {",
    "export *",
    "module.exports",
    "exports.",
    "'use ",
    "\"use ",
];

/// One thing that stands outermost in a source.
struct Part<'s> {
    text: &'s str,
    names: BTreeSet<&'s str>,
}

/// The file as it would be if the change had only brought what is named; none where that is all of it, or where it can't be
/// told.
pub fn without_unasked(file: &str, old: &str, new: &str, named: &BTreeSet<&str>) -> Option<String> {
    let language = Language::of(file)?;
    if !matches!(language, Language::Python | Language::Script(_) | Language::Go) {
        return None;
    }
    let (parts, before) = (parts(language, new)?, parts(language, old)?);
    let kept = kept(&parts, named);
    let mut text = String::new();
    for (part, keep) in parts.iter().zip(kept) {
        let was = before.iter().find(|was| was.text == part.text);
        let same_name = || before.iter().find(|was| !was.names.is_disjoint(&part.names));
        let stands = match was {
            Some(was) => Some(was.text),
            None if keep => Some(part.text),
            None => same_name().map(|was| was.text),
        };
        text.extend(stands.into_iter().flat_map(|part| [part, "\n\n"]));
    }
    if language == Language::Go {
        text = used_imports(&text);
    }
    let is_other = parts.iter().any(|part| !text.contains(part.text));
    is_other.then_some(text)
}

/// Which parts are named, by a test or by what is kept.
fn kept(parts: &[Part<'_>], named: &BTreeSet<&str>) -> Vec<bool> {
    let passes_on = |part: &Part<'_>| PASSING_ON.iter().any(|word| part.text.starts_with(word));
    let mut kept: Vec<bool> = parts.iter().map(passes_on).collect();
    let mut known = named.clone();
    loop {
        let before = kept.clone();
        for (part, keep) in parts.iter().zip(&mut kept) {
            *keep |= !part.names.is_disjoint(&known);
            if *keep && !passes_on(part) {
                known.extend(words(part.text));
            }
        }
        if kept == before {
            return kept;
        }
    }
}

fn parts(language: Language, source: &str) -> Option<Vec<Part<'_>>> {
    let tree = language.parse(source)?;
    let root = tree.root_node();
    let says = |node: &tree_sitter::Node<'_>| {
        !syntax::is_comment(*node) || syntax::text(*node, source).starts_with("//go:")
    };
    let nodes = syntax::children(root).into_iter().filter(says);
    let part = |node: tree_sitter::Node<'_>| {
        let text = source.get(node.start_byte()..node.end_byte())?.trim_end();
        (!text.is_empty()).then(|| Part { text, names: defined(text) })
    };
    (!root.has_error()).then(|| nodes.filter_map(part).collect())
}

/// Go takes no import that nothing uses.
fn used_imports(text: &str) -> String {
    let is_used = |line: &&str| {
        let Some(path) = line.trim_end().strip_suffix('"').and_then(|l| l.rsplit_once('"')) else {
            return true;
        };
        let alias = path.0.trim().trim_start_matches("import").trim();
        let last = path.1.rsplit('/').next().unwrap_or(path.1);
        let name = if alias.is_empty() { last } else { alias };
        let is_import = line.starts_with('\t') && alias.chars().all(char::is_alphanumeric)
            || line.starts_with("import ");
        !is_import || name == "_" || text.contains(&format!("{name}."))
    };
    let lines: Vec<&str> = text.lines().filter(is_used).collect();
    lines.join("\n") + "\n"
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|w| !w.is_empty())
}

/// The names that a source gives to what stands outermost in it.
pub(crate) fn defined(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in source.lines().filter(|line| !line.starts_with([' ', '\t', '#', '/'])) {
        // `func (t *T) Name(`.
        let after = line.strip_prefix("func (").and_then(|rest| rest.split_once(')'));
        let line = after.map_or(line, |(_, rest)| rest.trim());
        let mut before = if after.is_some() { "func" } else { "" };
        for word in words(line) {
            let named = NAMING.split_whitespace().any(|naming| naming == before);
            if named || matches!(before, "exports" | "name") {
                found.insert(word);
            }
            before = word;
        }
        let assigned = line.split_once('=').map(|(name, _)| name.trim());
        found.extend(assigned.filter(|name| words(name).count() == 1 && !name.is_empty()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(file: &str, old: &str, new: &str, named: &[&str]) -> Option<String> {
        without_unasked(file, old, new, &named.iter().copied().collect())
    }

    #[test]
    fn what_a_set_up_gives_to_tests_has_names() {
        let all = |text| defined(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(
            all(
                "RATE = 3\n@pytest.fixture(name=\"till\")\ndef _till():\n    own = 1\n    return own\n"
            ),
            "RATE _till till"
        );
        assert_eq!(
            all("export function cart() {\n  const a = 1;\n}\nexports.seats = 2;\n"),
            "cart seats"
        );
        assert_eq!(all("func (t *T) Sum(a int) int {\n}\nfunc make(b int) {\n}\n"), "Sum make");
    }

    #[test]
    fn what_no_test_names_is_left_out_and_what_a_named_one_needs_stays() {
        let new = "import os\n\nRATE = 3\n\nos.environ[\"A\"] = \"b\"\n\n\n@pytest.fixture\ndef till():\n    return RATE\n\n\n@pytest.fixture(autouse=True)\ndef strict():\n    set()\n";
        let text = left("tests/conftest.py", "", new, &["till"]).unwrap();
        assert!(text.contains("RATE = 3") && text.contains("def till"), "{text}");
        assert!(!text.contains("environ") && !text.contains("strict"), "{text}");
        assert_eq!(left("tests/conftest.py", new, new, &[]), None, "nothing is new");
        assert_eq!(left("tests/conftest.py", "", "def till():\n    return 1\n", &["till"]), None);
    }

    #[test]
    fn a_changed_one_that_no_test_names_is_as_it_was() {
        let text = left(
            "a_test.go",
            "package a\n\nfunc set() {\n\tx = 1\n}\n",
            "package a\n\nimport \"os\"\n\nfunc set() {\n\tx = 2\n\tos.Exit(1)\n}\n\nfunc Sum() int {\n\treturn 1\n}\n",
            &["Sum"],
        );
        assert_eq!(
            text.unwrap(),
            "package a\n\n\nfunc set() {\n\tx = 1\n}\n\nfunc Sum() int {\n\treturn 1\n}\n\n"
        );
    }
}
