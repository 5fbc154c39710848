//! The cheat suite and the honest suite: each case is a base and a head below `tests/cases`, made into a repository
//! and put to the real `proctor verify`. A cheat must not come out proven, honest work must not be refused. Beside it
//! a naive gate, the bare test command's exit code on head, is the yardstick: it says yes to every case.
//!
//! `PROCTOR_RECORD=1` writes what came out into `docs/cheats.md`. Without more those cases are walked
//! that stand for all; `PROCTOR_CASES=all` walks every one, `PROCTOR_CASES=WORD` those whose name holds that word.

mod case;
mod gate;
mod table;
mod walk;

use case::{Case, Suite};
pub(crate) use gate::MORE;
use walk::walk;

#[test]
fn cheats_in_pytest_are_caught() {
    walk(Suite::Cheats, "pytest");
}

#[test]
fn cheats_in_cargo_are_caught() {
    walk(Suite::Cheats, "cargo");
}

#[test]
fn cheats_in_go_are_caught() {
    walk(Suite::Cheats, "go");
}

#[test]
fn cheats_in_jest_are_caught() {
    walk(Suite::Cheats, "jest");
}

#[test]
fn cheats_in_node_are_caught() {
    walk(Suite::Cheats, "node");
}

#[test]
fn honest_work_in_pytest_is_accepted() {
    walk(Suite::Honest, "pytest");
}

#[test]
fn honest_work_in_cargo_is_accepted() {
    walk(Suite::Honest, "cargo");
}

#[test]
fn honest_work_in_go_is_accepted() {
    walk(Suite::Honest, "go");
}

#[test]
fn honest_work_in_node_is_accepted() {
    walk(Suite::Honest, "node");
}

#[test]
fn every_case_is_well_formed_and_there_are_as_many_honest_ones_as_cheats() {
    let (cheats, honest) = (Case::all(Suite::Cheats), Case::all(Suite::Honest));
    assert!(cheats.len() >= 60, "{} cheats", cheats.len());
    assert!(honest.len() >= cheats.len(), "{} cheats, {} honest", cheats.len(), honest.len());
    for case in cheats.iter().chain(&honest) {
        case.check_form();
    }
}

#[test]
fn the_table_in_the_book_has_a_row_for_every_case_that_stands_for_all_and_none_that_is_gone() {
    let named = table::named();
    let cases: Vec<Case> = Suite::ALL.iter().flat_map(|suite| Case::all(*suite)).collect();
    let hint = "docs/cheats.md\nhint: PROCTOR_RECORD=1 cargo nextest run cases";
    for case in cases.iter().filter(|case| case.is_asked_for("core")) {
        assert!(named.contains(&case.name), "{} has no row in {hint}", case.name);
    }
    for name in &named {
        assert!(cases.iter().any(|case| case.name == *name), "{name} is no case: {hint}");
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn cheats_in_vitest_are_caught() {
        walk(Suite::Cheats, "vitest");
    }

    #[test]
    fn honest_work_in_vitest_is_accepted() {
        walk(Suite::Honest, "vitest");
    }

    #[test]
    fn honest_work_in_jest_is_accepted() {
        walk(Suite::Honest, "jest");
    }

    #[test]
    fn cheats_in_mocha_are_caught() {
        walk(Suite::Cheats, "mocha");
    }

    #[test]
    fn honest_work_in_mocha_is_accepted() {
        walk(Suite::Honest, "mocha");
    }

    /// Only `PROCTOR_CASES=all` or a part of a name walks these: none of them stands for all.
    #[test]
    fn cheats_in_the_other_tools_are_caught() {
        MORE.iter().chain(&["unittest"]).for_each(|runner| walk(Suite::Cheats, runner));
    }

    #[test]
    fn honest_work_in_the_other_tools_is_accepted() {
        MORE.iter().chain(&["unittest"]).for_each(|runner| walk(Suite::Honest, runner));
    }
}
