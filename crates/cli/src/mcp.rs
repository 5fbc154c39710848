//! `proctor mcp`: the Model Context Protocol on stdio: one JSON-RPC message a line. It knows the protocol and no tool; what the
//! tools do is asked of the desk. By hand, since this part of the protocol is small and needs no async.

mod tools;

use crate::args::McpArgs;
use crate::out;
use anyhow::Result;
use proctor_core::words::RunId;
use proctor_desk::evidence::of_run;
use proctor_desk::run::listing::rows;
use proctor_desk::surroundings::Surroundings;
use proctor_journal::{Journal, Listing};
use serde_json::{Value, json};
use std::io::{BufRead, Read};
use tools::Tools;

/// The versions of the protocol that are spoken here, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// No honest message is longer.
const LONGEST: u64 = 4 * 1024 * 1024;
const EVIDENCE: &str = "proctor://evidence/";
/// As many runs are listed as resources.
const RESOURCES: usize = 100;

const HOW: &str = "Proctor runs tests itself and lands only what it can prove. start_task begins a run in the background; run_status says how it stands. A run that waits for approval needs a person: tell them, with the command that run_status names.";

pub fn mcp(around: &Surroundings, args: &McpArgs) -> Result<u8> {
    let tools = Tools { around, may_approve: args.allow_approve };
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(0);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice::<Value>(&line) {
            Ok(message) => heard(&tools, &message),
            Err(why) => Some(fault(&Value::Null, -32700, &format!("this is not JSON: {why}"))),
        };
        if let Some(answer) = answer {
            out::json(&answer.to_string());
        }
    }
}

/// The answer to a message; none to what wants none.
fn heard(tools: &Tools<'_>, message: &Value) -> Option<Value> {
    // A notification, or an answer to something that was never asked.
    let id = message.get("id").filter(|id| !id.is_null())?;
    let method = message["method"].as_str()?;
    let params = &message["params"];
    let result = match method {
        "initialize" => initialize(params),
        "ping" => json!({}),
        "tools/list" => json!({"tools": tools.list()}),
        "tools/call" => {
            let Some(result) = called(tools, params) else {
                let name = params["name"].as_str().unwrap_or_default();
                return Some(fault(id, -32602, &format!("there is no tool {name:?}")));
            };
            result
        }
        "resources/list" => match resources(tools.around) {
            Ok(found) => json!({"resources": found}),
            Err(why) => return Some(fault(id, -32603, &format!("{why:#}"))),
        },
        "resources/templates/list" => json!({"resourceTemplates": [{
            "uriTemplate": format!("{EVIDENCE}{{run}}"), "name": "evidence",
            "description": "What a run rests on, as one JSON object", "mimeType": "application/json",
        }]}),
        "resources/read" => match resource(tools.around, params["uri"].as_str()) {
            Ok(contents) => json!({"contents": [contents]}),
            Err(why) => return Some(fault(id, -32002, &format!("{why:#}"))),
        },
        _ => return Some(fault(id, -32601, &format!("there is no method {method:?}"))),
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn fault(id: &Value, code: i32, why: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": why}})
}

fn initialize(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|known| *known == asked).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "proctor", "version": env!("CARGO_PKG_VERSION")},
        "instructions": HOW,
    })
}

/// A tool's own failure is an answer to the model, not a fault of the protocol.
fn called(tools: &Tools<'_>, params: &Value) -> Option<Value> {
    let token = params["_meta"]["progressToken"].clone();
    let mut told = 0_u64;
    let mut progress = |line: &str| {
        if token.is_null() {
            return;
        }
        told += 1;
        let params = json!({"progressToken": token, "progress": told, "message": line});
        let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        out::json(&note.to_string());
    };
    let name = params["name"].as_str()?;
    let done = tools.call(name, &params["arguments"], &mut progress)?;
    let (text, wrong) = match done {
        Ok(value) => (format!("{value:#}"), false),
        Err(why) => (format!("{why:#}"), true),
    };
    Some(json!({"content": [{"type": "text", "text": text}], "isError": wrong}))
}

fn resources(around: &Surroundings) -> Result<Vec<Value>> {
    let journal = Journal::open(around.home.root())?;
    let all = rows(&around.home, &journal, Listing::All)?;
    let resource = |row: &proctor_journal::RunRow| {
        json!({
            "uri": format!("{EVIDENCE}{}", row.id), "name": row.id,
            "title": format!("Evidence of {} ({})", row.id, row.head.status),
            "description": row.head.description, "mimeType": "application/json",
        })
    };
    Ok(all.iter().take(RESOURCES).map(resource).collect())
}

fn resource(around: &Surroundings, uri: Option<&str>) -> Result<Value> {
    let uri = uri.unwrap_or_default();
    let Some(run) = uri.strip_prefix(EVIDENCE) else {
        anyhow::bail!("there is no resource {uri:?}; evidence is at {EVIDENCE}RUN");
    };
    let journal = Journal::open(around.home.root())?;
    let id: RunId = journal.find(run)?.id;
    let made = of_run(&around.shop()?, &journal, &id)?;
    Ok(json!({"uri": uri, "mimeType": "application/json", "text": made.to_json()?}))
}
