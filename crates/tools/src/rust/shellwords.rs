//! A command line as cargo shows it with `-vv`: words of a POSIX shell between back quotes. Only takes it apart.

/// The words of each command that cargo said it runs, in order.
pub(crate) fn running(stderr: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = stderr.get(at..).and_then(|rest| rest.find("Running `")) {
        let start = at + next;
        let line = stderr.get(..start).and_then(|before| before.rsplit('\n').next());
        let begin = start + "Running `".len();
        at = begin;
        // Anything but white space before it: a message that quotes such a line.
        if line.is_some_and(|l| !l.trim().is_empty()) {
            continue;
        }
        if let Some((words, length)) = words(stderr.get(begin..).unwrap_or("")) {
            found.push(words);
            at = begin + length;
        }
    }
    found
}

/// The words up to the closing back quote, and how many bytes they took; none when it never closes.
fn words(text: &str) -> Option<(Vec<String>, usize)> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' => {
                words.extend(word);
                return Some((words, at + 1));
            }
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()?.1 {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?.1),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_come_back_as_they_were() {
        let said = "   Doc-tests a\n     Running `A='' B='x y\nRunning `no`' C='it'\\''s `ok`' /bin/true --cfg 'a(\"b\")'`\nnote: Running `x`\n  Running `z\n";
        assert_eq!(
            running(said),
            vec![vec![
                "A=",
                "B=x y\nRunning `no`",
                "C=it's `ok`",
                "/bin/true",
                "--cfg",
                "a(\"b\")"
            ]]
        );
    }
}
