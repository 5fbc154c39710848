//! Source: what reading the change shows. It names; it refutes nothing by itself.

use crate::branch::BranchMeasure;
use crate::verdict::{Check, CheckName};

pub(super) fn check(measure: &BranchMeasure) -> Check {
    Check::of(CheckName::Source, "nothing to look at twice", measure.source.clone())
}
