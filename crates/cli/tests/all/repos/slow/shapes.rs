//! Repositories of every shape: the run works in each, lands where it should, and the user's own work stays.

use crate::repos::place::{Place, SUB, SUB_TEST, scenario_of, sub_scenario};
use proctor_testkit::RepoBuilder;
use serde_json::json;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The commit that a branch names.
fn tip(place: &Place, branch: &str) -> String {
    place.repo.git(&["rev-parse", "--verify", &format!("refs/heads/{branch}")])
}

/// The files that the last commit of a branch changed.
fn changed(place: &Place, branch: &str) -> Vec<String> {
    let out = place.repo.git(&["diff", "--name-only", "-z", &format!("{branch}~1"), branch]);
    out.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn beside(place: &Place, name: &str) -> PathBuf {
    place.path().parent().unwrap().join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_detached_head_works_and_the_work_is_left_on_a_branch() {
    let Some(place) = Place::python() else { return };
    place.repo.git(&["checkout", "--quiet", "--detach"]);
    let before = place.mine();
    let ran = place.add(&["--yes"]).run().expect_code(0);
    assert!(ran.stderr.contains("The base is not a branch"), "{ran}");
    let branch = format!("proctor/{}", place.run_id());
    assert!(ran.stdout.contains(&branch), "{ran}");
    assert_eq!(place.repo.git(&["rev-parse", &format!("{branch}~2")]), place.repo.head());
    assert_eq!(tip(&place, "main"), place.repo.head());
    place.repo.git(&["branch", "-D", &branch]);
    assert_eq!(place.mine(), before);
    place.assert_quiet();
}

#[test]
fn a_bare_repository_works() {
    let Some(place) = Place::python() else { return };
    let bare = beside(&place, "bare.git");
    place.repo.git(&["clone", "--quiet", "--bare", ".", text(&bare)]);
    let ran = place.add_in(&bare, "", &["--yes", "--format", "json"]).run().expect_code(0);
    let commit = ran.finished()["commit"].as_str().unwrap().to_owned();
    let main = place.repo.git(&["--git-dir", text(&bare), "rev-parse", "main"]);
    assert_eq!(commit, main);
    assert_eq!(
        place.repo.git(&["--git-dir", text(&bare), "rev-parse", "main~1"]),
        place.repo.head()
    );
    place.assert_quiet();
}

#[test]
fn a_repository_inside_another_is_the_one_that_is_meant() {
    let Some(place) = Place::with(|| {
        let outer = RepoBuilder::new();
        outer.file("outer.txt", "outer\n").commit("outer");
        outer
    }) else {
        return;
    };
    let inner = place.path().join("vendor/inner");
    let source = RepoBuilder::python_calc();
    source.git(&["clone", "--quiet", ".", text(&inner)]);
    let outer = (place.repo.head(), place.repo.git(&["status", "--porcelain"]));
    place.add_in(&inner, "", &["--yes"]).run().expect_code(0);
    let in_inner = |args: &[&str]| source.git(&[&["-C", text(&inner)], args].concat());
    assert_eq!(in_inner(&["rev-parse", "main~1"]), source.head());
    assert_eq!(in_inner(&["status", "--porcelain"]), "");
    assert_eq!((place.repo.head(), place.repo.git(&["status", "--porcelain"])), outer);
}

#[test]
fn a_linked_worktree_lands_on_its_own_branch_and_leaves_the_main_checkout_alone() {
    let Some(place) = Place::python() else { return };
    let linked = beside(&place, "linked");
    place.repo.git(&["worktree", "add", "--quiet", "-b", "side", text(&linked)]);
    place.repo.file("calc.py", "half done\n").file("new.txt", "mine\n");
    let before = place.mine();
    let ran = place.add_in(&linked, "", &["--yes"]).run().expect_code(0);
    assert!(ran.stdout.contains("on side"), "{ran}");
    assert!(std::fs::read_to_string(linked.join("calc.py")).unwrap().contains("def sub"));
    assert_eq!(place.repo.git(&["-C", text(&linked), "status", "--porcelain"]), "");
    assert_eq!(changed(&place, "side"), ["calc.py", "tests/test_sub.py"]);
    let after = place.mine();
    assert_eq!((after.files, after.index, after.head), (before.files, before.index, before.head));
    assert_eq!(tip(&place, "main"), place.repo.head());
}

#[test]
fn a_submodule_stays_what_it_is_and_can_be_worked_in() {
    let Some(place) = Place::python() else { return };
    let library = RepoBuilder::python_calc();
    place.repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        text(library.path()),
        "lib",
    ]);
    place.repo.commit("a submodule");
    let entry = place.repo.git(&["ls-tree", "HEAD", "lib"]);
    assert!(entry.starts_with("160000 commit"), "{entry}");
    let before = place.mine();
    place.add(&["--yes"]).run().expect_code(0);
    assert_eq!(place.repo.git(&["ls-tree", "HEAD", "lib"]), entry);
    assert_eq!(changed(&place, "main"), ["calc.py", "tests/test_sub.py"]);
    let after = place.mine();
    assert_eq!(after.status, before.status);
    assert_eq!(after.config, before.config);
    let inside = place.path().join("lib");
    let outer = place.repo.head();
    place.add_in(&inside, "", &["--yes", "--no-refactor"]).run().expect_code(0);
    assert_eq!(place.repo.git(&["-C", text(&inside), "rev-parse", "main~1"]), library.head());
    assert_eq!(place.repo.head(), outer);
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

/// Everything that a tree can hold in one: pointers of large files, line endings, odd names, links, modes.
fn odd_repo() -> RepoBuilder {
    let repo = RepoBuilder::python_calc();
    repo.file(
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n*.bat text eol=crlf\n*.sh text eol=lf\n",
    )
    .file("big.bin", POINTER)
    .file("run.bat", "@echo off\r\necho hi\r\n")
    .exec("tools/run.sh", "#!/bin/sh\necho hi\n")
    .file("a name with spaces.txt", "spaces\n")
    .file("grüße/日本語 ☃.txt", "unicode\n")
    .file("quote\"and\ttab.txt", "quoted\n")
    .file("-dash.txt", "dash\n")
    .file("data/empty.txt", "");
    symlink("a name with spaces.txt", repo.path().join("link")).unwrap();
    symlink("nowhere/at/all", repo.path().join("dangling")).unwrap();
    let latin1 = OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(repo.path().join(latin1), "not UTF-8\n").unwrap();
    repo.commit("odd files");
    repo
}

#[test]
fn odd_names_links_modes_pointers_and_line_endings_stay_as_they_are() {
    let Some(place) = Place::with(odd_repo) else { return };
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    let before = place.mine();
    let tree = place.repo.git(&["ls-tree", "-r", "HEAD"]);
    let scenario = scenario_of(
        &json!({"tests/test_sub.py": SUB_TEST}),
        &json!({"calc.py": SUB, "grüße/neu ☃.txt": "new\n", "run.bat": "echo more\n"}),
    );
    place.add(&["--yes"]).mock(&scenario).run().expect_code(0);
    let changed: Vec<String> = changed(&place, "main");
    assert_eq!(changed, ["calc.py", "grüße/neu ☃.txt", "run.bat", "tests/test_sub.py"]);
    // What nobody touched has the same mode and the same bytes in git.
    let after = place.repo.git(&["ls-tree", "-r", "HEAD"]);
    let touched = |line: &&str| !line.ends_with("calc.py") && !line.ends_with("run.bat");
    for line in tree.lines().filter(touched) {
        assert!(after.contains(line), "{line} is gone:\n{after}");
    }
    // An agent works on the bytes that git keeps; the user's checkout gets the line endings of its attribute.
    assert_eq!(
        place.repo.git(&["cat-file", "-p", "HEAD:run.bat"]),
        "@echo off\necho hi\necho more"
    );
    assert_eq!(place.repo.read("run.bat"), "@echo off\r\necho hi\r\necho more\r\n");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    let mine = place.mine();
    for (name, bytes) in &before.files {
        if !["calc.py", "run.bat"].contains(&name.as_str()) {
            assert_eq!(mine.files.get(name), Some(bytes), "{name}");
        }
    }
    assert_eq!(mine.config, before.config);
}

#[test]
fn a_checkout_with_autocrlf_gets_its_line_endings_and_git_keeps_its_own() {
    let Some(place) = Place::python() else { return };
    place.repo.git(&["config", "core.autocrlf", "true"]);
    place.repo.git(&["rm", "--quiet", "--cached", "-r", "."]);
    place.repo.git(&["reset", "--quiet", "--hard"]);
    assert!(place.repo.read("calc.py").contains("\r\n"));
    place.add(&["--yes"]).run().expect_code(0);
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    assert!(place.repo.read("tests/test_sub.py").contains("\r\n"));
    let kept = place.repo.git(&["cat-file", "-p", "HEAD:calc.py"]);
    assert!(kept.contains("def sub") && !kept.contains('\r'), "{kept:?}");
}

#[test]
fn a_sparse_checkout_stays_sparse() {
    let Some(place) = Place::with(|| {
        let repo = RepoBuilder::python_calc();
        repo.file("docs/long.md", "long\n").file("other/x.py", "x = 1\n").commit("more");
        repo
    }) else {
        return;
    };
    place.repo.git(&["sparse-checkout", "set", "tests"]);
    assert!(!place.path().join("docs").exists());
    place.add(&["--yes"]).run().expect_code(0);
    assert!(!place.path().join("docs").exists());
    assert!(!place.path().join("other").exists());
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    assert!(place.repo.read("calc.py").contains("def sub"));
    let files = place.repo.git(&["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(files.contains("docs/long.md") && files.contains("tests/test_sub.py"), "{files}");
}

#[test]
fn a_shallow_clone_works_and_stays_shallow() {
    let Some(place) = Place::python() else { return };
    place.repo.file("a.txt", "a\n").commit("two");
    place.repo.file("a.txt", "b\n").commit("three");
    let shallow = beside(&place, "shallow");
    let url = format!("file://{}", place.path().display());
    place.repo.git(&["clone", "--quiet", "--depth", "1", &url, text(&shallow)]);
    let git = |args: &[&str]| place.repo.git(&[&["-C", text(&shallow)], args].concat());
    place.add_in(&shallow, "", &["--yes"]).run().expect_code(0);
    assert_eq!(git(&["rev-parse", "main~1"]), place.repo.head());
    assert_eq!(git(&["rev-list", "--count", "main"]), "2");
    assert_eq!(git(&["rev-parse", "--is-shallow-repository"]), "true");
    assert_eq!(git(&["status", "--porcelain"]), "");
}

#[test]
fn a_partial_clone_works_also_where_its_base_moves_before_the_approval() {
    let Some(place) = Place::python() else { return };
    place.repo.file("old.txt", "only in the past\n").commit("with");
    std::fs::remove_file(place.path().join("old.txt")).unwrap();
    place.repo.commit("without");
    place.repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = beside(&place, "partial");
    let url = format!("file://{}", place.path().display());
    place.repo.git(&["clone", "--quiet", "--filter=blob:none", &url, text(&partial)]);
    let git = |args: &[&str]| place.repo.git(&[&["-C", text(&partial)], args].concat());
    place.add_in(&partial, "", &[]).run().expect_code(3);
    std::fs::write(partial.join("more.txt"), "more\n").unwrap();
    git(&["add", "more.txt"]);
    git(&["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "more"]);
    let moved = git(&["rev-parse", "main"]);
    // What was approved was the old tree, so the new one needs a word of its own.
    let run = place.run_id();
    let ran = place.proctor(&["approve", &run]).expect_code(3);
    assert!(ran.stdout.contains("AWAITING_APPROVAL"), "{ran}");
    assert_eq!(git(&["rev-parse", "main"]), moved);
    place.proctor(&["approve", &run]).expect_code(0);
    assert_eq!(git(&["rev-parse", "main~1"]), moved);
    assert_eq!(git(&["status", "--porcelain"]), "");
    let missing = git(&["rev-list", "--objects", "--all", "--missing=print"]);
    assert_eq!(missing.lines().filter(|line| line.starts_with('?')).count(), 1);
}

#[test]
fn a_repository_with_the_longer_hashes_works() {
    let Some(place) = Place::python() else { return };
    let long = beside(&place, "a place with spaces");
    place.repo.git(&["init", "--quiet", "-b", "trunk", "--object-format=sha256", text(&long)]);
    let git = |args: &[&str]| place.repo.git(&[&["-C", text(&long)], args].concat());
    for path in ["calc.py", "tests/test_calc.py", "pyproject.toml", ".gitignore"] {
        std::fs::create_dir_all(long.join("tests")).unwrap();
        std::fs::write(long.join(path), place.repo.read(path)).unwrap();
    }
    git(&["add", "."]);
    git(&["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "all"]);
    let base = git(&["rev-parse", "HEAD"]);
    assert_eq!(base.len(), 64);
    place.add_in(&long, "", &["--yes"]).run().expect_code(0);
    assert_eq!(git(&["rev-parse", "trunk~1"]), base);
    assert_eq!(git(&["status", "--porcelain"]), "");
    // Nobody is named in the settings.
    assert_eq!(git(&["log", "-1", "--format=%an <%ae>"]), "Proctor <proctor@localhost>");
}

#[test]
fn hooks_signing_aliases_and_variables_of_the_user_do_not_get_in_the_way() {
    let Some(place) = Place::python() else { return };
    let mark = beside(&place, "a-hook-ran");
    for hook in [
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-merge",
        "post-checkout",
        "pre-push",
        "post-receive",
        "pre-receive",
        "update",
        "reference-transaction",
        "post-index-change",
        "fsmonitor",
    ] {
        let script = format!("#!/bin/sh\necho {hook} >>'{}'\nexit 1\n", mark.display());
        place.repo.exec(&format!(".git/hooks/{hook}"), &script);
    }
    let fsmonitor = place.path().join(".git/hooks/fsmonitor");
    for (key, value) in [
        ("commit.gpgsign", "true"),
        ("user.signingkey", "0xDEADBEEF"),
        ("gpg.program", "/nowhere/gpg"),
        ("merge.verifySignatures", "true"),
        ("merge.autoStash", "true"),
        ("alias.merge", "!false"),
        ("core.fsmonitor", text(&fsmonitor)),
        ("core.editor", "false"),
    ] {
        place.repo.git(&["config", key, value]);
    }
    let config = std::fs::read(place.path().join(".git/config")).unwrap();
    // As it is where a hook or an alias of git started us.
    let mut call = place.add(&["--yes"]);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"] {
        call = call.env(name, "/nowhere");
    }
    call.run().expect_code(0);
    let ran = std::fs::read_to_string(&mark).unwrap_or_default();
    assert_eq!(ran, "", "hooks ran");
    assert_eq!(std::fs::read(place.path().join(".git/config")).unwrap(), config);
    place.repo.git(&["config", "--unset", "core.fsmonitor"]);
    assert_eq!(changed(&place, "main"), ["calc.py", "tests/test_sub.py"]);
    assert_eq!(
        place.repo.git(&["log", "-1", "--format=%an <%ae>"]),
        "Test Person <test@example.com>"
    );
}

#[test]
fn one_project_of_a_monorepo_is_worked_on_alone() {
    let Some(place) = Place::with(|| {
        let repo = RepoBuilder::new();
        let inner = RepoBuilder::python_calc();
        for path in ["calc.py", "tests/test_calc.py", "pyproject.toml", ".gitignore"] {
            repo.file(&format!("services/api/{path}"), &inner.read(path));
        }
        repo.file("services/broken/test_broken.py", "import nowhere_to_be_found\n")
            .file("Cargo.toml", "[workspace]\nmembers = []\n")
            .commit("a monorepo");
        repo
    }) else {
        return;
    };
    // The agent works in the folder, so that its paths are seen from there.
    let call = place.env.call(place.path()).args(&[
        "add",
        "a sub function",
        "--yes",
        "--subdir",
        "services/api",
    ]);
    call.mock(&sub_scenario("")).run().expect_code(0);
    assert_eq!(changed(&place, "main"), ["services/api/calc.py", "services/api/tests/test_sub.py"]);
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn settings_that_are_not_committed_do_not_count() {
    let Some(place) = Place::python() else { return };
    place.repo.file("proctor.toml", "this is = not [ toml\n");
    let before = place.mine();
    let ran = place.add(&[]).run().expect_code(3);
    assert!(!ran.stderr.contains("proctor.toml"), "{ran}");
    assert_eq!(place.mine(), before);
}

#[test]
fn a_home_inside_the_repository_is_said_and_what_lies_around_it_decides_nothing() {
    let Some(place) = Place::python() else { return };
    place
        .repo
        .file("pyproject.toml", "[project]\nname = \"calc\"\nversion = \"0.1.0\"\n")
        .file(".gitignore", "__pycache__/\n.pytest_cache/\n/.proctor/\n")
        .commit("no settings for pytest");
    // Not committed, and above every tree in which tests run.
    place.repo.file("conftest.py", "raise RuntimeError('not committed')\n");
    place.repo.file("pytest.ini", "[pytest]\naddopts = --no-such-option\n");
    let status = place.repo.git(&["status", "--porcelain"]);
    let from = place.path().join("tests");
    let call = place.add_in(&from, "", &["--yes"]).env("PROCTOR_HOME", "../.proctor");
    let ran = call.run().expect_code(0);
    assert!(ran.stderr.contains("PROCTOR_HOME"), "{ran}");
    assert_eq!(changed(&place, "main"), ["calc.py", "tests/test_sub.py"], "{ran}");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), status);
    assert!(place.path().join(".proctor/journal.db").is_file());
}

#[test]
fn the_user_s_own_changes_of_every_kind_stay_the_same_bytes() {
    let Some(place) = Place::with(|| {
        let repo = RepoBuilder::python_calc();
        repo.file("a.txt", "a\n").file("b.txt", "b\n").file("c.txt", "c\n").commit("more");
        repo
    }) else {
        return;
    };
    let repo = &place.repo;
    repo.file("a.txt", "stashed\n").git(&["stash", "--quiet"]);
    repo.file("a.txt", "staged\n").git(&["add", "a.txt"]);
    repo.file("a.txt", "staged, then changed\n").file("b.txt", "changed\n");
    repo.git(&["rm", "--quiet", "c.txt"]);
    repo.file("new.txt", "untracked\n").file("__pycache__/own.pyc", "ignored\n");
    repo.file("half.py", "half\n").git(&["add", "--intent-to-add", "half.py"]);
    let before = place.mine();
    place.add(&["--yes"]).run().expect_code(0);
    let after = place.mine();
    assert_eq!(after.status, before.status);
    assert_eq!((&after.stash, &after.config), (&before.stash, &before.config));
    for (name, bytes) in &before.files {
        if name != "calc.py" {
            assert_eq!(after.files.get(name), Some(bytes), "{name}");
        }
    }
    assert!(repo.read("calc.py").contains("def sub"));
    assert_eq!(repo.git(&["show", ":a.txt"]), "staged");
    assert_eq!(repo.git(&["stash", "show", "-p"]).matches("+stashed").count(), 1);
    assert_eq!(changed(&place, "main"), ["calc.py", "tests/test_sub.py"]);
    assert_eq!(after.head, "refs/heads/main");
}
