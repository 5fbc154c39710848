//! The templates for code hosts as such a host runs them: each step of `action.yml` and each script of `ci/gitlab.yml` in a
//! shell, with the real `curl` and `jq`, and played hosts on this machine that keep what is said.

mod template;

use crate::teams::forge::{Forge, TOKEN};
use proctor_testkit::{RepoBuilder, TestEnv, missing};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use template::{Context, Step, scripts, steps};

const MARK: &str = "<!-- proctor verify -->";

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// A repository with a branch that changes a sentence, and one that changes code without a test.
fn repo() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("package.json", "{ \"name\": \"sum\", \"type\": \"module\" }\n")
        .file("sum.js", "export const sum = (a, b) => a + b;\n")
        .file(
            "sum.test.js",
            "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { sum } from './sum.js';\n\ntest('two', () => assert.equal(sum(1, 2), 3));\n",
        )
        .file("README.md", "Sums.\n")
        .commit("base");
    repo.git(&["checkout", "--quiet", "-b", "words"]);
    repo.file("README.md", "Sums of two numbers.\n").commit("words");
    repo.git(&["checkout", "--quiet", "-b", "code", "main"]);
    repo.file("sum.js", "export const sum = (a, b) => b + a;\n").commit("code");
    repo
}

fn shell(program: &str, args: &[&str], env: &TestEnv, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env_clear().envs(env.vars().iter().cloned());
    command
}

fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// One job that uses the action.
struct Job<'r> {
    repo: &'r RepoBuilder,
    env: TestEnv,
    host: &'r Forge,
    folder: tempfile::TempDir,
    context: Context,
    action: String,
}

impl<'r> Job<'r> {
    fn new(repo: &'r RepoBuilder, host: &'r Forge, branch: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut context = Context::default();
        for (name, value) in [
            ("comment", "true"),
            ("check", "true"),
            ("cache", "true"),
            ("sarif", "true"),
            ("allow-inconclusive", "false"),
        ] {
            context.set(&format!("inputs.{name}"), value);
        }
        for (name, value) in [
            ("inputs.binary", env!("CARGO_BIN_EXE_proctor")),
            ("inputs.args", "--budget\n2m"),
            ("github.token", TOKEN),
            ("always()", "true"),
            ("github.run_id", "1"),
            ("github.event.repository.default_branch", "main"),
            ("github.server_url", "https://github.com"),
            ("github.repository", "them/it"),
            ("github.event.pull_request.number", "7"),
            ("github.event.pull_request.title", "Docs only"),
            ("github.event.pull_request.base.sha", repo.git(&["rev-parse", "main"]).trim()),
            ("github.event.pull_request.head.sha", repo.git(&["rev-parse", branch]).trim()),
        ] {
            context.set(name, value);
        }
        Self { repo, env: TestEnv::new("git"), host, folder, context, action: file("action.yml") }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the steps; from the first that fails on only those that always run. How that one ended, or the last.
    fn run(&mut self) -> Output {
        let mut last: Option<Output> = None;
        for step in steps(&self.action) {
            // What another action does is not ours.
            let Some(script) = &step.run else { continue };
            if step.only_if.as_ref().is_some_and(|only| !self.context.holds(only)) {
                continue;
            }
            let failed = last.as_ref().is_some_and(|last| !last.status.success());
            if failed && !step.only_if.as_ref().is_some_and(|only| only.contains("always()")) {
                continue;
            }
            let out = self.step(&step, script);
            if !failed {
                last = Some(out);
            }
        }
        last.unwrap()
    }

    fn step(&mut self, step: &Step, script: &str) -> Output {
        let outputs = self.place("output");
        std::fs::write(&outputs, "").unwrap();
        let vars: BTreeMap<&String, String> =
            step.env.iter().map(|(name, value)| (name, self.context.filled(value))).collect();
        let flags = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
        let out = shell("bash", &flags, &self.env, self.repo.path())
            .env("GITHUB_OUTPUT", &outputs)
            .env("GITHUB_STEP_SUMMARY", self.place("summary"))
            .env("GITHUB_REPOSITORY", "them/it")
            .env("GITHUB_RUN_ID", "1")
            .env("GITHUB_RUN_ATTEMPT", "1")
            .env("RUNNER_TEMP", self.folder.path())
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("GITHUB_API_URL", self.host.url())
            .env("PROCTOR_HOST_PAUSE_MS", "1")
            .envs(vars)
            .output()
            .unwrap();
        if let Some(id) = &step.id {
            for line in std::fs::read_to_string(&outputs).unwrap().lines() {
                let (name, value) = line.split_once('=').unwrap();
                self.context.set(&format!("steps.{id}.outputs.{name}"), value);
            }
        }
        out
    }
}

impl Job<'_> {
    /// An event of another kind than a pull request.
    fn event(&mut self, values: &[(&str, &str)]) {
        for name in ["number", "base.sha", "head.sha"] {
            self.context.set(&format!("github.event.pull_request.{name}"), "");
        }
        for (name, value) in values {
            self.context.set(name, value);
        }
    }

    fn conclusion(&self, branch: &str) -> String {
        let commit = self.repo.git(&["rev-parse", branch]);
        let state = self.host.state();
        let of = |row: &&serde_json::Value| row["head_sha"] == commit.trim();
        let rows: Vec<_> = state.reports.iter().filter(of).collect();
        assert!(rows.len() <= 1, "{rows:?}");
        rows.first().and_then(|row| row["conclusion"].as_str()).unwrap_or_default().to_owned()
    }

    fn bodies(&self) -> Vec<String> {
        let state = self.host.state();
        state.comments.iter().map(|row| row["body"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn the_github_action_says_the_verdict_on_the_head_commit_and_keeps_one_comment() {
    if missing("jq") || missing("node") {
        return;
    }
    let (repo, host) = (repo(), Forge::start());
    host.state().comment("a-stranger", &format!("{MARK}\nall is well"));
    let mut job = Job::new(&repo, &host, "words");
    let out = job.run();
    assert!(out.status.success(), "{}", said(&out));
    assert!(said(&out).contains("verdict: unaffected (exit code 0)"), "{}", said(&out));
    let folder = PathBuf::from(job.context.get("steps.verify.outputs.folder"));
    for name in ["json", "md", "sarif", "xml", "html"] {
        assert!(folder.join(format!("verify.{name}")).exists(), "verify.{name}");
    }
    let sarif = std::fs::read_to_string(folder.join("scanning.sarif")).unwrap();
    assert!(sarif.contains("\"runs\""), "{sarif}");
    let summary = std::fs::read_to_string(job.place("summary")).unwrap();
    assert!(summary.contains("nothing to prove"), "{summary}");
    assert_eq!(job.conclusion("words"), "success");
    let bodies = job.bodies();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert!(bodies[1].contains("nothing to prove") && bodies[1].contains("About commit"));
    assert!(bodies[1].contains("| Docs only | **shown** |"), "{}", bodies[1]);

    let mut job = Job::new(&repo, &host, "code");
    let out = job.run();
    assert_eq!(out.status.code(), Some(4), "{}", said(&out));
    assert_eq!(job.conclusion("code"), "action_required");
    let bodies = job.bodies();
    assert_eq!(bodies.len(), 2, "the second look is put in the place of the first");
    assert!(bodies[1].contains("no test shows this change"), "{}", bodies[1]);
    assert!(bodies[1].contains("| Docs only | **contradicted** |"), "{}", bodies[1]);
    assert_eq!(bodies[0], format!("{MARK}\nall is well"), "a stranger's stays");

    // Somebody who may merge answers: nothing is run, and this commit passes.
    host.state().writers.push("ann".to_owned());
    host.state().comment("ann", "/proctor accept a test follows");
    let head = repo.git(&["rev-parse", "code"]);
    let request = serde_json::json!({"number": 7, "state": "open", "merged_at": null, "head": {"sha": head.trim(), "ref": "code"}, "base": {"ref": "main"}});
    host.state().requests = vec![request; 7];
    let mut job = Job::new(&repo, &host, "code");
    job.event(&[("github.event.comment.id", "3"), ("github.event.issue.number", "7")]);
    let out = job.run();
    assert!(out.status.success() && said(&out).contains("accepted by @ann"), "{}", said(&out));
    assert_eq!(job.conclusion("code"), "success");
}

#[test]
fn the_github_action_stands_in_a_merge_queue_and_knows_pushes_and_edits() {
    if missing("jq") || missing("node") {
        return;
    }
    let (repo, host) = (repo(), Forge::start());
    let [base, words, code] =
        ["main", "words", "code"].map(|branch| repo.git(&["rev-parse", branch]).trim().to_owned());
    let mut job = Job::new(&repo, &host, "words");
    job.event(&[
        ("github.event.merge_group.base_sha", &base),
        ("github.event.merge_group.head_sha", &words),
    ]);
    assert!(job.run().status.success());
    assert_eq!(job.conclusion("words"), "success");
    assert_eq!(job.bodies(), Vec::<String>::new(), "there is no request to comment on");
    // A push, and the first push of a branch.
    for before in [base.as_str(), "0000000000000000000000000000000000000000"] {
        repo.git(&["update-ref", "refs/remotes/origin/main", &base]);
        let mut job = Job::new(&repo, &host, "code");
        job.event(&[("github.event.before", before), ("github.event.after", &code)]);
        assert_eq!(job.run().status.code(), Some(4), "{before}");
        assert_eq!(job.conclusion("code"), "action_required");
    }
    // Edited: another base is another question.
    let mut job = Job::new(&repo, &host, "code");
    job.context.set("github.event.pull_request.base.sha", &words);
    let out = job.run();
    assert_eq!(out.status.code(), Some(4), "{}", said(&out));
    assert_eq!(job.conclusion("code"), "action_required");
}

#[test]
fn the_github_action_lets_inconclusive_pass_where_that_is_asked_for_and_needs_the_whole_history() {
    if missing("jq") || missing("node") {
        return;
    }
    let (repo, host) = (repo(), Forge::start());
    let mut job = Job::new(&repo, &host, "code");
    job.context.set("inputs.allow-inconclusive", "true");
    job.context.set("inputs.comment", "false");
    let out = job.run();
    assert!(
        out.status.success() && said(&out).contains("::warning::inconclusive"),
        "{}",
        said(&out)
    );
    assert_eq!((job.bodies(), job.conclusion("code")), (Vec::new(), "success".to_owned()));
    let mut job = Job::new(&repo, &host, "words");
    job.context.set("github.event.pull_request.base.sha", &"a".repeat(40));
    let out = job.run();
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert!(said(&out).contains("fetch-depth: 0"), "{}", said(&out));
    assert_eq!(job.conclusion("words"), "failure", "what came to no end has not passed");
}

/// A release with a proctor in it, below the address of a project; its digest.
fn release(project: &Path, version: &str) -> String {
    let (name, work) = ("proctor-x86_64-unknown-linux-gnu", tempfile::tempdir().unwrap());
    let folder = project.join(format!("releases/download/v{version}"));
    for made in [&folder, &work.path().join(name)] {
        std::fs::create_dir_all(made).unwrap();
    }
    let program = work.path().join(name).join("proctor");
    let text = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_proctor"));
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let archive = folder.join(format!("{name}.tar.gz"));
    let packed =
        Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(work.path()).arg(name).status();
    assert!(packed.unwrap().success());
    let told = Command::new("sha256sum").arg(&archive).output().unwrap().stdout;
    String::from_utf8(told).unwrap().split(' ').next().unwrap().to_owned()
}

/// A template as a release has it.
fn pinned(template: &str, version: &str, digest: &str) -> String {
    let text = file(template)
        .replace("PINNED_VERSION=\n", &format!("PINNED_VERSION={version}\n"))
        .replace("PINNED_SHA256=\n", &format!("PINNED_SHA256={digest}\n"));
    assert!(text.contains(digest), "{template} pins nothing");
    text
}

#[test]
fn the_github_action_of_a_release_takes_its_binary_and_no_other() {
    if missing("curl") || missing("node") {
        return;
    }
    let (repo, host) = (repo(), Forge::start());
    let server = tempfile::tempdir().unwrap();
    let digest = release(&server.path().join("them/it"), "1.2.3");
    for (digest, code) in [(digest, 0), ("0".repeat(64), 1)] {
        let mut job = Job::new(&repo, &host, "words");
        job.action = pinned("action.yml", "1.2.3", &digest);
        for (name, value) in [
            ("inputs.binary", ""),
            ("inputs.comment", "false"),
            ("github.server_url", &format!("file://{}", server.path().display())),
            ("github.action_path", "/nowhere"),
        ] {
            job.context.set(name, value);
        }
        let out = job.run();
        assert_eq!(out.status.code(), Some(code), "{}", said(&out));
        let words = if code == 0 { "verdict: unaffected" } else { "Nothing was installed" };
        assert!(said(&out).contains(words), "{}", said(&out));
    }
}

#[test]
fn the_gitlab_template_of_a_release_takes_its_binary_and_no_other() {
    if missing("curl") || missing("node") {
        return;
    }
    let repo = repo();
    let source = tempfile::tempdir().unwrap();
    let digest = release(source.path(), "1.2.3");
    for (digest, code, words) in
        [(digest, 0, "nothing to prove"), ("0".repeat(64), 1, "knows by its digest")]
    {
        let text = pinned("ci/gitlab.yml", "1.2.3", &digest);
        let env = TestEnv::new("git");
        let out = gitlab_job(&scripts(&text)["proctor-verify"], &env, &repo, "words")
            .env("PROCTOR_BINARY", "")
            .env("PROCTOR_SOURCE", format!("file://{}", source.path().display()))
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(code), "{}", said(&out));
        assert!(said(&out).contains(words), "{}", said(&out));
    }
}

/// Runs the script of a job of the GitLab template.
fn gitlab(job: &str, repo: &RepoBuilder, host: &Forge, branch: &str) -> Output {
    let env = TestEnv::new("git");
    let mut command = gitlab_job(&scripts(&file("ci/gitlab.yml"))[job], &env, repo, branch);
    let payload = env.user_home().join("payload");
    std::fs::write(&payload, ANSWERED).unwrap();
    command
        .env("TRIGGER_PAYLOAD", payload)
        .env("PROCTOR_HOST_PAUSE_MS", "1")
        .env("CI_API_V4_URL", host.url())
        .output()
        .unwrap()
}

/// A job of a merge request as the host starts it.
fn gitlab_job(script: &str, env: &TestEnv, repo: &RepoBuilder, branch: &str) -> Command {
    let mut command = shell("sh", &["-c", script], env, repo.path());
    command
        .env("CI_PROJECT_DIR", repo.path())
        .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", repo.git(&["rev-parse", "main"]).trim())
        .env("CI_COMMIT_SHA", repo.git(&["rev-parse", branch]).trim())
        .env("PROCTOR_BINARY", env!("CARGO_BIN_EXE_proctor"))
        .env("PROCTOR_ARGS", "--budget 2m")
        .env("PROCTOR_ALLOW_INCONCLUSIVE", "false")
        .env("PROCTOR_TOKEN", TOKEN)
        .env("CI_SERVER_URL", "https://gitlab.com")
        .env("CI_PROJECT_PATH", "them/it")
        .env("CI_MERGE_REQUEST_IID", "7");
    command
}

/// As GitLab tells a webhook of a comment on a merge request.
const ANSWERED: &str = r#"{"object_kind": "note", "object_attributes": {"note": "/proctor accept it is the same sum"}, "merge_request": {"iid": 7}}"#;

#[test]
fn the_gitlab_template_says_the_verdict_keeps_one_note_and_hears_who_accepts() {
    if missing("curl") || missing("node") {
        return;
    }
    let (repo, host) = (repo(), Forge::start());
    let mark = "<!-- proctor verify";
    host.state().comment("a-stranger", &format!("{mark} x y proven -->\nall is well"));
    host.state().checks = vec![json!({"id": 3, "name": "proctor"}), json!({"id": 4, "name": "x"})];
    let state = |branch: &str| {
        let (head, state) = (repo.git(&["rev-parse", branch]), host.state());
        let rows = state.reports.iter().filter(|row| row["sha"] == head.trim());
        let rows: Vec<&str> = rows.map(|row| row["state"].as_str().unwrap()).collect();
        let answers: Vec<(u64, String)> = state
            .answers
            .iter()
            .filter(|row| row["sha"] == head.trim())
            .map(|row| {
                (row["external_status_check_id"].as_u64().unwrap(), row["status"].to_string())
            })
            .collect();
        assert!(rows.len() == 1 && answers.iter().all(|(id, _)| *id == 3), "{rows:?} {answers:?}");
        (rows[0].to_owned(), answers.last().unwrap().1.clone())
    };
    for (branch, code, words) in
        [("words", 0, "nothing to prove"), ("code", 4, "no test shows this change")]
    {
        let out = gitlab("proctor-verify", &repo, &host, branch);
        assert_eq!(out.status.code(), Some(code), "{}", said(&out));
        for name in ["json", "md", "xml", "html"] {
            assert!(repo.path().join(format!("proctor-verify/verify.{name}")).exists(), "{name}");
        }
        let out = gitlab("proctor-note", &repo, &host, branch);
        assert!(out.status.success(), "{}", said(&out));
        let told = if code == 0 { ("success", "\"passed\"") } else { ("failed", "\"failed\"") };
        assert_eq!(state(branch), (told.0.to_owned(), told.1.to_owned()));
        let state = host.state();
        let body = state.comments[1]["body"].as_str().unwrap();
        assert!(
            state.comments.len() == 2 && body.starts_with(mark) && body.contains(words),
            "{body}"
        );
    }
    // Somebody without the right answers, then somebody with it.
    let head = repo.git(&["rev-parse", "code"]).trim().to_owned();
    host.state().requests =
        (1..=7).map(|n| json!({"iid": n, "sha": head, "state": "opened"})).collect();
    host.state().comment("ann", "/proctor accept it is the same sum");
    let out = gitlab("proctor-accept", &repo, &host, "code");
    assert_eq!(
        (out.status.code(), state("code").0.as_str()),
        (Some(4), "failed"),
        "{}",
        said(&out)
    );
    host.state().writers.push("ann".to_owned());
    let out = gitlab("proctor-accept", &repo, &host, "code");
    assert!(out.status.success(), "{}", said(&out));
    assert_eq!(state("code"), ("success".to_owned(), "\"passed\"".to_owned()));
    assert!(host.state().comments[1]["body"].as_str().unwrap().contains("Accepted by"));
}
