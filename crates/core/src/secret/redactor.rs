//! Redaction: what stands in the place of a secret, in a text and in a stream that comes in pieces. Owns the values
//! that are known to be secret, so its `Debug` must not show them.

use super::search::{LONGEST, Place, places};
use super::{Finding, breaks};
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A value that is shorter says nothing, and would be found everywhere.
const SHORTEST: usize = 6;
/// A longer value is looked for by its beginning: nobody has half of a secret to give away.
const LONGEST_VALUE: usize = 4 * 1024;

/// A value that is known to be secret, and what it is called.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    pub name: String,
    pub value: Vec<u8>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Known({})", self.name)
    }
}

/// Redacts by the rules, and by values that are known.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Option<Arc<KnownValues>>,
    /// What looks like a secret and was said to be none.
    lawful: BTreeSet<Vec<u8>>,
}

struct KnownValues {
    automaton: AhoCorasick,
    shown: Vec<String>,
    several_lines: Vec<Vec<u8>>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    /// Also redacts these values, as they are, as JSON writes them and in base64.
    pub fn knowing(values: &[Known]) -> Self {
        let mut forms: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        for Known { name, value } in values.iter().filter(|known| known.value.len() >= SHORTEST) {
            let value = value.get(..LONGEST_VALUE).unwrap_or(value);
            for form in forms_of(value) {
                forms.entry(form).or_insert_with(|| format!("value of {name}"));
            }
        }
        if forms.is_empty() {
            return Self::default();
        }
        let automaton =
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(forms.keys());
        let several_lines = forms.keys().filter(|form| form.contains(&b'\n')).cloned().collect();
        // Only too many or too long values can't be built, and both are bounded.
        let known = automaton.ok().map(|automaton| {
            Arc::new(KnownValues { automaton, shown: forms.into_values().collect(), several_lines })
        });
        Self { known, lawful: BTreeSet::new() }
    }

    /// Leaves alone what looks like a secret in this text, and only by its look.
    #[must_use]
    pub fn allowing(mut self, text: &[u8]) -> Self {
        let values = places(text).into_iter().filter_map(|(range, _)| text.get(range));
        self.lawful.extend(values.map(<[u8]>::to_vec));
        self
    }

    /// The same text without what it holds of secrets.
    pub fn text(&self, text: &str) -> String {
        let found = self.places(text.as_bytes());
        if found.is_empty() {
            return text.to_owned();
        }
        String::from_utf8_lossy(&redacted(text.as_bytes(), 0..text.len(), &found)).into_owned()
    }

    /// What would be redacted, and where.
    pub fn findings(&self, text: &[u8]) -> Vec<(u32, String)> {
        let (mut line, mut counted) = (1, 0);
        let mut found = Vec::new();
        for place in self.places(text) {
            line += breaks(text.get(counted..place.start).unwrap_or_default());
            counted = place.start;
            found.push((line, place.shown));
        }
        found
    }

    /// As [`super::scan`], without what is lawful.
    pub fn scan(&self, text: &[u8]) -> Vec<Finding> {
        let lawful = |(range, _): &Place| {
            text.get(range.clone()).is_some_and(|value| self.lawful.contains(value))
        };
        let (mut line, mut counted) = (1, 0);
        let mut findings = BTreeSet::new();
        for (range, rule) in places(text).into_iter().filter(|place| !lawful(place)) {
            line += breaks(text.get(counted..range.start).unwrap_or_default());
            counted = range.start;
            findings.insert(Finding { line, rule });
        }
        findings.into_iter().collect()
    }

    /// A stream that is redacted while it comes.
    pub fn stream(&self) -> Redacting {
        Redacting { redactor: self.clone(), held: Vec::new(), from: 0, hidden: 0 }
    }

    fn places(&self, text: &[u8]) -> Vec<Span> {
        let mut found: Vec<Span> = places(text)
            .into_iter()
            .filter(|(range, _)| {
                self.lawful.is_empty()
                    || !text.get(range.clone()).is_some_and(|value| self.lawful.contains(value))
            })
            .map(|(range, rule)| Span {
                start: range.start,
                end: range.end,
                shown: rule.to_owned(),
            })
            .collect();
        if let Some(known) = &self.known {
            let values = known.automaton.find_iter(text).map(|hit| {
                let shown = known.shown.get(hit.pattern().as_usize());
                Span {
                    start: hit.start(),
                    end: hit.end(),
                    shown: shown.cloned().unwrap_or_default(),
                }
            });
            found.extend(values);
            found.sort_by_key(|span| span.start);
            found = merged(found);
        }
        found
    }
}

/// A place that is redacted, with what stands there instead.
struct Span {
    start: usize,
    end: usize,
    shown: String,
}

fn merged(spans: Vec<Span>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(before) if span.start < before.end => {
                // A name that is known says more than a rule.
                if span.shown.starts_with("value of ") {
                    before.shown = span.shown;
                }
                before.end = before.end.max(span.end);
            }
            Some(_) | None => out.push(span),
        }
    }
    out
}

fn redacted(text: &[u8], part: std::ops::Range<usize>, spans: &[Span]) -> Vec<u8> {
    let mut out = Vec::with_capacity(part.len());
    let mut end = part.start;
    for span in spans.iter().filter(|span| span.start >= part.start && span.start < part.end) {
        out.extend_from_slice(text.get(end..span.start).unwrap_or_default());
        out.extend_from_slice(format!("[redacted: {}]", span.shown).as_bytes());
        end = span.end;
    }
    out.extend_from_slice(text.get(end..part.end).unwrap_or_default());
    out
}

/// How a value may be written.
fn forms_of(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![value.to_vec()];
    if let Ok(text) = std::str::from_utf8(value)
        && let Ok(json) = serde_json::to_string(text)
    {
        let inner = json.get(1..json.len() - 1).unwrap_or_default().as_bytes().to_vec();
        if inner != value {
            forms.push(inner);
        }
    }
    forms.push(base64(value));
    forms
}

/// Base64 without the last few characters, which depend on what follows.
fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(bytes.len() * 4 / 3);
    for chunk in bytes.chunks_exact(3) {
        let number = chunk.iter().fold(0usize, |all, byte| (all << 8) | usize::from(*byte));
        out.extend([18, 12, 6, 0].map(|shift| LETTERS[(number >> shift) & 63]));
    }
    out
}

/// What a stream may hold back of a line that does not end, before it is passed on in parts.
const MOST_HELD: usize = 4 * LONGEST;
/// What rules look at before a place.
const LOOK_BACK: usize = 512;

/// A stream in the middle of being redacted. It passes on whole lines, and holds back what may be the beginning of a
/// secret: never more than a few dozen kilobytes.
#[derive(Debug)]
pub struct Redacting {
    redactor: Redactor,
    held: Vec<u8>,
    /// What lies before was passed on, and is kept for rules that look back.
    from: usize,
    hidden: usize,
}

/// The end of a stream.
#[derive(Debug)]
pub struct Redacted {
    /// What was still held back.
    pub rest: Vec<u8>,
    /// How many secrets were hidden in all of it.
    pub hidden: usize,
}

impl Redacting {
    /// Takes the next piece, and gives what is settled.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        // A piece of any size is taken in bites, so that memory stays bounded.
        for bite in piece.chunks(MOST_HELD) {
            self.held.extend_from_slice(bite);
            let end = self.settled();
            if end > self.from {
                out.extend(self.pass_on(end));
            }
        }
        out
    }

    /// What is left when the stream ends.
    pub fn finish(mut self) -> Redacted {
        let end = self.held.len();
        let rest = self.pass_on(end);
        Redacted { rest, hidden: self.hidden }
    }

    /// Up to where nothing that comes later can change what is redacted, by its lines.
    fn settled(&self) -> usize {
        let fresh = self.held.get(self.from..).unwrap_or_default();
        let line = fresh.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let forced = fresh.len().saturating_sub(LONGEST);
        let open = |at: usize| fresh.len() - at < LONGEST;
        let mut end = if fresh.len() > MOST_HELD { line.max(forced) } else { line };
        // A key block that began and has not ended goes on in the next lines.
        if let Some(block) = last(fresh, b"-----BEGIN ")
            && open(block)
            && last(fresh, b"-----END ").is_none_or(|close| close < block)
        {
            end = end.min(block);
        }
        for value in self.redactor.known.iter().flat_map(|known| &known.several_lines) {
            let most = (value.len() - 1).min(fresh.len());
            let begun =
                (1..=most).rev().find(|n| fresh.ends_with(value.get(..*n).unwrap_or(value)));
            end = end.min(fresh.len() - begun.unwrap_or(0));
        }
        self.from + end
    }

    fn pass_on(&mut self, end: usize) -> Vec<u8> {
        let spans = self.redactor.places(&self.held);
        let across = spans.iter().find(|span| span.start < end && end < span.end);
        let end = across.map_or(end, |span| span.start.max(self.from));
        let out = redacted(&self.held, self.from..end, &spans);
        let here = |span: &&Span| span.start >= self.from && span.start < end;
        self.hidden += spans.iter().filter(here).count();
        let keep = end.saturating_sub(LOOK_BACK);
        self.held.drain(..keep);
        self.from = end - keep;
        out
    }
}

fn last(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).rposition(|window| window == part)
}
