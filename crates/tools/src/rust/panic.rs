//! Why a Rust test failed, read from what it printed: the panic's place and message, or the error it returned.

use super::missing::Names;
use super::surroundings;
use proctor_core::report::{CaseEnd, Place, Reason};

/// The end of a failed test: what the machine lacks is not the test's failure.
pub(crate) fn end_for(reason: Reason) -> CaseEnd {
    match reason {
        Reason::Panic { message, .. } | Reason::Other { message, .. }
            if surroundings::broke(&message) =>
        {
            CaseEnd::Errored { message }
        }
        reason => CaseEnd::Failed { reason },
    }
}

/// The reason behind a failed test's captured output.
pub(crate) fn reason(output: &str, test: &str, names: &Names) -> Reason {
    if let Some(message) = expectation(output) {
        return Reason::Assertion { message, place: None };
    }
    if let Some((place, message)) = panic_in(output, test) {
        let place = Some(Place { file: names.place(&place.file), line: place.line });
        return if is_assertion(&message) {
            Reason::Assertion { message, place }
        } else if is_environment(&message) {
            Reason::Other { message, place }
        } else {
            Reason::Panic { message, place }
        };
    }
    let message = output.trim().to_owned();
    // A test that returns an error says so as its assertion, unless the error is the system's.
    let returned = output.lines().any(|l| l.starts_with("Error: "));
    if returned && !is_environment(&message) {
        return Reason::Assertion { message, place: None };
    }
    let message = if message.is_empty() { "it said nothing".to_owned() } else { message };
    Reason::Other { message, place: None }
}

/// What libtest says of a test that expects a panic and did not get it, or got another.
fn expectation(output: &str) -> Option<String> {
    let starts = ["test did not panic as expected", "panic did not contain expected string"];
    let said = |line: &str| starts.iter().any(|s| line.trim_start_matches("note: ").starts_with(s));
    let lines: Vec<&str> =
        output.lines().skip_while(|l| !said(l)).take_while(|l| !l.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn is_assertion(message: &str) -> bool {
    let starts =
        ["assertion", "snapshot assertion", "Test failed: assertion", "Test failed: Assertion"];
    starts.iter().any(|s| message.starts_with(s))
}

fn is_environment(message: &str) -> bool {
    message.contains("Os { code:") || message.contains("(os error ")
}

/// The test's own panic where its thread is named, else the last one.
fn panic_in(output: &str, test: &str) -> Option<(Place, String)> {
    let mut found: Option<(bool, Place, String)> = None;
    let lines: Vec<&str> = output.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let Some((thread, at)) =
            line.strip_prefix("thread '").and_then(|l| l.split_once(" panicked at "))
        else {
            continue;
        };
        let Some(place) = place(at) else {
            continue;
        };
        let rest = lines.get(index + 1..).unwrap_or_default();
        let end = rest.iter().position(|l| ends_message(l)).unwrap_or(rest.len());
        let message = rest.get(..end).unwrap_or_default().join("\n").trim_end().to_owned();
        let own = thread.split('\'').next() == Some(test);
        match &found {
            Some((true, ..)) if !own => {}
            _ => found = Some((own, place, message)),
        }
    }
    found.map(|(_, place, message)| (place, message))
}

fn ends_message(line: &str) -> bool {
    line.starts_with("stack backtrace:")
        || line.starts_with("note: run with `RUST_BACKTRACE")
        || line.starts_with("running 1 test")
        || (line.starts_with("thread '") && line.contains(" panicked at "))
}

/// `src/lib.rs:7:17:`.
fn place(at: &str) -> Option<Place> {
    let mut parts = at.trim_end_matches(':').rsplitn(3, ':');
    let _column: u32 = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Place { file: parts.next()?.to_owned(), line: Some(line) })
}
