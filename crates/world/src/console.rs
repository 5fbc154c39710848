//! The terminal that a person sits at: its height, what was typed there, and the person's own pager. Knows nothing of what is
//! shown.

use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

/// How many lines it shows at once.
pub fn rows() -> usize {
    tcgetwinsize(io::stdout()).map_or(24, |size| usize::from(size.ws_row))
}

/// How many columns it has; none where nobody looks at one.
pub fn columns() -> Option<usize> {
    let there = io::stdout().is_terminal();
    let size = there.then(|| tcgetwinsize(io::stdout()).ok()).flatten()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Forgets what was typed there and nobody read.
pub fn forget_what_was_typed() {
    if io::stdin().is_terminal() {
        // Where that can't be done, a word is still to be typed whole.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }
}

/// Shows a text in the pager. False where the pager can't be started.
pub fn page(argv: &[String], text: &str) -> bool {
    let Some((program, rest)) = argv.split_first() else { return false };
    let Ok(mut child) = Command::new(program).args(rest).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        // Whoever leaves the pager has seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().is_ok()
}
