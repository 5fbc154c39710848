//! The Model Context Protocol on stdio, spoken by a client of our own.

use crate::repos::place::{Place, sub_scenario};
use serde_json::{Value, json};

fn request(id: u32, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn call(id: u32, tool: &str, wish: &Value) -> String {
    request(
        id,
        "tools/call",
        &json!({"name": tool, "arguments": wish, "_meta": {"progressToken": "p"}}),
    )
}

/// Says all of it, and gives what came back.
fn talk(place: &Place, args: &[&str], lines: &[String]) -> Vec<Value> {
    let args = [&["mcp"], args].concat();
    let call = place.env.call(place.path()).args(&args).mock(&sub_scenario(""));
    call.stdin(&(lines.join("\n") + "\n")).run().expect_code(0).events()
}

fn answer(all: &[Value], id: u32) -> &Value {
    all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("no answer {id}: {all:?}"))
}

/// What a tool said, as JSON where it is.
fn said(all: &[Value], id: u32) -> (bool, Value) {
    let result = &answer(all, id)["result"];
    let text = result["content"][0]["text"].as_str().expect("a text");
    let value = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
    (result["isError"] == true, value)
}

#[test]
fn a_model_sees_runs_and_evidence_and_can_not_approve() {
    let Some(place) = Place::python() else { return };
    place.add(&[]).run().expect_code(3);
    let run = place.run_id();
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let all = talk(
        &place,
        &[],
        &[
            request(1, "initialize", &hello),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
            request(2, "tools/list", &json!({})),
            call(3, "list_runs", &json!({})),
            call(4, "run_status", &json!({"run": run})),
            call(5, "get_evidence", &json!({})),
            call(6, "approve_run", &json!({"run": run, "tree": "x"})),
            call(7, "verify_branch", &json!({"head": "HEAD", "base": "HEAD"})),
            call(8, "run_status", &json!({"run": 7})),
            call(9, "list_bugs", &json!({"everything": true})),
            request(10, "resources/read", &json!({"uri": format!("proctor://evidence/{run}")})),
            request(11, "resources/list", &json!({})),
            request(12, "nonsense", &json!({})),
            "not json".to_owned(),
        ],
    );
    assert_eq!(answer(&all, 1)["result"]["protocolVersion"], "2025-03-26");
    let tools = answer(&all, 2)["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let wanted =
        ["start_task", "run_status", "list_runs", "get_evidence", "verify_branch", "list_bugs"];
    assert_eq!(names, wanted);
    assert_eq!(said(&all, 3).1["runs"][0]["run"], *run);
    assert_eq!(said(&all, 4).1["status"], "AWAITING_APPROVAL");
    assert_eq!(said(&all, 5).1["verdict"], "proven");
    assert_eq!(answer(&all, 6)["error"]["code"], -32602);
    assert_eq!(said(&all, 7).1["verdict"], "inconclusive");
    assert!(said(&all, 8).0 && said(&all, 9).0, "{all:?}");
    let text = answer(&all, 10)["result"]["contents"][0]["text"].as_str().expect("a text");
    assert!(text.contains("test_sub_takes_away"), "{text}");
    assert_eq!(answer(&all, 11)["result"]["resources"][0]["name"], *run);
    assert_eq!(answer(&all, 12)["error"]["code"], -32601);
    assert!(all.iter().any(|one| one["error"]["code"] == -32700), "{all:?}");
    assert_eq!(
        place.proctor(&["show", &run, "--format", "json"]).events()[0]["status"],
        "AWAITING_APPROVAL"
    );
}

#[test]
fn a_model_begins_a_task_and_approves_where_that_was_turned_on() {
    let Some(place) = Place::python() else { return };
    let wish = json!({"description": "a sub function", "type": "feature", "id": "T-1"});
    let all = talk(&place, &["--allow-approve"], &[call(1, "start_task", &wish)]);
    let (wrong, begun) = said(&all, 1);
    assert!(!wrong, "{begun}");
    let run = begun["run"].as_str().expect("a run").to_owned();
    place.proctor(&["log", "-f", &run]).expect_code(0);
    let shown = place.proctor(&["show", &run, "--format", "json"]).events();
    assert_eq!(shown[0]["status"], "AWAITING_APPROVAL", "{shown:?}");
    let stale = json!({"run": run, "tree": "0000"});
    let right = json!({"run": run, "tree": shown[0]["proven_tree"]});
    let lines = [call(1, "approve_run", &stale), call(2, "approve_run", &right)];
    let all = talk(&place, &["--allow-approve"], &lines);
    assert!(said(&all, 1).0 && !said(&all, 2).0, "{all:?}");
    place.proctor(&["log", "-f", &run]).expect_code(0);
    assert_eq!(place.repo.git(&["log", "--format=%s", "-1", "main"]), "a sub function");
}
