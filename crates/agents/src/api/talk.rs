//! A conversation with a model, in no provider's words: what it was told, what it said, what its calls brought. Owns
//! the shape that is kept between turns; knows no wire.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was said so far, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Talk {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "kebab-case")]
pub enum Item {
    /// To the model.
    Told { text: String, why: Why },
    /// By the model.
    Said { parts: Vec<Part> },
    /// What its calls brought, in their order.
    Brought { results: Vec<Brought> },
}

/// Why the model is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// A turn begins.
    Task,
    /// It is helped along.
    Nudge,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum Part {
    Text {
        text: String,
    },
    Call(Call),
    /// What the provider wants back as it was, such as signed thoughts.
    Kept {
        block: Value,
    },
}

/// One use of a tool, as the model wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// JSON, as far as the model kept to it.
    pub arguments: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    pub id: String,
    pub text: String,
    pub went: Went,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Went {
    Well,
    Wrong,
}

impl Call {
    /// The arguments as an object; an empty text counts as none.
    pub fn input(&self) -> Result<serde_json::Map<String, Value>, String> {
        let text = self.arguments.trim();
        let text = if text.is_empty() { "{}" } else { text };
        serde_json::from_str(text).map_err(|why| why.to_string())
    }

    /// The same for the wire, where what is broken would break the next request too.
    pub(crate) fn input_or_none(&self) -> Value {
        self.input().map_or_else(|_| Value::Object(serde_json::Map::new()), Value::Object)
    }
}

impl Item {
    /// About how many tokens it takes, at four bytes each.
    pub(crate) fn tokens(&self) -> u64 {
        let bytes: usize = match self {
            Self::Told { text, .. } => text.len(),
            Self::Said { parts } => parts
                .iter()
                .map(|part| match part {
                    Part::Text { text } => text.len(),
                    Part::Call(call) => call.name.len() + call.arguments.len() + 20,
                    Part::Kept { block } => block.to_string().len(),
                })
                .sum(),
            Self::Brought { results } => results.iter().map(|result| result.text.len() + 20).sum(),
        };
        u64::try_from(bytes / 4 + 4).unwrap_or(u64::MAX)
    }
}

impl Talk {
    /// Begins a turn. Calls that were cut off are answered first: no provider takes a call without an answer.
    pub fn begin(&mut self, task: &str) {
        if let Some(Item::Said { parts }) = self.items.last() {
            let results: Vec<Brought> = parts
                .iter()
                .filter_map(|part| match part {
                    Part::Call(call) => Some(Brought {
                        id: call.id.clone(),
                        text: "The turn was cut off before this was done.".to_owned(),
                        went: Went::Wrong,
                    }),
                    Part::Text { .. } | Part::Kept { .. } => None,
                })
                .collect();
            if !results.is_empty() {
                self.items.push(Item::Brought { results });
            }
        }
        self.items.push(Item::Told { text: task.to_owned(), why: Why::Task });
    }

    pub(crate) fn nudge(&mut self, text: impl Into<String>) {
        self.items.push(Item::Told { text: text.into(), why: Why::Nudge });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_that_was_cut_off_gets_its_calls_answered_before_the_next_begins() {
        let call = Call { id: "c1".into(), name: "run".into(), arguments: "{}".into() };
        let mut talk = Talk { items: vec![Item::Said { parts: vec![Part::Call(call)] }] };
        talk.begin("go on");
        let kept = serde_json::to_string(&talk).unwrap();
        assert_eq!(serde_json::from_str::<Talk>(&kept).unwrap(), talk);
        assert!(
            matches!(&talk.items[1], Item::Brought { results } if results[0].id == "c1"),
            "{talk:?}"
        );
        assert!(matches!(&talk.items[2], Item::Told { why: Why::Task, .. }));
    }
}
