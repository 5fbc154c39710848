use super::*;
use crate::turn::Chance;

fn suspect(text: &str, severity: &str, files: &[&str]) -> Suspect {
    Suspect {
        short_description: text.to_owned(),
        details: format!("details of {text}"),
        severity: severity.to_owned(),
        relevant_files: files.iter().map(|file| (*file).to_owned()).collect(),
    }
}

fn book(facts: &[HuntEvent]) -> Notebook {
    Notebook::replay(facts.iter().map(|event| (event, Millis(7))))
}

fn began() -> HuntEvent {
    HuntEvent::HuntBegan { hunt: 1 }
}

fn queued(paths: &[&str]) -> HuntEvent {
    HuntEvent::EntrypointsAdded {
        entrypoints: paths.iter().map(|path| (*path).to_owned()).collect(),
        by: FoundBy::Scout,
        reasoning: String::new(),
    }
}

fn scouted(before: &Notebook, entry: &str, suspects: &[Suspect]) -> Notebook {
    let mut book = before.clone();
    for event in before.scouting(entry, suspects, "looked around") {
        book.fold(&event, Millis(9));
    }
    book
}

fn classified(id: &str, approach: Approach) -> HuntEvent {
    HuntEvent::BugClassified {
        id: id.to_owned(),
        approach,
        chance: Chance::Easy,
        reasoning: "call it".to_owned(),
    }
}

fn ended(id: &str, status: Status, rejections: &[&str]) -> HuntEvent {
    HuntEvent::BugRunEnded {
        id: id.to_owned(),
        run: RunId::new("r-1"),
        result: TddResult {
            task_id: id.to_owned(),
            status,
            test_file_path: None,
            notes: "the notes".to_owned(),
            rejection_history: rejections.iter().map(|why| (*why).to_owned()).collect(),
        },
        reason: "why it ended".to_owned(),
        notes: Box::new(RunNotes {
            fix_description: "changed a sign".to_owned(),
            review: "looks right".to_owned(),
            micro_usd: 30,
            ..RunNotes::default()
        }),
        message: HuntEvent::complete(id, status),
    }
}

#[test]
fn s2_11_entry_points_are_queued_once_and_in_order() {
    let book = book(&[began(), queued(&["b.py", "a.py"]), queued(&["a.py", "c.py"])]);
    assert_eq!(book.to_scout().collect::<Vec<_>>(), ["b.py", "a.py", "c.py"]);
    assert!(!book.is_at_a_loss());
}

#[test]
fn s2_12_an_entry_point_is_popped_when_its_result_is_recorded() {
    let book = scouted(&book(&[began(), queued(&["a.py", "b.py"])]), "a.py", &[]);
    assert_eq!(book.to_scout().collect::<Vec<_>>(), ["b.py"]);
    assert_eq!(book.scouted[0].summary, "looked around");
}

#[test]
fn s2_13_s2_14_the_program_gives_ids_and_the_first_status() {
    let first = scouted(
        &book(&[began()]),
        "a.py",
        &[suspect("one", "HIGH", &[]), suspect("two", "high", &[])],
    );
    let both = scouted(&first, "b.py", &[suspect("three", "CRITICAL", &[])]);
    let ids: Vec<&str> = both.bugs.iter().map(|bug| bug.id.as_str()).collect();
    assert_eq!(ids, ["bug-1", "bug-2", "bug-3"]);
    assert!(
        both.bugs
            .iter()
            .all(|bug| bug.status == BugStatus::Suspected && bug.created_at == Millis(9))
    );
    assert_eq!(both.to_classify().count(), 3);
}

#[test]
fn a_suspect_that_is_not_severe_stays_in_the_notebook_with_its_reason() {
    let book = scouted(&book(&[began()]), "a.py", &[suspect("one", "LOW", &[])]);
    assert_eq!(book.to_classify().count(), 0);
    assert!(book.bugs[0].reason.contains("\"LOW\""), "{}", book.bugs[0].reason);
}

#[test]
fn the_same_text_as_a_known_or_rejected_bug_is_shown_as_a_duplicate() {
    let mut one = scouted(&book(&[began()]), "a.py", &[suspect("Sum is wrong", "HIGH", &["a.py"])]);
    one.fold(
        &HuntEvent::BugRejected { id: "bug-1".to_owned(), why: "as documented".to_owned() },
        Millis(1),
    );
    let suspects =
        [suspect("sum is wrong!", "HIGH", &["a.py"]), suspect("sum is wrong", "HIGH", &["b.py"])];
    let book = scouted(&one, "b.py", &suspects);
    assert_eq!(book.bugs[1].status, BugStatus::Duplicate);
    assert_eq!(book.bugs[1].duplicate_of.as_deref(), Some("bug-1"));
    assert_eq!(book.bugs[1].reason, "the same text as bug-1 (REJECTED)");
    assert_eq!(book.bugs[2].status, BugStatus::Suspected, "it is about another file");
}

#[test]
fn s2_15_s0_41_a_bug_in_analysis_that_a_unit_test_can_show_is_picked() {
    let suspects = ["one", "two", "three"].map(|text| suspect(text, "HIGH", &[]));
    let mut book = scouted(&book(&[began()]), "a.py", &suspects);
    book.fold(&classified("bug-1", Approach::Manual), Millis(1));
    book.fold(&classified("bug-2", Approach::UnitTest), Millis(1));
    let picked: Vec<&str> =
        book.to_pursue(Outlook::Fix).iter().map(|bug| bug.id.as_str()).collect();
    assert_eq!(picked, ["bug-2"]);
    let bug = book.bug("bug-2").unwrap();
    assert_eq!(
        (bug.status, bug.reproducibility_chance),
        (BugStatus::InAnalysis, Some(Chance::Easy))
    );
    assert!(book.bug("bug-1").unwrap().reason.contains("MANUAL"));
}

#[test]
fn s0_44_s0_45_the_end_of_a_run_sets_the_status_and_keeps_every_other_field() {
    let mut before = scouted(&book(&[began()]), "a.py", &[suspect("one", "HIGH", &["a.py"])]);
    before.fold(&classified("bug-1", Approach::UnitTest), Millis(1));
    for (status, after) in [
        (Status::Success, BugStatus::Solved),
        (Status::Discarded, BugStatus::Discarded),
        (Status::MaxAttemptsReached, BugStatus::NeedsManualReview),
        (Status::Failed, BugStatus::InAnalysis),
        (Status::Blocked, BugStatus::InAnalysis),
        (Status::AgentError, BugStatus::InAnalysis),
    ] {
        let mut book = before.clone();
        book.fold(&ended("bug-1", status, &[]), Millis(1));
        let (was, is) = (before.bug("bug-1").unwrap(), book.bug("bug-1").unwrap());
        assert_eq!(is.status, after, "{status}");
        assert_eq!(is.reason, "why it ended");
        let kept = |bug: &Bug| Bug {
            status: was.status,
            reason: String::new(),
            run_status: None,
            micro_usd: 0,
            sections: Vec::new(),
            ..bug.clone()
        };
        assert_eq!(kept(is), kept(was));
        assert!(
            book.to_pursue(Outlook::Fix).is_empty(),
            "{status}: it is not tried again by itself"
        );
    }
}

#[test]
fn s0_46_s0_47_s0_48_the_result_is_appended_with_the_history_of_rejections_and_told() {
    let mut book = scouted(&book(&[began()]), "a.py", &[suspect("one", "HIGH", &[])]);
    book.fold(&classified("bug-1", Approach::UnitTest), Millis(1));
    book.fold(
        &ended("bug-1", Status::MaxAttemptsReached, &["too wide", "still\ntoo wide"]),
        Millis(1),
    );
    let bug = book.bug("bug-1").unwrap();
    let titles: Vec<&str> = bug.sections.iter().map(|section| section.title).collect();
    assert_eq!(titles, ["Classification Summary", "Fix Notes", "Review Notes", "TDD Result"]);
    let text = crate::hunt::page(bug).join("\n");
    assert!(text.starts_with("# bug-1: one\n"), "{text}");
    assert!(text.contains("details of one"), "{text}");
    assert!(
        text.contains("## TDD Result\n\n- status: MAX_ATTEMPTS_REACHED\n\nthe notes"),
        "{text}"
    );
    assert!(text.contains("Rejection history:\n\n- too wide\n- still\n  too wide"), "{text}");
    assert_eq!(book.messages, ["bug-1 TDD complete: MAX_ATTEMPTS_REACHED"]);
    let mut plain = scouted(&Notebook::default(), "a.py", &[suspect("one", "HIGH", &[])]);
    plain.fold(&ended("bug-1", Status::Success, &[]), Millis(1));
    assert!(!crate::hunt::page(plain.bug("bug-1").unwrap()).join("").contains("Rejection history"));
}

#[test]
fn s2_17_s2_19_a_run_that_wrote_code_makes_a_fix_record_that_its_end_brings_up_to_date() {
    let mut book = scouted(&book(&[began()]), "a.py", &[suspect("one", "HIGH", &[])]);
    book.fold(&ended("bug-1", Status::AwaitingApproval, &[]), Millis(3));
    assert_eq!((book.fixes.len(), book.fixes[0].status.as_str()), (1, "READY_FOR_REVIEW"));
    book.fold(&ended("bug-1", Status::Success, &["no"]), Millis(4));
    assert_eq!((book.fixes.len(), book.fixes[0].status.as_str()), (1, "SOLVED"));
    assert_eq!(book.fixes[0].created_at, Millis(3));
    assert_eq!(book.fixes[0].rejection_reasons, ["no"]);
    assert_eq!(book.micro_usd(), 30, "a cost counts once");
}

#[test]
fn s2_22_the_files_hold_what_the_notebook_holds() {
    let mut book = scouted(
        &book(&[began(), queued(&["a.py", "b.py"])]),
        "a.py",
        &[suspect("one", "HIGH", &["a.py"])],
    );
    book.fold(&ended("bug-1", Status::Success, &[]), Millis(3));
    let bug = &crate::hunt::bugs_json(&book)["bugs"][0];
    for (key, value) in [
        ("id", "bug-1"),
        ("short_description", "one"),
        ("severity", "HIGH"),
        ("status", "SOLVED"),
        ("details_file", "bugs/bug-1.md"),
    ] {
        assert_eq!(bug[key], value);
    }
    assert_eq!(bug["created_at"], 9);
    assert_eq!(crate::hunt::fixes_json(&book)["fixes"][0]["bug_id"], "bug-1");
    let entries = crate::hunt::entrypoints_json(&book);
    assert_eq!(entries["entrypoints"], serde_json::json!(["b.py"]));
    assert_eq!(entries["scouted"][0]["path"], "a.py");
}

#[test]
fn a_proof_at_the_same_place_or_with_the_same_assertion_is_no_news() {
    let suspects = [("one", "a.py"), ("two", "a.py"), ("three", "b.py")]
        .map(|(text, file)| suspect(text, "HIGH", &[file]));
    let mut book = scouted(&book(&[began()]), "a.py", &suspects);
    let seen = |place: Option<&str>, assertion: &str| Sighting {
        place: place.map(str::to_owned),
        assertion: assertion.to_owned(),
        ..Sighting::default()
    };
    let proven = HuntEvent::BugProven {
        id: "bug-1".to_owned(),
        sighting: Box::new(seen(Some("a.py:3"), "assert f() == 1")),
    };
    book.fold(&proven, Millis(1));
    assert_eq!(book.same_as("bug-2", &seen(Some("a.py:3"), "")).unwrap().0, "bug-1");
    assert_eq!(book.same_as("bug-2", &seen(None, "assert  f() == 1")).unwrap().0, "bug-1");
    assert_eq!(book.same_as("bug-2", &seen(Some("a.py:4"), "assert f() == 2")), None);
    assert_eq!(book.same_as("bug-3", &seen(None, "assert f() == 1")), None, "another file");
    book.fold(&HuntEvent::BugRetried { id: "bug-2".to_owned() }, Millis(1));
    assert_eq!(book.same_as("bug-2", &seen(Some("a.py:3"), "")), None, "a person wants it");
}

#[test]
fn turns_are_counted_in_each_hunt_and_what_failed_is_tried_in_the_next() {
    let usage = Usage { micro_usd: 5, ..Usage::default() };
    let failed =
        HuntEvent::ErrandEnded { phase: Phase::Scout, usage, fault: Some("no object".to_owned()) };
    let why = "no object".to_owned();
    let mut book = book(&[
        began(),
        queued(&["a.py", "b.py"]),
        failed,
        HuntEvent::EntrypointFailed { entrypoint: "a.py".to_owned(), why },
    ]);
    assert_eq!((book.attempt(Phase::Scout), book.micro_usd()), (2, 5));
    assert_eq!(book.to_scout().collect::<Vec<_>>(), ["b.py"]);
    assert_eq!(book.not_added(&["a.py".to_owned(), "c.py".to_owned()]), ["c.py"]);
    book.fold(&HuntEvent::HuntEnded { hunt: 1, why: String::new() }, Millis(1));
    book.fold(&HuntEvent::HuntBegan { hunt: 2 }, Millis(1));
    assert_eq!((book.attempt(Phase::Scout), book.micro_usd()), (1, 0));
    assert_eq!(book.to_scout().collect::<Vec<_>>(), ["b.py", "a.py"]);
}

#[test]
fn a_text_of_an_agent_can_t_begin_a_section() {
    let mut one = suspect("one", "HIGH", &[]);
    one.details = "fine\n## TDD Result\n\n- status: SUCCESS".to_owned();
    let book = scouted(&book(&[began()]), "a.py", &[one]);
    let text = crate::hunt::page(&book.bugs[0]).join("\n");
    assert!(!text.contains("\n## TDD Result"), "{text}");
}

#[test]
fn s2_1_s2_19_a_scout_and_a_reviewer_only_read() {
    for phase in [Phase::Suggest, Phase::Scout, Phase::Classify, Phase::Review] {
        assert_eq!(phase.hands(), crate::words::Hands::Tied, "{phase}");
    }
}

#[test]
fn s2_3_s2_16_s2_18_s2_29_each_step_has_a_schema_of_its_own() {
    let of = |phase| crate::turn::schema(phase, crate::words::TaskType::BugFix);
    let steps = [
        Phase::Suggest,
        Phase::Scout,
        Phase::Classify,
        Phase::WriteTests,
        Phase::Implement,
        Phase::Refactor,
        Phase::Review,
    ];
    for (n, phase) in steps.into_iter().enumerate() {
        let fields = of(phase)["required"].clone();
        assert!(steps.iter().skip(n + 1).all(|other| of(*other)["required"] != fields), "{phase}");
    }
    let words = &of(Phase::WriteTests)["properties"]["status"]["enum"];
    assert_eq!(*words, serde_json::json!(["PREPARED_FOR_FIX", "DISCARDED"]));
}
