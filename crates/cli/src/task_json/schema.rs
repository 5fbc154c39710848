//! The JSON schema of the format, for those who write task files. What it can't say (exactly one phase of each kind) the
//! reader says.

use serde_json::{Value, json};

/// The schema as text, as it is shipped.
pub fn schema() -> String {
    format!("{:#}\n", value())
}

fn value() -> Value {
    let text = |what: &str| json!({"type": "string", "minLength": 1, "description": what});
    let paths = |what: &str| json!({"type": "array", "items": {"$ref": "#/$defs/path"}, "description": what});
    let said = |what: &str| json!({"type": "array", "items": {"$ref": "#/$defs/said"}, "description": what});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A task of Proctor",
        "type": "object",
        "required": ["description"],
        "properties": {
            "id": text("The task's id; branches are named after it"),
            "title": text("What is wanted, in a sentence"),
            "description": text("What is wanted, in full"),
            "type": text("bug_fix, feature or refactor"),
            "meta": {"$ref": "#/$defs/meta"},
            "cli_execution": {"$ref": "#/$defs/cli_execution"},
            "focus_paths": paths("Where the agents look first"),
            "files_to_read": paths("Files whose text comes first in every prompt"),
            "pre_analysis": said("What is looked at before the work begins"),
            "implementation": {
                "type": "array",
                "items": {"oneOf": [text("A step"), {"$ref": "#/$defs/piece"}]},
                "description": "The work. With meta.tdd_workflow exactly three objects have a tdd_phase: red, green and refactor, in this order"
            },
            "modification_points": said("Places that have to change, all of them"),
            "logic_flow": said("The order in which the code goes about it"),
            "convergence": {
                "type": "object",
                "properties": {"criteria": {
                    "type": "array", "items": {"type": "string", "minLength": 1},
                    "description": "When it is done. The first test command among them runs the tests, without a shell"
                }}
            },
            "context": {
                "type": "object",
                "properties": {
                    "shared_context": {"$ref": "#/$defs/background"},
                    "plan": {"$ref": "#/$defs/background"},
                    "exploration_results": {"$ref": "#/$defs/background"}
                }
            },
            "shared_context": {"$ref": "#/$defs/background"},
            "plan": {"$ref": "#/$defs/background"},
            "exploration_results": {"$ref": "#/$defs/background"},
            "todo_list": text("A Markdown list in which this task has a line with its id")
        },
        "if": {
            "required": ["meta"],
            "properties": {"meta": {"required": ["tdd_workflow"], "properties": {"tdd_workflow": {"const": true}}}}
        },
        "then": {"required": ["implementation", "convergence"]},
        "$defs": {
            "path": {"oneOf": [
                {"type": "string", "minLength": 1},
                {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}
            ]},
            "said": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "object", "minProperties": 1}]},
            "count": {"type": "integer", "minimum": 1, "maximum": 10000},
            "iterations": {"type": "integer", "minimum": 1, "maximum": 20},
            "background": {
                "type": "object",
                "properties": {
                    "tech_stack": {"description": "A test tool that is named here need not be found"},
                    "conventions": {}, "critical_files": {}, "integration_points": {}
                }
            },
            "execution_config": {
                "type": "object",
                "properties": {
                    "method": {"enum": ["agent", "cli"], "default": "agent",
                        "description": "cli: the turn is handed to a program, with at least 60 minutes"},
                    "tool": text("The agent: one of proctor.toml, or claude, codex, gemini, opencode, goose"),
                    "cli_tool": text("The same")
                }
            },
            "meta": {
                "type": "object",
                "properties": {
                    "type": text("bug_fix, feature or refactor"),
                    "tdd_workflow": {"type": "boolean", "default": false,
                        "description": "true: failing tests first; else one turn that does the work"},
                    "max_iterations": {"$ref": "#/$defs/iterations", "default": 3},
                    "tdd_cycles": {"type": "array", "items": {"$ref": "#/$defs/cycle"}},
                    "execution_config": {"$ref": "#/$defs/execution_config"},
                    "todo_list": text("The same as at the top")
                }
            },
            "cycle": {
                "type": "object",
                "properties": {
                    "test_count": {"$ref": "#/$defs/count"},
                    "test_cases": {"type": "array", "items": {"oneOf": [
                        {"type": "string", "minLength": 1},
                        {"type": "object", "properties": {"name": {"type": "string"}}}
                    ]}},
                    "implementation_scope": text("What the code of this cycle covers"),
                    "expected_coverage": {"type": "string", "pattern": "^(>=|≥)?\\s*[0-9]{1,3}(\\.[0-9]{1,2})?\\s*%?$", "examples": [">=85%"]}
                }
            },
            "cli_execution": {
                "type": "object",
                "properties": {
                    "id": text("{session}-{task}: another task can go on from it"),
                    "strategy": {"enum": ["new", "resume", "fork", "merge_fork"]},
                    "resume_from": {"oneOf": [
                        {"type": "null"}, {"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}
                    ], "description": "One id; for merge_fork a list of them"}
                }
            },
            "piece": {
                "type": "object",
                "properties": {
                    "step": {"type": ["integer", "string"]},
                    "title": text("A heading"),
                    "description": text("What is done in it"),
                    "tdd_phase": {"enum": ["red", "green", "refactor"]},
                    "actions": said("What is done, in order"),
                    "test_fix_cycle": {"oneOf": [
                        {"type": "boolean"},
                        {"type": "object", "properties": {"max_iterations": {"$ref": "#/$defs/iterations"}}}
                    ]},
                    "modification_points": said("Places that have to change"),
                    "logic_flow": said("The order in which the code goes about it"),
                    "execution_config": {"$ref": "#/$defs/execution_config"}
                }
            }
        }
    })
}
