"""One pytest run that stops where its variations begin to differ, and is forked there once for each of them.

Until a file that has other bytes in some variation is first asked for, all of them are the same run: pytest is set up,
and what is imported before is loaded, only once. The project's code has run in this process, so nothing that it says is
believed more than what a variation says itself.
"""

import gc
import itertools
import json
import os
import select
import socket
import sys
import threading

import pytest
from _pytest import capture, python
from _pytest._code.code import ExceptionInfo, ReprExceptionInfo, ReprTracebackNative
from _pytest.assertion import rewrite

from proctor_swap import Profiler, Swap, Unfit, Watch, is_on
from proctor_variant import LEARNT, Stop, child

# Where something else may run the project's code than the one thread that is looked at.
APART = (
    "subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork", "os.forkpty", "_thread.start_new_thread",
    "_thread.start_joinable_thread",
)


class Nest(Stop):
    """A plugin of pytest; its variations come over a socket, each with its error channel."""

    def __init__(self, folder, talk, warm, overlay):
        super().__init__(folder)
        self.talk, self.warm, self.overlay = talk, warm, overlay
        self.config, self.moved, self.forked = None, None, False
        self.capture = self.capturing = self.begun = None
        self.swaps = {}

    def hatch(self, variant):
        files = {place: b"" for place in variant["watched"]}
        self.overlay.lay_files(files)
        self.overlay.undecided = self.serve
        child(variant, self.warm, self.overlay, self)

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        self.config = early_config

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        self.config = config
        if self.moved:
            self.move_configuration()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self):
        # The last moment: all tests are collected and chosen.
        if not self.forked:
            self.serve()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session):
        ended = yield
        if ended.excinfo is None:
            # All is told and torn down. What pytest clears away after it was set up before the fork.
            self.warm.codes.tell(self.folder)
            self.tell()
            os._exit(int(session.exitstatus) & 0xFF)

    def serve(self):
        """Returns in the children alone."""
        self.overlay.undecided = None
        self.forked = True
        if threading.active_count() > 1 or self.config is None:
            # Other threads would not be there in a child.
            os._exit(1)
        unfit = self.unfit()
        settle_probe()
        # What was compiled here is there in every child.
        self.warm.codes.missed.clear()
        self.part()
        gc.freeze()
        running, ends = {}, {}
        self.say(ready=True, unfit=unfit, groups=self.groups())
        while True:
            # A handler for the end of a child would be the project's to change; where there are no handles for processes it
            # is asked often.
            often = len(ends) < len(running)
            if self.talk in select.select([self.talk, *ends.values()], [], [], 0.002 if often else None)[0]:
                data, fds, _, _ = socket.recv_fds(self.talk, 65536, 1)
                if not data:
                    os._exit(0)
                words = json.loads(data)
                variant = dict(self.warm.variants[words["like"]], folder=words["folder"])
                pid = os.fork()
                if pid == 0:
                    self.talk.close()
                    for end in ends.values():
                        os.close(end)
                    self.become(variant, fds[0])
                    self.settle_for(words)
                    return
                os.close(fds[0])
                running[pid] = words
                try:
                    ends[pid] = os.pidfd_open(pid)
                except (AttributeError, OSError):
                    pass
                self.say(number=words["number"], pid=pid)
            for pid, words in list(running.items()):
                done, status = os.waitpid(pid, os.WNOHANG)
                if done:
                    del running[pid]
                    if pid in ends:
                        os.close(ends.pop(pid))
                    # Reads the tree's own texts, and means to.
                    self.overlay.quiet = True
                    self.warm.codes.learn(words["folder"])
                    self.learn(words)
                    self.overlay.quiet = False
                    self.say(number=words["number"], status=status)

    def unfit(self):
        """The variations that this run can't be."""
        return []

    def groups(self):
        """By variation: a number that it shares with those that change the same functions."""
        return []

    def learn(self, words):
        """What a run that has ended left for the others."""

    def settle_for(self, words):
        """In a child: how it is to run."""

    def say(self, **words):
        self.talk.sendall((json.dumps(words) + "\n").encode())

    def part(self):
        """What all children would have to do first, done once."""
        for name in ("lfplugin", "nfplugin"):
            # What failed is kept for nobody.
            if self.config.pluginmanager.has_plugin(name):
                self.config.pluginmanager.unregister(name=name)
        capture = self.config.pluginmanager.getplugin("capturemanager")
        if capture is not None and capture._global_capturing is not None:
            # Its files would be shared by the variations.
            self.capture, self.capturing = capture, capture._global_capturing.is_started()
            capture.stop_global_capturing()
        sys.stdout.flush()
        sys.stderr.flush()
        if sys.modules["proctor_report"]._fd is not None:
            with open(sys.modules["proctor_report"].OUT, encoding="utf-8") as handle:
                self.begun = handle.read()
        self.named = [key for key, value in os.environ.items() if self.folder in value]

    def become(self, variant, channel):
        """Makes the run this variation's own: channels, folders, reports."""
        os.setpgid(0, 0)
        self.moved = (self.folder, variant["folder"])
        self.folder = variant["folder"]
        for name in ("home", "tmp"):
            os.mkdir(os.path.join(variant["folder"], name))
        for key in self.named:
            os.environ[key] = os.environ[key].replace(*self.moved)
        tempfile = sys.modules.get("tempfile")
        if tempfile is not None and isinstance(tempfile.tempdir, str):
            tempfile.tempdir = tempfile.tempdir.replace(*self.moved)
        self.channels(channel)
        self.report(variant)
        self.move_configuration()
        self.overlay.decide(variant["number"], variant["files"])
        for function, code in self.swaps.get(variant["number"], ()):
            function.__code__ = code

    def channels(self, channel):
        # What it shows is read by nobody; what it reports goes another way.
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(channel, 2)
        report = sys.modules["proctor_report"]._channel
        if report is not None:
            os.dup2(channel, report)
        os.close(out)
        os.close(channel)
        if self.capture is not None:
            self.capture.start_global_capturing()
            if not self.capturing:
                self.capture.suspend_global_capture()

    def report(self, variant):
        own, probe = sys.modules["proctor_report"], sys.modules["proctor_probe"]
        own.OUT = os.path.join(variant["folder"], "pytest.jsonl")
        own.OWNER = os.getpid()
        if self.begun is not None:
            os.close(own._fd)
            own._fd = os.open(own.OUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            own._put(own._fd, self.begun)
        if variant["only"] is not None and not own._ids:
            # The choice among the tests is not made yet.
            own.ONLY = os.path.join(variant["folder"], "only.json")
            with open(own.ONLY, "w", encoding="utf-8") as handle:
                json.dump(variant["only"], handle)
        probe.SCRATCH = os.path.realpath(variant["folder"])

    def move_configuration(self):
        """What pytest knows by now of the folder; before it is set up, it is asked again then."""
        self.config._inicache["cache_dir"] = os.path.join(self.folder, "pytest-cache")


class Late(Nest):
    """Goes on until all tests are collected, with the tree's own texts. A variation is this run with other code in some
    functions that nobody has called yet; what differs in more than that is unfit.

    One run without a change notes which tests call which of these functions. A variation that is led runs those tests alone
    that reach it, in the order that they have. That they pass so without a change is tried by a run of its own. A test of
    which it is not known what it reaches reaches everything."""

    swap = reach = noted = lead = profiler = None
    numbers, kinds, watched = (), (), frozenset()
    apart = False

    def hatch(self, variant):
        files = {}
        for place in variant["watched"]:
            with open(place, "rb") as handle:
                files[place] = handle.read()
        self.watched = frozenset(files)
        self.numbers, self.watch = variant["numbers"], Watch(os.path.join(self.folder, "pytest.jsonl"))
        self.overlay.lay_files(files)
        self.overlay.watch = self.watch
        child(variant, self.warm, self.overlay, self)

    def unfit(self):
        ran = self.watch.end()
        if ran is None:
            # It is not known what happened, or the children would share what is outside of them.
            os._exit(1)
        self.swap = swap = Swap(self.watch, ran)
        found = []
        # A text that can't be compiled makes Python look into the file.
        self.overlay.quiet = True
        for number in self.numbers:
            try:
                self.swaps[number] = swap.of(self.warm.variants[number]["files"])
            except Unfit:
                found.append(number)
        self.overlay.quiet = False
        return found

    def groups(self):
        changed = {n: frozenset(id(one.__code__) for one, _ in pairs) for n, pairs in self.swaps.items() if pairs}
        self.kinds = sorted(set(changed.values()), key=sorted)
        return [[number, self.kinds.index(ids)] for number, ids in sorted(changed.items())]

    def learn(self, words):
        if not words.get("note"):
            return
        try:
            with open(os.path.join(words["folder"], "reach.json"), "rb") as handle:
                noted = json.loads(handle.read(16 * LEARNT))
            self.reach = {test: ids if ids is None else frozenset(ids) for test, ids in noted.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            self.reach = None

    def part(self):
        super().part()
        # Nobody sees what a variation shows. Who asks for the one that shows it still finds it.
        manager, name = self.config.pluginmanager, "terminalreporter"
        shows = manager.get_plugin(name)
        if shows is not None:
            manager.unregister(shows)
            manager._name2plugin[name] = shows
        # What each test is asked for once, and would be in every child.
        for item in self.session.items:
            item.ihook, item.location  # noqa: B018
        rewrite._call_reprcompare = first_false
        sys.modules["proctor_report"].raised_record = raised_something
        if hasattr(os, "memfd_create"):
            capture.TemporaryFile = in_memory
        if hasattr(python, "importtestmodule"):
            self.find_packages()

    def find_packages(self):
        """The packages around the tests that are loaded already; pytest looks for them again at the first test in each."""
        nodes = {node for item in self.session.items for node in item.listchain() if isinstance(node, pytest.Package)}
        files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        load = python.importtestmodule
        paths = [node.path / "__init__.py" for node in nodes]
        found = {path: load(path, self.config) for path in paths if str(path) in files}
        python.importtestmodule = lambda path, config: found[path] if path in found else load(path, config)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self):
        # That a test failed is what counts. pytest's account of it goes through all that is on its way, and its sources.
        whole, ExceptionInfo.getrepr = ExceptionInfo.getrepr, short_account
        yield
        ExceptionInfo.getrepr = whole

    def settle_for(self, words):
        if words.get("note"):
            # What is called while fixtures are made is reached by all that are given them.
            self.noted, self.made = {}, {}
            sys.addaudithook(self.saw)
            start = threading.Thread.start

            def noted_start(thread):
                # Not every Python tells its hooks.
                self.apart = True
                return start(thread)

            threading.Thread.start = noted_start
        elif words.get("lead") is not None and self.reach is not None:
            self.lead = frozenset().union(*(self.kinds[kind] for kind in words["lead"]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.serve()
        if self.lead is not None:
            session.items[:] = [item for item in session.items if self.reaches(item)] or session.items[:1]
            sys.modules["proctor_report"].pytest_collection_finish(session)

    def reaches(self, item):
        ids = self.reach.get(item.nodeid)
        return ids is None or bool(self.lead & ids)

    def saw(self, event, args):
        """From the audit hook, while it is noted who calls what."""
        if event in APART or (event == "open" and self.is_watched(args[0])):
            self.apart = True

    def is_watched(self, path):
        path = os.fsdecode(path) if isinstance(path, bytes) else path
        return isinstance(path, str) and path.endswith(".py") and os.path.realpath(path) in self.watched

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        if self.noted is not None:
            self.apart = False
            try:
                self.profiler = Profiler(subcalls=False, builtins=False)
                self.profiler.enable()
            except (ValueError, TypeError, RuntimeError):
                self.noted = self.profiler = None
        yield
        if self.profiler is not None:
            apart = self.apart or not is_on(self.profiler)
            self.profiler.disable()
            self.noted[item.nodeid] = None if apart else self.swap.called(self.profiler)
            self.profiler = None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        yield
        if self.profiler is not None:
            ids = None if self.apart or not is_on(self.profiler) else self.swap.called(self.profiler)
            self.made[item.nodeid] = wide(item), ids

    def tell(self):
        """A test reaches what it calls, and what others call while the fixtures are made that it shares with them."""
        if not self.noted:
            return
        shared = {}
        for fixtures, ids in self.made.values():
            for one in fixtures if ids is None or ids else ():
                known = shared.setdefault(one, set())
                shared[one] = None if ids is None or known is None else known | set(ids)
        for test, ids in self.noted.items():
            more = [shared[one] for one in self.made.get(test, ((), ()))[0] if one in shared]
            if ids is not None and more:
                self.noted[test] = None if None in more else sorted(set(ids).union(*more))
        with open(os.path.join(self.folder, "reach.json"), "w", encoding="utf-8") as handle:
            json.dump(self.noted, handle)


def wide(item):
    """The fixtures of a test that others are given too."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    defs = [one for several in known.values() for one in several]
    return [id(one) for one in defs if getattr(one, "scope", "session") != "function"]


def short_account(info, *_, **__):
    return ReprExceptionInfo(reprtraceback=ReprTracebackNative([info.exconly()]), reprcrash=None)


def first_false(_ops, results, shown, _values):
    """Which comparison of an assertion failed. pytest's own goes on to what makes the two sides differ, for people."""
    for result, one in zip(results, shown):
        try:
            if not result:
                return one
        except Exception:
            return one
    return shown[-1]


def raised_something(exc, text):
    """What was raised, without where from."""
    bases = [base.__name__ for base in type(exc).__mro__[:-1]]
    return {"type": type(exc).__name__, "bases": bases, "message": text[:400], "text": "", "frames": []}


def in_memory(buffering=-1):
    """A file for what a test prints that is in no folder."""
    return os.fdopen(os.memfd_create("printed"), "w+b", buffering)


def settle_probe():
    """Which code was loaded so far is judged once. Looking at every module again would copy its page in every child."""
    probe = sys.modules["proctor_probe"]
    found, count, wrong = probe.wrong(), len(sys.modules), probe.wrong

    def loaded_since():
        names = itertools.islice(reversed(sys.modules), max(0, len(sys.modules) - count))
        files = {}
        for name in list(names):
            path = getattr(sys.modules.get(name), "__dict__", {}).get("__file__")
            if isinstance(path, str) and isinstance(name, str) and os.path.isabs(path):
                files.setdefault(os.path.realpath(path), name)
        return files

    probe._at_start, probe._loaded = {}, loaded_since
    # Whatever is run from here on is seen by the probe's audit hook, under any name.
    probe._executed.clear()

    def wrong_since():
        more = wrong() if probe._executed or loaded_since() else []
        return (found + more)[: probe.SHOWN]

    probe.wrong = wrong_since
