//! The JSON schema of the format, for those who write task files: the shipped file itself. What it can't say (exactly one phase
//! of each kind) the reader says.

/// The schema as text.
pub fn schema() -> &'static str {
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/task.schema.json"))
}
