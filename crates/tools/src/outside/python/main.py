"""Runs the bodies of a project's checks in plain processes, and tells on standard output how each ended.

Nothing in here may look like a test tool to the code that is called: not a module, not a file, not a frame. This process
never loads code of the project. It forks a child for each file; that one loads the file and forks for each case, and
each case reports through a pipe with a word that only its own process knows.
"""

import ast
import json
import os
import select
import signal
import sys
import time

# As with `-m`, the folder of the work comes first; ours is not to be seen.
sys.path[0] = os.getcwd()
HERE = os.path.dirname(os.path.abspath(__file__))
CASE_LIMIT = 60


def _ours(name):
    """A part of this program, by its file."""
    path = os.path.join(HERE, name + ".py")
    module = type(sys)(name)
    module.__file__ = path
    with open(path, encoding="utf-8") as handle:
        exec(compile(handle.read(), path, "exec"), module.__dict__)
    return module


def _send(pipe, word, line):
    data = (json.dumps(dict(line, word=word)) + "\n").encode()
    while data:
        data = data[os.write(pipe, data):]


def _in_child(work, pipe, word):
    """Runs `work` in a child and waits for it; whatever it leaves behind ends with it."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            work(lambda line: _send(pipe, word, line))
        finally:
            os._exit(0)
    _ended(pid)
    # Before it is waited for: its number must not be anyone else's yet.
    for end in (os.killpg, os.kill):
        try:
            end(pid, signal.SIGKILL)
        except OSError:
            pass
    os.waitpid(pid, 0)


def _ended(pid):
    """Waits until a child has ended, or its time is over."""
    until = time.monotonic() + CASE_LIMIT
    try:
        handle = os.pidfd_open(pid)
    except (AttributeError, OSError):
        while time.monotonic() < until and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.002)
        return
    select.select([handle], [], [], CASE_LIMIT)
    os.close(handle)


def _file_child(job, file, pipe, word, how):
    """What the child of one file does. Never comes back."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.setpgid(0, 0)
        loaded = _ours("bodies").load(_ours, job, file, how)
        if loaded.why:
            for name in file["ids"]:
                _send(pipe, word, {"id": name, "end": "not-made", "say": loaded.why})
            return
        for case in loaded.cases(how):
            if how == "together":
                _send(pipe, word, loaded.run(case))
            else:
                _in_child(lambda say, case=case: say(loaded.run(case)), pipe, word)
    finally:
        _send(pipe, word, {"done": True})
        os._exit(0)


def _gather(job, file, how):
    """Runs one file, and gives back what its cases said."""
    word = os.urandom(16).hex()
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reads)
        _file_child(job, file, writes, word, how)
    os.close(writes)
    lines, rest = [], b""
    until = time.monotonic() + job["limit"]
    done = False
    while not done:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reads], [], [], left)[0]:
            break
        data = os.read(reads, 65536)
        if not data:
            break
        rest += data
        *whole, rest = rest.split(b"\n")
        for text in whole:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and line.get("word") == word:
                done = done or bool(line.get("done"))
                lines.append(line)
    for end in (lambda: os.kill(pid, signal.SIGKILL), lambda: os.killpg(pid, signal.SIGKILL)):
        try:
            end()
        except OSError:
            pass
    os.waitpid(pid, 0)
    os.close(reads)
    return [line for line in lines if "id" in line]


def _worst(name, lines):
    """One end for all the cases of an id."""
    own = [line for line in lines if line["id"] == name]
    for end in ("fails", "raised", "not-made"):
        for line in own:
            if line["end"] == end:
                return {"id": name, "end": end, "say": line["say"]}
    if not own:
        return {"id": name, "end": "not-made", "say": "its process left without a word"}
    counts = {line.get("of") for line in own}
    if counts != {len(own)}:
        return {"id": name, "end": "not-made", "say": "some of its cases left without a word"}
    return {"id": name, "end": "holds", "say": ""}


def _names_itself(file):
    """Whether a text in the file holds a name of the file or of one of its checks: with other names it reads otherwise."""
    with open(file["file"], "rb") as handle:
        nodes = list(ast.walk(ast.parse(handle.read())))
    # What only stands there, as descriptions do, is compared with nothing.
    idle = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in idle]
    own = {os.path.splitext(os.path.basename(file["file"]))[0], "<locals>"}
    own |= {part for name in file["all"] for part in name.split("::")[1:]}
    return any(name in text for text in texts for name in own)


def _ends(job, file):
    """How each id of a file ends. What goes wrong is run once more in another way before it is told."""
    alone = _gather(job, file, "alone")
    ends = {name: _worst(name, alone) for name in file["ids"]}
    if any(end["end"] == "fails" for end in ends.values()):
        # Some checks need what those before them left behind. Only what fails there too is told.
        together = _gather(job, file, "together")
        for name, end in ends.items():
            if end["end"] == "fails" and _worst(name, together)["end"] != "fails":
                end.update(end="not-made", say="it ends otherwise alone than after those before it")
    failed = [name for name, end in ends.items() if end["end"] == "fails"]
    if failed and _names_itself(file):
        named = _gather(job, dict(file, ids=failed), "named")
        for name in failed:
            if _worst(name, named)["end"] == "holds":
                ends[name].update(end="not-made", say="it compares names of its own")
    raised = [name for name, end in ends.items() if end["end"] == "raised"]
    if raised:
        # An error may be due to this place, unless it is gone once the signs of the tool are there.
        signs = _gather(job, dict(file, ids=raised), "signs")
        for name in raised:
            holds = _worst(name, signs)["end"] == "holds"
            ends[name].update(end="fails" if holds else "not-made")
    return ends.values()


def main():
    with open(sys.argv[1], encoding="utf-8") as handle:
        job = json.load(handle)
    # A program that is called without arguments.
    sys.argv[1:] = []
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for file in job["files"]:
        for end in _ends(job, file):
            said.write(json.dumps(end) + "\n")
            said.flush()
    said.write(json.dumps({"end": "all"}) + "\n")
    said.flush()


if __name__ == "__main__":
    main()
