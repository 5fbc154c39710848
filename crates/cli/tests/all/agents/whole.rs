//! From a task to what landed, with each program.

use super::bench::{Bench, honest};

fn lands(kind: &str) {
    let Some(bench) = Bench::of(kind, honest(), "") else { return };
    let ran = bench.run().expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert_eq!(bench.model.left(), 0, "the whole script was played\n{ran}");
}

#[test]
fn claude_takes_a_task_to_its_landing() {
    lands("claude");
}

#[test]
fn codex_takes_a_task_to_its_landing() {
    lands("codex");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn gemini_takes_a_task_to_its_landing() {
        lands("gemini");
    }

    #[test]
    fn opencode_takes_a_task_to_its_landing() {
        lands("opencode");
    }

    #[test]
    fn goose_takes_a_task_to_its_landing() {
        lands("goose");
    }

    #[test]
    fn acp_gemini_takes_a_task_to_its_landing() {
        lands("acp_gemini");
    }

    #[test]
    fn acp_opencode_takes_a_task_to_its_landing() {
        lands("acp_opencode");
    }

    #[test]
    fn acp_goose_takes_a_task_to_its_landing() {
        lands("acp_goose");
    }

    #[test]
    fn acp_claude_takes_a_task_to_its_landing() {
        lands("acp_claude");
    }

    #[test]
    fn acp_codex_takes_a_task_to_its_landing() {
        lands("acp_codex");
    }
}
