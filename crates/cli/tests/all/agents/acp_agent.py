"""A small agent that speaks the Agent Client Protocol and does what a file says: for each phase a list of turns, for each turn a list
of moves. It knows nothing of Proctor but the variable that names the phase."""

import json
import os
import sys

moves = json.load(open(sys.argv[1]))
store = os.path.join(os.environ["HOME"], "played.json")
kept = json.load(open(store)) if os.path.exists(store) else {"taken": {}, "sessions": {}}
client = {}
count = 0


def keep():
    json.dump(kept, open(store, "w"))


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def ask(method, **params):
    """A request to the client. Gives the result, or the error's text."""
    global count
    count += 1
    send({"id": f"a{count}", "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == f"a{count}":
            return message.get("result"), message.get("error", {}).get("message")
        if message.get("method") == "session/cancel":
            open(os.path.join(os.environ["HOME"], "cancelled"), "w").close()
            sys.exit(0)


def update(session, what, **more):
    send({"method": "session/update", "params": {"sessionId": session, "update": {"sessionUpdate": what, **more}}})


def say(session, text, what="agent_message_chunk"):
    for at in range(0, len(text), 7):
        update(session, what, content={"type": "text", "text": text[at : at + 7]})


def permission(session, call):
    options = [("a", "allow_always"), ("b", "allow_once"), ("c", "reject_once")]
    options = [{"optionId": i, "name": kind, "kind": kind} for i, kind in options]
    result, _ = ask("session/request_permission", sessionId=session, toolCall=call, options=options)
    return result["outcome"].get("optionId") == "b"


def play(session, move, at):
    what, value = next(iter(move.items()))
    full = lambda path: os.path.join(os.getcwd(), path)
    told = None
    if what == "say":
        say(session, value)
    elif what == "think":
        say(session, value, "agent_thought_chunk")
    elif what == "plan":
        update(session, "plan", entries=[{"content": text, "priority": "high", "status": "pending"} for text in value])
    elif what == "answer":
        say(session, json.dumps(value))
    elif what == "write":
        path, text = value
        call = {"toolCallId": f"t{at}", "title": "Write", "kind": "edit", "locations": [{"path": full(path)}]}
        update(session, "tool_call", **call, status="pending")
        _, told = ask("fs/write_text_file", sessionId=session, path=full(path), content=text)
        update(session, "tool_call_update", toolCallId=f"t{at}", status="failed" if told else "completed")
    elif what == "read":
        result, told = ask("fs/read_text_file", sessionId=session, path=full(value))
        if result:
            say(session, "it holds " + result["content"])
    elif what == "permit":
        raw = {"command": value[1]} if value[0] == "execute" else {"path": full(value[1])}
        allowed = permission(session, {"toolCallId": f"t{at}", "title": "Try", "kind": value[0], "rawInput": raw})
        say(session, "was allowed " + value[1] if allowed else "was not allowed " + value[1])
    elif what == "plant":
        open(os.path.join(os.environ["HOME"], value), "w").close()
    elif what == "home":
        say(session, "at home: " + " ".join(sorted(name for name in os.listdir(os.environ["HOME"]) if name.startswith("of-"))) + ".")
    elif what == "run":
        result, told = ask("terminal/create", sessionId=session, command=value)
        if result:
            terminal = result["terminalId"]
            status, _ = ask("terminal/wait_for_exit", sessionId=session, terminalId=terminal)
            output, _ = ask("terminal/output", sessionId=session, terminalId=terminal)
            say(session, f"it ended with {status['exitCode']} and said {output['output']}")
            ask("terminal/release", sessionId=session, terminalId=terminal)
    if told:
        say(session, "was told: " + told)
    # What is thought in between makes two messages of two.
    say(session, " ", "agent_thought_chunk")
    update(session, "usage_update", used=10, size=100, cost={"amount": 0.5 * (at + 1), "currency": "USD"})


def prompt(request):
    session = request["params"]["sessionId"]
    phase = os.environ["PROCTOR_PHASE"]
    kept["sessions"][session].append(request["params"]["prompt"][0]["text"])
    taken = kept["taken"].get(phase, 0)
    kept["taken"][phase] = taken + 1
    keep()
    for at, move in enumerate(moves[phase][taken]):
        if "fail" in move:
            send({"id": request["id"], "error": move["fail"]})
            return
        # Where a move says which session it needs.
        if move.get("knows") and len(kept["sessions"][session]) != move["knows"]:
            raise SystemExit(f"the session {session} has {len(kept['sessions'][session])} prompts")
        play(session, move, at)
    usage = {"inputTokens": 1000, "outputTokens": 100, "totalTokens": 1100}
    send({"id": request["id"], "result": {"stopReason": "end_turn", "usage": usage}})


print("a banner that is no message", flush=True)
while True:
    request = receive()
    method, params = request.get("method"), request.get("params", {})
    if method == "initialize":
        client = params["clientCapabilities"]
        about = {"protocolVersion": 1, "agentInfo": {"name": "played", "version": "1"}}
        send({"id": request["id"], "result": {**about, "agentCapabilities": {"loadSession": True}}})
    elif method == "session/new":
        session = f"{os.environ.get('PROCTOR_PHASE')}-{len(kept['sessions']) + 1}"
        kept["sessions"][session] = []
        keep()
        modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "ask"}, {"id": "go", "name": "go"}]}
        send({"id": request["id"], "result": {"sessionId": session, "modes": modes}})
    elif method == "session/load":
        session = params["sessionId"]
        if session not in kept["sessions"]:
            send({"id": request["id"], "error": {"code": -32002, "message": "Resource not found"}})
            continue
        say(session, "what was said before")
        send({"id": request["id"], "result": None})
    elif method == "session/set_mode":
        send({"id": request["id"], "result": {}})
    elif method == "session/prompt":
        prompt(request)
    elif "id" in request:
        send({"id": request["id"], "error": {"code": -32601, "message": method}})
