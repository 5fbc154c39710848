//! Rust outside libtest: the sources of a crate are copied beside themselves, masked so that production code is as in an
//! ordinary build (`mask`), and built as an example of the package with a main function that calls one test body. So
//! nothing of the test harness is there: not `cfg(test)`, not its threads, not its program's name and variables.

mod mask;
mod root;

use super::{Ends, Outside, OutsideEnd, not_made, told};
use crate::ask::{Ask, Runner, Step, StepEnd, StepOutput};
use crate::rust::cargo::Cargo;
use crate::rust::steps::{cargo_env, program};
use proctor_core::item::TestItem;
use proctor_lang::tree::{FolderTree, Tree};
use root::{Body, Root};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// More bodies than this are not called.
const MOST_BODIES: usize = 300;

pub(super) fn plan(ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Outside {
    let word = told::new_word();
    let mut plan = Cargo.plan(ask);
    plan.files.push(told::keep(ask, &word));
    let (mut steps, mut bodies) = (Vec::new(), 0);
    let mut manifests: BTreeMap<String, String> = BTreeMap::new();
    let profile = Profile::of(ask, tree);
    for root in Root::all(tree, tests) {
        let Some(files) = root.files(tree, &word) else { continue };
        plan.files.extend(files.into_iter().map(|(path, bytes)| (ask.tree.join(path), bytes)));
        manifests.entry(root.manifest()).or_default().push_str(&root.declaration());
        steps.push(build_step(ask, &root, profile));
        for body in &root.bodies {
            if bodies < MOST_BODIES {
                steps.push(run_step(ask, &root, body, profile));
            }
            bodies += 1;
        }
    }
    for (path, more) in manifests {
        let text = proctor_lang::tree::text(tree, &path).unwrap_or_default();
        plan.files.push((ask.tree.join(path), format!("{text}\n{more}").into_bytes()));
    }
    let made = plan.files.iter().filter_map(|(path, _)| Some(path.parent()?.to_owned()));
    plan.folders.extend(made.collect::<Vec<_>>());
    Outside { plan, steps }
}

/// How a crate is built outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Profile {
    /// As tests are.
    Test,
    /// As the project builds its tests itself.
    Release,
    /// As in a release, but for overflows, which tests may count on: the code asks how it was built.
    Shipped,
}

const SHIPPED: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "false"),
    ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true"),
];
/// By these words code and build scripts ask how they are built.
const ASKING: [&str; 4] = ["debug_assertions", "\"PROFILE\"", "\"OPT_LEVEL\"", "\"DEBUG\""];

impl Profile {
    fn of(ask: &Ask, tree: &dyn Tree) -> Self {
        let release = |arg: &String| arg == "--release" || arg == "-r";
        if ask.tools.extra_args.iter().any(release) {
            return Self::Release;
        }
        let mut sources = tree.paths().into_iter().filter(|path| {
            proctor_lang::zone::has_ending(path, "rs")
                && proctor_lang::zone::zone(path) != proctor_lang::zone::Zone::Test
        });
        let asks = sources.any(|path| {
            let text = proctor_lang::tree::text(tree, &path).unwrap_or_default();
            ASKING.iter().any(|word| text.contains(word))
        });
        if asks { Self::Shipped } else { Self::Test }
    }

    fn folder(self) -> &'static str {
        if self == Self::Test { "debug" } else { "release" }
    }
}

fn build_label(root: &Root) -> String {
    format!("build {}", root.binary)
}

fn run_label(root: &Root, body: &Body) -> String {
    format!("run {} {}", root.binary, body.path)
}

fn build_step(ask: &Ask, root: &Root, profile: Profile) -> Step {
    let mut argv: Vec<OsString> = vec![program(ask), "build".into()];
    match profile {
        Profile::Test => argv.extend(["--profile", "test"].map(OsString::from)),
        Profile::Release | Profile::Shipped => argv.push("--release".into()),
    }
    argv.extend(["--example".into(), OsString::from(&root.name)]);
    let mut words = ask.tools.extra_args.iter();
    while let Some(word) = words.next() {
        let chosen = ["--features", "-F", "--all-features", "--no-default-features"];
        if chosen.contains(&word.split('=').next().unwrap_or(word)) {
            argv.push(word.into());
            if word == "--features" || word == "-F" {
                argv.extend(words.next().map(OsString::from));
            }
        }
    }
    let cwd = ask.tree.join(&root.package);
    let mut env = cargo_env(ask);
    if profile == Profile::Shipped {
        env.extend(SHIPPED.map(|(name, value)| (name.into(), value.into())));
    }
    Step { label: build_label(root), argv, cwd, env }
}

fn run_step(ask: &Ask, root: &Root, body: &Body, profile: Profile) -> Step {
    let file = ask.cache.join("target").join(profile.folder()).join("examples").join(&root.name);
    let mut env = crate::ask::base_env(ask);
    env.retain(|key, _| !key.to_string_lossy().starts_with("CARGO_PKG_"));
    env.insert("RUST_BACKTRACE".into(), "0".into());
    Step {
        label: run_label(root, body),
        argv: vec![file.into(), body.number.to_string().into()],
        cwd: ask.tree.join(&root.package),
        env,
    }
}

#[derive(Deserialize)]
struct Line {
    returned: usize,
}

pub(super) fn read(ask: &Ask, tests: &[TestItem], done: &[StepOutput]) -> Ends {
    let tree = FolderTree::new(&ask.tree);
    let roots = Root::all(&tree, tests);
    let end = |test: &TestItem| -> OutsideEnd {
        let of = |root: &&Root| root.bodies.iter().any(|body| body.id == test.id);
        let Some(root) = roots.iter().find(of) else {
            return not_made("it is no plain test function of a crate that can be built apart");
        };
        let find = |label: &str| done.iter().find(|step| step.label == label);
        let built = find(&build_label(root)).is_some_and(|step| step.end == StepEnd::Exited(0));
        if !built {
            return not_made("its crate can't be built as an ordinary program");
        }
        let Some(body) = root.bodies.iter().find(|body| body.id == test.id) else {
            return not_made("it is no plain test function");
        };
        match find(&run_label(root, body)) {
            Some(step) => one(ask, &tree, root, body, step),
            None => not_made("it was not called"),
        }
    };
    tests.iter().map(|test| (test.id.clone(), end(test))).collect()
}

fn one(ask: &Ask, tree: &dyn Tree, root: &Root, body: &Body, step: &StepOutput) -> OutsideEnd {
    let lines: Vec<Line> = told::lines(ask, &step.stdout);
    let returned = lines.len() == 1 && lines.iter().all(|line| line.returned == body.number);
    let said = String::from_utf8_lossy(&step.stderr);
    match (&step.end, body.panics) {
        (StepEnd::Exited(0), root::Panics::Never) if returned => OutsideEnd::Holds,
        (StepEnd::Exited(0), root::Panics::Expected) if returned => {
            OutsideEnd::Fails { message: "it did not panic as expected".to_owned() }
        }
        (StepEnd::Exited(101), root::Panics::Expected) => OutsideEnd::Holds,
        (StepEnd::Exited(101), root::Panics::Never) => match root.assertion(tree, &said) {
            Some(message) => OutsideEnd::Fails { message },
            None => not_made(format!("it panics beyond its own checks: {}", step.tail())),
        },
        (StepEnd::Exited(code), _) => not_made(format!("its program ended with {code}")),
        (StepEnd::Signalled(_) | StepEnd::TimedOut | StepEnd::CouldNotStart(_), _) => {
            not_made("its program did not come to its end")
        }
    }
}
