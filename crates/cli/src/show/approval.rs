//! The question at the end: shows what was proven and takes the one word that lands it. Anything else, the end of
//! input and a time-out are not approvals.

use crate::out;
use anyhow::Result;
use proctor_core::run::{Run, Stage};
use proctor_core::words::{RunId, TreeId};
use proctor_desk::run::changes::Changes;
use proctor_desk::run::proven::proven;
use proctor_engine::{Shop, load};
use proctor_journal::Journal;
use proctor_world::console::forget_what_was_typed;
use std::io::{BufRead, IsTerminal, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a line is waited for where nobody sits at a terminal.
const PATIENCE: Duration = Duration::from_secs(5);
const BEAT: Duration = Duration::from_millis(100);
/// Longer lines are not the word.
const LONGEST: u64 = 4096;

const NEEDS_ACCEPTING: &str = "what a person must look at is accepted by name, with a reason";

#[derive(Debug, PartialEq, Eq)]
pub enum Decision {
    Approve {
        shown: TreeId,
    },
    Abort,
    /// To see the change first.
    Look,
    /// Not an approval: the run stays as it is. Why, in words.
    Leave {
        why: &'static str,
    },
    /// Someone decided in another place meanwhile.
    Elsewhere,
}

/// Shows what waits for a person.
pub fn show(shop: &Shop, id: &RunId, run: &Run) {
    for line in proven(&shop.home, id, run) {
        out::talk(&line);
    }
}

/// Shows what is proven, asks, and waits.
pub fn ask(shop: &Shop, id: &RunId, run: &Run) -> Result<Decision> {
    let Stage::AwaitingApproval { green, .. } = &run.stage else {
        return Ok(Decision::Elsewhere);
    };
    let shown = green.at().tree.clone();
    show(shop, id, run);
    if !run.raised.open().is_empty() {
        out::talk(&format!("Not approved: {NEEDS_ACCEPTING}. The run keeps waiting."));
        return Ok(Decision::Leave { why: NEEDS_ACCEPTING });
    }
    let decision = loop {
        // What was typed before the question was there does not answer it.
        forget_what_was_typed();
        out::prompt(
            "Type approve to land, d for the diff, abort to throw it away (saved as a rescue ref), anything else leaves it waiting: ",
        );
        match wait(shop, id, &shown)? {
            Decision::Look => look(shop, run),
            decision => break decision,
        }
    };
    // A terminal echoed the line's end with the word.
    if !matches!(decision, Decision::Approve { .. } | Decision::Abort)
        || !std::io::stdin().is_terminal()
    {
        out::talk("");
    }
    match &decision {
        Decision::Approve { .. } | Decision::Abort | Decision::Look => {}
        Decision::Leave { why } => {
            out::talk(&format!(
                "Not approved ({why}). The run keeps waiting: `proctor approve {id}` lands it."
            ));
        }
        Decision::Elsewhere => out::talk("It was decided in another place."),
    }
    Ok(decision)
}

/// The change, where the person looks.
fn look(shop: &Shop, run: &Run) {
    let change = Changes::of(&shop.home, run).and_then(|changes| match changes {
        Some(changes) => changes.diff(&[]),
        None => Ok(Vec::new()),
    });
    match change {
        Ok(bytes) => crate::commands::diff::page(&bytes, |name| shop.var(name).cloned()),
        Err(why) => out::error(&why.to_string()),
    }
}

fn wait(shop: &Shop, id: &RunId, shown: &TreeId) -> Result<Decision> {
    let words = listen();
    let journal = Journal::open(shop.home.root())?;
    // Looked at once even if nothing changes: it may have been decided before the question was on the screen.
    let mut seen = journal.changed()?.wrapping_sub(1);
    let until = (!std::io::stdin().is_terminal()).then(|| Instant::now() + PATIENCE);
    loop {
        match words.recv_timeout(BEAT) {
            Ok(line) => return Ok(meant(&line, shown)),
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Decision::Leave { why: "the input ended" });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if shop.signals.asked_to_stop() {
            return Ok(Decision::Leave { why: "interrupted" });
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(Decision::Leave { why: "no word came in time" });
        }
        let now = journal.changed()?;
        if now != seen {
            seen = now;
            let state = load(shop, id)?;
            let same = matches!(&state.stage,
                Stage::AwaitingApproval { green, .. } if &green.at().tree == shown);
            if !same {
                return Ok(Decision::Elsewhere);
            }
        }
    }
}

/// One line of stdin, read aside so that nothing else has to wait for it.
fn listen() -> Receiver<String> {
    let (sender, words) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let input = std::io::stdin().lock();
        if matches!(input.take(LONGEST).read_line(&mut line), Ok(n) if n > 0) {
            // Nobody may listen any more; then the word is not needed.
            let _ = sender.send(line);
        }
    });
    words
}

fn meant(line: &str, shown: &TreeId) -> Decision {
    match line.trim() {
        "approve" => Decision::Approve { shown: shown.clone() },
        "abort" => Decision::Abort,
        "d" | "diff" => Decision::Look,
        _ => Decision::Leave { why: "only the word approve is an approval" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_word_approves() {
        let tree = TreeId::new("t");
        let approve = Decision::Approve { shown: tree.clone() };
        for line in ["approve\n", "  approve  \r\n", "approve"] {
            assert_eq!(meant(line, &tree), approve);
        }
        for line in ["Approve", "yes", "y", "", "approve it", "APPROVE", "approved"] {
            assert!(matches!(meant(line, &tree), Decision::Leave { .. }), "{line}");
        }
        assert_eq!(meant("abort\n", &tree), Decision::Abort);
    }
}
