//! Which calls of a Java test are checks, and what their arguments are: what is expected, what is held against it, what is
//! only said when it fails. In the words of `JUnit`, `TestNG`, Hamcrest and `AssertJ`.

use crate::literal;
use crate::syntax::{children, field, nodes, text};
use crate::words::Words;
use tree_sitter::Node;

/// What an argument of a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Actual,
    Expected,
    /// A message, or how near is near enough.
    Said,
}

/// What a check asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Whether two values are the same, or are not.
    Same,
    /// Whether something is true, or there.
    Truth,
    /// Whether an exception is thrown.
    Raises,
    /// A value and matchers behind it: `assertThat(x, is(y))`.
    Matched,
    /// A value and what is said of it, call by call: `assertThat(x).isEqualTo(y)`.
    Chain,
    /// Several checks at once.
    All,
    Other,
}

/// A call that checks something.
#[derive(Clone, Debug)]
pub struct Check<'t> {
    pub asks: Asks,
    pub name: String,
    /// The innermost call of a chain; the call itself where there is none.
    pub root: Node<'t>,
    /// The arguments of all calls of the chain, from the root on.
    pub given: Vec<(Node<'t>, Role)>,
}

/// What a check's name begins with, whoever defines it.
const BEGINNINGS: Words = Words("assert verify check expect andexpect should");

/// What is said of a check, and not checked.
const SAID: Words = Words("as describedAs withFailMessage overridingErrorMessage");

/// The check that a call is, if it is one.
pub fn check<'t>(call: Node<'t>, source: &str) -> Option<Check<'t>> {
    if call.kind() != "method_invocation" {
        return None;
    }
    let mut chain = vec![call];
    while let Some(inner) = chain.last().and_then(|c| c.child_by_field_name("object")) {
        if inner.kind() != "method_invocation" {
            break;
        }
        chain.push(inner);
    }
    chain.reverse();
    let root = *chain.first()?;
    let is_check = |c: &&Node<'_>| {
        let name = field(**c, "name", source).to_lowercase();
        name == "fail" || BEGINNINGS.iter().any(|b| name.starts_with(b))
    };
    let named = chain.iter().find(is_check)?;
    let name = field(*named, "name", source).to_owned();
    let alone = chain.len() == 1;
    let asks = match name.as_str() {
        // There it gives nothing back.
        "assertThrows" if source.contains("org.testng") => Asks::Other,
        "assertThrows" | "assertThrowsExactly" | "expectThrows" => Asks::Raises,
        "assertThatThrownBy" | "assertThatExceptionOfType" | "assertThatCode" if !alone => {
            Asks::Raises
        }
        "assertThat" if alone && arguments(call).len() > 1 => Asks::Matched,
        _ if !alone && *named == root && name.starts_with("assertThat") => Asks::Chain,
        "assertAll" => Asks::All,
        _ if !alone => Asks::Other,
        "assertTrue" | "assertFalse" | "assertNull" | "assertNotNull" => Asks::Truth,
        _ if is_pair(&name) && arguments(call).len() > 1 => Asks::Same,
        _ => Asks::Other,
    };
    let given = match asks {
        Asks::Same => pair(call, source),
        Asks::Truth => truth(call, source),
        Asks::Matched => matched(call),
        Asks::Raises | Asks::Chain => chained(&chain, source),
        Asks::All | Asks::Other => {
            let role = if name == "fail" { Role::Said } else { Role::Actual };
            chain.iter().flat_map(|c| arguments(*c)).map(|n| (n, role)).collect()
        }
    };
    Some(Check { asks, name, root, given })
}

/// The arguments of a call.
pub fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let all = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    all.into_iter().filter(|n| !n.kind().contains("comment")).collect()
}

fn is_pair(name: &str) -> bool {
    let pairs = ["assertSame", "assertNotSame", "assertLinesMatch", "assertInstanceOf"];
    pairs.contains(&name) || name.starts_with("assert") && name.contains("Equals")
}

/// Both sides of a comparison. What is expected comes first, but for one library; who mixes it up has the plain value last.
fn pair<'t>(call: Node<'t>, source: &str) -> Vec<(Node<'t>, Role)> {
    let given = arguments(call);
    let first = usize::from(given.len() > 2 && says_first(&given, source));
    let (Some(one), Some(two)) = (given.get(first), given.get(first + 1)) else {
        return given.into_iter().map(|n| (n, Role::Actual)).collect();
    };
    let turned =
        source.contains("import static org.testng.") || source.contains("org.testng.Assert");
    let plain = [is_plain(*one, source), is_plain(*two, source)];
    let expected = match plain {
        [false, true] => *two,
        [true, false] => *one,
        _ if turned => *two,
        _ => *one,
    };
    let role = |n: Node<'t>| match n {
        n if n == expected => Role::Expected,
        n if n == *one || n == *two => Role::Actual,
        _ => Role::Said,
    };
    given.iter().map(|n| (*n, role(*n))).collect()
}

/// Whether the first of several arguments is a message: so it was before `JUnit` 5.
fn says_first(given: &[Node<'_>], source: &str) -> bool {
    if source.contains("org.junit.jupiter") || source.contains("org.testng") {
        return false;
    }
    let Some(first) = given.first() else { return false };
    let said = text(*first, source).to_lowercase();
    given.len() > 3 || is_text(*first, source) || said.contains("message") || said == "msg"
}

/// A string, or strings put together.
fn is_text(node: Node<'_>, source: &str) -> bool {
    match node.kind() {
        "string_literal" => true,
        "binary_expression" => children(node).into_iter().any(|n| is_text(n, source)),
        _ => text(node, source).starts_with("String.format("),
    }
}

fn truth<'t>(call: Node<'t>, source: &str) -> Vec<(Node<'t>, Role)> {
    let given = arguments(call);
    let asked =
        usize::from(given.len() > 1 && says_first(&given, source) && is_text(given[0], source));
    let role = |n: usize| if n == asked { Role::Actual } else { Role::Said };
    given.into_iter().enumerate().map(|(n, node)| (node, role(n))).collect()
}

/// `assertThat("why", x, is(y))`.
fn matched(call: Node<'_>) -> Vec<(Node<'_>, Role)> {
    let given = arguments(call);
    let actual = given.len().saturating_sub(2);
    let role = |n: usize| match n.cmp(&actual) {
        std::cmp::Ordering::Less => Role::Said,
        std::cmp::Ordering::Equal => Role::Actual,
        std::cmp::Ordering::Greater => Role::Expected,
    };
    given.into_iter().enumerate().map(|(n, node)| (node, role(n))).collect()
}

fn chained<'t>(chain: &[Node<'t>], source: &str) -> Vec<(Node<'t>, Role)> {
    let mut found = Vec::new();
    for (n, call) in chain.iter().enumerate() {
        let name = field(*call, "name", source);
        for argument in arguments(*call) {
            let role = match argument.kind() {
                "lambda_expression" | "method_reference" => Role::Actual,
                "class_literal" => Role::Expected,
                _ if n == 0 && name.contains("Throws") => Role::Said,
                _ if n == 0 => Role::Actual,
                _ if SAID.has(name) => Role::Said,
                _ => Role::Expected,
            };
            found.push((argument, role));
        }
    }
    found
}

/// Whether an expression is made of literals alone: `180`, `List.of("a")`, `new BigDecimal("1.5")`.
pub fn is_plain(node: Node<'_>, source: &str) -> bool {
    let is_literal = |n: Node<'_>| literal::kind(n).is_some() || n.kind() == "class_literal";
    let plain = nodes(node).all(|n| match n.kind() {
        "method_invocation" => MAKERS.has(field(n, "object", source)),
        "identifier" => {
            let named = n.parent().is_some_and(|p| p.kind() == "method_invocation");
            named || text(n, source).starts_with(char::is_uppercase)
        }
        kind => !matches!(kind, "lambda_expression" | "method_reference"),
    });
    let made = node.kind() == "array_creation_expression" || is_constant(node, source);
    plain && (made || nodes(node).any(is_literal))
}

/// `Color.RED`, `LIMIT`.
fn is_constant(node: Node<'_>, source: &str) -> bool {
    let last = text(node, source).rsplit('.').next().unwrap_or_default();
    matches!(node.kind(), "identifier" | "field_access")
        && last.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Classes of the language that only hold what they are given.
const MAKERS: Words = Words(
    "List Set Map Arrays Collections Optional OptionalInt BigDecimal BigInteger Integer \
    Long Double LocalDate Duration Instant Stream",
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn read(before: &str, statement: &str) -> String {
        let source = format!("{before}\nclass A {{ void a() {{ {statement} }} }}");
        let tree = Language::Java.parse(&source).unwrap();
        let mut found = None;
        for n in nodes(tree.root_node()).filter(|n| n.kind() == "method_invocation") {
            found = found.or_else(|| check(n, &source));
        }
        let Some(found) = found else { return "none".to_owned() };
        let given: Vec<String> =
            found.given.iter().map(|(n, role)| format!("{role:?} {}", text(*n, &source))).collect();
        format!("{:?} {}: {}", found.asks, found.name, given.join(" | "))
    }

    #[test]
    fn what_is_expected_comes_first_and_is_told_by_its_plainness_where_it_is_mixed_up() {
        let five = "import org.junit.jupiter.api.Test;";
        let four = "import org.junit.Test;";
        let ng = "import static org.testng.Assert.*;";
        for (before, statement, wanted) in [
            (
                five,
                "assertEquals(180, net(200), \"m\");",
                "Same assertEquals: Expected 180 | Actual net(200) | Said \"m\"",
            ),
            (
                four,
                "Assert.assertEquals(\"m\", 180, net(200));",
                "Same assertEquals: Said \"m\" | Expected 180 | Actual net(200)",
            ),
            (
                four,
                "assertEquals(1.5, half(3), 0.01);",
                "Same assertEquals: Expected 1.5 | Actual half(3) | Said 0.01",
            ),
            (
                five,
                "assertEquals(net(200), 180);",
                "Same assertEquals: Actual net(200) | Expected 180",
            ),
            (five, "assertEquals(a, b);", "Same assertEquals: Expected a | Actual b"),
            (
                five,
                "assertEquals(f(3), Color.RED);",
                "Same assertEquals: Actual f(3) | Expected Color.RED",
            ),
            (ng, "assertEquals(a, b);", "Same assertEquals: Actual a | Expected b"),
            (
                five,
                "assertEquals(List.of(1, 2), all());",
                "Same assertEquals: Expected List.of(1, 2) | Actual all()",
            ),
            (four, "assertTrue(\"m\", a > 3);", "Truth assertTrue: Said \"m\" | Actual a > 3"),
            (
                five,
                "assertThrows(X.class, () -> f(3));",
                "Raises assertThrows: Expected X.class | Actual () -> f(3)",
            ),
            (
                five,
                "assertThat(f(3)).as(\"m\").isEqualTo(4);",
                "Chain assertThat: Actual f(3) | Said \"m\" | Expected 4",
            ),
            (
                four,
                "assertThat(\"m\", f(3), is(4));",
                "Matched assertThat: Said \"m\" | Actual f(3) | Expected is(4)",
            ),
            (
                five,
                "assertAll(() -> a(), () -> b());",
                "All assertAll: Actual () -> a() | Actual () -> b()",
            ),
            (five, "verify(bank).pay(3);", "Other verify: Actual bank | Actual 3"),
            (five, "cart.add(3);", "none"),
        ] {
            assert_eq!(read(before, statement), wanted);
        }
    }
}
