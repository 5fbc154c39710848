//! The terminal view as a person sees it: keys through tmux, screens against snapshots.

use super::awaiting;
use crate::repos::place::Place;
use proctor_testkit::missing;
use std::process::Command;
use std::time::{Duration, Instant};

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
                return shown.replace(&self.run, "RUN-abcd");
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
