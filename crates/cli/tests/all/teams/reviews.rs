//! A review on the host is the approval: drafts, the commit that it is bound to, bases that move, deaths between two calls.

use super::forge::{Fault, TOKEN};
use super::requests::{Shared, holds};
use proctor_testkit::missing;
use std::path::PathBuf;

const BY_REVIEW: &str = "[land]\napprove_by = \"pr-review\"\ndraft = true\n";

impl Shared {
    /// A run that waits for a review of its request.
    fn offered(host: &str) -> Option<(Self, String)> {
        let shared = Self::new(host, BY_REVIEW)?;
        shared.forge.state().bare = Some(shared.bare.clone());
        shared.forge.state().writers.push("ann".to_owned());
        let id = shared.waiting();
        Some((shared, id))
    }

    fn look(&self, id: &str) -> crate::rows::Story {
        let call = self.desk.call(&["resume", id, "--format", "json"]);
        self.desk.told(self.with(call).run())
    }

    fn is_draft(&self) -> bool {
        let state = self.forge.state();
        assert_eq!(state.requests.len(), 1, "{:?}", state.requests);
        state.requests[0]["draft"] == true
    }

    fn push_onto_main(&self, file: &str) {
        let other = tempfile::tempdir().unwrap();
        let folder = other.path().to_string_lossy().into_owned();
        self.desk.repo.git(&["clone", "--quiet", &self.bare.to_string_lossy(), &folder]);
        std::fs::write(other.path().join(file), "# calc\n").unwrap();
        self.desk.repo.git(&["-C", &folder, "add", "."]);
        let who = ["-c", "user.name=A", "-c", "user.email=a@b"];
        let commit = [&["-C", &folder][..], &who, &["commit", "--quiet", "-m", "more"]].concat();
        self.desk.repo.git(&commit);
        self.desk.repo.git(&["-C", &folder, "push", "--quiet"]);
    }
}

#[test]
fn a_draft_waits_until_somebody_who_may_merge_approved_the_proven_commit() {
    let Some((shared, id)) = Shared::offered("github.com") else { return };
    assert!(shared.is_draft());
    let refused = shared.with(shared.desk.call(&["approve", &id])).run().expect_code(3);
    assert!(refused.stderr.contains("approve_by = \"pr-review\""), "{refused}");
    assert!(refused.stderr.contains("pull request #1"), "{refused}");
    let waits = |why: &str| {
        let story = shared.look(&id).ends("AWAITING_APPROVAL", 3);
        assert!(story.ran.stdout.contains(why), "{why} is not in {}", story.ran);
        assert!(shared.is_draft());
    };
    waits("nobody approved it there yet");
    shared.forge.state().review("mallory", "APPROVED", "");
    waits("mallory looked at it and may not merge here");
    shared.forge.state().review("ann", "CHANGES_REQUESTED", "");
    waits("ann asks for changes");
    shared.forge.state().review("ann", "APPROVED", "");
    let story = shared.look(&id).ends("SUCCESS", 0);
    assert_eq!(story.named("reviewed")[0]["by"][0], "ann");
    assert!(!shared.is_draft(), "approved work is no draft");
    let landed = story.named("landed")[0]["commit"].as_str().unwrap().to_owned();
    let state = shared.forge.state();
    assert_eq!(state.reviews.last().unwrap()["commit_id"], landed.as_str());
    let branch = state.requests[0]["head"]["ref"].as_str().unwrap();
    assert_eq!(shared.remote(&["rev-parse", branch]), landed);
    for place in [shared.desk.env.home(), shared.desk.repo.path(), &shared.bare] {
        assert_eq!(holds(place, TOKEN), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_base_that_moves_makes_a_review_one_of_an_older_commit() {
    for host in ["github.com", "gitlab.com"] {
        let Some((shared, id)) = Shared::offered(host) else { return };
        shared.forge.state().review("ann", "APPROVED", "");
        shared.push_onto_main("README.md");
        let moved = shared.remote(&["rev-parse", "main"]);
        let story = shared.look(&id).ends("AWAITING_APPROVAL", 3);
        assert_eq!(story.named("green-proven").len(), 1, "{}", story.ran);
        let state = shared.forge.state();
        let row = &state.requests[0];
        let branch = row["head"]["ref"].as_str().or(row["source_branch"].as_str()).unwrap();
        assert_eq!(shared.remote(&["rev-parse", &format!("{branch}^")]), moved, "{host}");
        drop(state);
        let story = shared.look(&id).ends("AWAITING_APPROVAL", 3);
        assert!(story.ran.stdout.contains("ann approved an older commit"), "{}", story.ran);
        shared.forge.state().reviews.clear();
        shared.forge.state().review("ann", "APPROVED", "");
        shared.look(&id).ends("SUCCESS", 0);
        assert!(!shared.is_draft());
    }
}

#[test]
fn a_push_of_somebody_elses_onto_the_branch_is_not_what_was_proven() {
    let Some((shared, id)) = Shared::offered("gitlab.com") else { return };
    let branch = format!("proctor/{id}");
    let proven = shared.remote(&["rev-parse", &branch]);
    shared.remote(&["update-ref", &format!("refs/heads/{branch}"), &shared.desk.repo.head()]);
    shared.forge.state().review("ann", "APPROVED", "");
    let story = shared.look(&id).ends("AWAITING_APPROVAL", 3);
    assert!(story.ran.stdout.contains("which nobody proved"), "{}", story.ran);
    shared.remote(&["update-ref", &format!("refs/heads/{branch}"), &proven]);
    shared.forge.state().reviews.clear();
    shared.forge.state().review("ann", "APPROVED", "");
    shared.look(&id).ends("SUCCESS", 0);
}

#[test]
fn whatever_the_host_does_and_wherever_it_dies_there_is_one_request_and_one_landing() {
    let Some(shared) = Shared::new("github.com", BY_REVIEW) else { return };
    shared.forge.state().bare = Some(shared.bare.clone());
    shared.forge.state().writers.push("ann".to_owned());
    for fault in [
        Fault { method: "POST", part: "/pulls", status: 504, headers: "", done: true },
        Fault { method: "POST", part: "/graphql", status: 502, headers: "", done: true },
        Fault { method: "GET", part: "/reviews", status: 503, headers: "", done: false },
    ] {
        shared.forge.trouble(fault);
    }
    let seen = shared.desk.env.user_home().join("points");
    let add = ["add", "sub", "--no-refactor", "--land", "pr", "--format", "json", "--id", "cut"];
    let mut call = shared.with(shared.desk.call(&add)).mock(&crate::rows::honest());
    let mut cuts = 0;
    let mut reviewed = false;
    loop {
        let ran = call.env("PROCTOR_CRASH_ONCE", &seen).run();
        cuts += u32::from(ran.code == 137);
        assert!(cuts < 120, "it never ends: {ran}");
        if ran.code == 0 {
            break;
        }
        if ran.code == 3 && !reviewed {
            shared.forge.state().review("ann", "APPROVED", "");
            reviewed = true;
        } else {
            assert!(matches!(ran.code, 3 | 137), "{ran}");
        }
        call = shared.with(shared.desk.call(&["resume", "--format", "json"]));
        call = call.mock(&crate::rows::honest());
    }
    let points = std::fs::read_to_string(&seen).unwrap();
    for point in
        ["before looking for a review", "looked for a review", "before asking", "asked for"]
    {
        assert!(points.contains(point), "{point} is not in {points}");
    }
    assert!(!shared.is_draft());
    let state = shared.forge.state();
    assert!(state.faults.is_empty(), "{:?}", state.faults);
    for place in [shared.desk.env.home(), shared.desk.repo.path(), &shared.bare] {
        assert_eq!(holds(place, TOKEN), Vec::<PathBuf>::new());
    }
}

#[test]
fn the_real_gh_makes_a_draft_ready() {
    if missing("gh") {
        return;
    }
    let Some(mut shared) = Shared::new("github.com", BY_REVIEW) else { return };
    shared.vars = vec![
        ("GH_CONFIG_DIR", shared.forge.gh_config().to_string_lossy().into_owned()),
        ("GH_TOKEN", TOKEN.to_owned()),
        ("PROCTOR_HOST_PAUSE_MS", "1".to_owned()),
    ];
    shared.forge.state().bare = Some(shared.bare.clone());
    shared.forge.state().writers.push("ann".to_owned());
    let id = shared.waiting();
    assert!(shared.is_draft());
    shared.forge.state().review("ann", "APPROVED", "");
    shared.look(&id).ends("SUCCESS", 0);
    assert!(!shared.is_draft());
}

#[test]
fn nobody_can_say_yes_beforehand_where_reviews_decide() {
    let Some(shared) = Shared::new("github.com", BY_REVIEW) else { return };
    for (flags, told) in [
        (&["--land", "pr", "--yes"][..], "leave out --yes"),
        (&["--land", "squash"][..], "needs a request that can be reviewed"),
    ] {
        let call = shared.desk.call(&[&["add", "sub"], flags].concat());
        let ran = shared.with(call).mock(&crate::rows::honest()).run().expect_code(2);
        assert!(ran.stderr.contains(told), "{ran}");
    }
    assert!(shared.forge.state().asked.is_empty());
}

mod slow {
    use super::*;

    /// Distributions have had `glab` for a short time only.
    #[test]
    fn the_real_glab_makes_the_request_and_hears_the_review_with_its_own_log_in() {
        if std::process::Command::new("glab").arg("version").output().is_err() {
            println!("skipped: glab is not here");
            return;
        }
        let Some(mut shared) = Shared::new("gitlab.com", BY_REVIEW) else { return };
        shared.vars = vec![
            ("GLAB_CONFIG_DIR", shared.forge.glab_config().to_string_lossy().into_owned()),
            ("PROCTOR_HOST_PAUSE_MS", "1".to_owned()),
        ];
        shared.forge.state().bare = Some(shared.bare.clone());
        shared.forge.state().writers = ["x", "y", "ann"].map(str::to_owned).to_vec();
        let id = shared.waiting();
        assert!(shared.is_draft());
        shared.look(&id).ends("AWAITING_APPROVAL", 3);
        shared.forge.state().review("ann", "APPROVED", "");
        shared.look(&id).ends("SUCCESS", 0);
        assert!(!shared.is_draft());
        for place in [shared.desk.env.home(), shared.desk.repo.path(), &shared.bare] {
            assert_eq!(holds(place, TOKEN), Vec::<PathBuf>::new());
        }
    }
}
