//! What a condition claims: `a == b and c` are two claims, each about something, each with a force. Knows no language:
//! the operators and the usual predicates of all of them.

use super::force::{Claim, Force, Side};
use super::tokens::{Kind, Token, bare, call, is_literal, number, principal, split};

/// What holds where a condition does: `a == b and c` are two claims.
pub(super) fn claims(condition: &[Token], holds: Holds) -> Vec<Claim> {
    let condition = bare(condition);
    let (all, any) = match holds {
        Holds::True => (["and", "&&"], ["or", "||"]),
        Holds::False => (["or", "||"], ["and", "&&"]),
    };
    for word in all {
        let parts = split(condition, word);
        if parts.len() > 1 {
            return parts.into_iter().flat_map(|p| claims(p, holds)).collect();
        }
    }
    if any.iter().any(|word| split(condition, word).len() > 1) {
        return vec![(condition.to_vec(), Force::Truthy)];
    }
    if condition.first().is_some_and(|t| t.is("not") || t.is("!")) {
        return claims(&condition[1..], holds.turned());
    }
    vec![comparison(condition, holds).unwrap_or_else(|| predicate(condition, holds))]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    True,
    False,
}

impl Holds {
    pub(super) fn turned(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
        }
    }
}

fn comparison(condition: &[Token], holds: Holds) -> Option<Claim> {
    let yes = holds == Holds::True;
    let two = |word: &str| match split(condition, word).as_slice() {
        [left, right] => Some((bare(left), bare(right))),
        _ => None,
    };
    for word in ["===", "==", "is"] {
        if let Some((left, right)) = two(word) {
            if let [not, rest @ ..] = right
                && not.is("not")
                && word == "is"
            {
                return Some(about(left, rest, if yes { Same::No } else { Same::Yes }));
            }
            return Some(about(left, right, if yes { Same::Yes } else { Same::No }));
        }
    }
    for word in ["!==", "!="] {
        if let Some((left, right)) = two(word) {
            return Some(about(left, right, if yes { Same::No } else { Same::Yes }));
        }
    }
    if let Some((left, right)) = two("in") {
        let left =
            left.strip_suffix(&[Token { kind: Kind::Name, text: "not".into() }]).unwrap_or(left);
        let subject = if is_literal(left) { right } else { left };
        return Some((subject.to_vec(), Force::Contains));
    }
    for (word, side) in
        [(">=", Side::AtLeast), ("<=", Side::AtMost), (">", Side::Above), ("<", Side::Below)]
    {
        if let Some((left, right)) = two(word) {
            let side = if yes { side } else { opposite(side) };
            return Some(if is_literal(left) && !is_literal(right) {
                (right.to_vec(), Force::Ordered { side: mirrored(side), bound: number(left) })
            } else {
                (left.to_vec(), Force::Ordered { side, bound: number(right) })
            });
        }
    }
    None
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Above => Side::AtMost,
        Side::AtLeast => Side::Below,
        Side::Below => Side::AtLeast,
        Side::AtMost => Side::Above,
    }
}

fn mirrored(side: Side) -> Side {
    match side {
        Side::Above => Side::Below,
        Side::AtLeast => Side::AtMost,
        Side::Below => Side::Above,
        Side::AtMost => Side::AtLeast,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    Yes,
    No,
}

/// A claim that two things are the same, or not. The one that says its value itself is what is expected.
pub(super) fn about(left: &[Token], right: &[Token], same: Same) -> Claim {
    let (subject, expected) =
        if is_literal(left) && !is_literal(right) { (right, left) } else { (left, right) };
    if same == Same::No {
        let nothing = matches!(expected, [one] if matches!(one.text.as_str(), "None" | "null" | "undefined" | "nil"));
        return (subject.to_vec(), if nothing { Force::Present } else { Force::Different });
    }
    if let Some((called, arguments)) = call(expected)
        && principal(called) == Some("approx")
    {
        return (subject.to_vec(), Force::Approx { slack: slack(&arguments) });
    }
    // `type(a) is int`
    if let Some(([word], arguments)) = call(subject)
        && word.is("type")
        && let [typed] = arguments.as_slice()
    {
        return (typed.to_vec(), Force::Instance);
    }
    // `cmp.Diff(a, b) == ""`
    if let Some((called, arguments)) = call(subject)
        && principal(called) == Some("Diff")
        && let [left, right, ..] = arguments.as_slice()
    {
        return about(left, right, Same::Yes);
    }
    (subject.to_vec(), Force::Equal { expected: expected.to_vec() })
}

/// `matches!(x, pattern)`: a pattern without holes is as good as equality.
pub(super) fn pattern(arguments: &[&[Token]]) -> Claim {
    let [subject, pattern, ..] = arguments else {
        return (Vec::new(), Force::Unknown);
    };
    let hole = |t: &Token| {
        t.is("_")
            || t.is("..")
            || t.is("|")
            || (t.kind == Kind::Name
                && t.text.starts_with(char::is_lowercase)
                && !is_literal(std::slice::from_ref(t)))
    };
    let force = if pattern.iter().any(hole) {
        Force::Contains
    } else {
        Force::Equal { expected: pattern.to_vec() }
    };
    (subject.to_vec(), force)
}

/// The named tolerances among arguments.
pub(super) fn slack(arguments: &[&[Token]]) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for argument in arguments {
        if let [name, equals, value @ ..] = *argument
            && equals.is("=")
            && let Some(value) = number(value)
        {
            let places = name.is("places");
            found.push((name.text.clone(), if places { 10_f64.powf(-value) } else { value }));
        }
    }
    found
}

/// A call or a name that is true or false.
fn predicate(condition: &[Token], holds: Holds) -> Claim {
    let plain = if holds == Holds::True { Force::Truthy } else { Force::Falsy };
    let Some((called, arguments)) = call(condition) else {
        return (condition.to_vec(), plain);
    };
    if let [.., word, bang] = called
        && word.is("matches")
        && bang.is("!")
    {
        return pattern(&arguments);
    }
    let name = called.last().map_or("", |t| t.text.as_str());
    let method = called.len() > 2 && called[called.len() - 2].text == ".";
    let receiver = if method { &called[..called.len() - 2] } else { &[] as &[Token] };
    let first = arguments.first().copied().unwrap_or_default();
    let second = arguments.get(1).copied().unwrap_or_default();
    let negative = holds == Holds::False;
    let (subject, force) = match name {
        "isinstance" | "issubclass" => (first, Force::Instance),
        "hasattr" | "callable" | "bool" => (first, Force::Present),
        "isclose" | "allclose" if arguments.len() > 1 => {
            (first, Force::Approx { slack: slack(&arguments) })
        }
        "DeepEqual" | "is_deep_equal" | "Equal" | "Is" if arguments.len() == 2 => {
            return about(first, second, if negative { Same::No } else { Same::Yes });
        }
        "equals" | "isEqual" if method && arguments.len() == 1 => {
            return about(receiver, first, if negative { Same::No } else { Same::Yes });
        }
        "startswith" | "endswith" | "starts_with" | "ends_with" | "startsWith" | "endsWith"
        | "includes" | "contains"
            if method =>
        {
            (receiver, Force::Contains)
        }
        "Contains" | "HasPrefix" | "HasSuffix" | "As" if method && arguments.len() == 2 => {
            (first, Force::Contains)
        }
        "match" | "search" | "fullmatch" if arguments.len() > 1 => (second, Force::Contains),
        "is_ok" | "is_some" | "is_err" if method && !negative => (receiver, Force::Present),
        "is_none" if method => {
            let expected = vec![Token { kind: Kind::Name, text: "None".into() }];
            (receiver, if negative { Force::Present } else { Force::Equal { expected } })
        }
        "is_empty" | "isEmpty" if method => {
            let expected = vec![
                Token { kind: Kind::Mark, text: "[".into() },
                Token { kind: Kind::Mark, text: "]".into() },
            ];
            (receiver, if negative { Force::Present } else { Force::Equal { expected } })
        }
        // Whatever holds for all is asked of each.
        "all" if !method && !negative => {
            let each = split(first, "for").first().copied().unwrap_or(first);
            return claims(each, holds).into_iter().next().unwrap_or((first.to_vec(), plain));
        }
        "any" if !method => (first, Force::Truthy),
        _ => (condition, plain),
    };
    (subject.to_vec(), force)
}
