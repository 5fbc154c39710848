//! The faces as a person sees them: the terminal view by keys through tmux, with screens against snapshots, and the board in
//! real Chromium.

use super::awaiting;
use super::http::Board;
use crate::repos::place::Place;
use proctor_testkit::{missing, missing_file};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a person sees and does in Chromium is in `browser.mjs`; here Proctor is started for it.
#[test]
fn a_run_is_watched_read_and_approved_in_chromium() {
    let tools = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/browser"));
    let Some(chromium) = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .into_iter()
        .map(Path::new)
        .find(|path| path.exists())
    else {
        missing_file("chromium", Path::new("/usr/bin/chromium"));
        return;
    };
    if missing_file("playwright-core", &tools.join("node_modules/playwright-core")) {
        return;
    }
    let Some(Place { env, repo }) = Place::python() else { return };
    let place = Place { env: env.probing(), repo };
    let board = Board::open(&place);
    let link = format!("http://{}/?token={}", board.address, board.token);
    let wanted = "Red and green|test_sub_takes_away|a test runs this line|Mutants|Time and cost|Surroundings|sandbox|Transcript|History";
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/faces/browser.mjs");
    let mut person = Command::new("node")
        .arg(script)
        .env("BROWSER_TOOLS", tools)
        .env("CHROMIUM", chromium)
        .env("LINK", link)
        .env("WANTED", wanted)
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let mut told = Vec::new();
    for line in BufReader::new(person.stdout.take().expect("its words")).lines() {
        let said = line.expect("a line");
        if said == "ready" {
            place.add(&["--coverage", ">=50%"]).run().expect_code(3);
        }
        told.push(said);
    }
    let ended = person.wait().expect("an end");
    assert!(ended.success() && told.last().is_some_and(|line| line == "done"), "{told:?}");
    assert_eq!(place.repo.git(&["log", "--format=%s", "-1", "main"]), "a sub function");
}

/// A terminal of its own, with nothing of the user's.
struct Screen {
    socket: String,
    run: String,
}

impl Screen {
    fn open(place: &Place, run: &str, (columns, rows): (u16, u16), settings: &str) -> Self {
        let socket = format!("{}", place.env.home().join(format!("tmux-{columns}")).display());
        let screen = Self { socket, run: run.to_owned() };
        let vars: Vec<String> = place
            .env
            .vars()
            .iter()
            .map(|(name, value)| format!("{}='{}'", name.display(), value.display()))
            .collect();
        let proctor = env!("CARGO_BIN_EXE_proctor");
        let line =
            format!("env -i TERM=screen-256color {} {settings} {proctor} watch", vars.join(" "));
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let folder = place.path().to_string_lossy().into_owned();
        let size = ["-x", &columns, "-y", &rows, "-c", &folder];
        screen.tmux(&[&["new-session", "-d"], &size[..], &[&line]].concat());
        screen
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.args(["-f", "/dev/null", "-S", &self.socket]).args(words);
        let out = tmux.output().expect("tmux");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// The screen when it shows this, with what differs from run to run replaced.
    #[track_caller]
    fn until(&self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let shown = self.tmux(&["capture-pane", "-p"]);
            if shown.contains(text) {
                return if self.run.is_empty() {
                    shown
                } else {
                    shown.replace(&self.run, "RUN-abcd")
                };
            }
            assert!(began.elapsed() < Duration::from_mins(1), "`{text}` is not on:\n{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn still(screen: &str) -> String {
    let mut told = String::new();
    for line in screen.lines() {
        let words = line.split(' ').map(|word| {
            let is_time = word.len() > 1
                && word.starts_with(|c: char| c.is_ascii_digit())
                && word.chars().all(|c| c.is_ascii_digit() || "hms:".contains(c))
                && word.contains(['s', 'm', ':']);
            let is_tree = word.len() == 12 && word.chars().all(|c| c.is_ascii_hexdigit());
            if is_time || is_tree { "~".repeat(word.len().min(2)) } else { word.to_owned() }
        });
        let words: Vec<String> = words.collect();
        let line = words.join(" ");
        // How wide a time is differs from run to run, and so does the room behind it.
        let mut parts = line.split("~~");
        told.push_str(parts.next().unwrap_or_default().trim_end());
        for part in parts {
            told.push_str(" ~~ ");
            told.push_str(part.trim());
        }
        told.push('\n');
    }
    told
}

#[test]
fn a_run_is_read_and_approved_in_the_terminal_view() {
    let Some(place) = Place::python() else { return };
    if missing("tmux") {
        return;
    }
    let run = awaiting(&place);
    let narrow = Screen::open(&place, &run, (80, 24), "NO_COLOR=1");
    insta::assert_snapshot!("list_80", still(&narrow.until("needs you")));
    let wide = Screen::open(&place, &run, (200, 30), "");
    insta::assert_snapshot!("list_200", still(&wide.until("needs you")));
    narrow.keys(&["Enter"]);
    narrow.keys(&["5"]);
    insta::assert_snapshot!("code_80", still(&narrow.until("+def sub")));
    narrow.keys(&["?"]);
    narrow.until("the next run that waits for you");
    narrow.keys(&["q"]);
    narrow.keys(&["Escape"]);
    narrow.keys(&["a"]);
    narrow.until("Type approve:");
    narrow.keys(&["yes", "Enter"]);
    narrow.until("only the word approve is an approval");
    narrow.keys(&["a"]);
    narrow.until("Type approve:");
    narrow.keys(&["approve", "Enter"]);
    narrow.until("1 landed");
    wide.until("1 landed");
    assert_eq!(place.repo.git(&["log", "--format=%s", "-1", "main"]), "a sub function");
}

#[test]
fn every_key_of_the_terminal_view_does_what_its_help_says() {
    let Some(place) = Place::python() else { return };
    if missing("tmux") {
        return;
    }
    let first = awaiting(&place);
    let again = place.env.call(place.path()).args(&["add", "another sub", "--id", "T-2"]);
    again.mock(&crate::repos::place::sub_scenario("")).run().expect_code(3);
    let screen = Screen::open(&place, &first, (80, 24), "NO_COLOR=1");
    screen.until("2 needs you");
    // Choose, jump to what waits, open, and every page.
    screen.keys(&["j"]);
    screen.until("> needs you  t-1-");
    screen.keys(&["k"]);
    screen.until("> needs you  t-2-");
    screen.keys(&["End"]);
    screen.until("> needs you  t-1-");
    screen.keys(&["n"]);
    screen.until("> needs you  t-2-");
    screen.keys(&["n", "Enter"]);
    screen.until("T-1: a sub function");
    for (key, shows) in [
        ("2", "the new tests on the old code once more"),
        ("3", "red before, green now"),
        ("4", "+def test_sub_takes_away"),
        ("5", "+def sub(a, b):"),
        ("Tab", "T-1: a sub function"),
        ("BTab", "+def sub(a, b):"),
        ("1", "T-1: a sub function"),
        ("PgDn", "11/"),
    ] {
        screen.keys(&[key]);
        screen.until(shows);
    }
    // A wider and a much smaller terminal, while it is open.
    screen.tmux(&["resize-window", "-x", "200", "-y", "40"]);
    screen.until("nothing that passed before broke (");
    screen.tmux(&["resize-window", "-x", "40", "-y", "8"]);
    screen.until("a sub function");
    screen.tmux(&["resize-window", "-x", "80", "-y", "24"]);
    screen.until("Esc list");
    // What is typed is asked for, can be left, and must be the word.
    screen.keys(&["x"]);
    screen.until("Type abort:");
    screen.keys(&["yes", "Enter"]);
    screen.until("only the word abort");
    screen.keys(&["b"]);
    screen.until("What the coder is told:");
    screen.keys(&["Escape"]);
    screen.until("Tab page");
    screen.keys(&["b"]);
    screen.until("What the coder is told:");
    screen.keys(&["-l", "another name"]);
    screen.keys(&["Enter"]);
    screen.until("approve×1");
    screen.keys(&["Escape"]);
    screen.until("↑↓ choose");
    screen.keys(&["n"]);
    screen.until("> needs you  t-2-");
    screen.keys(&["x"]);
    screen.until("Type abort:");
    screen.keys(&["abort", "Enter"]);
    screen.until("ABORTED");
    screen.keys(&["r"]);
    screen.until("does not apply now");
    screen.keys(&["q"]);
    let began = Instant::now();
    while place.env.home().join("tmux-80").exists() && !screen.tmux(&["list-sessions"]).is_empty() {
        assert!(began.elapsed() < Duration::from_mins(1), "it does not leave");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_terminal_that_is_gone_ends_the_view() {
    let Some(place) = Place::python() else { return };
    if missing("tmux") {
        return;
    }
    let screen = Screen::open(&place, "", (80, 24), "");
    screen.until("0 landed");
    let pid = screen.tmux(&["list-panes", "-F", "#{pane_pid}"]);
    let process = Path::new("/proc").join(pid.trim());
    assert!(process.exists(), "{pid}");
    drop(screen);
    let began = Instant::now();
    while process.exists() {
        assert!(began.elapsed() < Duration::from_mins(1), "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}
