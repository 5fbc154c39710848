//! The words of a change: what stands in the lines that it adds to production code and data, and not in the same files of
//! the base. Whether that means something is judged elsewhere.

use crate::branch::Branch;
use crate::extended::{constants, descriptions, extended, vocabulary};
use crate::vary::{length, words_in};
use proctor_core::observation::{Sort, Variation};
use proctor_lang::{Language, Zone, split_rust, syntax, zone};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(crate) struct Words {
    /// The files that changed, as the base has them, and the words of them.
    base: String,
    before: BTreeSet<String>,
    /// The constants that stand more often in head's code than in the base's, and the words of them.
    constants: BTreeSet<String>,
    new: BTreeSet<String>,
    /// Constants of some letters that the base does not have: a part of a word may be what is looked for.
    parts: Vec<String>,
    /// Those that the change also has as names of its own, such as an option that it reads, and those that it adds to a
    /// table of the base.
    named: BTreeSet<String>,
    /// The words of constants that the base's code has already, in small letters: a route, a key, a unit, a keyword that may
    /// be written either way.
    of_base: BTreeSet<String>,
    /// Whether a line of the change decides something.
    decides: bool,
}

/// Constants that every code has.
const USUAL: [&str; 4] = ["", "0", "1", "2"];

impl Words {
    pub(crate) fn of(branch: &Branch<'_>) -> Self {
        let (mut added, mut base) = (String::new(), String::new());
        let mut named: BTreeSet<String> = BTreeSet::new();
        let (mut decides, mut of_base) = (false, BTreeSet::new());
        let tests = said_by_tests(branch);
        let (mut whole, mut single) = (Balance::default(), Balance::default());
        for (path, lines) in branch.lines.iter().chain(branch.generated) {
            let Some(text) = branch.head.text(path) else { continue };
            let old = branch.base.text(path).unwrap_or_default();
            let (code, old_code) = (production(path, text), production(path, old));
            let mut own = String::new();
            for (line, _) in text.lines().zip(1_u32..).filter(|(_, n)| lines.contains(n)) {
                own.push_str(line);
                own.push('\n');
            }
            decides |= has_condition(path, text, lines);
            let before = constants(path, &old_code);
            let there = before.iter().flatten().cloned().collect();
            named.extend(extended(path, text, lines, &there).iter().map(|word| worth(word).into()));
            named.extend(vocabulary(path, text, lines, &|word| tests.contains(word)));
            let words = before.iter().flatten().flat_map(|constant| runs(constant));
            let is_word = |word: &&str| word.starts_with(char::is_alphabetic);
            of_base.extend(words.filter(is_word).map(str::to_lowercase));
            // What is not read as code is held by its text.
            let mut held = constants(path, &code).unwrap_or_else(|| vec![own.clone()]);
            let mut before = before.unwrap_or_else(|| vec![old.to_owned()]);
            if reads_descriptions(&own) {
                held.extend(descriptions(path, &code));
                before.extend(descriptions(path, &old_code));
            }
            for (all, step) in [(&held, 1), (&before, -1)] {
                for constant in all {
                    whole.count(&worth(constant), step);
                    runs(constant).for_each(|run| single.count(&worth(run), step));
                }
            }
            added.push_str(&own);
            base.push_str(old);
            base.push('\n');
        }
        let plain = added.lines().map(without_strings).collect::<Vec<_>>().join("\n");
        let is_name = |word: &&str| word.len() > 2 && word.starts_with(char::is_alphabetic);
        named.extend(runs(&plain).filter(is_name).map(str::to_owned));
        let constants = whole.more();
        let is_part = |c: &&String| {
            c.chars().count() > 2 && c.chars().all(char::is_alphabetic) && !named.contains(*c)
        };
        let parts = constants.iter().filter(is_part).filter(|c| !base.contains(c.as_str()));
        let parts = parts.cloned().collect();
        let before = runs(&base).map(str::to_owned).collect();
        Self { base, before, constants, new: single.more(), parts, named, of_base, decides }
    }

    /// Whether the change could tell one input from another: by a constant, or in a condition.
    pub(crate) fn chooses(&self) -> bool {
        self.decides || self.constants.iter().any(|c| !USUAL.contains(&c.as_str()))
    }

    /// Whether the change brings this word, as a whole word, or this number, however it is written.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let word = worth(word.trim_start_matches('-'));
        let word = word.as_ref();
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        let single = runs(word).count() < 2;
        // A part of a word may be what is looked for; a text is held whole, its words are asked for by themselves.
        let holds = self.new.contains(word)
            || (number && self.constants.contains(word))
            || (!single && self.repeats(word))
            || (single && self.parts.iter().any(|part| word.contains(part)));
        // A letter inside of a text says nothing about where it comes from.
        let letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        holds && (!letter || self.constants.contains(word)) && !self.is_named(word)
    }

    /// Whether the change brings a text that stands in this test and has a letter of it as a word: then that is no accident.
    pub(crate) fn has_part(&self, letter: &str, test: &str) -> bool {
        let is_letter = letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic);
        let holds = |text: &&String| {
            let data = length(text) > 1 && !is_option(text) && test.contains(*text);
            data && words_in(text).any(|word| word == letter)
        };
        is_letter && self.constants.iter().any(|text| holds(&text)) && !self.is_named(letter)
    }

    /// Whether the changed files had this word before.
    pub(crate) fn were_there(&self, word: &str) -> bool {
        self.before.contains(word)
    }

    /// Whether what is another with this variation is a name in the change, or stands in an input that is one; where all or a
    /// whole text is another, whether a part of it is. What the base's code holds is such a name too, and so is an option of a
    /// command.
    pub(crate) fn has_named(&self, variation: &Variation, inputs: &[String]) -> bool {
        let word = variation.was.as_str();
        let named = |input: &String| {
            input.contains(word) && (self.named.contains(input) || is_option(input))
        };
        let words =
            |input: &String| runs(input).any(|run| run.len() > 2 && self.named.contains(run));
        let of_base =
            |run: &str| run.chars().count() > 2 && self.of_base.contains(&run.to_lowercase());
        let mut own = runs(word).peekable();
        match word {
            "" => {
                inputs.iter().any(|input| named(input) || words(input) || runs(input).any(of_base))
            }
            word if self.is_named(word) || inputs.iter().any(named) => true,
            _ if variation.sort == Sort::Shape => own.any(of_base),
            _ => own.peek().is_some() && own.all(of_base),
        }
    }

    /// Whether the change brings this number.
    pub(crate) fn counts(&self, number: usize) -> bool {
        self.constants.contains(&number.to_string())
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
    pub(crate) fn repeats(&self, value: &str) -> bool {
        if value.trim().is_empty() || self.is_named(value) {
            return false;
        }
        if value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && value.parse::<f64>().is_ok()
        {
            return self.constants.contains(worth(value.trim_start_matches('-')).as_ref());
        }
        if self.constants.contains(value) && runs(value).next().is_some() {
            return true;
        }
        // What is only said about the code does not count.
        let held = || self.constants.iter().any(|constant| constant.contains(value));
        // A text of several parts stands there as one: `1.2.3`, `a=1`.
        if value.chars().count() > 2
            && runs_whole(value)
            && self.constants.iter().any(|c| stands_in(value, c))
            && !stands_in(value, &self.base)
        {
            return true;
        }
        let long = value.chars().count() > 5 && !self.base.contains(value) && held();
        long || self.names(value)
    }

    /// Whether the change brings an answer: whole, or a number as a part of any constant.
    pub(crate) fn has_answer(&self, value: &str) -> bool {
        self.repeats(value) || value.parse::<f64>().is_ok() && self.knows(value)
    }

    /// Whether the change brings a name, or a part of it that is no accident, as a whole string.
    pub(crate) fn names_part(&self, name: &str) -> bool {
        let part = |c: &&String| c.chars().count() > 4 && name.contains(c.as_str());
        self.names(name) || self.constants.iter().any(|constant| part(&constant))
    }

    /// Whether the change brings this text as a whole string.
    pub(crate) fn names(&self, value: &str) -> bool {
        ['"', '\'', '`'].iter().any(|quote| {
            let quoted = format!("{quote}{value}{quote}");
            let held = |constant: &String| constant == value || constant.contains(&quoted);
            !self.base.contains(&quoted) && self.constants.iter().any(held)
        })
    }
}

/// Whether a text has letters or digits on both sides of a sign.
fn runs_whole(value: &str) -> bool {
    let mut parts = value.split(|c: char| !c.is_alphanumeric());
    let ends = parts.next().is_some_and(|part| !part.is_empty());
    ends && parts.next_back().is_some_and(|part| !part.is_empty())
}

/// Whether a text stands in another as a whole, with nothing that belongs to it before and behind it.
fn stands_in(value: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '.';
    text.match_indices(value).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + value.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Whether code reads what is said about it: then that is a constant like others.
fn reads_descriptions(code: &str) -> bool {
    ["__doc__", "getdoc", "getcomments", "getsource"].iter().any(|word| code.contains(word))
}

/// The words of head's tests.
fn said_by_tests(branch: &Branch<'_>) -> BTreeSet<String> {
    let paths = branch.head.paths().into_iter().filter(|path| zone(path) == Zone::Test);
    let mixed = branch.lines.keys().map(String::as_str);
    let mut found = BTreeSet::new();
    for path in paths.chain(mixed) {
        let Some(text) = branch.head.text(path) else { continue };
        // Of a file with both, what its production part does not have.
        let code = production(path, text);
        let own = text.lines().filter(|line| {
            zone(path) == Zone::Test || matches!(code, Cow::Owned(_)) && !code.contains(line)
        });
        found.extend(own.flat_map(runs).map(str::to_owned));
    }
    found
}

/// Whether one of these lines decides something. What can't be read may do anything.
fn has_condition(path: &str, text: &str, lines: &BTreeSet<u32>) -> bool {
    let Some(tree) = Language::of(path).and_then(|language| language.parse(text)) else {
        return true;
    };
    let words = ["if", "elif", "match", "switch", "case", "while", "conditional", "ternary"];
    let says = |kind: &str| words.iter().any(|word| kind.split('_').any(|part| part == *word));
    let compares = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "&&", "||", "??"];
    let mut found = false;
    syntax::walk(tree.root_node(), &|_| true, &mut |node| {
        let decides = says(node.kind())
            || matches!(node.kind(), "comparison_operator" | "boolean_operator")
            || compares.contains(&syntax::field(node, "operator", text));
        found |= decides && lines.contains(&syntax::line(node));
    });
    found
}

/// `-m`, `--dry-run`.
fn is_option(input: &str) -> bool {
    let name = input.trim_start_matches('-');
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    name.len() < input.len() && name.starts_with(char::is_alphabetic) && name.chars().all(is_part)
}

/// Whether a word of a test is also a property that its code asks for: with another in the strings alone the question falls apart.
pub(crate) fn is_property(text: &str, word: &str) -> bool {
    let asked = format!(".{word}");
    let whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let in_line = |line: &str| {
        let plain = without_strings(line);
        plain
            .match_indices(&asked)
            .any(|(at, _)| whole(plain.get(at + asked.len()..).unwrap_or("")))
    };
    word.starts_with(char::is_alphabetic) && text.lines().any(in_line)
}

/// Whether code has a word as a name, and not only before the value of a key.
pub(crate) fn calls(code: &str, word: &str) -> bool {
    if !code.contains(word) {
        return false;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_name = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let (before, after) = (line.get(..at), line.get(at + word.len()..));
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let whole = !before.ends_with(is_part) && !after.starts_with(is_part);
            whole && !after.trim_start().starts_with(':')
        })
    };
    let lines = code.lines().filter(|line| line.contains(word) && !line.trim().starts_with('*'));
    lines.map(without_strings).any(|line| is_name(&line))
}

/// How much more often something stands in head than in the base.
#[derive(Default)]
struct Balance(BTreeMap<String, i64>);

impl Balance {
    fn count(&mut self, what: &str, step: i64) {
        *self.0.entry(what.to_owned()).or_default() += step;
    }

    fn more(self) -> BTreeSet<String> {
        self.0.into_iter().filter(|(_, count)| *count > 0).map(|(what, _)| what).collect()
    }
}

/// A source without the tests that stand in it: what those give and expect is not the change's.
fn production<'t>(path: &str, text: &'t str) -> Cow<'t, str> {
    let split = (Language::of(path) == Some(Language::Rust)).then(|| split_rust(text)).flatten();
    split.map_or(Cow::Borrowed(text), |split| Cow::Owned(split.production))
}

/// A number as it is worth: `20`, `20.0` and `2e1` are one. Digits that begin with a nought are a text.
fn worth(word: &str) -> Cow<'_, str> {
    let mut chars = word.chars();
    let is_text = chars.next() == Some('0') && chars.next().is_some_and(|c| c.is_ascii_digit());
    let begins = word.starts_with(|c: char| c.is_ascii_digit());
    match word.parse::<f64>() {
        Ok(x) if begins && !is_text && x.is_finite() && word.parse::<i128>().is_err() => {
            Cow::Owned(x.to_string())
        }
        _ => Cow::Borrowed(word),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_decides_is_seen_in_each_language() {
        let lines = BTreeSet::from([2]);
        let said = |path: &str, text: &str| has_condition(path, text, &lines);
        assert!(said("a.py", "def f(a):\n    return 1 if a else 2\n"));
        assert!(said("a.js", "function f(a) {\n  return a && 1;\n}\n"));
        assert!(said("a.go", "package a\nfunc f(a int) bool { return a < 3 }\n"));
        assert!(said("a.rs", "fn f(a: u8) -> bool {\n    a == 3\n}\n"));
        assert!(!said("a.ts", "function f(a: object) {\n  return { ...a };\n}\n"));
        assert!(!said("a.py", "def f(a, b):\n    return a + b\n"));
        assert!(said("a.sql", "select 1\n"), "nobody reads it");
    }

    #[test]
    fn a_number_is_known_by_what_it_is_worth() {
        assert_eq!(
            (worth("20.0"), worth("2e1"), worth("20")),
            ("20".into(), "20".into(), "20".into())
        );
        assert_eq!(
            (worth("1.50"), worth("007"), worth("inf")),
            ("1.5".into(), "007".into(), "inf".into())
        );
    }

    #[test]
    fn a_word_of_the_bases_code_is_a_name_in_small_letters_too() {
        let words = Words { of_base: BTreeSet::from(["between".to_owned()]), ..Words::default() };
        let of = |sort, was: &str| {
            let (was, now, given, pairs) = (was.to_owned(), String::new(), Vec::new(), Vec::new());
            let variation = Variation { sort, was, now, known: false, named: false, given, pairs };
            words.has_named(&variation, &[])
        };
        assert!(of(Sort::Word, "between") && of(Sort::Word, "BETWEEN"));
        assert!(!of(Sort::Word, "betwee") && !of(Sort::Word, "a, BETWEEN"));
        assert!(of(Sort::Shape, "a BETWEEN 3") && !of(Sort::Shape, "a 3"));
    }

    #[test]
    fn a_letter_is_known_as_a_part_of_a_text_that_the_test_has() {
        let constants = BTreeSet::from(["\\ufeffa=".to_owned(), "b".to_owned(), "c-".to_owned()]);
        let words = Words { constants, ..Words::default() };
        let test = "assert parse('\\ufeffa=b') == {'a': 'b'}";
        assert!(words.has_part("a", test));
        assert!(!words.has_part("b", test) && !words.has_part("c", test));
        assert!(!words.has_part("a", "assert parse('a=b')"));
        let words = Words { constants: BTreeSet::from(["-l".to_owned()]), ..Words::default() };
        assert!(!words.has_part("l", "main(['-l'])"));
    }

    #[test]
    fn an_option_of_a_command_is_a_name() {
        assert!(is_option("-m") && is_option("--dry-run"));
        assert!(!is_option("-5") && !is_option("-") && !is_option("a-b") && !is_option("- b"));
    }

    #[test]
    fn a_key_is_called_by_name_where_it_is_read() {
        let code = "/**\n * { wide: true, tall }\n */\nfunction f({ deep, far: [x] }, o) {\n  return o.near || 'odd';\n}\n";
        assert!(calls(code, "deep") && calls(code, "near"));
        assert!(!calls(code, "far") && !calls(code, "tall") && !calls(code, "odd"));
        assert!(!calls(code, "ea") && !calls(code, "wide"));
    }

    #[test]
    fn a_property_is_a_word_that_code_asks_for() {
        let text = "expect(result.isAdmin).toBe(false)\nlog('a.other')\n";
        assert!(is_property(text, "isAdmin"));
        assert!(!is_property(text, "isAdm") && !is_property(text, "other"));
    }
}
