//! Code that reaches into the test tool, raises skips, or decides itself what is equal.

use super::facts::{Facts, Use, What};
use super::{Hit, SuspicionKind, ends, first_of, is};
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::Node;

/// Modules of test tools.
const TOOLS: Words = Words(
    "pytest _pytest unittest nose nose2 pluggy vitest jest @jest/globals @vitest/expect \
    @vitest/runner @vitest/spy expect jest-circus mocha chai node:test testing github.com/stretchr/testify \
    bou.ke/monkey github.com/agiledragon/gomonkey github.com/agiledragon/gomonkey/v2 test org.junit org.testng \
    org.mockito org.assertj org.hamcrest junit.framework ctor",
);

/// Hooks into the run of a process or of an interpreter.
const HOOKS: Words = Words(
    "atexit.register sys.settrace sys.setprofile threading.settrace threading.setprofile \
    sys.monitoring sys.meta_path sys.path_hooks ctypes.pythonapi std.panic.set_hook std.panic.take_hook \
    std.panic.update_hook std.panic.catch_unwind std.panic.resume_unwind panic.set_hook panic.take_hook \
    panic.catch_unwind libc.atexit std.io.set_output_capture expect.extend expect.addEqualityTesters \
    expect.addSnapshotSerializer require.cache module.Module._load Module._load Module.prototype.require \
    syscall.Mprotect Runtime.getRuntime.addShutdownHook Thread.setDefaultUncaughtExceptionHandler \
    module.registerHooks",
);

/// What the language gives everyone: to change it is to change the tests too.
const GIVEN: Words = Words(
    "builtins __builtins__ AssertionError Object Array Function String Number Boolean \
    Promise Error Map Set JSON Math Date Reflect Symbol performance assert console expect describe it test jest vi \
    beforeEach afterEach process",
);

/// What a test tool writes: production code that has it forges a report.
const FRAMES: [&str; 8] = [
    "\"Action\":\"pass\"",
    "\"Action\": \"pass\"",
    "--- PASS",
    "test result: ok",
    "<testsuite",
    "##teamcity[test",
    "\"type\":\"suite\"",
    "\"numPassedTests\"",
];

pub(super) fn hits<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    facts.hits(|fact| match &fact.what {
        What::Import(module) => import_hit(facts, module),
        What::Path(path, used) => path_hit(facts, fact.node, path, *used),
        What::Definition(name) => definition_hit(facts, fact.node, name),
        What::Text(value, _) => {
            let frame = FRAMES.iter().find(|f| value.contains(**f));
            frame.map(|frame| tampers(format!("`{frame}` is what a test tool writes")))
        }
        What::Attribute(text) => attribute_hit(text),
        What::Comment(text) => text
            .starts_with("//go:linkname")
            .then(|| tampers("`go:linkname` reaches into another package".to_owned())),
    })
}

/// A `TestMain` decides over all tests of its package.
pub(super) fn test_mains<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    let mains = facts.list.iter().filter(|fact| match &fact.what {
        What::Definition(name) => facts.language == Language::Go && name == "TestMain",
        _ => false,
    });
    let text = "`TestMain` decides how every test of its package ends";
    mains.map(|fact| Hit::new(SuspicionKind::RunnerTampering, fact.node, text)).collect()
}

fn tampers(text: String) -> (SuspicionKind, String) {
    (SuspicionKind::RunnerTampering, text)
}

fn import_hit(facts: &Facts<'_>, module: &str) -> Option<(SuspicionKind, String)> {
    // A package of aids for tests is called so.
    let aids = facts.file.split('/').any(|part| {
        let stem = part.split('.').next().unwrap_or(part);
        stem.contains("test") || stem.contains("mock") || stem.contains("fake")
    });
    if aids {
        return None;
    }
    let tool = TOOLS.find(|tool| {
        let rest = module.strip_prefix(tool);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
    })?;
    let known_here = match facts.language {
        Language::Python => {
            !tool.contains(['/', ':', '@'])
                && !matches!(tool, "test" | "testing" | "expect" | "ctor" | "jest")
        }
        Language::Script(_) => !matches!(tool, "testing" | "test" | "unittest" | "ctor"),
        Language::Go => tool == "testing" || tool.contains('/'),
        Language::Rust => matches!(tool, "test" | "ctor"),
        Language::Java => tool.contains('.'),
    };
    known_here.then(|| tampers(format!("`{module}`, a test tool, is imported by production code")))
}

fn path_hit(
    facts: &Facts<'_>,
    node: Node<'_>,
    path: &str,
    used: Use,
) -> Option<(SuspicionKind, String)> {
    let spelled =
        if facts.language == Language::Rust { path.replace('.', "::") } else { path.to_owned() };
    if let Some(skip) = skip(facts, path) {
        return Some((SuspicionKind::Skip, format!("`{skip}` skips the test that calls it")));
    }
    if first_of(path, HOOKS).is_some() {
        return Some(tampers(format!("`{spelled}` hooks into the run")));
    }
    if used == Use::Assigned {
        let root = path.split('.').next().unwrap_or(path);
        let through_global = facts.is_global(node);
        // A variable of its own that has such a name is not the one that everybody has.
        let given = GIVEN.has(root)
            && (path.contains('.') || through_global)
            && path != "process.exitCode"
            && !is(path, "process.env");
        let hooks = Words("sys.excepthook sys.unraisablehook sys.displayhook sys.modules");
        if matches!(facts.language, Language::Python | Language::Script(_))
            && (given
                || first_of(path, hooks).is_some()
                || ends(path, "__code__")
                || path.contains(".prototype.asymmetricMatch"))
        {
            return Some(tampers(format!("`{spelled}` is changed for everyone, the tests too")));
        }
    }
    let near = |words: &[&str]| facts.texts_near(node).any(|t| words.contains(&t));
    if matches!(facts.language, Language::Script(_))
        && matches!(
            path,
            "process.on" | "process.once" | "process.addListener" | "process.prependListener"
        )
        && near(&["exit", "beforeExit"])
    {
        return Some(tampers(format!("`{path}` hooks into the end of the process")));
    }
    if matches!(path, "Object.defineProperty" | "Object.assign" | "Reflect.set" | "setattr")
        && used == Use::Called
    {
        let first = node.child_by_field_name("arguments").and_then(|a| a.named_child(0));
        let target = first.map_or("", |n| syntax::text(n, facts.source));
        let root = target.split('.').next().unwrap_or(target);
        let shared = target.ends_with(".prototype") && GIVEN.has(root);
        if shared
            || matches!(
                target,
                "builtins" | "__builtins__" | "sys" | "globalThis" | "global" | "expect" | "assert"
            )
        {
            return Some(tampers(format!("`{target}` is changed for everyone, the tests too")));
        }
    }
    None
}

fn skip<'p>(facts: &Facts<'_>, path: &'p str) -> Option<&'p str> {
    let named = match facts.language {
        Language::Python => {
            let known = Words(
                "pytest.skip pytest.xfail pytest.importorskip pytest.fail unittest.SkipTest SkipTest \
                unittest.skip _pytest.outcomes unittest.case.SkipTest nose.SkipTest",
            );
            first_of(path, known).is_some()
        }
        Language::Go => {
            facts.imports("testing")
                && ["Skip", "Skipf", "SkipNow"].iter().any(|s| ends(path, s) && path.contains('.'))
        }
        Language::Script(_) => {
            ["vitest.skip", "test.skip", "it.skip", "describe.skip"].contains(&path)
        }
        Language::Java => {
            ["TestAbortedException", "AssumptionViolatedException", "SkipException"]
                .iter()
                .any(|s| ends(path, s))
                || ends(path, "assumeTrue")
                || ends(path, "assumeFalse")
        }
        Language::Rust => false,
    };
    named.then_some(path)
}

fn definition_hit(
    facts: &Facts<'_>,
    node: Node<'_>,
    name: &str,
) -> Option<(SuspicionKind, String)> {
    let equality =
        |text: &str| Some((SuspicionKind::Equality, format!("`{text}` decides what is equal")));
    match facts.language {
        Language::Python => match name {
            "__eq__" | "__ne__" | "__hash__" | "__instancecheck__" if node.kind() != "pair" => {
                equality(name)
            }
            name if name.starts_with("pytest_") && node.kind() == "function_definition" => {
                Some(tampers(format!("`{name}` is a hook of pytest")))
            }
            _ => None,
        },
        Language::Script(_) => (name == "asymmetricMatch").then(|| equality(name)).flatten(),
        Language::Rust => match name {
            name if name.starts_with("impl ") => {
                let bare = name.trim_start_matches("impl ").split('<').next().unwrap_or("");
                let last = bare.rsplit("::").next().unwrap_or(bare);
                (last == "PartialEq").then(|| equality("impl PartialEq")).flatten()
            }
            _ => (node.kind() == "macro_definition"
                && (name.starts_with("assert") || name == "panic"))
                .then(|| tampers(format!("`{name}!` takes the place of the usual one"))),
        },
        Language::Go => {
            let result = syntax::field(node, "result", facts.source);
            let asked = node.kind() == "method_declaration"
                && matches!(name, "Equal" | "Is")
                && result == "bool";
            asked.then(|| equality(name)).flatten()
        }
        Language::Java => (node.kind() == "method_declaration" && name == "equals")
            .then(|| equality(name))
            .flatten(),
    }
}

fn attribute_hit(text: &str) -> Option<(SuspicionKind, String)> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let early = bare.contains("ctor::ctor")
        || bare == "#[ctor]"
        || bare.contains("init_array")
        || bare.contains("mod_init_func");
    early.then(|| tampers(format!("`{text}` runs before the program")))
}
