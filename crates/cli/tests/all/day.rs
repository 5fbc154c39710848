//! A day with an agent: what was proven is kept, what was answered is not asked again, and whoever works in the sandbox finds
//! what the gates find.

mod examined;
mod eyes;
mod hands;
mod kept;
mod prompts;
mod typed;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod hands;
    mod people;
}
