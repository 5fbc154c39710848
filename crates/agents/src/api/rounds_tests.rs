use super::*;
use crate::api::Sse;
use proctor_core::turn::schema;
use proctor_core::words::{Phase, TaskType};
use serde_json::json;

fn rules(dialect: Dialect) -> Rules {
    Rules {
        dialect,
        model: "m".to_owned(),
        elsewhere: true,
        root: "/tree".into(),
        hands: Hands::Free,
        policy: Policy::default(),
        schema: Some(schema(Phase::Refactor, TaskType::Feature)),
        max_calls: 5,
        max_output: None,
        context: 100_000,
        price: None,
        money: None,
    }
}

fn begun(dialect: Dialect) -> Rounds {
    Rounds::begin(rules(dialect), Talk::default(), "the task")
}

fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}

fn call(id: &str, name: &str, arguments: &Value) -> Part {
    Part::Call(Call { id: id.into(), name: name.into(), arguments: arguments.to_string() })
}

fn answer(parts: Vec<Part>) -> Answer {
    Answer { parts, thoughts: String::new(), stop: Stop::Done, used: None }
}

fn asked(rounds: &mut Rounds) -> Value {
    match rounds.step() {
        Step::Ask(body) => body,
        other => panic!("{other:?}"),
    }
}

fn ended(rounds: &mut Rounds) -> Ending {
    match rounds.step() {
        Step::End(ending) => ending,
        other => panic!("{other:?}"),
    }
}

fn done() -> Value {
    json!({"refactored": true, "notes": "n"})
}

#[test]
fn several_calls_of_one_answer_are_carried_out_and_answered_in_their_order() {
    for dialect in [Dialect::Anthropic, Dialect::Chat] {
        let mut rounds = begun(dialect);
        asked(&mut rounds);
        let calls = vec![
            text("looking"),
            call("a", "read", &json!({"path": "x"})),
            call("b", "fly", &json!({})),
            call("c", "list", &json!({})),
        ];
        rounds.answered(answer(calls));
        let Step::Use(deeds) = rounds.step() else { panic!() };
        let ids: Vec<&str> = deeds.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["a", "c"]);
        let result =
            |id: &str| Brought { id: id.into(), text: format!("of {id}"), went: Went::Well };
        rounds.brought(vec![result("a"), result("c")]);
        let body = asked(&mut rounds).to_string();
        let at = |what: &str| body.find(what).unwrap_or_else(|| panic!("{what} in {body}"));
        assert!(at("of a") < at("There is no tool `fly`") && at("no tool") < at("of c"), "{body}");
        rounds.answered(answer(vec![call("d", "finish", &done())]));
        assert!(
            matches!(ended(&mut rounds), Ending::Good { object: Some(object), .. } if object["notes"] == "n")
        );
        let names: Vec<String> = rounds
            .tales()
            .iter()
            .map(|tale| serde_json::to_value(tale).unwrap()["type"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["text", "tool", "refused", "tool"]);
    }
}

#[test]
fn an_answer_that_does_not_fit_is_sent_back_twice_and_then_left_to_the_one_who_asked() {
    let mut rounds = begun(Dialect::Chat);
    for n in 0..3 {
        asked(&mut rounds);
        rounds.answered(answer(vec![call(&format!("c{n}"), "finish", &json!({"refactored": 3}))]));
    }
    assert!(matches!(ended(&mut rounds), Ending::Good { object: Some(_), .. }));
    let told = serde_json::to_string(rounds.talk()).unwrap();
    assert!(told.contains("`notes` is missing"), "{told}");
}

#[test]
fn a_model_that_only_speaks_is_helped_along_and_its_last_object_counts() {
    let mut rounds = begun(Dialect::Chat);
    asked(&mut rounds);
    rounds.answered(answer(vec![text("I am done.")]));
    let body = asked(&mut rounds).to_string();
    assert!(body.contains("call `finish` with your answer"), "{body}");
    rounds.answered(answer(vec![text(&format!("Here: ```json\n{}\n```", done()))]));
    assert!(matches!(ended(&mut rounds), Ending::Good { object: Some(_), .. }));
    let mut rounds = begun(Dialect::Chat);
    for _ in 0..3 {
        asked(&mut rounds);
        rounds.answered(answer(vec![text("words")]));
    }
    assert!(matches!(ended(&mut rounds), Ending::Good { object: None, text } if text == "words"));
}

#[test]
fn finish_beside_a_call_that_failed_is_not_taken() {
    let mut rounds = begun(Dialect::Anthropic);
    asked(&mut rounds);
    rounds.answered(answer(vec![
        call("w", "write", &json!({"path": "../x", "content": ""})),
        call("f", "finish", &done()),
    ]));
    let body = asked(&mut rounds).to_string();
    assert!(body.contains("went well"), "{body}");
}

#[test]
fn a_refusal_too_many_calls_and_spent_money_end_the_turn() {
    let mut rounds = begun(Dialect::Anthropic);
    asked(&mut rounds);
    rounds.answered(Answer { stop: Stop::Refused, ..answer(vec![text("No.")]) });
    assert!(ended(&mut rounds).fault().unwrap().contains("refused to answer: No."));

    let mut rounds = begun(Dialect::Chat);
    for n in 0..5 {
        let body = asked(&mut rounds).to_string();
        assert_eq!(body.contains("one more answer"), n == 4, "{n}: {body}");
        rounds.answered(answer(vec![call(&format!("{n}"), "fly", &json!({}))]));
    }
    assert!(ended(&mut rounds).fault().unwrap().contains("after 5 calls"));

    let price = Some(Price { input: 1_000_000, output: 10_000_000, cached: Some(100_000) });
    let rules = Rules { price, money: Some(2_000), ..rules(Dialect::Anthropic) };
    let mut rounds = Rounds::begin(rules, Talk::default(), "t");
    asked(&mut rounds);
    let used = Some(Used { input: 1000, kept: 400, cached: 5000, output: 40 });
    rounds.answered(Answer { used, ..answer(vec![call("a", "list", &json!({}))]) });
    assert!(ended(&mut rounds).fault().unwrap().contains("money"));
    let tales = rounds.tales();
    let Some(Tale::Usage { usd: Some(dollars), input: 1000, .. }) = tales.first() else {
        panic!("{tales:?}")
    };
    assert!((dollars - 0.002).abs() < 1e-9, "{dollars}");
}

#[test]
fn a_long_conversation_is_summed_up_with_its_task_and_latest_turns_kept() {
    let rules = Rules { context: 20_000, max_calls: 50, ..rules(Dialect::Chat) };
    let mut rounds = Rounds::begin(rules, Talk::default(), "THE TASK");
    let mut summed = 0;
    for n in 0..30 {
        let body = asked(&mut rounds);
        let body = if body.get("tools").is_none() {
            assert!(body.to_string().contains("Sum up this part"), "{body}");
            summed += 1;
            rounds.answered(answer(vec![text("SUMMARY")]));
            asked(&mut rounds)
        } else {
            body
        };
        let body = body.to_string();
        assert!(body.len() / 4 < 20_000 && body.contains("THE TASK"), "{n}: {}", body.len());
        assert_eq!(body.contains("SUMMARY"), summed > 0, "{n}");
        let long = "y".repeat(3000);
        rounds.answered(answer(vec![call(
            &format!("c{n}"),
            "read",
            &json!({"path": "a", "why": long}),
        )]));
        let text = format!("result {n} {}", "x".repeat(5000));
        rounds.brought(vec![Brought { id: format!("c{n}"), text, went: Went::Well }]);
    }
    assert!(summed >= 1);
}

#[test]
fn a_provider_that_finds_it_too_long_gets_less_or_the_turn_ends() {
    let too_long = || Fault::Status { status: 400, said: "prompt is too long".into(), retry: None };
    let mut rounds = begun(Dialect::Anthropic);
    asked(&mut rounds);
    rounds.answered(answer(vec![call("a", "read", &json!({"path": "a"}))]));
    rounds.brought(vec![Brought { id: "a".into(), text: "x".repeat(9000), went: Went::Well }]);
    let before = asked(&mut rounds).to_string().len();
    rounds.failed(too_long(), 0.0);
    assert!(asked(&mut rounds).to_string().len() < before);
    rounds.failed(too_long(), 0.0);
    if matches!(rounds.step(), Step::Ask(_)) {
        rounds.failed(too_long(), 0.0);
    }
    assert!(ended(&mut rounds).fault().unwrap().contains("too long for this model"));
}

#[test]
fn a_model_without_tools_may_review_but_not_write() {
    let without =
        || Fault::Status { status: 400, said: "m does not support tools".into(), retry: None };
    let mut rounds = begun(Dialect::Chat);
    rounds.failed(without(), 0.0);
    assert!(ended(&mut rounds).fault().unwrap().contains("can't use tools"));
    let tied = Rules { hands: Hands::Tied, ..rules(Dialect::Chat) };
    let mut rounds = Rounds::begin(tied, Talk::default(), "t");
    asked(&mut rounds);
    rounds.failed(without(), 0.0);
    let body = asked(&mut rounds);
    assert!(body.get("tools").is_none() && body.to_string().contains("fits this schema"), "{body}");
}

fn on_the_wire(events: &[Value]) -> String {
    let events: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    events.concat()
}

/// An answer as it comes over the wire.
fn wire(dialect: Dialect, stream: &str) -> Result<Answer, Fault> {
    let (mut sse, mut reader) = (Sse::default(), dialect.reader());
    for event in sse.take(stream.as_bytes()).unwrap() {
        reader.take(&event)?;
    }
    reader.finish()
}

#[test]
fn anthropics_stream_is_read_and_its_thoughts_are_sent_back_as_they_were() {
    let stream = [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "sig"}}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Look"}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "ing"}}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t1", "name": "read", "input": {}}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"path\":"}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "\"a\"}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 42}}),
        json!({"type": "message_stop"}),
    ];
    let text: String = on_the_wire(&stream);
    let answer = wire(Dialect::Anthropic, &text).unwrap();
    assert_eq!(answer.used, Some(Used { input: 15, kept: 5, cached: 100, output: 42 }));
    assert_eq!(answer.thoughts, "hm");
    let mut rounds = begun(Dialect::Anthropic);
    asked(&mut rounds);
    rounds.answered(answer);
    rounds.brought(vec![Brought { id: "t1".into(), text: "content".into(), went: Went::Well }]);
    let body = asked(&mut rounds);
    let content = &body["messages"][1]["content"];
    assert_eq!(content[0], json!({"type": "thinking", "thinking": "hm", "signature": "sig"}));
    assert_eq!(content[1]["text"], "Looking");
    assert_eq!(content[2]["input"], json!({"path": "a"}));
    let result = &body["messages"][2]["content"][0];
    assert_eq!((&result["tool_use_id"], &result["is_error"]), (&json!("t1"), &json!(false)));
    // What can be kept by the provider is marked: instructions, task, latest result.
    let marks = body.to_string().matches("cache_control").count();
    assert_eq!(marks, 3, "{body}");
    let cut: String = on_the_wire(&stream[..9]);
    assert!(matches!(wire(Dialect::Anthropic, &cut), Err(Fault::Broken { .. })));
    let overloaded = "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    assert!(matches!(wire(Dialect::Anthropic, overloaded), Err(Fault::Status { status: 529, .. })));
}

#[test]
fn a_chat_stream_is_read_in_the_shapes_that_servers_give_it() {
    let piece = |delta: Value, stop: Value| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})
        )
    };
    let usage = format!(
        "data: {}\n\n",
        json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}})
    );
    let pieces = [
        piece(
            json!({"role": "assistant", "reasoning_content": "hm", "content": null}),
            Value::Null,
        ),
        piece(
            json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "read", "arguments": ""}}]}),
            Value::Null,
        ),
        piece(
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"path\":"}}]}),
            Value::Null,
        ),
        piece(
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"a\"}"}}, {"index": 1, "id": "", "function": {"name": "list", "arguments": "{}"}}]}),
            Value::Null,
        ),
        piece(json!({}), json!("tool_calls")),
        usage.clone(),
        "data: [DONE]\n\n".to_owned(),
    ];
    let answer = wire(Dialect::Chat, &pieces.concat()).unwrap();
    assert_eq!(answer.used, Some(Used { input: 36, kept: 0, cached: 64, output: 7 }));
    assert_eq!(answer.thoughts, "hm");
    let calls: Vec<&Call> = answer
        .parts
        .iter()
        .filter_map(|p| match p {
            Part::Call(c) => Some(c),
            _ => None,
        })
        .collect();
    assert_eq!((calls[0].name.as_str(), calls[0].arguments.as_str()), ("read", "{\"path\":\"a\"}"));
    let mut rounds = begun(Dialect::Chat);
    asked(&mut rounds);
    rounds.answered(answer);
    let Step::Use(deeds) = rounds.step() else { panic!() };
    assert!(deeds.len() == 2 && deeds[0].0 != deeds[1].0 && !deeds[1].0.is_empty(), "{deeds:?}");
    // Each call in one piece, without a number, its arguments an object.
    let whole = piece(
        json!({"tool_calls": [{"id": "x", "function": {"name": "list", "arguments": {}}}, {"id": "y", "function": {"name": "read", "arguments": {"path": "b"}}}]}),
        json!("stop"),
    );
    let answer = wire(Dialect::Chat, &whole).unwrap();
    assert_eq!(answer.parts.len(), 2, "{answer:?}");
    let cut = pieces[..4].concat();
    assert!(matches!(wire(Dialect::Chat, &cut), Err(Fault::Broken { .. })));
    let error = "data: {\"error\":{\"message\":\"too busy\",\"code\":503}}\n\n";
    assert!(matches!(wire(Dialect::Chat, error), Err(Fault::Status { status: 503, .. })));
    let refusal = piece(json!({"refusal": "I can't."}), json!("stop"));
    assert_eq!(wire(Dialect::Chat, &refusal).unwrap().stop, Stop::Refused);
    assert!(matches!(wire(Dialect::Chat, "data: {broken\n\n"), Err(Fault::Broken { .. })));
}
