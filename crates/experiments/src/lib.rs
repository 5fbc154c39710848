//! What is done to sources on purpose, and what is read from them for judgement: canaries, flipped twins, mutants,
//! tests that observe, with their own inputs and with others; weak checks, suspicions. Texts in, texts and remarks out: no file is read, nothing is
//! started or judged.

mod branch;
mod canary;
pub mod experiment;
mod extended;
mod flip;
mod hollowed;
mod idle;
mod mutate;
mod observe;
mod parameters;
mod strength;
mod suspicion;
mod vary;

pub use branch::{Branch, Mixed, Side, Tests, Texts};
pub use canary::with_canaries;
pub use extended::{constants, extended};
pub use flip::{flips, traps};
pub use hollowed::hollowed;
pub use idle::is_idle;
pub use mutate::{mutants, slight};
pub use observe::{Channel, Observing, Sample, observing, read_channel, span};
pub use strength::{is_vacuous, oracle, weakened};
pub use suspicion::{
    Suspicion, SuspicionKind, is_executable_source, is_generated, same_code, suspicions,
};
pub use vary::{About, TABLE_WAYS, Varying, other_data, other_tables, vary, vary_about};
