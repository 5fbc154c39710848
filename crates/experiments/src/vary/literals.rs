//! The literals of a test, with what they are worth, how they are written, and whether the test gives or expects them.

use super::members::Member;
use super::{java, mappings};
use proctor_lang::Language;
use proctor_lang::literal::{self, Kind, Number, Worth, has_holes, inside};
use proctor_lang::syntax::{children, text, walk};
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// What Go asks about an answer; beside one, a literal is what is expected.
const ASKING: [&str; 9] = [
    "DeepEqual",
    "Equal",
    "EqualFold",
    "EqualValues",
    "Contains",
    "HasPrefix",
    "HasSuffix",
    "Diff",
    "Compare",
];

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Whole(i128),
    /// As Rust writes it.
    Float(String),
    /// What stands between the quotes, as it is written there.
    String(String),
    /// One letter or digit in a type of its own.
    Letter(char),
}

impl Value {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Whole(n) => n.to_string(),
            Self::Float(x) => x.clone(),
            Self::String(text) => text.clone(),
            Self::Letter(letter) => letter.to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) range: Range<usize>,
    pub(super) value: Value,
    /// Whether it is held against an answer, and not given to the code.
    pub(super) expected: bool,
    /// The line that it stands in, from nought.
    pub(super) line: usize,
    /// What stands before and behind its value: quotes, letters that say its type.
    pub(super) around: (String, String),
}

impl Literal {
    pub(super) fn written(&self, value: &str) -> String {
        format!("{}{value}{}", self.around.0, self.around.1)
    }

    /// The value of such a literal as it is written.
    pub(super) fn read(&self, text: &str) -> String {
        let inner = text.strip_prefix(&self.around.0).unwrap_or(text);
        inner.strip_suffix(&self.around.1).unwrap_or(inner).to_owned()
    }

    pub(super) fn whole(&self) -> Option<i128> {
        if let Value::Whole(n) = self.value { Some(n) } else { None }
    }

    pub(super) fn float(&self) -> Option<String> {
        if let Value::Float(x) = &self.value { Some(x.clone()) } else { None }
    }

    pub(super) fn string(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// Nothing, zero, one: what stands there is a case of its own.
    pub(super) fn is_edge(&self) -> bool {
        match &self.value {
            Value::Whole(n) => (-1..=1).contains(n),
            Value::Float(x) => matches!(x.as_str(), "0.0" | "1.0"),
            Value::String(text) => text.is_empty(),
            Value::Letter(_) => false,
        }
    }

    pub(super) fn letter(&self) -> Option<char> {
        if let Value::Letter(letter) = self.value { Some(letter) } else { None }
    }
}

/// A list of literals: its last element with the comma before it, and one more.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) last: Range<usize>,
    pub(super) more: String,
    line: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) literals: Vec<Literal>,
    /// Those that stood there before, beside new ones: a word that is another is another there too.
    pub(super) old: Vec<Literal>,
    pub(super) lists: Vec<List>,
    /// Names that the test defines, with every place where they stand.
    pub(super) names: Vec<(String, Vec<Range<usize>>)>,
    /// Members of enumerations that it names.
    pub(super) members: Vec<Member>,
    /// The entries of each mapping that it gives.
    pub(super) mappings: Vec<Vec<Range<usize>>>,
}

impl Found {
    /// Leaves out what stood there before, where some of it is new.
    pub(super) fn keep_new(&mut self, is_new: &dyn Fn(u32) -> bool) {
        let new = |line: usize| is_new(u32::try_from(line + 1).unwrap_or(u32::MAX));
        if self.literals.iter().any(|l| new(l.line) && !l.expected) {
            let all = std::mem::take(&mut self.literals);
            (self.literals, self.old) = all.into_iter().partition(|l| new(l.line));
            self.lists.retain(|l| new(l.line));
        }
    }
}

pub(super) fn of(language: Language, root: Node<'_>, source: &str, span: &Range<usize>) -> Found {
    let columns = match language {
        Language::Java => java::columns(root, source, span),
        _ => Vec::new(),
    };
    let found = Found::default();
    let defined = functions(language, root, source);
    let mut reading = Reading { language, source, span, found, in_table: false, columns, defined };
    let meets = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
    let mut outer = Vec::new();
    walk(root, &|n| meets(n) && !within(n, span), &mut |n| {
        if within(n, span) && outer.iter().all(|o: &Node<'_>| !within(n, &o.byte_range())) {
            outer.push(n);
        }
    });
    for node in outer {
        reading.read(node, false);
        reading.names(node);
    }
    reading.found
}

/// Whether a part of a file belongs to its tests: in Rust production code can stand in the same file.
pub(super) fn is_of_tests(
    (file, language): (&str, Language),
    root: Node<'_>,
    (spans, part): (&[Range<usize>], &Range<usize>),
) -> bool {
    if language != Language::Rust || proctor_lang::zone(file) == proctor_lang::Zone::Test {
        return true;
    }
    let mut found = false;
    walk(root, &|_| true, &mut |n| {
        let holds = |range: &Range<usize>| within_range(range, &n.byte_range());
        found |= n.kind() == "mod_item" && holds(part) && spans.iter().any(holds);
    });
    found
}

fn within_range(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// The types beside a compiled test that it names, each with the line where it begins, from nought.
pub(super) fn types_around(
    (file, language): (&str, Language),
    root: Node<'_>,
    (source, span): (&str, &Range<usize>),
) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    if !matches!(language, Language::Go | Language::Rust) {
        return found;
    }
    let said = source.get(span.clone()).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let used = |name: &str| said.split(|c| !is_part(c)).any(|word| word == name);
    walk(root, &|n| n.kind() != "block", &mut |n| {
        let is_type = matches!(n.kind(), "type_spec" | "struct_item" | "enum_item");
        let name = n.child_by_field_name("name").map_or("", |n| text(n, source));
        let of_tests = || {
            let spans = std::slice::from_ref(span);
            is_of_tests((file, language), root, (spans, &n.byte_range()))
        };
        if is_type && used(name) && !within(n, span) && of_tests() {
            found.push((name.to_owned(), n.start_position().row));
        }
    });
    found
}

fn within(node: Node<'_>, span: &Range<usize>) -> bool {
    node.start_byte() >= span.start && node.end_byte() <= span.end
}

struct Reading<'s> {
    language: Language,
    source: &'s str,
    span: &'s Range<usize>,
    found: Found,
    /// Inside of what gives a test its parameters.
    in_table: bool,
    /// Whether the test only expects what stands in each column of its rows.
    columns: Vec<bool>,
    /// Functions that stand in the file itself: what they are given goes to the code.
    defined: BTreeSet<String>,
}

/// The functions that a file of compiled tests defines.
fn functions(language: Language, root: Node<'_>, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if matches!(language, Language::Go | Language::Rust) {
        walk(root, &|n| n.kind() != "block", &mut |n| {
            let kinds = ["function_declaration", "method_declaration", "function_item"];
            let name = n.child_by_field_name("name").filter(|_| kinds.contains(&n.kind()));
            found.extend(name.map(|name| text(name, source).to_owned()));
        });
    }
    found
}

impl Reading<'_> {
    fn read(&mut self, node: Node<'_>, expected: bool) {
        if self.is_apart(node) {
            return;
        }
        if has_holes(node) {
            self.read_holes(node, expected);
            return;
        }
        if self.is_read(node, expected) {
            return;
        }
        self.read_list(node, expected);
        let outer = self.in_table;
        self.in_table |= node.kind() == "decorator";
        for (child, expects) in self.roles(node, expected) {
            self.read(child, expects);
        }
        self.in_table = outer;
    }

    /// Whether nothing below a node is read, since it is a literal, a key or a text of cells. Apart from [`Self::read`], which
    /// goes deep and must be small.
    fn is_read(&mut self, node: Node<'_>, expected: bool) -> bool {
        let is_leaf = literal::kind(node).is_some() || node.kind() == "regex";
        let leaf = is_leaf.then(|| literal_of(node, self.source, expected).into_iter().collect());
        let key = || mappings::key(node, self.source, expected).map(|key| vec![key]);
        let own = leaf.or_else(key).or_else(|| java::cells(node, self.source, &self.columns));
        self.found.literals.extend(own.iter().flatten().cloned());
        own.is_some()
    }

    /// What stands in the holes of a text: the cells of a table in a template, say.
    fn read_holes(&mut self, node: Node<'_>, expected: bool) {
        let holes = children(node).into_iter().flat_map(children);
        holes.for_each(|n| self.read(n, expected));
    }

    /// What a node is as a whole, apart from what stands in it: so small too.
    fn read_list(&mut self, node: Node<'_>, expected: bool) {
        // The rows of a table have as many columns as there are parameters.
        let row = self.in_table && node.kind() == "tuple";
        self.found.lists.extend(list_of(node, self.source).filter(|_| !expected && !row));
        self.found.mappings.extend(mappings::entries(node).filter(|_| !expected));
    }

    /// The children of a node, and whether what stands in them directly is expected.
    fn roles<'t>(&self, node: Node<'t>, expected: bool) -> Vec<(Node<'t>, bool)> {
        if self.language == Language::Java {
            return java::roles(node, self.source, (expected, &self.columns));
        }
        let all = children(node);
        match node.kind() {
            // Arguments of a call are given to it, unless it is a check.
            "call" | "call_expression" | "macro_invocation" => {
                let check = self.is_check(node);
                all.into_iter().map(|n| (n, check)).collect()
            }
            "comparison_operator" | "binary_expression" => {
                all.into_iter().map(|n| (n, true)).collect()
            }
            // What is taken out of an answer is no input.
            "subscript" | "subscript_expression" | "index_expression" => {
                all.into_iter().enumerate().map(|(n, child)| (child, n > 0 || expected)).collect()
            }
            "assert_statement" => all.into_iter().map(|n| (n, true)).collect(),
            "block"
            | "statement_block"
            | "lambda"
            | "arrow_function"
            | "func_literal"
            | "closure_expression"
            | "assignment"
            | "variable_declarator"
            | "short_var_declaration"
            | "let_declaration" => all.into_iter().map(|n| (n, false)).collect(),
            _ => all.into_iter().map(|n| (n, expected)).collect(),
        }
    }

    /// Whether a call holds what it is given against something.
    fn is_check(&self, call: Node<'_>) -> bool {
        let named = ["function", "macro"].iter().find_map(|f| call.child_by_field_name(f));
        let name = named.map_or("", |n| text(n, self.source));
        let own = name.rsplit(['.', ':']).next().unwrap_or(name);
        if self.language == Language::Go && ASKING.contains(&own) {
            return !gives_only(call);
        }
        if self.defined.contains(own) {
            return false;
        }
        let last = own.to_lowercase();
        let chained = ["expect(", ".should."].iter().any(|word| name.contains(word))
            || ["assert.", "require."].iter().any(|word| name.starts_with(word));
        [
            "assert",
            "expect",
            "tobe",
            "toequal",
            "tostrict",
            "tomatch",
            "tothrow",
            "tohave",
            "tocontain",
        ]
        .iter()
        .any(|check| last.trim_start_matches('_').starts_with(check))
            || chained
    }

    /// What is no input: descriptions, marks, the titles of tests, what is said when something fails.
    fn is_apart(&self, node: Node<'_>) -> bool {
        let said = text(node, self.source);
        match node.kind() {
            "comment" | "line_comment" | "block_comment" | "attribute_item" | "type_annotation"
            | "type" | "marker_annotation" => true,
            "decorator" => !said.contains("parametrize"),
            "annotation" => !java::holds_rows(node, self.source),
            "keyword_argument" => {
                let name = node.child_by_field_name("name").map_or("", |n| text(n, self.source));
                matches!(name, "ids" | "match" | "msg" | "reason" | "id")
            }
            "expression_statement" => node.named_child(0).is_some_and(|n| n.kind() == "string"),
            // The number of a field: `pair.1`.
            "integer_literal" => {
                node.parent().is_some_and(|n| n.child_by_field_name("field") == Some(node))
            }
            "string"
            | "interpreted_string_literal"
            | "template_string"
            | "binary_expression"
            | "tuple"
            | "list" => self.is_title(node),
            "call_expression" => {
                let function =
                    node.child_by_field_name("function").map_or("", |n| text(n, self.source));
                let last = function.rsplit('.').next().unwrap_or(function);
                let told = ["Error", "Fatal", "Log", "Skip"].iter().any(|w| last.starts_with(w));
                self.language == Language::Go && told
            }
            _ => false,
        }
    }

    /// The first argument of what defines a test, or of what names its parameters.
    fn is_title(&self, node: Node<'_>) -> bool {
        let Some(arguments) = node.parent() else { return false };
        if !matches!(arguments.kind(), "arguments" | "argument_list")
            || arguments.named_child(0) != Some(node)
        {
            return false;
        }
        let function = arguments.parent().and_then(|call| call.child_by_field_name("function"));
        let name = function.map_or("", |n| text(n, self.source));
        let first = name.split(['.', '(']).next().unwrap_or(name);
        match self.language {
            Language::Python => {
                name.ends_with("parametrize")
                    || name.ends_with("patch")
                    || name.ends_with("setattr")
            }
            Language::Script(_) => matches!(
                first,
                "it" | "test" | "describe" | "context" | "suite" | "require" | "import"
            ),
            Language::Go => name.ends_with(".Run"),
            Language::Rust | Language::Java => false,
        }
    }

    /// Classes and functions that the test defines inside.
    fn names(&mut self, node: Node<'_>) {
        let mut names: Vec<String> = Vec::new();
        walk(node, &|_| true, &mut |n| {
            let inner = matches!(
                n.kind(),
                "class_definition"
                    | "class_declaration"
                    | "record_declaration"
                    | "struct_item"
                    | "type_spec"
            );
            if let Some(name) =
                n.child_by_field_name("name").filter(|_| inner && n.start_byte() > self.span.start)
            {
                names.push(text(name, self.source).to_owned());
            }
        });
        names.sort();
        names.dedup();
        for name in names {
            let mut places = Vec::new();
            walk(node, &|_| true, &mut |n| {
                if n.named_child_count() == 0
                    && n.kind().ends_with("identifier")
                    && text(n, self.source) == name
                {
                    places.push(n.byte_range());
                }
            });
            self.found.names.push((name, places));
        }
    }
}

fn literal_of(node: Node<'_>, source: &str, expected: bool) -> Option<Literal> {
    let said = text(node, source);
    let (range, line) = (node.byte_range(), node.start_position().row);
    if node.kind() == "regex" {
        let end = said.rfind('/').filter(|end| *end > 0)?;
        let around = ("/".to_owned(), said.get(end..)?.to_owned());
        let value = Value::String(said.get(1..end)?.to_owned());
        return Some(Literal { range, value, expected, line, around });
    }
    let quoted = || {
        let inner = inside(said)?;
        let around = (said.get(..inner.start)?.to_owned(), said.get(inner.end..)?.to_owned());
        Some((said.get(inner)?, around))
    };
    let (value, around) = match literal::kind(node)? {
        Kind::Number => {
            let number = Number::read(said)?;
            let value = match number.worth {
                Worth::Whole(n) => Value::Whole(n),
                Worth::Float(_) => Value::Float(number.shown()),
            };
            (value, (String::new(), number.suffix().to_owned()))
        }
        Kind::Text if !has_holes(node) => {
            let (inner, around) = quoted()?;
            (Value::String(inner.to_owned()), around)
        }
        Kind::Letter => {
            let (inner, around) = quoted()?;
            let mut letters = inner.chars();
            let letter = letters.next().filter(char::is_ascii_alphanumeric)?;
            (letters.next().is_none().then_some(Value::Letter(letter))?, around)
        }
        Kind::Text | Kind::Truth | Kind::Nothing => return None,
    };
    Some(Literal { range, value, expected, line, around })
}

/// A list of at least two elements, all of them literals or lists of them.
fn list_of(node: Node<'_>, source: &str) -> Option<List> {
    let lists =
        ["list", "tuple", "array", "array_expression", "literal_value", "array_initializer"];
    if !lists.contains(&node.kind()) && !java::makes_list(node, source) {
        return None;
    }
    let all = children(node);
    let plain = |n: &Node<'_>| {
        literal::kind(*n).is_some()
            || n.kind() == "literal_element"
                && n.named_child(0).is_some_and(|c| literal::kind(c).is_some())
    };
    let [.., before, last] = all.as_slice() else { return None };
    if !all.iter().all(plain) {
        return None;
    }
    let more = format!(", {}", text(*before, source));
    let line = last.start_position().row;
    Some(List { last: before.end_byte()..last.end_byte(), more, line })
}

/// Whether a call is given nothing but literals.
fn gives_only(call: Node<'_>) -> bool {
    let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    given.into_iter().all(|n| literal::kind(n).is_some())
}
