//! Tests of Rust that observe.

use super::{Channel, Copy, Observer, Source};
use proctor_lang::edit::Edit;
use std::ops::Range;

pub(super) struct Rust;

impl Observer for Rust {
    fn span(&self, _source: &Source<'_>, _line: u32) -> Option<Range<usize>> {
        None
    }

    fn copy(&self, _source: &Source<'_>, _span: &Range<usize>, _copy: Copy) -> Vec<Edit> {
        Vec::new()
    }

    fn around(&self, _source: &Source<'_>, _channel: &Channel) -> Vec<Edit> {
        Vec::new()
    }
}
