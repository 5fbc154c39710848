use crate::bench::{AUTHOR, Bench, git, step, try_git};
use proctor_core::brief::LandMode;
use proctor_core::words::{CommitId, Millis};
use proctor_world::landing::{LandOrder, Landed, land};
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

struct Ready {
    bench: Bench,
    base: CommitId,
    head: CommitId,
    shadow: Shadow,
}

/// Proven work in two phase commits: `t.txt` is new, `a.txt` changed.
fn ready(bench: Bench) -> Ready {
    let base = bench.tip("main");
    let shadow = bench.shadow(&base);
    let red = step(&shadow, &base, "test: red", &[("t.txt", "test\n")], &[]);
    let head = step(&shadow, &red, "fix: green", &[("a.txt", "one\ntwo\n")], &[]);
    Ready { bench, base, head, shadow }
}

impl Ready {
    fn order(&self, mode: LandMode) -> LandOrder {
        LandOrder {
            mode,
            onto: Some("main".to_owned()),
            branch: "proctor/r1".to_owned(),
            base: self.base.clone(),
            head: self.head.clone(),
            message: "fix: it".to_owned(),
            author: AUTHOR.to_owned(),
            at: Millis(1_700_000_000_000),
        }
    }

    fn land(&self, mode: LandMode) -> Landed {
        land(&self.shadow, &self.bench.user(), &self.order(mode)).unwrap()
    }

    fn log(&self, rev: &str) -> String {
        self.bench.git(&["log", "--format=%s", "--topo-order", rev])
    }
}

fn done(landed: &Landed) -> (&CommitId, &str, &str) {
    match landed {
        Landed::Done { commit, branch, note } => (commit, branch, note),
        other => panic!("{other:?}"),
    }
}

fn refused(landed: &Landed) -> &str {
    match landed {
        Landed::Refused { why, hint } => {
            assert!(hint.contains("proctor resume") || hint.contains("--land branch"), "{hint}");
            why
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_squash_onto_a_checked_out_branch_moves_files_and_index() {
    let ready = ready(Bench::new());
    let landed = ready.land(LandMode::Squash);
    let (commit, branch, note) = done(&landed);
    assert_eq!((commit, branch), (&ready.bench.tip("main"), "main"));
    assert!(note.contains("files and index followed"), "{note}");
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), "");
    assert_eq!(ready.bench.read("a.txt"), "one\ntwo\n");
    assert_eq!(ready.bench.read("t.txt"), "test\n");
    assert_eq!(ready.log("main"), "fix: it\nfirst");
    ready.bench.git(&["fsck", "--strict"]);
}

#[test]
fn landing_twice_is_landing_once() {
    for mode in [LandMode::Squash, LandMode::Merge, LandMode::Rebase, LandMode::Branch] {
        let ready = ready(Bench::new());
        let first = ready.land(mode);
        let again = ready.land(mode);
        assert_eq!(done(&first).0, done(&again).0);
        assert_eq!(done(&again).2, "it had landed before");
        if mode != LandMode::Branch {
            // Also when the branch went on since.
            ready.bench.write("later.txt", "later");
            ready.bench.commit_all("later");
            assert_eq!(done(&ready.land(mode)).0, done(&first).0);
        }
    }
}

#[test]
fn a_merge_keeps_the_phase_commits_beside_the_branch() {
    let ready = ready(Bench::new());
    let landed = ready.land(LandMode::Merge);
    let parents = ready.bench.git(&["log", "-1", "--format=%P", done(&landed).0.as_str()]);
    assert_eq!(parents, format!("{} {}", ready.base, ready.head));
    assert_eq!(ready.log("main"), "fix: it\nfix: green\ntest: red\nfirst");
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_rebase_lands_the_phase_commits_themselves() {
    let ready = ready(Bench::new());
    assert_eq!(done(&ready.land(LandMode::Rebase)).0, &ready.head);
    assert_eq!(ready.log("main"), "fix: green\ntest: red\nfirst");
}

#[test]
fn branch_only_makes_a_new_branch_and_leaves_the_rest_alone() {
    let ready = ready(Bench::new());
    let landed = ready.land(LandMode::Branch);
    assert_eq!(done(&landed).1, "proctor/r1");
    assert_eq!(ready.bench.tip("proctor/r1"), ready.head);
    assert_eq!(ready.bench.tip("main"), ready.base);
    assert_eq!(ready.bench.read("a.txt"), "one\n");
}

#[test]
fn a_branch_that_is_there_already_is_not_overwritten() {
    let ready = ready(Bench::new());
    ready.bench.git(&["branch", "proctor/r1"]);
    let landed = ready.land(LandMode::Branch);
    assert!(refused(&landed).contains("proctor/r1 is there already"));
    assert_eq!(ready.bench.tip("proctor/r1"), ready.base);
}

#[test]
fn a_branch_whose_name_is_in_the_way_is_told() {
    let ready = ready(Bench::new());
    ready.bench.git(&["branch", "proctor"]);
    assert!(refused(&ready.land(LandMode::Branch)).contains("'refs/heads/proctor' exists"));
}

#[test]
fn unrelated_local_work_stays_as_it_is() {
    let bench = Bench::new();
    bench.write("staged.txt", "1");
    bench.write("changed.txt", "1");
    bench.commit_all("more");
    bench.write("changed.txt", "stashed");
    bench.git(&["stash", "-q"]);
    let ready = ready(bench);
    let bench = &ready.bench;
    bench.write("staged.txt", "staged");
    bench.git(&["add", "staged.txt"]);
    bench.write("changed.txt", "changed");
    bench.write("untracked.txt", "untracked");
    // Settings that would stash the person's work away for a moment.
    bench.git(&["config", "merge.autoStash", "true"]);
    let stash = bench.tip("stash");
    let status = bench.git(&["status", "--porcelain"]);
    done(&ready.land(LandMode::Squash));
    assert_eq!(bench.git(&["status", "--porcelain"]), status);
    assert_eq!(bench.tip("stash"), stash);
    assert_eq!(bench.read("changed.txt"), "changed");
    assert_eq!(bench.read("a.txt"), "one\ntwo\n");
}

#[test]
fn clashing_local_work_is_refused_and_nothing_is_touched() {
    type Clash = fn(&Bench);
    let clashes: [(&str, Clash); 4] = [
        ("a.txt", |bench| bench.write("a.txt", "mine")),
        ("a.txt", |bench| {
            bench.write("a.txt", "mine");
            bench.git(&["add", "a.txt"]);
        }),
        ("t.txt", |bench| bench.write("t.txt", "mine")),
        // An ignored file is the person's work too.
        ("t.txt", |bench| {
            bench.write(".git/info/exclude", "t.txt\n");
            bench.write("t.txt", "mine");
        }),
    ];
    for (file, clash) in clashes {
        let ready = ready(Bench::new());
        clash(&ready.bench);
        let status = ready.bench.git(&["status", "--porcelain", "--ignored"]);
        let landed = ready.land(LandMode::Squash);
        assert!(refused(&landed).contains(file), "{landed:?}");
        assert_eq!(ready.bench.git(&["status", "--porcelain", "--ignored"]), status);
        assert_eq!(ready.bench.read(file), "mine");
        assert_eq!(ready.bench.tip("main"), ready.base);
    }
}

#[test]
fn files_that_already_hold_what_lands_are_no_hindrance() {
    let ready = ready(Bench::new());
    let root = ready.bench.user().root;
    // The person wrote the new test and the changed file before, and committed neither.
    fs::write(root.join("t.txt"), "test\n").unwrap();
    fs::write(root.join("a.txt"), "one\ntwo\n").unwrap();
    done(&ready.land(LandMode::Squash));
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), "");
    assert_eq!(fs::read_to_string(root.join("t.txt")).unwrap(), "test\n");
}

#[test]
fn one_file_that_differs_refuses_the_landing_and_the_index_is_as_it_was() {
    let ready = ready(Bench::new());
    let root = ready.bench.user().root;
    fs::write(root.join("t.txt"), "test\n").unwrap();
    fs::write(root.join("a.txt"), "mine\n").unwrap();
    let before = ready.bench.git(&["status", "--porcelain"]);
    let landed = ready.land(LandMode::Squash);
    assert!(refused(&landed).contains("a.txt"), "{landed:?}");
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), before);
    assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), "mine\n");
}

#[test]
fn a_refused_landing_goes_through_once_the_person_made_room() {
    let ready = ready(Bench::new());
    ready.bench.write("a.txt", "mine");
    refused(&ready.land(LandMode::Squash));
    ready.bench.git(&["stash", "-q"]);
    done(&ready.land(LandMode::Squash));
}

#[test]
fn a_branch_that_is_not_checked_out_moves_alone() {
    let ready = ready(Bench::new());
    ready.bench.git(&["checkout", "-qb", "side"]);
    ready.bench.write("a.txt", "mine");
    let landed = ready.land(LandMode::Squash);
    assert_eq!(done(&landed).0, &ready.bench.tip("main"));
    assert_eq!(ready.bench.read("a.txt"), "mine");
    assert_eq!(ready.bench.tip("side"), ready.base);
}

#[test]
fn a_branch_in_a_linked_worktree_moves_there() {
    let ready = ready(Bench::new());
    ready.bench.git(&["checkout", "-qb", "side"]);
    let linked = ready.bench.folder("linked");
    ready.bench.git(&["worktree", "add", "-q", linked.to_str().unwrap(), "main"]);
    done(&ready.land(LandMode::Squash));
    assert_eq!(git(&linked, &["status", "--porcelain"]), "");
    assert_eq!(fs::read_to_string(linked.join("a.txt")).unwrap(), "one\ntwo\n");
    assert_eq!(ready.bench.read("a.txt"), "one\n");
    // A worktree whose folder is gone holds nothing back.
    fs::remove_dir_all(&linked).unwrap();
    assert_eq!(done(&ready.land(LandMode::Squash)).2, "it had landed before");
}

#[test]
fn a_bare_repository_is_landed_in() {
    let bench = Bench::new();
    let bare = bench.folder("bare.git");
    git(&bare, &["clone", "-q", "--bare", bench.repo.to_str().unwrap(), "."]);
    let ready = ready(bench);
    let user = UserRepo::find(&bare).unwrap();
    let shadow = Shadow::open(&ready.bench.home, &user.git_dir, &ready.base).unwrap();
    let head = step(&shadow, &ready.base, "fix", &[("a.txt", "two\n")], &[]);
    let mut order = ready.order(LandMode::Squash);
    order.head = head;
    let landed = land(&shadow, &user, &order).unwrap();
    assert_eq!(done(&landed).0, &user.resolve("main").unwrap());
    assert_eq!(git(&bare, &["show", "main:a.txt"]), "two");
}

#[test]
fn a_moved_base_is_reported_and_nothing_is_touched() {
    for mode in [LandMode::Squash, LandMode::Merge, LandMode::Rebase] {
        let ready = ready(Bench::new());
        ready.bench.write("b.txt", "moved");
        let to = ready.bench.commit_all("moved");
        assert_eq!(ready.land(mode), Landed::BaseMoved { to: to.clone() });
        assert_eq!(ready.bench.tip("main"), to);
    }
}

#[test]
fn without_a_branch_to_land_on_the_way_out_is_named() {
    let ready = ready(Bench::new());
    let mut order = ready.order(LandMode::Squash);
    order.onto = None;
    let landed = land(&ready.shadow, &ready.bench.user(), &order).unwrap();
    refused(&landed);
    order.onto = Some("gone".to_owned());
    let landed = land(&ready.shadow, &ready.bench.user(), &order).unwrap();
    assert!(refused(&landed).contains("gone"));
}

#[test]
fn a_merge_or_rebase_under_way_is_not_disturbed() {
    let ready = ready(Bench::new());
    fs::write(ready.bench.repo.join(".git/MERGE_HEAD"), format!("{}\n", ready.base)).unwrap();
    assert!(refused(&ready.land(LandMode::Squash)).contains("a merge"));
    fs::remove_file(ready.bench.repo.join(".git/MERGE_HEAD")).unwrap();
    // A real rebase of main that stopped half-way: HEAD is detached, but main is in use.
    let (ok, _) = try_git(&ready.bench.repo, &["rebase", "-q", "--root", "--exec", "false"]);
    assert!(!ok);
    assert!(refused(&ready.land(LandMode::Squash)).contains("a rebase"));
    ready.bench.git(&["rebase", "--abort"]);
    done(&ready.land(LandMode::Squash));
}

#[test]
fn a_bisect_under_way_is_not_disturbed() {
    let bench = Bench::new();
    for n in 0..3 {
        bench.write("n.txt", n.to_string());
        bench.commit_all("next");
    }
    let ready = ready(bench);
    ready.bench.git(&["bisect", "start", "HEAD", "HEAD~3"]);
    assert!(refused(&ready.land(LandMode::Squash)).contains("a bisect"));
}

#[test]
fn a_lock_that_stays_is_refused_with_a_hint() {
    let ready = ready(Bench::new());
    fs::write(ready.bench.repo.join(".git/index.lock"), "").unwrap();
    let landed = ready.land(LandMode::Squash);
    assert!(refused(&landed).contains("lock"), "{landed:?}");
    assert_eq!(ready.bench.tip("main"), ready.base);
}

#[test]
fn hooks_and_monitors_in_the_users_repository_do_not_run() {
    let bench = Bench::new();
    let witness = bench.folder("witness");
    let plant = |path: &Path| {
        let script = format!("#!/bin/sh\necho $0 >> {}/ran\n", witness.display());
        fs::write(path, script).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    };
    let hooks = bench.folder("hooks");
    for name in [
        "post-merge",
        "post-checkout",
        "pre-merge-commit",
        "post-index-change",
        "reference-transaction",
        "pre-auto-gc",
        "update",
        "post-update",
        "pre-receive",
        "monitor",
    ] {
        plant(&hooks.join(name));
    }
    bench.git(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
    bench.git(&["config", "core.fsmonitor", hooks.join("monitor").to_str().unwrap()]);
    bench.git(&["config", "gc.auto", "1"]);
    bench.write("b.txt", "two");
    bench.commit_all("second");
    let ready = ready(bench);
    // The test's own git ran them; from here on only ours does.
    fs::remove_file(witness.join("ran")).unwrap();
    let user = ready.bench.user();
    for mode in [LandMode::Branch, LandMode::Squash] {
        done(&land(&ready.shadow, &user, &ready.order(mode)).unwrap());
    }
    let ran = fs::read_to_string(witness.join("ran")).unwrap_or_default();
    assert_eq!(ran, "");
}

#[test]
fn a_sparse_checkout_stays_sparse() {
    let bench = Bench::new();
    bench.write("in/x.txt", "1");
    bench.write("out/y.txt", "1");
    bench.commit_all("two folders");
    bench.git(&["sparse-checkout", "set", "in"]);
    assert!(!bench.repo.join("out").exists());
    let base = bench.tip("HEAD");
    let shadow = bench.shadow(&base);
    let listing = shadow.list(&shadow.tree_of(&base).unwrap()).unwrap();
    assert!(listing.contains_key("out/y.txt"));
    let written = [("in/x.txt", "2"), ("out/y.txt", "2")];
    let head = step(&shadow, &base, "both", &written, &[]);
    let ready = Ready { bench, base, head, shadow };
    done(&ready.land(LandMode::Squash));
    assert_eq!(ready.bench.read("in/x.txt"), "2");
    assert!(!ready.bench.repo.join("out").exists());
    assert_eq!(ready.bench.git(&["show", "main:out/y.txt"]), "2");
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_checkout_with_converted_line_endings_is_clean_after_landing() {
    let bench = Bench::new();
    bench.write(".gitattributes", "*.txt text eol=crlf\n");
    bench.commit_all("attributes");
    let ready = ready(bench);
    done(&ready.land(LandMode::Squash));
    assert_eq!(ready.bench.read("t.txt"), "test\r\n");
    assert_eq!(ready.bench.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_shallow_clone_is_landed_in() {
    let bench = Bench::new();
    bench.write("b.txt", "two");
    bench.commit_all("second");
    let shallow = bench.folder("shallow");
    let url = format!("file://{}", bench.repo.display());
    git(&shallow, &["clone", "-q", "--depth=1", &url, "."]);
    let user = UserRepo::find(&shallow).unwrap();
    let ready = ready(bench);
    let shadow = Shadow::open(&ready.bench.home, &user.git_dir, &ready.base).unwrap();
    let mut order = ready.order(LandMode::Squash);
    order.head = step(&shadow, &ready.base, "fix", &[("a.txt", "two\n")], &[]);
    done(&land(&shadow, &user, &order).unwrap());
    assert_eq!(git(&shallow, &["status", "--porcelain"]), "");
    git(&shallow, &["fsck"]);
}

#[test]
fn a_branch_lands_even_where_the_base_was_pruned() {
    let bench = Bench::new();
    bench.git(&["checkout", "-qb", "work"]);
    for n in 0..150 {
        bench.write(&format!("many/{n}.txt"), n.to_string());
    }
    let base = bench.commit_all("work");
    let shadow = bench.shadow(&base);
    let head = step(&shadow, &base, "fix", &[("a.txt", "two\n")], &[]);
    bench.git(&["checkout", "-q", "main"]);
    bench.git(&["branch", "-qD", "work"]);
    bench.git(&["reflog", "expire", "--expire=now", "--all"]);
    bench.git(&["gc", "-q", "--prune=now"]);
    let ready = Ready { bench, base, head, shadow };
    done(&ready.land(LandMode::Branch));
    assert_eq!(ready.log("proctor/r1"), "fix\nwork\nfirst");
    ready.bench.git(&["fsck", "--strict"]);
}

#[test]
fn many_that_land_at_once_land_one_after_the_other() {
    let ready = ready(Bench::new());
    let orders: Vec<LandOrder> = (0..4)
        .map(|n| LandOrder { message: format!("fix {n}"), ..ready.order(LandMode::Squash) })
        .collect();
    let user = ready.bench.user();
    let ends: Vec<Landed> = std::thread::scope(|scope| {
        let all: Vec<_> = orders
            .iter()
            .map(|order| scope.spawn(|| land(&ready.shadow, &user, order).unwrap()))
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let landed = ends.iter().filter(|end| matches!(end, Landed::Done { .. }));
    assert_eq!(landed.count(), 1);
    let to = ready.bench.tip("main");
    let moved = ends.iter().filter(|end| **end == Landed::BaseMoved { to: to.clone() });
    assert_eq!(moved.count(), 3);
}
