//! What an agent is told of its surroundings: the test command, what failed before, what the sandbox lets through, and what the
//! repository itself says to those who work in it.

use super::{Job, cut};
use crate::carry::Halt;
use proctor_core::prompt::{Around, Document, InlineTests};
use proctor_core::words::{Hands, Phase, TestId};
use proctor_world::sandbox::Strength;
use proctor_world::shadow::Shadow;

/// Files in which repositories speak to those who work in them, most often the first.
const INSTRUCTIONS: [&str; 8] = [
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "CONTRIBUTING.md",
    "CONTRIBUTING",
    "CONTRIBUTING.rst",
    ".github/CONTRIBUTING.md",
    "docs/CONTRIBUTING.md",
];
/// How much of them all together is told.
const LONGEST: usize = 16 * 1024;
/// How many failing tests are named.
const MOST_FAILING: usize = 20;

impl Job {
    /// Who only reads is told nothing of it.
    pub(super) fn around(&self, shadow: &Shadow, phase: Phase) -> Result<Around, Halt> {
        if phase.hands() == Hands::Tied {
            return Ok(Around::default());
        }
        let failing = self.run.baseline.iter().flat_map(|baseline| &baseline.failing.first);
        let mut failing_before: Vec<String> =
            failing.take(MOST_FAILING).map(TestId::to_string).collect();
        let all = self.run.baseline.as_ref().map_or(0, |baseline| baseline.failing.len());
        if all > failing_before.len() {
            failing_before.push(format!("and {} more", all - failing_before.len()));
        }
        let rust = self.settled.iter().any(|project| project.runner == "cargo");
        Ok(Around {
            test_commands: self.test_commands(shadow)?,
            failing_before,
            sandbox: self.lets_through()?,
            instructions: self.instructions(shadow)?,
            inline_tests: if rust { InlineTests::Rust } else { InlineTests::Unusual },
        })
    }

    /// As they are typed, each with its folder where that is not the one that the agent stands in.
    fn test_commands(&self, shadow: &Shadow) -> Result<Vec<String>, Halt> {
        let products = self.shop.home.room(&self.id).join("told");
        let around = self.surroundings_here(shadow, &products)?;
        let stands = self.run.brief.repo.subdir.trim_end_matches('/');
        let told = around.commands.iter().map(|(dir, command)| match dir.as_str() {
            dir if dir == stands => command.clone(),
            "" => format!("cd {} && {command}", "../".repeat(stands.matches('/').count() + 1)),
            dir => {
                let below = dir.strip_prefix(stands).map_or(dir, |dir| dir.trim_start_matches('/'));
                format!("cd {below} && {command}")
            }
        });
        Ok(told.collect())
    }

    fn lets_through(&self) -> Result<String, Halt> {
        let level = self.level()?;
        let ports = match self.run.brief.setup.ports {
            0 => String::new(),
            n => format!(" {n} ports from PROCTOR_PORT on are yours."),
        };
        Ok(match level.strength() {
            Strength::None => ports.trim_start().to_owned(),
            Strength::Files | Strength::Strong => format!(
                "You may write in this folder and in the temp folder; registries are offline, so nothing new can be installed.{ports}"
            ),
        })
    }

    fn instructions(&self, shadow: &Shadow) -> Result<Vec<Document>, Halt> {
        let listing = shadow.list(&shadow.tree_of(&self.run.base)?)?;
        let subdir = &self.run.brief.repo.subdir;
        let mut left = LONGEST;
        let mut all: Vec<Document> = Vec::new();
        let below = INSTRUCTIONS.iter().map(|name| format!("{subdir}/{name}"));
        let places = INSTRUCTIONS.iter().map(|name| (*name).to_owned());
        let places = places.chain(below.filter(|_| !subdir.is_empty()));
        for path in places {
            let Some(entry) = listing.get(&path).filter(|_| left > 0) else { continue };
            let text = String::from_utf8_lossy(&shadow.read_blob(&entry.oid)?).into_owned();
            // One is often a link to the other, or the same text.
            if text.trim().is_empty() || text.len() < 40 || all.iter().any(|d| d.text == text) {
                continue;
            }
            let text = cut(text, left);
            left = left.saturating_sub(text.len());
            all.push(Document { path, text });
        }
        Ok(all)
    }
}
