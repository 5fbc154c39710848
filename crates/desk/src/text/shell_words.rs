//! Splits a command line into words as a POSIX shell would, without being one: no variables, no globs, no
//! operators. A command that needs a shell must name it.

#[derive(Debug, PartialEq, Eq)]
pub enum SplitFault {
    OpenQuote(char),
    TrailingBackslash,
    Empty,
}

impl std::fmt::Display for SplitFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OpenQuote(quote) => write!(f, "a {quote} is opened and never closed"),
            Self::TrailingBackslash => f.write_str("it ends with a backslash"),
            Self::Empty => f.write_str("it is empty"),
        }
    }
}

/// The words of a command; at least one.
pub fn split(text: &str) -> Result<Vec<String>, SplitFault> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let into = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => into.push(c),
                        None => return Err(SplitFault::OpenQuote('\'')),
                    }
                }
            }
            '"' => {
                let into = word.get_or_insert_default();
                double_quoted(&mut chars, into)?;
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err(SplitFault::TrailingBackslash),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err(SplitFault::Empty);
    }
    Ok(words)
}

fn double_quoted(chars: &mut std::str::Chars<'_>, into: &mut String) -> Result<(), SplitFault> {
    loop {
        match chars.next() {
            Some('"') => return Ok(()),
            Some('\\') => match chars.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => into.push(c),
                Some('\n') => {}
                Some(c) => {
                    into.push('\\');
                    into.push(c);
                }
                None => return Err(SplitFault::OpenQuote('"')),
            },
            Some(c) => into.push(c),
            None => return Err(SplitFault::OpenQuote('"')),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would() {
        for (text, words) in [
            ("a b  c", vec!["a", "b", "c"]),
            ("a 'b c' \"d \\\" e\"", vec!["a", "b c", "d \" e"]),
            (r"a\ b c\\d", vec!["a b", r"c\d"]),
            ("x ''", vec!["x", ""]),
            (r#""a\nb""#, vec![r"a\nb"]),
            ("pre'fix'ed", vec!["prefixed"]),
            ("echo $HOME *", vec!["echo", "$HOME", "*"]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn what_a_shell_would_not_take_is_refused() {
        assert_eq!(split("a 'b"), Err(SplitFault::OpenQuote('\'')));
        assert_eq!(split("a \"b"), Err(SplitFault::OpenQuote('"')));
        assert_eq!(split("a \\"), Err(SplitFault::TrailingBackslash));
        assert_eq!(split("  "), Err(SplitFault::Empty));
    }
}
