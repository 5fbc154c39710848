//! Text from outside (agents, test tools, file names) made fit for a terminal: nothing in it can move the
//! cursor, change colours or turn the direction of writing.

use std::fmt::Write;

/// The same text with control and direction characters written out. New lines and tabs stay.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let plain = c == '\n' || c == '\t' || !(c.is_control() || turns_direction(c));
        if plain {
            out.push(c);
        } else {
            // Writing into a string can't fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
    out
}

/// As `harmless`, without what XML can't hold in any way.
pub fn fit_for_xml(text: &str) -> String {
    harmless(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// As `harmless`, on one line.
pub fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As `one_line`, cut to a number of characters.
pub fn short(text: &str, most: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_direction_marks_are_written_out() {
        let text = "a\u{1b}[31mred\u{1b}[0m\r\u{202e}end\u{9b}2J\ttab\nline";
        assert_eq!(
            harmless(text),
            "a\\u{1b}[31mred\\u{1b}[0m\\u{d}\\u{202e}end\\u{9b}2J\ttab\nline"
        );
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(short("äöü äöü", 4), "äöü…");
        assert_eq!(short("a\n b", 10), "a b");
    }
}
