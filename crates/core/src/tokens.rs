//! Tokens: a local estimate of how much a model will have to read, made before anything is sent. It owns the
//! estimate and nothing else; it must not stand in for what an agent reports afterwards.
//!
//! Why no real tokenizer: the tables of the lightest one (`bpe-openai` 0.3) add 12 packages, half a minute of build
//! and 70 MB to a debug binary, and are still only one vendor's. A limit needs a number that is never far below the
//! truth, not an exact one. The rules below cut a text roughly where byte-pair tokenizers do and lean to the high
//! side: for prose, code, logs, hashes and CJK they give 1.0 to 1.7 times the count of `cl100k_base`; newer
//! vocabularies need fewer tokens for other scripts, so there the estimate is higher still. Tests hold recorded counts.

/// Letters of a word that one token usually holds.
const WORD: u64 = 6;
/// Letters in each further token of a long word.
const REST: u64 = 4;
/// Digits that one token holds.
const DIGITS: u64 = 3;

/// From this length on, letters and digits without a break are taken for a key, a hash or an encoded file.
const DENSE: u64 = 16;

/// What kind of run a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Space,
    Mark,
    /// Letters of Latin, Greek and Cyrillic alphabets beyond ASCII.
    Letter,
    /// Anything else in the basic plane: most of it stands for a syllable or a word.
    Sign,
    /// Emoji and rare signs.
    Rare,
}

/// Estimates the tokens of a text: not exact, and rather too high than too low.
pub fn count_tokens(text: &str) -> u64 {
    let mut total = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_alike: fn(char) -> bool = if c.is_ascii_alphanumeric() {
            |c| c.is_ascii_alphanumeric()
        } else {
            |c| !c.is_ascii_alphanumeric()
        };
        let (stretch, after) = rest.split_at(rest.find(|c| !is_alike(c)).unwrap_or(rest.len()));
        total += stretch_cost(stretch);
        rest = after;
    }
    total
}

/// The cost of letters and digits without a break, or of what stands between two of these.
fn stretch_cost(stretch: &str) -> u64 {
    let mut total = 0;
    let mut run: Option<(Kind, u64)> = None;
    let (mut length, mut digits) = (0, 0);
    for c in stretch.chars() {
        let kind = kind(c);
        length += 1;
        digits += u64::from(kind == Kind::Digit);
        run = match run {
            Some((last, length)) if last == kind => Some((kind, length + 1)),
            // A word may begin with a capital.
            Some((Kind::Upper, length)) if kind == Kind::Lower => {
                total += cost(Kind::Upper, length - 1);
                Some((Kind::Lower, 2))
            }
            Some((last, length)) => {
                total += cost(last, length);
                Some((kind, 1))
            }
            None => Some((kind, 1)),
        };
    }
    total += run.map_or(0, |(kind, length)| cost(kind, length));
    if length >= DENSE && digits > 0 && digits < length { total.max(length * 3 / 4) } else { total }
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        c if c.is_whitespace() => Kind::Space,
        c if c.is_ascii() => Kind::Mark,
        '\u{80}'..='\u{58f}' => Kind::Letter,
        '\u{590}'..='\u{1fff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => Kind::Sign,
        _ => Kind::Rare,
    }
}

/// What a run of one kind costs.
fn cost(kind: Kind, length: u64) -> u64 {
    match kind {
        Kind::Lower => 1 + length.saturating_sub(WORD).div_ceil(REST),
        Kind::Upper | Kind::Mark | Kind::Letter => length.div_ceil(2),
        Kind::Digit => length.div_ceil(DIGITS),
        // One blank belongs to the word after it.
        Kind::Space => u64::from(length > 1),
        Kind::Sign => length + length.div_ceil(4),
        Kind::Rare => length * 3,
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
