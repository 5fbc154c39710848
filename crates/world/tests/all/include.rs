use crate::bench::write;
use proctor_world::include::{IncludeError, matches};
use std::fs::File;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

fn checkout(files: &[&str]) -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    for file in files {
        write(temp.path(), file, "text");
    }
    temp
}

fn found(checkout: &TempDir, patterns: &str) -> Vec<String> {
    matches(checkout.path(), patterns, &|path| path.starts_with("tracked")).unwrap()
}

#[test]
fn untracked_files_that_match_are_named() {
    let checkout = checkout(&[
        ".env",
        "app/.env",
        "config/local.toml",
        "config/deep/local.toml",
        "tracked.env",
        "secret.env",
        "certs/a.pem",
        "certs/deep/b.pem",
        "src/main.rs",
    ]);
    symlink(".env", checkout.path().join("link.env")).unwrap();
    let patterns = "# what tests need\n.env\n*.env\n\n/config/local.*\n!secret.env\ncerts/\n";
    let expected = [".env", "app/.env", "certs/a.pem", "certs/deep/b.pem", "config/local.toml"];
    assert_eq!(found(&checkout, patterns), expected);
}

#[test]
fn an_empty_list_matches_nothing() {
    let checkout = checkout(&[".env"]);
    for patterns in ["", "# only words\n", "!.env\n"] {
        assert!(found(&checkout, patterns).is_empty(), "{patterns}");
    }
}

#[test]
fn folders_that_tools_fill_are_entered_only_where_a_pattern_names_them() {
    let checkout = checkout(&[".git/x.env", "node_modules/a/x.env", "target/x.env", ".venv/x.env"]);
    assert!(found(&checkout, "*.env\n").is_empty());
    assert_eq!(found(&checkout, "*.env\nnode_modules/a/x.env\n"), ["node_modules/a/x.env"]);
    assert_eq!(found(&checkout, "target/\n"), ["target/x.env"]);
    assert!(found(&checkout, ".git/\n").is_empty());
}

#[test]
fn too_much_is_an_error_that_says_so() {
    let checkout = checkout(&[]);
    for n in 0..=2_000 {
        write(checkout.path(), &format!("many/{n}"), "");
    }
    let big = File::create(checkout.path().join("big")).unwrap();
    big.set_len(101 * 1024 * 1024).unwrap();
    let ask = |patterns: &str| matches(checkout.path(), patterns, &|_| false).unwrap_err();
    let error = ask("many/\n");
    assert!(matches!(error, IncludeError::TooMany { .. }), "{error}");
    assert!(error.to_string().contains("more than 2000 files"), "{error}");
    let error = ask("big\n");
    assert!(matches!(&error, IncludeError::TooBig { path, .. } if path == "big"), "{error}");
    assert!(error.to_string().contains("more than 100 MB"), "{error}");
    let error = ask("good\n[z-a]\n");
    assert!(matches!(&error, IncludeError::BadPattern { line: 2, .. }), "{error}");
}
