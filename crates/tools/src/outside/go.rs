//! Go outside `go test`: the test files of a package become ordinary ones beside it, with a stand-in for the package
//! `testing`, and an ordinary program calls their functions. Written into the tree, which is thrown away afterwards.
//!
//! All tests of a package run in one process and in their order, as `go test` runs them, and twice: only what fails
//! both times is told.

use super::{Ends, Outside, OutsideEnd, not_made, told};
use crate::ask::{Ask, Plan, Runner, Step, StepEnd, StepOutput};
use crate::go::test::{GoTest, chooses_files, environment, given};
use proctor_core::item::TestItem;
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::go::imports::SourceFile;
use proctor_lang::go::items;
use proctor_lang::go::modules::Module;
use proctor_lang::syntax;
use proctor_lang::tree::{FolderTree, Tree, below, parent, text};
use proctor_lang::zone::has_ending;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use tree_sitter::Node;

const STANDIN: &str = include_str!("go/standin.go");
/// Folders and files that the plan adds. Their names say nothing of tests.
const STANDIN_FOLDER: &str = "plainsteps";
const MAIN_FOLDER: &str = "plainmain";
const APART_FOLDER: &str = "plainapart";
const OWN_MAIN: &str = "plain_main.go";
const OLD_MAIN: &str = "plainProgram";

/// What a test file may hold, all words of a line together, that does not work here as in the runner.
const REFUSED: [(&[&str], &str); 6] = [
    (&["os.Args[0]", "exec."], "its package starts itself anew"),
    (&["os.Executable", "exec."], "its package starts itself anew"),
    (&["\"-test."], "its package knows the runner's options"),
    (&["func TestMain("], "its package has a main function of its own for tests"),
    (&["import \"C\""], "its package is built with C"),
    (&["testing.Benchmark("], "its package measures itself"),
];

pub(super) fn plan(ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Outside {
    let word = told::new_word();
    let mut plan = GoTest.plan(ask);
    plan.files.push(told::keep(ask, &word));
    plan.folders.push(ask.scratch.join("bin"));
    plan.folders.push(ask.scratch.join("app"));
    let mut steps = Vec::new();
    let mut modules = BTreeSet::new();
    for (number, folder) in folders(tests).into_iter().enumerate() {
        let Ok(package) = Package::read(tree, folder, tests) else { continue };
        if modules.insert(package.module.folder.clone()) {
            plan.files.extend(standin(ask, tree, &package.module));
        }
        plan.files.extend(package.files(ask, tree, &word));
        steps.extend(package.steps(ask, number));
    }
    let made: Vec<PathBuf> =
        plan.files.iter().filter_map(|(path, _)| Some(path.parent()?.to_owned())).collect();
    plan.folders.extend(made);
    Outside { plan: Plan { files: plan.files, folders: plan.folders }, steps }
}

/// The folders of the tests, in order.
fn folders(tests: &[TestItem]) -> BTreeSet<&str> {
    tests.iter().map(|test| parent(&test.place.file)).collect()
}

/// The stand-in of a module, and its ordinary files that use the package which it stands for.
fn standin(ask: &Ask, tree: &dyn Tree, module: &Module) -> Vec<(PathBuf, Vec<u8>)> {
    let place = below(&below(&module.folder, STANDIN_FOLDER), "steps.go");
    let mut files = vec![(ask.tree.join(place), STANDIN.as_bytes().to_vec())];
    let import = module.import_path(&below(&module.folder, STANDIN_FOLDER));
    let own = |path: &String| {
        let here = Module::around(tree, parent(path)).is_some_and(|m| m == *module);
        let sample = path.split('/').any(|p| p == "testdata" || p == "vendor");
        here && has_ending(path, "go") && !path.ends_with("_test.go") && !sample
    };
    for path in tree.paths().into_iter().filter(own) {
        let Some(source) = text(tree, &path).filter(|s| s.contains("\"testing\"")) else {
            continue;
        };
        let edits = import_edits(&source, &import);
        if !edits.is_empty() {
            files.push((ask.tree.join(&path), Edit::applied(&source, &edits).into_bytes()));
        }
    }
    files
}

/// The test files of one folder.
struct Package {
    folder: String,
    module: Module,
    /// The name of the package itself.
    name: String,
    /// Path, source, and whether the file is of the package apart.
    files: Vec<(String, String, Side)>,
    /// Every test function in the order in which it runs.
    tests: Vec<(String, Side)>,
}

/// `package x` or `package x_test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Inside,
    Apart,
}

impl Package {
    /// The reason why it can't be made as an error.
    fn read(tree: &dyn Tree, folder: &str, asked: &[TestItem]) -> Result<Self, String> {
        let module = Module::around(tree, folder).ok_or("it belongs to no module")?;
        let paths: Vec<String> = tree
            .paths()
            .into_iter()
            .filter(|p| parent(p) == folder && has_ending(p, "go"))
            .collect();
        let mut package = Self {
            folder: folder.to_owned(),
            module,
            name: String::new(),
            files: Vec::new(),
            tests: Vec::new(),
        };
        for path in &paths {
            let source = text(tree, path).ok_or("a file of its package can't be read")?;
            let clause = SourceFile::read(&source).package;
            if !path.ends_with("_test.go") {
                package.name = clause;
                continue;
            }
            if let Some((_, why)) =
                REFUSED.iter().find(|(signs, _)| signs.iter().all(|sign| source.contains(sign)))
            {
                return Err((*why).to_owned());
            }
            if bound_to_a_system(path) {
                return Err(
                    "a test file of its package is bound to a system by its name".to_owned()
                );
            }
            let side = if clause.ends_with("_test") { Side::Apart } else { Side::Inside };
            let names = items::names(&source).into_iter().filter(|n| n.starts_with("Test"));
            package.tests.extend(names.map(|name| (name, side)));
            package.files.push((path.clone(), source, side));
        }
        if package.name.is_empty() {
            let inside = package.files.iter().find(|(.., side)| *side == Side::Inside);
            package.name =
                inside.map(|(_, source, _)| SourceFile::read(source).package).unwrap_or_default();
        }
        if package.name == "main" && package.tests.iter().any(|(_, side)| *side == Side::Apart) {
            return Err("its tests lie apart from a program".to_owned());
        }
        let calls = |source: &str| source.contains("main()");
        if package.name == "main" && package.files.iter().any(|(_, source, _)| calls(source)) {
            return Err("its tests call the program's main function".to_owned());
        }
        let known =
            |id: &str| package.tests.iter().any(|(name, _)| id.ends_with(&format!(" {name}")));
        if !asked.iter().any(|t| parent(&t.place.file) == folder && known(t.id.as_str())) {
            return Err("it is no plain test function".to_owned());
        }
        Ok(package)
    }

    fn files(&self, ask: &Ask, tree: &dyn Tree, word: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let standin = self.module.import_path(&below(&self.module.folder, STANDIN_FOLDER));
        let mut made = Vec::new();
        for (path, source, side) in &self.files {
            let name = path.rsplit('/').next().unwrap_or(path).replace("_test.go", "_plain.go");
            let folder = match side {
                Side::Inside => self.folder.clone(),
                Side::Apart => below(&self.folder, APART_FOLDER),
            };
            let mut edits = import_edits(source, &standin);
            edits.extend(self.renames(source, *side));
            let place = ask.tree.join(below(&folder, &name));
            made.push((place, Edit::applied(source, &edits).into_bytes()));
        }
        let main = self.main(&standin, word).into_bytes();
        if self.name == "main" {
            made.push((ask.tree.join(below(&self.folder, OWN_MAIN)), main));
            made.extend(self.without_main(ask, tree));
        } else {
            let place = below(&below(&self.folder, MAIN_FOLDER), "main.go");
            made.push((ask.tree.join(place), main));
        }
        made
    }

    /// Test functions under other names, and the package apart under one that an ordinary file may have.
    fn renames(&self, source: &str, side: Side) -> Vec<Edit> {
        let Some(parsed) = Language::Go.parse(source) else { return Vec::new() };
        let mut edits = Vec::new();
        syntax::walk(parsed.root_node(), &|_| true, &mut |node| {
            let text = syntax::text(node, source);
            let own = |name: &str| self.tests.iter().any(|(n, s)| n == name && *s == side);
            match node.kind() {
                "identifier" if own(text) => edits.push(edit(node, renamed(text))),
                "package_identifier"
                    if side == Side::Apart
                        && node.parent().is_some_and(|p| p.kind() == "package_clause") =>
                {
                    edits.push(edit(node, APART_FOLDER.to_owned()));
                }
                _ => {}
            }
        });
        edits
    }

    /// The program's own main function under another name.
    fn without_main(&self, ask: &Ask, tree: &dyn Tree) -> Vec<(PathBuf, Vec<u8>)> {
        let beside = |p: &String| {
            parent(p) == self.folder && has_ending(p, "go") && !p.ends_with("_test.go")
        };
        let mut found = Vec::new();
        for path in tree.paths().into_iter().filter(beside) {
            let Some(source) = text(tree, &path) else { continue };
            let Some(parsed) = Language::Go.parse(&source) else { continue };
            let main = syntax::children(parsed.root_node()).into_iter().find(|node| {
                node.kind() == "function_declaration"
                    && syntax::field(*node, "name", &source) == "main"
            });
            if let Some(name) = main.and_then(|node| node.child_by_field_name("name")) {
                let changed = edit(name, OLD_MAIN.to_owned()).apply(&source);
                found.push((ask.tree.join(path), changed.into_bytes()));
            }
        }
        found
    }

    fn main(&self, standin: &str, word: &str) -> String {
        let within = self.name == "main";
        let has = |side: Side| self.tests.iter().any(|(_, s)| *s == side);
        let mut lines = vec!["package main".to_owned(), format!("import steps \"{standin}\"")];
        if has(Side::Inside) && !within {
            lines.push(format!("import inside \"{}\"", self.module.import_path(&self.folder)));
        }
        if has(Side::Apart) {
            let path = self.module.import_path(&below(&self.folder, APART_FOLDER));
            lines.push(format!("import apart \"{path}\""));
        }
        lines.push(format!("func main() {{\n\tsteps.All(\"{word}\", []steps.Step{{"));
        for (name, side) in &self.tests {
            let from = match side {
                Side::Inside if within => "",
                Side::Inside => "inside.",
                Side::Apart => "apart.",
            };
            lines.push(format!("\t\t{{\"{name}\", {from}{}}},", renamed(name)));
        }
        lines.push("\t})\n}\n".to_owned());
        lines.join("\n")
    }

    fn steps(&self, ask: &Ask, number: usize) -> Vec<Step> {
        let program = ask.scratch.join("bin").join(format!("program{number}"));
        let (flags, _) = given(ask);
        let mut argv: Vec<OsString> = vec![ask.tools.program("go").into(), "build".into()];
        argv.extend(flags.into_iter().filter(|f| chooses_files(f)).map(OsString::from));
        argv.extend(["-buildvcs=false".into(), "-o".into(), program.clone().into()]);
        argv.push(".".into());
        let folder = ask.tree.join(&self.folder);
        let main = if self.name == "main" { folder.clone() } else { folder.join(MAIN_FOLDER) };
        let env = environment(ask);
        let build = Step { label: format!("build {number}"), argv, cwd: main, env: env.clone() };
        let run = |label: &str| Step {
            label: format!("{label} {number}"),
            argv: vec![program.clone().into()],
            cwd: folder.clone(),
            env: env.clone(),
        };
        vec![build, run("run"), run("again")]
    }
}

/// `TestX` as a function that an ordinary package may offer.
fn renamed(name: &str) -> String {
    format!("Step{}", name.strip_prefix("Test").unwrap_or(name))
}

fn edit(node: Node<'_>, text: String) -> Edit {
    let (from, to) = (node.start_byte(), node.end_byte());
    Edit { line: syntax::line(node), from, to, text, what: String::new() }
}

/// The package `testing` is the stand-in's.
fn import_edits(source: &str, standin: &str) -> Vec<Edit> {
    let Some(parsed) = Language::Go.parse(source) else { return Vec::new() };
    let mut edits = Vec::new();
    syntax::walk(parsed.root_node(), &|node| node.kind() != "block", &mut |node| {
        let path = node.child_by_field_name("path").filter(|_| node.kind() == "import_spec");
        if let Some(path) = path.filter(|p| syntax::text(*p, source) == "\"testing\"") {
            edits.push(edit(path, format!("\"{standin}\"")));
        }
    });
    edits
}

/// `x_linux_test.go`: an ordinary file of another name would be for all systems.
fn bound_to_a_system(path: &str) -> bool {
    const KNOWN: [&str; 20] = [
        "linux", "darwin", "windows", "freebsd", "openbsd", "netbsd", "unix", "js", "wasip1",
        "plan9", "solaris", "android", "ios", "amd64", "arm64", "386", "arm", "wasm", "riscv64",
        "s390x",
    ];
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches("_test.go");
    name.rsplit_once('_').is_some_and(|(_, last)| KNOWN.contains(&last))
}

#[derive(Deserialize)]
struct Line {
    name: String,
    end: End,
    say: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum End {
    Holds,
    Fails,
    Skipped,
    Panicked,
    All,
}

pub(super) fn read(ask: &Ask, tests: &[TestItem], done: &[StepOutput]) -> Ends {
    let tree = FolderTree::new(&ask.tree);
    let mut ends = Ends::new();
    for (number, folder) in folders(tests).into_iter().enumerate() {
        let own: Vec<&TestItem> =
            tests.iter().filter(|test| parent(&test.place.file) == folder).collect();
        let told = Package::read(&tree, folder, tests).and_then(|_| ran(ask, done, number));
        for test in own {
            let end = match &told {
                Err(why) => not_made(why.clone()),
                Ok([first, second]) => {
                    let name = test.id.as_str().rsplit(' ').next().unwrap_or("");
                    one(first.get(name), second.get(name))
                }
            };
            ends.insert(test.id.clone(), end);
        }
    }
    ends
}

type Told = BTreeMap<String, Line>;

/// What both runs of a package told.
fn ran(ask: &Ask, done: &[StepOutput], number: usize) -> Result<[Told; 2], String> {
    let step = |label: &str| {
        let label = format!("{label} {number}");
        let found = done.iter().find(|step| step.label == label);
        found.filter(|step| step.end == StepEnd::Exited(0))
    };
    step("build").ok_or("its package can't be built as an ordinary program")?;
    let one = |label: &str| -> Option<Told> {
        let lines: Vec<Line> = told::lines(ask, &step(label)?.stdout);
        matches!(lines.last(), Some(Line { end: End::All, .. }))
            .then(|| lines.into_iter().map(|line| (line.name.clone(), line)).collect())
    };
    let left = "the program that calls its package's tests left early";
    Ok([one("run").ok_or(left)?, one("again").ok_or(left)?])
}

fn one(first: Option<&Line>, second: Option<&Line>) -> OutsideEnd {
    let (Some(first), Some(second)) = (first, second) else {
        return not_made("it is no plain test function");
    };
    match (first.end, second.end) {
        (End::Holds, End::Holds) => OutsideEnd::Holds,
        (End::Fails, End::Fails) => OutsideEnd::Fails { message: first.say.trim().to_owned() },
        (End::Skipped, End::Skipped) => not_made("it skips itself"),
        (End::Panicked, End::Panicked) => not_made(first.say.clone()),
        (End::Holds | End::Fails | End::Skipped | End::Panicked | End::All, _) => {
            not_made("it ends now so and now so")
        }
    }
}
