//! Texts that tests read: the same text with other words and numbers. Punctuation and structure stay: names of keys, tags and
//! sections, and words that somebody has to know.

use super::other;

/// A text with other words or numbers, way by way; none where it has nothing to vary. `keeps` says which words stay.
pub fn other_text(text: &str, way: usize, keeps: &dyn Fn(&str) -> bool) -> Option<String> {
    let line =
        |line: &str| if is_header(line) { line.to_owned() } else { varied(line, way, keeps) };
    let new: String = text.split_inclusive('\n').map(line).collect();
    // A text of one kind alone has that varied in every way.
    let again = |line: &str| {
        if is_header(line) { line.to_owned() } else { varied(line, usize::from(way == 0), keeps) }
    };
    let new = if new == text { text.split_inclusive('\n').map(again).collect() } else { new };
    (new != text).then_some(new)
}

/// `[section]`, `---`, `<?xml … ?>`, `<!DOCTYPE html>`.
fn is_header(line: &str) -> bool {
    let line = line.trim();
    let section = line.starts_with('[') && line.ends_with(']') && !line.contains(',');
    section || line.starts_with("<?") || line.starts_with("<!") || line.starts_with("#!")
}

fn varied(line: &str, way: usize, keeps: &dyn Fn(&str) -> bool) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = is_word(first);
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(if word { end } else { first.len_utf8() });
        let word = word && !is_structure(&out, run, after) && !keeps(run);
        let fits = run.chars().any(|c| c.is_ascii_digit()) == (way == 0);
        if word && fits {
            out.push_str(&other::shape(run, way.saturating_sub(1)));
        } else {
            out.push_str(run);
        }
        rest = after;
    }
    out
}

/// Whether a word is a part of how a text is written: a key, a tag, an entity, an escape, a variable.
fn is_structure(before: &str, word: &str, after: &str) -> bool {
    let plain = word.starts_with(char::is_alphabetic);
    let behind = after.trim_start_matches([' ', '"', '\'']);
    let key =
        plain && (behind.starts_with('=') || behind.starts_with(": ") || behind.trim() == ":");
    let first = before.trim_start_matches([' ', '-', '*', '#', '"', '\'', '\t']);
    // A sentence may have a colon too: a key begins its line or stands in a tag.
    let begins = first.is_empty() || in_tag(before) || behind.starts_with('=');
    let marked = before.ends_with(['<', '\\', '$', '@', '&', '%']) || before.ends_with("</");
    key && begins || marked
}

fn in_tag(before: &str) -> bool {
    before.rfind('<').is_some_and(|at| !before.get(at..).unwrap_or_default().contains('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, way: usize) -> String {
        other_text(text, way, &|word| word == "true").unwrap()
    }

    #[test]
    fn words_and_numbers_of_a_text_become_others_and_its_structure_stays() {
        let text = "Invoice 4711\n\n- desk; 129.00\n";
        assert_eq!(of(text, 0), "Invoice 5822\n\n- desk; 230.01\n");
        let made = of(text, 1);
        assert!(made.contains(" 4711\n\n- ") && made.ends_with("; 129.00\n"), "{made}");
        assert!(!made.contains("Invoice") && !made.contains("desk"), "{made}");
        assert_ne!(of(text, 2), made);
    }

    #[test]
    fn keys_tags_sections_and_known_words_stay() {
        let made = of("<p class=\"wide\">Thanks <b>much</b> &amp; more</p>\n", 1);
        assert!(made.starts_with("<p class=\"") && made.contains(" <b>"), "{made}");
        assert!(made.contains("</b> &amp; ") && made.ends_with("</p>\n"), "{made}");
        assert!(!made.contains("wide") && !made.contains("Thanks"), "{made}");
        let made = of("[owner]\nname = \"tom\"\nopen: true\n", 1);
        assert!(made.starts_with("[owner]\nname = \"") && made.ends_with("open: true\n"), "{made}");
        assert!(!made.contains("tom"), "{made}");
        assert_eq!(other_text("--- ...\n", 0, &|_| false), None);
    }
}
