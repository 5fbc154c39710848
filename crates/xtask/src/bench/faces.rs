//! What it costs that many look on: 200 runs in the journal, 100 watchers at the board. From a recorded fact to the line that
//! each browser gets, what `serve` holds in memory, and whether recording is slower by it.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::millis;
use anyhow::{Context, Result, bail};
use proctor_core::event::Event;
use proctor_core::words::{Millis, RunId};
use proctor_journal::{Headline, Journal};
use proctor_testkit::{RepoBuilder, Running, Scenario, TestEnv};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const RUNS: usize = 200;
const WATCHERS: usize = 100;
const ROUNDS: usize = 40;
const PATIENCE: Duration = Duration::from_secs(20);
/// Between two facts, so that each is seen by itself.
const PAUSE: Duration = Duration::from_millis(60);
const GOAL_MS: f64 = 200.0;
const GOAL_MB: f64 = 100.0;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let env = TestEnv::new(&bench.proctor);
    let repo = RepoBuilder::python_calc();
    let crowd = Crowd::make(&env, &repo)?;
    let mut alone = Vec::new();
    for n in 0..ROUNDS {
        // A disk and a processor that were idle for a while are slower: the same pause as where many look on.
        thread::sleep(PAUSE);
        alone.push(crowd.step(n)?.1);
    }
    let mut serve =
        env.call(repo.path()).args(&["serve", "--port", "0"]).limit(PATIENCE * 30).spawn();
    serve.until("the link", |out, _| out.contains("token=") && out.ends_with('\n'));
    let (sender, heard) = channel();
    for _ in 0..WATCHERS {
        look_on(&serve, sender.clone())?;
    }
    let (mut seen, mut steps) = (Vec::new(), Vec::new());
    for n in ROUNDS..2 * ROUNDS {
        thread::sleep(PAUSE);
        let (recorded, ms) = crowd.step(n)?;
        steps.push(ms);
        seen.extend(Crowd::told(n, recorded, &heard)?);
    }
    let mut chapter = Chapter::new(format!("{RUNS} runs, {WATCHERS} watchers"), ROUNDS);
    let median = chapter.add("from a fact to a watcher", Role::Ours, Unit::Millis, &seen);
    chapter.add("recording it, many look on", Role::Ours, Unit::Millis, &steps);
    chapter.add("recording it, nobody looks on", Role::Yardstick, Unit::Millis, &alone);
    let peak = peak_mb(serve.pid());
    chapter.add("serve holds at most", Role::Ours, Unit::Megabytes, peak.as_slice());
    chapter.goal("from a fact to a watcher", Unit::Millis, median, GOAL_MS);
    chapter.goal("serve holds at most", Unit::Megabytes, peak, GOAL_MB);
    Ok(chapter)
}

/// Many runs that wait for approval: one that was driven, and its history under other names.
struct Crowd {
    journal: Journal,
    head: Headline,
    length: u64,
}

impl Crowd {
    fn make(env: &TestEnv, repo: &RepoBuilder) -> Result<Self> {
        let test = "from calc import sub\n\n\ndef test_sub():\n    assert sub(5, 3) == 2\n";
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_sub.py", test)])
            .turn(json!({
                "phase": "implement", "append": {"calc.py": "\n\ndef sub(a, b):\n    return a - b\n"},
                "output": {"status": "READY_FOR_REVIEW", "fix_description": "sub", "notes": ""},
            }))
            .refactor_nothing()
            .review_ok();
        let words = ["add", "a sub function", "--id", "one"];
        let ran = env.call(repo.path()).args(&words).mock(&scenario).run();
        let journal = Journal::open(env.home()).context("the journal")?;
        let rows = journal.runs(proctor_journal::Listing::All)?;
        let Some(first) = rows.first() else { bail!("no run came about:\n{ran}") };
        let history = journal.history::<Event>(&first.id)?;
        let events: Vec<Event> = history.into_iter().map(|recorded| recorded.body).collect();
        let (head, length) = (first.head.clone(), first.last_seq);
        let own = Self { journal, head, length };
        for n in 1..RUNS {
            own.journal.append(&name(n), 0, &events, now(), &own.head)?;
        }
        Ok(own)
    }

    /// Records a fact of one run. Gives when it was recorded, and how long that took.
    fn step(&self, n: usize) -> Result<(Instant, f64)> {
        let began = Instant::now();
        let event = [Event::Interrupted];
        self.journal.append(&name(n + 1), self.length, &event, now(), &self.head)?;
        Ok((Instant::now(), millis(began.elapsed())))
    }

    /// When each watcher was told of it.
    fn told(n: usize, recorded: Instant, heard: &Receiver<(String, Instant)>) -> Result<Vec<f64>> {
        let wanted = format!("\"{}\"", name(n + 1));
        let mut seen = Vec::new();
        while seen.len() < WATCHERS {
            let (line, at) = heard.recv_timeout(PATIENCE).context("a watcher was told nothing")?;
            if line.contains(&wanted) {
                seen.push(millis(at.saturating_duration_since(recorded)));
            }
        }
        Ok(seen)
    }
}

/// A browser that has the board open.
fn look_on(serve: &Running, heard: Sender<(String, Instant)>) -> Result<()> {
    let link = serve.stdout();
    let rest = link.trim().strip_prefix("http://").context("no link")?;
    let (address, token) = rest.split_once("/?token=").context("no token")?;
    let mut stream = TcpStream::connect(address).context("the board")?;
    // The cookie that a browser gets for the token holds just that.
    let request = format!(
        "GET /events?since=1 HTTP/1.1\r\nhost: {address}\r\ncookie: proctor_board={token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).context("the board")?;
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().context("no answer")?.context("no answer")?;
    if !first.contains("200") {
        bail!("the board answered {first}");
    }
    thread::spawn(move || {
        for line in lines.map_while(Result::ok).filter(|line| line.starts_with("data:")) {
            if heard.send((line, Instant::now())).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn name(n: usize) -> RunId {
    RunId::new(format!("run-{n:03}"))
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

fn peak_mb(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kb: f64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kb / 1024.0)
}
