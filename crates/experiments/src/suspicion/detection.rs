//! Code that asks whether it runs under test, or who called it. What honest programs ask (`NODE_ENV` for production,
//! `sys.argv` for their arguments) is left alone.

use super::cfg;
use super::facts::{Facts, Pieces, Use, What, is_asked};
use super::{Hit, SuspicionKind, ends, first_of, is};
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use proctor_lang::zone::has_ending;
use tree_sitter::Node;

/// Words that only a test tool sets or knows. As a part of a string or of a path.
const MARKS: Words = Words(
    "PYTEST_CURRENT_TEST PYTEST_VERSION PYTEST_XDIST PYTEST_ADDOPTS JEST_WORKER_ID VITEST \
    NODE_TEST_CONTEXT NEXTEST RUST_TEST_THREADS CARGO_TARGET_TMPDIR CARGO_BIN_EXE_ __vitest_ __jest_ __JEST_ \
    jest-matchers-object jest.asymmetricMatcher surefire. org.junit. test.testlogfile GO_TEST_",
);

/// Names of test tools: a string with one of these that something is compared with asks for the tool.
const TOOLS: Words = Words(
    "pytest _pytest py.test unittest nose jest vitest mocha test.v test.run test.timeout \
    .test nextest /deps/",
);

/// What the tools put into the global scope.
const GLOBALS: Words = Words("jest vi vitest describe it test expect beforeEach afterEach suite");

const PEEKS: Words = Words(
    "inspect.stack inspect.currentframe inspect.trace inspect.getouterframes sys._getframe \
    sys._getframemodulename sys._current_frames traceback.extract_stack traceback.walk_stack traceback.format_stack \
    traceback.print_stack gc.get_objects gc.get_referrers runtime.Caller runtime.Callers runtime.CallersFrames \
    runtime.FuncForPC runtime.Stack runtime/debug.Stack runtime/debug.PrintStack Error.prepareStackTrace \
    std.panic.Location.caller core.panic.Location.caller std.backtrace.Backtrace.force_capture \
    backtrace.Backtrace.new Thread.currentThread.getStackTrace Throwable.getStackTrace Exception.getStackTrace \
    StackWalker java.lang.StackWalker callsites",
);

/// What a frame is asked for.
const FRAME_PARTS: Words = Words("f_back f_code f_globals f_locals tb_frame");

pub(super) fn hits<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    facts.hits(|fact| match &fact.what {
        What::Path(path, used) => path_hit(facts, fact.node, path, *used),
        What::Text(value, pieces) => text_hit(facts, fact.node, value, *pieces),
        What::Attribute(text) if facts.language == Language::Rust => {
            cfg::hit(fact.node, text, facts.source).map(detects)
        }
        _ => None,
    })
}

fn detects(text: String) -> (SuspicionKind, String) {
    (SuspicionKind::TestDetection, text)
}

fn path_hit(
    facts: &Facts<'_>,
    node: Node<'_>,
    path: &str,
    used: Use,
) -> Option<(SuspicionKind, String)> {
    if let Some(mark) = MARKS.find(|m| path.split('.').any(|part| part.starts_with(m))) {
        return Some(detects(format!("`{mark}` tells whether a test is running")));
    }
    if let Some(peek) = first_of(path, PEEKS) {
        return Some((SuspicionKind::Peeking, format!("`{peek}` looks at the callers")));
    }
    if facts.language == Language::Python
        && let Some(part) = FRAME_PARTS.find(|part| path.split('.').any(|p| p == part))
    {
        return Some((SuspicionKind::Peeking, format!("`{part}` looks into a frame")));
    }
    let asked = || is_asked(node);
    let near = |words: Words| facts.texts_near(node).any(|t| words.any(|w| t.contains(w)));
    match facts.language {
        Language::Python => {
            let named = is(path, "sys.gettrace")
                || (is(path, "sys.argv") && near(Words("pytest py.test unittest")));
            let program =
                is(path, "sys.argv") && syntax::text(node, facts.source).contains("[0]") && asked();
            if named || program {
                return Some(detects(format!("`{path}` tells which program runs")));
            }
        }
        Language::Script(_) => return script_path(facts, node, path, used),
        Language::Go => {
            if is(path, "testing.Testing")
                || is(path, "testing.CoverMode")
                || is(path, "testing.Short")
            {
                return Some(detects(format!("`{path}` tells whether a test is running")));
            }
            let program = (is(path, "os.Args")
                && (syntax::text(node, facts.source).contains("[0]") && asked()))
                || (is(path, "os.Args") || is(path, "os.Executable"))
                    && near(Words(".test test. _test"));
            if program || (ends(path, "Lookup") && near(Words("test."))) {
                return Some(detects(format!("`{path}` tells which program runs")));
            }
        }
        Language::Rust => return rust_path(facts, node, path),
        Language::Java => {}
    }
    None
}

fn script_path(
    facts: &Facts<'_>,
    node: Node<'_>,
    path: &str,
    used: Use,
) -> Option<(SuspicionKind, String)> {
    let near = |words: Words| facts.texts_near(node).any(|t| words.any(|w| t.contains(w)));
    if is(path, "import.meta.vitest")
        || is(path, "import.meta.jest")
        || is(path, "import.meta.env.TEST")
    {
        return Some(detects(format!("`{path}` tells whether a test is running")));
    }
    let parent = node.parent();
    let typeof_it = parent.is_some_and(|p| {
        p.kind() == "unary_expression" && syntax::field(p, "operator", facts.source) == "typeof"
    });
    let through_global = facts.is_global(node);
    if GLOBALS.has(path)
        && (typeof_it || (through_global && used != Use::Assigned && is_asked(node)))
    {
        return Some(detects(format!("`typeof {path}` tells whether a test is running")));
    }
    if (is(path, "process.env.NODE_ENV") || is(path, "import.meta.env.MODE")) && near(Words("test"))
    {
        return Some(detects(format!("`{path}` is compared with `test`")));
    }
    if (is(path, "process.argv") || is(path, "process.execArgv") || is(path, "process.mainModule"))
        && near(Words("jest vitest mocha .test .spec"))
    {
        return Some(detects(format!("`{path}` tells which program runs")));
    }
    // `new Error().stack.includes(…)`: a stack that something is read from.
    let parts: Vec<&str> = path.split('.').collect();
    let read = parts.iter().position(|p| *p == "stack").is_some_and(|at| {
        parts.get(at + 1).is_some_and(|next| {
            matches!(*next, "split" | "includes" | "match" | "matchAll" | "indexOf" | "search")
        }) || (at == 1 && parts[0] == "Error" && parts.len() == 2)
    });
    read.then(|| (SuspicionKind::Peeking, format!("`{path}` looks at the callers")))
}

fn rust_path(facts: &Facts<'_>, node: Node<'_>, path: &str) -> Option<(SuspicionKind, String)> {
    let near = |words: Words| facts.texts_near(node).any(|t| words.any(|w| t.contains(w)));
    let given = || syntax::text(node, facts.source);
    if path == "cfg!"
        && given().split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == "test")
    {
        return Some(detects(format!(
            "`{}` tells whether a test is running",
            syntax::folded(given())
        )));
    }
    if first_of(path, Words("std.env.var std.env.var_os env.var env.var_os")).is_some()
        && near(Words("CARGO"))
    {
        return Some(detects(
            "a variable of cargo at run time tells who started the program".to_owned(),
        ));
    }
    if ends(path, "thread.current.name") && is_asked(node) {
        return Some(detects("the name of the thread is the name of the test".to_owned()));
    }
    let program = ends(path, "env.current_exe")
        || path.contains("env.current_exe.")
        || ends(path, "env.args");
    if program && near(Words("deps nextest test")) {
        return Some(detects(format!("`{}` tells which program runs", path.replace('.', "::"))));
    }
    None
}

fn text_hit(
    facts: &Facts<'_>,
    node: Node<'_>,
    value: &str,
    pieces: Pieces,
) -> Option<(SuspicionKind, String)> {
    if let Some(mark) = MARKS.find(|m| value.contains(m) && value.len() < 80) {
        return Some(detects(format!("`{mark}` tells whether a test is running")));
    }
    let tool = TOOLS.find(|t| is(value, t));
    if let Some(tool) = tool
        && (pieces == Pieces::Several || is_compared(node, facts.source))
    {
        return Some(detects(format!("`{tool}` tells whether a test tool is there")));
    }
    if matches!(value, "/proc/self/cmdline" | "/proc/self/environ") {
        return Some(detects(format!("`{value}` tells which program runs")));
    }
    names_tests(facts, node, value)
        .then(|| (SuspicionKind::Peeking, format!("`{value}` is where the tests are")))
}

/// Whether a string is compared, looked up or asked for: not where it is only an element of a list or a default.
fn is_compared(node: Node<'_>, source: &str) -> bool {
    let asks = Words(
        "comparison_operator subscript subscript_expression index_expression match_pattern switch_case expression_case",
    );
    let through = Words("tuple list set array parenthesized_expression");
    let Some(around) = syntax::parents(node).find(|n| !through.has(n.kind())) else { return false };
    match around.kind() {
        kind if asks.has(kind) => true,
        "binary_expression" => {
            let operator = syntax::field(around, "operator", source);
            matches!(operator, "==" | "!=" | "===" | "!==" | "in")
        }
        "argument_list" | "arguments" => {
            let field = |name: &str| around.parent().map_or("", |c| syntax::field(c, name, source));
            let whole = Some(field("function")).filter(|f| !f.is_empty());
            let name = whole.unwrap_or_else(|| field("name"));
            LOOKS.has(name.rsplit(['.', ':']).next().unwrap_or(name))
        }
        _ => false,
    }
}

/// Functions that look for a text.
const LOOKS: Words = Words(
    "get startswith endswith startsWith endsWith includes contains HasSuffix HasPrefix Contains Lookup starts_with \
    ends_with find_spec has test indexOf resolve",
);

/// A path into the tests.
fn names_tests(facts: &Facts<'_>, node: Node<'_>, value: &str) -> bool {
    if value.contains("://") || value.contains(char::is_whitespace) || value.len() > 200 {
        return false;
    }
    let folder =
        ["tests/", "__tests__/", "testdata/", "src/test/"].iter().any(|f| value.contains(f));
    let name = value.rsplit('/').next().unwrap_or(value);
    let file = name.len() > 3
        && (name == "conftest.py"
            || name.ends_with("_test.go")
            || name.ends_with("_test.py")
            || (name.starts_with("test_") && has_ending(name, "py"))
            || [".test.js", ".test.ts", ".spec.js", ".spec.ts", ".test.tsx", ".test.mjs"]
                .iter()
                .any(|e| name.ends_with(e)));
    let opened = matches!(value, "tests" | "__tests__" | "testdata")
        && facts.paths_near(node).any(|p| {
            let last = p.rsplit(['.', '/']).next().unwrap_or(p);
            Words("open Path read_text readFileSync readFile readdirSync glob rglob ReadFile ReadDir Open read_to_string \
                    read_dir listdir walk").has(last)
        });
    folder || file || opened
}
