//! What is refused before anything is created: places, context files, settings, homes. Each with exit code 2 (or 4
//! where the surroundings are unfit), a reason and a hint.

use super::place::{Place, names_in};
use proctor_testkit::{Call, Ran, RepoBuilder, TestEnv};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// No agent is needed to be refused, and no runner either.
fn anywhere(repo: RepoBuilder) -> Place {
    Place { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")), repo }
}

/// Exit code 2 with this text and a hint, and nothing was created.
#[track_caller]
fn refused(place: &Place, call: Call, says: &str) -> Ran {
    let before = place.mine();
    let ran = call.run().expect_code(2);
    assert!(ran.stderr.contains(says), "`{says}` was expected:\n{ran}");
    assert!(ran.stderr.contains("hint: "), "a hint was expected:\n{ran}");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    assert_eq!(ran.stdout, "", "stdout is for data:\n{ran}");
    place.assert_nothing_created(&before);
    ran
}

fn context_of(place: &Place, path: &str) -> Call {
    place.add(&["--yes", "--context", path])
}

#[test]
fn a_folder_that_is_no_repository_is_refused() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let folder = tempfile::tempdir().unwrap();
    for args in [["add", "x"], ["fix", "x"], ["tidy", "x"]] {
        let ran = env.proctor(folder.path(), &args).expect_code(2);
        assert!(ran.stderr.contains("is not inside a git repository"), "{ran}");
        assert!(ran.stderr.contains("hint: "), "{ran}");
    }
    assert_eq!(names_in(env.home()), Vec::<String>::new());
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}

#[test]
fn a_repository_without_commits_is_refused() {
    let place = anywhere(RepoBuilder::new());
    place.repo.file("calc.py", "x = 1\n");
    let ran = place.add(&["--yes"]).run().expect_code(2);
    assert!(ran.stderr.contains("has no commit yet"), "{ran}");
    assert!(ran.stderr.contains("hint: make a first commit"), "{ran}");
    assert_eq!(names_in(place.env.home()), Vec::<String>::new());
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "?? calc.py");
}

#[test]
fn the_inside_of_a_git_directory_is_refused() {
    let place = anywhere(RepoBuilder::python_calc());
    let inside = place.path().join(".git");
    let call = place.add_in(&inside, "", &["--yes"]);
    refused(&place, call, "is the inside of a git directory");
}

#[test]
fn a_base_or_folder_that_is_not_there_is_refused() {
    let place = anywhere(RepoBuilder::python_calc());
    for (args, says) in [
        (["--base", "nowhere"], "`nowhere` names no commit"),
        (["--base", "--help"], "--base"),
        (["--subdir", "services/api"], "there is no folder services/api"),
        (["--subdir", "../up"], "\"../up\" can't be used"),
        (["--subdir", "/etc"], "\"/etc\" can't be used"),
        (["--branch", "a..b"], "a..b"),
        (["--branch", "-x"], "-x"),
        (["--runner", "nose"], "there is no test tool `nose`"),
        (["-C", "/nowhere/at/all"], "/nowhere/at/all"),
    ] {
        let before = place.mine();
        let ran = place.add(&args).run().expect_code(2);
        assert!(ran.stderr.contains(says), "`{says}` was expected:\n{ran}");
        place.assert_nothing_created(&before);
    }
}

#[test]
fn a_branch_that_is_there_is_never_used_again() {
    let place = anywhere(RepoBuilder::python_calc());
    place.repo.git(&["branch", "taken"]);
    let call = place.add(&["--yes", "--land", "branch", "--branch", "taken"]);
    refused(&place, call, "the branch taken is already there");
}

#[test]
fn a_secret_by_its_name_is_refused_as_context() {
    let place = anywhere(RepoBuilder::python_calc());
    for name in
        [".env", "conf/.env", "server.pem", "id.key", "my_secrets.txt", ".env.local", "SECRET.md"]
    {
        place.repo.file(name, "harmless\n");
        refused(&place, context_of(&place, name), "its name looks like a secret");
    }
    // Also where the file is not there: the name alone decides.
    refused(&place, context_of(&place, "none/.env"), "its name looks like a secret");
}

#[test]
fn a_path_that_climbs_is_refused_as_context() {
    let place = anywhere(RepoBuilder::python_calc());
    std::fs::write(place.path().parent().unwrap().join("x"), "outside\n").unwrap();
    for path in ["../x", "tests/../calc.py", "../../etc/passwd", "tests/.."] {
        refused(&place, context_of(&place, path), "the path contains `../`");
    }
    for path in ["/etc/hostname", "/etc"] {
        refused(&place, context_of(&place, path), "Path resolves outside project root");
    }
}

#[test]
fn a_link_out_of_the_repository_is_refused_as_context() {
    let place = anywhere(RepoBuilder::python_calc());
    let outside = place.path().parent().unwrap().join("notes.txt");
    std::fs::write(&outside, "outside\n").unwrap();
    symlink(&outside, place.path().join("link.txt")).unwrap();
    symlink(place.path().parent().unwrap(), place.path().join("up")).unwrap();
    place.repo.file(".env", "harmless\n");
    symlink(".env", place.path().join("plain.txt")).unwrap();
    refused(&place, context_of(&place, "link.txt"), "Path resolves outside project root");
    refused(&place, context_of(&place, "up/notes.txt"), "Path resolves outside project root");
    // A link inside, to a file whose name is a secret's.
    refused(&place, context_of(&place, "plain.txt"), "its name looks like a secret");
}

#[test]
fn a_file_that_is_too_large_not_text_or_not_there_is_refused_as_context() {
    let place = anywhere(RepoBuilder::python_calc());
    place.repo.file("big.txt", &"words ".repeat(101 * 1024 / 6 + 1));
    place.repo.file("folder/inside.txt", "text\n");
    std::fs::write(place.path().join("image.bin"), [0x89, 0x50, 0x00, 0xff, 0xfe]).unwrap();
    refused(&place, context_of(&place, "big.txt"), "File exceeds 100KB limit");
    refused(&place, context_of(&place, "image.bin"), "it is not UTF-8 text");
    refused(&place, context_of(&place, "folder"), "it is not a plain file");
    refused(&place, context_of(&place, "none.txt"), "can't be read");
    refused(&place, context_of(&place, ""), "the path is empty");
    refused(&place, context_of(&place, ".git/config"), "inside git's own folder");
    // The first file is fine, the second is not: nothing is created either.
    let call = place.add(&["--yes", "--context", "calc.py", "none.txt"]);
    refused(&place, call, "none.txt can't be read");
}

#[test]
fn a_secret_by_its_content_is_refused_as_context_and_never_repeated() {
    let place = anywhere(RepoBuilder::python_calc());
    // In parts, so that nothing that looks like a key stands in this file.
    let key = ["AKIA", "Q3EGRT5WZXN7", "V2KM"].concat();
    place.repo.file("settings.py", &format!("REGION = 'eu'\nKEY = '{key}'\n"));
    let ran = refused(&place, context_of(&place, "settings.py"), "line 2 looks like a secret");
    assert!(!ran.stderr.contains(&key), "the value itself was shown:\n{ran}");
    let pem = format!("-----BEGIN {} KEY-----\nMIIE\n", "PRIVATE");
    place.repo.file("notes.txt", &pem);
    refused(&place, context_of(&place, "notes.txt"), "line 1 looks like a secret");
    let call = place.env.call(place.path()).args(&["fix", "it fails", "--details", &key]);
    let ran = refused(&place, call, "of the details looks like a secret");
    assert!(!ran.stderr.contains(&key), "the value itself was shown:\n{ran}");
}

// S1-49
#[test]
fn more_than_200000_tokens_in_total_are_refused_as_context() {
    let place = anywhere(RepoBuilder::python_calc());
    let text = "a b c d e f g h ".repeat(6 * 1024);
    let names: Vec<String> = (0..9).map(|n| format!("part{n}.txt")).collect();
    for name in &names {
        place.repo.file(name, &text);
    }
    let mut call = place.add(&["--yes", "--context"]);
    for name in &names {
        call = call.arg(name);
    }
    refused(&place, call, "200000 are allowed");
}

#[test]
fn a_fault_in_the_committed_settings_names_its_line_and_the_nearest_key() {
    let place = anywhere(RepoBuilder::python_calc());
    for (text, says, hint) in [
        ("runer = \"pytest\"\n", "line 1: unknown key `runer`", "did you mean `runner`?"),
        ("[gates]\nstrict_read = true\n", "line 2: unknown key `strict_read`", "`strict_red`"),
        ("[limits]\nred = \"three\"\n", "line 2", "hint: "),
        ("[limits]\ntime = \"5 parsecs\"\n", "line 2", "hint: "),
        ("[land]\nmode = \"squish\"\n", "line 2", "squash"),
        ("runner = \n", "line 1", "hint: "),
        ("[land]\nonto = \"nowhere\"\n", "nowhere", "hint: "),
    ] {
        place.repo.file("proctor.toml", text).commit("settings");
        let ran = refused(&place, place.add(&["--yes"]), says);
        assert!(ran.stderr.contains("proctor.toml") || says == "nowhere", "{ran}");
        assert!(ran.stderr.contains(hint), "`{hint}` was expected:\n{ran}");
    }
}

#[test]
fn a_home_that_can_t_be_written_is_a_clear_error() {
    let place = anywhere(RepoBuilder::python_calc());
    let before = place.mine();
    let file = place.path().parent().unwrap().join("a-file");
    std::fs::write(&file, "not a folder\n").unwrap();
    // A file in the place of the folder, which not even root can write into.
    let ran = place.add(&["--yes"]).env("PROCTOR_HOME", &file).run();
    unfit(&ran, &file);
    let ran = place.env.call(place.path()).arg("list").env("PROCTOR_HOME", &file).run();
    unfit(&ran, &file);
    let closed = place.path().parent().unwrap().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(closed.join("probe"), "").is_err() {
        let ran = place.add(&["--yes"]).env("PROCTOR_HOME", &closed).run();
        unfit(&ran, &closed);
    } else {
        println!("skipped: this user may write anywhere");
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(place.mine(), before);
}

#[track_caller]
fn unfit(ran: &Ran, path: &Path) {
    assert!(matches!(ran.code, 2 | 4), "{ran}");
    assert!(ran.stderr.contains(path.to_str().unwrap()), "{ran}");
    assert!(ran.stderr.contains("hint: "), "{ran}");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
}

#[test]
fn a_journal_of_a_newer_format_or_a_damaged_one_is_left_as_it_is() {
    let place = anywhere(RepoBuilder::python_calc());
    let before = place.mine();
    place.proctor(&["list"]).expect_code(0);
    let path = place.env.home().join("journal.db");
    let good = std::fs::read(&path).unwrap();
    // The format's number stands at byte 60 of the file.
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let garbage = vec![b'x'; 8192];
    let cut = good[..good.len() - 100].to_vec();
    for (bytes, says) in [(newer, "newer Proctor"), (garbage, "damaged"), (cut, "damaged")] {
        for name in ["journal.db-wal", "journal.db-shm"] {
            let _ = std::fs::remove_file(place.env.home().join(name));
        }
        std::fs::write(&path, &bytes).unwrap();
        for call in [
            place.env.call(place.path()).arg("list"),
            place.env.call(place.path()).args(&["show", "T-1"]),
            place.env.call(place.path()).args(&["resume", "T-1"]),
            place.add(&["--yes"]),
        ] {
            let ran = call.run();
            unfit(&ran, &path);
            assert!(ran.stderr.contains(says), "`{says}` was expected:\n{ran}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "the journal was changed:\n{ran}");
        }
    }
    assert_eq!(place.mine(), before);
    assert_eq!(place.worktrees(), Vec::<String>::new());
}

#[test]
fn a_run_that_is_not_there_is_wrong_usage() {
    let place = anywhere(RepoBuilder::python_calc());
    for verb in ["show", "log", "diff", "approve", "abort", "cancel", "resume"] {
        let ran = place.proctor(&[verb, "no-such-run"]).expect_code(2);
        assert!(ran.stderr.contains("no-such-run"), "{ran}");
        assert!(ran.stderr.contains("hint: "), "{ran}");
    }
    let ran = place.proctor(&["send-back", "no-such-run", "--why", "x"]).expect_code(2);
    assert!(ran.stderr.contains("no-such-run"), "{ran}");
}
