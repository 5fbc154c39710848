/// How much it matters.
#[derive(Debug, Clone, Copy)]
pub enum Priority {
    Low,
    High,
}
