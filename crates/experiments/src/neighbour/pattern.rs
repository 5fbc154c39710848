//! Patterns that stand for one text: `^2\\s*\\+\\s*3$` is the text `2 + 3`. What matches many texts is no value.

/// The text of a pattern that fits nothing else, spaces aside; none where it is open.
pub(super) fn plain(pattern: &str) -> Option<String> {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let pattern = pattern.strip_suffix('$').unwrap_or(pattern);
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                's' => {
                    text.push(' ');
                    while letters.next_if(|c| matches!(c, '*' | '+' | '?')).is_some() {}
                }
                'b' | 'A' | 'Z' | 'z' => {}
                escaped if escaped.is_alphanumeric() => return None,
                escaped => text.push(escaped),
            },
            '.' | '*' | '+' | '?' | '[' | '(' | '{' | '|' | '$' | '^' => return None,
            letter => text.push(letter),
        }
    }
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_for_one_text_is_that_text() {
        assert_eq!(plain(r"^2\s*\+\s*3$").as_deref(), Some("2 + 3"));
        assert_eq!(plain("March").as_deref(), Some("March"));
        for open in ["", "^$", r"\d+", "a.b", "a|b", "[ab]", "(a)", "a*", "a{2}", "\\"] {
            assert_eq!(plain(open), None, "{open}");
        }
    }
}
