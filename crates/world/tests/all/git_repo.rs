use crate::bench::{Bench, git};
use proctor_core::words::CommitId;
use proctor_world::git::{Git, GitError, OLDEST, version};
use proctor_world::repo::{Head, RepoError, UserRepo};
use std::fs;

#[test]
fn the_git_of_this_machine_is_new_enough() {
    assert!(version().unwrap() >= OLDEST);
}

// S4-11, S4-14, S4-20
#[test]
fn a_failed_call_names_its_command_and_what_git_said() {
    let bench = Bench::new();
    let error =
        Git::on(&bench.repo.join(".git")).run(&["rev-parse", "--verify", "nothing"]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`git rev-parse --verify nothing`"), "{text}");
    assert!(text.contains("exit code 128"), "{text}");
    assert!(matches!(error, GitError::Failed { code: Some(128), .. }));
}

#[test]
fn a_lock_is_told_apart_from_other_failures() {
    let bench = Bench::new();
    fs::write(bench.repo.join(".git/refs/heads/main.lock"), "").unwrap();
    let error = Git::on(&bench.repo.join(".git"))
        .run(&["update-ref", "-d", "refs/heads/main"])
        .unwrap_err();
    assert!(matches!(error, GitError::Locked { .. }), "{error}");
    assert!(error.to_string().contains("hint: "));
}

#[test]
fn a_repository_is_found_from_a_folder_deep_inside() {
    let bench = Bench::new();
    bench.write("x/y/z.txt", "");
    let user = UserRepo::find(&bench.repo.join("x/y")).unwrap();
    assert_eq!(user.root, bench.repo);
    assert_eq!(user.git_dir, bench.repo.join(".git"));
    assert!(!user.bare);
    let (name, commit) = ("main".to_owned(), bench.tip("HEAD"));
    assert_eq!(user.head, Head::Branch { name, commit });
}

#[test]
fn a_folder_outside_any_repository_is_refused_with_a_hint() {
    let bench = Bench::new();
    let error = UserRepo::find(&bench.folder("elsewhere")).unwrap_err();
    assert!(matches!(error, RepoError::NotARepository { .. }));
    assert!(error.to_string().contains("hint: "));
    let error = UserRepo::find(&bench.repo.join("not-there")).unwrap_err();
    assert!(matches!(error, RepoError::NoFolder { .. }));
    let error = UserRepo::find(&bench.repo.join(".git/refs")).unwrap_err();
    assert!(matches!(error, RepoError::InsideGitDir { .. }));
}

#[test]
fn a_repository_without_commits_says_so() {
    let bench = Bench::without_commits();
    let user = bench.user();
    let branch = "main".to_owned();
    assert_eq!(user.head, Head::Unborn { branch });
    for rev in ["HEAD", "main"] {
        let error = user.resolve(rev).unwrap_err();
        assert!(matches!(error, RepoError::NoCommits { .. }), "{error}");
    }
}

#[test]
fn a_detached_head_is_no_branch() {
    let bench = Bench::new();
    bench.git(&["checkout", "-q", "--detach"]);
    let user = bench.user();
    let commit = bench.tip("main");
    assert_eq!(user.head, Head::Detached { commit: commit.clone() });
    assert_eq!(user.resolve("HEAD").unwrap(), commit);
    assert_eq!(user.branch_of("HEAD"), None);
    assert_eq!(user.branch_of("main").as_deref(), Some("main"));
}

#[test]
fn a_bare_repository_is_its_own_root() {
    let bench = Bench::new();
    let bare = bench.folder("bare.git");
    git(&bare, &["clone", "-q", "--bare", bench.repo.to_str().unwrap(), "."]);
    let user = UserRepo::find(&bare).unwrap();
    assert!(user.bare);
    assert_eq!((&user.root, &user.git_dir), (&bare, &bare));
    assert_eq!(user.resolve("main").unwrap(), bench.tip("main"));
}

#[test]
fn a_nested_repository_is_found_before_the_outer_one() {
    let bench = Bench::new();
    let inner = bench.repo.join("vendor/inner");
    fs::create_dir_all(&inner).unwrap();
    git(&inner, &["init", "-q"]);
    assert_eq!(UserRepo::find(&inner).unwrap().root, inner);
}

#[test]
fn a_linked_worktree_has_its_own_root_and_head_and_the_common_git_directory() {
    let bench = Bench::new();
    let linked = bench.folder("linked");
    bench.git(&["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()]);
    let user = UserRepo::find(&linked).unwrap();
    assert_eq!(user.root, linked);
    assert_eq!(user.git_dir, bench.repo.join(".git"));
    assert_eq!(user.branch_of("HEAD").as_deref(), Some("side"));
}

#[test]
fn revisions_resolve_and_bad_ones_are_named() {
    let bench = Bench::new();
    let first = bench.tip("HEAD");
    bench.write("b.txt", "two");
    bench.commit_all("second");
    bench.git(&["tag", "v1"]);
    let user = bench.user();
    assert_eq!(user.resolve("HEAD~1").unwrap(), first);
    assert_eq!(user.resolve(&first.0[..8]).unwrap(), first);
    for rev in ["nothing", "--all", "HEAD:b.txt", ""] {
        let error = user.resolve(rev).unwrap_err();
        assert!(matches!(error, RepoError::NoSuchCommit { .. }), "{rev}: {error}");
    }
    assert!(user.branch_exists("main") && !user.branch_exists("v1"));
    assert_eq!(user.branch_of("v1"), None);
    assert_eq!(user.branch_of("@").as_deref(), Some("main"));
    assert_eq!(user.branch_of("--all"), None);
}

#[test]
fn files_are_read_and_listed_at_a_commit() {
    let bench = Bench::new();
    bench.write("dir/ü b.txt", "text");
    let commit = bench.commit_all("more");
    bench.write("dir/ü b.txt", "changed since");
    let user = bench.user();
    let read = |path: &str| user.read_at(&commit, path).unwrap();
    assert_eq!(read("dir/ü b.txt").unwrap(), b"text");
    assert_eq!(read("dir"), None);
    assert_eq!(read("none"), None);
    assert_eq!(read("../a.txt"), None);
    assert_eq!(user.list_at(&commit, "").unwrap(), ["a.txt", "dir/ü b.txt"]);
    assert_eq!(user.list_at(&commit, "dir").unwrap(), ["dir/ü b.txt"]);
    let nowhere = CommitId::new("0".repeat(40));
    assert!(user.list_at(&nowhere, "").is_err());
}

#[test]
fn the_author_is_the_person_of_the_repositorys_configuration() {
    let bench = Bench::new();
    bench.git(&["config", "user.name", "Grace Hopper"]);
    bench.git(&["config", "user.email", "grace@example.org"]);
    assert_eq!(bench.user().author(), "Grace Hopper <grace@example.org>");
}
