//! vitest and jest: their tests can't be run without them, so they run as always, and the code under test does not see
//! the signs: variables and arguments are taken away before each file, and what production sources ask of the tool's
//! globals and of `import.meta` has the answer that it has elsewhere.

use super::{Ends, Outside, OutsideEnd, all_not_made, not_made};
use crate::ask::{Ask, Coverage, Order, Plan, Runner, Selection, Step, StepOutput};
use crate::js::jest::{self, Jest};
use crate::js::tool;
use crate::js::vitest::{self, Vitest};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_lang::child_file;
use proctor_lang::edit::Edit;
use proctor_lang::js::script::Script;
use proctor_lang::syntax;
use proctor_lang::tree::{Tree, text};
use proctor_lang::zone::{SCRIPTS, Zone, has_ending, zone};
use std::path::{Path, PathBuf};
use tree_sitter::Node;

const MASK: &str = include_str!("js/mask.cjs");
/// Stands beside the project's own configuration, so that what it imports is found.
const WRAPPER: &str = "plain.config.mjs";

/// What a tool puts within the reach of every file.
const GLOBALS: [&str; 12] = [
    "describe",
    "it",
    "test",
    "expect",
    "jest",
    "vi",
    "vitest",
    "suite",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
];

fn asked(ask: &Ask, tests: &[TestItem]) -> Ask {
    let only = Selection::Ids(tests.iter().map(|test| test.id.clone()).collect());
    Ask { only, order: Order::AsWritten, coverage: Coverage::Off, ..ask.clone() }
}

fn runner(name: &str) -> &'static dyn Runner {
    if name == "jest" { &Jest } else { &Vitest }
}

pub(super) fn plan(name: &str, ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Option<Outside> {
    let ask = asked(ask, tests);
    let mut plan = runner(name).plan(&ask);
    let mut step = runner(name).next(&ask, &[])?;
    let mask = tool::reporter(&ask, "proctor_mask.cjs");
    plan.files.push((mask.clone(), MASK.as_bytes().to_vec()));
    match name {
        "jest" => {
            if sets_up(&ask) {
                return None;
            }
            // Before the files of the tests, which have no option of their own to end this list.
            step.argv.insert(2, tool::flag("--setupFiles=", &mask));
        }
        _ => wrap(&ask, &mut plan, &mut step, &mask)?,
    }
    step.env.insert("NODE_ENV".into(), "development".into());
    plan.files.extend(masked_sources(&ask, tree));
    Some(Outside { plan, steps: vec![step] })
}

/// vitest takes set-up files from its configuration alone: ours has the project's inside.
fn wrap(ask: &Ask, plan: &mut Plan, step: &mut Step, mask: &Path) -> Option<()> {
    let own = tool::configuration(ask, &vitest::config_names());
    let workspaces = ["ts", "js", "mjs", "json"].map(|e| format!("vitest.workspace.{e}"));
    if tool::configuration(ask, &workspaces).is_some() {
        return None;
    }
    let text =
        own.as_ref().and_then(|path| child_file::read_to_string(path).ok()).unwrap_or_default();
    if text.contains("projects") || text.contains("workspace") {
        return None;
    }
    let place = own.as_ref().map_or_else(|| ask.workdir(), |path| path.with_file_name(""));
    let import = match &own {
        Some(path) => {
            let name = path.file_name()?.to_string_lossy().into_owned();
            format!("import given from {}\n", serde_json::to_string(&format!("./{name}")).ok()?)
        }
        None => "const given = {}\n".to_owned(),
    };
    let mask = serde_json::to_string(mask).ok()?;
    let source = format!(
        "{import}export default async (env) => {{\n  \
         const base = (typeof given === 'function' ? await given(env) : await given) ?? {{}}\n  \
         const test = base.test ?? {{}}\n  \
         const setupFiles = [{mask}, ...[test.setupFiles ?? []].flat()]\n  \
         return {{ ...base, test: {{ ...test, setupFiles }} }}\n}}\n"
    );
    let wrapper = place.join(WRAPPER);
    let at = step.argv.iter().position(|a| a.to_string_lossy().starts_with("--config="))?;
    *step.argv.get_mut(at)? = tool::flag("--config=", &wrapper);
    plan.files.push((wrapper, source.into_bytes()));
    Some(())
}

/// Whether jest's configuration has set-up files of its own, which ours would replace.
fn sets_up(ask: &Ask) -> bool {
    let Some(path) = tool::configuration(ask, &jest::config_names()) else { return false };
    let Ok(text) = child_file::read_to_string(&path) else { return true };
    let rest = text.replace("setupFilesAfterEnv", "");
    let preset = rest.split("preset").nth(1).is_some_and(|after| {
        let value = after.trim_start_matches(['"', '\'', ':', ' ', '=']);
        !value.starts_with("ts-jest")
    });
    rest.contains("setupFiles")
        || rest.contains("\"projects\"")
        || rest.contains("projects:")
        || preset
}

/// Production sources that ask for the tool, with another answer.
fn masked_sources(ask: &Ask, tree: &dyn Tree) -> Vec<(PathBuf, Vec<u8>)> {
    let production = |path: &String| {
        zone(path) == Zone::Production && SCRIPTS.iter().any(|ending| has_ending(path, ending))
    };
    let mut files = Vec::new();
    for path in tree.paths().into_iter().filter(production) {
        let asks = |source: &str| {
            ["typeof", "import.meta", "globalThis", "global.", "window."]
                .iter()
                .any(|word| source.contains(word))
        };
        if !text(tree, &path).is_some_and(|source| asks(&source)) {
            continue;
        }
        let Some(script) = Script::read(tree, &path) else { continue };
        let edits = answers(script.root(), &script.source);
        if !edits.is_empty() {
            files.push((ask.tree.join(&path), Edit::applied(&script.source, &edits).into_bytes()));
        }
    }
    files
}

fn answers(root: Node<'_>, source: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if let Some(answer) = answer(node, source) {
            edits.push(Edit {
                line: syntax::line(node),
                from: node.start_byte(),
                to: node.end_byte(),
                text: answer.to_owned(),
                what: String::new(),
            });
        }
    });
    edits
}

fn answer(node: Node<'_>, source: &str) -> Option<&'static str> {
    let is_global = |name: &str| GLOBALS.contains(&name);
    let holds_globals = |name: &str| ["globalThis", "global", "window", "self"].contains(&name);
    match node.kind() {
        "unary_expression" if syntax::field(node, "operator", source) == "typeof" => {
            let of = syntax::field(node, "argument", source);
            is_global(of.trim_matches(['(', ')'])).then_some("(\"undefined\")")
        }
        "member_expression" => {
            let object = syntax::field(node, "object", source);
            let name = syntax::field(node, "property", source);
            match (object, name) {
                ("import.meta", "vitest") | ("import.meta.env", "VITEST") => Some("(undefined)"),
                ("import.meta.env", "MODE") => Some("(\"development\")"),
                (object, name) if holds_globals(object) && is_global(name) => Some("(undefined)"),
                _ => None,
            }
        }
        "binary_expression" if syntax::field(node, "operator", source) == "in" => {
            let name = syntax::field(node, "left", source).trim_matches(['"', '\'', '`']);
            let asked = is_global(name) && holds_globals(syntax::field(node, "right", source));
            asked.then_some("(false)")
        }
        _ => None,
    }
}

pub(super) fn read(name: &str, ask: &Ask, tests: &[TestItem], done: &[StepOutput]) -> Ends {
    let ask = asked(ask, tests);
    let report = runner(name).read(&ask, done);
    if report.end != RunEnd::Finished {
        return all_not_made(tests, "the run without the tool's signs did not come to its end");
    }
    let end = |test: &TestItem| -> OutsideEnd {
        let own: Vec<&CaseEnd> = report
            .cases
            .iter()
            .filter(|(id, _)| test.covers(id))
            .map(|(_, case)| &case.end)
            .collect();
        if own.is_empty() {
            return not_made("it was not run without the tool's signs");
        }
        let failed = own.iter().find_map(|end| match end {
            CaseEnd::Failed { reason: Reason::Assertion { message, .. } } => Some(message),
            _ => None,
        });
        match failed {
            Some(message) => OutsideEnd::Fails { message: message.clone() },
            None if own.iter().all(|end| **end == CaseEnd::Passed) => OutsideEnd::Holds,
            None => not_made("it ends without the tool's signs with no check of its own"),
        }
    };
    tests.iter().map(|test| (test.id.clone(), end(test))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_lang::{Dialect, Language};

    #[test]
    fn what_is_asked_of_a_tool_has_the_answer_of_elsewhere() {
        for (source, wanted) in [
            ("if (typeof vi !== 'undefined') f()", "if ((\"undefined\") !== 'undefined') f()"),
            ("const on = globalThis.describe", "const on = (undefined)"),
            ("const on = 'jest' in globalThis", "const on = (false)"),
            ("const on = import.meta.env.VITEST", "const on = (undefined)"),
            ("if (import.meta.vitest) { f() }", "if ((undefined)) { f() }"),
            ("const on = typeof window, a = window.x", "const on = typeof window, a = window.x"),
        ] {
            let parsed = Language::Script(Dialect::JavaScript).parse(source).unwrap();
            let edits = answers(parsed.root_node(), source);
            assert_eq!(Edit::applied(source, &edits), wanted);
        }
    }
}
