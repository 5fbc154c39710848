//! Characters that a reader does not see, or that show a line in another order than it runs. Knows no language.

use std::collections::BTreeSet;

/// The hidden characters of these lines: the line, and what is there.
pub fn hidden(source: &str, lines: &BTreeSet<u32>) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for (number, line) in (1_u32..).zip(source.split('\n')) {
        if !lines.contains(&number) {
            continue;
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut names: Vec<String> = Vec::new();
        let chars: Vec<char> = line.chars().collect();
        for (at, c) in chars.iter().enumerate() {
            let around = Around {
                before: at.checked_sub(1).and_then(|i| chars.get(i)).copied(),
                after: chars.get(at + 1).copied(),
                first: number == 1 && at == 0,
            };
            if let Some(what) = name(*c, around, &chars) {
                let name = format!("U+{:04X} {what}", u32::from(*c));
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if !names.is_empty() {
            found.push((number, format!("hidden characters: {}", names.join(", "))));
        }
    }
    found
}

#[derive(Clone, Copy)]
struct Around {
    before: Option<char>,
    after: Option<char>,
    /// The first character of the file.
    first: bool,
}

fn name(c: char, around: Around, line: &[char]) -> Option<&'static str> {
    let what = match u32::from(c) {
        0x202A..=0x202E | 0x2066..=0x2069 => "a control of the reading direction",
        // Marks of direction are part of such a script.
        0x200E | 0x200F | 0x061C if !line.iter().any(|c| is_right_to_left(*c)) => {
            "a mark of the reading direction"
        }
        0x200B | 0x2060..=0x2064 | 0x180E | 0x206A..=0x206F => "a character without width",
        0xFEFF if !around.first => "a character without width",
        // Emoji and some scripts are joined by these.
        0x200C | 0x200D if !joins(around) => "a joiner without width",
        0xE0000..=0xE007F if !is_flag(line) => "a tag character",
        0x115F | 0x1160 | 0x3164 | 0xFFA0 => "a letter that shows nothing",
        0x2028 | 0x2029 => "a line separator",
        0xE0100..=0xE01EF if !around.before.is_some_and(is_ideograph) => "a variation selector",
        0xFE00..=0xFE0F if !follows_a_picture(around) => "a variation selector",
        // A return in the middle of a line lets a terminal write over its start.
        0x0D | 0x00..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F..=0x9F => "a control character",
        _ => return None,
    };
    Some(what)
}

fn joins(around: Around) -> bool {
    let plain = |c: Option<char>| c.is_none_or(|c| c.is_ascii());
    !plain(around.before) && !plain(around.after)
        || around.before.is_some_and(|c| c.is_alphabetic() && !c.is_ascii())
}

fn follows_a_picture(around: Around) -> bool {
    around.before.is_some_and(|c| {
        let keycap = c.is_ascii_digit() || c == '#' || c == '*';
        (keycap && around.after == Some('\u{20E3}')) || (!c.is_ascii() && !is_selector(c))
    })
}

fn is_selector(c: char) -> bool {
    matches!(u32::from(c), 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// The flags of England, Scotland and Wales are spelled with tag characters.
fn is_flag(line: &[char]) -> bool {
    line.contains(&'\u{1F3F4}')
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_right_to_left(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF if c.is_alphabetic())
        || matches!(u32::from(c), 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_line(text: &str) -> bool {
        !hidden(text, &BTreeSet::from([1])).is_empty()
    }

    #[test]
    fn what_a_reader_does_not_see_is_named() {
        for text in [
            "if access != \"user\u{202E} \u{2066}// check\u{2069}\": pass",
            "x\u{200B}y = 1",
            "a\u{200D}b = 1",
            "name\u{3164} = 1",
            "x = 'a\u{E0061}'",
            "x = 1 # \u{2069}",
            "a = 1\rb = 2",
            "a\u{FE01} = 2",
            "x = 1 \u{8}\u{8}",
        ] {
            assert!(in_line(text), "{text:?}");
        }
    }

    #[test]
    fn emoji_and_other_scripts_are_no_secret() {
        for text in [
            "\u{FEFF}import os",
            "x = '👩\u{200D}💻'",
            "x = '☂\u{FE0F}'",
            "x = '1\u{FE0F}\u{20E3}'",
            "x = 'می\u{200C}خواهم'",
            "x = 'שלום\u{200F}!'",
            "x = '🏴\u{E0067}\u{E0062}\u{E007F}'",
            "x = 'naïve 日本語 Straße'\r",
            "\tx = 1",
        ] {
            assert!(!in_line(text), "{text:?}");
        }
    }

    #[test]
    fn only_the_given_lines_are_looked_at() {
        assert!(hidden("a\u{200B}\nb", &BTreeSet::from([2])).is_empty());
    }
}
