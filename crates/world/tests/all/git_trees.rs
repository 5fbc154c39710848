use crate::bench::{AUTHOR, Bench, git, stored, write};
use proctor_core::words::RunId;
use proctor_world::listing::{Listing, Mode, path_text};
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::tree::{TreeError, clear, materialise, put};
use proctor_world::worktree::{self, WorktreeError, WorktreeOrder};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn listing_of(dir: &Path, base: &BaseTree) -> Listing {
    snapshot(dir, base).unwrap().listing
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.keys().map(String::as_str).collect()
}

#[test]
fn a_tree_is_written_out_byte_for_byte_and_read_back_the_same() {
    let bench = Bench::new();
    bench.git(&["config", "core.autocrlf", "false"]);
    bench.write("crlf.txt", "a\r\nb\r\n");
    bench.write("lf.txt", "a\nb\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n";
    bench.write("big.bin", pointer);
    bench.write("späße und so/ü b\\c.txt", "text");
    bench.write("\"quoted\nname", "text");
    bench.write("run.sh", "#!/bin/sh\n");
    fs::set_permissions(bench.repo.join("run.sh"), Permissions::from_mode(0o755)).unwrap();
    symlink("../outside", bench.repo.join("link")).unwrap();
    let raw = OsStr::from_bytes(b"raw-\xff\xfe");
    fs::write(bench.repo.join(raw), "raw").unwrap();
    bench.commit_all("all sorts");
    // Attributes come after the files, so that git stored them as they are.
    bench.write(".gitattributes", "*.txt text eol=crlf\n*.bin filter=lfs\n");
    bench.git(&["add", ".gitattributes"]);
    bench.git(&["commit", "-qm", "attributes"]);
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let read = |path: &str| fs::read(out.join(path)).unwrap();
    assert_eq!(read("crlf.txt"), b"a\r\nb\r\n");
    assert_eq!(read("lf.txt"), b"a\nb\n");
    assert_eq!(read("big.bin"), pointer.as_bytes());
    assert_eq!(fs::read_link(out.join("link")).unwrap(), Path::new("../outside"));
    assert_eq!(fs::read(out.join(raw)).unwrap(), b"raw");
    let mode = fs::metadata(out.join("run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o100, 0o100);
    assert_eq!(base.listing["run.sh"].mode, Mode::Exec);
    assert!(base.listing.contains_key(&path_text(b"raw-\xff\xfe")));
    let (now, tree) = stored(&shadow, &out, &base);
    assert_eq!(now, *base.listing);
    assert_eq!(tree, base.tree);
}

#[test]
fn what_an_agent_did_is_stored_as_a_tree() {
    let bench = Bench::new();
    bench.write("dir/old.txt", "old");
    let base = bench.commit_all("more");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    fs::remove_dir_all(out.join("dir")).unwrap();
    write(&out, "dir", "now a file");
    write(&out, "a.txt", "changed");
    write(&out, "\"odd\nname\"", "new");
    symlink("a.txt", out.join("link")).unwrap();
    fs::set_permissions(out.join("a.txt"), Permissions::from_mode(0o755)).unwrap();
    let (_, tree) = stored(&shadow, &out, &base);
    let listing = shadow.list(&tree).unwrap();
    assert_eq!(names(&listing), ["\"odd\nname\"", "a.txt", "dir", "link"]);
    assert_eq!(listing["a.txt"].mode, Mode::Exec);
    assert_eq!(shadow.read_blob(&listing["link"].oid).unwrap(), b"a.txt");
    assert_eq!(shadow.read_blob(&listing["\"odd\nname\""].oid).unwrap(), b"new");
    git(shadow.dir(), &["fsck", "--strict"]);
}

#[test]
fn a_file_that_changes_between_hashing_and_storing_is_an_error() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    write(&out, "a.txt", "first");
    let now = listing_of(&out, &base);
    write(&out, "a.txt", "second");
    assert!(shadow.store(&out, &now, &base.listing).is_err());
}

#[test]
fn a_tree_is_never_written_into_a_folder_that_holds_something() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let error = materialise(&shadow, &base.listing, &out).unwrap_err();
    assert!(matches!(error, TreeError::NotEmpty { .. }));
}

#[test]
fn the_bases_rules_decide_what_is_ignored_and_not_the_agents() {
    let bench = Bench::new();
    bench.write(".gitignore", "*.log\n/build/\nsecret\n");
    bench.write("sub/.gitignore", "!keep.log\nlocal\n");
    bench.write("build/listed.txt", "listed");
    bench.write("listed.log", "listed");
    bench.git(&["add", "-f", "build/listed.txt", "listed.log"]);
    let base = bench.commit_all("rules");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    // The agent's own rules hide nothing.
    write(&out, ".gitignore", "*\n");
    write(&out, "hidden/.gitignore", "*\n");
    for path in ["hidden/work.py", "sub/keep.log", "sub/build/x", "listed.log"] {
        write(&out, path, "new");
    }
    // The base's rules do.
    for path in ["x.log", "build/out.o", "sub/local", "sub/secret", "sub/x.log"] {
        write(&out, path, "ignored");
    }
    let now = listing_of(&out, &base);
    let expected = [
        ".gitignore",
        "a.txt",
        "build/listed.txt",
        "hidden/.gitignore",
        "hidden/work.py",
        "listed.log",
        "sub/.gitignore",
        "sub/build/x",
        "sub/keep.log",
    ];
    assert_eq!(names(&now), expected);
    assert_ne!(now["listed.log"], base.listing["listed.log"]);
}

#[test]
fn litter_of_tools_is_left_out_unless_the_base_lists_it() {
    let bench = Bench::new();
    bench.write("Cargo.toml", "");
    bench.write("vendor/node_modules/kept.js", "kept");
    bench.write("old.pyc", "kept");
    let base = bench.commit_all("more");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# a cache";
    for (path, text) in [
        ("target/debug/x", ""),
        ("pkg/__pycache__/a.pyc", ""),
        (".pytest_cache/v", ""),
        ("node_modules/a/b.js", ""),
        (".venv/bin/python", ""),
        ("new.pyc", ""),
        ("cache/CACHEDIR.TAG", tag),
        ("cache/deep/er/file", ""),
        (".git/config", ""),
        ("inner/.git/config", ""),
        // These only look like litter.
        ("nested/target/x", ""),
        ("false/CACHEDIR.TAG", "no signature"),
        ("false/file", ""),
        ("inner/file", ""),
        ("CACHEDIR.TAG", tag),
        ("vendor/node_modules/new.js", ""),
    ] {
        write(&out, path, text);
    }
    let expected = [
        "CACHEDIR.TAG",
        "Cargo.toml",
        "a.txt",
        "false/CACHEDIR.TAG",
        "false/file",
        "inner/file",
        "nested/target/x",
        "old.pyc",
        "vendor/node_modules/kept.js",
    ];
    assert_eq!(names(&listing_of(&out, &base)), expected);
}

#[test]
fn pipes_are_named_and_left_out_and_links_are_not_followed() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let outside = bench.folder("outside");
    write(&outside, "private.txt", "private");
    symlink(&outside, out.join("way-out")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(out.join("pipe")).status();
    assert!(made.unwrap().success());
    let now = snapshot(&out, &base).unwrap();
    assert_eq!(names(&now.listing), ["a.txt", "way-out"]);
    assert_eq!(now.odd, ["pipe"]);
}

#[test]
fn a_file_of_ten_gigabytes_is_refused_before_it_is_read() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    fs::File::create_new(out.join("huge.bin")).unwrap().set_len(10 << 30).unwrap();
    let ended = snapshot(&out, &base).unwrap_err();
    assert!(ended.is_flood(), "{ended}");
    assert_eq!(
        ended.to_string(),
        "the file `huge.bin` has 10737418240 bytes, and 1073741824 are the most that is kept"
    );
}

#[test]
fn a_file_that_grows_as_fast_as_it_is_read_comes_to_an_end() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let growing = std::sync::atomic::AtomicBool::new(true);
    let mut file = fs::File::create_new(out.join("log")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..5_000 {
                if !growing.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                std::io::Write::write_all(&mut file, &[b'x'; 4096]).unwrap();
            }
        });
        // It is there whole, as it was for a moment, or is named as odd: never half.
        for _ in 0..3 {
            let now = snapshot(&out, &base).unwrap();
            assert!(now.listing.contains_key("log") != now.odd.contains(&"log".to_owned()));
        }
        growing.store(false, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn names_that_differ_only_in_case_are_two_files_and_none_stands_for_the_git_folder() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    for path in ["A.txt", "dir/x", "Dir/x", ".GIT/config", "dir/.Git/hooks/pre-commit"] {
        write(&out, path, path);
    }
    let now = snapshot(&out, &base).unwrap();
    assert_eq!(names(&now.listing), ["A.txt", "Dir/x", "a.txt", "dir/x"]);
    assert_eq!(put(&shadow, &out, &base.listing, &now.listing).unwrap().len(), 3);
    assert_eq!(listing_of(&out, &base), *base.listing);
}

#[test]
fn a_submodule_stays_what_it_was_whatever_is_in_its_folder() {
    let bench = Bench::new();
    let info = format!("160000,{},sub", bench.tip("HEAD"));
    bench.git(&["update-index", "--add", "--cacheinfo", &info]);
    bench.git(&["commit", "-qm", "submodule"]);
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    assert!(out.join("sub").is_dir());
    write(&out, "sub/checked-out.txt", "text");
    assert_eq!(listing_of(&out, &base), *base.listing);
    fs::remove_dir_all(out.join("sub")).unwrap();
    assert_eq!(listing_of(&out, &base), *base.listing);
}

#[test]
fn putting_back_restores_exactly_and_says_what_it_changed() {
    let bench = Bench::new();
    bench.write("dir/one.txt", "1");
    bench.write("dir/two.txt", "2");
    bench.write("same.txt", "same");
    let base = bench.commit_all("more");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    fs::remove_dir_all(out.join("dir")).unwrap();
    write(&out, "dir", "a file now");
    fs::remove_file(out.join("a.txt")).unwrap();
    write(&out, "a.txt/is/a/folder", "now");
    write(&out, "new/deep/file", "new");
    let now = listing_of(&out, &base);
    let changed = put(&shadow, &out, &base.listing, &now).unwrap();
    let expected =
        ["a.txt", "a.txt/is/a/folder", "dir", "dir/one.txt", "dir/two.txt", "new/deep/file"];
    assert_eq!(changed, expected);
    assert_eq!(listing_of(&out, &base), *base.listing);
    assert!(!out.join("new").exists());
    assert_eq!(put(&shadow, &out, &base.listing, &base.listing).unwrap(), [""; 0]);
}

#[test]
fn putting_back_never_writes_or_deletes_through_a_link() {
    let bench = Bench::new();
    bench.write("tests/one.py", "sealed");
    bench.write("deep/er/two.py", "sealed");
    let base = bench.commit_all("tests");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let outside = bench.folder("outside");
    write(&outside, "one.py", "mine");
    write(&outside, "two.py", "mine");
    write(&outside, "victim", "mine");
    write(&out, "extra/victim", "listed");
    let with_extra = listing_of(&out, &base);
    for folder in ["tests", "deep/er", "extra"] {
        fs::remove_dir_all(out.join(folder)).unwrap();
        symlink(&outside, out.join(folder)).unwrap();
    }
    // Once with the true snapshot, once with one from before the links.
    let now = listing_of(&out, &base);
    put(&shadow, &out, &base.listing, &now).unwrap();
    assert_eq!(listing_of(&out, &base), *base.listing);
    symlink(&outside, out.join("extra")).unwrap();
    fs::remove_dir_all(out.join("tests")).unwrap();
    symlink(&outside, out.join("tests")).unwrap();
    let mut stale = with_extra;
    stale.remove("tests/one.py");
    put(&shadow, &out, &base.listing, &stale).unwrap();
    assert_eq!(fs::read(out.join("tests/one.py")).unwrap(), b"sealed");
    assert!(!out.join("tests").is_symlink());
    for name in ["one.py", "two.py", "victim"] {
        assert_eq!(fs::read(outside.join(name)).unwrap(), b"mine", "{name}");
    }
}

#[test]
fn putting_back_does_not_write_into_a_file_with_a_second_name_outside() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let outside = bench.folder("outside");
    write(&outside, "mine", "mine");
    fs::remove_file(out.join("a.txt")).unwrap();
    fs::hard_link(outside.join("mine"), out.join("a.txt")).unwrap();
    let now = listing_of(&out, &base);
    put(&shadow, &out, &base.listing, &now).unwrap();
    assert_eq!(fs::read(outside.join("mine")).unwrap(), b"mine");
    assert_eq!(fs::read(out.join("a.txt")).unwrap(), b"one\n");
}

#[test]
fn folders_without_rights_are_put_back_too() {
    let bench = Bench::new();
    bench.write("dir/one.txt", "1");
    let base = bench.commit_all("more");
    let shadow = bench.shadow(&base);
    let (base, out) = bench.written_out(&shadow, &base, "out");
    write(&out, "dir/one.txt", "changed");
    fs::set_permissions(out.join("dir"), Permissions::from_mode(0o000)).unwrap();
    let now = listing_of(&out, &base);
    put(&shadow, &out, &base.listing, &now).unwrap();
    assert_eq!(listing_of(&out, &base), *base.listing);
}

#[test]
fn a_worktree_holds_nothing_but_the_base_commit_and_is_clean() {
    let bench = Bench::new();
    bench.write("b.txt", "two");
    let base = bench.commit_all("second");
    bench.git(&["branch", "future"]);
    let shadow = bench.shadow(&base);
    let listing = shadow.list(&shadow.tree_of(&base).unwrap()).unwrap();
    let run = RunId::new("r1");
    let order = WorktreeOrder {
        run: &run,
        base: &base,
        listing: &listing,
        branch: "proctor/r1",
        author: AUTHOR,
    };
    let dir = worktree::make(&bench.home, &shadow, &order).unwrap();
    assert_eq!(dir, bench.home.join("worktrees/r1"));
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(git(&dir, &["symbolic-ref", "HEAD"]), "refs/heads/proctor/r1");
    assert_eq!(git(&dir, &["rev-list", "--all", "--count"]), "1");
    assert_eq!(git(&dir, &["remote"]), "");
    assert_eq!(git(&dir, &["config", "user.name"]), "Ada");
    assert!(!dir.join(".git/objects/info/alternates").exists());
    assert!(!dir.join(".git/FETCH_HEAD").exists() && !dir.join(".git/logs").exists());
    write(&dir, "c.txt", "three");
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "the agent's own"]);
    assert_eq!(worktree::make(&bench.home, &shadow, &order).unwrap(), dir);
    assert!(dir.join("c.txt").exists(), "a whole worktree is kept as it is");
}

#[test]
fn a_worktree_that_was_half_made_is_made_again() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let listing = shadow.list(&shadow.tree_of(&base).unwrap()).unwrap();
    write(&bench.home, "worktrees/.r1.new/half", "done");
    let run = RunId::new("r1");
    let order =
        WorktreeOrder { run: &run, base: &base, listing: &listing, branch: "b", author: AUTHOR };
    let dir = worktree::make(&bench.home, &shadow, &order).unwrap();
    assert!(!dir.join("half").exists() && dir.join("a.txt").exists());
}

#[test]
fn only_worktrees_of_our_own_are_ever_deleted() {
    let bench = Bench::new();
    let outside = bench.folder("outside");
    write(&outside, "mine", "mine");
    write(&bench.home, "worktrees/r1/sub/file", "");
    symlink(&outside, bench.home.join("worktrees/r1/link")).unwrap();
    symlink(&outside, bench.home.join("worktrees/fake")).unwrap();
    let locked = bench.home.join("worktrees/r1/sub");
    fs::set_permissions(&locked, Permissions::from_mode(0o500)).unwrap();
    for dir in [
        outside.clone(),
        bench.home.clone(),
        bench.home.join("worktrees"),
        bench.home.join("worktrees/r1/sub"),
        bench.home.join("worktrees/.."),
        bench.home.join("worktrees/fake"),
    ] {
        let error = worktree::remove(&bench.home, &dir).unwrap_err();
        assert!(matches!(error, WorktreeError::NotOurs { .. }), "{}", dir.display());
    }
    let dir = bench.home.join("worktrees/r1");
    worktree::remove(&bench.home, &dir).unwrap();
    assert!(!dir.exists());
    worktree::remove(&bench.home, &dir).unwrap();
    assert_eq!(fs::read(outside.join("mine")).unwrap(), b"mine");
    let run = RunId::new("../x");
    assert!(worktree::path_of(&bench.home, &run).is_err());
}

/// A folder with the rights that new ones usually have, whatever the umask is.
fn usual(path: &Path) -> u64 {
    fs::create_dir_all(path).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    fs::metadata(path).unwrap().ino()
}

#[test]
fn a_cleared_folder_keeps_only_what_is_as_new() {
    let dir = tempfile::tempdir().unwrap();
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("kept"), "").unwrap();
    let room = dir.path().join("room");
    let (number, home) = (usual(&room), usual(&room.join("home")));
    usual(&room.join("other"));
    fs::create_dir_all(room.join("home/.cache/deep")).unwrap();
    fs::write(room.join("home/.profile"), "").unwrap();
    symlink(&outside, room.join("home/link")).unwrap();
    symlink(&outside, room.join("tmp")).unwrap();
    clear(&room, &["home", "tmp"]).unwrap();
    let left: Vec<_> = fs::read_dir(&room).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["home"]);
    assert_eq!(fs::read_dir(room.join("home")).unwrap().count(), 0);
    assert_eq!(fs::metadata(room.join("home")).unwrap().ino(), home);
    assert_eq!(fs::metadata(&room).unwrap().ino(), number);
    assert!(outside.join("kept").exists());
    // Rights that a run changed go with the folder.
    for mode in [0o700, 0o777, 0o1755, 0o500] {
        fs::set_permissions(room.join("home"), Permissions::from_mode(mode)).unwrap();
        clear(&room, &["home", "tmp"]).unwrap();
        assert!(!room.join("home").exists(), "{mode:o}");
        usual(&room.join("home"));
    }
    fs::set_permissions(&room, Permissions::from_mode(0o700)).unwrap();
    clear(&room, &["home"]).unwrap();
    assert!(!room.exists());
    clear(&room, &["home"]).unwrap();
}
