//! Landing as a pull or merge request, on hosts that are played here, with real git and the real `gh`.

use super::forge::{Fault, Forge, TOKEN};
use crate::rows::{Desk, ONCE, honest};
use proctor_testkit::{Call, missing};
use std::path::{Path, PathBuf};

pub(crate) struct Shared {
    pub(crate) desk: Desk,
    pub(crate) forge: Forge,
    /// What stands for the repository on the host.
    pub(crate) bare: PathBuf,
    pub(crate) vars: Vec<(&'static str, String)>,
}

impl Shared {
    pub(crate) fn new(host: &str, config: &str) -> Option<Self> {
        let desk = Desk::with(&format!("{ONCE}{config}"))?;
        let forge = Forge::start();
        let bare = desk.env.user_home().join("it.git");
        let url = format!("https://{host}/them/it.git");
        let path = bare.to_string_lossy().into_owned();
        desk.repo.git(&["clone", "--quiet", "--bare", ".", &path]);
        desk.repo.git(&["remote", "add", "origin", &url]);
        // What stands in the address is the host's; where git goes is here.
        let settings = format!("[url \"{path}\"]\n\tinsteadOf = {url}\n");
        std::fs::write(desk.env.user_home().join(".gitconfig"), settings).unwrap();
        let address = if host == "github.com" { "GITHUB_API_URL" } else { "CI_API_V4_URL" };
        let token = if host == "github.com" { "GH_TOKEN" } else { "GITLAB_TOKEN" };
        let vars = vec![
            (address, forge.url().to_owned()),
            (token, TOKEN.to_owned()),
            ("PROCTOR_HOST_PAUSE_MS", "1".to_owned()),
        ];
        Some(Self { desk, forge, bare, vars })
    }

    pub(crate) fn with(&self, call: Call) -> Call {
        self.vars.iter().fold(call, |call, (name, value)| call.env(name, value))
    }

    pub(crate) fn waiting(&self) -> String {
        let call =
            self.desk.call(&["add", "sub", "--no-refactor", "--land", "pr", "--format", "json"]);
        let ran = self.with(call).mock(&honest()).run();
        self.desk.told(ran).ends("AWAITING_APPROVAL", 3).run()
    }

    pub(crate) fn approve(&self, id: &str) -> crate::rows::Story {
        let call = self.desk.call(&["approve", id, "--format", "json"]);
        self.desk.told(self.with(call).run())
    }

    pub(crate) fn remote(&self, args: &[&str]) -> String {
        let dir = format!("--git-dir={}", self.bare.display());
        self.desk.repo.git(&[&[dir.as_str()], args].concat()).trim().to_owned()
    }
}

/// Everything in a folder, to be searched.
pub(crate) fn holds(dir: &Path, what: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(path) = todo.pop() {
        if path.is_dir() && !path.is_symlink() {
            todo.extend(std::fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path()));
        } else if std::fs::read(&path)
            .is_ok_and(|b| b.windows(what.len()).any(|w| w == what.as_bytes()))
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn proven_work_becomes_one_pull_request_with_its_proof_and_the_token_is_nowhere() {
    let Some(shared) = Shared::new("github.com", "") else { return };
    let id = shared.waiting();
    assert!(shared.forge.state().asked.is_empty(), "nothing is asked before the approval");
    let story = shared.approve(&id).ends("SUCCESS", 0);
    let landed = story.named("landed");
    let note = landed[0]["note"].as_str().unwrap();
    assert!(note.contains("pull request #1: https://github.com/them/it/pull/1"), "{note}");
    {
        let state = shared.forge.state();
        let [request] = state.requests.as_slice() else { panic!("{:?}", state.requests) };
        let body = request["body"].as_str().unwrap();
        assert!(body.contains("tests/test_sub.py::test_sub") && body.contains(&id), "{body}");
        assert_eq!(request["base"]["ref"], "main");
        let branch = request["head"]["ref"].as_str().unwrap();
        let pushed = shared.remote(&["rev-parse", branch]);
        assert_eq!(landed[0]["commit"], pushed.as_str());
        assert_eq!(shared.remote(&["rev-parse", &format!("{branch}^")]), shared.desk.repo.head());
    }
    // Nothing of the user's moved, and nobody but the host has the token.
    assert_eq!(shared.remote(&["rev-parse", "main"]), shared.desk.repo.head());
    assert_eq!(shared.desk.repo.git(&["status", "--porcelain"]), "");
    for place in [shared.desk.env.home(), shared.desk.repo.path(), &shared.bare] {
        assert_eq!(holds(place, TOKEN), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_base_that_moved_on_the_host_is_proven_again_before_anything_is_pushed() {
    let Some(shared) = Shared::new("gitlab.com", "[land]\ndraft = true\n") else { return };
    let id = shared.waiting();
    let other = tempfile::tempdir().unwrap();
    let folder = other.path().to_string_lossy().into_owned();
    shared.desk.repo.git(&["clone", "--quiet", &shared.bare.to_string_lossy(), &folder]);
    std::fs::write(other.path().join("README.md"), "# calc\n").unwrap();
    shared.desk.repo.git(&["-C", &folder, "add", "."]);
    shared.desk.repo.git(&[
        "-C",
        &folder,
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "commit",
        "--quiet",
        "-m",
        "readme",
    ]);
    shared.desk.repo.git(&["-C", &folder, "push", "--quiet"]);
    let moved = shared.remote(&["rev-parse", "main"]);
    let story = shared.approve(&id);
    assert_eq!(story.named("base-moved").len(), 1, "{}", story.ran);
    assert_eq!(story.named("green-proven").len(), 1, "{}", story.ran);
    story.ends("AWAITING_APPROVAL", 3);
    {
        let state = shared.forge.state();
        assert_eq!(state.requests.len(), 1, "{:?}", state.requests);
        assert!(state.requests[0]["title"].as_str().unwrap().starts_with("Draft: "));
    }
    let story = shared.approve(&id).ends("SUCCESS", 0);
    let note = story.named("landed")[0]["note"].as_str().unwrap().to_owned();
    assert!(
        note.contains("merge request #1: https://gitlab.com/them/it/-/merge_requests/1"),
        "{note}"
    );
    let state = shared.forge.state();
    assert!(!state.requests[0]["title"].as_str().unwrap().starts_with("Draft: "));
    let branch = state.requests[0]["source_branch"].as_str().unwrap().to_owned();
    assert_eq!(shared.remote(&["rev-parse", &format!("{branch}^")]), moved);
}

#[test]
fn whatever_the_host_does_there_is_one_request_and_a_death_between_two_calls_changes_nothing() {
    let Some(shared) = Shared::new("github.com", "") else { return };
    for fault in [
        Fault { method: "GET", part: "/pulls", status: 502, headers: "", done: false },
        Fault {
            method: "GET",
            part: "/pulls",
            status: 429,
            headers: "Retry-After: 0\r\n",
            done: false,
        },
        Fault {
            method: "POST",
            part: "/pulls",
            status: 403,
            headers: "Retry-After: 0\r\n",
            done: false,
        },
        // Done, and nobody heard of it.
        Fault { method: "POST", part: "/pulls", status: 504, headers: "", done: true },
    ] {
        shared.forge.trouble(fault);
    }
    let id = shared.waiting();
    let seen = shared.desk.env.user_home().join("points");
    let mut cuts = 0;
    let ran = loop {
        let verb = if cuts == 0 { "approve" } else { "resume" };
        let call = shared.with(shared.desk.call(&[verb, &id, "--format", "json"]));
        let ran = call.env("PROCTOR_CRASH_ONCE", &seen).run();
        if ran.code != 137 {
            break ran;
        }
        cuts += 1;
        assert!(cuts < 60, "it never ends");
    };
    let points = std::fs::read_to_string(&seen).unwrap();
    for point in ["before the push", "pushed", "before asking", "asked for"] {
        assert!(points.contains(point), "{point} is not in {points}");
    }
    shared.desk.told(ran);
    let state = shared.forge.state();
    assert_eq!(state.requests.len(), 1, "{cuts} cuts: {:?}", state.requests);
    assert!(state.faults.is_empty(), "{:?}", state.faults);
    let show = shared.desk.call(&["show", &id]).run().expect_code(0);
    assert!(show.stdout.contains("SUCCESS"), "{show}");
}

#[test]
fn a_token_that_is_over_and_a_branch_of_somebody_elses_stop_it_with_the_way_out() {
    let Some(mut shared) = Shared::new("github.com", "") else { return };
    let id = shared.waiting();
    shared.vars[1].1 = "ghp_over".to_owned();
    let story = shared.approve(&id).ends("BLOCKED", 4);
    let told = story.ran.stdout.clone();
    assert!(told.contains("Bad credentials") && told.contains("make a new one"), "{told}");
    assert!(!told.contains("ghp_over"), "{told}");
    shared.vars[1].1 = TOKEN.to_owned();
    let branch = format!("proctor/{id}");
    shared.remote(&["update-ref", &format!("refs/heads/{branch}"), &shared.desk.repo.head()]);
    let call = shared.with(shared.desk.call(&["resume", &id, "--format", "json"]));
    let story = shared.desk.told(call.run()).ends("BLOCKED", 4);
    assert!(story.ran.stdout.contains("this run did not put it there"), "{}", story.ran);
    shared.remote(&["update-ref", "-d", &format!("refs/heads/{branch}")]);
    let call = shared.with(shared.desk.call(&["resume", &id, "--format", "json"]));
    shared.desk.told(call.run()).ends("SUCCESS", 0);
}

#[test]
fn the_real_gh_makes_the_request_with_its_own_log_in() {
    if missing("gh") {
        return;
    }
    let Some(mut shared) = Shared::new("github.com", "") else { return };
    shared.vars = vec![
        ("GH_CONFIG_DIR", shared.forge.gh_config().to_string_lossy().into_owned()),
        ("GH_TOKEN", TOKEN.to_owned()),
        ("PROCTOR_HOST_PAUSE_MS", "1".to_owned()),
    ];
    let id = shared.waiting();
    shared.approve(&id).ends("SUCCESS", 0);
    assert_eq!(shared.forge.state().requests.len(), 1);
}
