//! What is done to sources on purpose, and what is read from them for judgement: canaries, mutants, tests
//! that observe, with their own inputs and expectations and with others; suspicions. Texts in, texts and remarks out: no file is read, nothing is
//! started or judged.

mod ambient;
mod branch;
mod canary;
pub mod experiment;
mod extended;
mod mutate;
mod observe;
mod refusals;
mod shipped;
mod suspicion;
mod taken;
mod unasked;
mod unreached;
mod vary;
mod words;

pub use branch::{Branch, Mixed, Side, Tests, Texts};
pub use canary::with_canaries;
pub use extended::{constants, extended};
pub use mutate::{mutants, parts, slight};
pub use observe::{
    Channel, HELPER, Helping, Observing, Sample, helpers, helping_file, may_help, observing,
    observing_with, read_channel, sites, span,
};
pub use shipped::{Parcel, Unshipped, manifests, unshipped};
pub use suspicion::{
    Suspicion, SuspicionKind, hidden_characters, is_executable_source, is_generated, same_code,
    suspicions,
};
pub use taken::takes_in;
pub use unreached::{Unreached, for_effect, private, unreached};
pub use vary::{
    About, Double, TABLE_WAYS, Varying, doubles, other_data, other_tables, vary, vary_about,
};
