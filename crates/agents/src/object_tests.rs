use super::*;
use proptest::prelude::*;
use serde_json::json;

fn object(text: &str) -> Value {
    match last_object(text.as_bytes()) {
        Found::Object(object) => Value::Object(object),
        other => panic!("{other:?} in {text:?}"),
    }
}

#[test]
fn the_last_of_several_objects_counts() {
    assert_eq!(object("{\"a\":1}\n{\"a\":2}\nbye\n"), json!({"a": 2}));
    assert_eq!(object(r#"{"a":1}{"a":2}"#), json!({"a": 2}));
}

#[test]
fn an_object_over_several_lines_in_a_fence_is_found() {
    let text = "Here you are {it works}:\n```json\n{\n  \"status\": \"SUCCESS\",\n  \"in\": {\"x\": [1, {}]}\n}\n```\nDone :}\n";
    assert_eq!(object(text), json!({"status": "SUCCESS", "in": {"x": [1, {}]}}));
}

#[test]
fn braces_and_quotes_inside_strings_fool_nobody() {
    let text = r#"{"notes": "a } and { \"status\": 1 } \\", "n": "{\"a\":2}"} tail"#;
    assert_eq!(object(text), json!({"notes": "a } and { \"status\": 1 } \\", "n": "{\"a\":2}"}));
}

#[test]
fn an_inner_object_is_no_answer_of_its_own() {
    assert_eq!(object(r#"{"a": {"b": 1}}"#), json!({"a": {"b": 1}}));
    let broken = last_object(br#"{"status": {"b": 1}, oops"#);
    assert!(matches!(broken, Found::Broken(_)), "{broken:?}");
}

#[test]
fn an_object_right_after_a_broken_one_is_found() {
    assert_eq!(object("{\"log\": {\"x\": 1}\n{\"a\": 2}"), json!({"a": 2}));
    assert_eq!(object("the set {\"a\", \"b\"} {\"c\": 3}"), json!({"c": 3}));
    assert_eq!(object("{\"cut off\n{\"c\": 3}"), json!({"c": 3}));
}

#[test]
fn text_without_an_object_is_nothing() {
    for text in ["", "no", "[1, 2]", "fn f() { 1 }", "{", "}{", "{   "] {
        assert_eq!(last_object(text.as_bytes()), Found::Nothing, "{text:?}");
    }
}

#[test]
fn bytes_that_are_not_text_do_no_harm() {
    assert_eq!(
        last_object(b"\xff\xfe{\"a\": \"\xff\"}"),
        Found::Object(json!({"a": "\u{fffd}"}).as_object().unwrap().clone())
    );
}

#[test]
fn hostile_input_is_read_in_linear_time() {
    let count = 200_000;
    let begun = std::time::Instant::now();
    for text in [
        "{".repeat(count),
        "{\"a\":".repeat(count),
        "{\"".repeat(count),
        "{\"a\":[".repeat(count),
        format!("{{\"a\":\"{}", "{".repeat(count)),
        format!("{}{}", "{\"a\":[".repeat(100), "{},".repeat(count)),
        format!("{{{}", " ".repeat(count)),
        "{ ".repeat(count),
        "{\"\\\"".repeat(count),
        "{}".repeat(count),
    ] {
        let _ = last_object(text.as_bytes());
    }
    // Quadratic work on any of these takes minutes.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z{}\"\\\\\n ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z{}\"]{0,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn an_object_on_its_own_line_is_found_whatever_stands_around(
        map in prop::collection::btree_map("[a-z{}\"]{0,5}", any_json(), 0..4),
        before in "[a-z{}\":, \n]{0,60}",
        after in "[a-z}: \n]{0,20}",
        pretty: bool,
    ) {
        let wanted = Value::Object(map.into_iter().collect());
        let shown = if pretty { format!("{wanted:#}") } else { wanted.to_string() };
        // A closing quote and a letter end any string or object that the noise may have left open.
        let text = format!("{before}\"\nx\n{shown}\n{after}");
        prop_assert_eq!(object(&text), wanted);
    }

    #[test]
    fn no_bytes_break_the_search(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = last_object(&bytes);
    }

    #[test]
    fn no_brackets_break_the_search(text in "[{}\\[\\]\":,a1\\\\\n ]{0,120}") {
        let _ = last_object(text.as_bytes());
    }
}

#[test]
fn bombs_are_read_in_no_time_and_are_no_answer() {
    for bomb in [
        "[".repeat(3_000_000),
        "{\"a\":".repeat(1_000_000),
        format!("{{\"status\": {}}}", "9".repeat(3_000_000)),
        "{\"a\": [".repeat(500_000),
        "\u{fffd}".repeat(500_000),
    ] {
        // Any answer will do, as long as there is one.
        let _ = last_object(bomb.as_bytes());
    }
    assert_eq!(last_object("[".repeat(1_000_000).as_bytes()), Found::Nothing);
}
