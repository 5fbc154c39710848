//! What a task knows of the project before anybody looks: tech stack, conventions, critical files, integration points.

use super::pieces::in_words;
use super::reader::{Node, Reader};
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Background {
    pub(super) text: String,
    /// Looked at first by the agents.
    pub(super) critical_files: Vec<String>,
    /// The test tool that the tech stack names, so that none has to be found.
    pub(super) runner: Option<String>,
}

/// The parts may stand in `context` or at the top.
pub(super) fn read(reader: &mut Reader, root: &Node<'_>) -> Background {
    let context = reader.child(root, "context", "an object");
    let mut found = Background::default();
    let mut parts = Vec::new();
    for (key, fields) in [
        ("shared_context", &["tech_stack", "conventions"][..]),
        ("plan", &["conventions", "tech_stack"]),
        ("exploration_results", &["critical_files", "integration_points", "conventions"]),
    ] {
        let nested = context.as_ref().and_then(|node| reader.child(node, key, "an object"));
        let node = nested.or_else(|| reader.child(root, key, "an object"));
        let Some(node) = node else { continue };
        let known = fields.iter().filter_map(|field| Some((*field, node.value.get(field)?)));
        for (field, value) in known.filter(|(_, value)| !value.is_null()) {
            match field {
                "tech_stack" => found.runner = found.runner.or_else(|| runner_of(value)),
                "critical_files" => found.critical_files.extend(files(value)),
                _ => {}
            }
            parts.push(format!("{}:\n{}", title(field), lines(value)));
        }
    }
    found.text = parts.join("\n\n");
    found
}

fn title(field: &str) -> &'static str {
    match field {
        "tech_stack" => "Tech stack",
        "conventions" => "Conventions of this project, to be followed",
        "critical_files" => "Critical files",
        _ => "Integration points",
    }
}

fn lines(value: &Value) -> String {
    let items: Vec<String> = match value {
        Value::Array(items) => items.iter().map(in_words).collect(),
        Value::Object(object) => {
            object.iter().map(|(key, value)| format!("{key}: {}", in_words(value))).collect()
        }
        other => vec![in_words(other)],
    };
    items.iter().map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

/// Paths that can be named to an agent.
fn files(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let path = |item: &Value| {
        let named = item.as_str().or_else(|| item.get("path").and_then(Value::as_str));
        named.map(str::to_owned)
    };
    items
        .iter()
        .filter_map(path)
        .filter(|path| proctor_core::intake::check_path(path).is_ok())
        .collect()
}

fn runner_of(value: &Value) -> Option<String> {
    let text = in_words(value).to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    // `node` and `go` name a language as well, and `junit` needs a command of its own.
    let tools = ["pytest", "vitest", "jest", "cargo", "maven"];
    let mut named = tools.into_iter().filter(|tool| words.contains(tool));
    match (named.next(), named.next()) {
        (Some(one), None) => Some(one.to_owned()),
        _ => None,
    }
}
