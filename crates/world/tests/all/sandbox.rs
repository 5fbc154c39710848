//! Children within bounds, with real processes, at every level that works here.
#![allow(clippy::print_stderr)]

use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin, read_capped};
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Otherwise, Private, Wish, probe};
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
            sealed: Vec::new(),
            read: Vec::new(),
            hide: Vec::new(),
            hollow: Vec::new(),
            private: vec![Private { at: "/tmp".into(), from: self.path("temp") }],
            network: Network::Loopback,
            caps: Caps::default(),
            otherwise: Otherwise::default(),
        }
    }

    fn run(&self, bounds: Bounds, script: &str) -> (End, String) {
        self.run_within(bounds, script, 30_000)
    }

    fn run_within(&self, bounds: Bounds, script: &str, limit_ms: u64) -> (End, String) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let launch = Launch {
            argv: ["/bin/sh", "-c", script].map(Into::into).to_vec(),
            cwd: self.path("own"),
            env: BTreeMap::from([
                ("PATH".into(), path),
                ("OTHER".into(), self.path("other").into()),
            ]),
            stdin: Stdin::Empty,
            limit: Duration::from_millis(limit_ms),
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
fn what_is_around_a_child_can_be_another_and_nothing_there_is_ours() {
    for level in levels().into_iter().filter(|level| *level != Level::Landlock) {
        let house = House::new();
        let script = "echo pid $$; uname -n; test -t 0 && test -t 1 && echo terminal; nproc; cat; \
            (echo 9 >/proc/sys/kernel/ns_last_pid) 2>/dev/null || echo closed; ls -A /";
        let mut bounds = house.bounds(&level);
        bounds.otherwise = Otherwise {
            host: Some("thinkpad".to_owned()),
            after: Some(48_000),
            terminal: true,
            one_core: true,
        };
        let (how, said) = house.run(bounds, script);
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        let lines: Vec<&str> = said.lines().collect();
        let pid = lines[0].strip_prefix("pid ").unwrap().parse::<u32>().unwrap();
        assert!((48_000..49_000).contains(&pid), "{level}: {said}");
        assert_eq!(lines[1..5], ["thinkpad", "terminal", "1", "closed"], "{level}: {said}");
        assert!(!said.contains("proctor"), "{level}: {said}");
        let (how, said) = house.run(house.bounds(&level), "test -t 1 || ls -A /");
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        assert!(!said.contains("proctor"), "{level}: {said}");
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

/// A limit of 1 is less than the smallest core, and the one that the kernel hands no crash to another program at.
#[test]
fn a_crash_of_a_child_is_nobodys_business() {
    let own = fs::read_to_string("/proc/self/limits").unwrap();
    let core = |limits: &str| -> Vec<String> {
        let line = limits.lines().find(|line| line.starts_with("Max core")).unwrap().to_owned();
        line.split_whitespace().skip(4).map(str::to_owned).collect()
    };
    let most = if core(&own)[1] == "0" { "0" } else { "1" };
    for level in levels() {
        let house = House::new();
        let (how, said) = house.run(house.bounds(&level), "cat /proc/self/limits");
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        assert_eq!(core(&said), [most, most, "bytes"], "{level}");
    }
}

/// Its folders are those that `/proc` names, one a controller or one for all.
#[test]
fn the_control_group_of_a_child_is_its_own_and_goes_with_it() {
    let house = House::new();
    let mut seen = Vec::new();
    for _ in 0..3 {
        let (how, said) = house.run(house.bounds(&Level::None), "cat /proc/self/cgroup");
        assert_eq!(how, End::Exited(0), "{said}");
        let own = said.lines().filter(|line| line.contains("/proctor-"));
        seen.push(own.map(str::to_owned).collect::<Vec<_>>());
    }
    if seen.iter().all(Vec::is_empty) {
        eprintln!("skipped: no control group can be made here");
        return;
    }
    for group in seen.concat() {
        let mut fields = group.splitn(3, ':').skip(1);
        let (controller, path) = (fields.next().unwrap(), fields.next().unwrap());
        assert_eq!(seen.iter().filter(|of_one| of_one.contains(&group)).count(), 1, "{group}");
        let folder = Path::new("/sys/fs/cgroup").join(controller).join(&path[1..]);
        assert!(folder.parent().is_some_and(Path::is_dir), "{group}");
        assert!(!folder.exists(), "{group}");
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

#[test]
fn a_sealed_file_can_be_read_and_neither_written_nor_replaced() {
    for level in levels().into_iter().filter(|level| *level != Level::Landlock) {
        let house = House::new();
        fs::create_dir(house.path("own/tests")).unwrap();
        for (name, text) in [("own/tests/test_a.py", "sealed\n"), ("own/a.py", "free\n")] {
            fs::write(house.path(name), text).unwrap();
        }
        let mut bounds = house.bounds(&level);
        bounds.sealed = vec![house.path("own/tests/test_a.py"), house.path("own/tests/none.py")];
        let script = "cat tests/test_a.py; echo x >tests/test_a.py; rm -f tests/test_a.py; \
            echo y >tests/new && mv tests/new tests/test_a.py; chmod 777 tests/test_a.py; \
            echo z >a.py && mv a.py b.py && mkdir tests/more && echo done";
        let (how, said) = house.run(bounds, script);
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        assert!(said.contains("sealed") && said.contains("done"), "{level}: {said}");
        assert!(said.contains("Read-only") && said.contains("busy"), "{level}: {said}");
        assert_eq!(fs::read_to_string(house.path("own/tests/test_a.py")).unwrap(), "sealed\n");
        assert_eq!(fs::read_to_string(house.path("own/b.py")).unwrap(), "z\n");
    }
}

#[test]
fn git_works_around_sealed_files() {
    for level in levels().into_iter().filter(|level| *level != Level::Landlock) {
        let house = House::new();
        for name in ["own/test_a.py", "own/a.py"] {
            fs::write(house.path(name), "1\n").unwrap();
        }
        let mut bounds = house.bounds(&level);
        bounds.sealed = vec![house.path("own/test_a.py")];
        let script = "export HOME=/tmp GIT_CONFIG_NOSYSTEM=1; git init -q . && git add . && \
            git -c user.name=a -c user.email=a@b commit -qm one && echo 2 >a.py && \
            git -c user.name=a -c user.email=a@b stash -q && grep -q 1 a.py && git stash pop -q && \
            git checkout -q -- . && git checkout -qb other && git reset -q --hard && \
            test -z \"$(git status --porcelain)\" && echo done";
        let (how, said) = house.run(bounds, script);
        assert_eq!(how, End::Exited(0), "{level}: {said}");
        assert!(said.ends_with("done\n"), "{level}: {said}");
    }
}

/// Landlock knows ports, and no addresses.
#[test]
fn at_the_level_of_files_a_server_on_loopback_is_found() {
    for level in levels().into_iter().filter(|level| *level == Level::Landlock) {
        let house = House::new();
        let script = "python3 -c 'import socket as s; a=s.create_server((\"127.0.0.1\",0)); \
            s.create_connection(a.getsockname(),2); print(\"found\")'";
        let (how, said) = house.run(house.bounds(&level), script);
        assert_eq!((how, said.trim()), (End::Exited(0), "found"), "{level}");
    }
}

#[test]
fn the_portable_level_ends_a_childs_group_without_any_look_at_the_table_of_processes() {
    use proctor_world::sandbox::Strength;
    assert_eq!(Wish::named("portable"), Some(Wish::Portable));
    assert_eq!((Level::Portable.strength(), Level::Portable.name()), (Strength::None, "portable"));
    let house = House::new();
    let script = "sleep 600 & echo $! >pid; cat /proc/self/cgroup >group; exit 3";
    let (how, said) = house.run(house.bounds(&Level::Portable), script);
    assert_eq!(how, End::Exited(3), "{said}");
    let own = std::fs::read_to_string(house.path("own/group")).unwrap();
    assert_eq!(own, std::fs::read_to_string("/proc/self/cgroup").unwrap(), "no group of its own");
    let pid = std::fs::read_to_string(house.path("own/pid")).unwrap();
    // Nobody may have asked how it ended.
    let state =
        || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let gone =
        |_| state().rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with('Z'));
    let beat = |n| std::thread::sleep(std::time::Duration::from_millis(n));
    assert!((0..50).inspect(|_| beat(20)).any(gone), "{} is still there", pid.trim());
    // What is over its time is ended too.
    let began = std::time::Instant::now();
    let (how, _) = house.run_within(house.bounds(&Level::Portable), "sleep 600 & wait", 300);
    assert_eq!(how, End::TimedOut);
    assert!(began.elapsed() < std::time::Duration::from_secs(20));
}
