//! The versions of the tools that tests ran with, asked when the pack is made. Only programs of the system are asked:
//! what lies in the repository or in a gate could be anything.

use super::make::is_test_run;
use super::scratch::Scratch;
use crate::text::harmless::short;
use anyhow::Result;
use proctor_engine::Shop;
use proctor_engine::evidence::{Evidence, Masks};
use proctor_world::child::{Cancel, End, Launch, Stdin};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(5);

/// How long a version may be.
const LONGEST: usize = 200;

/// Each tool by its name, with what it says of itself.
pub fn ask(shop: &Shop, masks: &Masks, evidence: &Evidence) -> Result<BTreeMap<String, String>> {
    let scratch = Scratch::new(shop)?;
    let mut known = BTreeMap::new();
    let questions = questions(shop, masks, evidence);
    for (n, question) in questions.into_iter().enumerate() {
        if let Some(answer) = asked(shop, &scratch, &question, n) {
            known.insert(question.tool, answer);
        }
    }
    if let Ok((major, minor)) = proctor_world::git::version() {
        known.insert("git".to_owned(), format!("{major}.{minor}"));
    }
    Ok(known)
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Question {
    tool: String,
    argv: Vec<String>,
}

fn questions(shop: &Shop, masks: &Masks, evidence: &Evidence) -> BTreeSet<Question> {
    let commands = evidence.effects.iter().flat_map(|effect| &effect.commands);
    let mut wanted = BTreeSet::new();
    for command in commands.filter(|command| is_test_run(&command.name)) {
        let Some(program) = command.argv.first() else { continue };
        let real = masks.reveal(program);
        if !may_be_asked(shop, evidence, &real) {
            continue;
        }
        let tool = name_of(&real);
        let word = if tool == "go" { "version" } else { "--version" };
        wanted.insert(Question { tool, argv: vec![real.clone(), word.to_owned()] });
        // A module that the tests are run with, such as pytest.
        let module = command.argv.iter().skip_while(|word| *word != "-m").nth(1);
        if let Some(module) = module.filter(|module| is_plain(module)) {
            let argv = [real.as_str(), "-m", module, "--version"].map(str::to_owned).to_vec();
            wanted.insert(Question { tool: module.clone(), argv });
        }
    }
    wanted
}

fn may_be_asked(shop: &Shop, evidence: &Evidence, program: &str) -> bool {
    let path = Path::new(program);
    let repository = Path::new(&evidence.run.brief.repo.root);
    let is_python = name_of(program).starts_with("python");
    path.is_absolute()
        && !path.starts_with(shop.home.root())
        && path != shop.own_program
        // A virtual environment in the checkout is the user's own.
        && (!path.starts_with(repository) || is_python)
}

fn name_of(program: &str) -> String {
    program.rsplit('/').next().unwrap_or(program).to_owned()
}

fn is_plain(module: &str) -> bool {
    module.starts_with(|c: char| c.is_ascii_alphabetic())
        && module.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The first line that it says.
fn asked(shop: &Shop, scratch: &Scratch, question: &Question, n: usize) -> Option<String> {
    let launch = Launch {
        argv: question.argv.iter().map(OsString::from).collect(),
        cwd: scratch.path().to_owned(),
        env: shop.env.clone(),
        stdin: Stdin::Empty,
        limit: LIMIT,
        logs: scratch.path().to_owned(),
        name: format!("version-{n}"),
        bounds: None,
    };
    let ended = shop.keeper().run(&launch, &Cancel::new()).ok()?;
    if ended.how != End::Exited(0) {
        return None;
    }
    let said = [&ended.stdout, &ended.stderr].map(|path| std::fs::read(path).unwrap_or_default());
    let said = said.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let line = said.iter().flat_map(|text| text.lines()).find(|line| !line.trim().is_empty())?;
    Some(short(line, LONGEST))
}
