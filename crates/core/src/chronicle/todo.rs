//! A list of things to do in Markdown, with the line of a finished task ticked. The user's own file is never touched: this is
//! text in, text out.

use std::fmt::Write;

/// The list with the task's line ticked and linked, and the progress counted anew. None where no open line names the task.
pub fn ticked(list: &str, task: &str, link: &str) -> Option<String> {
    let mut found = false;
    let mut lines: Vec<String> = list
        .lines()
        .map(|line| match box_of(line) {
            Some(at) if !found && names(line, task) => {
                found = true;
                let mut ticked = line.to_owned();
                ticked.replace_range(at..=at, "x");
                if !ticked.contains(link) {
                    let _ = write!(ticked, " → [summary]({link})");
                }
                ticked
            }
            _ => line.to_owned(),
        })
        .collect();
    if !found {
        return None;
    }
    let boxes: Vec<bool> = lines
        .iter()
        .filter_map(|line| box_of(line).map(|at| !line[at..].starts_with(' ')))
        .collect();
    let (done, all) = (boxes.iter().filter(|done| **done).count(), boxes.len());
    let progress = format!("Progress: {done}/{all} ({}%)", done * 100 / all.max(1));
    let told = |text: &str| text.trim_start_matches(['*', '#', ' ', '-']).starts_with("Progress:");
    match lines.iter().position(|text| told(text)) {
        Some(at) => lines[at] = progress,
        None => lines.extend([String::new(), progress]),
    }
    Some(lines.join("\n") + "\n")
}

/// Where the mark of a line's box is: the byte between the brackets.
fn box_of(line: &str) -> Option<usize> {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let rest = bare.strip_prefix("- [").or_else(|| bare.strip_prefix("* ["))?;
    let mark = rest.chars().next()?;
    (matches!(mark, ' ' | 'x' | 'X' | '~') && rest[1..].starts_with(']')).then_some(indent + 3)
}

/// Whether a line names the task, as a word of its own.
fn names(line: &str, task: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    line.match_indices(task).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_none_or(|c| !part(c) && c != '.');
        let mut after = line[at + task.len()..].chars();
        let next = after.next();
        // `TDD-1` is not `TDD-1.2`, but it may end a sentence.
        let free =
            next.is_none_or(|c| !part(c)) && !(next == Some('.') && after.next().is_some_and(part));
        before && free
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s3_35_the_line_of_the_task_is_ticked_linked_and_counted() {
        let list = "# To do\n\nProgress: 1/3 (33%)\n\n- [x] **TDD-0**: begin\n- [ ] **TDD-1.2**: more\n  - [ ] **TDD-1**: subtract\n";
        let ticked = ticked(list, "TDD-1", "summary.md").unwrap();
        assert!(
            ticked.contains("  - [x] **TDD-1**: subtract → [summary](summary.md)\n"),
            "{ticked}"
        );
        assert!(ticked.contains("- [ ] **TDD-1.2**: more\n"), "{ticked}");
        assert!(ticked.contains("Progress: 2/3 (66%)\n"), "{ticked}");
        assert_eq!(super::ticked(list, "TDD-9", "summary.md"), None);
        assert!(
            super::ticked("- [ ] a-1\n", "a-1", "s.md")
                .unwrap()
                .ends_with("\n\nProgress: 1/1 (100%)\n")
        );
    }
}
