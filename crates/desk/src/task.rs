//! Tasks: what is asked for in a sentence, a spec, task JSON, an issue or a cycle, and the order that is made of it.

pub mod file;
pub mod flags;
pub mod order;
pub mod spec_file;
pub mod task_json;
