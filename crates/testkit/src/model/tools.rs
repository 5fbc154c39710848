//! What a test wants done, in the tools of the agent that asks. Which agent it is shows in the tools that it offers.

use super::http::{Asked, Said};
use super::{Act, responses};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// An id that no other call has.
pub(super) fn fresh(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{prefix}{:020}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The answer by the agent's own tool for it, else as text.
pub(super) fn answer(asked: &Asked, value: &Value) -> Said {
    let tool = ["StructuredOutput", "recipe__final_output", "finish"]
        .into_iter()
        .find(|tool| asked.has(tool));
    match tool {
        Some(name) => Said::Call { name: name.to_owned(), input: value.clone() },
        None => Said::Text(value.to_string()),
    }
}

pub(super) fn call(asked: &Asked, act: &Act, worktree: &Path) -> Said {
    let named = |name: &str, input: Value| Said::Call { name: name.to_owned(), input };
    match act {
        Act::Tool { name, input } => named(name, input.clone()),
        Act::Shell { command } => {
            let tool = [
                "Bash",
                "run_shell_command",
                "exec_command",
                "shell_command",
                "bash",
                "shell",
                "run",
            ];
            let tool = tool.into_iter().find(|tool| asked.has(tool)).unwrap_or("shell");
            match tool {
                "exec_command" => named(tool, json!({"cmd": command})),
                _ => named(tool, json!({"command": command, "description": "run a command"})),
            }
        }
        Act::Write { path, text } => {
            let full = worktree.join(path).display().to_string();
            match () {
                // It may not write over a file that it has not read.
                () if asked.has("Write") && worktree.join(path).exists() => {
                    let command = format!("cat > {path} <<'END_OF_FILE'\n{text}END_OF_FILE\n");
                    named("Bash", json!({"command": command, "description": "write a file"}))
                }
                () if asked.has("Write") => {
                    named("Write", json!({"file_path": full, "content": text}))
                }
                () if asked.has("write_file") => {
                    named("write_file", json!({"file_path": full, "content": text}))
                }
                () if asked.has("apply_patch") => patch(asked, path, text, &full),
                () if asked.has("bash") => {
                    named("write", json!({"filePath": full, "content": text}))
                }
                () => named("write", json!({"path": full, "content": text})),
            }
        }
    }
}

/// A file as a patch: added where it is not there, else replaced line by line.
fn patch(asked: &Asked, file: &str, text: &str, full: &str) -> Said {
    let mut patch = String::from("*** Begin Patch\n");
    if let Ok(old) = std::fs::read_to_string(full) {
        let _ = writeln!(patch, "*** Update File: {file}\n@@");
        for line in old.lines() {
            let _ = writeln!(patch, "-{line}");
        }
    } else {
        let _ = writeln!(patch, "*** Add File: {file}");
    }
    for line in text.lines() {
        let _ = writeln!(patch, "+{line}");
    }
    patch.push_str("*** End Patch\n");
    if responses::is_custom(asked, "apply_patch") {
        return Said::Custom { name: "apply_patch".to_owned(), input: patch };
    }
    Said::Call { name: "apply_patch".to_owned(), input: json!({"input": patch}) }
}
