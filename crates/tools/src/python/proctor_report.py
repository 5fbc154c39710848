"""Writes what happens in a pytest run as JSON lines. Loaded with `-p` from outside the tree that is tested.

Works with pytest 7 and later. It records and selects; it never changes an outcome.
"""

import json
import os
import random
import sys
import traceback

import pytest

import proctor_probe
from proctor_files import pytest_collect_file  # noqa: F401 (a hook)
from proctor_probe import relative
from proctor_raised import clip, record as raised_record

OUT = os.environ.pop("PROCTOR_REPORT", None)
ONLY = os.environ.pop("PROCTOR_ONLY", None)
ORDER = os.environ.pop("PROCTOR_ORDER", None)
OWNER = os.getpid()

_ids = {}
# By test and phase: an exception on its way out, and the records of those that have a report.
_passing = {}
_made = {}
_waiting = []
_encode = json.JSONEncoder(default=str).encode
_count = {"lines": 0, "passed": 0, "failed": 0}
_fd = None


def _error_channel():
    # Before pytest begins to capture: what is written here can't be taken back by the code under test.
    try:
        return os.dup(2)
    except OSError:
        return None


_channel = _error_channel()


def _write(entry):
    global _fd
    # A forked child of a test shares this module, and must not speak for the run.
    if OUT is None or os.getpid() != OWNER:
        return
    if _fd is None:
        _fd = os.open(OUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    _count["lines"] += 1
    _waiting.append(_encode(entry))
    # A test's phases go out together; which test is running is told at once.
    if entry["event"] != "phase" or entry["when"] == "teardown":
        _put(_fd, "\n".join(_waiting) + "\n")
        _waiting.clear()


def _put(fd, text):
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(fd, data):]


def _id_of(node):
    path = relative(getattr(node, "path", None) or getattr(node, "fspath", None))
    nodeid = node.nodeid
    if path is None:
        return nodeid
    _, sep, rest = nodeid.partition("::")
    return path + sep + rest


def _text(report):
    try:
        return report.longreprtext
    except Exception:
        return str(getattr(report, "longrepr", ""))


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config):
    # pytest-cov: coverage is measured from outside where it is asked for; two measures at once stop each other, and
    # neither its reports nor its limit may decide anything here.
    known = early_config.known_args_namespace
    if hasattr(known, "cov_source"):
        known.cov_source = []
    outcome = yield
    failed = (getattr(outcome, "excinfo", None) or (None, None))[1]
    if type(failed).__name__ == "ConftestImportFailure":
        _conftest_failed(failed)


def _conftest_failed(failed):
    cause = getattr(failed, "cause", None) or failed.excinfo[1]
    text = "".join(traceback.format_exception(type(cause), cause, cause.__traceback__))
    _write({
        "event": "collect-error",
        "file": relative(failed.path) or str(failed.path),
        "exception": raised_record(cause, text),
        "text": clip(text),
    })


# What other plugins are told: one process, no second tries, the order of the sources, no failure for coverage. Each
# would make exit code and cases disagree, or two runs differ.
PLAIN = {
    "cov_source": [],
    "cov_fail_under": 0,
    "numprocesses": 0,
    "tx": [],
    "dist": "no",
    "looponfail": False,
    "reruns": 0,
    "force_reruns": 0,
    "randomly_seed": 0,
    "randomly_reorganize": False,
    # The other way to end a test at its limit ends the whole run.
    "timeout_method": "signal",
}


@pytest.hookimpl(hookwrapper=True)
def pytest_cmdline_main(config):
    for name, value in PLAIN.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)
    yield


def pytest_sessionstart(session):
    _write({
        "event": "begin",
        "pytest": pytest.__version__,
        "python": sys.version.split()[0],
        "collect_only": bool(getattr(session.config.option, "collectonly", False)),
    })


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    outcome = yield
    report = outcome.get_result()
    if report.passed:
        return
    path = relative(getattr(collector, "path", None) or getattr(collector, "fspath", None))
    if report.skipped:
        _write({"event": "collect-skip", "file": path or report.nodeid})
        return
    call = getattr(report, "call", None)
    excinfo = getattr(call, "excinfo", None)
    exc = excinfo.value if excinfo else None
    if exc is not None and type(exc).__name__ == "CollectError" and exc.__cause__ is not None:
        exc = exc.__cause__
    _write({
        "event": "collect-error",
        "file": path or report.nodeid,
        "exception": raised_record(exc, _text(report)) if exc is not None else None,
        "text": clip(_text(report)),
    })


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session, config, items):
    for item in items:
        _ids[item.nodeid] = _id_of(item)
    if ONLY:
        with open(ONLY, encoding="utf-8") as handle:
            wanted = set(json.load(handle))
        kept, dropped = [], []
        for item in items:
            found = _ids[item.nodeid]
            hit = found in wanted or found.partition("[")[0] in wanted
            (kept if hit else dropped).append(item)
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = kept
    if ORDER:
        _shuffle(items, random.Random(int(ORDER)))


# Marks of tests that say themselves in which order they run.
ORDERED = ("order", "run", "dependency", "depends", "incremental")


def _shuffle(items, dice):
    """Files among each other, then what stands in one file, then the tests of one class. What shares a fixture of a
    class or a file stays together, so that each is made once."""
    if any(mark.name in ORDERED for item in items for mark in item.iter_markers()):
        return

    def groups(items, key):
        found = {}
        for number, item in enumerate(items):
            found.setdefault(key(item, number), []).append(item)
        found = list(found.values())
        dice.shuffle(found)
        return found

    def unit(item, number):
        return getattr(item, "cls", None) or number

    shuffled = []
    for file in groups(items, lambda item, _: item.nodeid.partition("::")[0]):
        for together in groups(file, unit):
            dice.shuffle(together)
            shuffled.extend(together)
    items[:] = shuffled


def pytest_collection_finish(session):
    _write({"event": "collected", "ids": [_ids.get(item.nodeid) or _id_of(item) for item in session.items]})


def pytest_runtest_logstart(nodeid, location):
    proctor_probe.new_test()
    _write({"event": "start", "id": _ids.get(nodeid, nodeid)})


def _note(item, when, outcome):
    if outcome.excinfo is not None:
        _passing[item.nodeid, when] = outcome.excinfo[1]


# As near to the test as can be: a hook further out may swallow the exception.
@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_setup(item):
    _note(item, "setup", (yield))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_call(item):
    _note(item, "call", (yield))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_teardown(item):
    _note(item, "teardown", (yield))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    passed_by = _passing.pop((item.nodeid, call.when), None)
    exc = call.excinfo.value if call.excinfo is not None else passed_by
    made = None
    if exc is not None and not isinstance(exc, pytest.skip.Exception) and type(exc).__name__ != "SkipTest":
        made = raised_record(exc, _text(report))
    # Not on the report, where a hook could change it afterwards.
    _made.setdefault((item.nodeid, call.when), []).append(made)


def pytest_runtest_logreport(report):
    waiting = _made.get((report.nodeid, report.when))
    raised = waiting.pop(0) if waiting else None
    if report.outcome in _count:
        _count[report.outcome] += 1
    record = {
        "event": "phase",
        "id": _ids.get(report.nodeid, report.nodeid),
        "when": report.when,
        "outcome": report.outcome,
        # A test may have turned the clock back.
        "ms": max(0, int(report.duration * 1000)),
        "xfail": getattr(report, "wasxfail", None) is not None,
        "raised": raised is not None,
    }
    if report.skipped:
        longrepr = report.longrepr
        why = longrepr[2] if isinstance(longrepr, tuple) and len(longrepr) == 3 else longrepr
        record["why"] = clip(getattr(report, "wasxfail", None) or why or "")
    if report.failed:
        record["exception"] = raised
        record["text"] = clip(_text(report))
    _write(record)


@pytest.hookimpl(hookwrapper=True)
def pytest_sessionfinish(session, exitstatus):
    yield
    if OUT is None or os.getpid() != OWNER:
        return
    for found in proctor_probe.wrong():
        _write(dict(found, event="wrong-code"))
    _write({"event": "end", "exit": int(session.exitstatus)})
    if _channel is not None:
        _put(_channel, "\n" + json.dumps({"proctor-report": dict(_count, exit=int(session.exitstatus))}) + "\n")
