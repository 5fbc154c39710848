//! Children within bounds, with real processes, at every level that works here.
#![allow(clippy::print_stderr)]

use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin, read_capped};
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Private, Wish, probe};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn keeper() -> Keeper {
    Keeper { program: PathBuf::from(env!("CARGO_BIN_EXE_proctor-keep")), args: Vec::new() }
}

/// A house with a child's own rooms and those of others.
struct House {
    folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        for path in ["own", "temp", "other", "logs"] {
            fs::create_dir(folder.path().join(path)).unwrap();
        }
        fs::write(folder.path().join("other/secret"), "sesame").unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn bounds(&self, level: &Level) -> Bounds {
        Bounds {
            level: level.clone(),
            write: vec![self.path("own")],
            read: Vec::new(),
            hide: Vec::new(),
            hollow: Vec::new(),
            private: vec![Private { at: "/tmp".into(), from: self.path("temp") }],
            network: Network::Loopback,
            caps: Caps::default(),
        }
    }

    fn run(&self, bounds: Bounds, script: &str) -> (End, String) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let launch = Launch {
            argv: ["/bin/sh", "-c", script].map(Into::into).to_vec(),
            cwd: self.path("own"),
            env: BTreeMap::from([
                ("PATH".into(), path),
                ("OTHER".into(), self.path("other").into()),
            ]),
            stdin: Stdin::Empty,
            limit: Duration::from_secs(30),
            logs: self.path("logs"),
            name: "child".to_owned(),
            bounds: Some(bounds),
        };
        let ended = keeper().run(&launch, &Cancel::new()).unwrap();
        let read = |path: &Path| {
            String::from_utf8_lossy(&read_capped(path, 1 << 20).unwrap().bytes).into_owned()
        };
        (ended.how, format!("{}{}", read(&ended.stdout), read(&ended.stderr)))
    }
}

/// The levels that work here.
fn levels() -> Vec<Level> {
    let scratch = TempDir::new().unwrap();
    let wishes = [Wish::Bubblewrap, Wish::Namespaces, Wish::Landlock];
    wishes
        .into_iter()
        .filter_map(|wish| {
            let found = probe(&keeper(), wish, scratch.path());
            if found.level == Level::None {
                eprintln!("skipped: {wish:?} does not work here: {:?}", found.refused);
                return None;
            }
            Some(found.level)
        })
        .collect()
}

#[test]
fn a_child_reaches_its_own_and_the_system_and_nothing_else() {
    for level in levels() {
        let house = House::new();
        let (how, said) = house.run(
            house.bounds(&level),
            "echo hello >file && cat file && test -x /usr/bin/env && cat $OTHER/secret",
        );
        assert_eq!(how, End::Exited(1), "{level}: {said}");
        assert!(said.contains("hello"), "{level}: {said}");
        assert!(!said.contains("sesame"), "{level}: {said}");
        assert!(house.path("own/file").exists());
    }
}

#[test]
fn a_child_tells_how_it_ended_from_inside() {
    for level in levels() {
        let house = House::new();
        for (script, end) in [("exit 7", End::Exited(7)), ("kill -SEGV $$", End::Signalled(11))] {
            assert_eq!(house.run(house.bounds(&level), script).0, end, "{level}");
        }
        let house = House::new();
        let mut nowhere = house.bounds(&level);
        nowhere.write.clear();
        let (how, said) = house.run(nowhere, "true");
        // Landlock hides nothing, it only refuses.
        if level != Level::Landlock {
            assert!(
                matches!(&how, End::CouldNotStart(why) if why.contains("is not there")),
                "{level}: {how:?} {said}"
            );
        }
    }
}

#[test]
fn a_loopback_of_its_own_works_and_shared_memory_is_private() {
    for level in levels().into_iter().filter(|level| *level != Level::Landlock) {
        let house = House::new();
        let (how, said) = house.run(
            house.bounds(&level),
            "grep -q 00000000000000000000000000000001 /proc/net/if_inet6 || grep -q lo /proc/net/dev; \
             echo mine >/dev/shm/mine && echo mine >/tmp/mine && cat /proc/net/dev | wc -l",
        );
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        assert_eq!(said.trim(), "3", "only the loopback is there: {level}");
        assert!(!Path::new("/dev/shm/mine").exists());
        assert!(house.path("temp/mine").exists());
    }
}
