//! Canaries for JavaScript tools: tests at the end of the file, by the names that the file itself
//! uses. Knows no report.

use super::appended;
use proctor_lang::Words;
use proctor_lang::js::definers::{Definers, Kind};
use proctor_lang::js::names::{Imported, Names};
use proctor_lang::js::script::{Script, bare};
use proctor_lang::syntax;
use proctor_lang::tree::MemoryTree;
use tree_sitter::Node;

/// Modules whose default export is `node:assert` in one form or the other.
const NODE_ASSERT: Words = Words("assert node:assert assert/strict node:assert/strict");
/// The same in other words: an object of assertions, and one that is false.
const OTHER_ASSERTS: [(&str, &str); 2] =
    [("uvu/assert", "is(1, 2)"), ("@std/assert", "assertEquals(1, 2)")];

pub(super) fn with_canaries(file: &str, source: &str, tag: &str) -> Option<String> {
    let tree = [(file, source)].into_iter().collect::<MemoryTree>();
    let script = Script::read(&tree, file)?;
    let names = Names::of(script.root(), source);
    let define = definer(script.root(), source, &names)?;
    let manner = Manner::of(&names);
    let (open, close) = (manner.open, manner.close);
    let skip = if manner.skips_by_option {
        format!(";{define}('{tag}_skips', {{ skip: true }}, {open}")
    } else if define.starts_with("Deno.") {
        format!(";{define}.ignore('{tag}_skips', {open}")
    } else if names.only_import(define.split('.').next().unwrap_or_default()).is_some() {
        format!(";{define}.skip('{tag}_skips', {open}")
    } else {
        // Of what is global, jasmine has another word.
        format!(";({define}.skip ?? xit)('{tag}_skips', {open}")
    };
    let mut text = format!(
        "\
;{define}('{tag}_passes', {open}
  if (String(1) !== '1') throw new Error('a canary')
{close}}})
;{define}('{tag}_fails', {open}
  if (String(1) !== '2') throw new Error('a canary')
{close}}})
{skip}
  if (String(1) !== '2') throw new Error('a canary')
{close}}})
"
    );
    if let Some(body) = manner.own {
        text.extend([format!(";{define}('{tag}_fails_own', {open}\n  {body}\n}})\n")]);
    }
    for (end, body) in own_means(script.root(), source, &names) {
        text.extend([format!(";{define}('{tag}_fails_{end}', {open}\n  {body}\n}})\n")]);
    }
    if manner.runs {
        text.extend([format!(";{define}.run()\n")]);
    }
    Some(appended(source, &text))
}

/// How a test is written for the tool that the file imports.
struct Manner {
    open: &'static str,
    /// What a test has to say at its end, so that it passes.
    close: &'static str,
    /// A false assertion of the context that it is given.
    own: Option<&'static str>,
    skips_by_option: bool,
    /// What was defined is run only on demand.
    runs: bool,
}

impl Manner {
    fn of(names: &Names<'_>) -> Self {
        let from = |module: &str| {
            names.imports.values().flatten().any(|import| import.specifier == module)
        };
        let with_context = from("ava") || from("tape") || from("tap");
        let own = if from("ava") { "t.is(1, 2)" } else { "t.equal(1, 2)" };
        Self {
            open: if with_context { "async (t) => {" } else { "() => {" },
            close: if with_context { "  t.pass()\n" } else { "" },
            own: with_context.then_some(own),
            skips_by_option: from("tap"),
            runs: from("uvu"),
        }
    }
}

/// What the file calls the function that defines a test: imported, of a whole module, or global.
fn definer(root: Node<'_>, source: &str, names: &Names<'_>) -> Option<String> {
    let definers = Definers { names, source };
    let mut used: Vec<String> = Vec::new();
    let mut suites = false;
    for n in syntax::nodes(root).filter(|n| n.kind() == "call_expression") {
        match definers.of_call(n, &[]).map(|d| d.kind) {
            Some(Kind::Test) => {
                used.extend(n.child_by_field_name("function").and_then(|f| base(f, source)));
            }
            Some(Kind::Suite) => suites = true,
            None => {}
        }
    }
    // A name bound in a function may not be there at the end of the file; an import or a global is.
    let there = |name: &String| {
        let root = name.split('.').next().unwrap_or_default();
        names.only_import(root).is_some() || !names.is_variable(root)
    };
    used.into_iter().find(there).or_else(|| suites.then(|| of_module(names)).flatten())
}

/// `it` of `it.each(rows)`, `vitest.test` of `vitest.test.skip`. Words for focus and marks are left out.
fn base(callee: Node<'_>, source: &str) -> Option<String> {
    let callee = bare(callee);
    match callee.kind() {
        "identifier" => match syntax::text(callee, source) {
            "fit" | "xit" => Some("it".to_owned()),
            "ftest" | "xtest" => Some("test".to_owned()),
            name => Some(name.to_owned()),
        },
        "member_expression" => {
            let object = base(callee.child_by_field_name("object")?, source)?;
            match syntax::field(callee, "property", source) {
                word @ ("it" | "test") => Some(format!("{object}.{word}")),
                _ => Some(object),
            }
        }
        "call_expression" => base(callee.child_by_field_name("function")?, source),
        _ => None,
    }
}

/// For a file whose tests are all defined by other files' functions.
fn of_module(names: &Names<'_>) -> Option<String> {
    let tools = ["vitest", "@jest/globals", "node:test", "mocha", "uvu", "@playwright/test"];
    let imported = names.imports.iter().find_map(|(local, list)| {
        let import = list.first().filter(|i| tools.contains(&i.specifier.as_str()))?;
        match &import.what {
            Imported::Named(name) if name == "it" || name == "test" => Some(local.clone()),
            Imported::Whole => Some(format!("{local}.test")),
            Imported::Default | Imported::Named(_) => None,
        }
    });
    let any = names.imports.values().flatten().any(|i| tools.contains(&i.specifier.as_str()));
    imported.or_else(|| (!any).then(|| "test".to_owned()))
}

/// False assertions by the means that the file has, each with the end of its name.
fn own_means(root: Node<'_>, source: &str, names: &Names<'_>) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let imported = |wanted: &str| {
        names.imports.iter().find_map(|(local, list)| match list.as_slice() {
            [one] if one.what == Imported::Named(wanted.to_owned()) => Some(local.clone()),
            _ => None,
        })
    };
    let expect = imported("expect").or_else(|| {
        let global = calls(root, source, "expect") && !names.is_variable("expect");
        (global && !names.imports.contains_key("expect")).then(|| "expect".to_owned())
    });
    if let Some(expect) = expect {
        let chai = source.contains(").to.");
        let call = if chai { "to.equal(2)" } else { "toBe(2)" };
        found.push(("too", format!("{expect}(1).{call}")));
        if !chai {
            found.push(("equal", format!("{expect}({{ a: 1 }}).toEqual({{ a: 2 }})")));
        }
        if source.contains(".toThrow") {
            found.push(("throw", format!("{expect}(() => {{}}).toThrow()")));
        }
    }
    for (local, list) in &names.imports {
        let [one] = list.as_slice() else { continue };
        let other = OTHER_ASSERTS.iter().find(|(module, _)| *module == one.specifier);
        if let (Some((_, call)), Imported::Whole) = (other, &one.what) {
            found.push(("assert", format!("{local}.{call}")));
        }
        if !NODE_ASSERT.has(one.specifier.as_str()) {
            continue;
        }
        match &one.what {
            Imported::Default | Imported::Whole => {
                found.push(("assert", format!("{local}.strictEqual(1, 2)")));
                found.push(("deep", format!("{local}.deepStrictEqual({{ a: 1 }}, {{ a: 2 }})")));
            }
            Imported::Named(name) if name == "strict" || name == "assert" => {
                found.push(("assert", format!("{local}.strictEqual(1, 2)")));
            }
            Imported::Named(name) if name == "strictEqual" || name == "equal" => {
                found.push(("equal", format!("{local}(1, 2)")));
            }
            Imported::Named(_) => {}
        }
    }
    found.sort();
    found.dedup_by(|a, b| a.0 == b.0);
    found
}

fn calls(root: Node<'_>, source: &str, name: &str) -> bool {
    syntax::nodes(root)
        .any(|n| n.kind() == "call_expression" && syntax::field(n, "function", source) == name)
}
