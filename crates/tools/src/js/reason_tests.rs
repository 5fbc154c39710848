use super::*;

fn raised(stack: &str) -> Raised {
    Raised { stack: stack.to_owned(), ..Raised::default() }
}

#[test]
fn type_and_message_come_from_the_stack_where_a_worker_lost_them() {
    let lost = raised("TypeError: x is not a function\n    at a (/t/a.js:1:1)");
    assert_eq!(
        (kind(&lost).as_str(), message(&lost).as_str()),
        ("TypeError", "x is not a function")
    );
    let coded = raised("AssertionError [ERR_ASSERTION]: 1 == 2\n    at a (/t/a.js:1:1)");
    assert_eq!((kind(&coded).as_str(), message(&coded).as_str()), ("AssertionError", "1 == 2"));
}

#[test]
fn an_assertion_whose_type_stands_before_its_message_is_one() {
    let text = "Error: expect(received).toThrow(expected)\n\nReceived function did not throw";
    let stack = format!("{text}\n    at Object.<anonymous> (/t/a.spec.ts:40:43)");
    let jasmine = Raised { message: text.to_owned(), ..raised(&stack) };
    let (kind, said) = (kind(&jasmine), message(&jasmine));
    assert_eq!(kind, "Error");
    assert!(is_assertion(&jasmine, &kind, &said), "{said}");
}

#[test]
fn assertions_are_told_from_matchers_that_were_used_wrongly() {
    for text in [
        "expect(received).rejects.toThrow()\n\nReceived promise resolved",
        "expect.assertions(1)\n\nExpected one",
        "assert.strictEqual(received, expected)\n\nExpected value",
        "assert.throws(function)\n\nExpected the function to throw",
        "Snapshot `a 1` mismatched",
    ] {
        assert!(is_assertion(&Raised::default(), "Error", text), "{text}");
    }
    for text in [
        "expect(received).toHaveBeenCalled()\n\nMatcher error: received value must be a mock",
        "no",
    ] {
        assert!(!is_assertion(&Raised::default(), "Error", text), "{text}");
    }
}

#[test]
fn the_environments_faults_are_seen_in_code_text_and_cause() {
    let coded = |code: &str| Raised { code: code.to_owned(), ..Raised::default() };
    assert!(environment(&coded("ENOTFOUND")) && environment(&coded("ENOSPC")));
    assert!(environment(&raised(
        "Error: getaddrinfo EAI_AGAIN shop.example\n    at x (/t/a.js:1:1)"
    )));
    assert!(environment(&raised("Error: ENOSPC: no space left on device, write")));
    assert!(environment(&raised("Error: connect ECONNREFUSED 10.0.0.1:80")));
    assert!(!environment(&raised("Error: connect ECONNREFUSED 127.0.0.1:80")));
    let cause = Some(Box::new(coded("ENOTFOUND")));
    assert!(environment(&Raised { cause, ..raised("TypeError: fetch failed") }));
    assert!(!environment(&coded("ENOENT")));
}
