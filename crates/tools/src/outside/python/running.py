"""How one case is run: set up, called, taken down, and what its end means."""

import inspect


class Case:
    asked = True
    of = 1

    def __init__(self, name, function=None, cls=None, row=None, arguments=(), needs=(), turn=None, why=""):
        self.name, self.function, self.cls, self.row = name, function, cls, row or {}
        self.arguments, self.needs, self.turn, self.why = arguments, needs, turn or {}, why


class Run:
    """One case: set up, called, taken down."""

    def __init__(self, loaded, case):
        self.loaded, self.case, self.made, self.after = loaded, case, {}, []
        self.instance = None

    def whole(self):
        NotMade = self.loaded.standin.NotMade
        try:
            call = self._set_up()
        except NotMade as no:
            return "not-made", str(no)
        except BaseException as error:
            return "not-made", "its set-up does not work here: %s: %s" % (type(error).__name__, error)
        end = self._call(call)
        try:
            for undo in reversed(self.after):
                undo()
        except NotMade as no:
            return "not-made", str(no)
        except BaseException as error:
            return "not-made", "its clean-up does not work here: %s: %s" % (type(error).__name__, error)
        return end

    def _call(self, call):
        try:
            if self.loaded.places.signs:
                call = self.loaded.places.signs.around(self.case.name, call)
            call()
        except self.loaded.standin.NotMade as no:
            return "not-made", str(no)
        except AssertionError as error:
            return self._judged(error)
        except BaseException as error:
            say = "it ends with %s: %s" % (type(error).__name__, error)
            return "raised" if self._from_project(error) else "not-made", say[:500]
        return "holds", ""

    def _from_project(self, error):
        trace, last = error.__traceback__, None
        while trace is not None:
            last, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
        return isinstance(error, Exception) and self.loaded.places.whose(last) == "project"

    def _judged(self, error):
        """Only a check of the body itself, or of what it calls to check, counts."""
        frames, trace = [], error.__traceback__
        while trace is not None:
            frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
            trace = trace.tb_next
        whose = self.loaded.places.whose
        kinds = [whose(path) for path, _ in frames]
        if isinstance(error, self.loaded.standin.Failed):
            # Raised by a stand-in, which is the innermost.
            while kinds and kinds[-1] == "other":
                kinds.pop()
        else:
            while kinds and kinds[-1] == "checking":
                kinds.pop()
        first = next((n for n, kind in enumerate(kinds) if kind == "check"), None)
        if first is None or kinds[-1] != "check" or "project" in kinds[first:]:
            return "not-made", "an assertion beyond its body: %s" % error
        line = frames[len(kinds) - 1][1]
        text = str(error) or self._source(frames[len(kinds) - 1])
        return "fails", "line %d: %s" % (line, text[:500])

    def _source(self, frame):
        try:
            with open(self.loaded.places.real_name(frame[0]), encoding="utf-8") as handle:
                return handle.read().splitlines()[frame[1] - 1].strip()
        except Exception:
            return "an assertion"

    def _set_up(self):
        case, loaded = self.case, self.loaded
        module, cls = loaded.module, case.cls
        self._xunit(module, "setup_module", "teardown_module", module)
        self._xunit(module, "setUpModule", "tearDownModule")
        checks = cls is not None and hasattr(cls, "failureException")
        if cls is not None:
            if checks:
                cls.setUpClass()
                self.after.append(cls.tearDownClass)
            self._xunit(cls, "setup_class", "teardown_class", cls)
            self.instance = cls()
        for fixture in loaded._closure(list(case.needs) + [a for a in case.arguments if a not in case.row], cls,
                                       set(case.row)):
            self._value(fixture)
        if cls is None:
            self._xunit(module, "setup_function", "teardown_function", case.function)
            target = case.function
        else:
            self._xunit(self.instance, "setup_method", "teardown_method", case.function)
            if checks:
                self.after.append(self.instance.doCleanups)
                self.instance.setUp()
                self.after.append(self.instance.tearDown)
            target = getattr(self.instance, case.name.split("::")[-1])
        values = {a: case.row[a] if a in case.row else self._value(loaded._find(a, cls)) for a in case.arguments}
        return lambda: target(**values)

    def _xunit(self, holder, before, after, *given):
        for name, now in ((before, True), (after, False)):
            hook = getattr(holder, name, None)
            if hook is None:
                continue
            takes = len(inspect.signature(hook).parameters)

            def call(hook=hook, takes=takes):
                hook(*given[:takes])

            if now:
                call()
            else:
                self.after.append(call)

    def _value(self, fixture):
        if fixture in self.made:
            return self.made[fixture]
        values = {}
        for name in inspect.signature(fixture.function).parameters:
            if name == "self":
                values[name] = self.instance
            elif name == "request":
                values[name] = Request(self, fixture)
            elif name in self.case.row:
                values[name] = self.case.row[name]
            else:
                values[name] = self._value(self.loaded._find(name, self.case.cls))
        made = fixture.function(**values)
        if inspect.iscoroutine(made) or inspect.isasyncgen(made):
            raise self.loaded.standin.NotMade("a fixture that is not made by a plain call")
        if inspect.isgeneratorfunction(fixture.function):
            steps = made
            made = next(steps)
            self.after.append(lambda: next(steps, None))
        self.made[fixture] = made
        return made


class Request:
    def __init__(self, run, fixture):
        self._run, self._fixture = run, fixture

    @property
    def param(self):
        turn = self._run.case.turn
        if self._fixture not in turn:
            raise self._run.loaded.standin.NotMade("a fixture without its parameter")
        return turn[self._fixture]

    def addfinalizer(self, undo):
        self._run.after.append(undo)

    def __getattr__(self, name):
        raise self._run.loaded.standin.NotMade("request.%s" % name)
