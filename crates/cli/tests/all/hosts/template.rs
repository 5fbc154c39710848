//! As much of a template for a code host as its shell scripts need: the steps of a composite action, the scripts of jobs, and the
//! expressions between `${{` and `}}`. What is written in another way than ours is not understood, and says so.

use std::collections::BTreeMap;

/// A step of an action.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) id: Option<String>,
    pub(super) only_if: Option<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) run: Option<String>,
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of a block below a line of this depth, without their indentation, and what follows.
fn block<'a>(lines: &'a [&'a str], above: usize) -> (String, &'a [&'a str]) {
    let is_in = |line: &&str| line.trim().is_empty() || depth(line) > above;
    let end = lines.iter().position(|line| !is_in(line)).unwrap_or(lines.len());
    let inner =
        lines[..end].iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min();
    let cut = |line: &&str| line.get(inner.unwrap_or(0)..).unwrap_or_default().to_owned() + "\n";
    (lines[..end].iter().map(cut).collect(), &lines[end..])
}

pub(super) fn steps(text: &str) -> Vec<Step> {
    let (_, below) = text.split_once("  steps:\n").expect("an action has steps");
    let lines: Vec<&str> = below.lines().collect();
    let (mut rest, mut found) = (&lines[..], Vec::new());
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        if line.starts_with("    - name:") {
            found.push(Step::default());
            continue;
        }
        let Some(step) = found.last_mut() else { continue };
        let Some((name, value)) = line.trim().split_once(':') else { continue };
        let value = value.trim();
        match name {
            "id" => step.id = Some(value.to_owned()),
            "if" => step.only_if = Some(value.to_owned()),
            "run" => {
                assert_eq!(value, "|", "a script is a block");
                let (script, after) = block(rest, depth(line));
                (step.run, rest) = (Some(script), after);
            }
            "env" => {
                let (vars, after) = block(rest, depth(line));
                let pair = |line: &str| {
                    let (name, value) = line.split_once(": ").expect("a variable");
                    (name.to_owned(), value.to_owned())
                };
                (step.env, rest) = (vars.lines().map(pair).collect(), after);
            }
            _ => {}
        }
    }
    found
}

/// The script of each job of a GitLab template: blocks, and what it takes from another job.
pub(super) fn scripts(text: &str) -> BTreeMap<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut job, mut found) = (String::new(), BTreeMap::<String, String>::new());
    for (at, line) in lines.iter().enumerate() {
        if depth(line) == 0 && line.ends_with(':') {
            line.trim_end_matches(':').clone_into(&mut job);
        }
        if line.trim() != "script:" {
            continue;
        }
        let (mut script, mut rest) = (String::new(), &lines[at + 1..]);
        while let Some((item, after)) = rest.split_first().filter(|(item, _)| depth(item) == 4) {
            let of = item.trim().strip_prefix("- !reference [").and_then(|it| it.split(',').next());
            rest = after;
            if let Some(of) = of {
                script.push_str(&found[of]);
            } else {
                assert_eq!(item.trim(), "- |", "one block");
                let (block, after) = block(after, 4);
                script.push_str(&block);
                rest = after;
            }
        }
        found.insert(job.clone(), script);
    }
    found
}

/// What the host knows when it runs a step.
#[derive(Debug, Default)]
pub(super) struct Context {
    values: BTreeMap<String, String>,
}

impl Context {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// What a host does not know is empty.
    pub(super) fn get(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// A value with its expressions filled in.
    pub(super) fn filled(&self, text: &str) -> String {
        let (mut rest, mut out) = (text, String::new());
        while let Some((before, after)) = rest.split_once("${{") {
            let (expression, after) = after.split_once("}}").expect("an expression ends");
            out.push_str(before);
            out.push_str(self.first(expression));
            rest = after;
        }
        out + rest
    }

    /// The first of some alternatives that is not empty.
    fn first<'a>(&'a self, expression: &'a str) -> &'a str {
        expression
            .split("||")
            .map(|one| self.one(one))
            .find(|value| !value.is_empty())
            .unwrap_or("")
    }

    fn one<'a>(&'a self, word: &'a str) -> &'a str {
        let word = word.trim();
        word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or_else(|| {
            assert!(!word.contains(' '), "an expression that is not understood: {word}");
            self.get(word)
        })
    }

    /// Whether all of a step's conditions hold.
    pub(super) fn holds(&self, condition: &str) -> bool {
        condition.split("&&").all(|part| {
            if let Some((one, other)) = part.split_once("!=") {
                self.one(one) != self.one(other)
            } else if let Some((one, other)) = part.split_once("==") {
                self.one(one) == self.one(other)
            } else {
                !self.one(part).is_empty()
            }
        })
    }
}
