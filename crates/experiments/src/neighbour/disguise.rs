//! Values that are known by something else than themselves: a checksum, an encoding of them, a text that is run, or
//! their letters one by one.

use proctor_lang::literal::{self, Kind};
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Parts of the names of functions that make a checksum, or undo an encoding.
const WORDS: [&str; 32] = [
    "crc",
    "adler",
    "md4",
    "md5",
    "sha1",
    "sha2",
    "sha3",
    "sha5",
    "blake",
    "xxh",
    "murmur",
    "fnv",
    "siphash",
    "digest",
    "hasher",
    "createhash",
    "hashcode",
    "checksum",
    "hmac",
    "pbkdf",
    "b64decode",
    "b32decode",
    "b85decode",
    "a85decode",
    "decodestring",
    "unhexlify",
    "fromhex",
    "atob",
    "base64",
    "decompress",
    "pickle",
    "marshal",
];
/// Functions that run a text, by their whole names: `exec` of a pattern is none of them.
const RUNNING: [&str; 3] = ["exec", "eval", "Function"];

/// Functions whose very purpose is the hash of a value, such as `__hash__` beside an equality.
const OWN_HASH: [&str; 5] = ["__hash__", "hash", "hashCode", "hash_code", "Hash"];

fn makes_a_hash(node: Node<'_>, source: &str) -> bool {
    let mut at = node.parent();
    while let Some(above) = at {
        let is_function = above.kind().contains("function") || above.kind().contains("method");
        if is_function && OWN_HASH.contains(&syntax::field(above, "name", source)) {
            return true;
        }
        at = above.parent();
    }
    false
}

/// Whether a call on these lines makes a checksum, undoes an encoding or runs a text.
pub(super) fn is_there(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> bool {
    let mut found = false;
    syntax::walk(root, &|_| true, &mut |node| {
        let called = match node.kind() {
            "call" | "call_expression" => syntax::field(node, "function", source),
            "method_invocation" => syntax::field(node, "name", source),
            "new_expression" => syntax::field(node, "constructor", source),
            _ => return,
        };
        if lines.contains(&syntax::line(node)) && !makes_a_hash(node, source) {
            let name = called.to_lowercase();
            let own = name.rsplit(['.', ':']).next().unwrap_or_default();
            found |= own == "hash" || RUNNING.contains(&called);
            found |= WORDS.iter().any(|word| name.contains(word));
        }
    });
    found
}

/// Fewer letters are no word.
const FEWEST_LETTERS: usize = 2;

/// Whether code on these lines asks for the letters of a text one by one: `s[0] == 'b'`, `[98, 111, ..]`.
pub(super) fn is_spelled(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> bool {
    let mut letters = 0;
    syntax::walk(root, &|_| true, &mut |node| {
        if !lines.contains(&syntax::line(node)) {
            return;
        }
        let sides = || syntax::children(node);
        letters += match node.kind() {
            "binary_expression" | "comparison_operator" => usize::from(
                sides().iter().any(|n| is_part(*n))
                    && sides().iter().any(|n| is_letter(*n, source)),
            ),
            // A switch over one letter.
            "expression_switch_statement" | "match_expression" => {
                let over = node.child_by_field_name("value");
                usize::from(over.is_some_and(is_part))
            }
            "slice_pattern" => sides().iter().filter(|n| is_letter(**n, source)).count(),
            _ => 0,
        };
    });
    letters >= FEWEST_LETTERS
}

/// One of a value's parts, by its place; also what an operator makes of it.
fn is_part(node: Node<'_>) -> bool {
    match node.kind() {
        "index_expression" | "subscript" | "subscript_expression" => true,
        "binary_expression" | "binary_operator" | "parenthesized_expression" => {
            syntax::children(node).into_iter().any(is_part)
        }
        _ => false,
    }
}

fn is_letter(node: Node<'_>, source: &str) -> bool {
    let text = syntax::text(node, source);
    match literal::kind(node) {
        Some(Kind::Letter) => true,
        Some(Kind::Text) => literal::inside(text).is_some_and(|range| range.len() == 1),
        Some(Kind::Number) => {
            let hex = text.strip_prefix("0x").map(|digits| u8::from_str_radix(digits, 16).ok());
            hex.unwrap_or_else(|| text.parse().ok())
                .is_some_and(|n: u8| n == 0 || n.is_ascii_graphic())
        }
        _ => false,
    }
}
