//! A conversation that gets too long for its model: what can be left out, and what is put in its place. Decides nothing
//! about when.

use super::talk::{Item, Part, Talk, Why};
use std::fmt::Write;

/// What the model is asked for when the older part is to be summed up.
pub(crate) const ASKED: &str = "Sum up this part of your own work on a task, so that you can go on without it: what was asked, what you found out (files, names, commands and their results), what you changed, what is left to do. Facts only, at most 600 words.";

/// The most of one result that a summary is made from.
const OF_A_RESULT: usize = 1200;

/// Where the latest turns begin that fit into so many tokens. What is before may be left out.
pub(crate) fn cut(talk: &Talk, tokens: u64) -> usize {
    let mut room = tokens;
    let mut from = talk.items.len();
    for (at, item) in talk.items.iter().enumerate().rev() {
        let needs = item.tokens();
        // What the model said last, and what that brought, always stays.
        let last = at + 2 >= talk.items.len();
        if needs > room && !last {
            break;
        }
        room = room.saturating_sub(needs);
        // A result never stands without its call.
        if !matches!(item, Item::Brought { .. }) {
            from = at;
        }
    }
    from
}

/// Shortens every result before an item to so many bytes.
pub(crate) fn shorten(talk: &mut Talk, before: usize, most: usize) {
    for item in talk.items.iter_mut().take(before) {
        if let Item::Brought { results } = item {
            for result in results.iter_mut().filter(|result| result.text.len() > most + 100) {
                let left_out = result.text.len() - most;
                let start = head(&result.text, most).to_owned();
                result.text = format!(
                    "{start}\n[… {left_out} bytes left out; use the tool again if you need them]"
                );
            }
        }
    }
}

/// The items as a text that a summary can be made from, the latest part where it gets too long.
pub(crate) fn transcript(items: &[Item], most: usize) -> String {
    let mut text = String::new();
    for item in items {
        // Writing into a string can't fail.
        let _ = match item {
            Item::Told { text: told, .. } => writeln!(text, "TOLD: {told}\n"),
            Item::Said { parts } => parts.iter().try_for_each(|part| match part {
                Part::Text { text: said } => writeln!(text, "SAID: {said}\n"),
                Part::Call(call) => {
                    writeln!(text, "CALLED {}: {}\n", call.name, head(&call.arguments, OF_A_RESULT))
                }
                Part::Kept { .. } => Ok(()),
            }),
            Item::Brought { results } => results.iter().try_for_each(|result| {
                writeln!(text, "GOT: {}\n", head(&result.text, OF_A_RESULT))
            }),
        };
    }
    let from = text.len().saturating_sub(most);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.split_off(from)
}

/// Puts a summary in the place of everything before an item. The task itself stays as it was told.
pub(crate) fn replace(talk: &mut Talk, before: usize, summary: &str) {
    let late = talk.items.split_off(before.min(talk.items.len()));
    let is_task = |item: &&Item| matches!(item, Item::Told { why: Why::Task, .. });
    let mut text = String::new();
    if !late.iter().any(|item| is_task(&item))
        && let Some(Item::Told { text: told, .. }) = talk.items.iter().rev().find(is_task)
    {
        // A task that was kept once before has the older summary behind it.
        text.push_str(told.split(MARK).next().unwrap_or(told));
    }
    text.push_str(MARK);
    text.push_str(summary.trim());
    talk.items = vec![Item::Told { text, why: Why::Task }];
    talk.items.extend(late);
}

const MARK: &str = "\n\n## What you did so far, summed up\n\n";

fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::super::talk::{Brought, Call, Went};
    use super::*;

    fn long_talk(turns: usize) -> Talk {
        let mut talk = Talk::default();
        talk.begin("the task");
        for n in 0..turns {
            let call = Call { id: format!("c{n}"), name: "read".into(), arguments: "{}".into() };
            talk.items.push(Item::Said { parts: vec![Part::Call(call)] });
            let text = format!("{n}:{}", "é".repeat(2000));
            let result = Brought { id: format!("c{n}"), text, went: Went::Well };
            talk.items.push(Item::Brought { results: vec![result] });
        }
        talk
    }

    #[test]
    fn the_task_and_the_latest_turns_stay_and_no_result_stands_without_its_call() {
        for tokens in [0, 500, 1500, 2500, 4000, 100_000] {
            let mut talk = long_talk(5);
            let from = cut(&talk, tokens);
            assert!(!matches!(talk.items.get(from), Some(Item::Brought { .. })), "{tokens}");
            assert!(from <= 9, "the last turn stays: {from} of {tokens}");
            replace(&mut talk, from, "a summary");
            let Item::Told { text, .. } = &talk.items[0] else { panic!() };
            assert!(text.contains("the task") || from == 0, "{text}");
            assert!(text.ends_with("a summary"), "{text}");
            replace(&mut talk, 1, "another");
            let Item::Told { text, .. } = &talk.items[0] else { panic!() };
            assert!(text.contains("another") && !text.contains("a summary"), "{text}");
        }
    }

    #[test]
    fn results_are_shortened_within_their_characters() {
        let mut talk = long_talk(2);
        shorten(&mut talk, 3, 101);
        let lengths: Vec<u64> = talk.items.iter().map(Item::tokens).collect();
        assert!(lengths[2] < 60 && lengths[4] > 900, "{lengths:?}");
        assert!(transcript(&talk.items, 50).len() <= 50);
    }
}
