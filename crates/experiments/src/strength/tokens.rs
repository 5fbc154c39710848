//! Expressions as words, the same for all languages: enough to compare two assertions whatever their layout, quotes
//! and names of variables. Knows no assertion.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Text,
    Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// Longest first.
const MARKS: [&str; 19] = [
    "===", "!==", "**=", "...", "..=", "==", "!=", "<=", ">=", "&&", "||", "->", "=>", "::", "..",
    "?.", ":=", "+=", "//",
];

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        let (kind, end) = next(&chars, at, c);
        let mut text: String = chars[at..end].iter().collect();
        if kind == Kind::Text {
            text = quoted(&text);
        }
        found.push(Token { kind, text });
        at = end;
    }
    // A comma before a closing bracket says nothing.
    let closes = |t: Option<&Token>| t.is_some_and(|t| t.is(")") || t.is("]") || t.is("}"));
    let kept: Vec<bool> =
        (0..found.len()).map(|i| !(found[i].is(",") && closes(found.get(i + 1)))).collect();
    let mut kept = kept.into_iter();
    found.retain(|_| kept.next().unwrap_or(true));
    found
}

fn next(chars: &[char], at: usize, c: char) -> (Kind, usize) {
    let word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
    if c.is_ascii_digit() {
        let number = |i: usize| {
            let c = chars[i];
            let exponent =
                matches!(c, '+' | '-') && matches!(chars[i - 1], 'e' | 'E') && chars[at + 1] != 'x';
            let point = c == '.' && chars.get(i + 1).is_some_and(char::is_ascii_digit);
            word(&c) || point || exponent
        };
        let end = (at + 1..chars.len()).find(|i| !number(*i)).unwrap_or(chars.len());
        return (Kind::Number, end);
    }
    if word(&c) {
        let end = (at..chars.len()).find(|i| !word(&chars[*i])).unwrap_or(chars.len());
        let prefix: String = chars[at..end].iter().collect();
        let is_prefix = matches!(
            prefix.to_lowercase().as_str(),
            "f" | "r" | "b" | "u" | "rb" | "br" | "fr" | "rf"
        );
        if is_prefix && chars.get(end).is_some_and(|c| matches!(c, '"' | '\'')) {
            return (Kind::Text, string_end(chars, end));
        }
        return (Kind::Name, end);
    }
    let lifetime = c == '\''
        && chars.get(at + 1).is_some_and(|c| c.is_alphabetic())
        && chars.get(at + 2).is_some_and(|c| word(c) || matches!(c, ',' | '>' | ' '))
        && !chars[at + 1..].contains(&'\'');
    if matches!(c, '"' | '\'' | '`') && !lifetime {
        return (Kind::Text, string_end(chars, at));
    }
    let mark = MARKS.iter().find(|m| m.chars().eq(chars[at..].iter().copied().take(m.len())));
    (Kind::Mark, at + mark.map_or(1, |m| m.len()))
}

fn string_end(chars: &[char], at: usize) -> usize {
    let quote = chars[at];
    let triple = chars.get(at + 1) == Some(&quote) && chars.get(at + 2) == Some(&quote);
    let width = if triple { 3 } else { 1 };
    let mut i = at + width;
    while i < chars.len() {
        if chars[i] == '\\' && quote != '`' {
            i += 2;
            continue;
        }
        if chars[i] == quote
            && (!triple || chars[i..].iter().take(3).filter(|c| **c == quote).count() == 3)
        {
            return i + width;
        }
        i += 1;
    }
    chars.len()
}

/// A string in double quotes, however it was written.
fn quoted(text: &str) -> String {
    let bare = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let prefix = &text[..text.len() - bare.len()];
    let inner = bare.trim_matches(|c| matches!(c, '"' | '\'' | '`'));
    format!("{}\"{inner}\"", prefix.to_lowercase())
}

pub(super) fn shown(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The change of depth that a token makes.
fn turn(token: &Token) -> i32 {
    if token.kind != Kind::Mark {
        return 0;
    }
    match token.text.as_str() {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// The tokens with their depth; brackets have the depth around them.
pub(super) fn depths(tokens: &[Token]) -> Vec<i32> {
    let mut depth = 0;
    tokens
        .iter()
        .map(|token| {
            let by = turn(token);
            if by < 0 {
                depth -= 1;
            }
            let here = depth;
            if by > 0 {
                depth += 1;
            }
            here
        })
        .collect()
}

/// Split at these marks of the outermost level.
pub(super) fn split<'a>(tokens: &'a [Token], at: &str) -> Vec<&'a [Token]> {
    let depths = depths(tokens);
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, token) in tokens.iter().enumerate() {
        if depths[i] == 0 && token.is(at) {
            parts.push(&tokens[start..i]);
            start = i + 1;
        }
    }
    if start < tokens.len() || !parts.is_empty() {
        parts.push(&tokens[start..]);
    }
    parts.retain(|p| !p.is_empty());
    parts
}

/// Without brackets around the whole of it.
pub(super) fn bare(tokens: &[Token]) -> &[Token] {
    let mut tokens = tokens;
    loop {
        let depths = depths(tokens);
        let whole = tokens.len() > 2
            && tokens[0].is("(")
            && tokens[tokens.len() - 1].is(")")
            && depths[1..tokens.len() - 1].iter().all(|d| *d > 0)
            && split(&tokens[1..tokens.len() - 1], ",").len() == 1;
        if !whole {
            return tokens;
        }
        tokens = &tokens[1..tokens.len() - 1];
    }
}

/// The arguments of a call at the end of these tokens, and what is called.
pub(super) fn call(tokens: &[Token]) -> Option<(&[Token], Vec<&[Token]>)> {
    let depths = depths(tokens);
    if !tokens.last()?.is(")") {
        return None;
    }
    let open = (0..tokens.len() - 1).rev().find(|i| depths[*i] == 0 && tokens[*i].is("("))?;
    let between_is_inner = depths[open + 1..tokens.len() - 1].iter().all(|d| *d > 0);
    let called = &tokens[..open];
    if called.is_empty() || !between_is_inner {
        return None;
    }
    Some((called, split(&tokens[open + 1..tokens.len() - 1], ",")))
}

/// Names that every program has, which say nothing about what is tested.
const COMMON: [&str; 74] = [
    "len",
    "str",
    "list",
    "sorted",
    "int",
    "float",
    "dict",
    "set",
    "tuple",
    "abs",
    "round",
    "sum",
    "any",
    "all",
    "type",
    "repr",
    "bool",
    "min",
    "max",
    "next",
    "iter",
    "range",
    "to_string",
    "unwrap",
    "clone",
    "as_str",
    "collect",
    "into",
    "String",
    "from",
    "Ok",
    "Some",
    "Err",
    "None",
    "expect",
    "to_owned",
    "vec",
    "is_empty",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "length",
    "size",
    "toString",
    "Number",
    "Array",
    "Object",
    "JSON",
    "stringify",
    "parse",
    "True",
    "False",
    "true",
    "false",
    "null",
    "undefined",
    "nil",
    "self",
    "this",
    "await",
    "new",
    "not",
    "lambda",
    "async",
    "Error",
    "len_",
    "as_ref",
    "as_deref",
    "iter_mut",
    "into_iter",
    "to_vec",
    "Sprint",
    "Decimal",
];

pub(super) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// The name that an expression is mainly about: the last one at the outermost level that has any of its own.
pub(super) fn principal(tokens: &[Token]) -> Option<&str> {
    let depths = depths(tokens);
    let named = |i: &usize| tokens[*i].kind == Kind::Name && !is_common(&tokens[*i].text);
    let depth = (0..tokens.len()).filter(named).map(|i| depths[i]).min()?;
    (0..tokens.len()).filter(named).rfind(|i| depths[*i] == depth).map(|i| tokens[i].text.as_str())
}

/// Whether it says its value itself.
pub(super) fn is_literal(tokens: &[Token]) -> bool {
    !tokens.is_empty() && principal(tokens).is_none()
}

/// Whether one has the other in one piece.
pub(super) fn holds(whole: &[Token], part: &[Token]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|w| w == part)
}

pub(super) fn count(whole: &[Token], part: &[Token]) -> usize {
    if part.is_empty() { 0 } else { whole.windows(part.len()).filter(|w| *w == part).count() }
}

/// A number as written in any of the languages.
pub(super) fn number(tokens: &[Token]) -> Option<f64> {
    let (sign, rest) = match tokens {
        [minus, rest @ ..] if minus.is("-") => (-1.0, rest),
        rest => (1.0, rest),
    };
    let [one] = rest else {
        return None;
    };
    let text: String = one.text.chars().filter(|c| *c != '_').collect();
    let text = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() && c != 'e');
    let value: f64 = text.parse().ok().or_else(|| {
        // `5u32`, `1f64`
        let end = text.find(['u', 'i', 'f'])?;
        text.get(..end)?.parse().ok()
    })?;
    (one.kind == Kind::Number).then_some(sign * value)
}

/// An expression without what only turns it into another form of the same value.
pub(super) fn core(tokens: &[Token]) -> &[Token] {
    const AROUND: [&str; 11] = [
        "list",
        "sorted",
        "set",
        "tuple",
        "dict",
        "str",
        "int",
        "float",
        "String",
        "stringify",
        "parse",
    ];
    const AFTER: [&str; 10] = [
        "to_string",
        "unwrap",
        "clone",
        "as_str",
        "to_vec",
        "toString",
        "to_owned",
        "expect",
        "as_deref",
        "Error",
    ];
    let mut tokens = bare(tokens);
    loop {
        let inner = match tokens {
            [first, rest @ ..] if first.is("await") || first.is("&") || first.is("*") => rest,
            _ => match call(tokens) {
                Some(([one] | [_, _, one], arguments))
                    if AROUND.contains(&one.text.as_str()) && arguments.len() == 1 =>
                {
                    arguments[0]
                }
                Some(([receiver @ .., point, one], _))
                    if point.is(".")
                        && AFTER.contains(&one.text.as_str())
                        && !receiver.is_empty() =>
                {
                    receiver
                }
                _ => return tokens,
            },
        };
        tokens = bare(inner);
    }
}
