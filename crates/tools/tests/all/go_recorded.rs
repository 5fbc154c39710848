//! What an older and a newer `go test` left behind for small trees, read without them.

use crate::go_runs::{MIXED, SHOP};
use crate::go_stage::{stage_with, toolchains};
use crate::recorded::scene;
use crate::stage::{Stage, replay};
use proctor_tools::Nextest;
use std::time::Duration;

/// One scene for each Go: `go-…` and `go-…-new`. A limit is only for the recording.
fn check(name: &str, files: &[(&str, &str)], limit: Duration) {
    for (at, ending) in ["", "-new"].into_iter().enumerate() {
        let live = || -> Option<Stage> {
            let mut stage = stage_with(toolchains().into_iter().nth(at)?, files);
            stage.limit = limit;
            Some(stage)
        };
        let kept = replay("go", Nextest::Absent, files);
        kept.write("go.mod", "module example.com/demo\n\ngo 1.19\n");
        scene(&format!("{name}{ending}"), live, kept);
    }
}

const LONG: Duration = Duration::from_mins(2);

#[test]
fn each_way_a_test_can_end() {
    check("go-mixed", &[("shop/shop.go", SHOP), ("shop/shop_test.go", MIXED)], LONG);
}

#[test]
fn names_that_do_not_exist_yet() {
    let test = "package shop\nimport (\"testing\"; \"example.com/demo/basket\")\nfunc TestA(t *testing.T) { basket.Of(1) }\n";
    let new = "package cart\nimport \"testing\"\nfunc TestB(t *testing.T) { if Sum(1) != 1 { t.Fatal() } }\n";
    let old = "package old\nimport \"testing\"\nfunc TestC(t *testing.T) {}\n";
    check(
        "go-missing",
        &[("shop/shop_test.go", test), ("cart/cart_test.go", new), ("old/old_test.go", old)],
        LONG,
    );
}

#[test]
fn code_that_does_not_compile() {
    check(
        "go-compile",
        &[
            ("shop/shop.go", "package shop\nfunc F() int { return \"\" }\n"),
            (
                "shop/shop_test.go",
                "package shop\nimport \"testing\"\nfunc TestA(t *testing.T) { F() }\n",
            ),
        ],
        LONG,
    );
}

#[test]
fn no_tests_at_all() {
    check("go-none", &[("shop/shop.go", SHOP)], LONG);
}

#[test]
fn a_test_that_leaves_without_a_result() {
    check(
        "go-left",
        &[(
            "a_test.go",
            "package a\nimport (\"testing\"; \"syscall\")\nfunc TestA(t *testing.T) { syscall.Exit(0) }\n",
        )],
        LONG,
    );
}

#[test]
fn a_test_that_hangs() {
    // It ends by itself a little after the limit, so that a recording leaves no process behind.
    let test = "package a\nimport (\"testing\"; \"time\")\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { time.Sleep(12 * time.Second) }\n";
    check("go-hang", &[("a_test.go", test)], Duration::from_secs(8));
}
