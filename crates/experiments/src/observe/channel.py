import copy as _ob_cp, functools as _ob_ft, inspect as _ob_in, json as _ob_js, operator as _ob_op, os as _ob_os, re as _ob_re, signal as _ob_sg, sys as _ob_sy, threading as _ob_th
_ob_to = _ob_os.path.join(_ob_os.environ.get("TMPDIR") or "/tmp", "@CHANNEL@")
_ob_made = _ob_sy.__dict__.setdefault("_ob_@CHANNEL@", {"n": 0, "now": None, "bad": 0, "strict": 0, "reached": set()})
_ob_reached = _ob_made["reached"]
def _ob_at(t, v):
    return (t, v) if t >= 0 else None if _ob_made["strict"] else _ob_made["now"]
def _ob_tell(t, v, **row):
    _ob_reached.add(row.get("s"))
    _ob_made["bad"] += row.get("ok") is False
    _ob_made["n"] += 1
    if _ob_made["n"] > 60000:
        return
    line = _ob_js.dumps(dict(t=t, v=v, **row)) + "\n"
    fd = _ob_os.open(_ob_to, _ob_os.O_WRONLY | _ob_os.O_APPEND | _ob_os.O_CREAT, 0o600)
    try:
        _ob_os.write(fd, line.encode("utf-8", "replace"))
    finally:
        _ob_os.close(fd)
def _ob_cut(text):
    text = _ob_re.sub(r"(?i)\b0x[0-9a-f]{6,}", "0x-", text)
    if len(text) > 600:
        import hashlib
        text = text[:400] + "... " + str(len(text)) + " " + hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:12]
    return text
def _ob_show(x, deep=0):
    kind = type(x)
    if x is None or kind in (bool, int, float, complex, str, bytes, bytearray, range, type(Ellipsis)):
        return repr(x)
    if deep > 5:
        return "<" + kind.__name__ + ">"
    name = kind.__name__
    def all_of(items):
        out = []
        for n, i in enumerate(items):
            if n >= 60:
                out.append("...")
                break
            out.append(_ob_show(i, deep + 1))
        return out
    try:
        if kind is list:
            return "[" + ", ".join(all_of(x)) + "]"
        if kind is tuple:
            return "(" + ", ".join(all_of(x)) + ",)"
        if kind in (set, frozenset):
            return name + "{" + ", ".join(sorted(all_of(x))) + "}"
        if kind is dict:
            return "{" + ", ".join(a + ": " + b for a, b in zip(all_of(x.keys()), all_of(x.values()))) + "}"
        if isinstance(x, BaseException):
            return name + ": " + _ob_cut(str(x))
        if isinstance(x, type):
            return "<class " + x.__name__ + ">"
        if _ob_in.isgenerator(x) or _ob_in.iscoroutine(x):
            return "<" + name + ">"
        if callable(x) and hasattr(x, "__name__"):
            return "<" + name + " " + str(x.__name__) + ">"
        if isinstance(x, str):
            return name + "(" + str.__repr__(x) + ")"
        if isinstance(x, (int, float)):
            return name + "(" + kind.__mro__[-2].__repr__(x) + ")"
        if isinstance(x, tuple):
            return name + "(" + ", ".join(all_of(tuple.__iter__(x))) + ")"
        if isinstance(x, list):
            return name + "[" + ", ".join(all_of(list.__iter__(x))) + "]"
        if isinstance(x, dict):
            return name + "{" + ", ".join(_ob_show(k, deep + 1) + ": " + _ob_show(dict.__getitem__(x, k), deep + 1) for k in list(dict.keys(x))[:60]) + "}"
        said = repr(x)
        if " at 0x" in said or " object at " in said:
            own = getattr(x, "__dict__", None)
            if isinstance(own, dict):
                return name + "(" + ", ".join(str(k) + "=" + _ob_show(w, deep + 1) for k, w in list(own.items())[:30] if not callable(w)) + ")"
            return "<" + name + ">"
        return name + " " + said
    except Exception as e:
        return "<" + name + " that can't be shown: " + type(e).__name__ + ">"
def _ob_fields(x):
    # The fields of an object of somebody's own class.
    if isinstance(x, (type, BaseException, str, int, float, complex, bytes)) or x is None or callable(x) or type(x).__module__ == "builtins":
        return None
    found = {}
    for kind in type(x).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            a, value = _ob_get(lambda: object.__getattribute__(x, name))
            if a and name not in ("__dict__", "__weakref__"):
                found[name] = value
    a, own = _ob_get(lambda: object.__getattribute__(x, "__dict__"))
    if a and isinstance(own, dict):
        found.update((str(k), w) for k, w in list(own.items()))
    return {k: w for k, w in found.items() if not callable(w)} or None
def _ob_plain(x, deep=0):
    own = _ob_fields(x) if deep < 4 else None
    if own is not None:
        return type(x).__name__ + "(" + ", ".join(k + "=" + _ob_plain(w, deep + 1) for k, w in list(own.items())[:30]) + ")"
    if type(x) in (list, tuple) and deep < 4:
        return type(x).__name__ + "[" + ", ".join(_ob_plain(w, deep + 1) for w in x[:60]) + "]"
    if type(x) is dict and deep < 4:
        return "{" + ", ".join(_ob_show(k) + ": " + _ob_plain(w, deep + 1) for k, w in list(x.items())[:60]) + "}"
    return _ob_show(x, deep)
def _ob_apart(x, y, path="", deep=0):
    # The first field that both have and in which they are not the same, as they show it.
    if type(x) is not type(y) or x is y or deep > 4:
        return None
    if type(x) in (list, tuple) and len(x) == len(y):
        pairs = [(path + "[" + str(n) + "]", a, b) for n, (a, b) in enumerate(zip(x, y))]
    elif type(x) is dict:
        pairs = [(path + "[" + _ob_show(k) + "]", x[k], y[k]) for k in x if k in y]
    else:
        own, other = _ob_fields(x), _ob_fields(y)
        pairs = [((path + "." + k).lstrip("."), own[k], other[k]) for k in own if k in other] if own and other else []
        if not pairs:
            both = _ob_show(x), _ob_show(y)
            there = path and x is not None and _ob_fields(x) is None and not callable(x) and both[0] not in ("''", "[]", "{}", "()")
            return [path, both[0], both[1]] if there and both[0] != both[1] and both[1] not in ("''", "[]", "{}", "()") else None
    for at, a, b in pairs[:60]:
        found = _ob_apart(a, b, at, deep + 1)
        if found:
            return found
    both = _ob_show(x), _ob_show(y)
    if type(x) in (list, tuple) and path and len(x) != len(y) and x and y:
        return [path, both[0], both[1]]
    return None
def _ob_copies(x, y, shown):
    # What both are in plain, where that is more than they say of themselves.
    a, both = _ob_get(lambda: [_ob_cut(_ob_plain(x)), _ob_cut(_ob_plain(y))])
    if not a or both == shown:
        return {}
    a, found = _ob_get(lambda: _ob_apart(x, y))
    return {"p": both + [_ob_cut(str(w)) for w in (found if a and found else [])]}
def _ob_val(x):
    return _ob_cut(_ob_show(x))
def _ob_err(e):
    return _ob_cut(type(e).__name__ + ": " + " ".join(str(e).split()))
def _ob_is_stop(e):
    return isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)) or type(e).__name__ == "Exit"
def _ob_get(f):
    try:
        return True, f()
    except BaseException as e:
        if _ob_is_stop(e) and not isinstance(e, SystemExit):
            raise
        return False, e
_ob_ops = {"==": _ob_op.eq, "!=": _ob_op.ne, "<": _ob_op.lt, "<=": _ob_op.le, ">": _ob_op.gt, ">=": _ob_op.ge, "is": _ob_op.is_, "is not": _ob_op.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b}
def _ob_asks(name):
    name = name.lower().replace("_", "").replace("assert", "")
    if "raises" in name or "warns" in name:
        return "raises"
    if name in ("true", "false", "isnone", "isnotnone", ""):
        return "truth"
    same = "equal" in name and "almost" not in name or name in ("is", "same", "dictequal", "calledwith", "calledoncewith", "hascalls")
    return "other" if "not" in name else "eq" if same else "part" if name == "in" else "other"
def _ob_cmp(t, v, s, left, right, how):
    at = _ob_at(t, v)
    if at is None:
        x, y = left(), right()
        if not _ob_ops[how](x, y):
            raise AssertionError("assert " + _ob_val(x) + " " + how + " " + _ob_val(y))
        return
    t, v = at
    (a, x), (b, y) = _ob_get(left), _ob_get(right)
    k = {"==": "eq", "is": "eq", "in": "part"}.get(how, "other")
    if not a or not b:
        _ob_tell(t, v, s=s, k=k, ok=False, l=[_ob_val(z) for ok, z in ((a, x), (b, y)) if ok], x=_ob_err(y if a else x))
        return
    shown = [_ob_val(x), _ob_val(y)]
    plain = _ob_copies(x, y, shown) if how == "==" else {}
    c, held = _ob_get(lambda: bool(_ob_ops[how](x, y)))
    _ob_tell(t, v, s=s, k=k, ok=bool(c and held), l=shown, **plain, **({} if c else {"x": _ob_err(held)}))
def _ob_true(t, v, s, value, wanted):
    at = _ob_at(t, v)
    if at is None:
        x = value()
        if bool(x) is not wanted:
            raise AssertionError(("assert " if wanted else "assert not ") + _ob_val(x))
        return
    t, v = at
    a, x = _ob_get(value)
    b, held = _ob_get(lambda: bool(x)) if a else (False, x)
    if not b:
        _ob_tell(t, v, s=s, ok=False, l=[], x=_ob_err(held))
    else:
        _ob_tell(t, v, s=s, k="truth", ok=held is wanted, l=[_ob_val(x)])
def _ob_call(t, v, s, what, how):
    at = _ob_at(t, v)
    if at is None:
        return how(what())
    t, v = at
    a, f = _ob_get(what)
    if not a:
        _ob_tell(t, v, s=s, ok=False, l=[], x=_ob_err(f))
        return
    seen = []
    def catch(*args, **more):
        seen.append((args, more))
        return f(*args, **more)
    name = getattr(f, "__name__", "")
    bad, strict = _ob_made["bad"], _ob_asks(name) == "raises"
    _ob_made["strict"] += strict
    b, got = _ob_get(lambda: how(catch))
    _ob_made["strict"] -= strict
    b, done = b and _ob_made["bad"] == bad, b
    sides = []
    if name.startswith("assert_") and hasattr(getattr(f, "__self__", None), "mock_calls"):
        sides.append(_ob_val([str(c) for c in f.__self__.mock_calls[:20]]))
    for args, more in seen:
        sides.extend(_ob_val(x) for x in args[:4])
        sides.extend(k + "=" + _ob_val(x) for k, x in sorted(more.items()) if k != "msg")
    row = dict(s=s, k=_ob_asks(name), ok=b, l=sides)
    if row["k"] == "eq" and seen and len(seen[-1][0]) > 1:
        args = seen[-1][0]
        row.update(_ob_copies(args[0], args[1], [_ob_val(args[0]), _ob_val(args[1])]))
    if not done and not seen:
        row["x"] = _ob_err(got)
    _ob_tell(t, v, **row)
    return got if done else None
def _ob_wide(inner, error):
    # The classes above the error's own that would have been taken as well.
    found = []
    for kind in type(error).__mro__[1:-1]:
        def takes():
            other = kind.__new__(kind)
            other.args = error.args
            own = _ob_cp.copy(inner)
            own.__dict__.update((k, w if isinstance(w, type) else _ob_cp.copy(w)) for k, w in list(vars(own).items()))
            return bool(own.__exit__(kind, other, None))
        a, held = _ob_get(takes)
        if not (a and held):
            break
        found.append("as " + kind.__name__)
    return found
class _ob_with:
    def __init__(self, t, v, s, what):
        self.at, self.site, self.what = _ob_at(t, v), s, what
    def __enter__(self):
        self.inner = self.what()
        self.strict = "raises" in type(self.inner).__name__.lower()
        _ob_made["strict"] += self.strict
        return self.inner.__enter__()
    def __exit__(self, kind, error, trace):
        _ob_made["strict"] -= self.strict
        if self.at is None:
            return self.inner.__exit__(kind, error, trace)
        (t, v), s = self.at, self.site
        wide = _ob_wide(self.inner, error) if isinstance(error, Exception) else []
        a, got = _ob_get(lambda: self.inner.__exit__(kind, error, trace))
        held = a and (bool(got) or error is None)
        row = dict(s=s, k="raises", ok=held, l=[_ob_err(error)] + wide if error is not None else ["no exception"])
        if not a and error is None:
            row["x"] = _ob_err(got)
        _ob_tell(t, v, **row)
        return not (error is not None and _ob_is_stop(error))
class _ob_part:
    def __init__(self, t, v, first, last, what):
        self.at, self.sites, self.what = _ob_at(t, v), range(first, last), what
    def __enter__(self):
        for s in self.sites:
            _ob_reached.discard(s)
        self.inner = self.what()
        return self.inner.__enter__()
    def __exit__(self, kind, error, trace):
        if self.at is not None and error is not None and not _ob_is_stop(error):
            for s in self.sites:
                if s not in _ob_reached:
                    _ob_tell(*self.at, s=s, ok=False, l=[], x=_ob_err(error))
        return self.inner.__exit__(kind, error, trace)
class _ob_late(BaseException):
    pass
def _ob_ring(*_):
    raise _ob_late("it takes too long")
def _ob_of(t, v):
    def deco(f):
        def begin():
            _ob_tell(t, v, b=1)
            _ob_made.update(now=(t, v), bad=0, strict=0)
            if _ob_th.current_thread() is _ob_th.main_thread() and hasattr(_ob_sg, "setitimer"):
                _ob_sg.signal(_ob_sg.SIGALRM, _ob_ring)
                _ob_sg.setitimer(_ob_sg.ITIMER_REAL, 5.0)
        def end(e=None):
            _ob_made["now"] = None
            if _ob_th.current_thread() is _ob_th.main_thread() and hasattr(_ob_sg, "setitimer"):
                _ob_sg.setitimer(_ob_sg.ITIMER_REAL, 0)
            if e is None:
                _ob_tell(t, v, s=-1, ok=True, l=["to its end"])
            else:
                _ob_tell(t, v, s=-1, ok=False, l=[], x=_ob_err(e))
        if _ob_in.iscoroutinefunction(f):
            @_ob_ft.wraps(f)
            async def over(*a, **k):
                begin()
                try:
                    await f(*a, **k)
                except BaseException as e:
                    end(e)
                    if _ob_is_stop(e):
                        raise
                else:
                    end()
            return over
        @_ob_ft.wraps(f)
        def over(*a, **k):
            begin()
            try:
                f(*a, **k)
            except BaseException as e:
                end(e)
                if _ob_is_stop(e) and not isinstance(e, SystemExit):
                    raise
            else:
                end()
        return over
    return deco
def _ob_beside(f):
    @_ob_ft.wraps(f)
    def over(*a, **k):
        import contextvars
        got = []
        def body():
            try:
                f(*a, **k)
            except BaseException as e:
                got.append(e)
        one = _ob_th.Thread(target=contextvars.copy_context().run, args=(body,), daemon=True)
        one.start()
        one.join(10)
        if got:
            raise got[0]
    return over
class _ob_none:
    def __init__(self, name, error):
        self.__dict__["_ob_why"] = (name, error)
    def _ob_fail(self, *a, **k):
        raise ImportError(self.__dict__["_ob_why"][0])
    __call__ = __getattr__ = __getitem__ = __iter__ = _ob_fail
    def __mro_entries__(self, bases):
        return ()
