//! Tools that a few words describe: where such a tool is installed, which of its words are ours to say, and what of ours is
//! loaded into it. All of them tell by our reporter's lines; how those are read is `read`'s.

use super::arguments::{self, Known};
use super::channel::Channel;
use super::read::{self, Exits, Told};
use super::{command, tool};
use crate::ask::{Ask, Coverage, Covered, Order, Plan, Runner, Selection, Step, StepOutput};
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::js::items;
use proctor_lang::tree::Tree;
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A tool of npm that runs in node.
pub(crate) struct Described {
    /// As Proctor and the project's script call it.
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
    /// Its program in `node_modules`, in one version or another.
    entries: &'static [&'static str],
    /// Arguments that a test command may have.
    pub(crate) known: &'static Known,
    /// Files that configure it, without their ending.
    pub(crate) configurations: &'static [&'static str],
    reporter: (&'static str, &'static str),
    started: Started,
    /// Whether it has to be told which files look like tests.
    sources: bool,
    /// What follows the program.
    words: fn(&Words<'_>, &mut Vec<OsString>),
    told: Told,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Started {
    ByItself,
    /// Our reporter is what node runs, and the tool's program its first word.
    ByOurs,
}

/// What a tool's words are made of.
struct Words<'a> {
    ask: &'a Ask,
    known: &'static Known,
    /// By the project's own command.
    given: &'a [String],
    ours: &'a Path,
}

const SHARED: [(&str, &str); 2] = [
    ("proctor_told.cjs", include_str!("proctor_told.cjs")),
    ("proctor_loads.cjs", include_str!("proctor_loads.cjs")),
];

pub(crate) const MOCHA: Described = Described {
    name: "mocha",
    package: "mocha",
    entries: &["mocha/bin/mocha.js", "mocha/bin/mocha"],
    known: &arguments::MOCHA,
    configurations: &[".mocharc"],
    reporter: ("proctor_mocha.cjs", include_str!("proctor_mocha.cjs")),
    started: Started::ByItself,
    sources: false,
    words: mocha,
    told: told("mocha", Exits::Failures),
};

const JASMINE: Described = Described {
    name: "jasmine",
    package: "jasmine",
    entries: &["jasmine/bin/jasmine.js"],
    known: &arguments::JASMINE,
    configurations: &["spec/support/jasmine"],
    reporter: ("proctor_jasmine.cjs", include_str!("proctor_jasmine.cjs")),
    started: Started::ByOurs,
    sources: false,
    words: given,
    told: told("jasmine", Exits::Jasmine),
};

const AVA: Described = Described {
    name: "ava",
    package: "ava",
    entries: &["ava/entrypoints/cli.mjs", "ava/cli.js"],
    known: &arguments::AVA,
    configurations: &["ava.config"],
    reporter: ("proctor_ava.mjs", include_str!("proctor_ava.mjs")),
    started: Started::ByOurs,
    sources: false,
    words: ava,
    told: told("ava", Exits::One),
};

const TAP: Described = Described {
    name: "tap",
    package: "tap",
    entries: &["tap/dist/esm/run.mjs", "tap/bin/run.js"],
    known: &arguments::TAP,
    configurations: &[".taprc"],
    reporter: ("proctor_tap.mjs", include_str!("proctor_tap.mjs")),
    started: Started::ByOurs,
    sources: false,
    words: files,
    told: told("tap", Exits::One),
};

const TAPE: Described = Described {
    name: "tape",
    package: "tape",
    entries: &["tape/bin/tape"],
    known: &arguments::TAPE,
    configurations: &[],
    reporter: ("proctor_tape.mjs", include_str!("proctor_tape.mjs")),
    started: Started::ByOurs,
    sources: true,
    words: given,
    told: told("tape", Exits::One),
};

const UVU: Described = Described {
    name: "uvu",
    package: "uvu",
    entries: &["uvu/bin.js"],
    known: &arguments::UVU,
    configurations: &[],
    reporter: ("proctor_uvu.mjs", include_str!("proctor_uvu.mjs")),
    started: Started::ByOurs,
    sources: false,
    words: given,
    told: told("uvu", Exits::One),
};

const PLAYWRIGHT: Described = Described {
    name: "playwright",
    package: "@playwright/test",
    entries: &["@playwright/test/cli.js"],
    known: &arguments::PLAYWRIGHT,
    configurations: &["playwright.config"],
    reporter: ("proctor_playwright.cjs", include_str!("proctor_playwright.cjs")),
    started: Started::ByItself,
    sources: false,
    words: playwright,
    told: told("playwright", Exits::One),
};

/// Every one of them.
pub(crate) const ALL: [&Described; 7] = [&MOCHA, &AVA, &JASMINE, &TAP, &TAPE, &UVU, &PLAYWRIGHT];

const fn told(tool: &'static str, exits: Exits) -> Told {
    Told { tool, channel: Channel::Counted, exits }
}

pub(crate) fn by_name(name: &str) -> Option<&'static Described> {
    ALL.into_iter().find(|tool| tool.name == name)
}

/// The package that such a tool is installed as.
pub fn package_of(name: &str) -> Option<&'static str> {
    by_name(name).map(|tool| tool.package)
}

impl Runner for &'static Described {
    fn name(&self) -> &'static str {
        self.name
    }

    fn programs(&self) -> &'static [&'static str] {
        &["node"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let (name, text) = self.reporter;
        let mut plan = tool::plan(ask, name, text);
        let shared =
            SHARED.map(|(name, text)| (tool::reporter(ask, name), text.as_bytes().to_vec()));
        plan.files.extend(shared);
        let asked = self.asked(ask).to_string();
        plan.files.push((tool::reporter(ask, "ask.json"), asked.into_bytes()));
        plan
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        if done.is_empty() { self.step(ask) } else { None }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        if done.is_empty() {
            return read::crashed(tool::not_installed(ask, self.package));
        }
        read::read(ask, done, &self.told)
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        match measurer(ask) {
            Some(_) => lcov::read(ask, &tool::lcov_file(ask), &ask.workdir()),
            None => Covered::ToolMissing {
                tool: "c8".to_owned(),
                install: "npm install --save-dev c8".to_owned(),
            },
        }
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// What measures the lines of whatever node runs.
fn measurer(ask: &Ask) -> Option<PathBuf> {
    tool::installed(ask, "c8/bin/c8.js")
}

impl Described {
    fn entry(&self, ask: &Ask) -> Option<PathBuf> {
        self.entries.iter().find_map(|file| tool::installed(ask, file))
    }

    fn step(&self, ask: &Ask) -> Option<Step> {
        let entry = self.entry(ask)?;
        let given = command::of(ask, self.name);
        let node = ask.tools.program("node");
        let mut argv: Vec<OsString> = vec![node.clone().into()];
        if let Some(c8) = measurer(ask).filter(|_| ask.coverage == Coverage::Measured) {
            argv.push(c8.into());
            argv.extend(["--reporter=lcovonly", "--check-coverage=false"].map(OsString::from));
            argv.push(tool::flag("--reports-dir=", &tool::coverage_folder(ask)));
            argv.push(tool::flag("--temp-directory=", &ask.temp().join("c8")));
            argv.push(node.into());
        }
        argv.extend(given.node.iter().map(OsString::from));
        let ours = tool::reporter(ask, self.reporter.0);
        if self.started == Started::ByOurs {
            argv.push(ours.clone().into());
        }
        argv.push(entry.into());
        let words = Words { ask, known: self.known, given: &given.args, ours: &ours };
        (self.words)(&words, &mut argv);
        let mut env = tool::environment(ask);
        env.extend(given.env);
        env.insert("PROCTOR_TREE".into(), ask.tree.clone().into());
        Some(Step { label: self.name.to_owned(), argv, cwd: ask.workdir(), env })
    }

    /// What our reporter is told, paths as they are below the tree.
    fn asked(&self, ask: &Ask) -> serde_json::Value {
        let tests = match &ask.only {
            Selection::All => Vec::new(),
            Selection::Ids(ids) => ids.iter().flat_map(|id| titled(id.as_str())).collect(),
        };
        let seed = match ask.order {
            Order::AsWritten => None,
            Order::Shuffled(seed) => Some(seed),
        };
        let package = tool::installed(ask, &format!("{}/package.json", self.package));
        let package = package.and_then(|path| {
            let below = path.strip_prefix(&ask.tree).ok()?;
            below.parent().map(Path::to_owned)
        });
        let sources = if self.sources { super::node::test_files(ask, &[]) } else { Vec::new() };
        json!({
            "files": tool::selected_files(ask),
            "tests": tests,
            "seed": seed,
            "package": package.unwrap_or_default(),
            "sources": sources,
        })
    }
}

/// The titles that an id means: its own, and without a number of ours at its end.
fn titled(id: &str) -> Vec<serde_json::Value> {
    let stem = id.strip_suffix('…');
    let text = stem.unwrap_or(id);
    let (file, title) = text.split_once(" > ").unwrap_or((text, ""));
    let one =
        |title: &str| json!({ "file": file.trim_end(), "title": title, "open": stem.is_some() });
    let bare = tool::numbered(title).filter(|_| stem.is_none());
    std::iter::once(one(title)).chain(bare.map(one)).collect()
}

fn said(words: &[&str], argv: &mut Vec<OsString>) {
    argv.extend(words.iter().map(OsString::from));
}

fn mocha(words: &Words<'_>, argv: &mut Vec<OsString>) {
    argv.extend(words.given.iter().map(OsString::from));
    // One file is always there, so that a project without a test is no error.
    for flag in ["--require=", "--reporter=", "--file="] {
        argv.push(tool::flag(flag, words.ours));
    }
    said(&MOCHA_WORDS, argv);
    // Without one in the tree mocha would look above it.
    let names: Vec<String> = ["js", "cjs", "mjs", "yaml", "yml", "jsonc", "json"]
        .map(|e| format!(".mocharc.{e}"))
        .into();
    let given = words.given.iter().any(|word| word.starts_with("--config"));
    match tool::configuration(words.ask, &names) {
        _ if given => {}
        Some(path) => argv.push(tool::flag("--config=", &path)),
        None => argv.push("--no-config".into()),
    }
}

/// None that node has too: for those mocha starts another process, which lacks what ours was given.
const MOCHA_WORDS: [&str; 13] = [
    "--full-trace",
    "--retries=0",
    // What tests leave open must not keep a finished run alive.
    "--exit",
    "--no-parallel",
    "--no-bail",
    "--no-dry-run",
    "--no-forbid-only",
    "--no-forbid-pending",
    "--no-fail-zero",
    "--no-pass-on-failing-test-suite",
    "--no-posix-exit-codes",
    "--no-allow-uncaught",
    "--no-sort",
];

/// The project's own words, as they are.
fn given(words: &Words<'_>, argv: &mut Vec<OsString>) {
    argv.extend(words.given.iter().map(OsString::from));
}

/// The files that are chosen in place of those that the project names.
fn files(words: &Words<'_>, argv: &mut Vec<OsString>) {
    let Some(files) = tool::selected_files(words.ask) else { return given(words, argv) };
    argv.extend(words.known.options(words.given).map(OsString::from));
    argv.extend(files.into_iter().map(|file| OsString::from(words.ask.tree.join(file))));
}

fn ava(words: &Words<'_>, argv: &mut Vec<OsString>) {
    said(&["--tap", "--no-fail-fast", "--no-update-snapshots", "--no-watch"], argv);
    files(words, argv);
}

fn playwright(words: &Words<'_>, argv: &mut Vec<OsString>) {
    argv.push("test".into());
    argv.extend(words.known.options(words.given).map(OsString::from));
    argv.push(tool::flag("--reporter=", words.ours));
    said(
        &["--retries=0", "--max-failures=0", "--pass-with-no-tests", "--update-snapshots=none"],
        argv,
    );
    argv.push(tool::flag("--output=", &words.ask.scratch.join("playwright")));
    // It takes patterns for names of files.
    for file in tool::selected_files(words.ask).into_iter().flatten() {
        argv.push(format!("{}$", tool::escaped(&file)).into());
    }
}
