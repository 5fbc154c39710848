//! What is never mutated, since no test could or should notice: types, imports, attributes, messages, tests, and
//! what says only how long, how big or how often. Makes no mutant.

use super::scope::Literals;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::Node;

const KINDS: Words = Words(
    "comment line_comment block_comment import_statement import_from_statement \
    future_import_statement import_declaration package_clause use_declaration extern_crate_declaration \
    foreign_mod_item decorator attribute_item inner_attribute_item macro_definition macro_invocation type \
    type_annotation type_arguments type_parameters type_parameter type_parameter_list type_alias_declaration \
    type_alias_statement type_declaration type_item associated_type interface_declaration ambient_declaration \
    struct_item enum_item union_item where_clause trait_bounds assert_statement raise_statement throw_statement \
    case_pattern global_statement",
);

/// Whether nothing at or below a node is mutated.
pub(super) fn never(language: Language, node: Node<'_>, source: &str) -> bool {
    let kind = node.kind();
    if KINDS.has(kind) || kind.ends_with("_type") || node.is_error() {
        return true;
    }
    match kind {
        // A doc text or a directive.
        "expression_statement" => {
            node.named_child_count() == 1
                && node
                    .named_child(0)
                    .is_some_and(|n| matches!(n.kind(), "string" | "concatenated_string"))
        }
        "if_statement" if language == Language::Python => is_outside(node, source),
        "assignment" => {
            is_dunder(syntax::field(node, "left", source)) || is_member_of_an_enum(node, source)
        }
        "function_definition" => syntax::field(node, "name", source) == "__repr__",
        // Go: no test can call it.
        "function_declaration" if language == Language::Go => {
            syntax::field(node, "name", source) == "main"
        }
        "impl_item" => {
            let of = syntax::field(node, "trait", source);
            of.rsplit("::").next().is_some_and(|name| ["Debug", "Error"].contains(&name))
        }
        "call" | "call_expression" => is_log(syntax::field(node, "function", source)),
        "closure_parameters" | "enum_assignment" => true,
        "parameters" | "parameter_list" => language != Language::Python,
        _ => false,
    }
}

/// `if __name__ == "__main__"` and `if TYPE_CHECKING`.
fn is_outside(node: Node<'_>, source: &str) -> bool {
    let condition = syntax::field(node, "condition", source);
    condition.contains("__name__") || condition.rsplit('.').next() == Some("TYPE_CHECKING")
}

/// Python: `HIGH = 2` in the body of an `Enum`. Which number a name has is nobody's business but its own.
fn is_member_of_an_enum(assignment: Node<'_>, source: &str) -> bool {
    let class = (0..3).try_fold(assignment, |at, _| at.parent());
    let class = class.filter(|class| class.kind() == "class_definition");
    let above = class.map_or("", |class| syntax::field(class, "superclasses", source));
    let mut parents = above.split(|c: char| !c.is_alphanumeric());
    parents.any(|name| name.ends_with("Enum") || name.ends_with("Flag"))
}

fn is_dunder(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// `a.b(x)::c` as `[a, b, c]`: without what is in brackets.
fn segments(callee: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = callee.split(move |c: char| {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, '.' | ':' | '?' | '!')
    });
    parts
        .map(|part| part.split(['(', '[', '<']).next().unwrap_or(part).trim())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Calls that only tell something to people.
pub(super) fn is_log(callee: &str) -> bool {
    const LEVELS: Words = Words(
        "trace debug info warn warning error exception critical fatal log debugf infof \
        warnf errorf printf println",
    );
    let parts = segments(callee);
    let Some((last, before)) = parts.split_last() else { return false };
    let Some(owner) = before.last() else {
        return ["print", "pprint", "println", "panic", "debug", "trace", "warn"].contains(last);
    };
    let owner = owner.to_lowercase();
    let level = LEVELS.has(&last.to_lowercase());
    owner == "console"
        || owner == "warnings"
        || owner == "logging"
        || ["log", "slog", "glog", "klog"].contains(&owner.as_str())
        || (level && (owner.contains("log") || last.ends_with("ln")))
        || (owner == "fmt" && last.starts_with("Print"))
        || (owner == "stderr" && *last == "write")
}

/// Calls that say only how much room or time there is: nothing in their arguments is noticed.
pub(super) fn is_size(callee: &str) -> bool {
    const SIZES: Words = Words("make with_capacity reserve sleep Sleep try_reserve Grow");
    segments(callee).last().is_some_and(|last| SIZES.has(last))
}

/// What is left of the literals in a call's arguments.
pub(super) fn of_arguments(callee: &str) -> Literals {
    const QUIET: Words = Words(
        "setTimeout setInterval set_timeout from_secs from_millis from_micros from_nanos \
        from_secs_f64 getLogger get_logger namedtuple TypeVar NewType ParamSpec cast require import lru_cache \
        timeout Symbol exit Exit simplefilter",
    );
    const MESSAGES: Words = Words(
        "Err expect context with_context bail anyhow reject ok_or ok_or_else fail Errorf \
        fatal abort Wrap Wrapf invariant",
    );
    let parts = segments(callee);
    let last = parts.last().copied().unwrap_or("");
    let error = |part: &&str| {
        ["Error", "Exception", "Warning", "Err", "errors"].iter().any(|end| part.ends_with(end))
    };
    if QUIET.has(last) {
        Literals::None
    } else if MESSAGES.has(last) || parts.iter().any(error) {
        Literals::NoText
    } else {
        Literals::All
    }
}

/// What is left of the literals in a value with this name: an argument, a field, a constant.
pub(super) fn of_name(name: &str) -> Literals {
    const QUIET: Words = Words(
        "timeout delay sleep interval capacity buf chunk retr backoff port version seed \
        cache poll debounce throttle stacklevel expir ttl exist_ok",
    );
    const FLAGS: Words = Words(
        "parents daemon check text capture_output ensure_ascii frozen slots kw_only repr \
        encoding errors newline indent displayname key id classname style",
    );
    const MESSAGES: Words =
        Words("help description msg message doc usage epilog metavar prog hint reason detail");
    let lower = name.trim_matches(['"', '\'']).to_lowercase();
    if QUIET.iter().any(|part| lower.contains(part)) {
        Literals::None
    } else if MESSAGES.has(lower.as_str()) {
        Literals::NoText
    } else if FLAGS.has(lower.as_str()) {
        Literals::None
    } else {
        Literals::All
    }
}
