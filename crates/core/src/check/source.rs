//! Source: what reading the change shows, and what its tests need besides. It names; it refutes nothing by itself.

use crate::branch::{BranchMeasure, Configured};
use crate::concern::Concern;
use crate::report::Place;
use crate::verdict::{Check, CheckName, Finding};

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let mut found = measure.source.clone();
    found.extend(measure.configured.as_ref().map(configured));
    Check::of(CheckName::Source, "nothing to look at twice", found)
}

/// Whether such a configuration is what everybody gets is for a person to say.
fn configured(Configured { test, by }: &Configured) -> Finding {
    let text = format!(
        "{test} passes only with the changed {}, which may make other code of the code that is tested; accepted: a change of the code itself, or a person who has looked at it",
        by.join(", ")
    );
    let place = Place { file: by.first().cloned().unwrap_or_default(), line: None };
    Finding::for_person(Concern::Configuration, text).of(test).at(&place)
}
