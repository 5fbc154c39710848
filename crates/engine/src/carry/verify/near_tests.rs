use super::*;
use proctor_core::report::Case;
use proctor_core::words::TestId;

fn edit(text: &str) -> Edit {
    Edit { line: 1, from: 0, to: 0, text: text.to_owned(), what: String::new() }
}

fn item() -> TestItem {
    TestItem {
        id: TestId::new("tests/test_words.py::test_slug"),
        place: proctor_core::report::Place {
            file: "tests/test_words.py".to_owned(),
            line: Some(1),
        },
        text: "def test_slug(): assert slug(\"A  b\") == \"a-b\"".to_owned(),
        shape: proctor_core::item::Shape::Sound,
    }
}

fn report(end: CaseEnd) -> TestReport {
    let cases = [(item().id, Case { end, took_ms: None })].into();
    TestReport { end: RunEnd::Finished, cases }
}

fn failed(message: &str) -> TestReport {
    report(CaseEnd::Failed {
        reason: Reason::Assertion { message: message.to_owned(), place: None },
    })
}

fn broke(message: &str) -> TestReport {
    report(CaseEnd::Failed { reason: Reason::Panic { message: message.to_owned(), place: None } })
}

fn seen(one: &TestReport, other: &TestReport) -> Seen {
    let input = Neighbour {
        was: "\"A  b\"".to_owned(),
        edit: edit("\"A  bk\""),
        other: edit("\"A  bt\""),
        wild: edit("x"),
    };
    alone(&item(), &input, (one, other))
}

#[test]
fn one_answer_to_two_other_inputs_is_seen_whatever_the_message_repeats() {
    let says = |out: &str, given: &str| {
        failed(&format!(
            "assert '{out}' == 'a-b'\n  - a-b\n  + {out}\n + where '{out}' = slug('{given}')"
        ))
    };
    assert!(seen(&says("", "A  bk"), &says("", "A  bt")) == Seen::OneAnswer);
    assert!(seen(&says("A  bk", "A  bk"), &says("A  bt", "A  bt")) == Seen::OneAnswer);
    assert!(seen(&says("a-bk", "A  bk"), &says("a-bt", "A  bt")) == Seen::Otherwise);
    // The line of the test is no input, also where it is the same number.
    let at = |given: &str| {
        failed(&format!("test_a.py:12: in test_slug\nE assert 0 == 3\nE + where 0 = sub({given})"))
    };
    let numbers =
        Neighbour { was: "4".to_owned(), edit: edit("7"), other: edit("12"), wild: edit("x") };
    assert!(alone(&item(), &numbers, (&at("7"), &at("12"))) == Seen::OneAnswer);
}

#[test]
fn a_message_that_only_repeats_the_test_says_nothing_about_the_answer() {
    let source = "assertion failed: slug(\"A  b\") == \"a-b\"";
    assert!(seen(&failed(source), &failed(source)) == Seen::Otherwise);
    assert!(seen(&broke("KeyError: 'A  bk'"), &broke("KeyError: 'A  bt'")) == Seen::Breaks);
    let passed = report(CaseEnd::Passed);
    assert!(seen(&passed, &passed) == Seen::Holds);
    assert!(seen(&passed, &failed("assert 'a' == 'a-b'")) == Seen::Otherwise);
}

#[test]
fn an_input_is_erased_only_where_it_stands_by_itself() {
    assert_eq!(
        erased("assert 110 == 6 where 110 = f(10)", &edit("10")),
        "assert 110 == 6 where 110 = f(…)"
    );
    assert_eq!(erased("[5, 10]", &edit(", 10")), "[5, …]");
}

#[test]
fn what_differs_by_chance_is_left_out() {
    let said = |message: &str| told(&CaseEnd::Errored { message: message.to_owned() });
    let cut = "assert [<generator o...7fc43303c7c0>] == [4, 12345678]";
    assert_eq!(said(cut), "assert [<generator == [4, 12345678]");
    assert_eq!(said("at 0x7f in /tmp/a.py: 3"), "at in 3");
    assert_eq!(said("box: boxs\ncity: citys"), said("city: citys\nbox: boxs"));
}

#[test]
fn a_test_of_something_else_is_about_something_else() {
    let test = |text: &str| TestItem { text: text.to_owned(), ..item() };
    let slug = test("#[test] fn slugs() { assert_eq!(x::slug(\"Hello\"), \"hello\"); }");
    let greet = test("#[test] fn greets() { assert_eq!(x::greet(\"Ada\"), \"Hello Ada\"); }");
    let other = test("#[test] fn none() { assert_eq!(x::slug(\"?\"), \"\"); }");
    let added: BTreeSet<String> =
        ["fn", "Hello", "slug", "greet", "Level"].map(str::to_owned).into();
    assert!(!asks_of_the_same(&slug, &greet, &added));
    assert!(asks_of_the_same(&slug, &other, &added));
    let read = test("fn a() { assert_eq!(\"low\".parse(), Ok(Level::Low)); }");
    let refused = test("fn b() { assert!(\"x\".parse::<Level>().is_err()); }");
    assert!(asks_of_the_same(&read, &refused, &added));
}

#[test]
fn the_same_breach_is_the_same_however_deep_it_lies() {
    let deep = broke(
        "test_a.py:3: in test_slug\nshop.py:9: in slug\n    return old(text)\nshop.py:4: in old\n    1 / 0\nE   ZeroDivisionError: division by zero",
    );
    let here = broke(
        "test_a.py:3: in test_slug\nshop.py:4: in slug\n    1 / 0\nE   ZeroDivisionError: division by zero",
    );
    let other = broke("test_a.py:3: in test_slug\nshop.py:4: in slug\nE   KeyError: 'a'");
    assert!(compare(&item(), &here, &deep) == Seen::AsOnBase);
    assert!(compare(&item(), &here, &other) == Seen::Otherwise);
    let endless = |how: &str| {
        broke(&format!("a.py:4: in a\nE   RecursionError: maximum recursion depth exceeded{how}"))
    };
    assert!(compare(&item(), &endless(""), &endless(" in comparison")) == Seen::AsOnBase);
}
