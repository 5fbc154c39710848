//! What a source mentions, in words that all languages share: names with what they are reached through, strings,
//! imports, definitions, comments. Says nothing about whether that is good.
use super::lookalike::skeleton;
use super::paths::Paths;
use super::{Hit, SuspicionKind};
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::{Node, Tree};

/// One thing that the source mentions.
pub(super) struct Fact<'t> {
    pub(super) node: Node<'t>,
    pub(super) what: What,
}

pub(super) enum What {
    /// A name with what it is reached through, aliases resolved: `os.path.join`.
    Path(String, Use),
    /// A string constant, joined where it is written in pieces.
    Text(String, Pieces),
    Import(String),
    Definition(String),
    Comment(String),
    /// An attribute, annotation or decorator.
    Attribute(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Called,
    Assigned,
    Mentioned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pieces {
    One,
    Several,
}

const MARKS: Words =
    Words("attribute_item inner_attribute_item decorator annotation marker_annotation");
const DEFINITIONS: Words = Words(
    "function_definition function_declaration method_declaration method_definition function_item macro_definition \
    class_definition generator_function_declaration",
);

/// The facts of one source.
pub(super) struct Facts<'t> {
    pub(super) language: Language,
    pub(super) file: &'t str,
    pub(super) source: &'t str,
    pub(super) root: Node<'t>,
    pub(super) list: Vec<Fact<'t>>,
}

impl<'t> Facts<'t> {
    pub(super) fn of(language: Language, file: &'t str, source: &'t str, tree: &'t Tree) -> Self {
        let root = tree.root_node();
        let mut facts = Facts { language, file, source, root, list: Vec::new() };
        let paths = Paths::of(language, root, source);
        syntax::walk(root, &|_| true, &mut |node| facts.note(node, &paths));
        facts
    }

    fn push(&mut self, node: Node<'t>, what: What) {
        self.list.push(Fact { node, what });
    }

    fn note(&mut self, node: Node<'t>, paths: &Paths<'_>) {
        let text = syntax::text(node, self.source);
        match node.kind() {
            "comment" | "line_comment" | "block_comment" => {
                self.push(node, What::Comment(text.to_owned()));
            }
            kind if MARKS.has(kind) => self.push(node, What::Attribute(syntax::folded(text))),
            kind if DEFINITIONS.has(kind) => {
                let name = syntax::field(node, "name", self.source).to_owned();
                self.push(node, What::Definition(skeleton(&name)));
            }
            // `{ asymmetricMatch: () => true }`
            "pair" => {
                let key = syntax::field(node, "key", self.source).trim_matches(['"', '\'']);
                self.push(node, What::Definition(skeleton(key)));
            }
            "macro_invocation" => {
                let name = syntax::field(node, "macro", self.source);
                self.push(node, What::Path(format!("{}!", name.replace("::", ".")), Use::Called));
            }
            "impl_item" => {
                let name = syntax::field(node, "trait", self.source);
                if !name.is_empty() {
                    self.push(node, What::Definition(format!("impl {}", syntax::folded(name))));
                }
            }
            _ => {}
        }
        if let Some(value) = paths.joined_text(node) {
            let pieces = if is_sum(node) { Pieces::Several } else { Pieces::One };
            self.push(node, What::Text(value, pieces));
        }
        for module in paths.imported(node) {
            self.push(node, What::Import(module));
        }
        if node.kind() == "token_tree" {
            for (inner, path) in paths.in_tokens(node) {
                self.push(inner, What::Path(path, Use::Called));
            }
        } else if is_whole(node) {
            let path = paths.path(node);
            if !path.is_empty() {
                self.push(node, What::Path(skeleton(&path.join(".")), usage(node)));
            }
        }
    }

    /// What a rule finds in them.
    pub(super) fn hits(
        &self,
        rule: impl Fn(&Fact<'t>) -> Option<(SuspicionKind, String)>,
    ) -> Vec<Hit<'t>> {
        let hit = |fact: &Fact<'t>| rule(fact).map(|(kind, text)| Hit::new(kind, fact.node, text));
        self.list.iter().filter_map(hit).collect()
    }

    /// Whether something is reached through what everybody has.
    pub(super) fn is_global(&self, node: Node<'_>) -> bool {
        let text = syntax::text(node, self.source);
        Words("globalThis. global. window.").any(|start| text.starts_with(start))
    }

    /// The strings in the same statement as this node.
    pub(super) fn texts_near(&self, node: Node<'_>) -> impl Iterator<Item = &str> {
        let statement = statement(node);
        self.list.iter().filter_map(move |fact| match &fact.what {
            What::Text(value, _) if self::statement(fact.node) == statement => Some(value.as_str()),
            _ => None,
        })
    }

    /// The paths in the same statement as this node.
    pub(super) fn paths_near(&self, node: Node<'_>) -> impl Iterator<Item = &str> {
        let statement = statement(node);
        self.list.iter().filter_map(move |fact| match &fact.what {
            What::Path(path, _) if self::statement(fact.node) == statement => Some(path.as_str()),
            _ => None,
        })
    }

    pub(super) fn imports(&self, module: &str) -> bool {
        self.list.iter().any(|fact| match &fact.what {
            What::Import(name) => name == module,
            _ => false,
        })
    }

    pub(super) fn defines(&self, name: &str) -> bool {
        self.list.iter().any(|fact| match &fact.what {
            What::Definition(defined) => defined == name,
            _ => false,
        })
    }
}

/// Whether a node is a path that does not go on around it.
fn is_whole(node: Node<'_>) -> bool {
    let names = Words("identifier type_identifier attribute member_expression scoped_identifier scoped_type_identifier \
            field_expression selector_expression field_access method_invocation subscript subscript_expression \
            index_expression call call_expression new_expression object_creation_expression meta_property").has(node.kind());
    if !names {
        return false;
    }
    let Some(parent) = node.parent() else { return true };
    let is = |name: &str| parent.child_by_field_name(name) == Some(node);
    match parent.kind() {
        "attribute" | "member_expression" | "field_access" => {
            !is("object") && !is("attribute") && !is("property") && !is("field")
        }
        "method_invocation" => !is("object") && !is("name"),
        "scoped_identifier" | "scoped_type_identifier" => false,
        "field_expression" => !is("value") && !is("field"),
        "selector_expression" => !is("operand") && !is("field"),
        "subscript" => !is("value"),
        "subscript_expression" => !is("object"),
        "index_expression" => !is("operand"),
        "call" | "call_expression" | "generic_function" => !is("function"),
        "new_expression" => !is("constructor"),
        "object_creation_expression" => !is("type"),
        // Its own name is no mention.
        kind if kind.ends_with("_definition")
            || kind.ends_with("_declaration")
            || kind == "function_item" =>
        {
            !is("name")
        }
        "aliased_import" | "dotted_name" | "import_specifier" | "import_clause"
        | "use_declaration" | "use_list" | "scoped_use_list" | "use_as_clause" | "import_spec"
        | "keyword_argument" => is("value"),
        _ => true,
    }
}

fn is_sum(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_operator" | "binary_expression" | "concatenated_string" | "call")
}

fn usage(node: Node<'_>) -> Use {
    if Words("call call_expression method_invocation new_expression object_creation_expression")
        .has(node.kind())
    {
        return Use::Called;
    }
    let assigned = node.parent().is_some_and(|parent| {
        let assignment =
            Words("assignment augmented_assignment assignment_expression assignment_statement")
                .has(parent.kind());
        let listed = parent.kind() == "expression_list"
            && parent.parent().is_some_and(|p| {
                p.kind() == "assignment_statement" && p.child_by_field_name("left") == Some(parent)
            });
        listed || (assignment && parent.child_by_field_name("left") == Some(node))
    });
    if assigned { Use::Assigned } else { Use::Mentioned }
}

/// The start of the statement around a node; what stands in the body of a compound one is in a statement of its own.
pub(super) fn statement(node: Node<'_>) -> usize {
    let mut at = node;
    while let Some(parent) = at.parent() {
        let kind = at.kind();
        if kind.ends_with("_statement")
            || kind.ends_with("_declaration")
            || kind.ends_with("_definition")
            || kind.ends_with("_clause")
            || kind.ends_with("_item")
            || matches!(parent.kind(), "block" | "module" | "program" | "source_file")
        {
            break;
        }
        at = parent;
    }
    at.start_byte()
}

/// Whether something depends on the value here: a comparison, a condition.
pub(super) fn is_asked(node: Node<'_>) -> bool {
    let asks = Words(
        "comparison_operator boolean_operator not_operator conditional_expression ternary_expression unary_expression \
        match_expression",
    );
    let decides = Words(
        "if_statement while_statement elif_clause if_expression while_expression expression_switch_statement \
        switch_statement let_condition",
    );
    let operators = Words("== != === !== && || in < >");
    let mut at = node;
    for parent in syntax::parents(node) {
        match parent.kind() {
            kind if asks.has(kind) => return true,
            "binary_expression" => {
                let mut cursor = parent.walk();
                if parent.children(&mut cursor).any(|n| operators.has(n.kind())) {
                    return true;
                }
            }
            kind if decides.has(kind) => {
                return parent.child_by_field_name("consequence") != Some(at)
                    && parent.child_by_field_name("body") != Some(at);
            }
            kind if kind.ends_with("_statement")
                || kind.ends_with("_declaration")
                || matches!(kind, "block" | "statement_block" | "module" | "program") =>
            {
                return false;
            }
            _ => {}
        }
        at = parent;
    }
    false
}
