//! For tests: a turn that is asked.

use crate::launch::{Room, TurnAsk};
use proctor_core::words::{Phase, RunId, TaskId, TaskType};
use std::path::Path;

pub(crate) fn ask_of<'a>(run: &'a RunId, task: &'a TaskId, room: &'a Room) -> TurnAsk<'a> {
    TurnAsk {
        run,
        task,
        kind: TaskType::BugFix,
        phase: Phase::WriteTests,
        attempt: 2,
        ask: 3,
        worktree: Path::new("/tree/sub"),
        scratch: Path::new("/scratch"),
        prompt: "do it",
        own_program: Path::new("/bin/proctor"),
        room,
    }
}

pub(crate) fn trial<T>(room: &Room, with: impl Fn(&TurnAsk<'_>) -> T) -> T {
    let (run, task) = (RunId::new("r1"), TaskId::new("t1"));
    with(&ask_of(&run, &task, room))
}
