//! Any repository that a user may have: each works, or is refused with a hint, and what is the user's own stays as
//! it was.

mod landings;
pub mod place;
mod refusals;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod shapes;
}
