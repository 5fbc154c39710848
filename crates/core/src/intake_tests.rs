use super::*;
use proptest::prelude::*;

fn refusal(result: Result<impl std::fmt::Debug, Refused>) -> String {
    result.unwrap_err().to_string()
}

fn judged(path: &str, bytes: &[u8]) -> Result<Checked, Refused> {
    check_file(path, bytes, &Allowed::default())
}

#[test]
fn s1_20_a_path_that_climbs_is_refused() {
    for path in [
        "../etc/passwd",
        "a/../b",
        "a/..",
        "..",
        "..\\secret",
        "a\\..\\b",
        "odd../name",
        "/repo/../x",
    ] {
        assert!(matches!(check_path(path), Err(Refused::Traversal { .. })), "{path}");
    }
    insta::assert_snapshot!(refusal(check_path("../../etc/passwd")));
}

#[test]
fn a_good_path_comes_back_normalised() {
    for (path, normal) in [
        ("src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        ("src/./a..b.py", "src/a..b.py"),
        ("/repo/src/a.py", "/repo/src/a.py"),
        ("...", "..."),
    ] {
        assert_eq!(check_path(path).as_deref(), Ok(normal), "{path}");
    }
}

#[test]
fn a_path_that_is_no_path_is_refused() {
    for path in ["", "  ", "/", "./", "a\0b", "a\nb"] {
        assert!(matches!(check_path(path), Err(Refused::Malformed { .. })), "{path:?}");
    }
    insta::assert_snapshot!(refusal(check_path("a\nb")));
}

#[test]
fn s1_21_a_path_that_resolves_outside_is_refused() {
    assert_eq!(check_resolved("link", "/repo/src/a.py", "/repo").as_deref(), Ok("src/a.py"));
    for resolved in ["/etc/passwd", "/repo-other/a.py", "/repo", "/repo/"] {
        assert!(check_resolved("link", resolved, "/repo/").is_err(), "{resolved}");
    }
    insta::assert_snapshot!(refusal(check_resolved("docs/link", "/etc/passwd", "/repo")));
}

#[test]
fn s1_18_a_file_over_100_kb_is_refused_and_one_of_exactly_100_kb_is_not() {
    let full = vec![b'a'; FILE_LIMIT];
    assert!(judged("big.txt", &full).is_ok());
    let over = vec![b'a'; FILE_LIMIT + 1];
    insta::assert_snapshot!(refusal(judged("big.txt", &over)));
}

#[test]
fn s1_22_a_secret_name_is_refused_with_its_rule() {
    insta::assert_snapshot!(refusal(judged("app/.env.local", b"A=1")));
}

#[test]
fn a_secret_content_is_refused_by_line_and_never_shown() {
    let secret = ["AKIA", "2E4GQZ7XWVUT3MNO"].concat();
    let refusal = refusal(judged("a.py", format!("x = 1\ny = '{secret}'").as_bytes()));
    assert!(!refusal.contains(&secret));
    insta::assert_snapshot!(refusal);
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    insta::assert_snapshot!(refusal(judged("logo.png", b"\x89PNG\r\n")));
    assert!(matches!(judged("a.bin", b"ab\0c"), Err(Refused::NotText { at: 2, .. })));
}

#[test]
fn s1_19_and_s1_23_the_total_is_counted_locally_and_limited() {
    let file = |path: &str, tokens| Checked { path: path.to_owned(), tokens };
    let files = [file("a.md", 50_000), file("b.md", 150_000)];
    assert_eq!(check_total(&files, TOKEN_LIMIT), Ok(200_000));
    assert_eq!(check_total(&[], TOKEN_LIMIT), Ok(0));
    let files = [file("a.md", 50_001), file("b.md", 150_000)];
    insta::assert_snapshot!(refusal(check_total(&files, TOKEN_LIMIT)));
    let checked = judged("a.py", b"print('hello')\n").unwrap();
    assert!(checked.tokens > 3);
}

#[test]
fn s1_44_the_data_policy_names_the_agents_once_each() {
    let agents = ["claude", "codex", "claude"].map(ToOwned::to_owned);
    let policy = data_policy(&agents);
    assert!((4..=6).contains(&policy.lines().count()));
    insta::assert_snapshot!(policy);
    assert!(data_policy(&[]).contains("talks to no agent"));
}

// S0-2
#[test]
fn every_fault_of_a_task_is_named() {
    assert!(check_task("calc-7", "add is off", "").is_empty());
    let secret = ["AKIA", "2E4GQZ7XWVUT3MNO"].concat();
    let faults = check_task("a b", " ", &format!("see\n{secret}")).join("\n\n");
    assert!(!faults.contains(&secret));
    insta::assert_snapshot!(faults);
}

#[test]
fn an_id_is_made_from_the_description() {
    let id = |text: &str| task_id_from(text, TaskType::BugFix).0;
    assert_eq!(id("Parser fails on `a + b`!"), "parser-fails-on-a-b");
    assert_eq!(
        id("the quick brown fox jumps over the lazy dog again"),
        "the-quick-brown-fox-jumps-over-the-lazy"
    );
    assert_eq!(id(&"x".repeat(99)).len(), 40);
    // No Latin letter at all: still an id, and another one for another text.
    assert!(id("修复").starts_with("bug-fix-"));
    assert_ne!(id("修复"), id("修"));
}

#[test]
fn branch_names_follow_gits_rules() {
    for good in ["main", "feat/issue-7", "a.b", "ä/ö", "a@b", "feature/cycle-1"] {
        assert_eq!(valid_branch(good), Ok(()), "{good}");
    }
    for bad in [
        "", "@", "HEAD", "-a", "/a", "a/", "a//b", "a..b", ".a", "a/.b", "a.lock", "a.lock/b",
        "a.", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b", "a@{b", "a\x7fb", "a\nb",
    ] {
        assert!(valid_branch(bad).is_err(), "{bad:?}");
    }
    assert!(valid_branch(&"a".repeat(201)).is_err());
    insta::assert_snapshot!(valid_branch("my branch").unwrap_err());
}

proptest! {
    #[test]
    fn any_description_gives_an_id_that_git_takes(text in "\\PC{0,80}") {
        let id = task_id_from(&text, TaskType::Feature);
        prop_assert!(id.as_str().len() <= 40);
        prop_assert_eq!(valid_branch(id.as_str()), Ok(()));
    }

    #[test]
    fn no_accepted_path_climbs(path in "[a./\\\\]{0,12}") {
        if let Ok(normal) = check_path(&path) {
            prop_assert!(normal.split(['/', '\\']).all(|part| part != ".."));
        }
    }
}

#[test]
fn s1_49_all_context_together_has_one_limit_and_fails_before_anything_is_sent() {
    let file = |n: usize| Checked { path: format!("{n}.txt"), tokens: 50_000 };
    assert!(check_total(&[0, 1, 2, 3].map(file), TOKEN_LIMIT).is_ok());
    let refused = check_total(&[0, 1, 2, 3, 4].map(file), TOKEN_LIMIT).unwrap_err();
    assert!(
        refused.to_string().contains("250000 tokens together, 200000 are allowed"),
        "{refused}"
    );
}

#[test]
fn s1_62_the_policy_says_that_everything_stays_on_this_machine() {
    assert!(data_policy(&[]).contains("stay on this machine"));
}
