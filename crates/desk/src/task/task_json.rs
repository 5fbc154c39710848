//! A task as JSON: the format that an orchestrator writes. Reads it into a [`TaskJson`], and names every fault with its
//! place and what is expected there. Pure: it reads no file and starts nothing.

mod context;
mod criteria;
mod pieces;
mod reader;
mod schema;

pub use criteria::TestCommand;
pub use reader::TaskFault;
pub use schema::schema;

use crate::config::value::Least;
use criteria::Criteria;
use pieces::{Piece, Step};
use proctor_core::agent::SessionPolicy;
use proctor_core::assignment::Route;
use proctor_core::words::{Phase, TaskType};
use reader::{Node, Reader};
use serde_json::Value;

/// Whether a test command that needs a shell may have one. Said by the configuration of the base commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    Refused,
    Allowed,
}

/// A task that has no fault.
#[derive(Debug)]
pub struct TaskJson {
    pub id: Option<String>,
    pub kind: Option<TaskType>,
    pub title: String,
    pub route: Route,
    /// How many fixes follow the first try.
    pub max_iterations: Option<u32>,
    pub cycles: Vec<Cycle>,
    pub method: Method,
    /// The agents that phases name, each with where it was named.
    pub tools: Vec<(Phase, String, String)>,
    pub cli: CliExecution,
    pub focus_paths: Vec<String>,
    pub files_to_read: Vec<String>,
    pub todo: Option<String>,
    pub test_command: Option<TestCommand>,
    /// The test tool that the tech stack names.
    pub runner: Option<String>,
    /// What is ignored, in words.
    pub remarks: Vec<String>,
    description: String,
    background: String,
    criteria: Vec<String>,
    steps: Vec<Step>,
    pieces: Vec<Piece>,
    own: Piece,
}

/// One round of tests and code.
#[derive(Debug, Default)]
pub struct Cycle {
    pub test_count: Option<u32>,
    pub test_cases: Vec<String>,
    pub scope: String,
    pub coverage: Option<Least>,
}

/// Who takes the turns: an agent as it is configured, or a program that is handed the whole work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    #[default]
    Agent,
    Cli,
}

/// Whether the work goes on in a conversation that was there before.
#[derive(Debug, Default)]
pub struct CliExecution {
    pub id: Option<String>,
    pub strategy: Option<SessionPolicy>,
    pub resume_from: Vec<String>,
}

const KNOWN: [&str; 25] = [
    "id",
    "title",
    "description",
    "type",
    "status",
    "meta",
    "cli_execution",
    "focus_paths",
    "files_to_read",
    "files",
    "pre_analysis",
    "implementation",
    "modification_points",
    "logic_flow",
    "convergence",
    "context",
    "shared_context",
    "plan",
    "exploration_results",
    "todo_list",
    "depends_on",
    "scope",
    "action",
    "priority",
    "$schema",
];

impl TaskJson {
    /// Reads a task's text. Every fault is named, in the order of the file as far as it has one.
    pub fn parse(text: &str, shell: Shell) -> Result<Self, Vec<TaskFault>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let why = error.to_string();
            vec![TaskFault::new("$", format!("this is not JSON: {why}"), "one JSON object")]
        })?;
        let mut reader = Reader::default();
        let task = Self::read(&mut reader, &Node::root(&value), shell);
        match task {
            Some(task) if reader.faults.is_empty() => Ok(task),
            _ => Err(reader.faults),
        }
    }

    fn read(reader: &mut Reader, root: &Node<'_>, shell: Shell) -> Option<Self> {
        reader.object(root)?;
        let meta = reader.child(root, "meta", "an object");
        let route = read_route(reader, meta.as_ref());
        let description = reader.required_text(root, "description");
        let title = reader.text(root, "title").unwrap_or_else(|| first_line(&description));
        let steps = pieces::steps(reader, root);
        let read = pieces::pieces(reader, root, route);
        let criteria = criteria::read(reader, root, (route, shell));
        let Criteria { texts, command, remarks } = criteria;
        let mut task = Self {
            id: reader.text(root, "id"),
            kind: kind(reader, root, meta.as_ref()),
            title,
            route,
            max_iterations: None,
            cycles: cycles(reader, meta.as_ref()),
            method: Method::Agent,
            tools: Vec::new(),
            cli: cli_execution(reader, root),
            focus_paths: paths(reader, root, "focus_paths"),
            files_to_read: paths(reader, root, "files_to_read"),
            todo: todo(reader, root, meta.as_ref()),
            test_command: command,
            runner: None,
            remarks,
            description,
            background: String::new(),
            criteria: texts,
            steps,
            own: pieces::own(reader, root),
            pieces: read,
        };
        task.execution(reader, meta.as_ref());
        let background = context::read(reader, root);
        task.focus_paths.extend(background.critical_files.iter().cloned());
        task.runner = background.runner;
        task.background = background.text;
        let of_green = task.pieces.iter().find_map(|piece| piece.max_iterations);
        task.max_iterations = reader.iterations(meta.as_ref(), "max_iterations").or(of_green);
        task.remarks.extend(root.unknown(&KNOWN));
        Some(task)
    }

    /// Methods and tools, of the task and of each phase.
    fn execution(&mut self, reader: &mut Reader, meta: Option<&Node<'_>>) {
        let whole = meta.and_then(|meta| reader.child(meta, "execution_config", "an object"));
        let whole =
            whole.map(|node| (method(reader, &node), tool(reader, &node), node.path.clone()));
        let mut any_cli = false;
        if let Some((how, tool, path)) = whole {
            any_cli |= how == Method::Cli;
            if let Some(tool) = tool {
                for phase in [Phase::WriteTests, Phase::Implement] {
                    self.tools.push((phase, tool.clone(), path.clone()));
                }
            }
        }
        for piece in &self.pieces {
            any_cli |= piece.method == Method::Cli;
            let (Some(phase), Some(tool)) = (piece.phase, &piece.tool) else { continue };
            let at = format!("{}.execution_config", piece.path);
            let phase = if phase == Phase::Refactor { Phase::Implement } else { phase };
            if phase == Phase::Implement
                && let Some(other) = self.pieces.iter().find_map(|other| {
                    let coder = matches!(other.phase, Some(Phase::Implement | Phase::Refactor));
                    other.tool.clone().filter(|theirs| coder && theirs != tool)
                })
            {
                reader.fault(
                    &at,
                    format!("green and refactor are one coder's work, and name {tool} and {other}"),
                    "the same tool in both",
                );
            }
            self.tools.retain(|(of, _, _)| *of != phase);
            self.tools.push((phase, tool.clone(), at));
        }
        self.method = if any_cli { Method::Cli } else { Method::Agent };
    }

    /// What the whole run is told.
    pub fn details(&self) -> String {
        let mut text = self.description.trim().to_owned();
        if !self.background.is_empty() {
            text.push_str("\n\n");
            text.push_str(&self.background);
        }
        if !self.criteria.is_empty() {
            text.push_str("\n\nIt is done when:\n");
            text.push_str(&list(&self.criteria));
        }
        text
    }

    /// What the turns of one phase are told.
    pub fn orders(&self, phase: Phase) -> String {
        let mut parts: Vec<String> = Vec::new();
        if matches!(phase, Phase::WriteTests | Phase::Implement) && !self.steps.is_empty() {
            parts.push(format!("Before you begin:\n{}", pieces::numbered(&self.steps)));
        }
        if phase == Phase::WriteTests {
            parts.extend(self.about_tests());
        }
        let of = |piece: &&Piece| match piece.phase {
            Some(own) => own == phase,
            // What belongs to no phase is the coder's.
            None => phase == Phase::Implement,
        };
        parts.extend(self.pieces.iter().filter(of).map(Piece::markdown));
        let scopes = self.scopes();
        if phase == Phase::Implement && !scopes.is_empty() {
            parts.push(format!("The work covers:\n{}", list(&scopes)));
        }
        if phase == Phase::Implement {
            parts.push(self.own.markdown());
        }
        if phase == Phase::Review {
            parts.extend(self.for_review());
        }
        parts.retain(|part| !part.trim().is_empty());
        parts.join("\n\n")
    }

    pub fn scopes(&self) -> Vec<String> {
        self.cycles.iter().map(|cycle| cycle.scope.clone()).filter(|s| !s.is_empty()).collect()
    }

    fn about_tests(&self) -> Option<String> {
        let cases: Vec<String> =
            self.cycles.iter().flat_map(|cycle| cycle.test_cases.iter().cloned()).collect();
        let count = self.test_count().map(|count| format!("Write exactly {count} tests."));
        let named = (!cases.is_empty()).then(|| {
            format!("One test for each of these cases, named in the same words:\n{}", list(&cases))
        });
        let told: Vec<String> = count.into_iter().chain(named).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// How many tests all cycles ask for together, where each of them says so.
    pub fn test_count(&self) -> Option<u32> {
        let counts: Option<Vec<u32>> = self.cycles.iter().map(|cycle| cycle.test_count).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.iter().sum())
    }

    pub fn test_cases(&self) -> Vec<String> {
        self.cycles.iter().flat_map(|cycle| cycle.test_cases.iter().cloned()).collect()
    }

    /// The highest target of all cycles.
    pub fn coverage(&self) -> Option<Least> {
        self.cycles.iter().filter_map(|cycle| cycle.coverage).max_by_key(|least| least.0)
    }

    /// What the reviewer holds the change against.
    fn for_review(&self) -> Vec<String> {
        let all = || self.pieces.iter().chain([&self.own]);
        let points: Vec<String> =
            all().flat_map(|piece| piece.modification_points.iter().cloned()).collect();
        let flow: Vec<String> = all().flat_map(|piece| piece.logic_flow.iter().cloned()).collect();
        let mut parts = Vec::new();
        if !points.is_empty() {
            parts.push(format!(
                "Check that every modification point is addressed:\n{}",
                list(&points)
            ));
        }
        if !flow.is_empty() {
            parts.push(format!(
                "Check that the logic flow is followed in this order:\n{}",
                list(&flow)
            ));
        }
        parts
    }
}

fn list(items: &[String]) -> String {
    items
        .iter()
        .map(|item| format!("- {}", item.replace('\n', "\n  ")))
        .collect::<Vec<_>>()
        .join("\n")
}

fn first_line(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .chars()
        .take(120)
        .collect()
}

fn read_route(reader: &mut Reader, meta: Option<&Node<'_>>) -> Route {
    match meta.and_then(|meta| reader.switch(meta, "tdd_workflow")) {
        Some(true) => Route::Tdd,
        Some(false) | None => Route::Plain,
    }
}

fn kind(reader: &mut Reader, root: &Node<'_>, meta: Option<&Node<'_>>) -> Option<TaskType> {
    let own = reader.text(root, "type");
    let word = own.or_else(|| meta.and_then(|meta| reader.text(meta, "type")))?;
    Some(match word.to_lowercase().replace(['-', ' '], "_").as_str() {
        "bug_fix" | "bugfix" | "bug" | "fix" | "hotfix" => TaskType::BugFix,
        "refactor" | "refactoring" => TaskType::Refactor,
        // Whatever else it is called, it adds something.
        _ => TaskType::Feature,
    })
}

fn paths(reader: &mut Reader, node: &Node<'_>, key: &str) -> Vec<String> {
    let found = reader.texts_at(node, key, "a list of paths inside the repository");
    for (path, text) in &found {
        if proctor_core::intake::check_path(text).is_err() {
            reader.fault(
                path,
                format!("{text:?} leads out of the repository or is no path"),
                "a path inside the repository",
            );
        }
    }
    found.into_iter().map(|(_, text)| text).collect()
}

fn todo(reader: &mut Reader, root: &Node<'_>, meta: Option<&Node<'_>>) -> Option<String> {
    let own = reader.text(root, "todo_list");
    own.or_else(|| meta.and_then(|meta| reader.text(meta, "todo_list")))
}

fn cycles(reader: &mut Reader, meta: Option<&Node<'_>>) -> Vec<Cycle> {
    let Some(meta) = meta else { return Vec::new() };
    let nodes = reader.list(meta, "tdd_cycles", "a list of objects");
    nodes.iter().filter_map(|node| cycle(reader, node)).collect()
}

fn cycle(reader: &mut Reader, node: &Node<'_>) -> Option<Cycle> {
    reader.object(node)?;
    let test_count = reader.count(node, "test_count");
    let test_cases = reader.names_at(node, "test_cases");
    if let Some(count) = test_count
        && test_cases.len() > count as usize
    {
        let at = format!("{}.test_cases", node.path);
        let why = format!("{} cases are named, and test_count says {count}", test_cases.len());
        reader.fault(&at, why, "as many cases as test_count says, or fewer");
    }
    let coverage = reader.text(node, "expected_coverage");
    let coverage = coverage.and_then(|text| {
        let least = Least::parse(&text).ok();
        if least.is_none() {
            let at = format!("{}.expected_coverage", node.path);
            reader.fault(&at, format!("{text:?} is not a share"), "a share such as \">=85%\"");
        }
        least
    });
    let scope = reader.text(node, "implementation_scope").unwrap_or_default();
    Some(Cycle { test_count, test_cases, scope, coverage })
}

fn method(reader: &mut Reader, node: &Node<'_>) -> Method {
    let word = reader.word(node, "method", &["agent", "cli"]);
    if word.as_deref() == Some("cli") { Method::Cli } else { Method::Agent }
}

/// The agent that takes the turn, under any of its names.
fn tool(reader: &mut Reader, node: &Node<'_>) -> Option<String> {
    ["tool", "cli_tool", "agent"].iter().find_map(|key| reader.text(node, key))
}

fn cli_execution(reader: &mut Reader, root: &Node<'_>) -> CliExecution {
    let Some(node) = reader.child(root, "cli_execution", "an object") else {
        return CliExecution::default();
    };
    let id = reader.text(&node, "id");
    let names = SessionPolicy::ALL.map(SessionPolicy::name);
    let word = reader.word(&node, "strategy", &names);
    let strategy =
        SessionPolicy::ALL.into_iter().find(|policy| Some(policy.name()) == word.as_deref());
    let resume_from = resume_from(reader, &node, strategy);
    CliExecution { id, strategy, resume_from }
}

fn resume_from(
    reader: &mut Reader,
    node: &Node<'_>,
    strategy: Option<SessionPolicy>,
) -> Vec<String> {
    let at = format!("{}.resume_from", node.path);
    let wants_list = strategy == Some(SessionPolicy::MergeFork);
    match node.value.get("resume_from") {
        None | Some(Value::Null) => {
            if matches!(
                strategy,
                Some(SessionPolicy::Resume | SessionPolicy::Fork | SessionPolicy::MergeFork)
            ) {
                let expected = if wants_list {
                    "a list of ids of earlier tasks"
                } else {
                    "the id of an earlier task"
                };
                reader.fault(&at, "is missing".to_owned(), expected);
            }
            Vec::new()
        }
        Some(Value::String(text)) if !wants_list && !text.trim().is_empty() => vec![text.clone()],
        Some(Value::Array(_)) if wants_list => {
            let found = reader.texts_at(node, "resume_from", "a list of ids of earlier tasks");
            if found.is_empty() {
                reader.fault(&at, "is empty".to_owned(), "at least one id of an earlier task");
            }
            found.into_iter().map(|(_, text)| text).collect()
        }
        Some(other) => {
            let expected = if wants_list {
                "a list of ids, since the strategy is merge_fork"
            } else {
                "one id as a text; a list is for the strategy merge_fork"
            };
            reader.fault(&at, format!("must not be {}", reader::shown(other)), expected);
            Vec::new()
        }
    }
}

#[cfg(test)]
#[path = "task_json/tests.rs"]
mod tests;
