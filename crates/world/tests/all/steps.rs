use crate::bench::{Bench, git, step};
use proctor_core::words::{CommitId, RunId};
use proctor_world::mirror::Mirror;
use proctor_world::shadow::Shadow;
use proctor_world::steps::{Move, Published, Steps};
use std::path::PathBuf;

/// A remote, and a run that works on its only commit.
struct Remote {
    bench: Bench,
    url: PathBuf,
    run: RunId,
    base: CommitId,
}

/// A machine with a disk of its own.
struct Machine {
    _disk: tempfile::TempDir,
    mirror: Mirror,
    shadow: Shadow,
}

fn remote() -> Remote {
    let bench = Bench::new();
    let base = bench.tip("main");
    let url = bench.temp.path().join("remote.git");
    bench.git(&["clone", "--quiet", "--bare", ".", url.to_str().unwrap()]);
    Remote { bench, url, run: RunId::new("r1"), base }
}

impl Remote {
    fn machine(&self) -> Machine {
        let disk = tempfile::tempdir().unwrap();
        let mirror = Mirror::open(disk.path(), self.url.to_str().unwrap()).unwrap();
        mirror.refresh(&self.run, &mirror.lock().unwrap()).unwrap();
        let shadow = Shadow::open(disk.path(), mirror.dir(), &self.base).unwrap();
        Machine { _disk: disk, mirror, shadow }
    }

    fn at(&self, name: &str) -> String {
        git(&self.url, &["rev-parse", name])
    }
}

impl Machine {
    fn steps<'a>(&'a self, remote: &'a Remote) -> Steps<'a> {
        Steps { shadow: &self.shadow, mirror: &self.mirror, run: &remote.run }
    }

    fn publish(&self, remote: &Remote, no: u32, facts: &str, moves: &[Move]) -> Published {
        let steps = self.steps(remote);
        let refused = steps.push(no, facts.as_bytes(), moves).unwrap();
        steps.settle(no, moves, refused).unwrap()
    }
}

#[test]
fn what_a_step_came_to_is_found_on_another_machine_with_every_commit_that_it_names() {
    let remote = remote();
    let (one, other) = (remote.machine(), remote.machine());
    let work = step(&one.shadow, &remote.base, "work", &[("t.txt", "test\n")], &[]);
    let tree = one.shadow.tree_of(&work).unwrap();
    let facts = format!("[{{\"commit\":\"{work}\"}},{{\"tree\":\"{tree}\"}}]");
    assert_eq!(one.publish(&remote, 1, &facts, &[]), Published::Done);

    other.mirror.refresh(&remote.run, &other.mirror.lock().unwrap()).unwrap();
    let steps = other.steps(&remote);
    steps.bring().unwrap();
    assert_eq!(steps.kept(1).unwrap().unwrap(), facts.as_bytes());
    assert_eq!(steps.kept(2).unwrap(), None);
    assert_eq!(other.shadow.tree_of(&work).unwrap(), tree);
}

#[test]
fn of_two_machines_that_carry_out_one_step_the_first_counts_and_both_learn_it() {
    let remote = remote();
    let (one, other) = (remote.machine(), remote.machine());
    assert_eq!(one.publish(&remote, 1, "[\"one\"]", &[]), Published::Done);
    let kept = Published::Before(b"[\"one\"]".to_vec());
    assert_eq!(other.publish(&remote, 1, "[\"other\"]", &[]), kept);
    assert_eq!(one.publish(&remote, 1, "[\"later\"]", &[]), kept, "its own, once more");
}

#[test]
fn a_landing_moves_the_branch_and_its_mark_together_or_neither() {
    let remote = remote();
    let (one, other) = (remote.machine(), remote.machine());
    let to = step(&one.shadow, &remote.base, "landing", &[("a.txt", "landed\n")], &[]);
    let landing = |to: &CommitId| {
        let (name, from) = ("refs/heads/main".to_owned(), Some(remote.base.clone()));
        [Move { name, from, to: to.clone() }]
    };
    assert_eq!(one.publish(&remote, 7, "[\"landed\"]", &landing(&to)), Published::Done);
    assert_eq!(remote.at("refs/heads/main"), to.as_str());

    // After a crash that nobody knows the end of: the same landing once more, from another machine.
    let again = step(&other.shadow, &remote.base, "landing again", &[("a.txt", "2\n")], &[]);
    let kept = Published::Before(b"[\"landed\"]".to_vec());
    assert_eq!(other.publish(&remote, 7, "[\"landed again\"]", &landing(&again)), kept);
    assert_eq!(remote.at("refs/heads/main"), to.as_str());

    // Another run that was proven against the old tip finds it moved, and leaves no mark.
    assert_eq!(other.publish(&remote, 8, "[\"landed\"]", &landing(&again)), Published::Moved);
    assert_eq!(
        remote.bench.git(&["ls-remote", remote.url.to_str().unwrap(), "refs/proctor/r1/8"]),
        ""
    );
}
