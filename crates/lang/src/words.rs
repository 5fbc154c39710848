//! Lists of words that sources are compared with: names, node kinds, endings. One text, words apart by white space.

/// Words of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str);

impl Words {
    /// Whether a word is one of these.
    pub fn has(self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.split_ascii_whitespace()
    }

    /// The first of them for which this holds.
    pub fn find(self, holds: impl Fn(&str) -> bool) -> Option<&'static str> {
        self.iter().find(|word| holds(word))
    }

    /// Whether this holds for one of them.
    pub fn any(self, holds: impl Fn(&str) -> bool) -> bool {
        self.iter().any(holds)
    }
}
