"""Writes what happens in a pytest run as JSON lines. Loaded with `-p` from outside the tree that is tested.

Works with pytest 7 and later. It records and selects; it never changes an outcome.
"""

import json
import os
import re
import sys
import traceback

import pytest

OUT = os.environ.pop("PROCTOR_REPORT", None)
TREE = os.environ.pop("PROCTOR_TREE", None)
ONLY = os.environ.pop("PROCTOR_ONLY", None)
OWNER = os.getpid()
WORKER = "PYTEST_XDIST_WORKER" in os.environ
ROOT = os.path.realpath(TREE) if TREE else None
LIMIT = 20000
FOREIGN = ("site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules")

_fd = None
_ids = {}


def _write(record):
    global _fd
    # A forked child of a test shares this module, and must not speak for the run.
    if OUT is None or WORKER or os.getpid() != OWNER:
        return
    if _fd is None:
        _fd = os.open(OUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    data = (json.dumps(record, default=str) + "\n").encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(_fd, data):]


def _relative(path):
    """A path relative to the tree, or None where it is not the project's own file."""
    if not path or ROOT is None:
        return None
    path = os.path.realpath(str(path))
    if not path.startswith(ROOT + os.sep):
        return None
    rest = path[len(ROOT) + 1:].replace(os.sep, "/")
    if any(part in FOREIGN for part in rest.split("/")):
        return None
    return rest


def _clip(text):
    text = str(text)
    return text if len(text) <= LIMIT else text[:LIMIT] + "\n[cut]"


def _id_of(node):
    path = _relative(getattr(node, "path", None) or getattr(node, "fspath", None))
    nodeid = node.nodeid
    if path is None:
        return nodeid
    _, sep, rest = nodeid.partition("::")
    return path + sep + rest


def _module_file(name):
    module = sys.modules.get(name) if name else None
    if module is None:
        return None
    found = getattr(module, "__file__", None)
    if found:
        return found
    places = list(getattr(module, "__path__", []) or [])
    return places[0] if places else None


def _of_module(name):
    return {"holder": name, "holder_file": _relative(_module_file(name)), "holder_kind": "module"}


def _of_type(kind):
    return {
        "holder": getattr(kind, "__qualname__", str(kind)),
        "holder_file": _relative(_module_file(getattr(kind, "__module__", None))),
        "holder_kind": "type",
    }


def _resolve(qualname):
    """The project's file that defines a function or class of this qualified name."""
    for module in list(sys.modules.values()):
        path = _relative(getattr(module, "__file__", None))
        if path is None:
            continue
        at = module
        for part in qualname.split("."):
            at = getattr(at, part, None) if at is not None else None
        if at is None:
            continue
        home = _relative(_module_file(getattr(at, "__module__", None)))
        return home or path
    return None


def _type_named(name):
    for module in list(sys.modules.values()):
        if _relative(getattr(module, "__file__", None)) and isinstance(getattr(module, name, None), type):
            return getattr(module, name)
    return None


def _missing(exc):
    text = str(exc)
    if isinstance(exc, ModuleNotFoundError):
        name = getattr(exc, "name", None) or text
        top = name.split(".")[0]
        stdlib = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
        return dict(_of_module(top), name=name, what="module", stdlib=top in stdlib)
    if isinstance(exc, ImportError):
        found = re.search(r"cannot import name '([^']+)' from (?:partially initialized module )?'([^']+)'", text)
        if not found:
            return None
        return dict(_of_module(found.group(2)), name=found.group(1), what="import")
    if isinstance(exc, NameError):
        found = re.search(r"name '([^']+)' is not defined", text)
        name = getattr(exc, "name", None) or (found.group(1) if found else None)
        return {"name": name, "what": "name"} if name else None
    if isinstance(exc, AttributeError):
        return _missing_attribute(exc, text)
    if isinstance(exc, TypeError):
        found = re.search(r"^([\w.<>]+)\(\) (?:got an unexpected keyword argument '([^']+)'|takes |missing )", text)
        if not found:
            return None
        qualname = found.group(1)
        path = None if "<" in qualname else _resolve(qualname)
        if path is None and qualname.endswith(".__init__"):
            path = _resolve(qualname[: -len(".__init__")])
        return {
            "name": found.group(2) or qualname,
            "what": "parameter",
            "holder": qualname,
            "holder_file": path,
            "holder_kind": "function",
        }
    return None


def _missing_attribute(exc, text):
    found = re.search(r"has no attribute '([^']+)'|does not have the attribute '([^']+)'", text)
    name = getattr(exc, "name", None) or (found and (found.group(1) or found.group(2)))
    if not name:
        return None
    holder = getattr(exc, "obj", None)
    module = re.search(r"^(?:partially initialized )?module '([^']+)'|^<module '([^']+)'", text)
    if isinstance(holder, type(sys)):
        return dict(_of_module(holder.__name__), name=name, what="attribute")
    if module:
        return dict(_of_module(module.group(1) or module.group(2)), name=name, what="attribute")
    if isinstance(holder, type):
        return dict(_of_type(holder), name=name, what="attribute")
    if holder is not None:
        return dict(_of_type(type(holder)), name=name, what="attribute")
    kind = re.search(r"^'(\w+)' object|^type object '(\w+)'|^<class '(?:[\w.]*\.)?(\w+)'>", text)
    named = kind and (kind.group(1) or kind.group(2) or kind.group(3))
    known = _type_named(named) if named else None
    if known is not None:
        return dict(_of_type(known), name=name, what="attribute")
    return {"name": name, "what": "attribute", "holder": named, "holder_file": None, "holder_kind": "type"}


def _exception(exc, longrepr):
    kind = type(exc)
    frames = []
    for frame, line in traceback.walk_tb(exc.__traceback__):
        path = _relative(frame.f_code.co_filename)
        if path is not None:
            frames.append([path, line, frame.f_code.co_name])
    try:
        message = str(exc)
    except Exception:
        message = "(its message could not be read)"
    record = {
        "type": kind.__name__,
        "module": kind.__module__,
        "bases": [base.__name__ for base in kind.__mro__[:-1]],
        "message": _clip(message),
        "text": _clip(longrepr),
        "frames": frames[-40:],
    }
    if isinstance(exc, SyntaxError):
        record["at"] = [_relative(exc.filename), exc.lineno]
    if isinstance(exc, OSError):
        record["errno"] = exc.errno
        record["path"] = _relative(exc.filename) if isinstance(exc.filename, str) else None
    try:
        record["missing"] = _missing(exc)
    except Exception:
        record["missing"] = None
    return record


def _text(report):
    try:
        return report.longreprtext
    except Exception:
        return str(getattr(report, "longrepr", ""))


@pytest.hookimpl(hookwrapper=True)
def pytest_cmdline_main(config):
    # One process, no second tries, no failure for coverage: each would make exit code and cases disagree.
    for options in (config.option, getattr(config.pluginmanager.getplugin("_cov"), "options", None)):
        if hasattr(options, "cov_fail_under"):
            options.cov_fail_under = 0
    if hasattr(config.option, "numprocesses") and not WORKER:
        config.option.numprocesses = 0
        config.option.tx = []
        config.option.dist = "no"
    if hasattr(config.option, "reruns"):
        config.option.reruns = 0
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
    path = _relative(getattr(collector, "path", None) or getattr(collector, "fspath", None))
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
        "exception": _exception(exc, _text(report)) if exc is not None else None,
        "text": _clip(_text(report)),
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


def pytest_collection_finish(session):
    _write({"event": "collected", "ids": [_ids.get(item.nodeid) or _id_of(item) for item in session.items]})


def pytest_runtest_logstart(nodeid, location):
    _write({"event": "start", "id": _ids.get(nodeid, nodeid)})


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is None:
        return
    # Kept apart from the report's own outcome, so that a hook that changes it afterwards shows.
    exc = call.excinfo.value
    skipped = isinstance(exc, pytest.skip.Exception) or type(exc).__name__ == "SkipTest"
    report.proctor = {"skipped": skipped}
    if not skipped:
        report.proctor["exception"] = _exception(exc, _text(report))


def pytest_runtest_logreport(report):
    extra = getattr(report, "proctor", None) or {}
    record = {
        "event": "phase",
        "id": _ids.get(report.nodeid, report.nodeid),
        "when": report.when,
        "outcome": report.outcome,
        "ms": int(report.duration * 1000),
        "xfail": getattr(report, "wasxfail", None) is not None,
        "raised": bool(extra) and not extra.get("skipped"),
    }
    if report.skipped:
        longrepr = report.longrepr
        why = longrepr[2] if isinstance(longrepr, tuple) and len(longrepr) == 3 else longrepr
        record["why"] = _clip(getattr(report, "wasxfail", None) or why or "")
    if report.failed:
        record["exception"] = extra.get("exception")
        record["text"] = _clip(_text(report))
    _write(record)


@pytest.hookimpl(hookwrapper=True)
def pytest_sessionfinish(session, exitstatus):
    yield
    _write({
        "event": "end",
        "exit": int(session.exitstatus),
        "collected": session.testscollected,
        "failed": session.testsfailed,
    })
