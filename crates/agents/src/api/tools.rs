//! The tools that a model is given: what they are called and take, and what one call means. A call that can't be carried
//! out is answered with why. Nothing is carried out here.

use super::rounds::Rules;
use super::talk::Call;
use crate::launch::Hands;
use serde_json::{Map, Value, json};
use std::path::{Component, Path};

/// The tool by which a turn ends.
pub const FINISH: &str = "finish";

/// How long a command may take, and how long the model may ask for, in seconds.
const RUN_S: u64 = 120;
const LONGEST_RUN_S: u64 = 600;

/// What a call wants done. Paths are seen from the folder that the agent works in, and lead nowhere else by their
/// spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    Read {
        path: String,
        /// The first line, from 1, and how many.
        from: u64,
        lines: Option<u64>,
    },
    List {
        path: String,
    },
    Search {
        path: String,
        pattern: String,
    },
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
        which: Which,
    },
    Run {
        argv: Vec<String>,
        seconds: u64,
    },
}

/// Which places an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    TheOnly,
    All,
}

/// A tool as it is told to a model.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) about: String,
    pub(crate) takes: Value,
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// The tools of a turn.
pub(crate) fn offered(rules: &Rules) -> Vec<Tool> {
    let tool = |name, about: &str, takes| Tool { name, about: about.to_owned(), takes };
    let path = json!({"type": "string", "description": "Path below the project folder"});
    let mut tools = vec![
        tool(
            "read",
            "Read a text file, or some of its lines.",
            object(
                &json!({"path": path, "from": {"type": "integer", "description": "First line, from 1"},
                    "lines": {"type": "integer", "description": "How many lines"}}),
                &["path"],
            ),
        ),
        tool(
            "list",
            "List the files below a folder. Files that git ignores are left out.",
            object(&json!({"path": path}), &[]),
        ),
        tool(
            "search",
            "Search the files below a path for a regular expression. Gives path, line number and line.",
            object(&json!({"pattern": {"type": "string"}, "path": path}), &["pattern"]),
        ),
    ];
    if rules.hands == Hands::Free {
        let text = json!({"type": "string"});
        tools.extend([
            tool(
                "write",
                "Write a whole file. Folders are made, a file that is there is replaced.",
                object(&json!({"path": path, "content": text}), &["path", "content"]),
            ),
            tool(
                "edit",
                "Replace a text in a file. `old` must be in the file exactly once, unless `all` is true.",
                object(
                    &json!({"path": path, "old": text, "new": text, "all": {"type": "boolean"}}),
                    &["path", "old", "new"],
                ),
            ),
            tool(
                "run",
                "Run a shell line in the project folder, such as the tests. It gets no input, and everything that it starts ends with it.",
                object(
                    &json!({"command": text, "seconds": {"type": "integer",
                        "description": format!("Time limit, {RUN_S} where it is not given, at most {LONGEST_RUN_S}")}}),
                    &["command"],
                ),
            ),
        ]);
    }
    if let Some(schema) = &rules.schema {
        let mut takes = schema.clone();
        if let Some(fields) = takes.as_object_mut() {
            fields.remove("$schema");
            fields.remove("title");
        }
        let about = "End the turn with your answer. Call it when all the work is done.";
        tools.push(Tool { name: FINISH, about: about.to_owned(), takes });
    }
    tools
}

/// What a call means, or what the model is told instead.
pub fn deed(rules: &Rules, call: &Call) -> Result<Deed, String> {
    let names: Vec<&str> = offered(rules).iter().map(|tool| tool.name).collect();
    if !names.contains(&call.name.as_str()) {
        return Err(match call.name.as_str() {
            "write" | "edit" | "run" => {
                format!("`{}` is not for this turn: it only reads.", call.name)
            }
            name => format!("There is no tool `{name}`. There are {}.", names.join(", ")),
        });
    }
    let input = call.input().map_err(|why| {
        format!("The arguments of `{}` are not a whole JSON object: {why}. If they were too long, do it in smaller parts.", call.name)
    })?;
    let input = Input { tool: &call.name, fields: &input };
    let path = |or: Option<&str>| within(&rules.root, &input.text_or("path", or)?);
    match call.name.as_str() {
        "read" => Ok(Deed::Read {
            path: path(None)?,
            from: input.number("from")?.unwrap_or(1).max(1),
            lines: input.number("lines")?,
        }),
        "list" => Ok(Deed::List { path: path(Some(""))? }),
        "search" => {
            Ok(Deed::Search { path: path(Some(""))?, pattern: input.text_or("pattern", None)? })
        }
        "write" => Ok(Deed::Write {
            path: open(rules, path(None)?)?,
            content: input.text_or("content", None)?,
        }),
        "edit" => Ok(Deed::Edit {
            path: open(rules, path(None)?)?,
            old: input.text_or("old", None)?,
            new: input.text_or("new", None)?,
            which: match input.fields.get("all") {
                Some(Value::Bool(true)) => Which::All,
                _ => Which::TheOnly,
            },
        }),
        _ => {
            let seconds = input.number("seconds")?.unwrap_or(RUN_S).clamp(1, LONGEST_RUN_S);
            Ok(Deed::Run { argv: input.command()?, seconds })
        }
    }
}

/// The arguments of one call.
struct Input<'a> {
    tool: &'a str,
    fields: &'a Map<String, Value>,
}

impl Input<'_> {
    fn text_or(&self, name: &str, or: Option<&str>) -> Result<String, String> {
        match (self.fields.get(name), or) {
            (Some(Value::String(text)), _) => Ok(text.clone()),
            (None | Some(Value::Null), Some(or)) => Ok(or.to_owned()),
            (None | Some(Value::Null), None) => Err(format!("`{}` needs `{name}`.", self.tool)),
            (Some(_), _) => Err(format!("`{name}` of `{}` must be a text.", self.tool)),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(format!("`{name}` of `{}` must be a whole number.", self.tool)),
            },
        }
    }

    /// A text is a line for the shell, a list is started as it is.
    fn command(&self) -> Result<Vec<String>, String> {
        let argv: Vec<String> = match self.fields.get("command") {
            Some(Value::Array(words)) => {
                words.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => vec!["sh".to_owned(), "-c".to_owned(), self.text_or("command", None)?],
        };
        let said = argv.last().is_some_and(|word| !word.trim().is_empty());
        if said { Ok(argv) } else { Err("`command` of `run` is empty.".to_owned()) }
    }
}

/// A path as it is seen from the folder, where it stays below by its spelling. Links are looked at when it is used.
fn within(root: &Path, given: &str) -> Result<String, String> {
    let outside = || {
        format!(
            "{given:?} is not below the project folder. Only files there can be used, without `..`."
        )
    };
    let path = Path::new(given.trim());
    let below =
        if path.is_absolute() { path.strip_prefix(root).map_err(|_| outside())? } else { path };
    let mut words = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(word) => words.push(word.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(outside());
            }
        }
    }
    Ok(words.join("/"))
}

/// A path that may be written.
fn open(rules: &Rules, path: String) -> Result<String, String> {
    if path.is_empty() {
        return Err("`path` names no file.".to_owned());
    }
    if path == ".git" || path.starts_with(".git/") {
        return Err("Git's own files are not part of the work.".to_owned());
    }
    rules.policy.may_write(&rules.root.join(&path))?;
    Ok(path)
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
