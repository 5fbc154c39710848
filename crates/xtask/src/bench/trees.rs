//! What a pristine tree of a large repository costs: mounted over a clean checkout, beside the same tree written out in
//! the same folder, in turn. A handful of files differ from the base, as they do after a change.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::millis;
use anyhow::{Context, Result, bail};
use proctor_core::words::{CommitId, TreeId};
use proctor_world::child::Keeper;
use proctor_world::listing::Listing;
use proctor_world::overlay::{How, Possible, PristineTree, Want, possible};
use proctor_world::shadow::Shadow;
use proctor_world::tree::{materialise, remove_tree};
use rustix::time::{ClockId, clock_gettime};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

const FILES: usize = 62_000;
const FILES_IN_A_FOLDER: usize = 50;
/// How many differ from the base.
const CHANGED: usize = 10;
/// Every so many files is one that a build goes by the time of.
const SOURCE_EACH: usize = 20;
const ROUNDS: usize = 7;
const GOAL_MS: f64 = 50.0;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let folder = tempfile::tempdir_in(&bench.scratch).context("no folder for the trees")?;
    let room = Room::make(folder.path(), bench)?;
    let mut chapter = Chapter::new("trees", ROUNDS);
    if let Possible::No(why) = possible(&room.keeper, &room.home) {
        chapter.remarks.push(format!("left out: no overlay can be mounted here: {why}"));
        return Ok(chapter);
    }
    let (first, tree) = timed(|| room.mounted(&|_| false))?;
    let dir = tree.root().to_owned();
    drop(tree);
    let mut times = Times::default();
    for _ in 0..ROUNDS {
        times.round(&room, &dir)?;
    }
    let add = |chapter: &mut Chapter, name: &str, role, values: &[f64]| {
        chapter.add(name, role, Unit::Millis, values)
    };
    let made = add(&mut chapter, "a mounted tree", Role::Ours, &times.mounted);
    add(&mut chapter, "its processor time, on all cores", Role::Ours, &times.mounted_cpu);
    add(&mut chapter, "thrown away", Role::Ours, &times.unmounted);
    let sources = format!("one with {} sources as if new", FILES.div_ceil(SOURCE_EACH));
    add(&mut chapter, &sources, Role::Ours, &times.fresh);
    add(&mut chapter, "the first in a process, which reads the base", Role::Ours, &times.read);
    add(&mut chapter, "the first of all, which writes the base", Role::Ours, &[first]);
    let written = add(&mut chapter, "a tree written out", Role::Yardstick, &times.written);
    add(&mut chapter, "removed", Role::Yardstick, &times.removed);
    let ratio = written.zip(made).map(|(written, made)| written / made);
    chapter.add("written out to mounted", Role::Ours, Unit::Times, ratio.as_slice());
    chapter.goal("a mounted tree", Unit::Millis, made, GOAL_MS);
    chapter.remarks.push(format!("{FILES} files, of which {CHANGED} differ from the base"));
    Ok(chapter)
}

#[derive(Default)]
struct Times {
    mounted: Vec<f64>,
    mounted_cpu: Vec<f64>,
    unmounted: Vec<f64>,
    fresh: Vec<f64>,
    read: Vec<f64>,
    written: Vec<f64>,
    removed: Vec<f64>,
}

impl Times {
    fn round(&mut self, room: &Room, dir: &Path) -> Result<()> {
        let cpu = cpu_ms();
        let (took, tree) = timed(|| room.mounted(&|_| false))?;
        self.mounted_cpu.push(cpu_ms() - cpu);
        self.mounted.push(took);
        let began = Instant::now();
        drop(tree);
        self.unmounted.push(millis(began.elapsed()));
        let (took, tree) = timed(|| room.mounted(&is_source))?;
        self.fresh.push(took);
        drop(tree);
        // One that was touched must be read again, as by a process that has not read it yet.
        let some = room.home.join("trees").join(room.base.as_str()).join("tree/0/0/0.rs");
        let touched = File::options().write(true).open(&some)?;
        touched.set_modified(SystemTime::now())?;
        let (took, tree) = timed(|| room.mounted(&|_| false))?;
        self.read.push(took);
        drop(tree);
        let (took, ()) = timed(|| Ok(materialise(&room.shadow, &room.listing, dir)?))?;
        self.written.push(took);
        let (took, ()) = timed(|| Ok(remove_tree(dir)?))?;
        self.removed.push(took);
        Ok(())
    }
}

/// Of this process alone: a keeper's part is small.
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).map_or(0.0, millis)
}

fn is_source(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "rs")
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let began = Instant::now();
    let out = work()?;
    Ok((millis(began.elapsed()), out))
}

/// A large repository in the shadow, and a tree that differs from its base.
struct Room {
    home: PathBuf,
    keeper: Keeper,
    shadow: Shadow,
    base: TreeId,
    listing: Listing,
}

impl Room {
    fn make(folder: &Path, bench: &Bench) -> Result<Self> {
        let (repo, home) = (folder.join("repo"), folder.join("home"));
        let base = CommitId(large_repository(&repo)?);
        let shadow = Shadow::open(&home, &repo.join(".git"), &base)?;
        let base = shadow.tree_of(&base)?;
        let mut listing = (*shadow.list(&base)?).clone();
        let text = shadow.write_blob(b"changed\n")?;
        for entry in listing.values_mut().step_by(FILES / CHANGED) {
            entry.oid.clone_from(&text);
        }
        // The same keeper as `proctor keep`, as a program of its own.
        let program = bench.proctor.with_file_name("proctor-keep");
        let keeper = Keeper { program, args: Vec::new() };
        Ok(Self { home, keeper, shadow, base, listing })
    }

    fn mounted(&self, fresh: &dyn Fn(&str) -> bool) -> Result<PristineTree> {
        let want = Want {
            home: &self.home,
            keeper: &self.keeper,
            base: &self.base,
            listing: &self.listing,
            dir: &self.home.join("gate"),
            fresh,
            smallest: 1,
        };
        let tree = PristineTree::make(&self.shadow, &want)?;
        match tree.how() {
            How::Mounted(_) => Ok(tree),
            How::Written(why) => bail!("the tree was written out: {why}"),
        }
    }
}

/// Makes the repository with one commit, and gives its id.
fn large_repository(repo: &Path) -> Result<String> {
    fs::create_dir_all(repo)?;
    git(repo, &["init", "--quiet", "--initial-branch=main"], None)?;
    let mut stream = String::from(
        "commit refs/heads/main\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 4\nbase\n",
    );
    for n in 0..FILES {
        let folder = n / FILES_IN_A_FOLDER;
        let ending = if n % SOURCE_EACH == 0 { "rs" } else { "txt" };
        let text = format!("file {n} of a large repository\n").repeat(20 + n % 30);
        let _ = write!(
            stream,
            "M 100644 inline {}/{}/{n}.{ending}\ndata {}\n{text}\n",
            folder / 40,
            folder % 40,
            text.len()
        );
    }
    git(repo, &["fast-import", "--quiet"], Some(&stream))?;
    git(repo, &["rev-parse", "main"], None)
}

fn git(repo: &Path, args: &[&str], input: Option<&str>) -> Result<String> {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(repo)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("git did not start")?;
    if let Some(mut channel) = child.stdin.take() {
        channel.write_all(input.unwrap_or_default().as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("git {args:?} ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
