"""Whose a file is, and what the checks get when they import a test tool."""

import builtins
import os
import sys

# Libraries whose own assertions are the checks of whoever calls them.
CHECKING = ("/numpy/testing/", "/pandas/_testing/", "/unittest/mock.py", "/mock/mock.py")


def build(ours, job, standin):
    os.environ.update({
        "PROCTOR_TREE": job["tree"],
        "PROCTOR_SCRATCH": job["scratch"],
        "PROCTOR_ROOTS": os.pathsep.join(job["roots"]),
        "PROCTOR_ELSEWHERE": os.pathsep.join(job["elsewhere"]),
        "PROCTOR_PROJECTS": "\n".join(job["projects"]),
    })
    probe = ours("sources")
    zone = {os.path.realpath(path) for path in job["checks"]}
    unittest = ours("checks").build(standin)
    real = builtins.__import__

    shown = {}

    class Places:
        wrong = staticmethod(probe.wrong)

        @staticmethod
        def under_another_name(path, name, source):
            """A copy: whoever looks up the source of a line finds it."""
            other = os.path.join(job["program"], name + ".py")
            with open(other, "wb") as handle:
                handle.write(source)
            shown[other] = path
            return other

        @staticmethod
        def real_name(path):
            return shown.get(path, path)

        @staticmethod
        def whose(path):
            """`check`, `project`, `checking` or `other`."""
            if path in shown or os.path.realpath(path) in zone:
                return "check"
            if probe.relative(path) is not None:
                return "project"
            if any(part in path.replace(os.sep, "/") for part in CHECKING):
                return "checking"
            return "other"

        @staticmethod
        def loaded_twice(path):
            """A file of checks that was also loaded by its own name: what is patched there is not what runs here."""
            own = os.path.realpath(path)
            files = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
            return sum(1 for f in files if isinstance(f, str) and os.path.realpath(f) == own) > 1

    def gives(name, globals, fromlist):
        path = (globals or {}).get("__file__")
        if not isinstance(path, str) or os.path.realpath(path) not in zone:
            return None
        if name == "pytest":
            return standin.PYTEST
        if name.split(".")[0] in ("_pytest", "pytest") or name in ("unittest.case", "unittest.util"):
            raise standin.NotMade("it uses %s" % name)
        if name == "unittest" and "mock" not in (fromlist or ()):
            return unittest
        if name == "unittest.mock" or (name == "unittest" and fromlist):
            return mock(name, fromlist)
        return None

    def mock(name, fromlist):
        """The real one, which leaves no trace of the tool that it belongs to."""
        found = real("unittest.mock", None, None, ("patch",), 0)
        for other in [n for n in sys.modules if n == "unittest" or n.startswith("unittest.")]:
            del sys.modules[other]
        unittest.mock = found
        return found if fromlist and name == "unittest.mock" else unittest

    def seen(name, globals=None, locals=None, fromlist=(), level=0):
        own = gives(name, globals, fromlist) if level == 0 else None
        return real(name, globals, locals, fromlist, level) if own is None else own

    builtins.__import__ = seen
    return Places()
