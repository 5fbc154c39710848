//! `[audit]` of proctor.toml: which linters look at a change. Their rules are the project's own.

use crate::config::value::Words;
use crate::text::nearest::nearest;
use proctor_core::audit::{AuditCommand, AuditSpec, Linters};
use proctor_tools::Linter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What looks at a change once it is green. Only what is new against the base counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AuditTable {
    /// The project's own linters and formatters: `found` (those that its files speak of), `off`, or a list of names.
    pub linters: Option<LintersWord>,
    /// More commands, each printing SARIF.
    pub command: Option<Vec<CommandTable>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LintersWord {
    One(LintersChoice),
    Names(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LintersChoice {
    Found,
    Off,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandTable {
    /// What its findings are named by.
    pub name: String,
    /// As one text or as a list of words; run at the top of the tree, without a shell. It prints SARIF.
    pub run: Words,
}

impl AuditTable {
    pub fn check(&self) -> Result<(), String> {
        self.spec().map(drop)
    }

    #[must_use]
    pub fn under(self, over: Self) -> Self {
        Self { linters: over.linters.or(self.linters), command: over.command.or(self.command) }
    }

    pub fn spec(&self) -> Result<AuditSpec, String> {
        let known = Linter::ALL.map(Linter::name);
        let linters = match &self.linters {
            None | Some(LintersWord::One(LintersChoice::Found)) => Linters::Found,
            Some(LintersWord::One(LintersChoice::Off)) => Linters::Off,
            Some(LintersWord::Names(names)) => {
                if let Some(odd) = names.iter().find(|name| !known.contains(&name.as_str())) {
                    let hint = nearest(odd, known).map_or_else(
                        || format!("known are {}", known.join(", ")),
                        |near| format!("did you mean `{near}`?"),
                    );
                    return Err(format!("[audit] linters: `{odd}` is not known\nhint: {hint}"));
                }
                Linters::Only(names.clone())
            }
        };
        let mut commands = Vec::new();
        for table in self.command.iter().flatten() {
            let argv = table.run.split(&format!("[audit] command `{}`", table.name))?;
            commands.push(AuditCommand { name: table.name.clone(), argv });
        }
        Ok(AuditSpec { linters, commands })
    }
}
