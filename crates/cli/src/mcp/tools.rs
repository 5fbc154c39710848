//! The verbs that a model may use. Each asks the desk; none lands anything, unless the person who started the server let it.

use anyhow::Result;
use proctor_core::event::{OnRebase, Request};
use proctor_core::hunt::bug_json;
use proctor_core::words::{TaskType, TreeId};
use proctor_desk::evidence::of_run;
use proctor_desk::hunt::ledger;
use proctor_desk::intake::draft;
use proctor_desk::run::listing::rows;
use proctor_desk::run::run_id::{meant, repository};
use proctor_desk::run::sight::look;
use proctor_desk::start::{begin, drive_away, in_background};
use proctor_desk::steer::{Driver, Steering};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::flags::{RunFlags, task_type};
use proctor_desk::task::order::{Order, TaskAsk};
use proctor_desk::told::usage;
use proctor_desk::verify::{Answer, BranchAsk, verify};
use proctor_journal::{Journal, Listing};
use serde_json::{Value, json};

pub struct Tools<'a> {
    pub around: &'a Surroundings,
    pub may_approve: bool,
}

fn tool(name: &str, description: &str, properties: &Value, required: &[&str]) -> Value {
    let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    json!({"name": name, "description": description, "inputSchema": schema})
}

impl Tools<'_> {
    pub fn list(&self) -> Vec<Value> {
        let text = |description: &str| json!({"type": "string", "description": description});
        let list = |description: &str| json!({"type": "array", "items": {"type": "string"}, "description": description});
        let run = text(
            "A run's id, its beginning or its end, or a task's id; the newest of this repository where it is left out",
        );
        let mut tools = vec![
            tool(
                "start_task",
                "Begin a task: tests first, then the work, proven by Proctor. Goes on in the background and waits for a person's approval at the end. Gives the run's id.",
                &json!({
                    "description": text("What is wanted, in a sentence"),
                    "type": {"type": "string", "enum": TaskType::ALL.map(TaskType::name), "description": "bug_fix unless it is said"},
                    "id": text("The task's id"),
                    "details": text("More about it"),
                    "files": list("Files to look at first"),
                    "targets": list("Paths or names that do not exist yet"),
                    "agent": text("The agent of proctor.toml that takes every role"),
                    "base": text("The commit or branch to work from"),
                }),
                &["description"],
            ),
            tool(
                "run_status",
                "How a run stands, what was proven, what to do next.",
                &json!({"run": run}),
                &[],
            ),
            tool(
                "list_runs",
                "The runs of this repository that are open, newest first.",
                &json!({"all": {"type": "boolean", "description": "Closed ones and other repositories' too"}}),
                &[],
            ),
            tool(
                "get_evidence",
                "What a run rests on: verdict, tests red and green, checks, mutants, diffs, cost.",
                &json!({"run": run}),
                &[],
            ),
            tool(
                "verify_branch",
                "Prove a branch, whoever wrote it; no agent takes part. Takes minutes; says what is under way.",
                &json!({
                    "head": text("The branch or commit to prove; HEAD where it is left out"),
                    "base": text("What it is compared with; main or master where it is left out"),
                    "type": {"type": "string", "enum": TaskType::ALL.map(TaskType::name)},
                }),
                &[],
            ),
            tool(
                "list_bugs",
                "The bugs of this repository that a hunt proved with a failing test.",
                &json!({"all": {"type": "boolean", "description": "Suspects and what was rejected too"}}),
                &[],
            ),
        ];
        if self.may_approve {
            tools.push(tool(
                "approve_run",
                "Land the proven work of a run. The tree must be the one that run_status named as proven_tree.",
                &json!({"run": run, "tree": text("The proven tree that was looked at")}),
                &["run", "tree"],
            ));
        }
        tools
    }

    /// None where there is no such tool.
    pub fn call(
        &self,
        name: &str,
        wish: &Value,
        tell: &mut dyn FnMut(&str),
    ) -> Option<Result<Value>> {
        let known = self.list();
        let schema = known.iter().find(|tool| tool["name"] == name)?;
        Some(checked(schema, wish).and_then(|()| match name {
            "start_task" => self.start(wish),
            "run_status" => self.status(wish),
            "list_runs" => self.runs(wish),
            "get_evidence" => self.evidence(wish),
            "verify_branch" => self.verify(wish, tell),
            "list_bugs" => self.bugs(wish),
            _ => self.approve(wish),
        }))
    }

    fn start(&self, wish: &Value) -> Result<Value> {
        let details = text(wish, "details");
        if details.as_ref().is_some_and(|text| text.starts_with('@')) {
            return Err(usage("details: a file is not read here\nhint: give the text itself"));
        }
        let ask = TaskAsk {
            text: text(wish, "description").unwrap_or_default(),
            issue: None,
            id: text(wish, "id"),
            kind: kind(wish)?,
            details,
            flags: RunFlags {
                files: texts(wish, "files"),
                targets: texts(wish, "targets"),
                agent: text(wish, "agent"),
                base: text(wish, "base"),
                ..RunFlags::default()
            },
        };
        let order = Order::task(TaskType::BugFix, ask, &self.around.cwd)?;
        let draft = draft(self.around, order)?;
        let remarks = draft.remarks.clone();
        let (_, run) = begin(self.around, draft)?;
        let away = in_background(self.around, &run)?;
        Ok(
            json!({"run": run, "pid": away.pid, "remarks": remarks, "next": "run_status says how it stands"}),
        )
    }

    fn status(&self, wish: &Value) -> Result<Value> {
        let journal = Journal::open(self.around.home.root())?;
        let id = meant(&journal, self.around, text(wish, "run").as_deref())?.id;
        look(&self.around.home, &journal, &id)?.sight(&self.around.home, &id).json()
    }

    fn runs(&self, wish: &Value) -> Result<Value> {
        let all = wish["all"] == true;
        let journal = Journal::open(self.around.home.root())?;
        let listing = if all { Listing::All } else { Listing::Open };
        let mut found = rows(&self.around.home, &journal, listing)?;
        let here = if all { None } else { repository(self.around) };
        found.retain(|row| here.as_ref().is_none_or(|root| row.head.repo == *root));
        Ok(json!({"runs": found}))
    }

    fn evidence(&self, wish: &Value) -> Result<Value> {
        let journal = Journal::open(self.around.home.root())?;
        let id = meant(&journal, self.around, text(wish, "run").as_deref())?.id;
        let made = of_run(&self.around.shop()?, &journal, &id)?;
        Ok(serde_json::to_value(&made.pack)?)
    }

    fn verify(&self, wish: &Value, tell: &mut dyn FnMut(&str)) -> Result<Value> {
        let ask = BranchAsk {
            base: text(wish, "base"),
            head: text(wish, "head").unwrap_or_else(|| "HEAD".to_owned()),
            kind: kind(wish)?,
            ..BranchAsk::default()
        };
        match verify(self.around, &ask, tell)? {
            Answer::Judged(answer) => Ok(serde_json::to_value(&answer)?),
            Answer::Interrupted(_) => Err(usage("it was interrupted; nothing was judged")),
        }
    }

    fn bugs(&self, wish: &Value) -> Result<Value> {
        let book = ledger(self.around)?.read()?;
        let wanted = book.bugs.iter().filter(|bug| wish["all"] == true || bug.is_reported());
        Ok(json!({"bugs": wanted.map(bug_json).collect::<Vec<_>>()}))
    }

    fn approve(&self, wish: &Value) -> Result<Value> {
        let steering = Steering::of(self.around, text(wish, "run").as_deref())?;
        let shown = TreeId::new(text(wish, "tree").unwrap_or_default());
        if steering.ask(&Request::Approve { shown, rebase: OnRebase::Ask, accept: None })?
            == Driver::Here
        {
            drive_away(&self.around.home, &steering.id)?;
        }
        Ok(
            json!({"run": steering.id, "approved": true, "next": "run_status says when it has landed"}),
        )
    }
}

/// What was given against what the tool takes: unknown names and wrong kinds are told, not passed over.
fn checked(tool: &Value, wish: &Value) -> Result<()> {
    let schema = &tool["inputSchema"];
    let nothing = serde_json::Map::new();
    let given = wish.as_object().unwrap_or(&nothing);
    for (name, value) in given {
        let right = match schema["properties"][name]["type"].as_str() {
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
            _ => {
                return Err(usage(format!(
                    "{name:?} is not known here\nhint: tools/list names what is"
                )));
            }
        };
        if !right {
            return Err(usage(format!(
                "{name:?} is not of the kind that is wanted\nhint: tools/list says which"
            )));
        }
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match required.into_iter().find(|name| !given.contains_key(*name)) {
        Some(name) => Err(usage(format!("{name:?} is missing\nhint: tools/list says what it is"))),
        None => Ok(()),
    }
}

fn text(wish: &Value, name: &str) -> Option<String> {
    wish[name].as_str().map(str::to_owned)
}

fn texts(wish: &Value, name: &str) -> Vec<String> {
    let all = wish[name].as_array().into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn kind(wish: &Value) -> Result<Option<TaskType>> {
    text(wish, "type").map(|word| task_type(&word).map_err(usage)).transpose()
}
