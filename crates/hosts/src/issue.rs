//! An issue as a task: its words, and what in it looks like a way to show the bug. What it holds is offered, never believed.

use crate::host::Issue;
use std::fmt::Write;

/// What could show the bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reproducer {
    /// A fenced block that holds a test.
    Test { language: String, code: String },
    /// A command with what it should print.
    Command { command: String, expected: String },
}

/// What stands in a test of each language, and what it is fenced as.
const TESTS: [(&str, &[&str], &str); 5] = [
    ("python", &["python", "py"], "def test_"),
    ("rust", &["rust", "rs"], "#[test]"),
    ("go", &["go", "golang"], "func Test"),
    ("javascript", &["javascript", "js", "typescript", "ts", "jsx", "tsx"], "test("),
    ("java", &["java"], "@Test"),
];
const SHELLS: [&str; 7] = ["console", "sh", "bash", "shell", "shell-session", "sh-session", "text"];

/// The first one in a text.
pub fn reproducer(body: &str) -> Option<Reproducer> {
    let blocks = blocks(body);
    let test = blocks.iter().find_map(|(language, code)| {
        let of = |names: &[&str]| names.contains(&language.as_str()) || language.is_empty();
        let known = TESTS.iter().find(|(_, names, sign)| of(names) && code.contains(sign));
        let (name, _, _) = known?;
        Some(Reproducer::Test { language: (*name).to_owned(), code: code.clone() })
    });
    test.or_else(|| blocks.iter().find_map(|(language, code)| command(language, code)))
}

fn command(language: &str, code: &str) -> Option<Reproducer> {
    if !language.is_empty() && !SHELLS.contains(&language) {
        return None;
    }
    let mut lines = code.lines();
    let command = lines.next()?.strip_prefix("$ ")?.trim().to_owned();
    let expected: Vec<&str> = lines.take_while(|line| !line.starts_with("$ ")).collect();
    (!expected.is_empty()).then(|| Reproducer::Command { command, expected: expected.join("\n") })
}

/// Fenced blocks with their language in lower case.
fn blocks(body: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String, Vec<&str>)> = None;
    for line in body.lines().map(|line| line.trim_end_matches('\r')) {
        let bare = line.trim_start();
        let fence: String = bare.chars().take_while(|c| matches!(c, '`' | '~')).collect();
        match open.take() {
            None if fence.len() >= 3 => {
                let language = bare[fence.len()..].split_whitespace().next().unwrap_or_default();
                open = Some((fence, language.to_lowercase(), Vec::new()));
            }
            None => {}
            Some((own, language, lines)) if fence.starts_with(&own) && fence == bare => {
                found.push((language, lines.join("\n")));
            }
            Some((own, language, mut lines)) => {
                lines.push(line);
                open = Some((own, language, lines));
            }
        }
    }
    found
}

/// What the task's details are: where it comes from, what it says, and what to begin with.
pub fn details(issue: &Issue) -> String {
    let mut text = format!("From {}\n\n{}\n", issue.url, issue.body.trim());
    match reproducer(&issue.body) {
        Some(Reproducer::Test { language, code }) => {
            let _ = write!(
                text,
                "\n## A test to begin with\n\nThe issue holds this test ({language}). Begin with it where it shows what is wrong, in the form of this project's tests:\n\n```{language}\n{code}\n```\n"
            );
        }
        Some(Reproducer::Command { command, expected }) => {
            let _ = write!(
                text,
                "\n## A test to begin with\n\nThe issue says that this command should print what follows. Begin with a test that asks for the same:\n\n```\n$ {command}\n{expected}\n```\n"
            );
        }
        None => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_or_a_command_with_its_output_is_found() {
        let body = "It breaks.\r\n\r\n```py\r\nx = 1\r\n```\r\n\n```python\nfrom a import f\n\ndef test_f():\n    assert f() == 1\n```\n";
        let Some(Reproducer::Test { language, code }) = reproducer(body) else { panic!() };
        assert!(language == "python" && code.ends_with("assert f() == 1"));
        let body = "```console\n$ tool --sum 1 2\n3\n$ echo\n```";
        let expected =
            Reproducer::Command { command: "tool --sum 1 2".into(), expected: "3".into() };
        assert_eq!(reproducer(body), Some(expected));
        for body in
            ["no block", "```\nplain\n```", "```console\n$ only a command\n```", "```py\nopen"]
        {
            assert_eq!(reproducer(body), None, "{body}");
        }
    }
}
