use crate::bench::{Bench, git, step, text};
use proctor_core::words::RunId;
use proctor_world::listing::{Change, Mode};
use proctor_world::objects::DiffFor;
use proctor_world::replay::{Merged, Rebased, rebase};
use proctor_world::repo::{RepoError, UserRepo};
use proctor_world::shadow::{Shadow, ShadowError};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

fn everything_below(dir: &Path) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let about = entry.metadata().unwrap();
            if about.is_dir() {
                todo.push(entry.path());
            } else {
                all.push((entry.path().display().to_string(), about.len()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn the_shadow_holds_the_base_and_none_of_the_users_refs() {
    let bench = Bench::new();
    bench.git(&["branch", "side"]);
    bench.git(&["tag", "v1"]);
    let before = everything_below(&bench.repo);
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let listing = shadow.list(&shadow.tree_of(&base).unwrap()).unwrap();
    assert_eq!(shadow.read_blob(&listing["a.txt"].oid).unwrap(), b"one\n");
    let refs = git(shadow.dir(), &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, format!("refs/proctor/base/{base}"));
    assert!(!shadow.dir().join("objects/info/alternates").exists());
    assert_eq!(everything_below(&bench.repo), before, "the user's repository was touched");
}

#[test]
fn objects_are_hard_links_where_the_file_system_allows() {
    let bench = Bench::new();
    bench.git(&["gc", "-q"]);
    let shadow = bench.shadow(&bench.tip("HEAD"));
    let packs = fs::read_dir(shadow.dir().join("objects/pack")).unwrap();
    let mut packs = packs.map(|entry| entry.unwrap().metadata().unwrap());
    assert!(packs.all(|about| about.nlink() == 2));
}

#[test]
fn a_commit_made_later_is_fetched_by_its_id() {
    let bench = Bench::new();
    bench.shadow(&bench.tip("HEAD"));
    bench.git(&["checkout", "-q", "--detach"]);
    bench.write("b.txt", "two");
    let later = bench.commit_all("on no branch");
    bench.git(&["checkout", "-q", "main"]);
    let shadow = bench.shadow(&later);
    let listing = shadow.list(&shadow.tree_of(&later).unwrap()).unwrap();
    assert_eq!(listing.len(), 2);
}

#[test]
fn a_commit_that_is_nowhere_is_an_error_with_a_hint() {
    let bench = Bench::new();
    let nowhere = proctor_core::words::CommitId::new("1".repeat(40));
    let error = Shadow::open(&bench.home, &bench.user().git_dir, &nowhere).unwrap_err();
    assert!(matches!(error, ShadowError::NotBrought { .. }), "{error}");
    assert!(error.to_string().contains("hint: "));
}

#[test]
fn pruning_the_users_repository_does_not_break_the_shadow() {
    let bench = Bench::new();
    bench.git(&["checkout", "-qb", "work"]);
    bench.write("big.txt", "x".repeat(10_000));
    let base = bench.commit_all("work");
    let shadow = bench.shadow(&base);
    bench.git(&["checkout", "-q", "main"]);
    bench.git(&["branch", "-qD", "work"]);
    bench.git(&["reflog", "expire", "--expire=now", "--all"]);
    bench.git(&["gc", "-q", "--prune=now"]);
    assert!(bench.user().commit_at(base.as_str()).unwrap().is_none());
    let again = bench.shadow(&base);
    let listing = again.list(&shadow.tree_of(&base).unwrap()).unwrap();
    assert_eq!(again.read_blob(&listing["big.txt"].oid).unwrap().len(), 10_000);
    git(shadow.dir(), &["fsck", "--full", "--strict"]);
}

#[test]
fn a_shallow_clone_works_as_a_source_before_and_after_it_grows() {
    let bench = Bench::new();
    for n in 0..3 {
        bench.write("n.txt", n.to_string());
        bench.commit_all("next");
    }
    let shallow = bench.folder("shallow");
    let url = format!("file://{}", bench.repo.display());
    git(&shallow, &["clone", "-q", "--depth=1", &url, "."]);
    let user = UserRepo::find(&shallow).unwrap();
    let base = user.resolve("HEAD").unwrap();
    let shadow = Shadow::open(&bench.home, &user.git_dir, &base).unwrap();
    assert_eq!(shadow.list(&shadow.tree_of(&base).unwrap()).unwrap().len(), 2);
    bench.write("n.txt", "later");
    let later = bench.commit_all("later");
    git(&shallow, &["fetch", "-q", "--depth=1"]);
    let shadow = Shadow::open(&bench.home, &user.git_dir, &later).unwrap();
    assert_eq!(shadow.list(&shadow.tree_of(&later).unwrap()).unwrap().len(), 2);
}

#[test]
fn borrowed_objects_become_the_shadows_own() {
    let bench = Bench::new();
    let borrower = bench.folder("borrower");
    git(&borrower, &["clone", "-q", "--shared", bench.repo.to_str().unwrap(), "."]);
    let user = UserRepo::find(&borrower).unwrap();
    let base = bench.tip("HEAD");
    let shadow = Shadow::open(&bench.home, &user.git_dir, &base).unwrap();
    assert!(!shadow.dir().join("objects/info/alternates").exists());
    fs::remove_dir_all(&bench.repo).unwrap();
    assert_eq!(shadow.list(&shadow.tree_of(&base).unwrap()).unwrap().len(), 1);
}

#[test]
fn a_repository_with_sha256_ids_works() {
    let bench = Bench::new();
    let dir = bench.folder("sha256");
    git(&dir, &["init", "-q", "--object-format=sha256"]);
    fs::write(dir.join("a"), "text").unwrap();
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "first"]);
    let user = UserRepo::find(&dir).unwrap();
    let base = user.resolve("HEAD").unwrap();
    let shadow = Shadow::open(&bench.home, &user.git_dir, &base).unwrap();
    let (base, out) = bench.written_out(&shadow, &base, "out");
    let now = proctor_world::snapshot::snapshot(&out, &base).unwrap();
    assert_eq!(now.listing, *base.listing);
}

#[test]
fn replaced_objects_are_not_believed() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let honest = bench.git(&["rev-parse", "HEAD:a.txt"]);
    fs::write(bench.repo.join("lie"), "two\n").unwrap();
    let lie = bench.git(&["hash-object", "-w", "lie"]);
    bench.git(&["replace", &honest, &lie]);
    assert_eq!(bench.git(&["show", "HEAD:a.txt"]), "two");
    let read = bench.user().read_at(&base, "a.txt").unwrap();
    assert_eq!(read.unwrap(), b"one\n");
    assert_eq!(bench.shadow(&base).read_blob(&honest).unwrap(), b"one\n");
}

#[test]
fn two_that_open_the_shadow_at_once_get_the_same_one() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let dirs: Vec<_> = std::thread::scope(|scope| {
        let all: Vec<_> =
            (0..4).map(|_| scope.spawn(|| bench.shadow(&base).dir().to_owned())).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(dirs.iter().all(|dir| *dir == dirs[0]));
}

#[test]
fn the_same_commit_made_twice_is_one_commit() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let tree = shadow.tree_of(&base).unwrap();
    let make = || shadow.commit(&tree, &[&base], &text("a message\n\nwith more")).unwrap();
    let commit = make();
    assert_eq!(commit, make());
    let about =
        git(shadow.dir(), &["log", "-1", "--format=%an <%ae> %cn %at %ct %s|%b", commit.as_str()]);
    assert_eq!(about, "Ada <ada@example.org> Ada 1700000000 1700000000 a message|with more");
}

#[test]
fn changes_and_differences_are_shown_by_path() {
    let bench = Bench::new();
    bench.write("gone.txt", "gone\n");
    bench.write("ü b.txt", "old\n");
    let base = bench.commit_all("more");
    let shadow = bench.shadow(&base);
    let written = [("ü b.txt", "new\n"), ("dir/new.bin", "\0bin")];
    let head = step(&shadow, &base, "step", &written, &["gone.txt"]);
    let from = shadow.tree_of(&base).unwrap();
    let to = shadow.tree_of(&head).unwrap();
    let changed = shadow.changed(&from, &to).unwrap();
    let expected = [
        ("dir/new.bin".to_owned(), Change::Added),
        ("gone.txt".to_owned(), Change::Deleted),
        ("ü b.txt".to_owned(), Change::Modified),
    ];
    assert_eq!(changed, expected);
    let listings = (shadow.list(&from).unwrap(), shadow.list(&to).unwrap());
    assert_eq!(proctor_world::listing::changes(&listings.0, &listings.1), expected);
    let diff = |paths: &[String], purpose| {
        String::from_utf8(shadow.diff(&from, &to, paths, purpose).unwrap()).unwrap()
    };
    let one = diff(&["ü b.txt".to_owned()], DiffFor::Reading);
    assert!(one.contains("-old\n+new\n") && !one.contains("gone"), "{one}");
    assert!(diff(&[], DiffFor::Reading).contains("Binary files"));
    let patch = bench.folder("patch").join("work.patch");
    fs::write(&patch, diff(&[], DiffFor::Applying)).unwrap();
    bench.git(&["apply", "--index", patch.to_str().unwrap()]);
    assert_eq!(bench.git(&["write-tree"]), to.0);
}

#[test]
fn a_rescue_ref_is_never_overwritten_and_repeating_it_changes_nothing() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let run = RunId::new("r1");
    let first = step(&shadow, &base, "first", &[("x", "1")], &[]);
    let second = step(&shadow, &base, "second", &[("x", "2")], &[]);
    let rescue = |commit| shadow.rescue(&run, commit).unwrap();
    assert_eq!(rescue(&first), "refs/proctor/rescue/r1");
    assert_eq!(rescue(&first), "refs/proctor/rescue/r1");
    assert_eq!(rescue(&second), "refs/proctor/rescue/r1-2");
    assert_eq!(shadow.ref_of("refs/proctor/rescue/r1").unwrap(), Some(first));
    assert_eq!(shadow.ref_of("refs/proctor/rescue/r1-2").unwrap(), Some(second));
}

#[test]
fn refs_are_set_read_and_deleted() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let name = "refs/proctor/run/r1";
    shadow.delete_ref(name).unwrap();
    assert_eq!(shadow.ref_of(name).unwrap(), None);
    shadow.set_ref(name, &base).unwrap();
    assert_eq!(shadow.ref_of(name).unwrap(), Some(base));
    shadow.delete_ref(name).unwrap();
    assert_eq!(shadow.ref_of(name).unwrap(), None);
}

#[test]
fn a_rebase_keeps_messages_authors_and_dates() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let red = step(&shadow, &base, "test: red", &[("t.txt", "t")], &[]);
    let green = step(&shadow, &red, "fix: green\n\nwhy", &[("a.txt", "one\ntwo\n")], &[]);
    bench.write("other.txt", "moved");
    let onto = bench.commit_all("moved");
    let rebased = rebase(&shadow, &bench.user(), &base, &green, &onto).unwrap();
    let Rebased::Clean { head } = rebased else {
        panic!("{rebased:?}");
    };
    let show =
        |commit: &str| git(shadow.dir(), &["log", "-2", "--format=%an %ae %at %ct %B", commit]);
    assert_eq!(show(head.as_str()), show(green.as_str()));
    let listing = shadow.list(&shadow.tree_of(&head).unwrap()).unwrap();
    assert_eq!(listing.keys().collect::<Vec<_>>(), ["a.txt", "other.txt", "t.txt"]);
    assert_eq!(git(shadow.dir(), &["rev-parse", &format!("{head}~2")]), onto.0);
    let again = rebase(&shadow, &bench.user(), &base, &green, &onto).unwrap();
    assert_eq!(again, Rebased::Clean { head });
    git(shadow.dir(), &["fsck", "--strict"]);
}

#[test]
fn a_rebase_that_clashes_names_the_files() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let head = step(&shadow, &base, "mine", &[("a.txt", "mine\n")], &[]);
    bench.write("a.txt", "theirs\n");
    let onto = bench.commit_all("theirs");
    let rebased = rebase(&shadow, &bench.user(), &base, &head, &onto).unwrap();
    let files = vec!["a.txt".to_owned()];
    assert_eq!(rebased, Rebased::Conflict { files });
}

#[test]
fn a_merge_commit_on_the_way_is_not_one_line() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let left = step(&shadow, &base, "l", &[("l", "l")], &[]);
    let right = step(&shadow, &base, "r", &[("r", "r")], &[]);
    let tree = shadow.tree_of(&left).unwrap();
    let head = shadow.commit(&tree, &[&left, &right], &text("m")).unwrap();
    let error = rebase(&shadow, &bench.user(), &base, &head, &base).unwrap_err();
    assert!(matches!(error, ShadowError::NotLinear { .. }), "{error}");
}

#[test]
fn equal_changes_on_both_sides_merge_cleanly() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let one = step(&shadow, &base, "x", &[("x", "1")], &[]);
    let tree = |commit| shadow.tree_of(commit).unwrap();
    let merged = shadow.merge_trees(&tree(&base), &tree(&one), &tree(&one));
    assert_eq!(merged.unwrap(), Merged::Clean { tree: tree(&one) });
    let merged = shadow.merge_trees(&tree(&base), &tree(&one), &tree(&base));
    assert_eq!(merged.unwrap(), Merged::Clean { tree: tree(&one) });
}

#[test]
fn a_tree_that_names_git_itself_is_refused() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let inner = shadow.tree_of(&base).unwrap();
    let script = format!("printf '040000 tree {inner}\\t.git\\n' | git mktree");
    let out = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(shadow.dir())
        .output()
        .unwrap();
    let tree = String::from_utf8(out.stdout).unwrap().trim().to_owned();
    let error = shadow.list(&proctor_core::words::TreeId(tree)).unwrap_err();
    assert!(matches!(error, ShadowError::BadPath { .. }), "{error}");
}

#[test]
fn a_submodule_entry_is_listed_and_written_again() {
    let bench = Bench::new();
    let commit = bench.tip("HEAD");
    let info = format!("160000,{commit},sub");
    bench.git(&["update-index", "--add", "--cacheinfo", &info]);
    bench.git(&["commit", "-qm", "submodule"]);
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let tree = shadow.tree_of(&base).unwrap();
    let listing = shadow.list(&tree).unwrap();
    assert_eq!(listing["sub"].mode, Mode::Submodule);
    assert_eq!(shadow.write_tree(&listing).unwrap(), tree);
}

#[test]
fn a_repository_that_git_does_not_trust_is_refused_but_a_trusted_one_is_read() {
    let bench = Bench::new();
    let base = bench.tip("HEAD");
    let git_dir = bench.user().git_dir;
    let chown = std::process::Command::new("chown").args(["-R", "12345"]).arg(&bench.repo).output();
    if !chown.is_ok_and(|done| done.status.success()) {
        println!("skipped: only root can give a file away");
        return;
    }
    if let Err(error) = UserRepo::find(&bench.repo) {
        assert!(matches!(error, RepoError::NotTrusted { .. }), "{error}");
    } else {
        println!("skipped in part: this machine's git trusts every folder");
    }
    // The person's settings, which say that they trust it, do not reach the git that we run.
    let shadow = Shadow::open(&bench.home, &git_dir, &base).unwrap();
    assert!(shadow.tree_of(&base).is_ok());
    fs::write(bench.repo.join("b.txt"), "two").unwrap();
    let trusting = |args: &[&str]| git(&bench.repo, &[&["-c", "safe.directory=*"], args].concat());
    trusting(&["add", "-A"]);
    trusting(&["commit", "-qm", "later"]);
    let later = proctor_core::words::CommitId(trusting(&["rev-parse", "HEAD"]));
    let shadow = Shadow::open(&bench.home, &git_dir, &later).unwrap();
    assert!(shadow.tree_of(&later).is_ok());
}

#[test]
fn many_blobs_come_in_the_order_asked_for_whatever_is_known_already() {
    let bench = Bench::new();
    let shadow = bench.shadow(&bench.tip("main"));
    let large = vec![b'x'; 100_000];
    let texts: Vec<Vec<u8>> = vec![b"one".to_vec(), large, b"three".to_vec(), b"four".to_vec()];
    let oids: Vec<String> = texts.iter().map(|text| shadow.write_blob(text).unwrap()).collect();
    let oids: Vec<&str> = oids.iter().map(String::as_str).collect();
    // The third is known from here on, the second is too large to be kept.
    assert_eq!(shadow.read_blobs(&[oids[2]]).unwrap(), [texts[2].clone()]);
    for _ in 0..2 {
        assert_eq!(shadow.read_blobs(&oids).unwrap(), texts);
    }
}
