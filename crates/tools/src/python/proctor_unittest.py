"""Runs the tests of `unittest` where pytest is not installed, and writes what happens as JSON lines. It records and selects; it
never changes an outcome.

`python proctor_unittest.py [-s START] [-p PATTERN] [-t TOP]`, as `python -m unittest discover`.
"""

import argparse
import json
import os
import random
import sys
import time
import traceback
import unittest

import proctor_probe
from proctor_probe import relative
from proctor_raised import clip, record as raised_record

OUT = os.environ.pop("PROCTOR_REPORT")
ONLY = os.environ.pop("PROCTOR_ONLY", None)
ORDER = os.environ.pop("PROCTOR_ORDER", None)
OWNER = os.getpid()

_encode = json.JSONEncoder(default=str).encode
_write_bytes, _exit, _perf = os.write, os._exit, time.perf_counter
_count = {"lines": 0, "passed": 0, "failed": 0}
_channel = os.dup(2)
_fd = os.open(OUT, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)


def _put(fd, text):
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[_write_bytes(fd, data):]


def _write(entry):
    # A forked child of a test must not speak for the run.
    if os.getpid() != OWNER:
        return
    _count["lines"] += 1
    if entry["event"] == "phase" and entry["outcome"] in ("passed", "failed"):
        _count[entry["outcome"]] += 1
    _put(_fd, _encode(entry) + "\n")


def _text(exc):
    return "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))


def _id(test):
    """As pytest names it: the file, the classes, the method."""
    kind = type(test)
    module = sys.modules.get(kind.__module__)
    path = relative(getattr(module, "__file__", None)) or kind.__module__
    return "::".join([path, *kind.__qualname__.split("."), test._testMethodName])


def _flat(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from _flat(one)
        else:
            yield one


class Result(unittest.TestResult):
    """Keeps what is told of each test until it stops."""

    def __init__(self, tests):
        super().__init__()
        self.tests = tests
        self.told = []
        self.ended = set()
        self.began = 0
        self.running = None

    def startTest(self, test):
        super().startTest(test)
        self.told = []
        self.running = _id(test)
        self.began = _perf()
        proctor_probe.new_test()
        _write({"event": "start", "id": self.running})

    def phase(self, when, outcome, exc=None, why="", xfail=False, ms=0, of=None):
        entry = {
            "event": "phase", "id": of or self.running, "when": when, "outcome": outcome, "ms": ms, "xfail": xfail,
            "raised": exc is not None, "why": clip(why),
        }
        if exc is not None:
            entry["text"] = clip(_text(exc))
            entry["exception"] = raised_record(exc, entry["text"])
        _write(entry)

    def stopTest(self, test):
        super().stopTest(test)
        ms = max(0, int((_perf() - self.began) * 1000))
        told = self.told or [("passed", None, "", False)]
        self.phase("setup", "passed")
        # A test may end in several ways: its subtests, its tear-down.
        for outcome, exc, why, xfail in told:
            self.phase("call", outcome, exc, why, xfail, ms)
        self.phase("teardown", "passed")
        self.ended.add(self.running)
        self.running = None

    def broke(self, test, err):
        exc = err[1]
        if self.running is not None:
            self.told.append(("failed", exc, "", False))
            return
        # setUpClass or setUpModule: what it is of is in brackets.
        for one in self.affected(str(test)):
            self.whole(one, "failed", exc)

    def whole(self, one, outcome, exc, why=""):
        """A test that was never begun, since what stands around it ended so."""
        self.ended.add(one)
        _write({"event": "start", "id": one})
        self.phase("setup", outcome, exc, why, of=one)
        self.phase("teardown", "passed", of=one)

    def affected(self, title):
        holder = title.partition("(")[2].rstrip(")")
        own = [test for test in self.tests if f"{type(test).__module__}.{type(test).__qualname__}" == holder]
        own = own or [test for test in self.tests if type(test).__module__ == holder]
        found = [_id(test) for test in own]
        return [one for one in found if one not in self.ended]

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.broke(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.broke(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.told.append(("failed", err[1], "", False))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if self.running is not None:
            self.told.append(("skipped", None, reason, False))
            return
        for one in self.affected(str(test)):
            self.whole(one, "skipped", None, reason)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.told.append(("skipped", None, "expected to fail", True))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.told.append(("failed", AssertionError("it was expected to fail"), "", False))


class Loader(unittest.TestLoader):
    """Keeps why a module could not be loaded: unittest keeps a text."""

    def __init__(self):
        super().__init__()
        self.lost = {}

    def _get_module_from_name(self, name):
        try:
            return super()._get_module_from_name(name)
        except unittest.SkipTest:
            raise
        except BaseException as exc:
            self.lost[name] = exc
            raise


def _starts(given):
    """By the words of the command; where there are none, from the folder, and from a folder of tests that is no package."""
    if given.start is not None:
        return [given.start]
    own = [name for name in ("tests", "test") if os.path.isdir(name)]
    return [".", *(name for name in own if not os.path.isfile(os.path.join(name, "__init__.py")))]


def _lost(test, loader, path):
    name = test._testMethodName
    exc = loader.lost.get(name) or test._exception
    text = _text(exc)
    return {"event": "collect-error", "file": path, "exception": raised_record(exc, text), "text": clip(text)}


def _collected(given, wanted):
    tests, seen, lost = [], set(), 0
    for start in _starts(given):
        loader = Loader()
        for test in _flat(loader.discover(start, given.pattern, given.top or start)):
            kind = type(test).__name__
            if kind in ("_FailedTest", "ModuleSkipped"):
                path = os.path.join(given.top or start, *test._testMethodName.split(".")) + ".py"
                path = relative(os.path.abspath(path)) or path
                lost += kind == "_FailedTest"
                _write(_lost(test, loader, path) if kind == "_FailedTest" else {"event": "collect-skip", "file": path})
                continue
            name = _id(test)
            if name not in seen and (wanted is None or name in wanted):
                seen.add(name)
                tests.append(test)
    return _ordered(tests), lost


def _ordered(tests):
    if not ORDER:
        return tests
    dice = random.Random(int(ORDER))
    groups = {}
    for test in tests:
        groups.setdefault(type(test), []).append(test)
    found = list(groups.values())
    dice.shuffle(found)
    for group in found:
        dice.shuffle(group)
    return [test for group in found for test in group]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("-s", "--start-directory", dest="start")
    words.add_argument("-p", "--pattern", default="test*.py")
    words.add_argument("-t", "--top-level-directory", dest="top")
    given = words.parse_args()
    sys.path.insert(0, os.getcwd())
    _write({"event": "begin", "collect_only": False})
    wanted = None
    if ONLY:
        with open(ONLY, encoding="utf-8") as handle:
            wanted = set(json.load(handle))
    tests, lost = _collected(given, wanted)
    ids = [_id(test) for test in tests]
    _write({"event": "collected", "ids": ids})
    result = Result(tests)
    # One suite: set-up of classes and modules is done once, as unittest does.
    unittest.TestSuite(tests).run(result)
    for wrong in proctor_probe.wrong():
        _write(dict(wrong, event="wrong-code"))
    # 5, as newer versions say where there was nothing to run.
    code = 1 if lost or not result.wasSuccessful() else 0 if tests else 5
    _write({"event": "end", "exit": code})
    _put(_channel, "\n" + json.dumps({"proctor-report": dict(_count, exit=code)}) + "\n")
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that tests leave must not keep a finished run alive.
    _exit(code)


if __name__ == "__main__":
    main()
