//! Why a Go test failed, from what it said: the lines of `t.Error` and its like, or the runtime's account of a panic.

use super::events::{Line, LineKind, TestEnd};
use super::listing::{Package, inside};
use super::missing::is_copied;
use super::rounds::{Outcome, Process, Sum, has_trace};
use super::selection::top;
use super::surroundings;
use crate::ask::Ask;
use proctor_core::report::{CaseEnd, Place, Reason};
use proctor_lang::child_file;
use proctor_lang::tree::{FolderTree, Tree, below};
use proctor_lang::zone::{Zone, zone};
use std::path::Path;

/// Judges the failed tests of one package.
pub(crate) struct Judge<'a> {
    pub(crate) ask: &'a Ask,
    pub(crate) package: &'a Package,
    pub(crate) sum: &'a Sum,
}

/// One message of a test: `    cart_test.go:12: want 3` and the lines that belong to it.
struct Entry {
    file: String,
    line: u32,
    message: String,
}

impl Judge<'_> {
    pub(crate) fn end(&self, name: &str, outcome: &Outcome) -> CaseEnd {
        match outcome.end {
            TestEnd::Passed => CaseEnd::Passed,
            TestEnd::Skipped => {
                let why = entries(&outcome.told.lines).pop().map(|e| e.message);
                CaseEnd::Skipped {
                    why: why.filter(|w| !w.is_empty()).unwrap_or_else(|| "skipped".to_owned()),
                }
            }
            TestEnd::Failed => CaseEnd::Failed { reason: self.reason(name, outcome) },
        }
    }

    fn reason(&self, name: &str, outcome: &Outcome) -> Reason {
        if outcome.process == Process::Broke
            && let Some(reason) = self.broke(name, outcome)
        {
            return reason;
        }
        let told = self.assertion(name, outcome);
        // A test that fails only since its subtest did has that one's reason.
        let child = || {
            self.sum
                .tests
                .iter()
                .filter(|(other, o)| {
                    o.end == TestEnd::Failed
                        && other.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
                })
                .min_by_key(|(_, o)| o.told.begun)
        };
        let reason = match told {
            Some(reason) => reason,
            None => match child() {
                Some((other, outcome)) => self.reason(other, outcome),
                None => Reason::Assertion {
                    message: said(outcome)
                        .unwrap_or_else(|| "it failed without a message".to_owned()),
                    place: self.declared(name),
                },
            },
        };
        match reason {
            Reason::Assertion { message, place } if surroundings::to_blame(&message) => {
                Reason::Other { message, place }
            }
            other => other,
        }
    }

    /// The lines that the test itself failed with.
    fn assertion(&self, name: &str, outcome: &Outcome) -> Option<Reason> {
        let lines = &outcome.told.lines;
        let tells_errors = lines.iter().any(|l| l.kind == LineKind::Error);
        let found: Vec<Entry> = if tells_errors {
            let errors: Vec<Line> =
                lines.iter().filter(|l| l.kind == LineKind::Error).cloned().collect();
            entries(&errors)
        } else {
            let all = entries(lines);
            all.into_iter().filter(|e| !self.is_log(e)).collect()
        };
        let first = found.first()?;
        let place = self.place(&first.file, first.line).or_else(|| self.declared(name));
        let messages: Vec<String> = found.iter().map(|e| e.message.trim().to_owned()).collect();
        let message = messages.join("\n");
        let message =
            if message.is_empty() { "it failed without a message".to_owned() } else { message };
        Some(Reason::Assertion { message, place })
    }

    /// Before 1.26 `t.Log` and `t.Error` look the same; the source line tells.
    fn is_log(&self, entry: &Entry) -> bool {
        let Some(line) = self.source_line(entry) else {
            return false;
        };
        let has = |names: [&str; 2]| names.iter().any(|n| line.contains(n));
        has([".Log(", ".Logf("]) && !has([".Error", ".Fatal"])
    }

    /// The line of the source that a message names.
    fn source_line(&self, entry: &Entry) -> Option<String> {
        let place = self.place(&entry.file, entry.line)?;
        let source =
            child_file::read_to_string(self.ask.tree.join(&place.file)).unwrap_or_default();
        let at = (entry.line as usize).saturating_sub(1);
        Some(source.lines().nth(at).unwrap_or("").to_owned())
    }

    /// Whether the test called what fails it; other messages may be a log.
    fn asserted(&self, outcome: &Outcome) -> bool {
        let lines = &outcome.told.lines;
        lines.iter().any(|l| l.kind == LineKind::Error)
            || entries(lines).iter().any(|entry| {
                let line = self.source_line(entry).unwrap_or_default();
                [".Error(", ".Errorf("].iter().any(|call| line.contains(call))
            })
    }

    /// A test whose process broke: a panic, or an end without one.
    fn broke(&self, name: &str, outcome: &Outcome) -> Option<Reason> {
        let family = || {
            self.sum.tests.iter().filter(|(other, o)| {
                top(other) == top(name) && o.process == Process::Broke && has_trace(&o.told)
            })
        };
        if let Some((_, with_trace)) = family().next() {
            // With own messages and a panic elsewhere in the family, the messages are the reason.
            if !has_trace(&outcome.told) && self.assertion(name, outcome).is_some() {
                return None;
            }
            let panic = self.panic(&with_trace.told.lines);
            // What failed by an assertion and went on had failed when its own code broke.
            let own = matches!(panic, Reason::Other { .. });
            return if own && self.asserted(outcome) { None } else { Some(panic) };
        }
        let ended =
            outcome.told.lines.iter().any(|l| {
                l.kind == LineKind::Frame && l.text.trim_start().starts_with("--- FAIL: ")
            });
        if ended {
            return None;
        }
        let said = said(outcome).unwrap_or_default();
        let message = format!("the test process ended while this test was running\n{said}");
        Some(Reason::Other { message: message.trim().to_owned(), place: self.declared(name) })
    }

    fn panic(&self, lines: &[Line]) -> Reason {
        let text: String =
            lines.iter().filter(|l| l.kind != LineKind::Frame).map(|l| l.text.as_str()).collect();
        let from = ["panic: ", "fatal error: "]
            .iter()
            .filter_map(|mark| {
                if text.starts_with(mark) {
                    Some(0)
                } else {
                    text.find(&format!("\n{mark}")).map(|at| at + 1)
                }
            })
            .min()
            .unwrap_or(0);
        let trace = text.get(from..).unwrap_or(&text);
        let head = trace.lines().next().unwrap_or("");
        let head = head.split(" [recovered").next().unwrap_or(head).to_owned();
        let place = self.first_own_frame(trace);
        let in_production = place.as_ref().is_some_and(|p| zone(&p.file) == Zone::Production);
        // Go turns a test that leaves with success into a panic. Leaving is no fault of the code's logic.
        let left = head.contains("unexpected call to os.Exit(0)");
        if in_production && !left && !surroundings::to_blame(&head) {
            Reason::Panic { message: head, place }
        } else {
            Reason::Other { message: head, place }
        }
    }

    /// The innermost frame of the project's own code. Of a panic only the goroutine that panicked counts, which is
    /// told first; a fatal error (a deadlock) may name the runtime's own first.
    fn first_own_frame(&self, trace: &str) -> Option<Place> {
        let only_first = trace.starts_with("panic: ");
        let mut begun = false;
        let mut created = false;
        for line in trace.lines() {
            if line.starts_with("goroutine ") {
                begun = true;
            } else if begun && only_first && line.trim().is_empty() {
                return None;
            } else if line.starts_with("created by ") {
                created = true;
            } else if let Some(frame) = line.strip_prefix('\t').filter(|_| begun) {
                if std::mem::take(&mut created) {
                    continue;
                }
                let place = self.frame(frame);
                if place.is_some() {
                    return place;
                }
            }
        }
        None
    }

    /// `/tree/shop/cart.go:12 +0x1d`.
    fn frame(&self, text: &str) -> Option<Place> {
        let (stem, rest) = text.split_once(".go:")?;
        let line = rest.split(' ').next()?.parse().ok();
        let file = inside(self.ask, Path::new(&format!("{stem}.go")))?;
        (!is_copied(&file)).then_some(Place { file, line })
    }

    /// Messages name a file without its folder: the package's own, or the only one of that name.
    fn place(&self, file: &str, line: u32) -> Option<Place> {
        let own = below(self.package.dir.as_deref().unwrap_or(""), file);
        let file = if self.ask.tree.join(&own).is_file() {
            own
        } else {
            let end = format!("/{file}");
            let paths = FolderTree::new(&self.ask.tree).paths();
            let mut same = paths.into_iter().filter(|p| p == file || p.ends_with(&end));
            let only = same.next()?;
            same.next().is_none().then_some(only)?
        };
        Some(Place { file, line: Some(line) })
    }

    /// Where a test's function stands.
    fn declared(&self, name: &str) -> Option<Place> {
        let head = format!("func {}(", top(name));
        self.package.test_files.iter().find_map(|file| {
            let source = child_file::read_to_string(self.ask.tree.join(file)).ok()?;
            let at = source.lines().position(|l| l.starts_with(&head))?;
            Some(Place { file: file.clone(), line: u32::try_from(at + 1).ok() })
        })
    }
}

/// What a test printed besides, where it gave no message.
fn said(outcome: &Outcome) -> Option<String> {
    let lines = outcome.told.lines.iter().filter(|l| l.kind != LineKind::Frame);
    let text: String = lines.map(|l| l.text.as_str()).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The messages among a test's lines.
fn entries(lines: &[Line]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut open = false;
    for line in lines.iter().filter(|l| l.kind != LineKind::Frame) {
        let text = line.text.trim_end_matches('\n');
        if let Some(entry) = entry(text) {
            found.push(entry);
            open = true;
        } else if let (true, Some(more), Some(last)) =
            (open, text.strip_prefix("        "), found.last_mut())
        {
            last.message.push('\n');
            last.message.push_str(more);
        } else {
            open = false;
        }
    }
    found
}

fn entry(text: &str) -> Option<Entry> {
    let inner = text.strip_prefix("    ")?.trim_start_matches(' ');
    let (stem, rest) = inner.split_once(".go:")?;
    if stem.contains(char::is_whitespace) {
        return None;
    }
    let (number, message) = rest.split_once(':')?;
    let line = number.parse().ok()?;
    let message = message.strip_prefix(' ').unwrap_or(message);
    Some(Entry { file: format!("{stem}.go"), line, message: message.to_owned() })
}
