//! The faces that look on: the board over plain HTTP, the terminal view, both beside a real run.

mod http;
mod slow;

use crate::accepting::with_luggage;
use crate::repos::place::Place;
use crate::rows::{Desk, ONCE, QUICK};
use http::Board;

/// A run that waits for approval; its id.
pub fn awaiting(place: &Place) -> String {
    place.add(&[]).run().expect_code(3);
    place.run_id()
}

#[test]
fn a_board_shows_what_waits_refuses_a_stale_approval_and_lands_a_fresh_one() {
    let Some(place) = Place::python() else { return };
    let run = awaiting(&place);
    let board = Board::open(&place);
    let page = board.get("/").expect(200);
    for text in ["needs you", &run, "a sub function", "awaiting approval"] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let shown = board.get(&format!("/run/{run}")).expect(200);
    for text in ["Approve and land", "test_sub_takes_away", "+def sub(a, b):", "Red and green"] {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }
    // Nothing is loaded from elsewhere, and nothing runs that stands in a page.
    for page in [&page, &shown] {
        assert!(!page.text.contains("https://") && !page.text.contains("style="), "{}", page.text);
        assert!(page.head.contains("script-src 'self';"), "{}", page.head);
    }
    let path = format!("/run/{run}");
    let form = shown.field("form");
    let act = |shown: &str| format!("form={form}&act=approve&shown={shown}");
    let elsewhere = board.post_from("http://evil.example", &path, &act(&shown.field("shown")));
    elsewhere.expect(403);
    board
        .post(&path, &format!("form=wrong&act=approve&shown={}", shown.field("shown")))
        .expect(403);
    let stale = board.post(&path, &act("0000000000000000000000000000000000000000")).expect(409);
    assert!(stale.text.contains("is not the one that is proven now"), "{}", stale.text);
    let mut watcher = board.watch(shown.version());
    board.post(&path, &act(&shown.field("shown"))).expect(303);
    watcher.until("\"column\":\"landed\"");
    assert_eq!(place.repo.git(&["log", "--format=%s", "-1", "main"]), "a sub function");
    let evidence = board.get(&format!("/run/{run}/evidence")).expect(200);
    assert!(evidence.text.contains("proven"), "{}", evidence.text);
    board.post(&path, &act(&shown.field("shown"))).expect(409);
}

#[test]
fn a_single_finding_is_waived_on_the_board_and_the_rest_still_waits() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let story = desk.played(&with_luggage(), &[&["add", "sub"], QUICK]);
    let story = story.ends("AWAITING_APPROVAL", 3);
    let (run, raised) = (story.run(), story.named("approval-asked")[0]["raised"].clone());
    let place = Place { env: desk.env, repo: desk.repo };
    let board = Board::open(&place);
    let path = format!("/run/{run}");
    let page = board.get(&path).expect(200);
    assert!(page.text.contains("Waive this one") && !page.text.contains("Approve and land"));
    let (form, shown) = (page.field("form"), page.field("shown"));
    let encoded =
        |text: &str| text.bytes().map(|b| format!("%{b:02X}")).collect::<Vec<_>>().concat();
    let waive = |finding: &serde_json::Value, why: &str| {
        let kind = finding["kind"].as_str().expect("a kind");
        let text = encoded(finding["text"].as_str().expect("a text"));
        let why = encoded(why);
        let body =
            format!("form={form}&act=waive&shown={shown}&kind={kind}&finding={text}&why={why}");
        board.post(&path, &body)
    };
    waive(&raised[0], " ").expect(409);
    let other = serde_json::json!({"kind": "large-file", "text": "another one"});
    waive(&other, "no").expect(409);
    let all = raised.as_array().expect("findings").clone();
    for (n, finding) in all.iter().enumerate() {
        assert!(board.get(&path).expect(200).text.contains("Accept and land"), "{n}");
        let version = board.get("/").expect(200).version();
        waive(finding, "a sample of the attack").expect(303);
        // Whoever carries it out is a process of its own.
        board.watch(version).until(&run);
    }
    let page = board.get(&path).expect(200);
    assert!(page.text.contains("Taken by a person") && page.text.contains("Approve and land"));
    let evidence = place.proctor(&["evidence", &run]).expect_code(0);
    assert!(evidence.stdout.contains("a sample of the attack"), "{evidence}");
}

#[test]
fn a_board_lets_nobody_in_without_its_token_and_under_no_other_name() {
    let Some(place) = Place::python() else { return };
    let board = Board::open(&place);
    board.bare("GET / HTTP/1.1", "", "").expect(401);
    board.bare("GET /?token=00 HTTP/1.1", "", "").expect(401);
    board.named("evil.example", "/").expect(421);
    board.get("/run/../../etc/passwd").expect(404);
    let bugs = board.get("/bugs").expect(200);
    assert!(bugs.text.contains("No hunt has found anything here"), "{}", bugs.text);
    // A look changes nothing, whatever it asks for.
    board.get("/run/x?act=abort").expect(404);
    board.get("/leave").expect(405);
    let open = place.proctor(&["serve", "--bind", "0.0.0.0", "--port", "0"]).expect_code(2);
    assert!(open.stderr.contains("--let-others-in"), "{open}");
}

#[test]
fn without_a_terminal_a_run_is_watched_in_plain_lines() {
    let Some(place) = Place::python() else { return };
    let run = awaiting(&place);
    let ran = place.proctor(&["watch"]).expect_code(0);
    assert_eq!(ran.stdout.lines().count(), 1, "{ran}");
    for text in [run.as_str(), "AWAITING_APPROVAL", "+++++++!·", "a sub function"] {
        assert!(ran.stdout.contains(text), "{text}: {ran}");
    }
    let told = place.proctor(&["watch", "no-such-run"]).expect_code(2);
    assert!(told.stderr.contains("hint:"), "{told}");
}
