//! What a test command of a JavaScript tool means, given by the user or standing in package.json: the tool,
//! and those of its arguments that can't leave out tests.

use super::arguments::{JEST, Kept, Known, NODE, PlainWords, VITEST};
use super::{described, runtime, tool};
use crate::ask::Ask;
use crate::detect::{UnknownCommand, UserCommand, program_of};
use proctor_lang::child_file;
use proctor_lang::tree::below;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// What a command adds to ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    /// For node itself.
    pub(crate) node: Vec<String>,
    /// For the tool; for `node --test` the files.
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<OsString, OsString>,
}

impl Given {
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.args.iter().any(|arg| names.contains(&arg.split('=').next().unwrap_or(arg)))
    }
}

/// A command line, understood.
struct Line<'a> {
    runner: &'static str,
    known: &'static Known,
    program: Option<std::path::PathBuf>,
    node: Vec<&'a str>,
    args: Vec<&'a str>,
}

fn line<'a>(words: &[&'a str]) -> Option<Line<'a>> {
    // What only looks the tool up.
    let words = match words {
        ["npx" | "bunx", "--no-install" | "--no" | "-y" | "--yes", rest @ ..]
        | ["npm" | "pnpm" | "yarn", "exec", "--", rest @ ..]
        | ["npm" | "pnpm" | "yarn", "exec", rest @ ..]
        | ["npx" | "bunx" | "yarn" | "pnpm", rest @ ..] => rest,
        words => words,
    };
    let (first, rest) = words.split_first()?;
    let (name, program) = program_of(first);
    if let Some(runtime) = runtime::by_name(name) {
        // Whatever else it is told to do is no test.
        let tests = rest.first() == Some(&"test");
        let (runner, known) = (runtime.name, runtime.known);
        let line = Line { runner, known, program, node: Vec::new(), args: rest.to_vec() };
        return tests.then_some(line);
    }
    if name != "node" {
        let (runner, known) = known_tool(name)?;
        return Some(Line { runner, known, program: None, node: Vec::new(), args: rest.to_vec() });
    }
    if rest.contains(&"--test") {
        let args = rest.to_vec();
        return Some(Line { runner: "node", known: &NODE, program, node: Vec::new(), args });
    }
    // `node --experimental-vm-modules node_modules/jest/bin/jest.js …`
    let at = rest.iter().position(|word| word.contains("node_modules/"))?;
    let (node, tool) = rest.split_at(at);
    let (entry, args) = tool.split_first()?;
    let file = entry.rsplit('/').next().unwrap_or(entry);
    let (runner, known) = known_tool(file.split('.').next().unwrap_or(file))?;
    Some(Line { runner, known, program, node: node.to_vec(), args: args.to_vec() })
}

/// A tool by the name of its program.
fn known_tool(program: &str) -> Option<(&'static str, &'static Known)> {
    match program {
        "vitest" => Some(("vitest", &VITEST)),
        "jest" => Some(("jest", &JEST)),
        // Its own program inside of a package.
        "_mocha" => Some(("mocha", described::MOCHA.known)),
        name => described::by_name(name).map(|tool| (tool.name, tool.known)),
    }
}

impl Line<'_> {
    fn kept(&self) -> Kept {
        // For these they name the files, as the project itself has them.
        let files = self.runner == "node"
            || described::by_name(self.runner).is_some()
            || runtime::by_name(self.runner).is_some();
        let plain = if files { PlainWords::Kept } else { PlainWords::Refused };
        let mut kept = NODE.keep(&self.node, PlainWords::Refused);
        let own = self.known.keep(&self.args, plain);
        kept.words.extend(own.words);
        kept.refused = kept.refused.or(own.refused);
        kept
    }
}

/// What a user's own command means.
pub(crate) fn understood(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    let line = line(words)?;
    let kept = line.kept();
    Some(match kept.refused {
        Some(argument) => Err(UnknownCommand::Argument {
            command: words.join(" "),
            argument,
            accepted: line.known.accepted,
        }),
        None => {
            Ok(UserCommand { runner: line.runner, program: line.program, extra_args: kept.words })
        }
    })
}

/// What the user's command adds, else what the project's own `test` script does.
pub(crate) fn of(ask: &Ask, runner: &str) -> Given {
    if !ask.tools.extra_args.is_empty() {
        return split(runner, &ask.tools.extra_args);
    }
    let path = ask.tree.join(below(&tool::folders(ask).remove(0), "package.json"));
    let text = child_file::read_to_string(path).unwrap_or_default();
    from_script(&text, runner).unwrap_or_default()
}

/// Options of node apart from the tool's own.
fn split(runner: &str, words: &[String]) -> Given {
    let mut given = Given::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let head = word.split('=').next().unwrap_or(word);
        // `-r` and `-c` mean something else to the tools.
        let nodes = runner == "node" || head.len() > 2;
        if nodes && (NODE.alone.contains(&word.as_str()) || NODE.valued.contains(&head)) {
            given.node.push(word.clone());
            if NODE.valued.contains(&word.as_str()) {
                given.node.extend(rest.next().cloned());
            }
        } else {
            given.args.push(word.clone());
        }
    }
    given
}

/// The tool that the `test` script of a package.json runs, with what it is given.
pub(crate) fn script_of(package: &str) -> Option<(&'static str, Given)> {
    let value: serde_json::Value = serde_json::from_str(package).ok()?;
    let scripts = value.get("scripts")?;
    resolved(scripts, "test", 3)
}

fn from_script(package: &str, runner: &str) -> Option<Given> {
    script_of(package).filter(|(found, _)| *found == runner).map(|(_, given)| given)
}

/// `hops` scripts are followed: `"test": "npm run test:unit"`.
fn resolved(scripts: &serde_json::Value, name: &str, hops: u8) -> Option<(&'static str, Given)> {
    let words = split_words(scripts.get(name)?.as_str()?);
    for part in words.split(|word| matches!(word.as_str(), "&&" | "||" | ";" | "|" | "&")) {
        let words: Vec<&str> = part.iter().map(String::as_str).collect();
        let (env, words) = assignments(&words);
        if let Some(found) = line(words) {
            let mut given = split(found.runner, &found.kept().words);
            for (key, value) in env {
                adopt(&mut given, key, value);
            }
            return Some((found.runner, given));
        }
        let other = match words {
            ["npm" | "pnpm" | "yarn", "run", other, ..] | ["yarn" | "pnpm", other, ..] => *other,
            _ => continue,
        };
        if hops > 0
            && let Some(found) = resolved(scripts, other, hops - 1)
        {
            return Some(found);
        }
    }
    None
}

/// Words of a command line, quotes taken off.
fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (c, None) if c.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (c, _) => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// `A=b` before a command, and the command.
fn assignments<'a, 'w>(words: &'w [&'a str]) -> (Vec<(&'a str, &'a str)>, &'w [&'a str]) {
    let mut env = Vec::new();
    let mut rest = words;
    while let Some((first, more)) = rest.split_first() {
        match first.split_once('=') {
            Some((key, value)) if is_name(key) => env.push((key, value)),
            _ if matches!(*first, "cross-env" | "env" | "c8" | "nyc") => {}
            _ => break,
        }
        rest = more;
    }
    (env, rest)
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A variable of the project's own script, unless it is ours to set or changes how programs are loaded.
fn adopt(given: &mut Given, key: &str, value: &str) {
    if key == "NODE_OPTIONS" {
        let words: Vec<&str> = value.split_whitespace().collect();
        given.node.extend(NODE.keep(&words, PlainWords::Refused).words);
        return;
    }
    let ours =
        ["PATH", "HOME", "TMPDIR", "CI", "NODE_PATH", "NODE_TEST_CONTEXT", "NODE_V8_COVERAGE"];
    if !ours.contains(&key) && !key.starts_with("LD_") && !key.starts_with("DYLD_") {
        given.env.insert(key.into(), value.into());
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
