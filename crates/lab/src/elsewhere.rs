//! Surroundings that are other than a gate's, difference by difference, as a user's machine has them. Nothing of it may carry
//! our name.

use crate::Halt;
use crate::disk::{make, write};
use crate::suite::Suite;
use crate::together::is_built;
use proctor_core::trial::{Factor, Trial};
use proctor_tools::{Manner, sources_of};
use proctor_world::sandbox::Otherwise;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What a clone that somebody works in has: an index without entries, what was fetched, what was committed last.
const CHECKOUT: [(&str, &[u8]); 9] = [
    (".git/HEAD", b"ref: refs/heads/main\n"),
    (".git/config", b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"),
    (".git/description", b"Unnamed repository\n"),
    (".git/index", b"DIRC\0\0\0\x02\0\0\0\0\x39\xd8\x90\x13\x9e\xe5\x35\x6c\x7e\xf5\x72\x21\x6c\xeb\xcd\x27\xaa\x41\xf9\xdf"),
    (".git/info/exclude", b"# git ls-files --others --exclude-from=.git/info/exclude\n"),
    (".git/objects/info/packs", b""),
    (".git/packed-refs", b"# pack-refs with: peeled fully-peeled sorted \n"),
    (".git/refs/heads/.keep", b""),
    (".git/COMMIT_EDITMSG", b"wip\n"),
];

/// What lies in the home of somebody who works there.
const AT_HOME: [(&str, &str); 6] = [
    (".bashrc", "alias ll='ls -l'\n"),
    (".profile", "umask 022\n"),
    (".bash_history", "ls\ngit status\n"),
    (".gitconfig", "[user]\n\tname = Ada\n\temail = ada@thinkpad\n"),
    (".config/user-dirs.locale", "en_US"),
    ("Downloads/.directory", "[Desktop Entry]\nIcon=folder-downloads\n"),
];

/// What a terminal and a desktop put into the environment.
const SESSION: [(&str, &str); 12] = [
    ("TERM", "xterm-256color"),
    ("SHELL", "/bin/bash"),
    ("SHLVL", "2"),
    ("EDITOR", "vim"),
    ("PAGER", "less"),
    ("DISPLAY", ":0"),
    ("XDG_SESSION_TYPE", "wayland"),
    ("XDG_CURRENT_DESKTOP", "GNOME"),
    ("DESKTOP_SESSION", "gnome"),
    ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
    ("HOSTNAME", "thinkpad"),
    ("LS_COLORS", "di=01;34:ln=01;36:ex=01;32"),
];

/// How much later it is for a child whose clock is shifted. Deadlines go on by the clock that no one sets.
const LATER: [(&str, &str); 4] = [
    ("FAKETIME", "+1234d"),
    ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ("DONT_FAKE_MONOTONIC", "1"),
    ("NO_FAKE_STAT", "1"),
];

/// The library that shifts the clock of whatever asks the C library for it, where the machine has one.
pub fn clock_shifter() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let look = || {
        let roots = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
        let below = |root: &PathBuf| {
            let inner = std::fs::read_dir(root).into_iter().flatten().flatten();
            std::iter::once(root.clone()).chain(inner.map(|entry| entry.path())).collect::<Vec<_>>()
        };
        let file = |folder: PathBuf| folder.join("faketime").join("libfaketime.so.1");
        roots.iter().flat_map(below).map(file).find(|path| path.is_file())
    };
    FOUND.get_or_init(look).as_deref()
}

/// The differences that can be had with these tools: a compiler whose clock is shifted may wait for ever.
pub(crate) fn possible(factors: &[Factor], suite: &Suite) -> Vec<Factor> {
    let endings = suite.benches.iter().flat_map(|bench| sources_of(&bench.project.runner));
    let builds = endings.into_iter().any(|ending| is_built(ending));
    factors.iter().copied().filter(|factor| *factor != Factor::Clock || !builds).collect()
}

/// The files that stand beside the code with these differences.
pub(crate) fn files(factors: &[Factor]) -> &'static [(&'static str, &'static [u8])] {
    if factors.contains(&Factor::Checkout) { &CHECKOUT } else { &[] }
}

/// The home folder of a child, where it is another.
pub(crate) fn home(factors: &[Factor], scratch: &Path) -> Option<PathBuf> {
    factors.contains(&Factor::Home).then(|| scratch.join("users").join("ada"))
}

/// What calls rustc for the packages of the tree alone: what they need is built as it was.
fn wrapper(scratch: &Path) -> PathBuf {
    scratch.join("users").join("rustc")
}

/// Makes what the environment leads to.
pub(crate) fn furnish(factors: &[Factor], scratch: &Path) -> Result<(), Halt> {
    if let Some(home) = home(factors, scratch) {
        make(&home)?;
        for (name, text) in AT_HOME {
            write(&home.join(name), text.as_bytes())?;
        }
    }
    if factors.contains(&Factor::Optimised) {
        let file = wrapper(scratch);
        let text = "#!/bin/sh\nexec \"$@\" -C debug-assertions=off -C overflow-checks=off\n";
        make(&scratch.join("users"))?;
        write(&file, text.as_bytes())?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).map_err(|e| Halt::io("could not open", &file, &e))?;
    }
    Ok(())
}

/// More than this is not put beside the tests: they are started where they stand.
const MOST_BESIDE: usize = 2_000;

/// The folder that stands for the tree as the place to start in, with what lies there. It looks like anybody's.
pub(crate) fn start(trial: &Trial, tree: &Path, place: &Path) -> Result<Option<PathBuf>, Halt> {
    if !trial.elsewhere.contains(&Factor::Start) || trial.beside.len() > MOST_BESIDE {
        return Ok(None);
    }
    let start = place.join("work");
    crate::disk::empty(&start)?;
    for path in &trial.beside {
        // What is a link, or is gone, is not there either.
        let from = tree.join(path);
        if from.symlink_metadata().is_ok_and(|about| about.is_file()) {
            let to = start.join(path);
            to.parent().map_or(Ok(()), make)?;
            std::fs::copy(&from, &to).map_err(|e| Halt::io("could not copy", &from, &e))?;
        }
    }
    Ok(Some(start))
}

/// The environment of a child with these differences.
pub(crate) fn env(
    mut env: BTreeMap<OsString, OsString>,
    factors: &[Factor],
    scratch: &Path,
) -> BTreeMap<OsString, OsString> {
    let mut set = |name: &str, value: &str| {
        env.insert(name.into(), value.into());
    };
    for factor in factors {
        match factor {
            Factor::Place
            | Factor::Checkout
            | Factor::Remarks
            | Factor::Host
            | Factor::Numbers
            | Factor::Terminal
            | Factor::Cores
            | Factor::Packed
            | Factor::Start
            | Factor::Tool => {}
            Factor::Optimised => {
                set("PYTHONOPTIMIZE", "1");
                set("RUSTC_WORKSPACE_WRAPPER", &wrapper(scratch).to_string_lossy());
            }
            Factor::Home => ["USER", "LOGNAME"].iter().for_each(|name| set(name, "ada")),
            Factor::Session => SESSION.iter().for_each(|(name, value)| set(name, value)),
            Factor::Locale => {
                set("LANG", "en_US.UTF-8");
                set("LANGUAGE", "de:en");
            }
            Factor::TimeZone => set("TZ", "Pacific/Auckland"),
            Factor::Seed => {
                set("PYTHONHASHSEED", "4177");
                set("PYTHONDONTWRITEBYTECODE", "");
            }
            Factor::Clock => {
                let Some(library) = clock_shifter() else { continue };
                set("LD_PRELOAD", &library.to_string_lossy());
                for (name, value) in LATER {
                    set(name, value);
                }
            }
            Factor::Production => set("NODE_ENV", "production"),
        }
    }
    let words = pytest_words(factors);
    if !words.is_empty() {
        set("PYTEST_ADDOPTS", &words.join(" "));
    }
    if let Some(home) = home(factors, scratch) {
        env.insert("HOME".into(), home.into());
    }
    env
}

/// What pytest is told, where it would else stand between a test and its surroundings.
fn pytest_words(factors: &[Factor]) -> Vec<&'static str> {
    let mut words = Vec::new();
    if factors.contains(&Factor::Optimised) {
        // It says of it what a project may have made an error.
        words.push("-W ignore::pytest.PytestConfigWarning");
    }
    if factors.contains(&Factor::Terminal) {
        words.push("--capture=no");
    }
    words
}

/// How the test tool is started with these differences.
pub(crate) fn manner(factors: &[Factor]) -> Manner {
    if factors.contains(&Factor::Tool) { Manner::Users } else { Manner::Ours }
}

/// What is otherwise around a child with these differences, beside its files and its environment.
pub(crate) fn otherwise(factors: &[Factor]) -> Otherwise {
    let has = |factor| factors.contains(&factor);
    Otherwise {
        host: has(Factor::Host).then(|| "thinkpad".to_owned()),
        after: has(Factor::Numbers).then_some(48_231),
        terminal: has(Factor::Terminal),
        one_core: has(Factor::Cores),
    }
}
