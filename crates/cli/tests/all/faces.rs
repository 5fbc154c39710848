//! The faces that look on: the board over plain HTTP, the terminal view, both beside a real run.

mod http;
mod slow;

use crate::repos::place::Place;
use http::Board;

/// A run that waits for approval; its id.
fn awaiting(place: &Place) -> String {
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
