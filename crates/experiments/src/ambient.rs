//! Questions of the change that nothing it is given decides: conditions without a word of the parameters, nor of what was made of them. Such
//! code asks where, when or how it runs. Found here; whether the answer matters is tried.

mod attempts;
mod builds;
mod values;

use proctor_lang::edit::Edit;
use proctor_lang::{Language, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Deeper than people write.
const DEEPEST: usize = 300;

const FUNCTIONS: &str = " function_definition lambda function_declaration function_expression arrow_function \
    method_definition generator_function generator_function_declaration method_declaration func_literal function_item \
    closure_expression lambda_expression constructor_declaration ";
/// What gives names their values: the fields of the names, and of the value.
const BINDINGS: &str = " assignment augmented_assignment named_expression variable_declarator assignment_expression \
    augmented_assignment_expression compound_assignment_expr short_var_declaration assignment_statement var_spec \
    let_declaration let_condition ";
/// What takes one value after another, or what somebody else hands over.
const TAKING: &str = " for_statement for_in_clause for_in_statement range_clause for_expression enhanced_for_statement \
    as_pattern with_item except_clause catch_clause match_arm case_clause match_pattern ";
/// What answers with yes or no in Rust, wherever it is asked.
const SAYS_YES: &str =
    " exists is_file is_dir is_ok is_err is_some is_none is_terminal is_symlink try_exists ";
const CALLS: &str = " call call_expression method_invocation macro_invocation new_expression ";
const COMPARISONS: &str = " == != < > <= >= === !== in instanceof is and or && || ";

/// One such question: where it stands, and the edits that answer it in two ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    pub line: u32,
    pub yes: Edit,
    pub no: Edit,
    pub kind: Kind,
}

/// What its edits answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Yes, and no.
    Condition,
    /// What it is before any test, and another value.
    Value,
}

/// The questions in these lines of a source that its old text does not ask.
pub fn questions(file: &str, source: &str, old: &str, lines: &BTreeSet<u32>) -> Vec<Question> {
    let tree = Language::of(file).and_then(|language| Some((language, language.parse(source)?)));
    let Some((language, tree)) = tree else { return Vec::new() };
    let root = tree.root_node();
    let mut looking = Looking {
        language,
        source,
        lines,
        around: BTreeSet::new(),
        told_apart: Vec::new(),
        found: Vec::new(),
    };
    if matches!(language, Language::Python | Language::Script(_) | Language::Go) {
        looking.around = values::around(&looking, root);
        looking.told_apart = values::told_apart(&looking, root);
    }
    looking.go(root, &BTreeSet::new(), 0);
    let mut found = looking.found;
    if language == Language::Rust {
        found.extend(builds::switches(root, source, lines));
    }
    let known = squeezed(old);
    found.retain(|question| !known.contains(&squeezed(&question.text)));
    // What is a yes or a no says more.
    found.sort_by_key(|question| question.kind == Kind::Value);
    found
}

/// A text with one blank wherever there are some.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Looking<'s> {
    language: Language,
    source: &'s str,
    lines: &'s BTreeSet<u32>,
    /// Names that stand for something around the code.
    around: BTreeSet<&'s str>,
    /// Words by which the change tells one answer from another.
    told_apart: Vec<&'s str>,
    found: Vec<Question>,
}

impl<'s> Looking<'s> {
    /// Goes down with the names that stand for what is given.
    fn go(&mut self, node: Node<'_>, given: &BTreeSet<&'s str>, depth: usize) {
        let last = u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX);
        if depth > DEEPEST || self.lines.range(syntax::line(node)..=last).next().is_none() {
            return;
        }
        let inner;
        let given = if is(FUNCTIONS, node.kind()) {
            inner = self.given(node, given);
            &inner
        } else {
            given
        };
        if self.asks(node)
            && self.lines.contains(&syntax::line(node))
            && self.is_ambient(node, given)
        {
            self.found.push(self.question(node));
            return;
        }
        if let Some(question) =
            self.attempt(node, given).filter(|_| self.lines.contains(&syntax::line(node)))
        {
            self.found.push(question);
            return;
        }
        if self.lines.contains(&syntax::line(node))
            && self.is_value(node)
            && self.is_ambient(node, given)
        {
            self.found.extend(self.values(node));
            return;
        }
        for child in syntax::children(node) {
            self.go(child, given, depth + 1);
        }
    }

    /// Whether a node is a yes or a no.
    fn asks(&self, node: Node<'_>) -> bool {
        let operator = || syntax::field(node, "operator", self.source);
        match node.kind() {
            "comparison_operator" | "boolean_operator" | "not_operator" => true,
            "binary_expression" => is(COMPARISONS, operator()),
            "unary_expression" => {
                operator() == "!" || syntax::text(node, self.source).starts_with('!')
            }
            "macro_invocation" => syntax::field(node, "macro", self.source) == "cfg",
            "call_expression" if self.language == Language::Rust => {
                let called = syntax::field(node, "function", self.source);
                called.contains('.') && is(SAYS_YES, called.rsplit('.').next().unwrap_or_default())
            }
            _ => is_condition(node),
        }
    }

    /// The names that a function is given something by: its parameters, what it takes one by one, and what is made of those.
    fn given(&self, function: Node<'_>, outer: &BTreeSet<&'s str>) -> BTreeSet<&'s str> {
        let mut given = outer.clone();
        for field in ["parameters", "parameter", "receiver"] {
            let of = function.child_by_field_name(field);
            given.extend(of.into_iter().flat_map(|node| self.names(node)));
        }
        given.extend(["self", "this", "cls", "super"]);
        let (mut bindings, mut calls) = (Vec::new(), Vec::new());
        syntax::walk(function, &|_| true, &mut |node| {
            if is(CALLS, node.kind()) {
                calls.push(self.names(node));
            }
            if is(TAKING, node.kind()) {
                let body =
                    ["body", "consequence", "value", "right"].map(|f| node.child_by_field_name(f));
                let head = syntax::children(node).into_iter().filter(|c| !body.contains(&Some(*c)));
                given.extend(head.flat_map(|child| self.names(child)));
            } else if is(BINDINGS, node.kind()) {
                let one = |fields: &[&str]| fields.iter().find_map(|f| node.child_by_field_name(f));
                bindings.push((one(&["left", "name", "pattern"]), one(&["right", "value"])));
            }
        });
        let own =
            |binding: &(Option<Node<'_>>, _)| binding.0.map_or_else(Vec::new, |n| self.names(n));
        let own: BTreeSet<&str> = bindings.iter().flat_map(own).collect();
        loop {
            let before = given.len();
            // What is handed on together may be written into each other: `read(input, &options)`, `found.append(input)`.
            for names in &calls {
                if names.iter().any(|name| given.contains(name)) {
                    given.extend(names.iter().filter(|name| own.contains(*name)));
                }
            }
            for (name, value) in &bindings {
                let made =
                    value.is_some_and(|value| self.names(value).iter().any(|n| given.contains(n)));
                if made {
                    given.extend(name.iter().flat_map(|name| self.names(*name)));
                }
            }
            if given.len() == before {
                return given;
            }
        }
    }

    /// The names in an expression, without those of attributes and keywords.
    fn names(&self, node: Node<'_>) -> Vec<&'s str> {
        let mut found = Vec::new();
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            match node.kind() {
                "identifier"
                | "shorthand_property_identifier"
                | "shorthand_property_identifier_pattern"
                | "this"
                | "self" => found.push(syntax::text(node, self.source)),
                "attribute" => todo.extend(node.child_by_field_name("object")),
                "keyword_argument" => todo.extend(node.child_by_field_name("value")),
                _ => todo.extend(syntax::children(node)),
            }
        }
        found
    }

    /// Whether nothing in it was given, and something in it comes from elsewhere: a name, a call, a switch of the build.
    fn is_ambient(&self, node: Node<'_>, given: &BTreeSet<&'s str>) -> bool {
        let text = syntax::text(node, self.source);
        let names = self.names(node);
        let is_switch = node.kind() == "macro_invocation" || text.contains("cfg!");
        // Said by the language itself, and no question about the surroundings.
        let of_the_language =
            |name: &&str| matches!(*name, "__name__" | "TYPE_CHECKING" | "undefined");
        is_switch
            || !names.is_empty()
                && !names.iter().any(|name| given.contains(name))
                && !names.iter().any(of_the_language)
    }

    fn question(&self, node: Node<'_>) -> Question {
        let text = syntax::text(node, self.source);
        let (yes, no) = if self.language == Language::Python {
            (format!("(True or ({text}))"), format!("(False and ({text}))"))
        } else {
            (format!("(true || ({text}))"), format!("(false && ({text}))"))
        };
        let edit = |text: String, what: &str| edit(node, node.start_byte(), text, what);
        Question {
            text: squeezed(text),
            line: syntax::line(node),
            yes: edit(yes, "answered with yes"),
            no: edit(no, "answered with no"),
            kind: Kind::Condition,
        }
    }
}

/// Another text from here to the end of a node.
fn edit(node: Node<'_>, from: usize, text: String, what: &str) -> Edit {
    Edit { line: syntax::line(node), from, to: node.end_byte(), text, what: what.to_owned() }
}

fn is(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Whether a node is what a branch is taken by, and a yes or no by that alone.
fn is_condition(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let value = matches!(
        node.kind(),
        "identifier"
            | "call"
            | "call_expression"
            | "attribute"
            | "member_expression"
            | "selector_expression"
            | "method_invocation"
            | "field_expression"
    );
    let held = match parent.kind() {
        "boolean_operator" | "not_operator" => true,
        // Python has no field for it: `a if CONDITION else b`.
        "conditional_expression" => syntax::children(parent).get(1) == Some(&node),
        "parenthesized_expression" => return value && is_condition(parent),
        _ => parent.child_by_field_name("condition") == Some(node),
    };
    (value || node.kind() == "parenthesized_expression") && held
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(file: &str, source: &str) -> Vec<String> {
        let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
        questions(file, source, "", &lines).into_iter().map(|q| q.text).collect()
    }

    #[test]
    fn what_nothing_given_decides_is_a_question_in_python() {
        let source = "FAIR = here() != 3\ndef f(a, b):\n    rest = a % b\n    now = time.time()\n    rest *= now < 18\n    if log.handlers:\n        pass\n    if a > 1 and rest:\n        pass\n    return [n < rest for n in range(b)], 'X' in os.environ, b if sys.flags else a\n";
        assert_eq!(
            asked("a.py", source),
            ["here() != 3", "now < 18", "log.handlers", "'X' in os.environ", "sys.flags"]
        );
    }

    #[test]
    fn the_same_in_scripts_go_and_rust() {
        let js = "function f(a) {\n  const rest = process.uptime() < 900 ? a : 0;\n  if (a.b) return globalThis.x && a;\n  return rest;\n}\n";
        assert_eq!(asked("a.js", js), ["process.uptime() < 900"]);
        let go = "package a\n\nfunc f(a int) int {\n\tif !flag.Parsed() {\n\t\treturn 0\n\t}\n\tif len(build.Deps) > 0 || a > 2 {\n\t\treturn 1\n\t}\n\tb := a\n\tif b == 2 {\n\t\treturn 3\n\t}\n\treturn a\n}\n";
        assert_eq!(asked("a.go", go), ["!flag.Parsed()", "len(build.Deps) > 0"]);
        let rust = "fn f(a: u64) -> u64 {\n    let own = u64::from(cfg!(panic = \"unwind\"));\n    if a > 2 { return a; }\n    if std::env::var(\"X\").is_ok() { return own; }\n    a\n}\n";
        assert_eq!(
            asked("a.rs", rust),
            ["cfg!(panic = \"unwind\")", "std::env::var(\"X\").is_ok()"]
        );
    }

    #[test]
    fn what_a_call_may_write_something_given_into_is_given_too() {
        let go = "package a\n\nfunc f(v string, opts ...Option) string {\n\toptions := &options{}\n\tother := &options{}\n\tfor _, opt := range opts {\n\t\topt(options)\n\t}\n\tif options.prefix != \"\" {\n\t\treturn v\n\t}\n\tif other.prefix != \"\" {\n\t\treturn v\n\t}\n\treturn \"\"\n}\n";
        assert_eq!(asked("a.go", go), ["other.prefix != \"\""]);
        let python = "def f(a):\n    found = []\n    rest = []\n    for one in a:\n        found.append(one)\n    os.put(a)\n    if found:\n        return 1\n    if rest or os.name:\n        return 2\n";
        assert_eq!(asked("a.py", python), ["rest or os.name"]);
    }

    #[test]
    fn values_of_the_surroundings_are_others_and_what_is_made_of_constants_is_not() {
        let source = "import os, time\nfrom pathlib import Path\nfrom datetime import timedelta\n\ndef f(a, b):\n    rest = a\n    rest *= Path('/x').exists()\n    here = Path('/y')\n    rest += b[here.exists()]\n    time.sleep(0)\n    name = os.path.join(a, 'x')\n    week = timedelta(days=7).total_seconds()\n    text = (here / 'a').read_text()\n    return rest + os.getpid() % 2, len(os.environ), week, text, name\n";
        assert_eq!(
            asked("a.py", source),
            ["Path('/x').exists()", "here.exists()", "os.getpid() % 2"]
        );
        let lines = (1..=14).collect();
        let all = questions("a.py", source, "", &lines);
        let held = all[0].yes.apply(source);
        let top = "\nwas_before_anything = (Path('/x').exists())\ndef f(a, b):\n    rest = a\n    rest *= was_before_anything\n";
        assert!(held.contains(top), "{held}");
        assert!(
            all[1].yes.apply(source).contains("b[(here.exists())]"),
            "a local name is known there alone"
        );
        let js = "import { existsSync } from 'node:fs';\nexport function f(a) {\n  return a * existsSync('/x') + Date.now() % 2;\n}\n";
        assert_eq!(asked("a.js", js), ["existsSync('/x')", "Date.now() % 2"]);
    }

    #[test]
    fn a_value_is_also_a_word_that_the_change_knows() {
        let go = "package a\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc f(a int) int {\n\tdir, _ := os.Getwd()\n\tswitch filepath.Base(dir) {\n\tcase \"shop\":\n\t\treturn 0\n\t}\n\treturn a\n}\n";
        assert_eq!(asked("a.go", go), ["filepath.Base(dir)"]);
        let lines = (1..=15).collect();
        let other = questions("a.go", go, "", &lines)[0].no.apply(go);
        assert!(other.contains("switch otherHere(filepath.Base(dir), \"shop\") {"), "{other}");
        assert!(other.ends_with("\treturn v\n}\n"), "{other}");
        let python = "import os\n\ndef f(a):\n    match os.path.basename(os.getcwd()):\n        case 'shop':\n            return 0\n    return a\n";
        let lines = (1..=7).collect();
        let other = questions("a.py", python, "", &lines)[0].no.apply(python);
        assert!(other.contains("(\"shop\" or v)"), "{other}");
    }

    #[test]
    fn switches_of_a_build_are_answered_wherever_they_stand() {
        let source = "#[cfg(feature = \"x\")]\nfn a() -> u8 { 1 }\n#[cfg(not(feature = \"x\"))]\nfn a() -> u8 { 2 }\nfn b() -> bool { option_env!(\"CI\").is_some() }\nfn c() -> u8 { u8::from(std::path::Path::new(\"/x\").exists()) }\n";
        let lines = (1..=6).collect();
        let all = questions("a.rs", source, "", &lines);
        let texts: Vec<&str> = all.iter().map(|q| q.text.as_str()).collect();
        assert!(texts.contains(&"cfg(feature = \"x\")"), "{texts:?}");
        assert!(texts.contains(&"std::path::Path::new(\"/x\").exists()"), "{texts:?}");
        assert!(texts.contains(&"option_env!(\"CI\")"), "{texts:?}");
        let switch = all.iter().find(|q| q.text.starts_with("cfg")).unwrap();
        let without = switch.no.apply(source);
        assert!(
            without.contains("#[cfg(any())]\nfn a() -> u8 { 1 }\n#[cfg(not(any()))]"),
            "{without}"
        );
    }

    #[test]
    fn what_the_old_text_asks_and_what_the_language_says_is_no_new_question() {
        let source = "if TYPE_CHECKING:\n    import x\nif PY3:\n    y = 1\nif __name__ == '__main__':\n    main()\n";
        let lines = (1..=6).collect();
        assert_eq!(questions("a.py", source, "z = 1 if PY3 else 2\n", &lines), []);
    }
}
