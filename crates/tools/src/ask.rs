//! What a test run is asked for and the steps it is made of. Owns the `Runner` trait; knows no tool.

use crate::at_hand::AtHand;
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
pub use proctor_core::trial::{Coverage, Covered, Order, Selection};
use proctor_core::words::TestId;
use proctor_lang::tree::Tree;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One test tool. A run goes: remove what is `stale`, write `plan().files`, make `plan().folders`, then ask
/// `next` for a step and run it, until `next` has none, then `read`.
pub trait Runner: Send + Sync {
    /// `pytest`, `cargo`, `go`, ….
    fn name(&self) -> &'static str;
    /// The programs that it needs from the machine, the one that runs the tests first.
    fn programs(&self) -> &'static [&'static str];
    /// What must be there before the first step.
    fn plan(&self, ask: &Ask) -> Plan;
    /// Reports that are in the tree before the run: the caller removes them before the first step, so that every
    /// report that is read is this run's.
    fn stale(&self, _ask: &Ask) -> Vec<PathBuf> {
        Vec::new()
    }
    /// The step that follows those done; none when the run is over.
    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step>;
    /// The report of the finished steps. Never fails: what can't be read is a verdict of its own.
    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport;
    /// Which lines ran. Asked after a run whose ask wanted [`Coverage::Measured`].
    fn coverage(&self, ask: &Ask, done: &[StepOutput]) -> Covered;
    /// Whether that makes a run many times slower, since each line is looked at whenever it runs.
    fn is_slowed_by_coverage(&self) -> bool {
        false
    }
    /// How somebody who works in the tree starts the tests, and what has to be around that.
    fn at_hand(&self, ask: &Ask) -> AtHand {
        AtHand::of(ask, self.programs().first().copied().unwrap_or_default(), &[self.name()])
    }
    /// The tests in these source files, with the ids that the tool gives them.
    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem>;
    /// Many variations for the price of one start, `workers` of them at the same time; none where the tool has no way
    /// to it. A variation ends at its first failure, which decides it.
    fn batch(&self, _ask: &Ask, _variants: &[Variant], _workers: usize) -> Option<Batch> {
        None
    }
    /// Whether it can tell which tests of a variation reach what is other in it.
    fn leads(&self) -> bool {
        false
    }
    /// How another run of a tree that stands as it was goes on from the steps of an earlier one; none where all of them
    /// have to be made again, or what follows would write into the build products.
    fn upon(&self, _ask: &Ask, _done: &[StepOutput]) -> Option<Footing> {
        None
    }
    /// Whether a test is compiled each time that it runs, and so costs more than others.
    fn compiles(&self, _id: &TestId) -> bool {
        false
    }
    /// One report for each variation, in their order.
    fn read_batch(&self, _ask: &Ask, variants: &[Variant], _done: &StepOutput) -> Vec<TestReport> {
        let note = || format!("{} knows no batches", self.name());
        variants.iter().map(|_| TestReport::empty(RunEnd::Suspect { note: note() })).collect()
    }
}

/// One variation of a run: other bytes for some files of the tree, some of the tests, a time limit of its own.
#[derive(Clone, Debug)]
pub struct Variant {
    /// By path relative to the tree, with `/`.
    pub files: BTreeMap<String, Vec<u8>>,
    pub only: Selection,
    pub meets: Meets,
    pub limit_ms: u64,
}

/// Which of its tests a variation meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    All,
    /// Where a variation without files goes before it, those alone that call what is other in it, as far as that can be told.
    Reaching,
}

/// What a run stands on that builds nothing: its ask, and the steps that it takes over.
#[derive(Clone, Debug)]
pub struct Footing {
    pub ask: Ask,
    pub kept: Vec<StepOutput>,
    /// Whether the tool can't do without writing among its build products.
    pub writes: bool,
    /// Whether the tests share processes as they do where the tool starts them.
    pub alike: bool,
}

/// Many variations in one process tree.
#[derive(Clone, Debug)]
pub struct Batch {
    pub plan: Plan,
    pub step: Step,
}

/// Starts what it is given elsewhere, in the folder that stands for the one of the tree.
const STARTER: &str = r#"start=$1 tree=$2
shift 2
cd "$start${PWD#"$tree"}" 2>/dev/null || cd "$start"
exec "$@"
"#;

/// One run of the tests of one tree.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Root of the tree that is tested.
    pub tree: PathBuf,
    /// The folder in it where the tests are run; empty for the root.
    pub subdir: String,
    /// A folder that stands for the tree as the place to start tests in, where that is another.
    pub start: Option<PathBuf>,
    /// A fresh, empty folder of this run. Nothing in it outlives the run.
    pub scratch: PathBuf,
    /// May live longer than the run: build products.
    pub cache: PathBuf,
    pub only: Selection,
    pub order: Order,
    pub coverage: Coverage,
    pub manner: Manner,
    pub programs: Programs,
    /// Folders whose code must not be what is tested: the user's own checkout. A run that loads the project's
    /// code from there is suspect.
    pub elsewhere: Vec<PathBuf>,
    pub tools: Tools,
    /// `PATH` and what else the tests may see. Cargo needs `CARGO_HOME` and `RUSTUP_HOME` here where they are
    /// not in their usual places, since `HOME` is a fresh folder.
    pub extra_env: BTreeMap<String, String>,
}

/// How the tool is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// With something of ours beside the tests that tells what happens.
    #[default]
    Ours,
    /// The same, of tests that were rewritten on purpose to observe: nothing but what decides counts.
    Observing,
    /// As its users start it, where a tool can tell by itself how tests end: nothing that runs beside them is ours.
    Users,
}

/// What becomes of the test programs that a run builds and its tool would throw away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    #[default]
    ThrownAway,
    /// They are kept in this folder, for other runs of the tree as it stands.
    Kept(PathBuf),
    /// They come from this folder, where an earlier run of the tree has kept them.
    From(PathBuf),
}

/// Programs as the caller found them (absolute), and what a user's own test command adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    pub programs: BTreeMap<String, PathBuf>,
    pub nextest: Nextest,
    pub extra_args: Vec<String>,
    /// For `junit`: the whole command, its first word a program by name or path.
    pub command: Vec<String>,
    /// For `junit`: where its reports come out, files, folders or patterns relative to the workdir.
    pub reports: Vec<String>,
}

impl Tools {
    /// A program as the caller found it; by its bare name where it did not.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.get(name).cloned().unwrap_or_else(|| PathBuf::from(name))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nextest {
    #[default]
    Absent,
    Installed,
}

/// What must be there before the first step: files with their bytes, and folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub folders: Vec<PathBuf>,
}

/// One process to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is for, for people; outputs carry it back.
    pub label: String,
    /// An absolute program and its arguments. Never a shell.
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// The complete environment.
    pub env: BTreeMap<OsString, OsString>,
}

/// What a step left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepOutput {
    pub label: String,
    pub end: StepEnd,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    CouldNotStart(String),
}

impl Ask {
    /// The folder where the tests are run.
    /// Where a test is started that would be in this folder of the tree.
    pub(crate) fn started_in(&self, folder: PathBuf) -> PathBuf {
        let Some(start) = &self.start else { return folder };
        let inside = folder.strip_prefix(&self.tree).map(|inside| start.join(inside));
        inside.ok().filter(|place| place.is_dir()).unwrap_or_else(|| start.clone())
    }

    /// Starts what it is given in the folder that stands for its own: the program, with a script that [`Plan`] must hold.
    pub(crate) fn starter(&self) -> Option<(String, (PathBuf, Vec<u8>))> {
        let start = self.start.as_ref()?;
        let file = self.scratch.join("start.sh");
        let words = [&file, start, &self.tree].map(|path| path.to_str());
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
        let [Some(script), Some(start), Some(tree)] = words else { return None };
        let fits = [script, start, tree].iter().all(|word| word.chars().all(plain));
        let line = format!("/bin/sh {script} {start} {tree}");
        fits.then(|| (line, (file.clone(), STARTER.as_bytes().to_vec())))
    }

    pub fn workdir(&self) -> PathBuf {
        if self.subdir.is_empty() { self.tree.clone() } else { self.tree.join(&self.subdir) }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.join("home")
    }

    pub(crate) fn temp(&self) -> PathBuf {
        self.scratch.join("tmp")
    }
}

impl StepOutput {
    /// The last lines of what it said on its error channel, for a note.
    pub(crate) fn tail(&self) -> String {
        tail_of(&self.stderr)
            .or_else(|| tail_of(&self.stdout))
            .unwrap_or_else(|| "it said nothing".to_owned())
    }
}

fn tail_of(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(20);
    let tail = lines.get(from..)?.join("\n");
    (!tail.is_empty()).then_some(tail)
}

/// A relative path with `/`, without `.` parts.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter(|c| !matches!(c, std::path::Component::CurDir))
        .map(|c| c.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// The environment that every step gets: a fresh home and temp folder, a fixed locale and time zone, and
/// what the caller listed. Nothing else is inherited.
pub fn base_env(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<OsString, OsString> = BTreeMap::new();
    env.insert("LANG".into(), "C.UTF-8".into());
    env.insert("TZ".into(), "UTC".into());
    for (key, value) in &ask.extra_env {
        env.insert(key.into(), value.into());
    }
    // After the caller's: a home that outlives the run would let one run decide the next.
    env.insert("HOME".into(), ask.home().into());
    env.insert("TMPDIR".into(), ask.temp().into());
    env
}
