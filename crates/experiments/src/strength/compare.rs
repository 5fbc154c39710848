//! What the later text of a test asks less than the earlier one. Pairs assertions: by what they are about first, then
//! by the name that they are mainly about, and last by moves to other places. An honest rewrite finds a pair.

use super::around::Guard;
use super::force::{Force, Message, is_anything};
use super::model::{Check, Echo, Test};
use super::tokens::{
    Kind, Token, core, count, holds, is_common, is_literal, principal, shown, split,
};

/// The later text, its whole file and the earlier file, in tokens.
pub(super) struct Files {
    pub(super) before: Vec<Token>,
    pub(super) after: Vec<Token>,
}

pub(super) fn compare(old: &Test, new: &Test, files: &Files) -> Vec<String> {
    let mut told = Vec::new();
    for mark in new.marks.difference(&old.marks) {
        told.push(format!("it is now marked `{mark}`"));
    }
    for name in new.patches.difference(&old.patches) {
        let asked = old
            .checks
            .iter()
            .find(|c| principal(&c.claim.0) == Some(name) || holds_call(&c.claim.0, name));
        if let Some(check) = asked {
            told.push(format!(
                "`{name}`, which `{}` is about, is now replaced by a stand-in",
                check.text
            ));
        }
    }
    let pairs = Pairs::of(old, new, files);
    told.extend(pairs.told);
    told.extend(fewer_cases(old, new, files));
    if old.bounds.len() == new.bounds.len() {
        for (was, is) in old.bounds.iter().zip(&new.bounds) {
            if is < was {
                told.push(format!("a loop now ends at {is}, before at {was}"));
            }
        }
    }
    let mut seen = Vec::new();
    told.retain(|t| {
        let new = !seen.contains(t);
        seen.push(t.clone());
        new
    });
    told
}

fn holds_call(subject: &[Token], name: &str) -> bool {
    subject.windows(2).any(|w| w[0].kind == Kind::Name && w[0].text == name && w[1].is("("))
}

struct Pairs<'a> {
    new: Vec<&'a Check>,
    /// How many earlier assertions each later one may still stand for.
    room: Vec<usize>,
    told: Vec<String>,
}

impl<'a> Pairs<'a> {
    fn of(old: &'a Test, new: &'a Test, files: &Files) -> Self {
        let live: Vec<&Check> = new.checks.iter().filter(|c| !is_hollow(c)).collect();
        let room = live.iter().map(|c| c.rows.count().max(1)).collect();
        let mut pairs = Self { new: live, room, told: Vec::new() };
        let mut left: Vec<&Check> = old.checks.iter().filter(|c| !is_hollow(c)).collect();
        left.sort_by_key(|c| std::cmp::Reverse(c.claim.1.rank()));
        left.retain(|c| !pairs.same_subject(c));
        left.retain(|c| !pairs.covered(c));
        left.retain(|c| !pairs.in_parts(c));
        left.retain(|c| !pairs.hollowed(c, new));
        left.retain(|c| !is_moved(c, files));
        left.retain(|c| !pairs.same_name(c));
        left.retain(|c| !pairs.same_value(c));
        let helped = new.elsewhere.difference(&old.elsewhere).next().is_some();
        for check in left {
            if helped || pairs.renamed(check, files) {
                continue;
            }
            pairs.told.push(format!("the assertion `{}` is gone", check.text));
        }
        pairs
    }

    /// A later assertion stands for an earlier one.
    fn take(&mut self, at: usize, old: &Check) {
        // One of several branches is not made each time.
        if old.guard == Guard::None {
            let rows = old.rows.count().min(self.room[at]).max(1);
            self.room[at] = self.room[at].saturating_sub(rows);
        }
    }

    /// It does, and it must not be harder to reach.
    fn take_as_reached(&mut self, at: usize, old: &Check) {
        let new = self.new[at];
        if old.guard == Guard::None && new.guard != Guard::None {
            self.told.push(format!("`{}` is now {}", new.text, new.guard.told()));
        }
        self.take(at, old);
    }

    /// Of the later assertions with room that `fits`, the first that asks for as much, else the one that asks for most:
    /// then that is told.
    fn pair(&mut self, old: &Check, fits: impl Fn(&Check) -> bool) -> bool {
        let open: Vec<usize> =
            (0..self.new.len()).filter(|i| self.room[*i] > 0 && fits(self.new[*i])).collect();
        let as_much = |i: &&usize| self.new[**i].claim.1.less_than(&old.claim.1).is_none();
        let free = |i: &&usize| self.new[**i].guard == Guard::None;
        let best = open.iter().filter(as_much).find(free).or_else(|| open.iter().find(as_much));
        if let Some(at) = best.copied() {
            if let Some(same) = calls_itself(self.new[at]).filter(|_| calls_itself(old).is_none()) {
                self.told.push(same);
            }
            self.take_as_reached(at, old);
            return true;
        }
        let Some(at) = open.into_iter().max_by_key(|i| self.new[*i].claim.1.rank()) else {
            return false;
        };
        let why = self.new[at].claim.1.less_than(&old.claim.1).unwrap_or_default();
        self.told.push(format!("`{}` became `{}`: {why}", old.text, self.new[at].text));
        self.take_as_reached(at, old);
        true
    }

    fn same_subject(&mut self, old: &Check) -> bool {
        let subject = core(&old.claim.0).to_vec();
        // What asks for more about the same thing asks for this too.
        let implied = self.new.iter().any(|n| {
            core(&n.claim.0) == subject
                && n.claim.1.rank() > old.claim.1.rank()
                && n.guard == Guard::None
        });
        let asked_for = self
            .new
            .iter()
            .any(|n| core(&n.claim.0) == subject && n.claim.1.less_than(&old.claim.1).is_none());
        if implied {
            return true;
        }
        // A weaker one about the same thing may stand beside a stronger rewrite of this one: those come first.
        let raised_elsewhere = matches!(old.claim.1, Force::Raises { .. }) && self.asks_message();
        if raised_elsewhere && !asked_for {
            return self.new.iter().any(|n| core(&n.claim.0) == subject);
        }
        self.pair(old, |n| core(&n.claim.0) == subject)
    }

    /// Whether an assertion is about a caught exception's text.
    fn asks_message(&self) -> bool {
        self.new.iter().any(|n| {
            let has = |word: &str| n.claim.0.iter().any(|t| t.kind == Kind::Name && t.text == word);
            (has("value") || has("message") || has("exception") || has("excinfo") || has("args"))
                && n.claim.1.rank() >= 3
        })
    }

    /// A later equality of the whole covers an earlier assertion about a part.
    fn covered(&self, old: &Check) -> bool {
        let subject = core(&old.claim.0);
        self.new.iter().any(|n| {
            let whole = core(&n.claim.0);
            let asks_all = matches!(
                n.claim.1,
                Force::Equal { .. } | Force::Raises { message: Message::Asked, .. }
            );
            asks_all && n.guard == Guard::None && is_part(subject, whole)
        })
    }

    /// An earlier equality of the whole that is now asked in parts. One part alone is less.
    fn in_parts(&mut self, old: &Check) -> bool {
        let Force::Equal { expected } = &old.claim.1 else {
            return false;
        };
        let subject = core(&old.claim.0).to_vec();
        let parts: Vec<usize> = (0..self.new.len())
            .filter(|i| self.room[*i] > 0 && is_part(core(&self.new[*i].claim.0), &subject))
            .collect();
        if parts.is_empty() {
            return false;
        }
        let strong = parts
            .iter()
            .filter(|i| self.new[**i].claim.1.rank() >= 4 && !is_size(core(&self.new[**i].claim.0)))
            .count();
        let wanted = match expected.as_slice() {
            [open, inner @ .., _] if open.is("(") || open.is("[") || open.is("{") => {
                split(inner, ",").len()
            }
            _ => 2,
        };
        if strong < wanted.min(2).max(usize::from(wanted > 0)) || strong == 0 {
            let told = format!(
                "`{}` became `{}`: only a part of it is asked for",
                old.text, self.new[parts[0]].text
            );
            self.told.push(told);
        }
        for at in parts {
            self.take(at, old);
        }
        true
    }

    /// What was compared with a value is now compared with itself or a constant.
    fn hollowed(&mut self, old: &Check, new: &Test) -> bool {
        let subject = core(&old.claim.0);
        let same = new.checks.iter().filter(|c| is_hollow(c)).find(|c| {
            core(&c.claim.0) == subject
                || (principal(&c.claim.0).is_some() && principal(&c.claim.0) == principal(subject))
        });
        let Some(check) = same else {
            return false;
        };
        self.told.push(format!(
            "`{}` became `{}`, which holds whatever the code does",
            old.text, check.text
        ));
        true
    }

    fn same_name(&mut self, old: &Check) -> bool {
        let Some(name) = principal(&old.claim.0).map(str::to_owned) else {
            return false;
        };
        self.pair(old, |n| principal(&n.claim.0) == Some(name.as_str()))
    }

    /// Another assertion that expects the same value, and one that says something: read in another way now.
    fn same_value(&mut self, old: &Check) -> bool {
        let Force::Equal { expected } = &old.claim.1 else {
            return false;
        };
        let says = expected.len() > 1
            || expected.iter().any(|t| t.kind == Kind::Text && t.text.chars().count() > 3)
            || expected.iter().any(|t| t.kind == Kind::Number && t.text.len() > 1);
        says && self.pair(old, |n| match &n.claim.1 {
            Force::Equal { expected: other } => other == expected && !is_literal(&n.claim.0),
            _ => false,
        })
    }

    /// What an assertion was mainly about is not there any more in the whole file: another name for it is. Or another
    /// assertion, as strong, is about the same things.
    fn renamed(&mut self, old: &Check, files: &Files) -> bool {
        let Some(name) = principal(&old.claim.0) else {
            return false;
        };
        let there = files.after.iter().any(|t| t.kind == Kind::Name && t.text == name);
        let other = (0..self.new.len()).find(|i| {
            let claim = &self.new[*i].claim;
            self.room[*i] > 0
                && claim.1.less_than(&old.claim.1).is_none()
                && !is_literal(&claim.0)
                && self.new[*i].mock == old.mock
                && (!there || share_a_name(&claim.0, &old.claim.0))
        });
        match other {
            Some(at) => {
                self.take(at, old);
                true
            }
            None => false,
        }
    }
}

/// Whether an assertion stands as often as before in the whole file: another test has it now.
fn is_moved(check: &Check, files: &Files) -> bool {
    let before = count(&files.before, &check.raw);
    before > 0 && count(&files.after, &check.raw) >= before
}

/// Whether two expressions have a name in common that is not everybody's.
fn share_a_name(one: &[Token], other: &[Token]) -> bool {
    let named = |t: &&Token| t.kind == Kind::Name && !is_common(&t.text);
    one.iter().filter(named).any(|t| other.contains(t))
}

/// Whether an expression is a part of another: a field, an element, its length.
fn is_part(part: &[Token], whole: &[Token]) -> bool {
    if whole.is_empty() || part.len() <= whole.len() || !holds(part, whole) || is_literal(whole) {
        return false;
    }
    let Some(at) = part.windows(whole.len()).position(|w| w == whole) else {
        return false;
    };
    let rest: Vec<&Token> = part[..at].iter().chain(&part[at + whole.len()..]).collect();
    let own = |t: &&&Token| t.kind == Kind::Name && !is_common(&t.text);
    // What comes before may only be a call like `len(…)`, what follows only names after a point.
    let before_is_common = !part[..at].iter().any(|t| t.kind == Kind::Name && !is_common(&t.text));
    let after = &part[at + whole.len()..];
    let goes_on =
        after.first().is_none_or(|t| matches!(t.text.as_str(), "." | "[" | ")" | "?." | "!"));
    let calls =
        after.windows(2).any(|w| w[0].kind == Kind::Name && !is_common(&w[0].text) && w[1].is("("));
    before_is_common && goes_on && !calls && rest.iter().filter(own).count() <= 3
}

fn is_size(subject: &[Token]) -> bool {
    let name = |t: Option<&Token>| {
        t.is_some_and(|t| matches!(t.text.as_str(), "len" | "length" | "size" | "count"))
    };
    name(subject.first())
        || name(subject.last())
        || name(subject.len().checked_sub(3).and_then(|i| subject.get(i)))
}

/// Whether an assertion holds whatever the code does: of constants, of a thing with itself, or where anything is accepted.
pub(super) fn is_hollow(check: &Check) -> bool {
    let (subject, force) = &check.claim;
    let is_literal = |tokens: &[Token]| !check.own && is_literal(tokens);
    match force {
        Force::Equal { expected } if !expected.is_empty() => {
            (is_literal(subject) && is_literal(expected))
                || check.echo == Echo::Itself
                || is_anything(expected)
        }
        Force::Truthy
        | Force::Falsy
        | Force::Present
        | Force::Instance
        | Force::Ordered { .. }
        | Force::Contains => is_literal(subject),
        Force::Equal { .. }
        | Force::Approx { .. }
        | Force::Raises { .. }
        | Force::Different
        | Force::Unknown => false,
    }
}

/// What is expected comes from the same call as what is asked.
pub(super) fn calls_itself(check: &Check) -> Option<String> {
    let Force::Equal { expected } = &check.plain.1 else {
        return None;
    };
    let subject = core(&check.plain.0);
    let called = subject.iter().any(|t| t.is("("));
    (called && holds(expected, subject))
        .then(|| format!("`{}` expects what the same call gives", check.text))
}

fn fewer_cases(old: &Test, new: &Test, files: &Files) -> Vec<String> {
    // A table may have become a counting loop.
    let counted =
        if new.bounds.len() > old.bounds.len() { new.bounds.iter().sum::<u64>() } else { 0 };
    let now = new.cases.len().saturating_add(usize::try_from(counted).unwrap_or(usize::MAX));
    if now >= old.cases.len() || (new.open_cases && !old.open_cases) {
        return Vec::new();
    }
    let missing = old.cases.len() - now;
    // Rows may have become assertions of their own.
    let more = new.checks.len().saturating_sub(old.checks.len());
    if more >= missing || (new.cases.is_empty() && new.checks.len() >= old.cases.len()) {
        return Vec::new();
    }
    let gone: Vec<&Vec<Token>> = old
        .cases
        .iter()
        .filter(|row| !new.cases.contains(row))
        .filter(|row| {
            row.len() < 3
                || count(&files.after, row) < count(&files.before, row)
                || count(&files.before, row) == 0
        })
        .collect();
    gone.into_iter().take(missing).map(|row| format!("the case `{}` is gone", shown(row))).collect()
}
