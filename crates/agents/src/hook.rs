//! Hooks of interactive agents: where their settings stand, what they tell a hook, and which files a tool is about to edit.
//! All of them take the same answer: exit code 2, with the reason on stderr. It reads and writes texts, and no file.

use serde_json::{Map, Value, json};

/// A program with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    Claude,
    Codex,
    Gemini,
}

/// When a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    BeforeTool,
    AfterTool,
    Stop,
}

/// What a hook was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCall {
    pub moment: Moment,
    pub cwd: Option<String>,
    /// The files that the tool says it will write, as it names them. A shell does not say.
    pub edits: Vec<String>,
}

/// Between a program's name and what is ours in its settings.
const OURS: &str = " guard hook";
/// How long a look at sealed files may take.
const LOOK_S: u64 = 60;
/// How long a proof may take.
pub const PROOF_S: u64 = 900;

impl Host {
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// The person's own settings for one checkout.
    pub fn file(self) -> &'static str {
        match self {
            Self::Claude => ".claude/settings.local.json",
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
        }
    }

    /// What a person has to do besides, before the hooks are heard.
    pub fn besides(self) -> Option<&'static str> {
        match self {
            Self::Claude => None,
            Self::Codex => {
                Some("Codex asks once whether it may run these hooks: say yes in `/hooks`")
            }
            Self::Gemini => Some(
                "Gemini runs hooks of a folder only where you trusted the folder when it asked; with `--skip-trust` it runs none",
            ),
        }
    }

    fn events(self) -> [(&'static str, bool, u64); 3] {
        match self {
            Self::Claude | Self::Codex => [
                ("PreToolUse", true, LOOK_S),
                ("PostToolUse", true, LOOK_S),
                ("Stop", false, PROOF_S),
            ],
            // In milliseconds.
            Self::Gemini => [
                ("BeforeTool", true, LOOK_S * 1000),
                ("AfterTool", true, LOOK_S * 1000),
                ("AfterAgent", false, PROOF_S * 1000),
            ],
        }
    }

    /// The settings with our hooks in them, and all else as it was.
    pub fn with_hooks(self, settings: &str, program: &str) -> Result<String, String> {
        let mut settings = parsed(settings)?;
        take_out(&mut settings);
        let command = format!("{program}{OURS}");
        let table = settings.entry("hooks").or_insert_with(|| json!({}));
        let table = table.as_object_mut().ok_or("`hooks` is no table")?;
        for (event, of_tools, timeout) in self.events() {
            let mut group = json!({
                "hooks": [{"type": "command", "command": command, "timeout": timeout}]
            });
            if of_tools {
                group["matcher"] = json!(if self == Self::Gemini { ".*" } else { "*" });
            }
            let groups = table.entry(event).or_insert_with(|| json!([]));
            groups.as_array_mut().ok_or_else(|| format!("`hooks.{event}` is no list"))?.push(group);
        }
        Ok(format!("{:#}\n", Value::Object(settings)))
    }
}

/// The settings without our hooks; none where nothing else stands in them.
pub fn without_hooks(settings: &str) -> Result<Option<String>, String> {
    let mut settings = parsed(settings)?;
    take_out(&mut settings);
    Ok((!settings.is_empty()).then(|| format!("{:#}\n", Value::Object(settings))))
}

/// Whether our hooks stand in these settings.
pub fn has_hooks(settings: &str) -> bool {
    let Ok(Value::Object(settings)) = serde_json::from_str(settings) else { return false };
    let groups = settings.get("hooks").and_then(Value::as_object).into_iter().flat_map(Map::values);
    groups.filter_map(Value::as_array).flatten().any(is_ours)
}

fn parsed(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(settings)) => Ok(settings),
        Ok(_) => Err("it holds no table".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn take_out(settings: &mut Map<String, Value>) {
    let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) else { return };
    for groups in hooks.values_mut() {
        if let Some(groups) = groups.as_array_mut() {
            groups.retain(|group| !is_ours(group));
        }
    }
    hooks.retain(|_, groups| groups.as_array().is_none_or(|groups| !groups.is_empty()));
    if hooks.is_empty() {
        settings.remove("hooks");
    }
}

fn is_ours(group: &Value) -> bool {
    let hooks = group["hooks"].as_array().into_iter().flatten();
    hooks.filter_map(|hook| hook["command"].as_str()).any(|command| command.ends_with(OURS))
}

/// What a program tells on stdin. None for a moment that is of no concern to us.
pub fn read(bytes: &[u8]) -> Result<Option<HookCall>, String> {
    let told: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let moment = match told["hook_event_name"].as_str().ok_or("no `hook_event_name`")? {
        "PreToolUse" | "BeforeTool" => Moment::BeforeTool,
        "PostToolUse" | "AfterTool" => Moment::AfterTool,
        "Stop" | "AfterAgent" => Moment::Stop,
        _ => return Ok(None),
    };
    let cwd = told["cwd"].as_str().map(str::to_owned);
    Ok(Some(HookCall { moment, cwd, edits: edits(&told["tool_input"]) }))
}

/// A tool that gets a path and something to put there edits it, whatever it is called.
fn edits(input: &Value) -> Vec<String> {
    let contents = [
        "content",
        "contents",
        "new_string",
        "new_str",
        "new_source",
        "file_text",
        "insert_text",
        "edits",
    ];
    let paths = ["file_path", "notebook_path", "absolute_path", "path", "filename", "target_file"];
    let mut found = Vec::new();
    if contents.iter().any(|name| !input[*name].is_null()) {
        found.extend(paths.iter().filter_map(|name| input[*name].as_str()).map(str::to_owned));
    }
    // Codex hands a patch over as text.
    let texts = ["command", "input", "patch"].iter().filter_map(|name| input[*name].as_str());
    for text in texts.chain(input.as_str()).filter(|text| text.contains("*** Begin Patch")) {
        let heads = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
        let named = text
            .lines()
            .filter_map(|line| heads.iter().find_map(|head| line.trim_start().strip_prefix(head)));
        found.extend(named.map(|path| path.trim().to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_come_into_settings_and_go_again_without_a_trace() {
        let theirs = "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"command\": \"say done\",\n            \"type\": \"command\"\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n";
        for host in Host::ALL {
            for before in ["", theirs] {
                let with = host.with_hooks(before, "/opt/proctor").unwrap();
                assert!(has_hooks(&with) && !has_hooks(before), "{with}");
                assert_eq!(host.with_hooks(&with, "/opt/proctor").unwrap(), with);
                let after = without_hooks(&with).unwrap();
                assert_eq!(after.as_deref(), Some(before).filter(|text| !text.is_empty()));
            }
        }
        assert!(Host::Claude.with_hooks("[]", "proctor").is_err());
        assert!(Host::Claude.with_hooks("{", "proctor").is_err());
    }

    fn told(text: &Value) -> HookCall {
        read(text.to_string().as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn a_tool_that_brings_something_for_a_path_edits_it() {
        let claude = json!({"hook_event_name": "PreToolUse", "cwd": "/r", "tool_name": "Edit",
            "tool_input": {"file_path": "/r/tests/a.py", "old_string": "1", "new_string": "2"}});
        let call = told(&claude);
        assert_eq!(
            (call.moment, call.edits),
            (Moment::BeforeTool, vec!["/r/tests/a.py".to_owned()])
        );
        let reads = json!({"hook_event_name": "BeforeTool", "tool_name": "read_file",
            "tool_input": {"absolute_path": "/r/tests/a.py"}});
        assert_eq!(told(&reads).edits, Vec::<String>::new());
        let patch = "*** Begin Patch\n*** Update File: tests/a.py\n@@\n-1\n+2\n*** Add File: b.py\n+x\n*** End Patch";
        let codex = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}});
        assert_eq!(told(&codex).edits, ["tests/a.py", "b.py"]);
        assert_eq!(told(&json!({"hook_event_name": "AfterAgent"})).moment, Moment::Stop);
        assert_eq!(read(br#"{"hook_event_name":"SessionStart"}"#), Ok(None));
        assert!(read(b"nonsense").is_err());
    }
}
