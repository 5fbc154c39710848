//! A terminal as a person has one, by tmux: of a size, with keys that are typed and a screen that is read. Knows no program.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Screen {
    socket: String,
}

impl Screen {
    /// A command in a folder, with these variables and no others. `socket` is a name of its own below `home`.
    pub fn open(
        (home, socket): (&Path, &str),
        (columns, rows): (u16, u16),
        (folder, vars): (&Path, &[(OsString, OsString)]),
        command: &str,
    ) -> Self {
        let screen = Self { socket: home.join(socket).display().to_string() };
        let vars: Vec<String> = vars
            .iter()
            .map(|(name, value)| format!("{}='{}'", name.display(), value.display()))
            .collect();
        // What was shown stays to be read after the command's end.
        let line = format!("env -i TERM=screen-256color {} {command}; sleep 600", vars.join(" "));
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let folder = folder.to_string_lossy().into_owned();
        screen.tmux(&["new-session", "-d", "-x", &columns, "-y", &rows, "-c", &folder, &line]);
        screen
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.args(["-f", "/dev/null", "-S", &self.socket]).args(words);
        let out = tmux.output().expect("tmux");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// Types these keys, by tmux's names.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// The screen as it is, with what has scrolled away; lines that were too long for it are whole.
    pub fn shown(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J", "-S", "-500"])
    }

    /// The screen when it shows this.
    #[track_caller]
    pub fn until(&self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let shown = self.shown();
            if shown.contains(text) {
                return shown;
            }
            assert!(began.elapsed() < Duration::from_mins(2), "`{text}` is not on:\n{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
