//! Go's own test command: its steps and environment. First `go list` tells the packages and their files, which runs
//! no code of the project; then `go test` runs them. Reading what came out is `read`'s.
//!
//! Vet stays on, as it is for everyone who types `go test`: with it off, tests could be proven here that fail for the
//! user. A finding of vet is an error of the compiler's sort.
//!
//! All errors of a package are wanted, not the first ten, so the compiler gets `-e`; it changes nothing else.

use super::listing::{FIELDS, Listing};
use super::rounds::{Round, Rounds, Wanted};
use super::selection::pattern;
use super::{cover, kept, read};
use crate::ask::{
    Ask, Coverage, Covered, Footing, Manner, Order, Plan, Runner, Step, StepOutput, base_env,
    slashed,
};
use crate::at_hand::AtHand;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_lang::go::items;
use proctor_lang::go::modules::Workspace;
use proctor_lang::tree::{FolderTree, Tree};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `go test`, of Go 1.19 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoTest;

impl Runner for GoTest {
    fn name(&self) -> &'static str {
        "go"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["go"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let telemetry = ask.home().join(".config/go/telemetry");
        // Without this file each run with its fresh home would start a process that outlives it.
        let mut files = vec![(telemetry.join("mode"), b"off".to_vec())];
        files.extend(kept::keeper(ask));
        files.extend(ask.starter().map(|(_, script)| script));
        let mut folders = vec![ask.home(), ask.temp(), ask.cache.clone(), telemetry];
        folders.extend(kept::folder(ask).map(Path::to_owned));
        Plan { files, folders }
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let Some((first, rest)) = done.split_first() else {
            return Some(list_step(ask));
        };
        let listing = read::listed(ask, first).ok()?;
        let rounds = Rounds::replay(ask, &listing, rest);
        let round = rounds.next()?;
        let step = test_step(ask, &listing, round, rest.len());
        let single = (round.packages.as_slice(), kept::chosen(round));
        Some(match single {
            ([name], Some(chosen)) => listing
                .packages
                .get(name)
                .and_then(|package| kept::step(ask, package, chosen, &step))
                .unwrap_or(step),
            _ => step,
        })
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        read::read(ask, done)
    }

    /// The packages of a tree that stands are known; the programs of their tests are those that were kept, as far as they
    /// were.
    fn upon(&self, ask: &Ask, done: &[StepOutput]) -> Option<Footing> {
        let kept = done.get(..1)?.to_vec();
        let plain = ask.coverage == Coverage::Off;
        plain.then(|| Footing { ask: ask.clone(), kept, writes: true, alike: true })
    }

    fn coverage(&self, ask: &Ask, done: &[StepOutput]) -> Covered {
        let listing = done.first().and_then(|first| read::listed(ask, first).ok());
        match listing {
            Some(listing) => cover::read(ask, &listing, done.len().saturating_sub(1)),
            None => Covered::Unreadable { why: "go could not list the packages".to_owned() },
        }
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        let mut at_hand = AtHand::of(ask, "go", &["go", "test", "./..."]);
        let theirs = |name: &str| name.starts_with("GO");
        for (name, value) in environment(ask) {
            if let (Some(name), Some(value)) = (name.to_str().filter(|n| theirs(n)), value.to_str())
            {
                at_hand = at_hand.with(name, value);
            }
        }
        at_hand
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// Whether a user's argument also decides which files make up a package.
pub(crate) fn chooses_files(argument: &str) -> bool {
    ["-tags=", "-mod=", "-race", "-msan", "-asan"].iter().any(|flag| argument.starts_with(flag))
}

/// The user's own flags, and the packages that they name.
pub(crate) fn given(ask: &Ask) -> (Vec<&String>, Vec<&String>) {
    ask.tools.extra_args.iter().partition(|a| a.starts_with('-'))
}

fn list_step(ask: &Ask) -> Step {
    let (flags, packages) = given(ask);
    let mut argv: Vec<OsString> = vec![ask.tools.program("go").into(), "list".into()];
    argv.extend(["-e", "-deps", "-test", "-buildvcs=false"].map(OsString::from));
    argv.push(format!("-json={FIELDS}").into());
    argv.extend(flags.into_iter().filter(|f| chooses_files(f)).map(OsString::from));
    if packages.is_empty() {
        argv.extend(patterns(ask).into_iter().map(OsString::from));
    } else {
        argv.extend(packages.into_iter().map(OsString::from));
    }
    Step { label: "go list".to_owned(), argv, cwd: ask.workdir(), env: environment(ask) }
}

fn subdir(ask: &Ask) -> String {
    slashed(Path::new(&ask.subdir))
}

/// All packages: those of the module, or of each module that the folder's workspace uses.
fn patterns(ask: &Ask) -> Vec<String> {
    let tree = FolderTree::new(&ask.tree);
    let dir = subdir(ask);
    match Workspace::at(&tree, &dir) {
        Some(workspace) => workspace.uses.iter().map(|used| from(&dir, used)).collect(),
        None => vec!["./...".to_owned()],
    }
}

/// A folder of the tree as a pattern, seen from another one.
fn from(dir: &str, folder: &str) -> String {
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect()
    };
    let (here, there) = (parts(dir), parts(folder));
    let same = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = here.iter().skip(same).map(|_| "..".to_owned());
    let down = there.iter().skip(same).cloned();
    let path: Vec<String> = up.chain(down).chain(["...".to_owned()]).collect();
    let path = path.join("/");
    if path.starts_with("../") { path } else { format!("./{path}") }
}

fn test_step(ask: &Ask, listing: &Listing, round: &Round, number: usize) -> Step {
    let (flags, _) = given(ask);
    let mut argv: Vec<OsString> = vec![ask.tools.program("go").into(), "test".into()];
    argv.extend(flags.into_iter().map(OsString::from));
    // Ours come last: the last of an option wins. The caller has a time limit of its own.
    argv.extend(
        ["-json", "-count=1", "-timeout=0", "-buildvcs=false", "-gcflags=-e"].map(OsString::from),
    );
    if ask.manner == Manner::Observing {
        // Other format strings are no faults.
        argv.push("-vet=off".into());
    }
    argv.extend(kept::keeping(ask));
    argv.extend(ask.starter().map(|(line, _)| OsString::from(format!("-exec={line}"))));
    argv.push(match ask.order {
        Order::AsWritten => "-shuffle=off".into(),
        Order::Shuffled(seed) => format!("-shuffle={seed}").into(),
    });
    match &round.tests {
        Wanted::All => {}
        Wanted::These(tests) => {
            argv.extend(pattern(tests).map(|p| OsString::from(format!("-run={p}"))));
        }
    }
    if ask.coverage == Coverage::Measured {
        let all: Vec<&str> = listing.loadable().map(|p| p.path.as_str()).collect();
        let mut file = OsString::from("-coverprofile=");
        file.push(cover::profile(ask, number));
        argv.push(file);
        argv.push(format!("-coverpkg={}", all.join(",")).into());
    }
    argv.extend(round.packages.iter().map(OsString::from));
    let label =
        if number == 0 { "go test".to_owned() } else { format!("go test, round {}", number + 1) };
    Step { label, argv, cwd: ask.workdir(), env: environment(ask) }
}

pub(crate) fn environment(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let mut env = base_env(ask);
    for unset in ["GO111MODULE", "GOTRACEBACK", "GOEXPERIMENT", "GOROOT"] {
        env.remove(&OsString::from(unset));
    }
    let mut set = |name: &str, value: OsString| env.insert(name.into(), value);
    // Nothing but the tree and this command line decides: no settings of the user, no other toolchain.
    set("GOENV", "off".into());
    set("GOFLAGS", "".into());
    set("GOTOOLCHAIN", "local".into());
    set("GOCACHE", ask.cache.join("go-build").into());
    let tree = FolderTree::new(&ask.tree);
    let workspace = Workspace::around(&tree, &subdir(ask));
    // Go would also look above the tree.
    let work: PathBuf =
        workspace.map_or_else(|| "off".into(), |w| ask.tree.join(w.folder).join("go.work"));
    set("GOWORK", work.into());
    if !ask.extra_env.contains_key("GOPROXY") {
        set("GOPROXY", "off".into());
    }
    if !ask.extra_env.contains_key("GOPATH") {
        set("GOPATH", ask.cache.join("gopath").into());
    }
    env
}
