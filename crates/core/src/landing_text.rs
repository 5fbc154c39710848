//! The message of the commit that lands: the task's sentence as the project writes its subjects, what was proven, and
//! trailers. Pure: whoever lands brings the project's own subjects.

use crate::proof::{Anchor, GreenProof};
use crate::words::{TaskType, TestId};
use std::fmt::Write;

/// As much as git's own lists show.
const LONGEST: usize = 72;
/// What a project writes into front of a colon is a habit where so many of its subjects have it, in hundredths.
const HABIT: usize = 50;

/// A subject for this task in the style of these subjects, newest first.
pub fn subject(kind: TaskType, description: &str, history: &[&str]) -> String {
    let line = description.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("change");
    let sentence = line.trim_end_matches(['.', ' ']);
    let own: Vec<&&str> = history.iter().filter(|s| !s.starts_with("Merge ")).collect();
    let typed: Vec<(&str, &str)> = own.iter().filter_map(|s| conventional(s)).collect();
    let habit = !own.is_empty() && typed.len() * 100 >= own.len() * HABIT;
    if conventional(sentence).is_some() {
        return shortened(sentence);
    }
    if !habit {
        return shortened(sentence);
    }
    let capitals = typed.iter().filter(|(_, rest)| begins_upper(rest)).count();
    let rest = if capitals * 2 > typed.len() {
        cased(sentence, Case::Upper)
    } else {
        cased(sentence, Case::Lower)
    };
    let word = match kind {
        TaskType::BugFix => "fix",
        TaskType::Feature => "feat",
        TaskType::Refactor => "refactor",
    };
    shortened(&format!("{word}: {rest}"))
}

/// The whole message.
pub fn message(
    subject: &str,
    description: &str,
    anchor: &Anchor,
    (run, trailers): (&str, &[String]),
) -> String {
    let tests =
        |count: usize| if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    let proof = match anchor {
        Anchor::Red(_) => format!("{}, red before and green now", tests(anchor.red().len())),
        Anchor::Pinned(_) => format!("{}, green before and now", tests(anchor.guards().len())),
        Anchor::Open(_) => "every test that passed before; no red gate was asked for".to_owned(),
    };
    let description = description.trim();
    // What the subject says whole is not said twice.
    let said = description.trim_end_matches('.').to_lowercase();
    let body = if subject.to_lowercase().ends_with(&said) {
        String::new()
    } else {
        format!("{description}\n\n")
    };
    let mut text = format!("{subject}\n\n{body}Proven-By: {proof}\nProctor-Run: {run}\n");
    for trailer in trailers {
        text.push_str(trailer.trim());
        text.push('\n');
    }
    text
}

/// What a pull or merge request says: what was wanted, what was proven, and how anybody looks at it again.
pub fn request_body(
    (run, description): (&str, &str),
    (anchor, green): (&Anchor, &GreenProof),
    open: &[String],
) -> String {
    const SHOWN: usize = 50;
    let mut text = format!("{}\n\n", description.trim());
    let head = match anchor {
        Anchor::Red(_) => {
            "**Proven**: these tests failed on the base for a right reason, and pass now."
        }
        Anchor::Pinned(_) => "**Proven**: these tests pass on the base, and pass now.",
        Anchor::Open(_) => {
            "**Measured**: every test that passed before passes now. No red gate was asked for."
        }
    };
    text.push_str(head);
    text.push_str("\n\n");
    let tests: Vec<&TestId> = anchor.red().iter().chain(anchor.guards()).collect();
    for test in tests.iter().take(SHOWN) {
        let _ = writeln!(text, "- `{}`", test.as_str().replace(['`', '\n', '\r'], " "));
    }
    if tests.len() > SHOWN {
        let _ = writeln!(text, "- … and {} more", tests.len() - SHOWN);
    }
    let _ = write!(
        text,
        "\n| | |\n| --- | --- |\n| tests that pass | {} |\n| base | `{}` |\n| proven tree | `{}` |\n",
        green.passed(),
        green.base().short(),
        green.at().tree.short(),
    );
    if let Some(coverage) = green.coverage() {
        let _ = writeln!(text, "| coverage of the changed lines | {coverage} |");
    }
    if !open.is_empty() {
        text.push_str("\n**Whoever approves this must look at**\n\n");
        for line in open.iter().take(SHOWN) {
            let _ = writeln!(text, "- `{}`", line.replace(['`', '\n', '\r'], " "));
        }
        let _ = writeln!(
            text,
            "\nWhere it is right all the same, the review says `{} REASON` on a line of its own.",
            crate::offering::ACCEPT
        );
    }
    let _ = write!(
        text,
        "\n<sub>Run `{run}` of Proctor, which ran the tests itself. `proctor evidence {run}` shows what it rests on; `proctor verify` proves it again.</sub>\n"
    );
    text
}

/// What conventional commits are of.
const KNOWN: [&str; 11] =
    ["feat", "fix", "chore", "docs", "test", "refactor", "perf", "build", "ci", "style", "revert"];

/// `type(scope)!: rest`, where a subject is of that kind.
fn conventional(subject: &str) -> Option<(&str, &str)> {
    let (head, rest) = subject.split_once(": ")?;
    let word = head.trim_end_matches('!');
    let word = match word.split_once('(') {
        Some((word, scope)) => scope.ends_with(')').then_some(word)?,
        None => word,
    };
    KNOWN.contains(&word).then_some((word, rest))
}

fn begins_upper(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
}

/// The first letter in another case; a name such as `HTTP` or `parseAll` stays as it is.
fn cased(text: &str, case: Case) -> String {
    let first_word: &str = text.split_whitespace().next().unwrap_or_default();
    let plain = first_word.chars().skip(1).all(|c| c.is_lowercase() || !c.is_alphabetic())
        && first_word.chars().all(|c| c.is_alphanumeric() || c == '\'');
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if plain && first_word.chars().count() > 1 => {
            let first: String = match case {
                Case::Upper => first.to_uppercase().collect(),
                Case::Lower => first.to_lowercase().collect(),
            };
            format!("{first}{}", chars.as_str())
        }
        _ => text.to_owned(),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() + 2 > LONGEST {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    if short.is_empty() {
        short = text.chars().take(LONGEST - 1).collect();
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_follows_what_the_history_does() {
        let plain = ["Add a parser", "Merge branch 'x'", "Fix the sum"];
        let typed =
            ["feat(cli): add a flag", "fix: the sum", "Merge pull request #1", "docs: say so"];
        let say =
            |history: &[&str]| subject(TaskType::BugFix, "Round halves up.\n\nMore.", history);
        assert_eq!(say(&plain), "Round halves up");
        assert_eq!(say(&typed), "fix: round halves up");
        assert_eq!(say(&["feat: Add a flag", "fix: The sum"]), "fix: Round halves up");
        assert_eq!(say(&[]), "Round halves up");
        assert_eq!(subject(TaskType::Feature, "HTTP is spoken", &typed), "feat: HTTP is spoken");
        assert_eq!(subject(TaskType::Feature, "fix(x): a thing", &typed), "fix(x): a thing");
    }

    #[test]
    fn a_long_sentence_is_cut_at_a_word_and_stays_whole_in_the_body() {
        let long = "word ".repeat(40);
        let subject = subject(TaskType::Feature, &long, &[]);
        assert!(subject.chars().count() <= LONGEST && subject.ends_with("word…"), "{subject}");
    }
}
