//! The words of a change: what stands in the lines that it adds to production code and data, and not in the same files of
//! the base. Whether that means something is judged elsewhere.

use super::scene::Scene;
use proctor_experiments::extended;
use std::collections::BTreeSet;

pub(super) struct Words {
    /// All added lines.
    added: String,
    /// The files that changed, as the base has them.
    base: String,
    new: BTreeSet<String>,
    /// Those that the change also has as names of its own, such as an option that it reads, and those that it adds to a
    /// table of the base.
    named: BTreeSet<String>,
}

impl Words {
    pub(super) fn of(scene: &Scene) -> Self {
        let (mut added, mut base) = (String::new(), String::new());
        let mut named: BTreeSet<String> = BTreeSet::new();
        for (path, lines) in scene.all_lines() {
            let Some(text) = scene.head.text(path) else { continue };
            for (line, _) in text.lines().zip(1_u32..).filter(|(_, n)| lines.contains(n)) {
                added.push_str(line);
                added.push('\n');
            }
            named.extend(extended(path, text, lines));
            base.push_str(scene.base.text(path).unwrap_or_default());
            base.push('\n');
        }
        let old: BTreeSet<&str> = runs(&base).collect();
        let new = runs(&added).filter(|word| !old.contains(word)).map(str::to_owned).collect();
        let plain = added.lines().map(without_strings).collect::<Vec<_>>().join("\n");
        named.extend(runs(&plain).filter(|word| word.len() > 2).map(str::to_owned));
        Self { added, base, new, named }
    }

    /// Whether the change brings this word, as a whole word.
    pub(super) fn knows(&self, word: &str) -> bool {
        let holds = self.new.contains(word) || (runs(word).count() > 1 && self.repeats(word));
        // A single letter says nothing about where it comes from.
        let letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        holds && !letter && !self.is_named(word)
    }

    /// Whether all words of a text are names in the change's own code.
    fn is_named(&self, text: &str) -> bool {
        if self.named.contains(text) {
            return true;
        }
        let mut words = runs(text).filter(|run| run.len() > 1).peekable();
        words.peek().is_some() && words.all(|word| self.named.contains(word))
    }

    /// Whether the change brings this value as a constant: a string between quotes, a number by itself.
    pub(super) fn repeats(&self, value: &str) -> bool {
        if value.trim().is_empty() || self.is_named(value) {
            return false;
        }
        if value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && value.parse::<f64>().is_ok()
        {
            return self.new.contains(value.trim_start_matches('-'));
        }
        let long =
            value.chars().count() > 5 && self.added.contains(value) && !self.base.contains(value);
        long || self.names(value)
    }

    /// Whether the change brings this text as a whole string.
    pub(super) fn names(&self, value: &str) -> bool {
        ['"', '\'', '`'].iter().any(|quote| {
            let quoted = format!("{quote}{value}{quote}");
            self.added.contains(&quoted) && !self.base.contains(&quoted)
        })
    }
}

/// A line of code without what stands between quotes or behind the sign of a comment.
fn without_strings(line: &str) -> String {
    let mut kept = String::new();
    let mut inside = None;
    let mut before = ' ';
    for c in line.chars() {
        match inside {
            Some(quote) if c == quote && before != '\\' => inside = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => inside = Some(c),
            None if c == '#' || (c == '/' && before == '/') => break,
            None => kept.push(c),
        }
        before = c;
    }
    kept
}

/// Runs of letters, and numbers.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit() || c.is_alphabetic())?;
        let from = rest.get(start..)?;
        let digits = from.starts_with(|c: char| c.is_ascii_digit());
        let inside = |c: char| {
            if digits { c.is_ascii_digit() || c == '.' } else { c.is_alphabetic() }
        };
        let end = from.find(|c| !inside(c)).unwrap_or(from.len());
        let (run, after) = from.split_at(end);
        rest = after;
        Some(run.trim_end_matches('.'))
    })
}
