//! The built-in scenario: a small module with its test, written by a scripted agent. It stands in for an agent
//! where `AGENTOS_MOCK_LLM=1` asks for one.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    /// With the name of the crate, as it is written in code.
    Rust {
        library: String,
    },
}

impl Language {
    /// Which language a repository is in: its Cargo.toml decides, where there is one.
    pub fn of(cargo_toml: Option<&str>) -> Self {
        cargo_toml.and_then(library_name).map_or(Self::Python, |library| Self::Rust { library })
    }
}

/// The scenario as the player reads it.
pub fn built_in(language: &Language) -> Value {
    match language {
        Language::Python => turns(
            (
                "tests/test_proctor_greeting.py",
                "from proctor_greeting import greeting\n\n\ndef test_a_name_is_greeted():\n    assert greeting(\"Ada\") == \"Hello, Ada!\"\n\n\ndef test_nobody_is_greeted_too():\n    assert greeting(\"\") == \"Hello!\"\n".to_owned(),
            ),
            &json!({"write": {"proctor_greeting.py": "def greeting(name):\n    return f\"Hello, {name}!\" if name else \"Hello!\"\n"}}),
        ),
        Language::Rust { library } => turns(
            (
                "tests/proctor_greeting.rs",
                format!("use {library}::proctor_greeting::greeting;\n\n#[test]\nfn a_name_is_greeted() {{\n    assert_eq!(greeting(\"Ada\"), \"Hello, Ada!\");\n}}\n\n#[test]\nfn nobody_is_greeted_too() {{\n    assert_eq!(greeting(\"\"), \"Hello!\");\n}}\n"),
            ),
            &json!({
                "write": {"src/proctor_greeting.rs": "pub fn greeting(name: &str) -> String {\n    if name.is_empty() {\n        \"Hello!\".to_owned()\n    } else {\n        format!(\"Hello, {name}!\")\n    }\n}\n"},
                "append": {"src/lib.rs": "\npub mod proctor_greeting;\n"},
            }),
        ),
    }
}

fn turns((test, source): (&str, String), code: &Value) -> Value {
    let mut implement = json!({
        "phase": "implement",
        "say": ["Writing the module."],
        "output": {
            "status": "READY_FOR_REVIEW",
            "fix_description": "A module that greets.",
            "notes": "A module that greets.",
        },
    });
    if let (Some(turn), Some(files)) = (implement.as_object_mut(), code.as_object()) {
        turn.extend(files.clone());
    }
    json!({"turns": [
        {
            "phase": "write_tests",
            "say": ["Writing two tests for a greeting."],
            "write": {test: source},
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": test, "notes": "Two tests for a greeting."},
        },
        implement,
        {"phase": "refactor", "output": {"refactored": false, "notes": "Nothing to tidy."}},
        {"phase": "review", "output": {"status": "SUCCESS", "reason": null, "notes": "Small and tested."}},
    ]})
}

fn library_name(cargo_toml: &str) -> Option<String> {
    let table: toml::Table = cargo_toml.parse().ok()?;
    let named = |key: &str| {
        let name = table.get(key)?.get("name")?.as_str()?;
        Some(name.replace('-', "_"))
    };
    named("lib").or_else(|| named("package"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_agents::play::{PlayEnv, play};
    use proctor_core::words::Phase;

    #[test]
    fn the_language_is_the_repositorys() {
        assert_eq!(Language::of(None), Language::Python);
        let rust = Language::of(Some("[package]\nname = \"my-crate\"\n"));
        assert_eq!(rust, Language::Rust { library: "my_crate".to_owned() });
    }

    #[test]
    fn the_player_finds_a_turn_for_every_phase() {
        let rust = Language::Rust { library: "x".to_owned() };
        for language in [Language::Python, rust] {
            let scenario = built_in(&language).to_string();
            for phase in Phase::LOOP {
                let env = PlayEnv {
                    phase,
                    task: String::new(),
                    attempt: 1,
                    ask: 1,
                    cwd: ".".into(),
                    output: None,
                };
                assert!(play(scenario.as_bytes(), &env).is_ok(), "{phase}");
            }
        }
    }
}
