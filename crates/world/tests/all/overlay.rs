//! Pristine trees as overlay mounts, with real mounts. Where the kernel refuses them a test says so and is skipped.

#![allow(clippy::print_stderr)]

use crate::bench::{Bench, step};
use proctor_core::words::{CommitId, TreeId};
use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin};
use proctor_world::leftovers::TOKEN;
use proctor_world::listing::Listing;
use proctor_world::overlay::{How, Kind, Place, Possible, PristineTree, Want, possible};
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Otherwise, Wish, probe};
use proctor_world::shadow::Shadow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

fn keeper() -> Keeper {
    Keeper { program: PathBuf::from(env!("CARGO_BIN_EXE_proctor-keep")), args: Vec::new() }
}

struct Room {
    bench: Bench,
    shadow: Shadow,
    base: CommitId,
    base_tree: TreeId,
}

impl Room {
    /// A base with files, folders, a program and a link. `None` where overlays can't be had.
    fn new() -> Option<Self> {
        let bench = Bench::without_commits();
        if let Possible::No(why) = possible(&keeper(), &bench.home) {
            eprintln!("skipped: no overlay can be mounted here: {why}");
            return None;
        }
        for (path, text) in [
            ("kept.txt", "kept\n"),
            ("changed.txt", "base\n"),
            ("gone.txt", "gone\n"),
            ("folder/one.txt", "one\n"),
            ("folder/deep/two.txt", "two\n"),
            ("lone/only.txt", "only\n"),
            ("swap/inner.txt", "inner\n"),
            ("src/lib.rs", "fn base() {}\n"),
            ("odd, name:\\x/späß.txt", "odd\n"),
            ("run.sh", "#!/bin/sh\necho ran\n"),
        ] {
            bench.write(path, text);
        }
        fs::set_permissions(bench.repo.join("run.sh"), Permissions::from_mode(0o755)).unwrap();
        symlink("kept.txt", bench.repo.join("link")).unwrap();
        let base = bench.commit_all("base");
        let shadow = bench.shadow(&base);
        let base_tree = shadow.tree_of(&base).unwrap();
        Some(Self { bench, shadow, base, base_tree })
    }

    fn listing(&self, commit: &CommitId) -> Arc<Listing> {
        self.shadow.list(&self.shadow.tree_of(commit).unwrap()).unwrap()
    }

    fn changed(&self) -> Arc<Listing> {
        let written = [
            ("changed.txt", "head\n"),
            ("new/file.txt", "new\n"),
            // A file where a folder was, and a folder where a file was.
            ("swap", "a file now\n"),
        ];
        let removed = ["gone.txt", "lone/only.txt", "swap/inner.txt"];
        self.listing(&step(&self.shadow, &self.base, "head", &written, &removed))
    }

    fn make_from(
        &self,
        listing: &Listing,
        name: &str,
        fresh: &dyn Fn(&str) -> bool,
    ) -> PristineTree {
        let want = Want {
            home: &self.bench.home,
            keeper: &keeper(),
            base: &self.base_tree,
            listing,
            dir: &self.bench.home.join("gate, one").join(name),
            fresh,
            smallest: 1,
        };
        PristineTree::make(&self.shadow, &want).unwrap()
    }

    fn make(&self, listing: &Listing) -> PristineTree {
        let tree = self.make_from(listing, "tree", &|_| false);
        assert!(matches!(tree.how(), How::Mounted(_)), "{:?}", tree.how());
        tree
    }

    fn clean(&self) -> PathBuf {
        self.bench
            .home
            .canonicalize()
            .unwrap()
            .join("trees")
            .join(self.base_tree.as_str())
            .join("tree")
    }

    fn launch(&self, cwd: &Path, script: &str) -> Launch {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Launch {
            argv: ["sh", "-c", script].map(OsString::from).to_vec(),
            cwd: cwd.to_owned(),
            env: BTreeMap::from([
                ("PATH".into(), path),
                ("CLEAN".into(), self.clean().into()),
                ("TREES".into(), self.clean().ancestors().nth(2).unwrap().into()),
                (TOKEN.into(), format!("overlay-{}", std::process::id()).into()),
            ]),
            stdin: Stdin::Empty,
            limit: Duration::from_secs(30),
            logs: self.bench.folder("logs"),
            name: "child".to_owned(),
            bounds: None,
        }
    }

    /// What a script says inside a tree, and how it ended.
    fn sh(&self, tree: &PristineTree, script: &str) -> (End, String) {
        let launch = self.launch(tree.root(), script);
        let ended = keeper().run_in(tree.place(), &launch, &Cancel::new()).unwrap();
        let read = |path| fs::read_to_string(path).unwrap();
        (ended.how.clone(), read(&ended.stdout) + &read(&ended.stderr))
    }
}

/// Every file below a folder with its bytes, and links with their targets.
fn contents(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let (path, kind) = entry.map(|e| (e.path(), e.file_type().unwrap())).unwrap();
            let name = path.strip_prefix(dir).unwrap().to_string_lossy().into_owned();
            if kind.is_dir() {
                todo.push(path);
            } else if kind.is_symlink() {
                found.insert(name, format!("-> {}", fs::read_link(path).unwrap().display()));
            } else {
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

fn mounts() -> String {
    fs::read_to_string("/proc/self/mounts").unwrap()
}

#[test]
fn a_child_sees_the_base_with_the_changes_and_so_does_proctor() {
    let Some(room) = Room::new() else { return };
    let head = room.changed();
    let tree = room.make(&head);
    let written = room.make_from(&head, "written", &|_| false);
    assert!(matches!(written.how(), How::Mounted(_)));
    let out = room.bench.folder("out");
    proctor_world::tree::materialise(&room.shadow, &head, &out).unwrap();
    assert_eq!(contents(tree.root()), contents(&out));
    let (end, said) = room.sh(
        &tree,
        "pwd; find . ! -type d | LC_ALL=C sort; cat changed.txt swap link; ./run.sh; ls folder; id -u",
    );
    assert_eq!(end, End::Exited(0), "{said}");
    let expected = format!(
        "{}\n{}\nhead\na file now\nkept\nran\ndeep\none.txt\n{}\n",
        tree.root().display(),
        "./changed.txt\n./folder/deep/two.txt\n./folder/one.txt\n./kept.txt\n./link\n\
         ./new/file.txt\n./odd, name:\\x/späß.txt\n./run.sh\n./src/lib.rs\n./swap",
        rustix::process::getuid().as_raw()
    );
    assert_eq!(said, expected);
    assert!(!mounts().contains("gate, one"), "nothing is mounted for others to see");
}

#[test]
fn a_child_within_bounds_sees_the_mounted_tree_and_nothing_beside_it() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let tree = room.make(&listing);
    for wish in [Wish::Bubblewrap, Wish::Namespaces, Wish::Landlock] {
        let found = probe(&keeper(), wish, &room.bench.folder("probe"));
        if found.level == Level::None {
            eprintln!("skipped: {wish:?} does not work here: {:?}", found.refused);
            continue;
        }
        let mut launch = room.launch(
            tree.root(),
            "cat kept.txt; echo new >by-child; ls $TREES 2>/dev/null; test -e $CLEAN/kept.txt && cat $CLEAN/kept.txt",
        );
        launch.bounds = Some(Bounds {
            level: found.level.clone(),
            write: vec![tree.root().parent().unwrap().to_owned()],
            sealed: Vec::new(),
            read: Vec::new(),
            hide: Vec::new(),
            hollow: Vec::new(),
            private: Vec::new(),
            network: Network::Loopback,
            caps: Caps::default(),
            otherwise: Otherwise::default(),
        });
        let ended = keeper().run_in(tree.place(), &launch, &Cancel::new()).unwrap();
        let said = fs::read_to_string(&ended.stdout).unwrap();
        assert_eq!(said, "kept\n", "{}", found.level);
        assert_eq!(contents(tree.root())["by-child"], "new\n", "{}", found.level);
        fs::remove_file(tree.root().join("by-child")).unwrap();
    }
}

#[test]
fn writes_of_a_child_are_seen_outside_and_are_gone_with_the_tree() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let tree = room.make(&listing);
    let before = contents(&room.clean());
    let (end, said) = room.sh(
        &tree,
        "echo more >>kept.txt && rm gone.txt && mkdir reports && echo r >reports/r.xml && mv folder/one.txt lone/",
    );
    assert_eq!(end, End::Exited(0), "{said}");
    let seen = contents(tree.root());
    assert_eq!(seen["kept.txt"], "kept\nmore\n");
    assert_eq!(seen["reports/r.xml"], "r\n");
    assert_eq!(seen["lone/one.txt"], "one\n");
    assert!(!seen.contains_key("gone.txt") && !seen.contains_key("folder/one.txt"));
    // And the other way round.
    fs::write(tree.root().join("kept.txt"), "by proctor\n").unwrap();
    assert_eq!(room.sh(&tree, "cat kept.txt").1, "by proctor\n");
    assert_eq!(contents(&room.clean()), before);
    let dir = tree.root().parent().unwrap().to_owned();
    drop(tree);
    assert!(!dir.exists());
    assert_eq!(contents(room.make(&listing).root()), before);
}

#[test]
fn a_hostile_child_does_not_reach_the_clean_checkout_or_the_layers() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let tree = room.make(&listing);
    let before = contents(&room.clean());
    let (_, said) = room.sh(
        &tree,
        r#"ls -A "$CLEAN/.." 2>/dev/null; ls -A "$CLEAN/../.."
        echo bad >"$CLEAN/kept.txt"; mkdir -p "$CLEAN"; echo bad >"$CLEAN/kept.txt"
        rm -rf "$CLEAN"; ls -A ..; ls -A ../upper; true"#,
    );
    assert_eq!(contents(&room.clean()), before, "{said}");
    assert!(!said.lines().any(|line| line == "upper" || line == "work"), "{said}");
    if matches!(tree.how(), How::Mounted(Kind::User)) {
        let (_, said) = room.sh(
            &tree,
            &format!(
                r#"umount "$TREES"; umount "$PWD"; umount "$PWD/.."
                for way in /proc/{0}/root /proc/$PPID/root; do echo bad >"$way$CLEAN/kept.txt"; done
                unshare -rm sh -c 'umount "$TREES"; umount -l "$TREES"; echo bad >"$CLEAN/kept.txt"'
                unshare -rm sh -c 'mkdir -p ../m; mount --bind / ../m && echo bad >"../m$CLEAN/kept.txt"'"#,
                std::process::id()
            ),
        );
        assert_eq!(contents(&room.clean()), before, "{said}");
    }
    drop(tree);
    let again = room.make(&listing);
    assert_eq!(contents(again.root()), before);
}

#[test]
fn a_changed_clean_checkout_is_noticed_and_made_anew() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    drop(room.make(&listing));
    let clean = room.clean();
    let true_contents = contents(&clean);
    let at = |path: &str| clean.join(path);
    let kept = at("kept.txt");
    let old = fs::metadata(&kept).unwrap();
    let same_size_and_time = || {
        fs::write(&kept, "Kept\n").unwrap();
        let file = fs::File::options().write(true).open(&kept).unwrap();
        file.set_modified(old.modified().unwrap()).unwrap();
    };
    let spoil: [(&str, &dyn Fn()); 8] = [
        ("a file with the same size and time", &same_size_and_time),
        ("a file more", &|| fs::write(at("folder/conftest.py"), "bad").unwrap()),
        ("a file less", &|| fs::remove_file(at("folder/deep/two.txt")).unwrap()),
        ("an empty folder more", &|| fs::create_dir(at("empty")).unwrap()),
        ("a link elsewhere", &|| {
            fs::remove_file(at("link")).unwrap();
            symlink("gone.txt", at("link")).unwrap();
        }),
        ("another file in its place", &|| {
            fs::write(at("aside"), "Kept\n").unwrap();
            fs::rename(at("aside"), at("kept.txt")).unwrap();
        }),
        ("a program no more", &|| {
            fs::set_permissions(at("run.sh"), Permissions::from_mode(0o644)).unwrap();
        }),
        ("a folder that hides what is below", &|| {
            let mark = c"user.overlay.opaque";
            let flags = rustix::fs::XattrFlags::empty();
            rustix::fs::setxattr(at("folder"), mark, b"y", flags).unwrap();
        }),
    ];
    for (what, spoil) in spoil {
        spoil();
        let tree = room.make(&listing);
        assert_eq!(contents(tree.root()), true_contents, "{what}");
        assert_eq!(contents(&clean), true_contents, "{what}");
    }
}

#[test]
fn a_touched_clean_checkout_is_read_again_and_kept() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    drop(room.make(&listing));
    let number = || fs::metadata(room.clean()).unwrap().ino();
    let before = number();
    fs::write(room.clean().join("kept.txt"), "kept\n").unwrap();
    drop(room.make(&listing));
    assert_eq!(number(), before);
}

#[test]
fn a_changed_clean_checkout_that_is_in_use_is_not_used_again() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let first = room.make(&listing);
    let before = contents(first.root());
    fs::write(room.clean().join("kept.txt"), "bad\n").unwrap();
    let second = room.make_from(&listing, "second", &|_| false);
    assert!(matches!(second.how(), How::Written(_)), "{:?}", second.how());
    assert_eq!(second.place(), Place::Here);
    assert_eq!(contents(second.root()), before);
    drop(first);
    let third = room.make(&listing);
    assert_eq!(contents(third.root()), before);
}

#[test]
fn fresh_files_are_as_new_as_the_tree_each_time() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let fresh = |path: &str| Path::new(path).extension().is_some_and(|end| end == "rs");
    let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let head = step(&room.shadow, &room.base, "head", &[("src/lib.rs", "fn head() {}\n")], &[]);
    let first = room.make_from(&room.listing(&head), "tree", &fresh);
    let changed = time(&first.root().join("src/lib.rs"));
    drop(first);
    let second = room.make_from(&listing, "tree", &fresh);
    let source = second.root().join("src/lib.rs");
    assert_eq!(fs::read_to_string(&source).unwrap(), "fn base() {}\n");
    assert!(time(&source) > changed);
    assert!(time(&second.root().join("kept.txt")) < changed);
    assert_eq!(contents(second.root()), contents(&room.clean()));
    let (end, said) = room.sh(&second, "cat src/lib.rs && ls src");
    assert_eq!((end, said.as_str()), (End::Exited(0), "fn base() {}\nlib.rs\n"));
}

#[test]
fn a_killed_child_leaves_no_mount_and_the_tree_can_be_used_on() {
    let Some(room) = Room::new() else { return };
    let listing = room.listing(&room.base);
    let tree = room.make(&listing);
    let (end, said) = room.sh(&tree, "echo half >>kept.txt; kill -9 $$");
    assert_eq!(end, End::Signalled(9), "{said}");
    // The keeper too: nobody is left who could have tidied up.
    let launch = room.launch(tree.root(), "kill -9 $PPID; sleep 60");
    assert!(keeper().run_in(tree.place(), &launch, &Cancel::new()).is_err());
    assert_eq!(room.sh(&tree, "cat kept.txt").1, "kept\nhalf\n");
    drop(tree);
    let name = room.bench.home.file_name().unwrap().to_string_lossy().into_owned();
    let top = room.bench.temp.path().to_string_lossy().into_owned();
    let held = |table: &str| table.contains(&format!("{top}/{name}"));
    assert!(!held(&mounts()));
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let table = fs::read_to_string(process.path().join("mounts")).unwrap_or_default();
        assert!(!held(&table), "{}: {table}", process.path().display());
    }
}

#[test]
fn a_small_tree_is_written_out() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let base_tree = shadow.tree_of(&base).unwrap();
    let want = Want {
        home: &bench.home,
        keeper: &keeper(),
        base: &base_tree,
        listing: &shadow.list(&base_tree).unwrap(),
        dir: &bench.home.join("gate/tree"),
        fresh: &|_| false,
        smallest: 2,
    };
    let tree = PristineTree::make(&shadow, &want).unwrap();
    assert_eq!(tree.how(), &How::Written("it is small".to_owned()));
    assert_eq!(fs::read_to_string(tree.root().join("a.txt")).unwrap(), "one\n");
    assert!(!bench.home.join("trees").exists());
}

#[test]
fn where_mounts_are_refused_the_tree_is_written_out() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let base_tree = shadow.tree_of(&base).unwrap();
    // A keeper that answers nothing of use: as on a system that does not let it.
    let unfit = Keeper { program: "/bin/false".into(), args: Vec::new() };
    assert!(matches!(possible(&unfit, &bench.home), Possible::No(_)));
    let want = Want {
        home: &bench.home,
        keeper: &unfit,
        base: &base_tree,
        listing: &shadow.list(&base_tree).unwrap(),
        dir: &bench.home.join("gate/tree"),
        fresh: &|_| false,
        smallest: 1,
    };
    let tree = PristineTree::make(&shadow, &want).unwrap();
    assert!(matches!(tree.how(), How::Written(_)));
    assert_eq!(fs::read_to_string(tree.root().join("a.txt")).unwrap(), "one\n");
}

#[test]
fn in_memory_nothing_is_mounted() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return };
    assert!(
        matches!(possible(&keeper(), folder.path()), Possible::No(why) if why.contains("suit"))
    );
}

/// The tests above once more, as somebody who is not root.
#[test]
fn all_of_it_works_without_root_too() {
    if !rustix::process::geteuid().is_root() {
        // Then the other tests were just that.
        return;
    }
    let there = Command::new("setpriv").arg("--version").stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: setpriv is not installed");
        return;
    }
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(std::env::current_exe().unwrap())
        .args(["overlay::", "--skip", "without_root", "--test-threads=1", "--nocapture"])
        .env_remove("HOME")
        .env_remove("TMPDIR")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    for line in said.lines().filter(|line| line.starts_with("skipped")) {
        eprintln!("{line}");
    }
    assert!(output.status.success(), "{said}");
}
