//! What only a person can say stops a run, also with `--yes`, until it is accepted with a reason.

use super::*;
use crate::concern::{Concern, Raised};
use crate::event::{Accept, Approver};

fn program() -> Raised {
    Raised::new(Concern::Executable, "run.sh can be executed now, and could not before")
}

/// A run with `--yes` whose audit raised something.
fn raised(brief: Brief, raised: Vec<Raised>) -> Story {
    let mut story = Story::begin(brief).play(&[Good; 7]);
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    let outcome = Outcome::Audited { findings: Vec::new(), notes: Vec::new(), raised };
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(1) }).unwrap();
    story.finish()
}

fn approve(accept: Option<(&[Concern], &str)>) -> Input {
    let accept = accept.map(|(kinds, why)| Accept { kinds: kinds.to_vec(), why: why.to_owned() });
    Input::Request(
        Request::Approve { shown: point("tidy-1").tree, rebase: OnRebase::Ask, accept },
        Millis(3),
    )
}

#[test]
fn yes_beforehand_is_none_to_what_a_person_must_see() {
    let mut story = raised(yes(TaskType::Feature), vec![program()]);
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert!(story.run.reason().contains("executable: run.sh"), "{}", story.run.reason());
    let plain = story.feed(&approve(None)).unwrap_err();
    assert!(matches!(&plain, Refusal::Unaccepted { raised } if *raised == [program()]));
    assert!(plain.to_string().contains("--accept executable --why"), "{plain}");
    let other = story.feed(&approve(Some((&[Concern::Unread], "because")))).unwrap_err();
    assert!(matches!(other, Refusal::NothingToAccept { kind: Concern::Unread, .. }));
    story.feed(&approve(Some((&[Concern::Executable], "it is the launcher")))).unwrap();
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Success);
    let taken =
        |e: &&Event| matches!(e, Event::Accepted { why, .. } if why == "it is the launcher");
    assert!(story.history.iter().any(|e| taken(&e)));
    assert_eq!(Run::replay(&story.history), Some(story.run));
}

#[test]
fn a_finding_alone_is_waived_of_the_tree_that_was_shown_and_the_rest_still_waits() {
    let large = Raised::new(Concern::LargeFile, "table.txt is larger than 1 MiB");
    let mut story = raised(yes(TaskType::Feature), vec![program(), large.clone()]);
    let waive = |tree: &str, finding: &Raised| {
        let (shown, finding, why) = (point(tree).tree, finding.clone(), "the launcher".to_owned());
        Input::Request(Request::Waive { shown, finding, why }, Millis(3))
    };
    let stale = story.feed(&waive("another", &program())).unwrap_err();
    assert!(matches!(stale, Refusal::StaleTree { .. }));
    let other = Raised::new(Concern::Executable, "other.sh can be executed now");
    let none = story.feed(&waive("tidy-1", &other)).unwrap_err();
    assert!(matches!(none, Refusal::NothingToAccept { .. }));
    story.feed(&waive("tidy-1", &program())).unwrap();
    assert_eq!(story.run.raised.open(), std::slice::from_ref(&large));
    let half = story.feed(&approve(None)).unwrap_err();
    assert!(matches!(&half, Refusal::Unaccepted { raised } if *raised == [large.clone()]));
    story.feed(&waive("tidy-1", &large)).unwrap();
    story.feed(&approve(None)).unwrap();
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Success);
    assert_eq!(Run::replay(&story.history), Some(story.run));
}

#[test]
fn what_the_base_accepts_beforehand_stops_nothing_and_is_told() {
    let mut brief = yes(TaskType::Feature);
    brief.rules.accepted.insert(Concern::Executable);
    let story = raised(brief, vec![program()]);
    assert_eq!(story.run.status(), Status::Success);
    let told = |e: &Event| matches!(e, Event::Audited { notes, .. } if notes[0].contains("accepted by [gates] accept"));
    assert!(story.history.iter().any(told));
    let by = |e: &Event| matches!(e, Event::Approved { by: Approver::Beforehand, .. });
    assert!(story.history.iter().any(by));
}

#[test]
fn what_was_accepted_stays_so_when_the_base_moves_and_not_when_the_work_goes_back() {
    let mut story = raised(yes(TaskType::Feature), vec![program()]);
    story.feed(&approve(Some((&[Concern::Executable], "the launcher")))).unwrap();
    let story = story.play(&[Bad, Good, Good]); // moved, rebased, green
    assert_eq!(story.run.raised.open(), []);
    let mut story = raised(yes(TaskType::Feature), vec![program()]);
    story.feed(&Input::Request(Request::SendBack { why: "no".to_owned() }, Millis(2))).unwrap();
    assert_eq!(story.run.raised.accepted, []);
}

#[test]
fn histories_without_such_findings_are_read_as_before() {
    let old = r#"{"event":"approval-asked","tree":"t","changed_tests":[]}"#;
    let event: Event = serde_json::from_str(old).unwrap();
    assert!(matches!(&event, Event::ApprovalAsked { raised, .. } if raised.is_empty()));
    assert_eq!(serde_json::to_string(&event).unwrap(), old);
    let asked: Request = serde_json::from_str(r#"{"request":"approve","shown":"t"}"#).unwrap();
    assert!(matches!(asked, Request::Approve { accept: None, .. }));
}
