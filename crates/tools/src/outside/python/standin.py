"""Stands in for the two Python test tools, as far as the bodies of checks need them."""

import contextlib
import math
import os
import re
import sys
import tempfile
from pathlib import Path


class NotMade(BaseException):
    """What can't be done here as faithfully as in the tool itself. No `except Exception` takes it."""


class Failed(AssertionError):
    """An expectation that does not hold, raised by a call that only checks."""


class Mark:
    def __init__(self, name, args=(), kwargs=None):
        self.name, self.args, self.kwargs = name, args, kwargs or {}

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], (str, Mark)):
            return marked(args[0], self)
        return Mark(self.name, self.args + args, dict(self.kwargs, **kwargs))


def marked(what, mark):
    own = list(what.__dict__.get("pytestmark", []))
    what.pytestmark = own + [mark]
    return what


class Marks:
    def __getattr__(self, name):
        return Mark(name)


class Param:
    def __init__(self, *values, marks=(), id=None):
        self.values = values
        self.marks = [marks] if isinstance(marks, Mark) else list(marks)


class Fixture:
    def __init__(self, function, scope="function", params=None, autouse=False, name=None, ids=None):
        self.function = function
        self.scope = scope if isinstance(scope, str) else "function"
        self.params, self.autouse = params, bool(autouse)
        # None: by the name under which it is kept.
        self.name = name

    def __get__(self, instance, owner=None):
        return self


def fixture(function=None, **options):
    if function is not None:
        return Fixture(function, **options)
    return lambda inner: Fixture(inner, **options)


class Caught:
    """What `raises` gives."""

    def __class_getitem__(cls, _):
        return cls

    def __init__(self):
        self.value = None

    @property
    def type(self):
        return type(self.value)

    @property
    def typename(self):
        return type(self.value).__name__

    @property
    def tb(self):
        return self.value.__traceback__

    def match(self, pattern):
        if not re.search(pattern, str(self.value)):
            raise Failed("%r does not match %r" % (pattern, str(self.value)))
        return True

    def __str__(self):
        return repr(self.value)


class Raises:
    def __init__(self, expected, match=None):
        kinds = expected if isinstance(expected, tuple) else (expected,)
        for kind in kinds:
            if not isinstance(kind, type) or not issubclass(kind, BaseException) or issubclass(kind, Warning):
                raise NotMade("an expected exception of a sort that is not known here")
        self.expected, self.match, self.caught = expected, match, Caught()

    def __enter__(self):
        return self.caught

    def __exit__(self, kind, value, trace):
        if kind is None:
            raise Failed("did not raise %r" % (self.expected,))
        if not issubclass(kind, self.expected):
            return False
        self.caught.value = value
        if self.match is not None:
            self.caught.match(self.match)
        return True


def raises(expected, *args, match=None, **kwargs):
    if kwargs and not args:
        raise NotMade("raises with options that are not known here")
    context = Raises(expected, match)
    if not args:
        return context
    with context as caught:
        args[0](*args[1:], **kwargs)
    return caught


class Approx:
    __array_ufunc__ = None
    __array_priority__ = 100
    __hash__ = None

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def _near(self, actual, expected):
        if isinstance(expected, bool) or not isinstance(expected, (int, float)):
            if isinstance(expected, (str, bytes, bool, type(None))):
                return actual == expected
            raise NotMade("approx of %s" % type(expected).__name__)
        if actual == expected:
            return True
        if isinstance(actual, bool) or not isinstance(actual, (int, float)):
            raise NotMade("approx against %s" % type(actual).__name__)
        if math.isnan(expected):
            return self.nan_ok and math.isnan(actual)
        if math.isinf(expected):
            return False
        absolute = 1e-12 if self.abs is None else self.abs
        if self.rel is None and self.abs is not None:
            return math.fabs(expected - actual) <= absolute
        relative = (1e-6 if self.rel is None else self.rel) * math.fabs(expected)
        return math.fabs(expected - actual) <= max(relative, absolute)

    def __eq__(self, actual):
        expected = self.expected
        if isinstance(expected, dict):
            return isinstance(actual, dict) and set(actual) == set(expected) and all(
                self._near(actual[key], value) for key, value in expected.items())
        if isinstance(expected, (list, tuple)):
            try:
                if len(actual) != len(expected):
                    return False
            except TypeError:
                return False
            return all(self._near(*pair) for pair in zip(actual, expected))
        return self._near(actual, expected)

    def __ne__(self, actual):
        return not self == actual

    def __repr__(self):
        return "about %r" % (self.expected,)


class Patch:
    """Changes that are taken back at the end."""

    def __init__(self):
        self._back = []

    def _place(self, target):
        path, _, name = target.rpartition(".")
        parts = path.split(".")
        place = __import__(parts[0])
        for at, part in enumerate(parts[1:], 2):
            if not hasattr(place, part):
                __import__(".".join(parts[:at]))
            place = getattr(place, part)
        return place, name

    def setattr(self, target, name, *value, raising=True):
        if isinstance(target, str):
            value = (name,) + value
            target, name = self._place(target)
        missing = object()
        old = getattr(target, name, missing)
        if raising and old is missing:
            raise AttributeError("%r has no attribute %r" % (target, name))
        if isinstance(target, type):
            old = target.__dict__.get(name, missing)
        self._back.append(lambda: delattr(target, name) if old is missing else setattr(target, name, old))
        setattr(target, name, value[0])

    def delattr(self, target, *name, raising=True):
        target, name = (target, name[0]) if name else self._place(target)
        if not hasattr(target, name):
            if raising:
                raise AttributeError(name)
            return
        old = getattr(target, name)
        self._back.append(lambda: setattr(target, name, old))
        delattr(target, name)

    def setitem(self, table, name, value):
        missing = object()
        old = table.get(name, missing)
        self._back.append(lambda: table.pop(name, None) if old is missing else table.__setitem__(name, old))
        table[name] = value

    def delitem(self, table, name, raising=True):
        if name not in table:
            if raising:
                raise KeyError(name)
            return
        old = table[name]
        self._back.append(lambda: table.__setitem__(name, old))
        del table[name]

    def setenv(self, name, value, prepend=None):
        if prepend and name in os.environ:
            value = str(value) + prepend + os.environ[name]
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)

    def syspath_prepend(self, path):
        old = sys.path[:]
        self._back.append(lambda: sys.path.__setitem__(slice(None), old))
        sys.path.insert(0, str(path))

    def chdir(self, path):
        old = os.getcwd()
        self._back.append(lambda: os.chdir(old))
        os.chdir(path)

    def undo(self):
        while self._back:
            self._back.pop()()

    @contextlib.contextmanager
    def context(self):
        inner = Patch()
        try:
            yield inner
        finally:
            inner.undo()

    def __getattr__(self, name):
        raise NotMade("monkeypatch.%s" % name)


class Captured:
    def __init__(self, out, err):
        self.out, self.err = out, err

    def __iter__(self):
        return iter((self.out, self.err))

    def __getitem__(self, at):
        return (self.out, self.err)[at]


class Capture:
    def __class_getitem__(cls, _):
        return cls

    def __init__(self):
        import io

        self._kept = sys.stdout, sys.stderr
        self._made = sys.stdout, sys.stderr = io.StringIO(), io.StringIO()

    def readouterr(self):
        texts = [stream.getvalue() for stream in self._made]
        for stream in self._made:
            stream.seek(0)
            stream.truncate()
        return Captured(*texts)

    def stop(self):
        sys.stdout, sys.stderr = self._kept

    def __getattr__(self, name):
        raise NotMade("capsys.%s" % name)


def _temporary():
    return Path(os.path.realpath(tempfile.mkdtemp()))


class Folders:
    def mktemp(self, name, numbered=True):
        return Path(tempfile.mkdtemp(prefix=name, dir=str(_temporary())))

    def __getattr__(self, name):
        raise NotMade("tmp_path_factory.%s" % name)


def _tmp_path():
    yield _temporary()


def _tmp_path_factory():
    yield Folders()


def _monkeypatch():
    patch = Patch()
    yield patch
    patch.undo()


def _capsys():
    capture = Capture()
    yield capture
    capture.stop()
    logging = sys.modules.get("logging")
    if logging is not None and logging.getLogger().handlers:
        raise NotMade("what is logged comes out elsewhere here")


BUILT_IN = {
    "tmp_path": Fixture(_tmp_path),
    "tmp_path_factory": Fixture(_tmp_path_factory, scope="session"),
    "monkeypatch": Fixture(_monkeypatch),
    "capsys": Fixture(_capsys),
}


def fail(reason="", pytrace=True, **_):
    raise Failed(reason)


def _no(what):
    def refuse(*_, **__):
        raise NotMade(what)

    return refuse


def importorskip(name, minversion=None, **_):
    if minversion is not None:
        raise NotMade("importorskip with a version")
    try:
        __import__(name)
    except ImportError:
        raise NotMade("%s is not installed" % name) from None
    return sys.modules[name]


def param(*values, **options):
    return Param(*values, **options)


def approx(expected, rel=None, abs=None, nan_ok=False):
    return Approx(expected, rel, abs, nan_ok)


class Tool:
    """What a file of checks gets for the name of the tool."""

    def __init__(self, name, **parts):
        self.__dict__.update(parts)
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotMade("%s.%s" % (self.__name__, name))


PYTEST = Tool(
    "pytest", mark=Marks(), fixture=fixture, raises=raises, approx=approx, param=param, fail=fail,
    skip=_no("it is skipped"), xfail=_no("it is expected to fail"), importorskip=importorskip,
    # Names that stand in annotations.
    MonkeyPatch=Patch, CaptureFixture=Capture, FixtureRequest=object, TempPathFactory=Folders,
    LogCaptureFixture=object, Config=object, Item=object, Session=object, ExceptionInfo=Caught,
)
