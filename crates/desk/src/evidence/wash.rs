//! Output on its way out of the machine: secrets, paths and handed-on values are masked in every string.

use super::pack::{INLINE, Output, Shown};
use proctor_core::secret::redact;
use proctor_engine::evidence::{Masks, Printed};
use serde_json::Value;

pub struct Wash(pub Masks);

impl Wash {
    pub fn text(&self, text: &str) -> String {
        redact(&self.0.hide(text))
    }

    /// Every string of a value; names of fields stay.
    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| {
                    let value = self.value(value);
                    (name, value)
                })
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    /// Bytes as they may be shown, with the file that holds all of it.
    pub fn shown(&self, bytes: &[u8], file: &str) -> (Output, Vec<u8>) {
        let washed = self.text(&String::from_utf8_lossy(bytes));
        let same = washed.as_bytes() == bytes;
        let text = Output {
            was: Printed::of(bytes),
            shown: if same { Shown::AsItWas } else { Shown::Masked },
            file: Some(file.to_owned()),
            text: (washed.len() <= INLINE).then(|| washed.clone()),
        };
        (text, washed.into_bytes())
    }
}

/// A text of which only the hash is here.
pub fn unseen(was: Printed) -> Output {
    Output { was, shown: Shown::Not, file: None, text: None }
}
