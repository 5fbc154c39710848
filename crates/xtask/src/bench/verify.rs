//! What `proctor verify` costs on a small change beside the test runs that it makes: how much of its time no command was
//! alive (see `lives`), and how many bare runs of the suite it is worth. It must not change how Proctor works.

use super::Bench;
use super::exercise::{Exercise, Tongue};
use super::figures::{Chapter, Role, Unit};
use super::lives::Lives;
use super::process::{children_cpu_ms, millis};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 3;
const GOAL_TIMES: f64 = 1.10;

pub fn python(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Python, "verify python")
}

pub fn rust(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Rust, "verify rust")
}

pub fn go(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Go, "verify go")
}

pub fn node(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Node, "verify node")
}

fn measure(bench: &Bench, tongue: Tongue, title: &str) -> Result<Chapter> {
    let mut chapter = Chapter::new(title, ROUNDS);
    let suite = Suite::of(tongue);
    let Some(suite) = suite else {
        chapter.remarks.push("left out: the test tool is not here".to_owned());
        return Ok(chapter);
    };
    let traced = quiet(Command::new("perf").arg("--version")).is_ok_and(|status| status.success());
    let (mut wall, mut cpu, mut lives) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bare, mut bare_cpu) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let exercise = Exercise::make(tongue)?;
        let (took, used) = timed(|| proven(&mut asked(bench, &exercise, "home")))?;
        wall.push(took);
        cpu.push(used);
        if traced {
            lives.push(recorded(bench, &exercise)?);
        }
        let (took, used) = timed(|| suite.both(&exercise))?;
        bare.push(took);
        bare_cpu.push(used);
    }
    let ms = Unit::Millis;
    let whole = chapter.add("a whole verify", Role::Ours, ms, &wall);
    let used = chapter.add("  of processor time", Role::Ours, ms, &cpu);
    let each = |value: fn(&Lives) -> f64| lives.iter().map(value).collect::<Vec<f64>>();
    let calls = each(|lives| f64::from(lives.kept_calls));
    chapter.add("  calls of the test tool and what it built", Role::Ours, Unit::Count, &calls);
    chapter.add("  no command was alive", Role::Ours, ms, &each(Lives::added_ms));
    let times = each(|lives| lives.whole_ms / lives.floor_ms());
    let times = chapter.add("  verify to its commands", Role::Ours, Unit::Times, &times);
    let once = chapter.add("the suite bare, at base and head", Role::Yardstick, ms, &bare);
    let spent = chapter.add("  of processor time", Role::Yardstick, ms, &bare_cpu);
    for (name, ours, bare) in
        [("verify to both bare runs", whole, once), ("  of processor time", used, spent)]
    {
        let times = ours.zip(bare).map(|(ours, bare)| ours / bare);
        chapter.add(name, Role::Ours, Unit::Times, times.as_slice());
    }
    chapter.goal("verify to the commands in it", Unit::Times, times, GOAL_TIMES);
    if !traced {
        let remark = "verify to its commands was not measured: it takes `perf`, which is not here";
        chapter.remarks.push(remark.to_owned());
    }
    Ok(chapter)
}

fn timed(act: impl FnOnce() -> Result<()>) -> Result<(f64, f64)> {
    let before = children_cpu_ms();
    let began = Instant::now();
    act()?;
    Ok((millis(began.elapsed()), children_cpu_ms() - before))
}

fn asked(bench: &Bench, exercise: &Exercise, home: &str) -> Command {
    let mut command = Command::new(&bench.proctor);
    ask(&mut command, exercise, home);
    command
}

fn ask(command: &mut Command, exercise: &Exercise, home: &str) {
    command
        .args(["verify", "--base", "main", "--format", "json"])
        .current_dir(exercise.path())
        .env("PROCTOR_HOME", exercise.beside(home));
}

/// Runs it and makes sure that it came to a verdict: one that gave up early would look fast.
fn proven(command: &mut Command) -> Result<()> {
    let out = command.stdin(Stdio::null()).output().context("proctor did not start")?;
    let text = String::from_utf8_lossy(&out.stdout);
    if !text.contains("\"verdict\": \"proven\"") {
        let said = String::from_utf8_lossy(&out.stderr);
        let head: Vec<&str> = text.lines().take(4).collect();
        bail!("verify did not prove the change ({}): {} {said}", out.status, head.join(" "));
    }
    Ok(())
}

fn recorded(bench: &Bench, exercise: &Exercise) -> Result<Lives> {
    let record = exercise.beside("perf.data");
    let mut command = Command::new("perf");
    // An event that never happens: wanted are the records of forks, execs and exits that come with any.
    command.args(["record", "--quiet", "--event=dummy:u", "--output"]).arg(&record).arg("--");
    command.arg(&bench.proctor);
    ask(&mut command, exercise, "home-recorded");
    proven(&mut command)?;
    let out = Command::new("perf")
        .args(["script", "--show-task-events", "--input"])
        .arg(&record)
        .output()
        .context("perf did not start")?;
    let name = bench.proctor.file_name().and_then(OsStr::to_str).unwrap_or_default();
    Lives::read(&String::from_utf8_lossy(&out.stdout), name)
}

/// The bare command of a suite.
struct Suite(Vec<&'static str>);

impl Suite {
    fn of(tongue: Tongue) -> Option<Self> {
        let works = |words: &[&str]| {
            let (program, rest) = words.split_first()?;
            quiet(Command::new(program).args(rest)).ok()?.success().then_some(())
        };
        match tongue {
            Tongue::Python => works(&["python3", "-m", "pytest", "--version"])
                .map(|()| Self(vec!["python3", "-m", "pytest", "-q"])),
            Tongue::Rust if works(&["cargo", "nextest", "--version"]).is_some() => {
                Some(Self(vec!["cargo", "nextest", "run", "--offline"]))
            }
            Tongue::Rust => {
                works(&["cargo", "--version"]).map(|()| Self(vec!["cargo", "test", "--offline"]))
            }
            Tongue::Go => {
                works(&["go", "version"]).map(|()| Self(vec!["go", "test", "-count=1", "./..."]))
            }
            Tongue::Node => works(&["node", "--version"]).map(|()| Self(vec!["node", "--test"])),
        }
    }

    /// Once at the base and once at head, with build products of their own.
    fn both(&self, exercise: &Exercise) -> Result<()> {
        let (program, rest) = self.0.split_first().context("no command")?;
        for branch in ["main", "work"] {
            exercise.git(&["switch", "--quiet", branch])?;
            let mut command = Command::new(program);
            command.args(rest).current_dir(exercise.path());
            let status = quiet(command.env("CARGO_TARGET_DIR", exercise.beside("target")));
            if !status.context("the test tool did not start")?.success() {
                bail!("the suite does not pass on {branch}");
            }
        }
        Ok(())
    }
}

fn quiet(command: &mut Command) -> std::io::Result<std::process::ExitStatus> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
}
