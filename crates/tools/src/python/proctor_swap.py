"""Which functions of a module that is loaded already other bytes of its file would change, and that change itself.

A module is what its text made of it when it was loaded. Where two texts differ in functions alone that nobody has called
yet, giving those functions their other code leaves exactly what loading the other text would have left. Everything else
is unfit: it has to be loaded anew.
"""

import gc
import os
import sys
import types

try:
    from _lsprof import Profiler
except ImportError:
    Profiler = None

# A module or the body of a class has none of these flags: it runs when it is loaded, and never again.
FUNCTION = 0x0003
# What leaves something outside of this process that children would share.
OUTSIDE = (
    "tempfile.mkstemp", "tempfile.mkdtemp", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.link",
    "os.symlink", "socket.bind", "socket.connect", "sqlite3.connect", "subprocess.Popen", "os.exec", "os.posix_spawn",
    "os.system", "os.fork", "os.forkpty", "shutil.copyfile", "shutil.move", "shutil.rmtree", "mmap.__new__",
    "_thread.start_new_thread", "_thread.start_joinable_thread",
)


class Unfit(Exception):
    pass


class Watch:
    """What happens between the first load of a watched file and the fork: whose code runs, and what it leaves outside."""

    def __init__(self, report):
        # Where our own plugin writes.
        self.report = report
        self.profiler, self.outside, self.codes, self.asked = None, False, {}, set()

    def begin(self, path):
        self.asked.add(path)
        if self.profiler is None and Profiler is not None:
            try:
                self.profiler = Profiler(subcalls=False, builtins=False)
                self.profiler.enable()
            except (ValueError, TypeError, RuntimeError):
                self.profiler = None
                self.outside = True

    def loaded(self, path, code):
        self.codes.setdefault(path, []).append(code)

    def saw(self, event, args):
        """From the audit hook."""
        if self.profiler is None or self.outside:
            return
        if event == "open":
            mode, flags = args[1], args[2] if len(args) > 2 else 0
            writes = isinstance(mode, str) and any(sign in mode for sign in "wax+")
            writes = writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR))
            # pytest's own log of nothing, where a conftest.py loads the code.
            if writes and args[0] not in (self.report, os.devnull):
                self.outside = True
        elif event in OUTSIDE:
            self.outside = True

    def end(self):
        """The numbers of the codes that ran; none where that is not known."""
        if self.profiler is None:
            return set() if not self.asked and not self.outside else None
        if self.outside or not is_on(self.profiler):
            return None
        self.profiler.disable()
        # The numbers stay theirs: the profiler keeps the codes.
        return {id(entry.code) for entry in self.profiler.getstats() if isinstance(entry.code, types.CodeType)}


def is_on(profiler):
    """Whether nobody has taken its place."""
    if hasattr(sys, "monitoring"):
        return sys.monitoring.get_tool(sys.monitoring.PROFILER_ID) is not None
    return sys.getprofile() is profiler


class Swap:
    """For each variation the functions that get another code."""

    def __init__(self, watch, ran):
        self.watch, self.ran, self.functions = watch, ran, {}
        names = {code.co_filename for codes in watch.codes.values() for code in codes}
        for one in gc.get_objects():
            if type(one) is types.FunctionType and one.__code__.co_filename in names:
                self.functions.setdefault(id(one.__code__), []).append(one)

    def called(self, profiler):
        """The numbers of those functions that were called."""
        ran = {id(entry.code) for entry in profiler.getstats() if isinstance(entry.code, types.CodeType)}
        return sorted(ran & self.functions.keys())

    def of(self, files):
        """Pairs of a function and its other code; raises where that is not all there is to it."""
        found = []
        for path, data in files.items():
            path = os.path.realpath(path)
            if path not in self.watch.asked:
                # It is loaded later, with its other bytes.
                continue
            loaded = self.watch.codes.get(path, ())
            if len(loaded) != 1:
                raise Unfit
            try:
                other = compile(data, loaded[0].co_filename, "exec", dont_inherit=True)
            except (SyntaxError, ValueError):
                raise Unfit from None
            self.differ(loaded[0], other, found)
        return found

    def differ(self, old, new, found):
        pairs = list(zip(nested(old), nested(new)))
        same = shallow(old) == shallow(new)
        if same and all(alike(*pair) for pair in pairs):
            return
        if id(old) not in self.ran:
            functions = self.functions.get(id(old), ())
            fits = old.co_flags == new.co_flags and old.co_freevars == new.co_freevars
            if not functions or not fits or documented(old) != documented(new):
                raise Unfit
            found.extend((one, new) for one in functions)
        elif same and not old.co_flags & FUNCTION:
            for pair in pairs:
                self.differ(*pair, found)
        else:
            raise Unfit


def nested(code):
    return [const for const in code.co_consts if isinstance(const, types.CodeType)]


def documented(code):
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None


def plain(const):
    """A constant as it is told apart from others: one and true are not the same, nor are two zeros."""
    if isinstance(const, types.CodeType):
        return types.CodeType
    if isinstance(const, (tuple, frozenset)):
        inner = [plain(one) for one in const]
        return type(const), tuple(inner) if isinstance(const, tuple) else frozenset(map(repr, inner))
    return type(const), repr(const)


def shallow(code):
    """What a code is, without those in it and without its places in the text."""
    return (
        code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags, code.co_name,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, getattr(code, "co_exceptiontable", b""),
        tuple(plain(const) for const in code.co_consts),
    )


def alike(old, new):
    return shallow(old) == shallow(new) and all(alike(*pair) for pair in zip(nested(old), nested(new)))
