//! Many variations of one pytest run in one process tree: the job that `proctor_batch.py` is given, and what it tells
//! about each. What a variation's own report means is `read`'s.
//!
//! The driver tells everything in one line, when no child is left. So whatever else stands on its channel is someone
//! else's, and then nothing is believed.

use super::pytest::{self, Around, LABEL};
use super::{read, roots};
use crate::ask::{Ask, Batch, Coverage, Meets, Selection, Step, StepEnd, StepOutput, Variant};
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::words::TestId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The driver, and what it is made of.
const DRIVER: [(&str, &str); 5] = [
    ("proctor_batch.py", include_str!("proctor_batch.py")),
    ("proctor_nest.py", include_str!("proctor_nest.py")),
    ("proctor_swap.py", include_str!("proctor_swap.py")),
    ("proctor_variant.py", include_str!("proctor_variant.py")),
    ("proctor_warm.py", include_str!("proctor_warm.py")),
];

/// The step of a batch.
const BATCH: &str = "pytest-batch";

#[derive(Serialize)]
struct Job<'a> {
    variants: Vec<JobVariant<'a>>,
    /// The file that holds all other bytes, one after the other: a file for each would cost more than its run's own.
    texts: PathBuf,
    workers: usize,
    /// Folders that no code is loaded from in the driver itself.
    apart: Vec<&'a Path>,
    /// Folders that the project's modules are imported from.
    roots: Vec<PathBuf>,
}

#[derive(Serialize)]
struct JobVariant<'a> {
    folder: PathBuf,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    /// By absolute path of a file of the tree: where its bytes begin and end in the file that holds them.
    files: BTreeMap<PathBuf, (usize, usize)>,
    only: Option<Vec<&'a str>>,
    /// Whether it may meet those tests alone that reach it.
    led: bool,
    limit_ms: u64,
}

#[derive(Deserialize)]
struct Told {
    #[serde(rename = "proctor-batch")]
    batch: Answer,
}

#[derive(Deserialize)]
struct Answer {
    records: Vec<Record>,
    /// Why nothing was run.
    unfit: Option<String>,
}

/// What became of one child.
#[derive(Deserialize)]
#[serde(untagged)]
enum Record {
    Spoilt {
        spoilt: String,
    },
    Ended {
        exit: Option<i32>,
        signal: Option<i32>,
        timed_out: bool,
        /// A program was started or a changed file was read as a file: what was seen there is the tree's own text.
        looked_past: bool,
        seals: Vec<String>,
        tail: String,
    },
}

/// None where a variation can't be had without writing to the tree, or coverage is asked for.
pub(crate) fn batch(ask: &Ask, variants: &[Variant], workers: usize) -> Option<Batch> {
    let fits = |path: &String| {
        let relative = Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
        let python = Path::new(path).extension().is_some_and(|e| e == "py");
        relative && python && ask.tree.join(path).is_file()
    };
    let all = variants.iter().flat_map(|variant| variant.files.keys());
    if ask.coverage == Coverage::Measured || variants.is_empty() || !all.into_iter().all(fits) {
        return None;
    }
    let mut plan = pytest::plan(ask);
    for (name, text) in DRIVER {
        plan.files.push((pytest::plugin_folder(ask).join(name), text.as_bytes().to_vec()));
    }
    let roots = roots::of(ask);
    let mut job = Job {
        variants: Vec::new(),
        texts: ask.scratch.join("texts"),
        workers,
        apart: std::iter::once(&ask.tree).chain(&ask.elsewhere).map(PathBuf::as_path).collect(),
        roots: pytest::import_paths(ask, &roots),
    };
    let mut texts = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        job.variants.push(job_variant(ask, number, variant, &mut texts)?);
    }
    plan.files.push((job.texts.clone(), texts));
    let at = ask.scratch.join("batch.json");
    plan.files.push((at.clone(), serde_json::to_vec(&job).ok()?));
    // The first of its words is the program; the tree is on the children's path alone.
    let mut ordinary = pytest::step(ask, Around::Nothing);
    ordinary.env.remove(&OsString::from("PYTHONPATH"));
    let driver = pytest::plugin_folder(ask).join("proctor_batch.py");
    let argv = vec![ordinary.argv.first()?.clone(), driver.into(), at.into()];
    let step = Step { label: BATCH.to_owned(), argv, cwd: ordinary.cwd, env: ordinary.env };
    Some(Batch { plan, step })
}

/// The ask of one variation: its own folder, its own tests.
fn of_variant(ask: &Ask, number: usize, variant: &Variant) -> Ask {
    let scratch = ask.scratch.join(format!("variant-{number}"));
    Ask { scratch, only: variant.only.clone(), ..ask.clone() }
}

fn job_variant<'a>(
    ask: &Ask,
    number: usize,
    variant: &'a Variant,
    texts: &mut Vec<u8>,
) -> Option<JobVariant<'a>> {
    let own = of_variant(ask, number, variant);
    let step = pytest::step(&own, Around::Nothing);
    let text = |word: OsString| word.into_string().ok();
    // Without `python -m pytest`.
    let mut args = step.argv.into_iter().skip(3).map(text).collect::<Option<Vec<_>>>()?;
    // The account of a failure that costs least: pytest's own looks at every module that is loaded, Python's at sources.
    // No long comparison of what was expected with what came, and no second account, wherever the project would have one.
    let least = ["--tb=line", "--no-summary", "--verbosity=0", "--junitxml="];
    args.extend(least.map(str::to_owned));
    let env = step.env.into_iter().map(|(key, value)| Some((text(key)?, text(value)?)));
    let env = env.collect::<Option<_>>()?;
    let mut files = BTreeMap::new();
    for (path, bytes) in &variant.files {
        let start = texts.len();
        texts.extend_from_slice(bytes);
        files.insert(ask.tree.join(path), (start, texts.len()));
    }
    let only = match &variant.only {
        Selection::All => None,
        Selection::Ids(ids) => Some(ids.iter().map(TestId::as_str).collect()),
    };
    let led = variant.meets == Meets::Reaching;
    Some(JobVariant {
        folder: own.scratch,
        args,
        env,
        files,
        only,
        led,
        limit_ms: variant.limit_ms,
    })
}

pub(crate) fn read_batch(ask: &Ask, variants: &[Variant], done: &StepOutput) -> Vec<TestReport> {
    let same = |end: RunEnd| vec![TestReport::empty(end); variants.len()];
    match &done.end {
        StepEnd::Exited(0) => {}
        end @ (StepEnd::Exited(_)
        | StepEnd::Signalled(_)
        | StepEnd::TimedOut
        | StepEnd::CouldNotStart(_)) => {
            let note = format!("the batch did not come to its end: {end:?}\n{}", done.tail());
            return same(RunEnd::Crashed { note });
        }
    }
    let answer = match told(&done.stdout) {
        Ok(answer) => answer,
        Err(note) => return same(RunEnd::Suspect { note }),
    };
    if let Some(why) = answer.unfit {
        return same(RunEnd::Suspect { note: format!("nothing was run in a batch: {why}") });
    }
    if answer.records.len() != variants.len() {
        let note = format!("{} of {} variations are told", answer.records.len(), variants.len());
        return same(RunEnd::Suspect { note });
    }
    let each = answer.records.into_iter().zip(variants).enumerate();
    each.map(|(number, (record, variant))| one(&of_variant(ask, number, variant), record)).collect()
}

/// The one line that may stand there.
fn told(stdout: &[u8]) -> Result<Answer, String> {
    let line = stdout.strip_suffix(b"\n").unwrap_or(stdout);
    if line.contains(&b'\n') {
        return Err(
            "someone else has written where the batch's driver tells its results".to_owned()
        );
    }
    serde_json::from_slice::<Told>(line)
        .map(|told| told.batch)
        .map_err(|why| format!("what the batch's driver told can't be read: {why}"))
}

fn one(ask: &Ask, record: Record) -> TestReport {
    let (exit, signal, timed_out, looked_past, seals, tail) = match record {
        Record::Spoilt { spoilt } => {
            let note = format!("another process made the variation's folder: {spoilt}");
            return TestReport::empty(RunEnd::Suspect { note });
        }
        Record::Ended { exit, signal, timed_out, looked_past, seals, tail } => {
            (exit, signal, timed_out, looked_past, seals, tail)
        }
    };
    let end = match (timed_out, exit, signal) {
        (true, ..) => StepEnd::TimedOut,
        (false, Some(code), _) => StepEnd::Exited(code),
        (false, None, signal) => StepEnd::Signalled(signal.unwrap_or_default()),
    };
    let stderr = format!("{tail}\n{}\n", seals.join("\n")).into_bytes();
    let step = StepOutput { label: LABEL.to_owned(), end, stdout: Vec::new(), stderr };
    let report = read::to_first_failure(ask, &step);
    let counts = report.counts();
    let survived = match &report.end {
        RunEnd::Finished | RunEnd::NoTests => counts.failed + counts.errored == 0,
        RunEnd::CollectFailed { .. }
        | RunEnd::TimedOut { .. }
        | RunEnd::Crashed { .. }
        | RunEnd::Suspect { .. } => false,
    };
    if looked_past && survived {
        let note = "the tests started a program or read a changed file as a file, and there the tree's own text was seen".to_owned();
        return TestReport { end: RunEnd::Suspect { note }, ..report };
    }
    report
}
