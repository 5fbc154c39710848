//! One replacement in a source text. Mutants and copies of tests are made of these. Knows no language.

/// A replacement of the bytes `from..to` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The line where it begins, from one.
    pub line: u32,
    pub from: usize,
    pub to: usize,
    pub text: String,
    /// For people: "`<` becomes `<=`".
    pub what: String,
}

impl Edit {
    /// The source with these replacements. One that overlaps another before it is left out.
    pub fn applied(source: &str, edits: &[Self]) -> String {
        let mut sorted: Vec<&Self> = edits.iter().collect();
        sorted.sort_by_key(|edit| (edit.from, edit.to));
        let mut text = String::with_capacity(source.len());
        let mut at = 0;
        for edit in sorted {
            let (Some(kept), true) = (source.get(at..edit.from), edit.to <= source.len()) else {
                continue;
            };
            text.push_str(kept);
            text.push_str(&edit.text);
            at = edit.to;
        }
        text.push_str(source.get(at..).unwrap_or_default());
        text
    }

    /// The source with this replacement alone.
    pub fn apply(&self, source: &str) -> String {
        Self::applied(source, std::slice::from_ref(self))
    }

    /// The lines that differ, as a diff: `-old` and `+new`, with the place above them.
    pub fn diff(&self, file: &str, source: &str) -> String {
        let start = source.get(..self.from).and_then(|s| s.rfind('\n')).map_or(0, |n| n + 1);
        let end =
            source.get(self.to..).and_then(|s| s.find('\n')).map_or(source.len(), |n| self.to + n);
        let old = source.get(start..end).unwrap_or_default();
        let before = source.get(start..self.from).unwrap_or_default();
        let after = source.get(self.to..end).unwrap_or_default();
        let new = format!("{before}{}{after}", self.text);
        let mut diff = format!("{file}:{}\n", self.line);
        for line in old.lines() {
            diff.extend(["-", line, "\n"]);
        }
        for line in new.lines() {
            diff.extend(["+", line, "\n"]);
        }
        diff
    }
}

/// A replacement in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub file: String,
    pub edit: Edit,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(from: usize, to: usize, text: &str) -> Edit {
        Edit { line: 1, from, to, text: text.to_owned(), what: String::new() }
    }

    #[test]
    fn replacements_are_made_from_the_front_and_overlaps_are_left_out() {
        let edits = [edit(4, 5, "-"), edit(0, 1, "x"), edit(4, 6, "?")];
        assert_eq!(Edit::applied("a = b + c", &edits), "x = - + c");
        assert_eq!(edit(2, 3, "!=").apply("a = b"), "a != b");
    }

    #[test]
    fn a_diff_shows_whole_lines() {
        let source = "def f(a):\n    return a + 1\n";
        let plus = source.find('+').unwrap();
        let edit = Edit { line: 2, ..edit(plus, plus + 1, "-") };
        assert_eq!(edit.diff("a.py", source), "a.py:2\n-    return a + 1\n+    return a - 1\n");
    }
}
