//! The command line of `proctor agent-loop`, and the rules of the turn that it asks for.

use crate::agent_loop::conversation::settle;
use crate::args::Format;
use anyhow::Result;
use clap::Args;
use proctor_agents::api::{Dialect, Rules};
use proctor_agents::policy::Policy;
use proctor_agents::{Hands, Side};
use proctor_core::agent::Price;
use proctor_core::secret::Allowed;
use proctor_desk::text::amount::Usd;
use proctor_desk::told::usage;
use std::path::{Path, PathBuf};

/// The most calls of the model in one turn, where nobody says otherwise.
const MOST_CALLS: u32 = 100;

pub const EXAMPLES: &str = "\
The model gets read, list, search, write, edit and run, for the current folder alone. By hand nothing else holds
`run` back: in a run of Proctor the whole loop is in the sandbox.

Examples:
  proctor agent-loop --base-url http://127.0.0.1:11434 --model qwen3-coder \"Add a docstring to calc.py\"
  proctor agent-loop --provider anthropic --model claude-sonnet-4-5 --read-only \"What does this project do?\"
  proctor agent-loop --model gpt-5.5 --max-cost 0.50 --price 1.25,10 < task.md

In proctor.toml:
  [agents.local]
  kind = \"api\"
  provider = \"openai\"
  base_url = \"http://127.0.0.1:11434/v1\"
  model = \"qwen3-coder\"

Exit codes:
  0 the model came to an end, 2 wrong usage, 8 it did not";

#[derive(Debug, Args)]
pub struct LoopArgs {
    /// What is to be done [default: read from stdin]
    #[arg(value_name = "TEXT")]
    pub text: Option<String>,
    /// How the server speaks: anthropic (messages) or openai (chat completions, also Ollama, llama.cpp, vLLM, LM Studio)
    #[arg(long, value_name = "NAME", default_value = "openai", value_parser = dialect)]
    pub provider: Dialect,
    /// The model, in the server's words
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// Where it answers [default: the provider's own address]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The variable that holds the key [default: `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`]
    #[arg(long, value_name = "NAME", conflicts_with = "key_file")]
    pub key_env: Option<String>,
    /// A file that holds the key; it is removed when it was read
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// No tools that change anything
    #[arg(long)]
    pub read_only: bool,
    /// A JSON schema that the answer must fit
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// A file with a JSON list of paths that may not be changed
    #[arg(long, value_name = "FILE")]
    pub sealed: Option<PathBuf>,
    /// Which files the turn is there to change
    #[arg(long, value_name = "any|tests|code|both", default_value = "any", value_parser = side)]
    pub side: Side,
    /// A file with a JSON list of files that may hold what looks like a secret, as in `[secrets] allow`
    #[arg(long, value_name = "FILE")]
    pub allow_secrets: Option<PathBuf>,
    /// The folder where conversations are kept
    #[arg(long, value_name = "DIR")]
    pub sessions: Option<PathBuf>,
    /// Keep this conversation under a name
    #[arg(long, value_name = "ID", requires = "sessions", value_parser = session)]
    pub session: Option<String>,
    /// Go on with a conversation; with --session it stays as it is and the new one branches off
    #[arg(long, value_name = "ID", requires = "sessions", value_parser = session)]
    pub resume: Option<String>,
    /// The most calls of the model
    #[arg(long, value_name = "N", default_value_t = MOST_CALLS)]
    pub max_turns: u32,
    /// How many tokens the model remembers [default: 200000 anthropic, 128000 openai, 32000 elsewhere]
    #[arg(long, value_name = "N")]
    pub context_tokens: Option<u64>,
    /// The longest answer, in tokens
    #[arg(long, value_name = "N")]
    pub max_output_tokens: Option<u64>,
    /// What a million tokens cost in US dollars: input, output, and input that was seen before
    #[arg(long, value_name = "IN,OUT[,CACHED]", value_parser = price)]
    pub price: Option<Price>,
    /// The most money that it may cost; needs --price
    #[arg(long, value_name = "USD", value_parser = Usd::parse)]
    pub max_cost: Option<Usd>,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

impl LoopArgs {
    /// Which files may hold what looks like a secret.
    pub fn allowed_secrets(&self) -> Result<Allowed> {
        let Some(file) = &self.allow_secrets else { return Ok(Allowed::default()) };
        let fault = |why: String| usage(format!("--allow-secrets {}: {why}", file.display()));
        let entries = serde_json::from_value(json(file)?)
            .map_err(|why| fault(format!("{why}\nhint: it must be a list of patterns of paths")))?;
        Allowed::new(entries).map_err(|why| fault(why.to_string()))
    }

    /// What holds for the turn, in a folder.
    pub fn rules(&self, root: &Path) -> Result<Rules> {
        let dialect = self.provider;
        let schema = match &self.schema {
            Some(file) => Some(json(file)?),
            None => None,
        };
        let mut policy = Policy {
            reads_only: self.read_only,
            cwd: root.to_owned(),
            side: self.side,
            ..Policy::default()
        };
        settle(&mut policy, root);
        policy.sealed = match &self.sealed {
            Some(file) => serde_json::from_value(json(file)?).map_err(|why| {
                usage(format!(
                    "--sealed {}: {why}\nhint: it must be a list of paths",
                    file.display()
                ))
            })?,
            None => Vec::new(),
        };
        let context = self.context_tokens.unwrap_or(dialect.context(self.base_url.as_deref()));
        Ok(Rules {
            dialect,
            model: self.model.clone(),
            elsewhere: self.base_url.is_some(),
            root: root.to_owned(),
            hands: if self.read_only { Hands::Tied } else { Hands::Free },
            policy,
            schema,
            max_calls: self.max_turns,
            max_output: self.max_output_tokens,
            context: context.max(2000),
            price: self.price,
            money: self.max_cost.map(|usd| usd.0),
        })
    }
}

fn json(file: &Path) -> Result<serde_json::Value> {
    let bytes = std::fs::read(file)
        .map_err(|why| usage(format!("{} can't be read: {why}", file.display())))?;
    serde_json::from_slice(&bytes)
        .map_err(|why| usage(format!("{} is not JSON: {why}", file.display())))
}

fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::by_name(text).ok_or_else(|| "the providers are anthropic and openai".to_owned())
}

/// A name that is one file in a folder.
fn session(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.is_empty() || text.starts_with('.') || text.len() > 200 || !text.chars().all(fits) {
        return Err("letters, digits, `-`, `_` and `.`, at most 200".to_owned());
    }
    Ok(text.to_owned())
}

fn side(word: &str) -> Result<Side, String> {
    serde_json::from_value(word.into()).map_err(|_| "it is any, tests, code or both".to_owned())
}

fn price(text: &str) -> Result<Price, String> {
    let parts: Result<Vec<u64>, String> =
        text.split(',').map(|part| Usd::parse(part).map(|usd| usd.0)).collect();
    match parts?.as_slice() {
        [input, output] => Ok(Price { input: *input, output: *output, cached: None }),
        [input, output, cached] => {
            Ok(Price { input: *input, output: *output, cached: Some(*cached) })
        }
        _ => Err("write it as IN,OUT or IN,OUT,CACHED, such as 1.25,10,0.125".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_has_two_parts_or_three() {
        let full = Price { input: 1_250_000, output: 10_000_000, cached: Some(125_000) };
        assert_eq!(price("1.25,10,0.125"), Ok(full));
        assert_eq!(price("1.25,10"), Ok(Price { cached: None, ..full }));
        assert!(price("3").is_err() && price("a,b").is_err());
    }

    #[test]
    fn a_session_is_one_file() {
        assert_eq!(session("run-1_implement-1.2"), Ok("run-1_implement-1.2".to_owned()));
        for text in ["", "..", ".x", "a/b", "a b"] {
            assert!(session(text).is_err(), "{text}");
        }
    }
}
