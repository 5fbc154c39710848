//! Rust source reduced to its code: the same text, line for line and column for column, with the inside of
//! strings, characters and comments blanked out. Small and exact enough for counting braces and finding
//! words; it must not grow into a parser.

/// A source file with everything blanked out that is not code.
#[derive(Clone, Debug)]
pub struct Code {
    text: String,
    /// The lines (from 1, both ends included) of `#[cfg(test)]` modules.
    tests: Vec<(usize, usize)>,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// The line of `fn`, from 1.
    pub first: usize,
    /// The line of the closing brace.
    pub last: usize,
}

impl Code {
    pub fn read(source: &str) -> Self {
        let text = mask(source);
        let tests = test_modules(&text);
        Self { text, tests }
    }

    /// Every line with its number from 1, those of test modules left out.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.all_lines().filter(|(line, _)| !self.is_test(*line))
    }

    /// Every line with its number from 1.
    pub fn all_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// Whether this line stands in a `#[cfg(test)]` module.
    pub fn is_test(&self, line: usize) -> bool {
        self.tests.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }

    /// The functions with a body, in order; one inside another is listed as well.
    pub fn functions(&self) -> Vec<Function> {
        let tokens = tokens(&self.text);
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if token.text != "fn" {
                continue;
            }
            // `fn(u8)` is a type and `fn $name` a pattern of a macro: neither has a name of its own.
            let Some(name) = tokens.get(at + 1).filter(|next| next.is_word()) else {
                continue;
            };
            if let Some(last) = body_end(&tokens, at + 2) {
                found.push(Function { name: name.text.to_owned(), first: token.line, last });
            }
        }
        found
    }

    /// Where each `#[cfg(test)]` module begins and ends, for counting.
    pub fn test_lines(&self) -> usize {
        let spans = self.tests.iter();
        spans.map(|(first, last)| last - first + 1).sum()
    }

    /// Each `parent::{…}`, however many lines it takes: the line it begins on and what stands inside. Test
    /// modules are left out.
    pub fn groups(&self, parent: &str) -> Vec<(usize, &str)> {
        let open = format!("{parent}::{{");
        let mut found = Vec::new();
        for (at, _) in self.text.match_indices(&open) {
            let line = 1 + self.text[..at].matches('\n').count();
            let inside = &self.text[at + open.len()..];
            let end = inside.find(';').unwrap_or(inside.len());
            let word = self.text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !word && !self.is_test(line) {
                found.push((line, &inside[..end]));
            }
        }
        found
    }

    #[cfg(test)]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Whether `word` stands in `line` with no letter, digit or underscore right before or after it.
pub fn has_word(line: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        // An end of `word` that is a sign, such as `!(`, is its own edge.
        let grows_left = before.is_some_and(inside) && word.starts_with(inside);
        let grows_right = after.is_some_and(inside) && word.ends_with(inside);
        !grows_left && !grows_right
    })
}

/// A word, or a single sign.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            // `r#fn` is a name, not the keyword.
            let raw = if rest.starts_with("r#") { 2 } else { 0 };
            let length = if raw > 0 || is_word(first) {
                let end = rest[raw..].find(|c| !is_word(c));
                end.map_or(rest.len(), |end| end + raw)
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length.max(1));
            found.push(Token { text: token, line });
            rest = after.trim_start();
        }
    }
    found
}

/// The line of the brace that closes the body whose signature goes on at `from`; none for a bare signature.
fn body_end(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    let mut nested = 0_usize;
    let mut at = from;
    loop {
        let token = tokens.get(at)?;
        match token.text {
            "(" | "[" => nested += 1,
            ")" | "]" => nested = nested.saturating_sub(1),
            ";" if nested == 0 => return None,
            // `Grid<{ N }>` in a signature is a constant, not the body.
            "{" if nested > 0 || tokens[at - 1].text == "<" => at = closing(tokens, at)?,
            "{" => return closing(tokens, at).map(|end| tokens[end].line),
            _ => {}
        }
        at += 1;
    }
}

/// The place of the brace that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The spans of `#[cfg(test)] mod x { … }` and `#[cfg(test)] mod x;`, from the attribute to the end.
fn test_modules(code: &str) -> Vec<(usize, usize)> {
    let tokens = tokens(code);
    let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let mut spans = Vec::new();
    for at in 0..texts.len() {
        if !texts[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) {
            continue;
        }
        let mut next = at + 7;
        // Other attributes may stand between, such as `#[path = "x_tests.rs"]`.
        while texts.get(next) == Some(&"#") {
            match texts[next..].iter().position(|text| *text == "]") {
                Some(end) => next += end + 1,
                None => break,
            }
        }
        if texts.get(next) == Some(&"pub") {
            next += 1;
        }
        if texts.get(next) != Some(&"mod") {
            continue;
        }
        let end = match texts.get(next + 2) {
            Some(&"{") => closing(&tokens, next + 2),
            _ => Some(next + 2),
        };
        if let Some(end) = end.and_then(|end| tokens.get(end)) {
            spans.push((tokens[at].line, end.line));
        }
    }
    spans
}

/// Blanks out comments and the inside of literals; quotes and line ends stay where they are.
fn mask(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = match chars[at] {
            '/' if chars.get(at + 1) == Some(&'/') => line_end(&chars, at),
            '/' if chars.get(at + 1) == Some(&'*') => comment_end(&chars, at),
            '"' => quoted_end(&chars, at),
            '\'' => match char_end(&chars, at) {
                Some(end) => end,
                None => at,
            },
            'r' if !is_inside_word(&chars, at) => raw_end(&chars, at).unwrap_or(at),
            _ => at,
        };
        if end == at {
            out.push(chars[at]);
            at += 1;
            continue;
        }
        let literal = chars[at] != '/';
        for (place, c) in chars.iter().enumerate().take(end).skip(at) {
            let edge = literal && (place == at || place + 1 == end);
            match c {
                '\n' => out.push('\n'),
                // The edges stay, so that `"a" "b"` and `'{'` keep their shape; an `r` or a `#` would not.
                '"' | '\'' if edge => out.push(*c),
                _ => out.push(' '),
            }
        }
        at = end;
    }
    out
}

fn line_end(chars: &[char], from: usize) -> usize {
    let length = chars[from..].iter().position(|c| *c == '\n');
    length.map_or(chars.len(), |length| from + length)
}

/// Block comments nest.
fn comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    chars.len()
}

/// One past the quote that ends the string which begins at `from`.
fn quoted_end(chars: &[char], from: usize) -> usize {
    let quote = chars[from];
    let mut at = from + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// One past a character literal; none where the quote begins a lifetime or a label.
fn char_end(chars: &[char], from: usize) -> Option<usize> {
    match chars.get(from + 1)? {
        '\\' => Some(quoted_end(chars, from)),
        _ => (chars.get(from + 2) == Some(&'\'')).then_some(from + 3),
    }
}

/// One past a raw string whose `r` stands at `from`; none where it is a word or a raw identifier.
fn raw_end(chars: &[char], from: usize) -> Option<usize> {
    let hashes = chars[from + 1..].iter().take_while(|c| **c == '#').count();
    let open = from + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let mut at = open + 1;
    while at < chars.len() {
        let after = &chars[at + 1..];
        if chars[at] == '"' && after.iter().take_while(|c| **c == '#').count() >= hashes {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// Whether the `r` here ends a longer word; `br"…"` and `cr"…"` begin a raw string all the same.
fn is_inside_word(chars: &[char], at: usize) -> bool {
    let word = |place: usize| chars.get(place).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let Some(before) = at.checked_sub(1).filter(|before| word(*before)) else {
        return false;
    };
    let prefix = matches!(chars[before], 'b' | 'c');
    !prefix || before.checked_sub(1).is_some_and(word)
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
