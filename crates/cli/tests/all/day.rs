//! A day with an agent: what was proven is kept, what was answered is not asked again, and whoever works in the sandbox finds
//! what the gates find.

mod hands;
mod kept;
mod prompts;
mod typed;
