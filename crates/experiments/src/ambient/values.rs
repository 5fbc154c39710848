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
/// Values of Go, where a field is mostly no more than a thing to use.
const GO_VALUES: &str =
    " call_expression index_expression binary_expression parenthesized_expression ";
/// Packages of Go by which code asks what is around it.
const GO_ASKING: [&str; 5] = ["os", "runtime", "flag", "user", "debug"];
/// Makes another value of any of Go's plain types.
const GO_OTHER: &str = r#"

func otherHere[T any](v T, word string) T {
	switch p := any(&v).(type) {
	case *bool:
		*p = !*p
	case *int:
		*p++
	case *int64:
		*p++
	case *float64:
		*p++
	case *string:
		if word != "" {
			*p = word
		}
	}
	return v
}
"#;
/// How many words are tried in the place of one value.
const MOST_WORDS: usize = 2;
/// Built into Python, and different from process to process.
const BUILT_IN: &str = " id hash globals locals vars open ";
/// What reads data, what is the user's to set, and what is made of its arguments alone.
const NO_QUESTION: [&str; 14] = [
    "read_text",
    "read_bytes",
    "readFileSync",
    "open(",
    "ReadFile",
    "Open(",
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
    let is_imported = |name: &&str| {
        ["\"", "/"].iter().any(|before| looking.source.contains(&format!("{before}{name}\"\n")))
    };
    match looking.language {
        Language::Go => names.extend(GO_ASKING.into_iter().filter(is_imported)),
        Language::Python => names.extend(BUILT_IN.split_whitespace()),
        _ => names.extend(GLOBAL.split_whitespace().chain(BUILT_IN.split_whitespace())),
    }
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

/// The words in the changed lines that one of several answers is chosen by: keys of a table, cases of a choice.
pub(super) fn told_apart<'s>(looking: &Looking<'s>, root: Node<'_>) -> Vec<&'s str> {
    let mut found: Vec<&str> = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| {
        let chosen_by = match node.kind() {
            "pair" => node.child_by_field_name("key"),
            "expression_case" | "switch_case" => node.child_by_field_name("value"),
            "case_clause" | "keyed_element" => syntax::children(node).into_iter().next(),
            _ => None,
        };
        let Some(key) = chosen_by.filter(|key| looking.lines.contains(&syntax::line(*key))) else {
            return;
        };
        let text = syntax::text(key, looking.source);
        let word = text.trim_matches(|c| "\"'`".contains(c));
        let plain = !word.is_empty() && !word.contains(['"', '\'', '\\', '\n']);
        let is_text = text.len() > word.len() || key.kind() == "property_identifier";
        if plain && is_text && !found.contains(&word) {
            found.push(word);
        }
    });
    found.truncate(MOST_WORDS);
    found
}

impl Looking<'_> {
    /// A question for each word that a value may be, one where there is none.
    pub(super) fn values(&self, node: Node<'_>) -> Vec<Question> {
        let words: &[&str] = if self.told_apart.is_empty() { &[""] } else { &self.told_apart };
        words.iter().map(|word| self.value(node, word)).collect()
    }

    /// Whether a node is a value that comes from the surroundings.
    pub(super) fn is_value(&self, node: Node<'_>) -> bool {
        let text = syntax::text(node, self.source);
        // What is made anew is no number, and has no yes or no.
        let made = syntax::field(node, "function", self.source).rsplit('.').next();
        let is_go = self.language == Language::Go;
        let is_object =
            !is_go && made.is_some_and(|name| name.starts_with(|c: char| c.is_uppercase()));
        is(if is_go { GO_VALUES } else { VALUES }, node.kind())
            && is_used(node)
            && !is_object
            && !NO_QUESTION.iter().any(|word| text.contains(word))
            && self.names(node).iter().any(|name| {
                let asks = !is("datetime date Date", name) || NOW.iter().any(|w| text.contains(w));
                self.around.contains(name) && asks
            })
    }

    /// The edits that make it what it was before any test began, and another.
    fn value(&self, node: Node<'_>, word: &str) -> Question {
        let text = syntax::text(node, self.source);
        let python = self.language == Language::Python;
        let other = if python {
            format!(
                "(lambda v: (not v) if v is True or v is False else v + 1 if type(v) in (int, float) else ({word:?} or v) if type(v) is str else v)({text})"
            )
        } else {
            format!(
                "((v) => typeof v === 'boolean' ? !v : typeof v === 'number' ? v + 1 : typeof v === 'string' ? ({word:?} || v) : v)({text})"
            )
        };
        let as_it_is = edit(node, node.start_byte(), format!("({text})"), "as it is here");
        if self.language == Language::Go {
            return self.value_of_go(node, word);
        }
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

    /// The same in Go, which has no value without its type: what makes the other one stands below.
    fn value_of_go(&self, node: Node<'_>, word: &str) -> Question {
        let text = syntax::text(node, self.source);
        let rest = self.source.get(node.end_byte()..).unwrap_or_default();
        let mut no = edit(
            node,
            node.start_byte(),
            format!("otherHere({text}, {word:?}){rest}{GO_OTHER}"),
            "another value",
        );
        no.to = self.source.len();
        Question {
            text: squeezed(text),
            line: syntax::line(node),
            yes: edit(node, node.start_byte(), format!("({text})"), "as it is here"),
            no,
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
    // One call of Go that gives several values can't be another.
    let several = |list: Node<'_>| {
        let left = list.parent().and_then(|whole| whole.child_by_field_name("left"));
        left.is_some_and(|left| syntax::children(left).len() > 1)
    };
    if parent.kind() == "expression_list" && several(parent) {
        return false;
    }
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    !is_field("function")
        && !is_field("object")
        && !is_field("operand")
        && !is_field("left")
        && !is_field("constructor")
        && !matches!(
            parent.kind(),
            "expression_statement"
                | "defer_statement"
                | "go_statement"
                | "decorator"
                | "type"
                | "await"
                | "delete_statement"
        )
}
