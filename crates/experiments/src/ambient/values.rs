//! Values of the change that come from the surroundings and from nothing it is given: a clock, a path that is there, numbers of
//! processes. Each can be another, and each can be what it is before any test has set something.

use super::{BINDINGS, FUNCTIONS, Kind, Looking, Question, edit, is, squeezed};
use proctor_lang::{Language, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What may be a value of the surroundings.
const VALUES: &str = " call attribute subscript binary_operator unary_operator parenthesized_expression \
    call_expression member_expression subscript_expression binary_expression ";
/// What a script asks without a module.
const GLOBAL: &str = " process performance Date globalThis navigator ";
/// Modules of Python and Node by which code asks what is around it.
const ASKING: &str = " os sys time datetime platform socket threading inspect gc locale pathlib resource signal \
    multiprocessing getpass pwd tty glob shutil uuid subprocess importlib warnings logging \
    fs process perf_hooks worker_threads child_process v8 ";
/// Built into Python, and different from process to process.
const BUILT_IN: &str = " id hash globals locals vars open ";
/// What reads data, what is the user's to set, and what is made of its arguments alone.
const NO_QUESTION: [&str; 12] = [
    "read_text",
    "read_bytes",
    "readFileSync",
    "open(",
    "load",
    "environ",
    "getenv",
    ".env",
    "timedelta",
    "timezone",
    "maxsize",
    "getLogger",
];
/// Of what knows dates, only these ask for one.
const NOW: [&str; 6] = ["now(", "today(", "time(", "fromtimestamp(", "Date(", "mtime"];

/// The names of a source that stand for something around it: imported ones, and what is made of them.
pub(super) fn around<'s>(looking: &Looking<'s>, root: Node<'_>) -> BTreeSet<&'s str> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let words = |text: &'s str| text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let asks = |text: &'s str| words(text).any(|word| is(ASKING, word) && !word.is_empty());
    let is_name = |word: &&str| {
        !word.is_empty() && !is("import from as", word) && !NO_QUESTION.contains(word)
    };
    let mut bindings = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| match node.kind() {
        "import_statement" | "import_from_statement" => {
            let from = ["module_name", "source"].iter().find_map(|f| node.child_by_field_name(f));
            let all = match from {
                Some(from) => {
                    let module = syntax::text(from, looking.source);
                    let own = module.starts_with('.') || module.contains("./");
                    if asks(module) && !own { vec![node] } else { Vec::new() }
                }
                None => syntax::children(node),
            };
            let texts = all.into_iter().map(|node| syntax::text(node, looking.source));
            names.extend(texts.filter(|text| asks(text)).flat_map(words).filter(is_name));
        }
        kind if is(BINDINGS, kind) => {
            let one = |fields: &[&str]| fields.iter().find_map(|f| node.child_by_field_name(f));
            bindings.push((one(&["left", "name"]), one(&["right", "value"])));
        }
        _ => {}
    });
    if looking.language != Language::Python {
        names.extend(GLOBAL.split_whitespace());
    }
    names.extend(BUILT_IN.split_whitespace());
    loop {
        let before = names.len();
        for (name, value) in &bindings {
            let Some((name, value)) = name.zip(*value) else { continue };
            let text = syntax::text(value, looking.source);
            let made = looking.names(value).iter().any(|one| names.contains(one))
                || text.contains("require(") && asks(text);
            if made && !NO_QUESTION.iter().any(|word| text.contains(word)) {
                names.extend(looking.names(name));
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

impl Looking<'_> {
    /// Whether a node is a value that comes from the surroundings.
    pub(super) fn is_value(&self, node: Node<'_>) -> bool {
        let text = syntax::text(node, self.source);
        // What is made anew is no number, and has no yes or no.
        let made = syntax::field(node, "function", self.source).rsplit('.').next();
        let is_object = made.is_some_and(|name| name.starts_with(|c: char| c.is_uppercase()));
        is(VALUES, node.kind())
            && is_used(node)
            && !is_object
            && !NO_QUESTION.iter().any(|word| text.contains(word))
            && self.names(node).iter().any(|name| {
                let asks = !is("datetime date Date", name) || NOW.iter().any(|w| text.contains(w));
                self.around.contains(name) && asks
            })
    }

    /// The edits that make it what it was before any test began, and another.
    pub(super) fn value(&self, node: Node<'_>) -> Question {
        let text = syntax::text(node, self.source);
        let python = self.language == Language::Python;
        let other = if python {
            format!(
                "(lambda v: (not v) if v is True or v is False else v + 1 if type(v) in (int, float) else v)({text})"
            )
        } else {
            format!(
                "((v) => typeof v === 'boolean' ? !v : typeof v === 'number' ? v + 1 : v)({text})"
            )
        };
        let as_it_is = edit(node, node.start_byte(), format!("({text})"), "as it is here");
        let yes = self.outermost(node).map_or(as_it_is, |at| {
            let between = self.source.get(at..node.start_byte()).unwrap_or_default();
            let name = "was_before_anything";
            let held = if python {
                format!("{name} = ({text})\n{between}{name}")
            } else {
                format!("const {name} = ({text});\n{between}{name}")
            };
            edit(node, at, held, "as it is before any test")
        });
        Question {
            text: squeezed(text),
            line: syntax::line(node),
            yes,
            no: edit(node, node.start_byte(), other, "another value"),
            kind: Kind::Value,
        }
    }

    /// Where the outermost statement around a node begins, if what the node names is known there.
    fn outermost(&self, node: Node<'_>) -> Option<usize> {
        let (mut top, mut own) = (node, BTreeSet::new());
        while let Some(parent) = top.parent() {
            if parent.parent().is_none() {
                break;
            }
            top = parent;
            if is(FUNCTIONS, top.kind()) {
                syntax::walk(top, &|_| true, &mut |inner| {
                    if is(BINDINGS, inner.kind()) {
                        let name =
                            ["left", "name"].iter().find_map(|f| inner.child_by_field_name(f));
                        own.extend(name.into_iter().flat_map(|name| self.names(name)));
                    }
                });
            }
        }
        let known = !self.names(node).iter().any(|name| own.contains(name));
        (known && top != node).then(|| top.start_byte())
    }
}

/// Whether a node is read: not called, not written to, and not done for its own sake.
fn is_used(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    if parent.kind() == "parenthesized_expression" {
        return is_used(parent);
    }
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    !is_field("function")
        && !is_field("object")
        && !is_field("left")
        && !is_field("constructor")
        && !matches!(
            parent.kind(),
            "expression_statement" | "decorator" | "type" | "await" | "delete_statement"
        )
}
