//! Source: what reading the change shows, and what its tests need besides. It names; it refutes nothing by itself.

use crate::branch::{BranchKind, BranchMeasure, Configured};
use crate::concern::Concern;
use crate::report::Place;
use crate::verdict::{Check, CheckName, Finding, Weight};

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let mut found = measure.source.clone();
    found.extend(measure.configured.as_ref().map(configured));
    found.extend(measure.set_up.iter().map(set_up));
    found.extend(measure.opened.iter().map(|file| opened(measure.kind, file)));
    Check::of(CheckName::Source, "nothing to look at twice", found)
}

/// A file that is no code, and that builds or tests open all the same. Where nothing else changed, no test shows what that does.
fn opened(kind: BranchKind, file: &str) -> Finding {
    let place = Place { file: file.to_owned(), line: None };
    let text = format!("{file} changed, and is opened while the tests are built and run");
    if kind != BranchKind::NothingExecutable {
        return Finding::new(Weight::Warning, text).at(&place);
    }
    let text = format!(
        "{text}: no test shows what its change does; accepted: a test that fails with the old text, or a person who has looked at it"
    );
    Finding::for_person(Concern::Unread, text).at(&place)
}

/// What is set up around a test and not named by it may do the work, or be the fault's remedy.
fn set_up(Configured { test, by, elsewhere }: &Configured) -> Finding {
    let (there, cause) = if *elsewhere {
        (" in other surroundings", "it may set right what the code itself has to see to")
    } else {
        ("", "what it shows may come from there")
    };
    let text = format!(
        "{test} passes{there} only with the changed {}, or a part of it that it names nothing of: {cause}; accepted: a test that names what it needs of its set-up, or a person who has looked at it",
        by.join(", ")
    );
    let place = Place { file: by.first().cloned().unwrap_or_default(), line: None };
    Finding::for_person(Concern::Configuration, text).of(test).at(&place)
}

/// Whether such a configuration is what everybody gets is for a person to say.
fn configured(Configured { test, by, .. }: &Configured) -> Finding {
    let text = format!(
        "{test} passes only with the changed {}, which may make other code of the code that is tested; accepted: a change of the code itself, or a person who has looked at it",
        by.join(", ")
    );
    let place = Place { file: by.first().cloned().unwrap_or_default(), line: None };
    Finding::for_person(Concern::Configuration, text).of(test).at(&place)
}
