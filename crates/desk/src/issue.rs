//! An issue of a tracker as a task: fetched, its words as they are, a reproducer in it offered as the test to begin with. What it
//! says goes the way of every task's words, and proves nothing.

use crate::place::place;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::{Context, Result};
use proctor_engine::hosts::Line;
use proctor_hosts::Place;
use proctor_hosts::issue::details;

/// What the tracker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssueTold {
    pub number: u64,
    pub title: String,
    pub details: String,
}

/// By its address, or by its number on this repository's own host.
pub fn read(around: &Surroundings, text: &str) -> Result<IssueTold> {
    let (place, number) = match text.trim_start_matches('#').parse::<u64>() {
        Ok(number) => (place(around, None, None)?, number),
        Err(_) => Place::of_page(text, None).ok_or_else(|| {
            usage(format!("--issue {text:?} is no issue\nhint: give its address, such as https://github.com/OWNER/NAME/issues/12, or #12"))
        })?,
    };
    let line = Line::open(&place, &around.env)?;
    let issue = line
        .host
        .read_issue(&line.ask(&line.host.issue(number))?)
        .context("the host's answer is no issue")?;
    let title = issue.title.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(IssueTold { number: issue.number, title, details: details(&issue) })
}
