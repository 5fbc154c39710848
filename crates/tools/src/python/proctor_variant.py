"""One variation of a pytest run, in a child that was forked from a process which has pytest loaded: other bytes for some
files of the tree, an end at the first failure. It writes nothing into the tree and judges nothing.
"""

import gc
import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import json
import os
import sys

OWN = ("proctor_files", "proctor_probe", "proctor_raised", "proctor_report")
# What is learnt from children is heard up to here.
LEARNT = 1 << 20


def below(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


class Overlay:
    """Other bytes for some files, wherever Python loads code from; and whether anyone looks past it."""

    def __init__(self, seen):
        self.seen = seen
        # Called when a file is first asked for, where it is not settled yet which bytes it has.
        self.undecided = None
        # Sees what happens to the files until it is settled.
        self.watch = None
        self.looked_past = self.quiet = False
        self.number = None
        self.lay_files({})

    def lay_files(self, files):
        self.files = {os.path.realpath(path): data for path, data in files.items()}
        self.names = {os.path.basename(path) for path in self.files}
        self.known = {}

    def decide(self, number, files):
        """From now on these are the bytes."""
        import linecache

        self.number, self.undecided, self.watch = number, None, None
        self.lay_files(files)
        if files and self.looked_past:
            self.past()
        for place, data in files.items():
            lines = data.decode("utf-8", "replace").splitlines(True)
            for name in {place, os.path.realpath(place)}:
                # Without a time it is never looked up again.
                linecache.cache[name] = (len(data), None, lines, name)

    def find(self, path):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not self.names or not isinstance(path, str):
            return None
        if path.rpartition("/")[2] not in self.names and not os.path.islink(path):
            return None
        if path not in self.known:
            self.known[path] = self.files.get(os.path.realpath(path))
        return self.known[path]

    def of(self, path):
        found = self.find(path)
        if found is not None and self.undecided is not None:
            self.undecided()
            found = self.find(path)
        if found is not None and self.watch is not None:
            self.watch.begin(os.path.realpath(path))
        return found

    def past(self):
        self.looked_past = True
        if self.number is not None:
            # Shared with the driver: a child of a child tells too.
            self.seen[self.number] = 1

    def audit(self, event, args):
        if self.watch is not None:
            self.watch.saw(event, args)
        if not self.files or self.quiet:
            return
        if event == "open":
            if self.find(args[0]) is not None:
                self.past()
        elif event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"):
            self.past()

    def lay(self):
        import _posixsubprocess
        import pathlib

        from _pytest.assertion import rewrite

        loader = importlib.machinery.SourceFileLoader
        get_data, path_stats = loader.get_data, loader.path_stats
        to_code = loader.source_to_code
        read_bytes, read_pyc = pathlib.Path.read_bytes, rewrite._read_pyc
        fork_exec = _posixsubprocess.fork_exec

        def other_data(self_, path):
            data = self.of(path)
            return get_data(self_, path) if data is None else data

        def other_stats(self_, path):
            # Without them no compiled file is looked for and none is written.
            if self.of(path) is not None:
                raise OSError("the file has other bytes in this run")
            return path_stats(self_, path)

        def watched_code(self_, data, path, *rest, **how):
            code = to_code(self_, data, path, *rest, **how)
            if self.watch is not None and isinstance(path, str) and self.find(path) is not None:
                self.watch.loaded(os.path.realpath(path), code)
            return code

        def other_bytes(self_):
            data = self.of(str(self_))
            return read_bytes(self_) if data is None else data

        def other_pyc(source, *args, **kwargs):
            return read_pyc(source, *args, **kwargs) if self.of(str(source)) is None else None

        def other_exec(args, *rest):
            # The one that multiprocessing starts to clean up runs no code of the project.
            if self.files and not any(b"resource_tracker" in os.fsencode(arg) for arg in args):
                self.past()
            return fork_exec(args, *rest)

        loader.get_data, loader.path_stats, loader.source_to_code = other_data, other_stats, watched_code
        pathlib.Path.read_bytes, rewrite._read_pyc = other_bytes, other_pyc
        _posixsubprocess.fork_exec = other_exec
        sys.addaudithook(self.audit)


class Codes:
    """Compiled texts of the tree, made in the driver for all children that follow. Compiling runs nothing; what there is
    to compile is learnt from the children that are done."""

    PLAIN, ASSERTING = "plain", "asserting"

    def __init__(self, tree):
        self.tree = os.path.realpath(tree)
        self.made, self.missed = {}, []

    def learn(self, folder):
        try:
            with open(os.path.join(folder, "missed.json"), "rb") as handle:
                missed = json.loads(handle.read(LEARNT))
            wanted = [(str(path), str(how)) for path, how in missed]
        except (OSError, ValueError, TypeError):
            return
        for path, how in wanted:
            if (path, how) in self.made or not below(os.path.realpath(path), self.tree):
                continue
            self.made[path, how] = self.compiled(path, how)

    @staticmethod
    def compiled(path, how):
        import ast

        from _pytest.assertion import rewrite

        try:
            with open(path, "rb") as handle:
                data = handle.read()
            text = data
            if how == Codes.ASSERTING:
                text = ast.parse(data, filename=path)
                rewrite.rewrite_asserts(text, data, path)
            return data, compile(text, path, "exec", dont_inherit=True)
        except Exception:
            return None

    def of(self, path, how, data):
        found = self.made.get((path, how))
        if found is not None and found[0] == data:
            return found[1]
        self.missed.append((path, how))
        return None

    def use(self):
        """In a child: in the place of compiling."""
        from _pytest.assertion import rewrite

        loader = importlib.machinery.SourceFileLoader
        to_code, rewrite_test = loader.source_to_code, rewrite._rewrite_test

        def known_code(self_, data, path, *rest, **how):
            code = None if rest or how else self.of(path, self.PLAIN, data)
            return to_code(self_, data, path, *rest, **how) if code is None else code

        def known_rewrite(fn, config):
            # Its first part goes into a compiled file, and none is written.
            if config.getini("enable_assertion_pass_hook") or not sys.dont_write_bytecode:
                return rewrite_test(fn, config)
            code = self.of(str(fn), self.ASSERTING, fn.read_bytes())
            return rewrite_test(fn, config) if code is None else (None, code)

        loader.source_to_code, rewrite._rewrite_test = known_code, known_rewrite

    def tell(self, folder):
        if not self.missed:
            return
        with open(os.path.join(folder, "missed.json"), "w", encoding="utf-8") as handle:
            json.dump(self.missed, handle)


class Own:
    """Our plugin, out of memory: no other child can have changed it."""

    def __init__(self, folder):
        self.codes = {}
        for name in OWN:
            path = os.path.join(folder, name + ".py")
            with open(path, "rb") as handle:
                self.codes[name] = (path, compile(handle.read(), path, "exec"))

    def find_spec(self, name, path=None, target=None):
        if name not in self.codes:
            return None
        return importlib.util.spec_from_file_location(name, self.codes[name][0], loader=self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.codes[module.__name__][1], module.__dict__)


class Stop:
    """The first failure decides: what follows is not run."""

    WHY = "the first failure decides"

    def __init__(self, folder):
        self.folder = folder

    def tell(self):
        """What those that follow may learn of this run."""

    def pytest_sessionstart(self, session):
        self.session = session

    def pytest_collection_finish(self, session):
        if session.testsfailed:
            session.shouldfail = self.WHY

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.session.shouldfail = self.WHY


def settle(variant, warm):
    """Makes the child what an ordinary run is at its start."""
    import tempfile

    from _pytest.assertion.rewrite import AssertionRewritingHook

    gc.enable()
    for name in ("home", "tmp"):
        os.mkdir(os.path.join(variant["folder"], name))
    if variant["only"] is not None:
        with open(os.path.join(variant["folder"], "only.json"), "w", encoding="utf-8") as handle:
            json.dump(variant["only"], handle)
    os.environ.clear()
    os.environ.update(variant["env"])
    tempfile.tempdir = None
    roots = [entry for entry in variant["env"].get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.path[:] = [os.getcwd(), *roots, *warm.path]
    importlib.invalidate_caches()
    sys.meta_path.insert(0, warm.own)
    main = type(sys)("__main__")
    main.__file__ = os.path.join(os.path.dirname(sys.modules["pytest"].__file__), "__main__.py")
    sys.argv[:] = [main.__file__, *variant["args"]]
    sys.modules["__main__"] = main

    known, all_of = set(sys.modules), importlib.metadata.distributions
    warn = AssertionRewritingHook._warn_already_imported

    def distributions(**how):
        if how:
            return all_of(**how)
        more = [entry for entry in sys.path if entry not in warm.scanned]
        return [*all_of(path=more), *warm.dists]

    def warn_of_others(self, name):
        if name not in known:
            warn(self, name)

    importlib.metadata.distributions = distributions
    AssertionRewritingHook._warn_already_imported = warn_of_others


def child(variant, warm, overlay, plugin):
    """One run of pytest in this process. Never returns; a process that is forked from inside comes by here too."""
    code = 1
    try:
        settle(variant, warm)
        warm.codes.use()
        overlay.lay()
        import pytest

        code = int(pytest.main(variant["args"], plugins=[plugin]))
        warm.codes.tell(plugin.folder)
        plugin.tell()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except Exception:
            pass
        os._exit(code & 0xFF)
