//! Judged from recorded tables, without a tool.

use super::*;
use crate::observation::{Input, Tables, Variation};
use crate::report::Place;
use crate::words::TestId;

fn row(site: i32, holds: bool, sides: &[&str]) -> Row {
    Row {
        case: 1,
        site,
        nth: 0,
        kind: crate::observation::Kind::Eq,
        holds,
        sides: sides.iter().map(|s| (*s).into()).collect(),
        raised: None,
    }
}

fn raised(site: i32, what: &str) -> Row {
    Row { raised: Some(what.into()), ..row(site, false, &[]) }
}

/// One assertion, with what base and head say to each input: the first is the test's own.
fn varied(answers: &[(&str, Row, Row)], known: &[&str]) -> Varied {
    let of = |pick: &dyn Fn(&(&str, Row, Row)) -> Row| {
        let plain = vec![pick(&answers[0])];
        Tables {
            plain: [plain.clone(), plain],
            varied: answers[1..].iter().map(|a| vec![pick(a)]).collect(),
        }
    };
    let variation = |(was, ..): &(&str, Row, Row)| {
        let (was, now) = was.split_once('>').unwrap_or(("", ""));
        let sort = if was.is_empty() { Sort::Together } else { Sort::Far };
        Variation {
            sort,
            was: was.into(),
            now: now.into(),
            known: known.contains(&was),
            given: vec![now.into()],
        }
    };
    Varied {
        red: true,
        test: TestId::new("t"),
        place: Place { file: "t.py".into(), line: Some(1) },
        inputs: known.iter().map(|k| Input { value: (*k).into(), known: true }).collect(),
        variations: answers[1..].iter().map(variation).collect(),
        names: Vec::new(),
        answers: vec!["180".into()],
        base: of(&|a| a.1.clone()),
        head: of(&|a| a.2.clone()),
    }
}

fn saw(value: &str) -> Row {
    row(0, value == "180", &[value, "180"])
}

#[test]
fn a_difference_that_stays_with_other_inputs_is_shown() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("200>201", saw("191"), saw("181")),
        ("200>617", saw("607"), saw("555")),
        ("10>11", saw("189"), saw("178")),
    ];
    assert_eq!(generality(&varied(&answers, &["200"])), Generality::Shown);
}

#[test]
fn answers_by_heart_bring_the_base_back_with_every_other_input() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("200>201", saw("191"), saw("191")),
        ("200>617", saw("607"), saw("607")),
        ("10>11", saw("189"), saw("189")),
    ];
    let Generality::Suspect { doubt, weight } = generality(&varied(&answers, &["200"])) else {
        panic!()
    };
    assert_eq!(doubt, Doubt::Keyed { words: vec!["200".into()] });
    assert_eq!(weight, Doubtful::Refutes);
    let Generality::Suspect { doubt, weight } = generality(&varied(&answers, &[])) else {
        panic!()
    };
    assert_eq!((doubt, weight), (Doubt::NothingSurvives { tried: 3 }, Doubtful::ForAPerson));
}

#[test]
fn a_word_that_kills_the_difference_is_named_where_the_change_holds_it() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("acme>acmequ", saw("190"), saw("190")),
        ("acme>bd", saw("190"), saw("190")),
        ("200>201", saw("191"), saw("181")),
    ];
    let found = generality(&varied(&answers, &["acme"]));
    assert!(matches!(&found, Generality::Only { why } if why.contains("acme")), "{found:?}");
    let alone = generality(&varied(&answers[..3], &["acme"]));
    let keyed = Doubt::Keyed { words: vec!["acme".into()] };
    assert_eq!(alone, Generality::Suspect { doubt: keyed, weight: Doubtful::ForAPerson });
    assert_eq!(generality(&varied(&answers, &[])), Generality::Shown);
}

#[test]
fn new_code_is_held_against_itself() {
    let none = || raised(END, "ImportError: net");
    let answers = |others: [&str; 3]| {
        [
            ("", none(), saw("180")),
            ("200>201", none(), saw(others[0])),
            ("200>617", none(), saw(others[1])),
            ("10>11", none(), saw(others[2])),
        ]
    };
    assert_eq!(generality(&varied(&answers(["181", "555", "178"]), &[])), Generality::Shown);
    let back = generality(&varied(&answers(["None", "None", "None"]), &["200"]));
    assert!(matches!(back, Generality::Suspect { weight: Doubtful::Refutes, .. }), "{back:?}");
    let one = generality(&varied(&answers(["180", "180", "180"]), &[]));
    let doubt = Doubt::OneAnswer { answer: "180".into() };
    assert_eq!(one, Generality::Suspect { doubt, weight: Doubtful::ForAPerson });
}

#[test]
fn what_moves_by_itself_and_what_is_only_expected_says_nothing() {
    let mut chance = varied(&[("", saw("190"), saw("180")), ("200>201", saw("1"), saw("1"))], &[]);
    chance.head.plain[1] = vec![saw("181")];
    assert!(matches!(generality(&chance), Generality::Only { .. }));
    let expected = row(0, false, &["180", "181"]);
    let answers =
        [("", saw("190"), saw("180")), ("180>181", row(0, false, &["190", "181"]), expected)];
    assert!(matches!(generality(&varied(&answers, &[])), Generality::Only { .. }));
}

#[test]
fn what_other_inputs_give_can_be_said_by_a_test_of_its_own() {
    let mode = |value: &str, wanted: &str| row(0, value == wanted, &[value, wanted]);
    let (debug, warn) = ("'debug'", "'warn'");
    let suspect = varied(
        &[
            ("", mode(debug, warn), mode(warn, warn)),
            ("production>qs", mode(debug, warn), mode(debug, warn)),
            ("production>ratqu", mode(debug, warn), mode(debug, warn)),
            ("", mode(debug, warn), mode(debug, warn)),
        ],
        &["production"],
    );
    assert!(matches!(generalities(std::slice::from_ref(&suspect))[0], Generality::Suspect { .. }));
    let answers = [
        ("", mode(debug, debug), mode(debug, debug)),
        ("development>gs", mode(debug, debug), mode(debug, debug)),
    ];
    let guard = Varied { red: false, ..varied(&answers, &[]) };
    let judged = generalities(&[suspect, guard]);
    assert!(matches!(judged[0], Generality::Only { .. }), "{judged:?}");
}

#[test]
fn people_see_the_answer_and_not_what_is_expected_on_whichever_side_it_stands() {
    let expects = |value: &str| row(0, value == "180", &["180", value]);
    let varied = varied(
        &[
            ("", expects("190"), expects("180")),
            ("10>11", expects("189"), expects("189")),
            ("200>201", expects("191"), expects("181")),
        ],
        &[],
    );
    let all = Observed::all(&[varied]);
    let seen = all[0].assertions();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].label, "assertion 1");
    let values = |answer: &Answer| (answer.base.clone(), answer.head.clone());
    assert_eq!(values(seen[0].written), ("190".into(), "180".into()));
    assert_eq!(seen[0].written.says, "red to green");
    // What shows the work comes first where it is shown.
    let says: Vec<&str> = seen[0].others.iter().map(|answer| answer.says.as_str()).collect();
    assert_eq!(says, ["differs", "as on the base"]);
}

#[test]
fn of_a_suspect_test_the_inputs_come_first_that_kill_the_difference() {
    let mut answers = vec![("", saw("190"), saw("180"))];
    answers.extend([("5>6", saw("185"), saw("180")), ("1>2", saw("1"), saw("1"))]);
    answers.extend([("2>3", saw("2"), saw("2")), ("3>4", saw("3"), saw("3"))]);
    let mut observed = Observed::all(&[varied(&answers, &[])]).remove(0);
    observed.judged = "suspect".into();
    let seen = observed.assertions();
    let says: Vec<&str> = seen[0].others.iter().map(|answer| answer.says.as_str()).collect();
    assert_eq!(says[..3], ["as on the base"; 3]);
}

#[test]
fn long_values_are_cut_around_what_differs() {
    assert_eq!(apart("190", "180", 17), ("190".into(), "180".into()));
    let long = "x".repeat(100);
    let (base, head) = apart(&format!("{long}1{long}"), &format!("{long}2{long}"), 30);
    assert!(base.contains('1') && head.contains('2'), "{base} {head}");
    assert!(base.chars().count() <= 30 && base.starts_with('…') && base.ends_with('…'), "{base}");
    let (base, head) = apart(&long, "short", 30);
    assert_eq!((base.chars().count(), head.as_str()), (30, "short"));
}
