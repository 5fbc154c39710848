//! What the compiler, vet and the loader said, error by error, with its place. Go writes `file:line:column: message`
//! and further lines with a tab; since 1.24 the same text comes inside events.

use super::listing::{Listing, position};
use super::missing::Names;
use crate::ask::Ask;
use proctor_core::report::{CollectError, Place, Reason};
use std::collections::BTreeSet;

/// The errors in a text, each once.
pub(crate) fn errors(ask: &Ask, names: &Names, text: &str) -> Vec<CollectError> {
    let mut found: Vec<CollectError> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((place, column, message)) = placed(ask, line) else {
            if let Some(error) = without_files(names, line) {
                found.push(error);
            }
            continue;
        };
        let mut message = message.to_owned();
        while let Some(more) = lines.next_if(|l| l.starts_with('\t')) {
            message.push('\n');
            message.push_str(more.trim());
        }
        if !seen.insert((place.clone(), column, message.clone())) {
            continue;
        }
        let reason = match names.missing(&place, column, &message) {
            Some((name, owner)) => {
                Reason::Missing { name, owner, message, place: Some(place.clone()) }
            }
            None => Reason::Other { message, place: Some(place.clone()) },
        };
        found.push(CollectError { place, reason });
    }
    found.dedup();
    found
}

/// `shop/cart_test.go:3:14: undefined: Cart`, with or without `vet: ` before it.
fn placed<'t>(ask: &Ask, line: &'t str) -> Option<(Place, u32, &'t str)> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let end = line.find(".go:")? + ".go:".len();
    if line.get(..end)?.contains(char::is_whitespace) && !line.starts_with(['/', '.']) {
        return None;
    }
    let (number, rest) = line.get(end..)?.split_once(':')?;
    number.parse::<u32>().ok()?;
    let (column, message) = match rest.split_once(": ") {
        Some((column, message)) if column.parse::<u32>().is_ok() => {
            (column.parse().unwrap_or(0), message)
        }
        _ => (0, rest.trim_start()),
    };
    Some((position(ask, line)?, column, message))
}

/// `go build example.com/shop: no non-test Go files in …`: the package that its tests import has no code yet.
fn without_files(names: &Names, line: &str) -> Option<CollectError> {
    let (package, _) = line.split_once(": no non-test Go files in ")?;
    let package = package.strip_prefix("go build ").unwrap_or(package);
    let place = Place { file: names.first_test(package)?, line: None };
    let (name, owner) = (package.to_owned(), names.owner_of_import(package));
    let reason =
        Reason::Missing { name, owner, message: line.to_owned(), place: Some(place.clone()) };
    Some(CollectError { place, reason })
}

/// Why packages could not be loaded, each reason once.
pub(crate) fn load_errors<'p>(
    names: &Names,
    listing: &'p Listing,
    wanted: impl Fn(&'p str) -> bool,
) -> Vec<CollectError> {
    let mut found: Vec<CollectError> = Vec::new();
    for package in listing.packages.values().filter(|p| wanted(&p.path)) {
        for problem in &package.problems {
            let (message, place) = (problem.message.clone(), Some(problem.place.clone()));
            let reason = match names.missing_package(&message) {
                Some((name, owner)) => Reason::Missing { name, owner, message, place },
                None => Reason::Other { message, place },
            };
            let error = CollectError { place: problem.place.clone(), reason };
            if !found.contains(&error) {
                found.push(error);
            }
        }
    }
    found
}
