//! Files of tests that a test imports: their tables and constants with other values, in a file of another name that the test
//! imports in the place of the first. So all of that is seen in the same run as the test itself.

use super::{About, Around, MOST_AROUND, members, shown, stands_beside, tables, ways};
use crate::observe::{parsed, put, span};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::literal::inside;
use proctor_lang::syntax::{children, text, walk};
use std::ops::Range;
use tree_sitter::Node;

/// Outside of every file.
const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

/// An imported file with other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub path: String,
    pub text: String,
}

impl Module {
    /// The name by which a file is imported, and what stands behind it: `cases`, `.test.js`.
    pub fn name(path: &str) -> (&str, &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.find('.').map_or((name, ""), |at| name.split_at(at))
    }

    /// A path beside it, and the name by which that is imported.
    pub fn beside(&self, number: usize) -> (String, String) {
        let (name, ending) = Self::name(&self.path);
        let folder = self.path.len() - name.len() - ending.len();
        let other = format!("{name}_o{number}");
        (format!("{}{other}{ending}", self.path.get(..folder).unwrap_or_default()), other)
    }
}

/// What the test that begins at this line takes from a file that it imports, with others in its place, and the inputs that
/// stand there.
pub fn vary_module(
    (file, source, line): (&str, &str, u32),
    (path, module): (&str, &str),
    about: &About<'_>,
) -> Option<(Vec<Around>, Vec<String>)> {
    let language = Language::of(file).filter(|language| stands_beside(*language))?;
    let (span, tree) = (span(file, source, line)?, parsed(language, source)?);
    let mut known = tables::words(source.get(span.clone())?);
    for part in tables::given_to((language, tree.root_node()), source, &span) {
        known.extend(tables::words(source.get(part)?));
    }
    let tree = parsed(Language::of(path)?, module)?;
    let root = tree.root_node();
    let mut found = super::Found::default();
    for part in tables::named_by(root, module, &NOWHERE, known) {
        let more = super::literals::of(language, root, module, &part);
        found.literals.extend(more.literals);
        found.lists.extend(more.lists);
        found.members.extend(members::of(language, (root, module), &part, about.enumerations));
    }
    found.keep_new(about.is_new);
    found.literals.retain(|literal| !about.stays(literal));
    let made = ways(&found, module, about.knows).into_iter().take(MOST_AROUND).map(|way| {
        let text = Edit::applied(module, &way.edits);
        let module = Some(Module { path: path.to_owned(), text });
        Around { variation: way.variation, edits: Vec::new(), module }
    });
    Some((made.collect(), shown(&found, false)))
}

/// The edits by which a file imports another module in the place of one; none where it does not import that.
pub fn importing(file: &str, source: &str, path: &str, other: &str) -> Vec<Edit> {
    let language = Language::of(file).filter(|language| stands_beside(*language));
    let Some((tree, language)) = language.and_then(|l| Some((parsed(l, source)?, l))) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    walk(tree.root_node(), &|_| true, &mut |n| match (n.kind(), language) {
        ("import_from_statement" | "import_statement", Language::Python) => {
            found.extend(python(n, source, path, other));
        }
        ("string", Language::Script(_)) => found.extend(script(n, source, path, other)),
        _ => {}
    });
    found
}

fn python(import: Node<'_>, source: &str, path: &str, other: &str) -> Vec<Edit> {
    let (name, _) = Module::name(path);
    let last = |n: Node<'_>| text(n, source).rsplit('.').next().unwrap_or_default() == name;
    let renamed = |n: Node<'_>| put(n.end_byte() - name.len(), n.end_byte(), other);
    let from = import.child_by_field_name("module_name");
    if let Some(from) = from.filter(|from| last(*from)) {
        return vec![renamed(from)];
    }
    // `from . import cases`, `from tests import cases`.
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let of = |from: Node<'_>| text(from, source).rsplit('.').next().unwrap_or_default().to_owned();
    if from.is_some_and(|from| !of(from).is_empty() && of(from) != folder) {
        return Vec::new();
    }
    let names = children(import).into_iter().filter(|n| Some(*n) != from);
    let one = |n: Node<'_>| match n.kind() {
        "aliased_import" => n.child_by_field_name("name").filter(|n| last(*n)).map(renamed),
        "dotted_name" if text(n, source) == name => {
            Some(put(n.start_byte(), n.end_byte(), format!("{other} as {name}")))
        }
        _ => None,
    };
    names.filter_map(one).collect()
}

/// `'./cases'` in an import or where it is required.
fn script(string: Node<'_>, source: &str, path: &str, other: &str) -> Option<Edit> {
    let above = string.parent()?;
    let called = above.parent().and_then(|call| call.child_by_field_name("function"));
    let called = called.map_or("", |n| text(n, source));
    let taken = above.kind() == "import_statement" || matches!(called, "require" | "import");
    let said = text(string, source);
    let inner = inside(said).filter(|_| taken)?;
    let (name, _) = Module::name(path);
    let at = inner.start + said.get(inner.clone())?.rfind('/')? + 1;
    let rest = said.get(at..inner.end)?.strip_prefix(name)?;
    let from = string.start_byte() + at;
    (rest.is_empty() || rest.starts_with('.')).then(|| put(from, from + name.len(), other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vary::Enumerations;

    fn imports(file: &str, source: &str, path: &str) -> String {
        Edit::applied(source, &importing(file, source, path, "other"))
    }

    #[test]
    fn a_test_imports_another_module_in_each_way_of_importing_one() {
        let of = |source: &str| imports("tests/test_a.py", source, "tests/cases.py");
        assert_eq!(of("from cases import ROWS\n"), "from other import ROWS\n");
        assert_eq!(of("from tests.cases import ROWS\n"), "from tests.other import ROWS\n");
        assert_eq!(of("from .cases import ROWS\n"), "from .other import ROWS\n");
        assert_eq!(of("import cases\n"), "import other as cases\n");
        assert_eq!(of("import tests.cases as c\n"), "import tests.other as c\n");
        assert_eq!(of("from . import cases\n"), "from . import other as cases\n");
        assert_eq!(of("from shop import cases\n"), "from shop import cases\n");
        let of = |source: &str| imports("test/a.test.js", source, "test/cases.js");
        assert_eq!(of("const c = require('./cases');\n"), "const c = require('./other');\n");
        assert_eq!(of("import { C } from './cases.js';\n"), "import { C } from './other.js';\n");
        assert_eq!(of("f('./cases');\n"), "f('./cases');\n");
    }

    #[test]
    fn a_table_of_another_file_is_varied_as_one_of_its_own() {
        let test = "from cases import ROWS\n\n\ndef test_a():\n    for a, b in ROWS:\n        assert f(a) == b\n";
        let module = "ROWS = [(200, 'ab')]\nOTHER = [77]\n";
        let about = About {
            knows: &|_| false,
            is_new: &|_| true,
            is_file: &|_| false,
            is_name: &|_| false,
            enumerations: &Enumerations::default(),
        };
        let test = ("tests/test_a.py", test, 4);
        let (made, inputs) = vary_module(test, ("tests/cases.py", module), &about).unwrap();
        assert_eq!(inputs, ["200", "ab"]);
        let texts: Vec<&str> =
            made.iter().filter_map(|a| Some(a.module.as_ref()?.text.as_str())).collect();
        assert!(texts.iter().any(|t| t.contains("(201, 'ab')")), "{texts:#?}");
        assert!(texts.iter().all(|t| t.contains("OTHER = [77]")), "{texts:#?}");
        let module = made.into_iter().find_map(|a| a.module).unwrap();
        assert_eq!(module.beside(7), ("tests/cases_o7.py".into(), "cases_o7".into()));
    }
}
