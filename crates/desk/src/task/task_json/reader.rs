//! Reads JSON values by their place, and collects what is wrong. Knows nothing of tasks.

use crate::text::nearest::nearest;
use serde_json::Value;
use std::fmt;

/// What is wrong with a task, where, and what is expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFault {
    /// A JSON path, such as `$.meta.tdd_cycles[0].test_count`.
    pub path: String,
    pub why: String,
    pub expected: String,
}

impl TaskFault {
    pub fn new(path: &str, why: String, expected: &str) -> Self {
        Self { path: path.to_owned(), why, expected: expected.to_owned() }
    }
}

impl fmt::Display for TaskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; expected {}", self.path, self.why, self.expected)
    }
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) path: String,
    pub(super) value: &'a Value,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { path: "$".to_owned(), value }
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    /// What nobody reads, with the nearest word that somebody does.
    pub(super) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let Some(object) = self.value.as_object() else { return Vec::new() };
        let strange = object.keys().filter(|key| !known.contains(&key.as_str()));
        strange
            .map(|key| match nearest(key, known.iter().copied()) {
                Some(near) => {
                    format!("{} is not known and ignored; did you mean `{near}`?", self.at(key))
                }
                None => format!("{} is not known and ignored", self.at(key)),
            })
            .collect()
    }
}

/// A value, short enough for a message.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    let cut: String = text.chars().take(40).collect();
    format!("{cut}…")
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) faults: Vec<TaskFault>,
}

impl Reader {
    pub(super) fn fault(&mut self, path: &str, why: String, expected: &str) {
        let fault = TaskFault::new(path, why, expected);
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn wrong(&mut self, path: &str, value: &Value, expected: &str) {
        self.fault(path, format!("must not be {}", shown(value)), expected);
    }

    pub(super) fn object(&mut self, node: &Node<'_>) -> Option<()> {
        if node.value.is_object() {
            return Some(());
        }
        self.wrong(&node.path, node.value, "an object");
        None
    }

    /// A part that is an object; absent and null are the same.
    pub(super) fn child<'a>(
        &mut self,
        node: &Node<'a>,
        key: &str,
        expected: &str,
    ) -> Option<Node<'a>> {
        let value = node.value.get(key).filter(|value| !value.is_null())?;
        if value.is_object() {
            return Some(Node { path: node.at(key), value });
        }
        self.wrong(&node.at(key), value, expected);
        None
    }

    /// The items of a part that is a list; absent and null are an empty one.
    pub(super) fn list<'a>(&mut self, node: &Node<'a>, key: &str, expected: &str) -> Vec<Node<'a>> {
        match node.value.get(key) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => {
                let at = |(n, value)| Node { path: format!("{}[{n}]", node.at(key)), value };
                items.iter().enumerate().map(at).collect()
            }
            Some(other) => {
                self.wrong(&node.at(key), other, expected);
                Vec::new()
            }
        }
    }

    /// A text that says something; absent and null are none.
    pub(super) fn text(&mut self, node: &Node<'_>, key: &str) -> Option<String> {
        match node.value.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.trim().is_empty() => {
                self.fault(&node.at(key), "is empty".to_owned(), "a text");
                None
            }
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => {
                self.wrong(&node.at(key), other, "a text");
                None
            }
        }
    }

    pub(super) fn required_text(&mut self, node: &Node<'_>, key: &str) -> String {
        if matches!(node.value.get(key), None | Some(Value::Null)) {
            self.fault(&node.at(key), "is missing".to_owned(), "a text that says what is wanted");
            return String::new();
        }
        self.text(node, key).unwrap_or_default()
    }

    pub(super) fn switch(&mut self, node: &Node<'_>, key: &str) -> Option<bool> {
        match node.value.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::Bool(on)) => Some(*on),
            Some(other) => {
                self.wrong(&node.at(key), other, "true or false");
                None
            }
        }
    }

    /// A whole number of one or more.
    pub(super) fn count(&mut self, node: &Node<'_>, key: &str) -> Option<u32> {
        let value = node.value.get(key).filter(|value| !value.is_null())?;
        let number =
            value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=10_000).contains(n));
        if number.is_none() {
            self.wrong(&node.at(key), value, "a whole number of 1 or more");
        }
        number
    }

    /// How many fixes there may be.
    pub(super) fn iterations(&mut self, node: Option<&Node<'_>>, key: &str) -> Option<u32> {
        let node = node?;
        let value = node.value.get(key).filter(|value| !value.is_null())?;
        let number =
            value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=20).contains(n));
        if number.is_none() {
            self.wrong(&node.at(key), value, "a whole number from 1 to 20");
        }
        number
    }

    /// One of a few words.
    pub(super) fn word(&mut self, node: &Node<'_>, key: &str, known: &[&str]) -> Option<String> {
        let text = self.text(node, key)?;
        if known.contains(&text.as_str()) {
            return Some(text);
        }
        self.fault(
            &node.at(key),
            format!("must not be {text:?}"),
            &format!("one of {}", known.join(", ")),
        );
        None
    }

    /// Texts with their places.
    pub(super) fn texts_at(
        &mut self,
        node: &Node<'_>,
        key: &str,
        expected: &str,
    ) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for item in self.list(node, key, expected) {
            match item.value {
                Value::String(text) if !text.trim().is_empty() => {
                    found.push((item.path, text.clone()));
                }
                Value::String(_) => self.fault(&item.path, "is empty".to_owned(), "a text"),
                // A file may come with a note why it is read.
                Value::Object(object) if object.get("path").is_some_and(Value::is_string) => {
                    let path = object.get("path").and_then(Value::as_str).unwrap_or_default();
                    found.push((item.path, path.to_owned()));
                }
                other => self.wrong(&item.path, other, "a text"),
            }
        }
        found
    }

    /// Names: texts, or objects with a name.
    pub(super) fn names_at(&mut self, node: &Node<'_>, key: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for item in self.list(node, key, "a list of names") {
            let named = item.value.get("name").or_else(|| item.value.get("description"));
            let name = item.value.as_str().or_else(|| named.and_then(Value::as_str));
            match name.map(str::trim).filter(|name| !name.is_empty()) {
                Some(name) if found.iter().any(|other| other == name) => {
                    self.fault(&item.path, format!("{name:?} is named twice"), "each case once");
                }
                Some(name) => found.push(name.to_owned()),
                None => self.wrong(&item.path, item.value, "a name, or an object with one"),
            }
        }
        found
    }
}
