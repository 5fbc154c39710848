//! How a verification is shown: one pure function from the answer to text, for each format. It must not measure,
//! judge or leave out what the verdict rests on; what is shown is what `core` said.

pub mod digest;
mod github;
mod gitlab;
pub mod html;
mod junit;
mod markdown;
pub mod observed;
pub mod opening;
#[cfg(test)]
mod sample;
mod sarif;
mod stryker;
mod text;

pub(crate) use markdown::{code, inert};

use crate::text::harmless::turns_direction;
use proctor_core::verdict::Verification;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How a verification is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// Fit for a pull request comment.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// `JUnit` XML.
    Junit,
    /// One page for a browser.
    Html,
    /// Annotations of GitHub Actions.
    Github,
    /// The mutation testing elements' report, as Stryker's viewer reads it.
    Stryker,
    /// GitLab's Code Quality report.
    Gitlab,
}

/// Whether text for people has colours. Other formats have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Plain,
    Coloured,
}

/// The whole answer in a format; it ends with a new line.
pub fn render(v: &Verification, format: Format, look: Look) -> String {
    match format {
        Format::Text => text::render(v, look),
        Format::Json => json(&Verification { mutants: Vec::new(), ..v.clone() }),
        Format::Markdown => markdown::render(v),
        Format::Sarif => sarif::render(v),
        Format::Junit => junit::render(v),
        Format::Html => html::render(v),
        Format::Github => github::render(v),
        Format::Stryker => mutation_report(v, &BTreeMap::new()),
        Format::Gitlab => gitlab::render(v),
    }
}

/// The report of mutants with the text of each file at head, where that is at hand.
pub fn mutation_report(v: &Verification, sources: &BTreeMap<String, String>) -> String {
    stryker::render(v, sources)
}

fn json<T: serde::Serialize>(value: &T) -> String {
    // Keys that are no text are all that can fail, and there are none. Nothing at all would be no verdict to a reader.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // The same JSON, but nothing in it moves a terminal: JSON itself lets some control characters stand.
        if c != '\n' && (c.is_control() || turns_direction(c)) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests;
