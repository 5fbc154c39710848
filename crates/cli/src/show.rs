//! How a run and a hunt are shown while they happen and when they end, and the question for approval.

pub mod approval;
pub mod bar;
pub mod face;
pub mod finish;
pub mod hunt;
pub mod journey;
pub mod table;
