//! The parts of a task that say how to go about it: `pre_analysis` steps and `implementation[]`, whose items are texts or
//! objects. An object with `tdd_phase` is a phase.

use super::reader::{Node, Reader, shown};
use super::{Method, method, tool};
use proctor_core::assignment::Route;
use proctor_core::words::Phase;
use serde_json::Value;

/// Something to look at before the work, in words.
pub(super) type Step = String;

#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) path: String,
    pub(super) phase: Option<Phase>,
    heading: String,
    description: String,
    actions: Vec<String>,
    pub(super) modification_points: Vec<String>,
    pub(super) logic_flow: Vec<String>,
    pub(super) method: Method,
    pub(super) tool: Option<String>,
    pub(super) max_iterations: Option<u32>,
}

impl Piece {
    pub(super) fn markdown(&self) -> String {
        let mut parts = Vec::new();
        if !self.heading.is_empty() {
            parts.push(format!("### {}", self.heading));
        }
        if !self.description.is_empty() {
            parts.push(self.description.clone());
        }
        let mut listed = |title: &str, items: &[String]| {
            if !items.is_empty() {
                parts.push(format!("{title}\n{}", numbered(items)));
            }
        };
        listed("Actions:", &self.actions);
        listed("Modification points, address every one of them:", &self.modification_points);
        listed("Logic flow, in this order:", &self.logic_flow);
        parts.join("\n\n")
    }
}

pub(super) fn numbered(items: &[String]) -> String {
    let lines: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(n, item)| format!("{}. {}", n + 1, item.replace('\n', "\n   ")))
        .collect();
    lines.join("\n")
}

/// `pre_analysis`: texts, or objects with a step, an action and commands.
pub(super) fn steps(reader: &mut Reader, root: &Node<'_>) -> Vec<Step> {
    said(reader, root, "pre_analysis")
}

/// Modification points and a logic flow of the task itself.
pub(super) fn own(reader: &mut Reader, root: &Node<'_>) -> Piece {
    Piece {
        path: root.path.clone(),
        modification_points: said(reader, root, "modification_points"),
        logic_flow: said(reader, root, "logic_flow"),
        ..Piece::default()
    }
}

pub(super) fn pieces(reader: &mut Reader, root: &Node<'_>, route: Route) -> Vec<Piece> {
    let nodes = reader.list(root, "implementation", "a list of texts and objects");
    let mut found = Vec::new();
    for node in &nodes {
        match node.value {
            Value::String(text) if !text.trim().is_empty() => found.push(Piece {
                path: node.path.clone(),
                description: text.clone(),
                ..Piece::default()
            }),
            Value::Object(_) => found.push(piece(reader, node)),
            other => reader.fault(
                &node.path,
                format!("must not be {}", shown(other)),
                "a text, or an object with step and description",
            ),
        }
    }
    if route == Route::Tdd {
        check_phases(reader, &found);
    }
    found
}

fn piece(reader: &mut Reader, node: &Node<'_>) -> Piece {
    let has_phase = node.value.get("tdd_phase").is_some_and(|value| !value.is_null());
    let word = reader.word(node, "tdd_phase", &["red", "green", "refactor"]);
    let phase = match word.as_deref() {
        Some("red") => Some(Phase::WriteTests),
        Some("green") => Some(Phase::Implement),
        Some("refactor") => Some(Phase::Refactor),
        _ => None,
    };
    let step = match node.value.get("step") {
        None | Some(Value::Null) => String::new(),
        Some(Value::Number(n)) => format!("Step {n}"),
        Some(Value::String(text)) => format!("Step {text}"),
        Some(other) => {
            let at = format!("{}.step", node.path);
            reader.fault(&at, format!("must not be {}", shown(other)), "a number or a text");
            String::new()
        }
    };
    let title =
        reader.text(node, "title").or_else(|| word.filter(|_| has_phase)).unwrap_or_default();
    let heading =
        [step, title].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
    let execution = reader.child(node, "execution_config", "an object");
    let (how, with) = match &execution {
        Some(config) => (method(reader, config), tool(reader, config)),
        None => (Method::Agent, None),
    };
    let loop_node = match node.value.get("test_fix_cycle") {
        Some(Value::Bool(_)) => None,
        _ => reader.child(node, "test_fix_cycle", "an object, or true or false"),
    };
    Piece {
        path: node.path.clone(),
        phase,
        heading,
        description: reader.text(node, "description").unwrap_or_default(),
        actions: said(reader, node, "actions"),
        modification_points: said(reader, node, "modification_points"),
        logic_flow: said(reader, node, "logic_flow"),
        method: how,
        tool: with,
        max_iterations: reader.iterations(loop_node.as_ref(), "max_iterations"),
    }
}

/// Exactly one phase each of red, green and refactor, in this order, and a green one that says something.
fn check_phases(reader: &mut Reader, pieces: &[Piece]) {
    const NAMES: [(Phase, &str); 3] =
        [(Phase::WriteTests, "red"), (Phase::Implement, "green"), (Phase::Refactor, "refactor")];
    let at = "$.implementation";
    let phases: Vec<(Phase, &Piece)> =
        pieces.iter().filter_map(|piece| Some((piece.phase?, piece))).collect();
    if phases.len() != 3 {
        let why = format!("{} objects have a tdd_phase", phases.len());
        reader.fault(at, why, "exactly 3: red, green and refactor");
    }
    for (phase, name) in NAMES {
        let of: Vec<&Piece> =
            phases.iter().filter(|(own, _)| *own == phase).map(|(_, p)| *p).collect();
        match of.as_slice() {
            [] => reader.fault(
                at,
                format!("no object has the tdd_phase {name}"),
                "one of each: red, green and refactor",
            ),
            [_] => {}
            [_, second, ..] => {
                let at = format!("{}.tdd_phase", second.path);
                reader.fault(
                    &at,
                    format!("{name} is there a second time"),
                    "one of each: red, green and refactor",
                );
            }
        }
    }
    if phases.len() == 3 && !phases.iter().map(|(phase, _)| *phase).is_sorted() {
        reader.fault(
            at,
            "the phases stand in another order".to_owned(),
            "red, then green, then refactor",
        );
    }
    for (_, green) in phases.iter().filter(|(phase, _)| *phase == Phase::Implement) {
        if green.actions.is_empty() && green.description.is_empty() {
            reader.fault(
                &green.path,
                "the green phase says nothing".to_owned(),
                "actions or a description",
            );
        }
    }
}

/// What a list says, each item in words: a text as it is, an object by its fields.
fn said(reader: &mut Reader, node: &Node<'_>, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    for item in reader.list(node, key, "a list of texts and objects") {
        match item.value {
            Value::String(text) if !text.trim().is_empty() => found.push(text.clone()),
            Value::Object(object) if !object.is_empty() => found.push(in_words(item.value)),
            other => reader.fault(
                &item.path,
                format!("must not be {}", shown(other)),
                "a text, or an object that says something",
            ),
        }
    }
    found
}

/// A value for people and models.
pub(super) fn in_words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => items.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Object(object) => {
            let said = object
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| format!("{key}: {}", in_words(value)));
            said.collect::<Vec<_>>().join("; ")
        }
    }
}
