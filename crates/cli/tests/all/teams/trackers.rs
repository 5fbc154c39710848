//! Tasks that come from a tracker.

use super::forge::{Forge, TOKEN};
use crate::rows::{Desk, ONCE, honest};
use serde_json::json;

#[test]
fn an_issue_is_a_task_and_its_reproducer_is_offered_first() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let forge = Forge::start();
    let body = "Nothing subtracts.\n\n```python\nfrom calc import sub\n\ndef test_it():\n    assert sub(3, 1) == 2\n```\n";
    forge.state().issues.push(json!({"number": 12, "title": "sub is\nmissing", "body": body, "html_url": "https://github.com/them/it/issues/12"}));
    let call =
        desk.call(&["add", "--issue", "https://github.com/them/it/issues/12", "--no-refactor"]);
    let call = call.env("GITHUB_API_URL", forge.url()).env("GH_TOKEN", TOKEN);
    let story = desk.told(call.args(&["--format", "json"]).mock(&honest()).run());
    let story = story.ends("AWAITING_APPROVAL", 3);
    assert!(story.run().starts_with("issue-12"), "{}", story.run());
    let told = story.prompt("write_tests 1.1");
    for part in
        ["sub is missing", "Nothing subtracts.", "A test to begin with", "assert sub(3, 1) == 2"]
    {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let runs = desk.env.home().join("runs").join(story.run());
    assert!(
        !std::fs::read_to_string(runs.join("turns/0001/prompt.md"))
            .unwrap_or_default()
            .contains(TOKEN)
    );
    // By its number, on the host of the remote.
    desk.repo.git(&["remote", "add", "origin", "git@github.com:them/it.git"]);
    let call = desk.call(&["fix", "--issue", "#99"]).env("GITHUB_API_URL", forge.url());
    let ran = call.env("GH_TOKEN", TOKEN).run();
    assert!(ran.stderr.contains("no such thing") && ran.stderr.contains("issues/99"), "{ran}");
    assert_ne!(ran.code, 0);
    desk.call(&["fix", "--issue", "what"]).run().expect_code(2);
}
