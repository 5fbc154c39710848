//! How far a cargo run has come, by the steps that are done. cargo trusts the times of files: what it kept of an older
//! tree could be taken for this one. So each package of the tree must have been built by this run's own build; where
//! cargo says that one was kept, it is thrown away and built again.

use super::build::Build;
use super::steps::{CLEAN, LIBRARIES, chooses_targets};
use crate::ask::{Ask, StepEnd, StepOutput};
use std::collections::BTreeSet;

pub(crate) enum Course<'a> {
    NotBegun,
    /// A step of building did not end as it should.
    Broke(&'a StepOutput),
    /// cargo kept these packages of the tree.
    Stale(BTreeSet<String>),
    /// They are thrown away; the second build has not begun.
    Cleaned,
    /// Some libraries are built as tests only.
    HalfBuilt,
    /// Built, with this exit code, and the steps that followed.
    Built {
        code: i32,
        build: Box<Build>,
        rest: &'a [StepOutput],
    },
}

impl<'a> Course<'a> {
    pub(crate) fn of(ask: &Ask, done: &'a [StepOutput]) -> Self {
        let Some((first, rest)) = done.split_first() else {
            return Self::NotBegun;
        };
        let StepEnd::Exited(code) = first.end else {
            return Self::Broke(first);
        };
        let build = Build::read(ask, &first.stdout);
        if build.stale.is_empty() {
            return Self::with_libraries(ask, code, build, rest);
        }
        let (clean, rest) = match rest.split_first() {
            None => return Self::Stale(build.stale),
            Some((clean, rest)) => (clean, rest),
        };
        if clean.label != CLEAN || clean.end != StepEnd::Exited(0) {
            return Self::Broke(clean);
        }
        let Some((second, rest)) = rest.split_first() else {
            return Self::Cleaned;
        };
        let StepEnd::Exited(code) = second.end else {
            return Self::Broke(second);
        };
        let mut again = Build::read(ask, &second.stdout);
        // What the first build built itself is kept now, and rightly.
        again.stale.retain(|package| build.stale.contains(package));
        Self::with_libraries(ask, code, again, rest)
    }

    fn with_libraries(ask: &Ask, code: i32, build: Build, rest: &'a [StepOutput]) -> Self {
        if code != 0
            || build.half_built().is_empty()
            || !build.stale.is_empty()
            || chooses_targets(ask)
        {
            return Self::Built { code, build: Box::new(build), rest };
        }
        let Some((step, rest)) = rest.split_first() else {
            return Self::HalfBuilt;
        };
        match step.end {
            StepEnd::Exited(code) if step.label == LIBRARIES => {
                let libraries = Build::read(ask, &step.stdout);
                let build = Box::new(build.with_libraries(libraries));
                Self::Built { code, build, rest }
            }
            _ => Self::Broke(step),
        }
    }
}
