//! Judged from recorded tables, without a tool.

use super::*;
use crate::observation::{Input, LONGER, Tables};
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
        plain: Vec::new(),
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
            named: false,
            given: vec![now.into()],
            pairs: Vec::new(),
        }
    };
    Varied {
        chooses: true,
        red: true,
        test: TestId::new("t"),
        place: Place { file: "t.py".into(), line: Some(1) },
        inputs: known
            .iter()
            .map(|k| Input { value: (*k).into(), known: true, size: None })
            .collect(),
        variations: answers[1..].iter().map(variation).collect(),
        names: Vec::new(),
        answers: vec!["180".into()],
        worked_out: Vec::new(),
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
    assert_eq!(
        (doubt, weight),
        (Doubt::NothingSurvives { tried: 3, inputs: Vec::new() }, Doubtful::ForAPerson)
    );
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
    let doubt = Doubt::Learnt { answer: "180".into() };
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
    assert!(matches!(
        generalities(std::slice::from_ref(&suspect), &[])[0],
        Generality::Suspect { .. }
    ));
    let answers = [
        ("", mode(debug, debug), mode(debug, debug)),
        ("development>gs", mode(debug, debug), mode(debug, debug)),
    ];
    let guard = Varied { red: false, ..varied(&answers, &[]) };
    let judged = generalities(std::slice::from_ref(&suspect), std::slice::from_ref(&guard));
    assert!(matches!(judged[0], Generality::Only { .. }), "an older test says it too");
    let judged = generalities(&[suspect, guard], &[]);
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
    let all = Observed::all(&[varied], &[]);
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
    let mut observed = Observed::all(&[varied(&answers, &[])], &[]).remove(0);
    observed.judged = "suspect".into();
    let seen = observed.assertions();
    let says: Vec<&str> = seen[0].others.iter().map(|answer| answer.says.as_str()).collect();
    assert_eq!(says[..3], ["as on the base"; 3]);
}

#[test]
fn what_is_dead_for_another_reason_is_not_said_to_be_as_on_the_base() {
    let gone = || raised(0, "NameError: net");
    let same = [("1>2", gone(), saw("7")), ("2>3", gone(), saw("7")), ("3>4", gone(), saw("7"))];
    let mut answers = vec![("", gone(), saw("180"))];
    answers.extend(same);
    let observed = Observed::all(&[varied(&answers, &[])], &[]).remove(0);
    let says: Vec<&str> = observed.answers.iter().map(|answer| answer.says.as_str()).collect();
    assert_eq!(says, ["red to green", "no own answer", "no own answer", "no own answer"]);
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

/// The same with some variations of another kind.
fn of_kinds(mut varied: Varied, kinds: &[(usize, Sort, &str)]) -> Varied {
    for (n, sort, now) in kinds {
        varied.variations[*n].sort = *sort;
        varied.variations[*n].now = (*now).into();
    }
    varied
}

#[test]
fn an_input_that_moves_nothing_says_nothing_and_one_that_matters_elsewhere_lives() {
    // The assertion is not given the word; nothing speaks for more than its own inputs.
    let untouched = [
        ("", saw("190"), saw("180")),
        ("acme>acmequ", saw("190"), saw("180")),
        ("acme>bd", saw("190"), saw("180")),
    ];
    let untouched = Varied { answers: Vec::new(), ..varied(&untouched, &[]) };
    assert!(matches!(generality(&untouched), Generality::Only { .. }));
    // An edge of rounding: one step up is beyond it, one step down is not.
    let steps = [
        ("", saw("190"), saw("180")),
        (">numbers", saw("7"), saw("7")),
        (">numbers", saw("190"), saw("180")),
    ];
    assert_eq!(generality(&varied(&steps, &[])), Generality::Shown);
}

#[test]
fn a_number_that_the_change_holds_is_data_also_where_other_inputs_matter() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("851>852", saw("190"), saw("190")),
        ("851>2570", saw("190"), saw("190")),
        ("2020>2021", saw("191"), saw("181")),
        ("2020>6077", saw("607"), saw("555")),
    ];
    let found = generality(&varied(&answers, &["851"]));
    let doubt = Doubt::Keyed { words: vec!["851".into()] };
    assert_eq!(found, Generality::Suspect { doubt, weight: Doubtful::ForAPerson });
}

#[test]
fn words_of_its_own_for_each_assertion_are_a_table_of_inputs() {
    let at = |site: i32, value: &str| row(site, value == "180", &[value, "180"]);
    let answers = [
        ("", at(0, "190"), at(0, "180")),
        ("red>sfequ", at(0, "190"), at(0, "190")),
        ("red>sf", at(0, "190"), at(0, "190")),
        ("blue>cmaiqu", at(0, "190"), at(0, "180")),
        ("blue>cm", at(0, "190"), at(0, "180")),
        ("7>8", at(0, "191"), at(0, "181")),
    ];
    let option = varied(&answers, &["red"]);
    assert!(matches!(generality(&option), Generality::Only { .. }), "an option");
    let mut several = varied(&answers, &["red", "blue"]);
    let other = |dead: bool| at(1, if dead { "190" } else { "180" });
    for side in [&mut several.base, &mut several.head] {
        side.plain.iter_mut().for_each(|rows| rows.push(at(1, "180")));
    }
    several.base.plain.iter_mut().for_each(|rows| rows[1] = at(1, "190"));
    for (n, dead) in [false, false, true, true, false].into_iter().enumerate() {
        several.head.varied[n].push(other(dead));
        several.base.varied[n].push(at(1, "190"));
    }
    let found = generality(&several);
    let words = vec!["blue".to_owned(), "red".to_owned()];
    let suspect =
        Generality::Suspect { doubt: Doubt::Keyed { words }, weight: Doubtful::ForAPerson };
    assert_eq!(found, suspect);
}

#[test]
fn a_word_that_the_change_holds_must_go_along_where_the_base_has_no_answer() {
    let none = || raised(END, "ImportError: cut");
    let cut = |value: &str, wanted: &str| row(0, value == wanted, &[value, wanted]);
    let answers = |others: [(&str, &str); 2]| {
        [
            ("", none(), cut("'The quick…'", "'The quick…'")),
            ("quick>rvodlqu", none(), cut(others[0].0, "'The rvodlqu…'")),
            ("quick>rv", none(), cut(others[1].0, "'The rv…'")),
        ]
    };
    let carried = answers([("'The rvodlqu…'", ""), ("'The rv…'", "")]);
    assert_eq!(generality(&varied(&carried, &["quick"])), Generality::Shown);
    let lost = answers([("'The rvodlq'", ""), ("'The rv fox ju'", "")]);
    let found = generality(&varied(&lost, &["quick"]));
    assert!(matches!(found, Generality::Suspect { doubt: Doubt::Keyed { .. }, .. }), "{found:?}");
    assert_eq!(generality(&varied(&lost, &[])), Generality::Shown);
}

#[test]
fn a_difference_for_one_length_only_and_held_lengths_are_for_a_person() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("foo>gax", saw("191"), saw("181")),
        ("foo>gaxqu", saw("190"), saw("190")),
        ("bar>ces", saw("192"), saw("182")),
        ("bar>cesqu", saw("190"), saw("190")),
        ("bar>c", saw("190"), saw("190")),
    ];
    let shaped = of_kinds(varied(&answers, &[]), &[(1, Sort::Word, "gaxqu")]);
    let found = generality(&shaped);
    assert!(
        matches!(found, Generality::Suspect { doubt: Doubt::Shaped { tried: 3, .. }, .. }),
        "{found:?}"
    );
    // Another word may be of any length.
    let beside = [("", saw("190"), saw("180")), ("net>gross", saw("191"), saw("181"))];
    let beside: Vec<_> = answers.clone().into_iter().chain(beside.into_iter().skip(1)).collect();
    let shaped = of_kinds(varied(&beside, &[]), &[(1, Sort::Word, "gaxqu")]);
    let found = generality(&shaped);
    assert!(
        matches!(found, Generality::Suspect { doubt: Doubt::Shaped { tried: 3, .. }, .. }),
        "{found:?}"
    );
    let longer = ("foo>gaxqute", saw("190"), saw("190"));
    let answers: Vec<_> = answers.into_iter().take(3).chain([longer]).collect();
    let mut measured = varied(&answers, &[]);
    measured.inputs.push(Input { value: "a".repeat(23), known: false, size: Some(23) });
    let doubt = Doubt::Shaped { tried: 2, sizes: vec![23] };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&measured), suspect);
}

#[test]
fn that_a_test_fails_with_other_inputs_says_nothing_where_no_assertion_was_seen() {
    let ended = |well: bool| row(END, well, &[if well { "to its end" } else { "failed" }]);
    let answers = |others: [bool; 3]| {
        [
            ("", ended(false), ended(true)),
            ("10>11", ended(false), ended(others[0])),
            ("camel>fiponqu", ended(false), ended(others[1])),
            ("camel>fi", ended(false), ended(others[2])),
        ]
    };
    let bare = generality(&varied(&answers([false, false, false]), &[]));
    assert!(matches!(bare, Generality::Only { .. }), "{bare:?}");
    let along = generality(&varied(&answers([false, true, true]), &[]));
    assert!(!matches!(along, Generality::Suspect { .. }), "{along:?}");
}

#[test]
fn an_answer_that_is_there_only_once_is_suspect() {
    let mut counted = varied(&[("", saw("190"), saw("180")), ("200>201", saw("1"), saw("1"))], &[]);
    counted.head.plain[1] = vec![saw("190")];
    let doubt = Doubt::Once { answer: "180".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&counted), suspect);
    // What a test leaves behind gives something else again.
    counted.head.plain[1] = vec![saw("360")];
    assert!(matches!(generality(&counted), Generality::Only { .. }));
}

#[test]
fn a_name_by_which_the_test_looks_something_up_says_nothing_where_nothing_is_there() {
    let header = |value: &str| row(0, value == "'json'", &[value, "'json'"]);
    let answers = [
        ("", header("'text'"), header("'json'")),
        ("Type>Vzqi", header("''"), header("''")),
        ("Type>Xc", header("''"), header("''")),
        ("Type>Wbroqu", header("''"), header("''")),
    ];
    let found = generality(&Varied { answers: Vec::new(), ..varied(&answers, &["Type"]) });
    assert!(matches!(found, Generality::Only { .. }), "{found:?}");
    // What gave nothing before gives nothing again: that is the base's answer.
    let never = answers.map(|(input, base, head)| {
        (input, if input.is_empty() { header("''") } else { base }, head)
    });
    assert!(matches!(generality(&varied(&never, &["Type"])), Generality::Suspect { .. }));
}

#[test]
fn an_edge_of_the_base_that_head_moves_is_shown() {
    let fee = |value: &str| row(0, value == "0", &[value, "0"]);
    let answers = |up: &str| {
        [
            ("", fee("5"), fee("0")),
            (">numbers", fee("5"), fee("5")),
            (">numbers", fee(up), fee(up)),
            ("100>50", fee("5"), fee("5")),
            ("100>317", fee("0"), fee("0")),
        ]
    };
    assert_eq!(generality(&varied(&answers("0"), &[])), Generality::Shown);
    let apart = generality(&varied(&answers("5"), &[]));
    assert!(matches!(apart, Generality::Suspect { .. }), "{apart:?}");
}

#[test]
fn one_answer_is_known_by_its_parts_too() {
    let scaled = || row(0, true, &["[20, 40]", "[20, 40]"]);
    let none = || raised(END, "TypeError: scaled is not a function");
    let answers = [("", none(), scaled()), ("", none(), scaled()), ("", none(), scaled())];
    let one = Varied { answers: vec!["20".into(), "40".into()], ..varied(&answers, &[]) };
    let doubt = Doubt::Learnt { answer: "[20, 40]".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&one), suspect);
    let general = Varied { answers: vec!["20".into()], ..one };
    assert_ne!(generality(&general), suspect);
}

#[test]
fn where_the_input_matters_to_nobody_one_answer_is_no_doubt() {
    let code = |value: &str| row(0, value == "2", &[value, "2"]);
    let answers =
        [("", code("0"), code("2")), ("", code("0"), code("2")), ("", code("0"), code("2"))];
    let usage = Varied { answers: vec!["2".into()], ..varied(&answers, &[]) };
    assert!(!matches!(generality(&usage), Generality::Suspect { .. }));
    let moving =
        [("", code("0"), code("2")), ("", code("7"), code("2")), ("", code("9"), code("2"))];
    let moving = Varied { answers: vec!["2".into()], ..varied(&moving, &[]) };
    assert!(matches!(generality(&moving), Generality::Suspect { .. }));
}

#[test]
fn where_the_base_has_one_answer_too_a_word_of_the_input_in_heads_is_a_doubt() {
    let says = |value: &str| row(0, value == "Size(30)", &[value, "Size(30)"]);
    let answers = [
        ("", says("Size"), says("Size(30)")),
        (">31", says("Size"), says("Size(30)")),
        (">107", says("Size"), says("Size(30)")),
    ];
    let mut varied = varied(&answers, &[]);
    varied.answers = vec!["Size(30)".into()];
    varied.variations.iter_mut().for_each(|v| v.now = String::new());
    assert!(!matches!(generality(&varied), Generality::Suspect { .. }));
    varied.inputs = vec![Input { value: "30".into(), known: false, size: None }];
    let doubt = Doubt::Learnt { answer: "Size(30)".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&varied), suspect);
}

#[test]
fn an_answer_that_is_there_only_once_is_suspect_where_the_base_has_none() {
    let missing = || raised(0, "ImportError: net");
    let gone = || row(0, false, &["[]", "180"]);
    let answers = [
        ("", missing(), saw("180")),
        ("200>201", missing(), gone()),
        ("200>617", missing(), gone()),
        ("10>11", missing(), gone()),
    ];
    let mut varied = varied(&answers, &[]);
    varied.head.plain[1] = vec![gone()];
    let doubt = Doubt::Once { answer: "180".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&varied), suspect);
    varied.head.varied[0] = vec![saw("181")];
    assert_ne!(generality(&varied), suspect);
}

#[test]
fn the_answer_is_what_the_base_could_not_give() {
    let wants = |want: &str| Row { sides: vec![want.into()], ..raised(0, "ImportError: net") };
    let gives = |want: &str| row(0, want == "[3, 7]", &["[3, 7]", want]);
    let answers = [
        ("", wants("[3, 7]"), gives("[3, 7]")),
        (">a", wants("[4, 8]"), gives("[4, 8]")),
        (">b", wants("[6, 14]"), gives("[6, 14]")),
        ("7>9", wants("[3]"), gives("[3]")),
    ];
    let mut varied = varied(&answers, &[]);
    varied.answers = vec!["3".into(), "7".into()];
    varied.variations.iter_mut().take(2).for_each(|v| v.now = String::new());
    let doubt = Doubt::Learnt { answer: "[3, 7]".into() };
    assert_eq!(generality(&varied), Generality::Suspect { doubt, weight: Doubtful::ForAPerson });
}

#[test]
fn what_breaks_otherwise_than_the_base_did_was_not_reached() {
    let own = ("", raised(0, "TypeError: no dict"), row(0, true, &["0", "0"]));
    let other = |now: &str| {
        let raised = || raised(0, now);
        ["always>ab", "always>cd", "always>ef"].map(|input| (input, raised(), raised()))
    };
    let judged = |now: &str| {
        let answers: Vec<_> = std::iter::once(own.clone()).chain(other(now)).collect();
        matches!(generality(&varied(&answers, &[])), Generality::Suspect { .. })
    };
    assert!(judged("TypeError: no dict"), "head does what the base does");
    assert!(!judged("AssertionError: invalid action"), "neither came to the question");
    assert!(!judged("ValueError: invalid action"), "neither came to the question");
}

#[test]
fn code_without_a_constant_and_a_condition_treats_all_inputs_alike() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("200>201", saw("191"), saw("191")),
        ("200>617", saw("607"), saw("607")),
        ("10>11", saw("189"), saw("189")),
    ];
    let suspected = |chooses: bool| {
        let varied = Varied { chooses, ..varied(&answers, &[]) };
        matches!(generality(&varied), Generality::Suspect { .. })
    };
    assert!(suspected(true));
    assert!(!suspected(false));
}

#[test]
fn one_answer_to_everything_is_suspect_also_where_the_base_gives_it_once() {
    let answers = [
        ("", saw("190"), saw("180")),
        ("200>201", saw("191"), saw("180")),
        ("200>617", saw("607"), saw("180")),
        ("10>20", saw("180"), saw("180")),
    ];
    let doubt = Doubt::Learnt { answer: "180".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&varied(&answers, &[])), suspect);
}

#[test]
fn an_answer_between_inputs_that_get_the_bases_is_picked_and_a_bound_is_not() {
    let range = [
        ("", saw("190"), saw("180")),
        ("200>201", saw("191"), saw("180")),
        ("200>2607", saw("2597"), saw("2597")),
        ("200>199", saw("189"), saw("180")),
        ("200>20", saw("10"), saw("10")),
    ];
    let found = generality(&varied(&range, &[]));
    let doubt = Doubt::Learnt { answer: "180".into() };
    assert_eq!(found, suspect(doubt, Doubtful::ForAPerson));
    let clamp = range.clone().map(|(input, base, head)| match input {
        "200>2607" => (input, base, saw("180")),
        _ => (input, base, head),
    });
    assert_eq!(generality(&varied(&clamp, &[])), Generality::Shown);
    let own = range.map(|(input, base, head)| match input {
        "200>201" => (input, base, saw("181")),
        _ => (input, base, head),
    });
    assert_eq!(generality(&varied(&own, &[])), Generality::Shown);
}

#[test]
fn an_answer_that_still_has_what_is_not_given_any_more_is_remembered() {
    let slug = |value: &str| row(0, value == "'hello-world'", &[value, "'hello-world'"]);
    let answers = [
        ("", slug("'hello world'"), slug("'hello-world'")),
        ("Hello>Jimmu", slug("'jimmu world'"), slug("'jimmu world'")),
        ("World>Xusmf", slug("'hello xusmf'"), slug("'hello-world'")),
    ];
    let mut learnt = varied(&answers, &[]);
    learnt.answers = vec!["hello-world".into()];
    let doubt = Doubt::Learnt { answer: "hello-world".into() };
    assert_eq!(generality(&learnt), suspect(doubt, Doubtful::ForAPerson));
    let mut given = learnt.clone();
    given.variations[1].given = vec!["Hello world".into()];
    assert_eq!(generality(&given), Generality::Shown);
}

#[test]
fn a_held_word_that_comes_back_in_the_answer_is_data_and_no_option() {
    let shown = |value: &str, word: &str| row(0, value == format!("x /{word}/"), &[value]);
    let answers = [
        ("", shown("x {}", "foo"), shown("x /foo/", "foo")),
        ("foo>guu", shown("x {}", "guu"), shown("x {}", "guu")),
        ("foo>hquao", shown("x {}", "hquao"), shown("x {}", "hquao")),
        ("x>y", shown("y {}", "foo"), shown("y /foo/", "foo")),
        ("x>zqu", shown("zqu {}", "foo"), shown("zqu /foo/", "foo")),
    ];
    let held = varied(&answers, &["foo"]);
    let doubt = Doubt::Keyed { words: vec!["foo".into()] };
    let with = |value: &str| Varied {
        inputs: vec![Input { value: value.into(), known: false, size: None }],
        ..held.clone()
    };
    assert_eq!(generality(&with("foo")), suspect(doubt, Doubtful::ForAPerson));
    assert!(matches!(generality(&with("x")), Generality::Only { .. }), "an option");
}

#[test]
fn where_the_base_has_no_answer_a_held_number_whose_others_all_get_one_is_a_key() {
    let none = || raised(END, "ImportError: sized");
    let at = |value: &str| row(0, value == "117.738 MiB", &[value, "117.738 MiB"]);
    let answers = |others: [&'static str; 3]| {
        [
            ("", none(), at("117.738 MiB")),
            ("6>7", none(), at(others[0])),
            ("6>85", none(), at(others[1])),
            ("6>5", none(), at(others[2])),
            ("82>83", none(), at("236 MiB")),
            ("82>9", none(), at("1.5 GiB")),
        ]
    };
    let keyed = generality(&varied(&answers(["118 MiB"; 3]), &["6"]));
    let doubt = Doubt::Keyed { words: vec!["6".into()] };
    assert_eq!(keyed, suspect(doubt, Doubtful::ForAPerson));
    let follows = answers(["117.7376 MiB", "117.7376 MiB", "117.74 MiB"]);
    assert_eq!(generality(&varied(&follows, &["6"])), Generality::Shown);
}

#[test]
fn a_number_for_texts_of_one_length_alone_is_learnt() {
    let mut answers = vec![("", saw("190"), saw("180"))];
    answers.extend((0..3).map(|_| (">around", saw("0"), saw("180"))));
    answers.push((">longer", saw("0"), saw("0")));
    let mut around = varied(&answers, &[]);
    around.variations.iter_mut().for_each(|v| v.now = "values around it".into());
    around.variations[3].now = LONGER.into();
    let doubt = Doubt::Learnt { answer: "180".into() };
    assert_eq!(generality(&around), suspect(doubt, Doubtful::ForAPerson));
    around.head.varied[0] = vec![saw("181")];
    assert_eq!(generality(&around), Generality::Shown);
}

#[test]
fn the_name_of_a_type_is_no_part_of_an_answer() {
    let none = || raised(END, "undefined: Totals");
    let gives = |value: &str| row(0, value == "[]int{3, 7}", &[value, "[]int{3, 7}"]);
    let mut answers = vec![("", none(), gives("[]int{3, 7}"))];
    answers.extend((0..3).map(|_| ("", none(), gives("[]int{3, 7}"))));
    let held = Varied { answers: vec!["3".into(), "7".into()], ..varied(&answers, &[]) };
    let doubt = Doubt::Learnt { answer: "[]int{3, 7}".into() };
    assert_eq!(generality(&held), suspect(doubt, Doubtful::ForAPerson));
}

#[test]
fn one_answer_that_is_put_together_is_a_doubt_where_the_base_tells_all_inputs_apart() {
    let mut answers = vec![("", saw("150"), saw("180"))];
    answers.extend(["151", "207", "300"].map(|base| ("", saw(base), saw("180"))));
    let mut made = Varied { answers: Vec::new(), ..varied(&answers, &[]) };
    made.inputs = vec![Input { value: "1000".into(), known: false, size: None }];
    let doubt = Doubt::Learnt { answer: "180".into() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&made), suspect);
    // Two of them may be chance, and one that moves is an answer of its own.
    let mut few = made.clone();
    few.base.varied[2] = vec![saw("150")];
    assert_ne!(generality(&few), suspect);
    made.head.varied[1] = vec![saw("199")];
    assert_eq!(generality(&made), Generality::Shown);
}

#[test]
fn members_of_several_enumerations_that_each_bring_the_base_back_were_learnt_pair_by_pair() {
    let gone = |what| (what, saw("490"), saw("490"));
    let answers = [
        ("", saw("490"), saw("180")),
        gone("Region.EU>Region.HOME"),
        gone("Region.EU>Region.WORLD"),
        gone("Size.LARGE>Size.SMALL"),
    ];
    let kinds = [(0, Sort::Member, ""), (1, Sort::Member, ""), (2, Sort::Member, "")];
    let mut pairs = varied(&answers, &[]);
    for (n, sort, _) in &kinds {
        pairs.variations[*n].sort = *sort;
    }
    let doubt = Doubt::NothingSurvives { tried: 3, inputs: Vec::new() };
    let suspect = Generality::Suspect { doubt, weight: Doubtful::ForAPerson };
    assert_eq!(generality(&pairs), suspect);
    // A member of one enumeration is an option.
    pairs.variations[2].was = "Region.EU".into();
    assert!(matches!(generality(&pairs), Generality::Only { .. }));
    pairs.variations[2].was = "Size.LARGE".into();
    pairs.head.varied[1] = vec![saw("735")];
    assert_eq!(generality(&pairs), Generality::Shown);
}

#[test]
fn answers_that_stand_in_the_change_with_their_inputs_were_learnt_whatever_others_get() {
    let answer =
        |site: i32, value: &str, wanted: &str| row(site, value == wanted, &[value, wanted]);
    let answers = [
        ("", answer(0, "9", "17"), answer(0, "17", "17")),
        ("4>5", answer(0, "10", "17"), answer(0, "15", "17")),
        ("4>2607", answer(0, "2612", "17"), answer(0, "5221", "17")),
        ("6>7", answer(0, "9", "17"), answer(0, "17", "17")),
        ("6>19", answer(0, "9", "17"), answer(0, "17", "17")),
    ];
    let mut made = varied(&answers, &["4", "6"]);
    made.answers = vec!["17".into(), "23".into()];
    let others = [("11", "23"), ("11", "23"), ("11", "23"), ("12", "19"), ("24", "43")];
    for (side, pick) in [(&mut made.base, 0), (&mut made.head, 1)] {
        let at = |n: usize| {
            let (base, head) = others[n];
            answer(1, if pick == 0 { base } else { head }, "23")
        };
        side.plain.iter_mut().for_each(|rows| rows.push(at(0)));
        side.varied.iter_mut().enumerate().for_each(|(n, rows)| rows.push(at(n + 1)));
    }
    let found = generality(&made);
    assert!(
        matches!(&found, Generality::Suspect { doubt: Doubt::NothingSurvives { inputs, .. }, .. } if inputs.len() == 2),
        "{found:?}"
    );
    made.answers.clear();
    assert_eq!(generality(&made), Generality::Shown, "the change holds no answer");
}

#[test]
fn a_held_answer_that_does_not_follow_what_the_test_works_out_brings_nothing() {
    let none = || raised(0, "ParseError: no");
    let told = |got: &str, wanted: &str| row(0, got == wanted, &[got, wanted]);
    let answers = [
        ("", none(), told("16", "16")),
        ("10>11", none(), told("16", "17")),
        ("10>12", none(), told("16", "18")),
        ("10>20", none(), told("16", "32")),
    ];
    let mut made = varied(&answers, &[]);
    made.answers = vec!["16".into()];
    made.worked_out = vec![(1, 0, 0)];
    let found = generality(&made);
    assert!(matches!(found, Generality::Suspect { .. }), "{found:?}");
    let follows = [
        ("", none(), told("16", "16")),
        ("10>11", none(), told("17", "17")),
        ("10>12", none(), told("18", "18")),
        ("10>20", none(), told("32", "32")),
    ];
    made = Varied { worked_out: made.worked_out, answers: made.answers, ..varied(&follows, &[]) };
    assert_eq!(generality(&made), Generality::Shown);
}

#[test]
fn of_yes_and_no_it_counts_whether_other_inputs_get_both() {
    // The method is missing on the base; one assertion asks it for three rows.
    let rows = |answers: [&str; 3], wanted: [&str; 3]| -> Vec<Row> {
        let one = |(n, (is, was)): (usize, (&str, &str))| Row {
            nth: u32::try_from(n).unwrap(),
            ..row(0, is == was, &[is, was])
        };
        answers.into_iter().zip(wanted).enumerate().map(one).collect()
    };
    let wanted = ["true", "false", "true"];
    let judged = |others: [[&str; 3]; 3]| {
        let none = || raised(END, "E0599: no method `less`");
        let answers = [
            ("", none(), saw("180")),
            ("5>72", none(), saw("180")),
            ("5>6", none(), saw("180")),
            ("5>4", none(), saw("180")),
        ];
        let mut asked = varied(&answers, &[]);
        asked.head.plain = [rows(wanted, wanted), rows(wanted, wanted)];
        asked.head.varied = others.into_iter().map(|all| rows(all, wanted)).collect();
        for variation in &mut asked.variations {
            (variation.sort, variation.now) = (Sort::Together, String::new());
            variation.was.clear();
        }
        generality(&asked)
    };
    let no = ["false"; 3];
    let found = judged([no, no, no]);
    let none = |found: &Generality| {
        matches!(found, Generality::Suspect { doubt: Doubt::NothingSurvives { .. }, .. })
    };
    assert!(none(&found), "{found:?}");
    let found = judged([no, ["false", "true", "true"], wanted]);
    assert!(!none(&found), "{found:?}");
}

#[test]
fn what_a_test_gives_that_cannot_be_observed_must_not_stand_in_the_change() {
    let mut unseen = varied(&[("", saw("190"), saw("180"))], &["toolchain"]);
    unseen.head.plain = [Vec::new(), Vec::new()];
    let doubt = Doubt::Unseen { words: vec!["toolchain".into()] };
    assert_eq!(generality(&unseen), Generality::Suspect { doubt, weight: Doubtful::ForAPerson });
    unseen.inputs.clear();
    assert!(matches!(generality(&unseen), Generality::Only { .. }));
}

#[test]
fn zero_is_an_edge_however_it_is_written() {
    for edge in ["0", "00", "0.00", "1", "-1", "01"] {
        assert!(is_edge(edge), "{edge}");
    }
    for value in ["", "10", "inf", "a0", "0x0"] {
        assert!(!is_edge(value), "{value}");
    }
}

#[test]
fn an_answer_that_no_input_moves_keeps_no_difference_alive_where_the_base_has_none() {
    let none = || raised(END, "E0599: no method `start`");
    let answers = |others: [&'static str; 3]| {
        let [a, b, c] = others;
        let mut told = varied(
            &[
                ("", none(), saw("180")),
                (">", none(), saw(a)),
                ("post>se", none(), saw(b)),
                ("post>qutv", none(), saw(c)),
            ],
            &[],
        );
        told.variations[0].sort = Sort::Together;
        told.variations[0].now.clear();
        told.variations[0].was.clear();
        // Beside it something that is two whatever is given.
        let two = row(1, true, &["2", "2"]);
        let all = told.head.plain.iter_mut().chain(&mut told.head.varied);
        all.for_each(|rows| rows.push(two.clone()));
        generality(&told)
    };
    let found = answers(["None", "None", "None"]);
    let none_survives =
        matches!(&found, Generality::Suspect { doubt: Doubt::NothingSurvives { .. }, .. });
    assert!(none_survives, "{found:?}");
    assert_eq!(answers(["181", "182", "183"]), Generality::Shown);
}
