//! The files that a shell line writes by `>`, as far as they are plain. Text in quotes and documents that follow in the line mean nothing.

/// Each target, without its quotes.
pub(super) fn targets(line: &str) -> Vec<String> {
    let mut chars = line.chars().peekable();
    let (mut found, mut quote, mut document) = (Vec::new(), None, false);
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('"') | None, '\\') => {
                chars.next();
            }
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            // What follows the line is the document, up to a word that need not be looked for.
            (None, '\n') if document => break,
            (None, '<') if chars.next_if_eq(&'<').is_some() => {
                document = chars.next_if_eq(&'<').is_none();
            }
            (None, '>') => {
                while chars.next_if(|c| matches!(c, '>' | '|')).is_some() {}
                while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
                let target = word(&mut chars);
                if !target.is_empty() {
                    found.push(target);
                }
            }
            (Some(_) | None, _) => {}
        }
    }
    found
}

/// The next word; none where it is no name of a file.
fn word(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let (mut word, mut quote) = (String::new(), None);
    while let Some(c) = chars.peek().copied() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ' | '\t' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>') => break,
            // What the shell makes of it is not known here.
            (None | Some('"'), '$' | '`' | '*') => return String::new(),
            (Some(_) | None, _) => word.push(c),
        }
        chars.next();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn targets_are_found_and_what_only_looks_like_one_is_not() {
        for (line, wanted) in [
            ("echo x > a.py", vec!["a.py"]),
            ("echo x >>'my file' && ls >|b 2>&1", vec!["my file", "b"]),
            ("pytest 2> /dev/null >out.txt", vec!["/dev/null", "out.txt"]),
            ("cat > tests/t.py <<'END'\ndef f() -> int: ...\nEND\n", vec!["tests/t.py"]),
            ("cat <<END > t.py\na > b\nEND", vec!["t.py"]),
            ("cat <<< word > t.py\necho > u.py", vec!["t.py", "u.py"]),
            ("awk '$1 > 5' f; grep \"a > b\" f; echo \\> x", vec![]),
            ("diff <(ls) >(cat) > $TMPDIR/x", vec![]),
            ("python3 -c 'def f() -> int: pass' >&2", vec![]),
        ] {
            assert_eq!(targets(line), wanted, "{line}");
        }
    }
}
