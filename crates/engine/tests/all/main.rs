//! Histories that earlier versions wrote must replay, for ever.

// The setting for tests reaches test functions alone, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod histories;
