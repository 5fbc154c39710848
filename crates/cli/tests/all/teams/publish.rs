//! A verdict on a host: a report that can be required, one comment, overrides that are bound to a commit.

use super::forge::{BOT, Fault, Forge, TOKEN};
use proctor_testkit::{Ran, TestEnv};
use serde_json::{Value, json};

const FIRST: &str = "1111111111111111111111111111111111111111";
const SECOND: &str = "2222222222222222222222222222222222222222";

#[derive(Clone, Copy)]
enum Way {
    GitHub,
    GitLab,
}

struct Job {
    env: TestEnv,
    forge: Forge,
    way: Way,
}

impl Job {
    fn new(way: Way) -> Self {
        Self { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")), forge: Forge::start(), way }
    }

    fn verdict(&self, commit: &str, verdict: &str) -> String {
        let finding = json!({"weight": "needs-person", "kind": "weak-tests", "text": "nothing notices this line", "place": {"file": "calc.py", "line": 7}});
        let answer = json!({
            "verdict": verdict, "reason": format!("the reason of {commit:.4}"), "base": "0".repeat(40), "head": commit,
            "checks": [{"name": "mutants", "status": "warn", "summary": "one", "details": [finding]}],
            "tests": {}, "took_ms": 5,
        });
        std::fs::write(self.env.user_home().join("verify.json"), answer.to_string()).unwrap();
        "verify.json".to_owned()
    }

    fn publish(&self, args: &[&str]) -> (Ran, Value) {
        let call = self.env.call(self.env.user_home()).args(&["publish", "--request", "7"]);
        let call = call.args(args).args(&["--format", "json"]).env("PROCTOR_HOST_PAUSE_MS", "1");
        let call = match self.way {
            Way::GitHub => call
                .env("GITHUB_SERVER_URL", "https://github.com")
                .env("GITHUB_REPOSITORY", "them/it")
                .env("GITHUB_API_URL", self.forge.url())
                .env("GH_TOKEN", TOKEN),
            Way::GitLab => call
                .env("CI_SERVER_URL", "https://gitlab.com")
                .env("CI_PROJECT_PATH", "them/it")
                .env("CI_API_V4_URL", self.forge.url())
                .env("GITLAB_TOKEN", TOKEN),
        };
        let ran = call.run();
        let told = serde_json::from_str(&ran.stdout).unwrap_or_default();
        assert!(!format!("{ran}").contains(TOKEN), "{ran}");
        (ran, told)
    }

    /// What a host that requires the report would go by, for a commit.
    fn state(&self, commit: &str) -> String {
        let state = self.forge.state();
        let of = |row: &&Value| row["head_sha"] == commit || row["sha"] == commit;
        let rows: Vec<&Value> = state.reports.iter().filter(of).collect();
        assert!(rows.len() <= 1, "{rows:?}");
        rows.first().map_or_else(String::new, |row| match self.way {
            Way::GitHub => row["conclusion"].as_str().unwrap_or("pending").to_owned(),
            Way::GitLab => row["state"].as_str().unwrap().to_owned(),
        })
    }

    fn comment(&self) -> String {
        let state = self.forge.state();
        let own: Vec<&Value> =
            state.comments.iter().filter(|row| row["user"]["login"] == BOT).collect();
        assert!(own.len() <= 1, "{own:?}");
        own.first().map_or_else(String::new, |row| row["body"].as_str().unwrap().to_owned())
    }
}

fn walk(way: Way) {
    let job = Job::new(way);
    let (failed, waits, passed) = match way {
        Way::GitHub => ("failure", "action_required", "success"),
        Way::GitLab => ("failed", "failed", "success"),
    };
    for n in 0..3 {
        job.forge.state().comment("ann", &format!("/proctor accept written before {n}"));
    }
    job.publish(&["--begin", "--commit", FIRST]).0.expect_code(0);
    assert!(matches!(job.state(FIRST).as_str(), "pending" | "running"));
    // Nobody came to an end: that is no pass.
    job.publish(&["verify.json", "--commit", FIRST]).0.expect_code(4);
    assert_eq!(job.state(FIRST), failed);
    let file = job.verdict(FIRST, "inconclusive");
    let (ran, told) = job.publish(&[&file, "--commit", FIRST]);
    assert_eq!(told["passed"], false, "{ran}");
    ran.expect_code(4);
    assert_eq!(job.state(FIRST), waits);
    assert!(
        job.comment().contains("About commit 1111111111")
            && job.comment().contains("the reason of 1111")
    );
    // A verdict about another commit is none about this one.
    job.publish(&[&file, "--commit", SECOND]).0.expect_code(4);
    assert_eq!(job.state(SECOND), failed);
    job.publish(&[&file, "--commit", FIRST]).0.expect_code(4);

    // Somebody without the right, then somebody with it.
    job.forge.state().comment("mallory", "/proctor accept trust me");
    job.publish(&[&file, "--commit", FIRST]).0.expect_code(4);
    job.forge.state().writers.push("ann".to_owned());
    job.publish(&[&file, "--commit", FIRST]).0.expect_code(4);
    job.forge.state().comment("ann", "/proctor accept it is <b>only</b> a log line");
    let (ran, told) = job.publish(&[&file, "--commit", FIRST]);
    assert_eq!(
        (&told["overridden_by"], &told["reason"]),
        (&"ann".into(), &"it is <b>only</b> a log line".into()),
        "{ran}"
    );
    ran.expect_code(0);
    assert_eq!(job.state(FIRST), passed);
    let comment = job.comment();
    assert!(
        comment.contains("Accepted by <code>ann</code>") && !comment.contains("<b>"),
        "{comment}"
    );

    // The next push: the old words say that they are old, and the override is gone.
    job.publish(&["--begin", "--commit", SECOND]).0.expect_code(0);
    let comment = job.comment();
    assert!(
        comment.contains("Not about the newest commit") && comment.contains("2222222222"),
        "{comment}"
    );
    let file = job.verdict(SECOND, "refuted");
    job.publish(&[&file, "--commit", SECOND]).0.expect_code(1);
    assert_eq!(job.state(SECOND), failed);
    assert!(!job.comment().contains("Accepted by"), "{}", job.comment());
    let file = job.verdict(SECOND, "proven");
    job.publish(&[&file, "--commit", SECOND]).0.expect_code(0);
    assert_eq!((job.state(SECOND).as_str(), job.state(FIRST).as_str()), (passed, passed));
}

#[test]
fn github_gets_one_report_a_commit_and_one_comment_and_an_override_is_gone_with_the_next_push() {
    walk(Way::GitHub);
}

#[test]
fn gitlab_gets_one_status_a_commit_and_one_note_and_an_override_is_gone_with_the_next_push() {
    walk(Way::GitLab);
}

#[test]
fn annotations_stand_at_the_lines_of_findings_and_troubles_of_the_host_make_nothing_twice() {
    let job = Job::new(Way::GitHub);
    for fault in [
        Fault { method: "POST", part: "/check-runs", status: 502, headers: "", done: true },
        Fault { method: "POST", part: "/comments", status: 500, headers: "", done: true },
        Fault { method: "GET", part: "/check-runs", status: 503, headers: "", done: false },
        Fault {
            method: "PATCH",
            part: "/check-runs",
            status: 429,
            headers: "Retry-After: 0\r\n",
            done: false,
        },
    ] {
        job.forge.trouble(fault);
    }
    let file = job.verdict(FIRST, "inconclusive");
    job.publish(&[&file, "--commit", FIRST]).0.expect_code(4);
    assert_eq!(job.state(FIRST), "action_required");
    assert!(job.comment().contains("nothing notices this line"), "{}", job.comment());
    let state = job.forge.state();
    let remark = &state.reports[0]["output"]["annotations"][0];
    assert_eq!(
        (&remark["path"], &remark["start_line"]),
        (&"calc.py".into(), &7.into()),
        "{remark}"
    );
    assert!(state.faults.is_empty(), "{:?}", state.faults);
}

#[test]
fn who_may_not_comment_still_reports_and_what_changed_since_is_not_accepted_by_an_answer() {
    let job = Job::new(Way::GitHub);
    let file = job.verdict(FIRST, "inconclusive");
    job.forge.trouble(Fault {
        method: "POST",
        part: "/comments",
        status: 403,
        headers: "",
        done: false,
    });
    let (ran, told) = job.publish(&[&file, "--commit", FIRST]);
    assert!(told["faults"].to_string().contains("comment could not be written"), "{ran}");
    assert_eq!(job.state(FIRST), "action_required");
    job.publish(&[&file, "--commit", FIRST]).0.expect_code(4);
    job.forge.state().requests = (1..=7)
        .map(|n| json!({"number": n, "state": "open", "merged_at": null, "head": {"sha": SECOND, "ref": "b"}, "base": {"ref": "main"}}))
        .collect();
    job.forge.state().writers.push("ann".to_owned());
    job.forge.state().comment("ann", "/proctor accept it is fine");
    // The request has another head by now than the one that was spoken of.
    job.publish(&["--again", "--commit", SECOND]).0.expect_code(0);
    assert_eq!(
        (job.state(SECOND), job.state(FIRST)),
        (String::new(), "action_required".to_owned())
    );
    for row in &mut job.forge.state().requests {
        row["head"]["sha"] = FIRST.into();
    }
    job.publish(&["--again", "--commit", FIRST]).0.expect_code(0);
    assert_eq!(job.state(FIRST), "success");
    assert!(
        job.comment().contains("nothing notices this line"),
        "what was measured is still there"
    );
}
