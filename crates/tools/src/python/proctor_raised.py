"""An exception as a record: what it is, where it arose, which name was missing, what caused it. Judges nothing."""

import ast
import builtins
import errno
import re
import sys
import traceback

from proctor_probe import relative, went_out

LIMIT = 20000
# Longer chains are loops or noise.
CHAIN = 20
# Where pytest itself says `fail`: no plugin for an `async def`; an expected failure that did not come.
NOT_THE_TEST = (("_pytest.python", "async_fail"), ("_pytest.unittest", "addUnexpectedSuccess"))
# Python 3.11 and later.
GROUP = getattr(builtins, "BaseExceptionGroup", ())


def clip(text):
    text = str(text)
    return text if len(text) <= LIMIT else text[:LIMIT] + "\n[cut]"


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
    return {"holder": name, "holder_file": relative(_module_file(name)), "holder_kind": "module"}


def _of_type(kind):
    return {
        "holder": getattr(kind, "__qualname__", str(kind)),
        "holder_file": relative(_module_file(getattr(kind, "__module__", None))),
        "holder_kind": "type",
    }


def _resolve(qualname):
    """The project's file that defines a function or class of this qualified name."""
    for module in list(sys.modules.values()):
        path = relative(getattr(module, "__file__", None))
        if path is None:
            continue
        at = module
        for part in qualname.split("."):
            at = getattr(at, part, None) if at is not None else None
        if at is None:
            continue
        home = relative(_module_file(getattr(at, "__module__", None)))
        return home or path
    return None


def _type_named(name):
    for module in list(sys.modules.values()):
        if relative(getattr(module, "__file__", None)) and isinstance(getattr(module, name, None), type):
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
            return _missing_operator(text)
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


# What Python says where a type lacks an operator, and the method that would make it one.
OPERATORS = (
    (r"unsupported operand type\(s\) for (\S+?)=?(?: or pow\(\))?: '(\w+)' and '(\w+)'", None),
    (r"'(<|>|<=|>=)' not supported between instances of '(\w+)' and '(\w+)'", None),
    (r"bad operand type for (unary \S|abs\(\)): '(\w+)'", None),
    (r"object of type '(\w+)' has no len\(\)", "__len__"),
    (r"argument of type '(\w+)' is not (?:iterable|a container or iterable)", "__contains__"),
    (r"cannot unpack non-iterable (\w+) object", "__iter__"),
    (r"'(\w+)' object is not iterable", "__iter__"),
    (r"'(\w+)' object is not an iterator", "__next__"),
    (r"'(\w+)' object is not subscriptable", "__getitem__"),
    (r"'(\w+)' object does not support item assignment", "__setitem__"),
    (r"'(\w+)' object (?:does not support|doesn't support) item deletion", "__delitem__"),
    (r"'(\w+)' object is not callable", "__call__"),
    (r"'(\w+)' object does not support the context manager protocol", "__enter__"),
    (r"'(\w+)' object does not support the asynchronous context manager protocol", "__aenter__"),
    (r"'async for' requires an object with __aiter__ method, got (\w+)", "__aiter__"),
    (r"object (\w+) can't be used in 'await' expression", "__await__"),
    (r"unhashable type: '(\w+)'", "__hash__"),
)
METHODS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
    "**": "__pow__", "@": "__matmul__", "&": "__and__", "|": "__or__", "^": "__xor__", "<<": "__lshift__",
    ">>": "__rshift__", "<": "__lt__", ">": "__gt__", "<=": "__le__", ">=": "__ge__", "unary -": "__neg__",
    "unary +": "__pos__", "unary ~": "__invert__", "abs()": "__abs__",
}


def _missing_operator(text):
    """An operator that a type of the project does not have."""
    for pattern, method in OPERATORS:
        found = re.search(pattern, text)
        if not found:
            continue
        names = found.groups()
        if method is None:
            method, names = METHODS.get(names[0]), names[1:]
        known = next(filter(None, map(_type_named, names)), None)
        if method is None or known is None:
            return None
        return dict(_of_type(known), name=method, what="attribute")
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


def _said(exc):
    try:
        return clip(str(exc))
    except Exception:
        return "(its message could not be read)"


def _chain(exc):
    """The exception and those that it arose from, the outermost first."""
    found, todo = [], [exc]
    while todo and len(found) < CHAIN:
        at = todo.pop(0)
        if at is None or any(at is known for known in found):
            continue
        found.append(at)
        todo += [at.__cause__, at.__context__]
        # Some libraries keep what happened in their own way.
        kept = [*getattr(at, "args", ()), getattr(at, "reason", None)]
        if isinstance(at, GROUP):
            kept += at.exceptions
        todo += [part for part in kept if isinstance(part, BaseException)]
    return found


def _innermost(exc):
    last = None
    for frame, _ in traceback.walk_tb(exc.__traceback__):
        last = frame
    return last


def _link(exc):
    kind = type(exc)
    record = {"type": kind.__name__, "bases": [base.__name__ for base in kind.__mro__[:-1]]}
    number = getattr(exc, "errno", None)
    if isinstance(exc, OSError) and isinstance(number, int):
        record["errno"] = errno.errorcode.get(number)
    if isinstance(exc, ModuleNotFoundError):
        record["missing"] = _missing(exc)
    frame = _innermost(exc)
    if frame is not None:
        record["mocked"] = frame.f_globals.get("__name__") in ("unittest.mock", "mock.mock")
        record["file"] = relative(frame.f_code.co_filename)
    record["message"] = _said(exc)[:300]
    return record


def _asserts(file, line):
    """Whether the statement at a line of the project is an assertion."""
    with open(file, "rb") as source:
        tree = ast.parse(source.read())
    found = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            # Of those that hold the line the one that begins last is the innermost.
            found = node if found is None or node.lineno >= found.lineno else found
    if isinstance(found, ast.Expr) and isinstance(found.value, ast.Call):
        return getattr(found.value.func, "attr", "").startswith("assert")
    return isinstance(found, ast.Assert)


def record(exc, longrepr):
    kind = type(exc)
    frames, ended, last = [], False, None
    for frame, line in traceback.walk_tb(exc.__traceback__):
        module = frame.f_globals.get("__name__")
        ended = ended or module == "pytest_timeout" or (module, frame.f_code.co_name) in NOT_THE_TEST
        path = relative(frame.f_code.co_filename)
        if path is not None:
            frames.append([path, line, frame.f_code.co_name])
            last = (frame.f_code.co_filename, line)
    found = {
        "type": kind.__name__,
        "module": kind.__module__,
        "bases": [base.__name__ for base in kind.__mro__[:-1]],
        "message": _said(exc),
        "text": clip(longrepr),
        "frames": frames[-40:],
        "ended": ended,
        "went_out": went_out(),
    }
    if isinstance(exc, SyntaxError):
        found["at"] = [relative(exc.filename), exc.lineno]
    if kind.__name__ == "DocTestFailure" and kind.__module__ == "doctest":
        found["at"] = [relative(exc.test.filename), (exc.test.lineno or 0) + exc.example.lineno + 1]
    try:
        # A value that has not what is asked of it; what the test makes wrong by itself is no answer of the code.
        of_a_value = isinstance(exc, (AttributeError, TypeError, LookupError))
        found["in_assertion"] = of_a_value and last is not None and _asserts(*last)
    except Exception:
        found["in_assertion"] = False
    try:
        found["missing"] = _missing(exc)
        found["chain"] = [_link(link) for link in _chain(exc)]
    except Exception:
        found.setdefault("missing", None)
        found["chain"] = []
    return found
