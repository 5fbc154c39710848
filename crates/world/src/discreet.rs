//! Keeps what this process knows to itself: others of the same user can't look into its memory or its environment.

/// From here on, and until another program is started in its place.
pub fn keep_to_itself() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // Where the kernel does not let us, the sandbox is what is left.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}
