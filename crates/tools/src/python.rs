//! Python: pytest.

mod batch;
mod coverage;
pub(crate) mod detect;
mod lines;
mod plain;
pub(crate) mod pytest;
mod read;
mod reason;
pub(crate) mod roots;
mod surroundings;
pub(crate) mod unittest;
