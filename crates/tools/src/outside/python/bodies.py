"""One file of checks: loaded under another name, and its cases run one by one."""

import inspect
import itertools
import os
import sys
import types
import warnings

SCOPES = ["session", "package", "module", "class", "function"]
MOST_CASES = 200
# Hooks that change nothing for a body, and what the one that sets things up may call.
QUIET_HOOKS = ("pytest_addoption", "pytest_report_header", "pytest_ignore_collect")
QUIET_CALLS = {"addinivalue_line"}
# Marks that only sort checks, or are done here.
QUIET_MARKS = ("parametrize", "usefixtures", "slow", "fast", "unit", "integration", "smoke", "regression", "timeout",
               "flaky", "benchmark", "order")


def load(ours, job, file, how):
    """For comparisons: with `named` everything has its own name, with `signs` the tool's signs are there too."""
    standin = ours("standin")
    places = ours("places").build(ours, job, standin)
    places.signs = ours("signs").build() if how == "signs" else None
    places.named = how in ("named", "signs")
    return Loaded(places, standin, ours("running"), file)


def neutral(code, name, inside=False):
    """The code under a file name and names of its checks that say nothing. What stands inside a function keeps its own."""
    def plain(text):
        return "step" if not inside and text.lower().startswith("test") else text

    function = bool(code.co_flags & inspect.CO_OPTIMIZED)
    changes = {
        "co_filename": name,
        "co_name": plain(code.co_name),
        "co_consts": tuple(
            neutral(c, name, inside or function) if isinstance(c, types.CodeType) else c for c in code.co_consts),
    }
    if hasattr(code, "co_qualname"):
        changes["co_qualname"] = ".".join(plain(part) for part in code.co_qualname.split("."))
    return code.replace(**changes)


class Markers:
    """Takes the names of the project's own marks."""

    def __init__(self, marks):
        self.marks = marks

    def addinivalue_line(self, name, line):
        if name == "markers":
            self.marks.add(line.partition(":")[0].partition("(")[0].strip())


class Loaded:
    def __init__(self, places, standin, running, file):
        self.places, self.standin, self.running, self.file = places, standin, running, file
        self.why, self.tables, self.marks = file.get("why"), [], set(QUIET_MARKS) | set(file["markers"])
        if self.why:
            return
        try:
            self._load()
        except standin.NotMade as no:
            self.why = str(no)
        except BaseException as error:
            self.why = "its file can't be loaded: %s: %s" % (type(error).__name__, error)

    def _load(self):
        # What the tool sets for every check.
        warnings.filterwarnings("always", category=DeprecationWarning)
        warnings.filterwarnings("always", category=PendingDeprecationWarning)
        for number, path in enumerate(self.file["conftests"]):
            self.tables.append(self._execute(path, "settings_%d" % number))
        self.module = self._execute(self.file["file"], "program")
        self.tables.append(self.module)
        for table in self.tables:
            self._hooks(table)

    def _execute(self, path, name):
        folder, package = os.path.dirname(path), []
        while os.path.isfile(os.path.join(folder, "__init__.py")):
            package.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        if package:
            __import__(".".join(package))
        named = self.places.named
        name = os.path.splitext(os.path.basename(path))[0] if named else name
        module = types.ModuleType(".".join(package + [name]))
        module.__file__, module.__package__ = path, ".".join(package)
        sys.modules[module.__name__] = module
        with open(path, "rb") as handle:
            source = handle.read()
        shown = path if named else self.places.under_another_name(path, name, source)
        code = compile(source, shown, "exec", dont_inherit=True)
        exec(code if named else neutral(code, shown), module.__dict__)
        return module

    def _hooks(self, module):
        for name, value in list(vars(module).items()):
            if name == "pytest_plugins" or (name.startswith("pytest_") and callable(value)):
                if name in QUIET_HOOKS:
                    continue
                code = getattr(value, "__code__", None)
                if name == "pytest_configure" and code is not None and set(code.co_names) <= QUIET_CALLS:
                    value(Markers(self.marks))
                    continue
                raise self.standin.NotMade("its tool is told more by %s" % name)

    # Which cases there are.

    def cases(self, how):
        """Those that are asked for; `together`: with those that stand before them."""
        names = self.file["all"] if how == "together" else self.file["ids"]
        wanted = set(self.file["ids"])
        found = []
        for name in names:
            try:
                cases = self._cases_of(name)
            except self.standin.NotMade as no:
                cases = [self.running.Case(name, why=str(no))]
            except Exception as error:
                cases = [self.running.Case(name, why="its cases can't be told: %r" % error)]
            for case in cases:
                case.of, case.asked = len(cases), name in wanted
            found.extend(cases)
        return found

    def _cases_of(self, name):
        NotMade, Case = self.standin.NotMade, self.running.Case
        owner, at = None, self.module
        for part in name.split("::")[1:]:
            owner, at = at, inspect.getattr_static(at, part, None)
        cls = owner if isinstance(owner, type) else None
        if not inspect.isfunction(at):
            raise NotMade("it is no plain function")
        if inspect.iscoroutinefunction(at) or inspect.isgeneratorfunction(at) or inspect.isasyncgenfunction(at):
            raise NotMade("it is not run by a plain call")
        marks = self._marks(at, cls)
        rows = [{}]
        for mark in marks:
            if mark.name == "parametrize":
                more = self._rows(mark)
                rows = [dict(row, **one) for row, one in itertools.product(rows, more)]
        needs = [n for m in marks if m.name == "usefixtures" for n in m.args]
        arguments = self._arguments(at, cls)
        given = set(rows[0]) if rows else set()
        fixtures = self._closure(needs + [a for a in arguments if a not in given], cls, given)
        turns = [{}]
        for fixture in fixtures:
            if fixture.params is not None:
                values = [self._plain(v) for v in fixture.params]
                turns = [{**t, fixture: v} for t, v in itertools.product(turns, values)]
        cases = [Case(name, at, cls, row, arguments, needs, turn) for row in rows for turn in turns]
        if not cases or len(cases) > MOST_CASES:
            raise NotMade("%d cases" % len(cases))
        return cases

    def _marks(self, function, cls):
        marks = []
        for holder in [self.module, *(cls.__mro__ if cls else ()), function]:
            own = vars(holder).get("pytestmark", [])
            marks += own if isinstance(own, (list, tuple)) else [own]
        for mark in marks:
            if mark.name not in self.marks:
                raise self.standin.NotMade("it is marked %s" % mark.name)
        return marks

    def _plain(self, value):
        if isinstance(value, self.standin.Param):
            if value.marks:
                raise self.standin.NotMade("some of its cases are marked")
            return value.values[0] if len(value.values) == 1 else value.values
        return value

    def _rows(self, mark):
        names, values = (list(mark.args) + [mark.kwargs.get("argnames"), mark.kwargs.get("argvalues")])[:2]
        if mark.kwargs.get("indirect") or len(mark.args) > 2 or values is None:
            raise self.standin.NotMade("cases that go through fixtures")
        if isinstance(names, str):
            names = [name.strip() for name in names.split(",") if name.strip()]
        rows = []
        for value in values:
            value = self._plain(value)
            rows.append(dict(zip(names, [value] if len(names) == 1 else value)))
        return rows

    def _arguments(self, function, cls):
        signature = inspect.signature(function)
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        names = [p.name for p in signature.parameters.values() if p.kind in kinds and p.default is p.empty]
        names = names[1:] if cls is not None else names
        # What `mock.patch` puts in is no fixture.
        put = [p for p in getattr(function, "patchings", []) if not p.attribute_name]
        count = sum(1 for p in put if type(p.new).__name__ == "_SentinelObject")
        return names[count:]

    def _find(self, name, cls):
        for holder in [*(cls.__mro__ if cls else ()), *reversed(self.tables)]:
            for key, value in vars(holder).items():
                if isinstance(value, self.standin.Fixture) and (value.name or key) == name:
                    return value
        found = self.standin.BUILT_IN.get(name)
        if found is None:
            raise self.standin.NotMade("the fixture %s is not known here" % name)
        return found

    def _autouse(self, cls):
        found = []
        holders = list(self.tables) + list(reversed(cls.__mro__) if cls else ())
        for holder in holders:
            for value in vars(holder).values():
                if isinstance(value, self.standin.Fixture) and value.autouse and value not in found:
                    found.append(value)
        return found

    def _closure(self, names, cls, given):
        """The fixtures that are needed, in the order in which they are made."""
        order = []

        def add(fixture, seen):
            if fixture in order or fixture in seen:
                return
            for name in inspect.signature(fixture.function).parameters:
                if name not in ("self", "request") and name not in given:
                    add(self._find(name, cls), seen + [fixture])
            order.append(fixture)

        wanted = self._autouse(cls) + [self._find(n, cls) for n in names if n != "request"]
        if "request" in names:
            raise self.standin.NotMade("it asks for its request")
        for fixture in sorted(wanted, key=lambda f: SCOPES.index(f.scope) if f.scope in SCOPES else 4):
            add(fixture, [])
        return order

    # How one case is run.

    def run(self, case):
        line = {"id": case.name, "of": case.of, "end": "not-made", "say": case.why}
        if not case.why:
            line["end"], line["say"] = self.running.Run(self, case).whole()
            # What holds with other code says nothing wrong; what fails with it would.
            if line["end"] in ("fails", "raised") and not self.places.named:
                stray = self.places.wrong()
                if stray:
                    line.update(end="not-made", say="code from elsewhere was loaded: %s" % stray[0]["file"])
                elif self.places.loaded_twice(self.file["file"]):
                    line.update(end="not-made", say="its file is also loaded by name")
        return line if case.asked else {}
