//! What a durable step costs as a run gets longer: one fact appended to journals of very different lengths, in turn,
//! beside one bare fsync in the same folder. What a step costs must not depend on what came before it.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::millis;
use anyhow::{Context, Result, bail};
use proctor_core::event::{Event, Turn};
use proctor_core::proof::Point;
use proctor_core::turn::Claim;
use proctor_core::words::{CommitId, Millis, Phase, RunId, TreeId};
use proctor_journal::{Headline, Journal};
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

const LENGTHS: [u64; 3] = [10, 1_000, 100_000];
const ROUNDS: usize = 200;
/// How many facts go into one transaction while a history is made up.
const CHUNK: u64 = 1_000;
const GOAL_CPU_MS: f64 = 0.1;
const GOAL_BYTES: f64 = 5_000.0;
/// More than noise: what grows with the history grows ten thousand times here.
const GOAL_GROWTH: f64 = 1.25;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let folder = tempfile::tempdir_in(&bench.scratch).context("no folder for the journals")?;
    let mut stories = Vec::new();
    for length in LENGTHS {
        stories.push(Story::of(&folder.path().join(length.to_string()), length)?);
    }
    let mut bare = Bare::make(&folder.path().join("bare"))?;
    for _ in 0..ROUNDS {
        for story in &mut stories {
            story.step()?;
        }
        bare.step()?;
    }
    Ok(chapter(&stories, &bare))
}

fn chapter(stories: &[Story], bare: &Bare) -> Chapter {
    let mut chapter = Chapter::new("journal", ROUNDS);
    let mut medians = Vec::new();
    for story in stories {
        let name = |what: &str| format!("{what}, after {} facts", story.length);
        let wall = chapter.add(&name("a step"), Role::Ours, Unit::Millis, &story.wall_ms);
        let cpu = chapter.add(&name("its CPU time"), Role::Ours, Unit::Millis, &story.cpu_ms);
        let bytes = chapter.add(&name("it writes"), Role::Ours, Unit::Bytes, &story.bytes);
        medians.push((wall, cpu, bytes));
    }
    let fsync = chapter.add("write 4 KiB and fsync", Role::Yardstick, Unit::Millis, &bare.wall_ms);
    let kept = stories.last().and_then(|story| story.kept);
    chapter.add("the file keeps of a step", Role::Ours, Unit::Bytes, kept.as_slice());
    chapter.add("the fact itself", Role::Yardstick, Unit::Bytes, &[fact_size()]);
    let (Some(short), Some(long)) = (medians.first(), medians.last()) else { return chapter };
    let ratio = |long: Option<f64>, short: Option<f64>| {
        long.zip(short).and_then(|(long, short)| (short > 0.0).then(|| long / short))
    };
    let times = Unit::Times;
    chapter.goal("time of a step, longest to shortest", times, ratio(long.0, short.0), GOAL_GROWTH);
    chapter.goal(
        "bytes of a step, longest to shortest",
        times,
        ratio(long.2, short.2),
        GOAL_GROWTH,
    );
    chapter.goal("CPU time of a step, longest history", Unit::Millis, long.1, GOAL_CPU_MS);
    chapter.goal("the file keeps of a step", Unit::Bytes, kept, GOAL_BYTES);
    chapter.goal("a step writes, longest history", Unit::Bytes, long.2, GOAL_BYTES);
    if let Some(times) = ratio(long.0, fsync) {
        let remark = format!("a step after the longest history takes {times:.2} times the fsync");
        chapter.remarks.push(remark);
    }
    if long.2.is_none() {
        let remark = "no bytes written: this system has no /proc/self/io";
        chapter.remarks.push(remark.to_owned());
    }
    chapter
}

/// A journal with one run of a certain length, and what each further step cost.
struct Story {
    journal: Journal,
    run: RunId,
    head: Headline,
    length: u64,
    last: u64,
    /// Bytes of the database file a fact.
    kept: Option<f64>,
    wall_ms: Vec<f64>,
    cpu_ms: Vec<f64>,
    bytes: Vec<f64>,
}

impl Story {
    fn of(home: &Path, length: u64) -> Result<Self> {
        let run = RunId::new("add-slugify-4p67");
        let head = Headline {
            task: "add-slugify".to_owned(),
            kind: "feature".to_owned(),
            description: "Add slugify".to_owned(),
            repo: "/path/to/repo".to_owned(),
            branch: "main".to_owned(),
            status: "RUNNING".to_owned(),
            stage: "implementing".to_owned(),
            reason: String::new(),
            open: true,
        };
        let journal = Journal::open(home)?;
        let mut last = 0;
        while last < length {
            let many = CHUNK.min(length - last);
            let facts: Vec<Event> = (0..many).map(|more| fact(last + more)).collect();
            last = journal.append(&run, last, &facts, Millis(last), &head)?;
        }
        // Closing moves everything from the write-ahead log into the file.
        drop(journal);
        let kept = size(&home.join("journal.db")).map(|size| size / size_of_count(length));
        let (wall_ms, cpu_ms, bytes) = (Vec::new(), Vec::new(), Vec::new());
        let journal = Journal::open(home)?;
        Ok(Self { journal, run, head, length, last, kept, wall_ms, cpu_ms, bytes })
    }

    fn step(&mut self) -> Result<()> {
        let fact = fact(self.last);
        let (written, cpu, began) = (bytes_written(), cpu_ms(), Instant::now());
        let last =
            self.journal.append(&self.run, self.last, &[fact], Millis(self.last), &self.head)?;
        self.wall_ms.push(millis(began.elapsed()));
        self.cpu_ms.push(cpu_ms() - cpu);
        self.bytes.extend(bytes_written().zip(written).map(|(after, before)| after - before));
        if last != self.last + 1 {
            bail!("one fact was appended after fact {}, and the last is {last}", self.last);
        }
        self.last = last;
        Ok(())
    }
}

/// The least that a durable step can cost.
struct Bare {
    file: File,
    wall_ms: Vec<f64>,
}

impl Bare {
    fn make(path: &Path) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("could not make {}", path.display()))?;
        Ok(Self { file, wall_ms: Vec::new() })
    }

    fn step(&mut self) -> Result<()> {
        let began = Instant::now();
        self.file.write_all(&[7; 4096]).context("could not write")?;
        self.file.sync_all().context("could not fsync")?;
        self.wall_ms.push(millis(began.elapsed()));
        Ok(())
    }
}

/// A fact of middling size: a turn that an agent took.
fn fact(no: u64) -> Event {
    let at =
        Point { commit: CommitId::new(format!("{no:040x}")), tree: TreeId::new("5f".repeat(20)) };
    Event::Turned {
        turn: Box::new(Turn {
            phase: Phase::Implement,
            attempt: 2,
            claim: Claim::Implemented {
                description: "adds slugify, which lowers a text and joins its words".to_owned(),
                notes: "kept to the module that was there".to_owned(),
            },
            at,
            changed: vec!["calc.py".to_owned(), "README.md".to_owned()],
            put_back: vec!["tests/test_slug.py".to_owned()],
        }),
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes and counts here are far below 2^52")]
fn fact_size() -> f64 {
    serde_json::to_vec(&fact(0)).map_or(0.0, |bytes| bytes.len() as f64)
}

#[expect(clippy::cast_precision_loss, reason = "sizes and counts here are far below 2^52")]
fn size_of_count(count: u64) -> f64 {
    count as f64
}

fn size(path: &Path) -> Option<f64> {
    std::fs::metadata(path).ok().map(|meta| size_of_count(meta.len()))
}

fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    std::time::Duration::try_from(time).map_or(0.0, millis)
}

/// What this process has handed to the system to be written, from the beginning on.
fn bytes_written() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_one_fact_more_and_is_measured() {
        let home = tempfile::tempdir().unwrap();
        let mut story = Story::of(&home.path().join("home"), 10).unwrap();
        story.step().unwrap();
        story.step().unwrap();
        assert_eq!(story.last, 12);
        assert_eq!(story.wall_ms.len(), 2);
        assert!(story.kept > Some(0.0));
        assert_eq!(story.journal.history::<Event>(&story.run).unwrap().len(), 12);
    }
}
