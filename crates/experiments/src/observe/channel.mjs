const __ob = (() => {
  const load = (name) => {
    if (typeof process.getBuiltinModule === "function") return process.getBuiltinModule(name);
    if (typeof require === "function") return require(name);
    return name === "fs" && typeof __ob_fs !== "undefined" ? __ob_fs : undefined;
  };
  // All that is used is taken now: tests put others in their places.
  const { openSync, writeSync, closeSync } = load("fs") || {};
  const timers = load("timers") || globalThis;
  const { setTimeout, clearTimeout } = timers;
  const judge = load("assert");
  const where = (process.env.TMPDIR || "/tmp").replace(/\/+$/, "") + "/@CHANNEL@";
  const { stringify } = JSON;
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const words = Function.prototype.toString, tagged = Object.prototype.toString;
  // The copy that runs, for all files of the tests: several may run at the same time.
  const shared = (globalThis["__ob_@CHANNEL@"] ??= (() => {
    const { AsyncLocalStorage } = load("async_hooks") || {};
    return { kept: AsyncLocalStorage && new AsyncLocalStorage(), now: undefined };
  })());
  const copy = () => (shared.kept ? shared.kept.getStore() : shared.now);
  const within = (one, run) => {
    if (shared.kept) return shared.kept.run(one, run);
    shared.now = one;
    return run();
  };
  // Where a row goes: a helper's to the copy that runs; nowhere where none does or a failure is waited for.
  const place = (t, v, s) => {
    const now = copy();
    if (t >= 0) return { t, v, s };
    return now && !now.strict ? { t: now.t, v: now.v, s } : undefined;
  };
  // A function that is meant to fail, or is tried again: what is asserted in there must fail.
  const strict = (fn) => (typeof fn !== "function" ? fn : function (...given) {
    const now = copy() ?? {};
    now.strict = (now.strict ?? 0) + 1;
    const over = () => void (now.strict -= 1);
    let got;
    try {
      got = apply(fn, this, given);
    } catch (e) {
      over();
      throw e;
    }
    if (is_promise(got)) got.then(over, over);
    else over();
    return got;
  });
  let told = 0;
  const tell = (row) => {
    const now = row.ok === false ? copy() : undefined;
    if (now) now.bad += 1;
    if ((told += 1) > 60000) return;
    try {
      const to = openSync(where, "a", 0o600);
      try {
        writeSync(to, stringify(row) + "\n");
      } finally {
        closeSync(to);
      }
    } catch {}
  };

  // Values as text.
  const DEEP = 5, WIDE = 60;
  let left = 0;
  const cut = (text) => {
    if (text.length > 600) {
      let a = 0xdeadbeef, b = 0x41c6ce57;
      for (let i = 0; i < text.length; i += 1) {
        const c = text.charCodeAt(i);
        a = Math.imul(a ^ c, 2654435761);
        b = Math.imul(b ^ c, 1597334677);
      }
      const hash = (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
      text = text.slice(0, 400) + "... " + text.length + " " + hash;
    }
    // Half a letter is no JSON for others.
    return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?");
  };
  const own = (x, key) => {
    for (let at = x; at; at = getPrototypeOf(at)) {
      const found = getOwnPropertyDescriptor(at, key);
      if (found) return found.value;
    }
    return undefined;
  };
  const kind = (x) => {
    const proto = getPrototypeOf(x);
    if (!proto) return "";
    const made = own(proto, "constructor");
    return typeof made === "function" ? String(own(made, "name") ?? "") : "";
  };
  const is_error = (x) =>
    x !== null && typeof x === "object" && (tagged.call(x) === "[object Error]" || x instanceof Error);
  const error = (e) => {
    try {
      if (!is_error(e)) return cut("thrown " + value(e));
      const said = String(e.message).replace(/\u001b\[[0-9;]*m/g, "").split(/\s+/).join(" ").trim();
      return cut(String(e.name) + ": " + said);
    } catch {
      return "an error that can't be shown";
    }
  };
  const key = (k) => (typeof k === "symbol" ? "[" + String(k) + "]" : /^[\w$]+$/.test(k) ? k : stringify(k));
  const pairs = (x, up, keys) =>
    keys.slice(0, WIDE).map((k) => {
      const found = getOwnPropertyDescriptor(x, k);
      const said = !found ? "?" : "value" in found ? show(found.value, up) : "[getter]";
      return key(k) + ": " + said;
    }).concat(keys.length > WIDE ? ["..."] : []).join(", ");
  const row_of = (items, size, up) => {
    const out = [];
    for (const item of items) {
      if (out.length >= WIDE) {
        out.push("... " + size);
        break;
      }
      out.push(item(up));
    }
    return out.join(", ");
  };
  const calls = (f) => {
    const seen = f.mock && typeof f.mock === "object" ? f.mock.calls : undefined;
    if (!Array.isArray(seen)) return undefined;
    return seen.slice(0, 20).map((c) => (Array.isArray(c) ? c : c && c.arguments));
  };
  const callable = (f, up) => {
    const seen = calls(f);
    if (seen) return "<mock called with " + show(seen, up) + ">";
    const sort = /^class\b/.test(words.call(f)) ? "class" : "function";
    return ("<" + sort + " " + String(own(f, "name") ?? "")).trim() + ">";
  };
  const listed = function* (x) {
    for (let i = 0; i < x.length; i += 1) {
      const found = getOwnPropertyDescriptor(x, i);
      yield (up) => (!found ? "<empty>" : "value" in found ? show(found.value, up) : "[getter]");
    }
  };
  const object = (x, up) => {
    const name = kind(x);
    const named = name === "Object" ? "" : name;
    const tag = tagged.call(x).slice(8, -1);
    if (Array.isArray(x)) return (name === "Array" ? "" : name) + "[" + row_of(listed(x), x.length, up) + "]";
    if (is_error(x)) return error(x);
    if (tag === "Date") return "Date(" + (isNaN(x) ? "NaN" : Date.prototype.toISOString.call(x)) + ")";
    if (tag === "RegExp") return RegExp.prototype.toString.call(x);
    if (tag === "Promise" || tag.startsWith("Weak") || tag.endsWith("Generator")) return "<" + tag + ">";
    if (tag === "Number" || tag === "String" || tag === "Boolean") return tag + "(" + show(x.valueOf(), up) + ")";
    if (tag === "Map") {
      const each = [...Map.prototype.entries.call(x)].map(([k, w]) => (u) => show(k, u) + " => " + show(w, u));
      return name + "{" + row_of(each, each.length, up) + "}";
    }
    if (tag === "Set") {
      const each = [...Set.prototype.values.call(x)].map((w) => (u) => show(w, u));
      return name + "{" + row_of(each, each.length, up) + "}";
    }
    if (ArrayBuffer.isView(x) || tag === "ArrayBuffer") {
      const bytes = tag === "ArrayBuffer" ? new Uint8Array(x) : x;
      const list = tag === "DataView" ? new Uint8Array(x.buffer, x.byteOffset, x.byteLength) : bytes;
      return name + "[" + row_of(listed(list), list.length, up) + "]";
    }
    if (tag === "URL" || tag === "URLSearchParams") return tag + "(" + stringify(String(x)) + ")";
    if (/^HTML|^SVG/.test(tag) && typeof x.outerHTML === "string") return tag + " " + x.outerHTML;
    const keys = ownKeys(x).filter((k) => getOwnPropertyDescriptor(x, k)?.enumerable);
    return named + "{" + pairs(x, up, keys) + "}";
  };
  const show = (x, above) => {
    if (typeof x === "string") return stringify(x);
    if (typeof x === "bigint") return x + "n";
    if (Object.is(x, -0)) return "-0";
    if (x === null || (typeof x !== "object" && typeof x !== "function")) return String(x);
    try {
      if (above.includes(x)) return "<cycle>";
      if ((left -= 1) < 0) return "...";
      if (above.length > DEEP) return "<" + (kind(x) || typeof x) + ">";
      const up = [...above, x];
      return typeof x === "function" ? callable(x, up) : object(x, up);
    } catch (e) {
      return "<a value that can't be shown>";
    }
  };
  const value = (x) => {
    left = 4000;
    return cut(show(x, []));
  };
  const is_promise = (x) => {
    try {
      return x !== null && (typeof x === "object" || typeof x === "function") && typeof x.then === "function";
    } catch {
      return false;
    }
  };

  // One test.
  const LIMIT = 4500; // Before the tools' own limit, which would tell nothing.
  const of = (t, v, fn, back) => {
    if (typeof fn !== "function") return fn;
    const over = function (...given) {
      tell({ t, v, b: 1 });
      const run = () => within({ t, v, bad: 0, strict: 0 }, () => apply(fn, this, given));
      let open = true, bell;
      const end = (failed) => {
        if (!open) return false;
        open = false;
        clearTimeout(bell);
        shared.now = undefined;
        tell(failed ? { t, v, s: -1, ok: false, l: [], x: error(failed[0]) } : { t, v, s: -1, ok: true, l: ["to its end"] });
        return true;
      };
      const late = [new Error("it takes too long")];
      const at = fn.length - 1;
      const done = back ? given[at] : undefined;
      // The context of vitest can be called too.
      if (typeof done === "function" && !("task" in done)) {
        const over_with = (failed) => void (end(failed) && done());
        given[at] = (e) => over_with(e ? [e] : undefined);
        given[at].fail = (e) => over_with([e === undefined ? new Error("failed") : e]);
        bell = setTimeout(() => over_with(late), LIMIT);
        try {
          const got = run();
          if (is_promise(got)) got.then(undefined, (e) => over_with([e]));
        } catch (e) {
          over_with([e]);
        }
        return undefined;
      }
      let got;
      try {
        got = run();
      } catch (e) {
        end([e]);
        return undefined;
      }
      if (!is_promise(got)) {
        end();
        return undefined;
      }
      return new Promise((resolve) => {
        bell = setTimeout(() => resolve(end(late)), LIMIT);
        got.then(() => resolve(end()), (e) => resolve(end([e])));
      }).then(() => undefined);
    };
    // How many arguments it takes and what it reads of them decides what the tools give to it.
    defineProperty(over, "length", { value: fn.length });
    defineProperty(over, "name", { value: fn.name });
    defineProperty(over, "toString", { value: () => words.call(fn) });
    return over;
  };

  // Values that are worked out where they can fail.
  const same = (x) => () => x;
  const wait = (get) => new Promise((resolve) => {
    get().then((x) => resolve(() => x), (e) => resolve(() => { throw e; }));
  });
  const fetched = (get) => {
    try {
      return { x: get() };
    } catch (e) {
      return { e };
    }
  };
  // What a function does or a promise becomes, seen while somebody else tries it.
  const watched = (x) => {
    const it = { x, said: undefined };
    const settle = (p) => void p.then((w) => { it.said = value(w); }, (e) => { it.said = error(e); });
    if (is_promise(x)) {
      settle(x);
    } else if (typeof x === "function") {
      const tried = strict(x);
      it.x = function (...given) {
        try {
          const got = apply(tried, this, given);
          it.said = "no exception";
          if (is_promise(got)) settle(got);
          return got;
        } catch (e) {
          it.said = error(e);
          throw e;
        }
      };
    }
    return it;
  };
  // Tells the row when the check is done; gives what the check gives, and never fails.
  const judged = (row, sides, run) => {
    const close = (ok) => tell({ ...row, ok, l: sides() });
    let got;
    try {
      got = run();
    } catch (e) {
      close(false);
      return { failed: true };
    }
    if (!is_promise(got)) {
      close(true);
      return { got };
    }
    return { got: new Promise((resolve) => {
      got.then((w) => { close(true); resolve(w); }, () => { close(false); resolve(undefined); });
    }) };
  };
  const dead = new Proxy(function () {}, {
    get: (_, p) => (p === "then" || typeof p === "symbol" ? undefined : dead),
    apply: () => dead,
  });

  // What a check asks, by its name.
  const SAME = /^(toBe|toEqual|toStrictEqual|deepEquals?|deepStrictEqual|strictEquals?|looseEqual|isEqual|isEquivalent|equals?|eql|eq|is|same|toHaveLength|lengthOf|toHaveBeenCalledTimes|toHaveBeenCalledWith|toHaveBeenLastCalledWith|toHaveReturnedWith|calledWith|calledOnceWith|.*Snapshot)$/;
  const TRUTH = /^(toBeTruthy|toBeFalsy|toBeDefined|toBeUndefined|toBeNull|toBeCalled|toHaveBeenCalled|exists?|empty|null|undefined|ok|notOk|assert|true|false|truthy|falsy|ifError|error|isTrue|isFalse|isNull|isDefined)$/;
  const asks = (path) => {
    const name = String(path[path.length - 1] ?? "assert");
    const turned = path.includes("not");
    if (/throw|reject/i.test(name) || path.includes("rejects")) return "raises";
    if (!turned && /^(to)?(contain|contains|includes?)$/i.test(name)) return "part";
    return !turned && SAME.test(name) ? "eq" : TRUTH.test(name) ? "truth" : "other";
  };

  // expect(…) and its chains.
  const LINKS = new Set(
    "to be been is that which and has have with at of same but does still also not deep nested own ordered any all itself eventually resolves rejects".split(" "),
  );
  const THROWS = /^(toThrow|toThrowError|throw|throws|Throw)$/;
  const LATER = /^(rejects|resolves|eventually|rejected|rejectedWith|fulfilled|become)$/;
  const later = (path) => path.some((word) => LATER.test(word));
  const many = (given) => given.slice(0, 4).map(value);
  const matched = (on, link, given) => {
    const { x, make } = on;
    const row = { ...on.row, k: asks(link.path) };
    const name = link.path[link.path.length - 1];
    const tries = typeof x === "function" && (THROWS.test(name) || /Throw.*Snapshot$/.test(name) || later(link.path));
    const seen = tries || later(link.path) ? watched(x) : { x, said: undefined };
    if (/Snapshot$/.test(name)) {
      const got = tries ? fetched(seen.x).x : x;
      const tellit = () => tell({ ...row, ok: true, l: [seen.said ?? value(x)] });
      if (is_promise(got) && later(link.path)) return got.then(tellit, tellit);
      return tellit();
    }
    const before = [value(x), ...many(given)];
    const sides = () => (seen.said === undefined ? before : [seen.said, ...before.slice(1)]);
    const done = judged(row, sides, () => {
      if (!tries || link.called) return apply(link.now, link.from, given);
      let from, now = make(seen.x);
      for (const step of link.path) [from, now] = [now, now[step]];
      return apply(now, from, given);
    });
    if (done.failed) return dead;
    const { got } = done;
    const chains = got !== null && typeof got === "object" && !is_promise(got);
    return chains ? linked(on, { now: got, path: link.path, called: true }) : got;
  };
  const linked = (on, link) => new Proxy(function () {}, {
    get(_, p) {
      if (typeof p === "symbol" || p === "then") return undefined;
      const next = fetched(() => link.now[p]);
      const path = [...link.path, p];
      if ("e" in next) {
        tell({ ...on.row, ok: false, l: [value(on.x)] });
        return dead;
      }
      if (next.x === null || (typeof next.x !== "object" && typeof next.x !== "function")) {
        tell({ ...on.row, ok: false, l: [value(on.x)], x: "TypeError: " + p + " is no matcher" });
        return dead;
      }
      const further = { now: next.x, from: link.now, path, called: link.called };
      if (LINKS.has(p) || typeof next.x === "function") return linked(on, further);
      // `.to.be.true`: asking is the check.
      const seen = is_promise(next.x) ? watched(on.x) : {};
      const row = { ...on.row, k: asks(path) };
      const done = judged(row, () => [seen.said ?? value(on.x)], () => next.x);
      return is_promise(done.got) ? done.got : linked(on, further);
    },
    apply: (_, self, given) => matched(on, link, given),
  });
  // jasmine's own keeps failures to itself, and has another one that throws.
  const silent = (real) => {
    const own = globalThis.jasmine;
    return typeof jest === "undefined" && typeof own?.getEnv === "function" && real === globalThis.expect;
  };
  const expect = (t, v, s, real, get, ...more) => {
    const row = place(t, v, s);
    const keeps = row && silent(real);
    if (keeps) real = globalThis.throwUnless;
    if (!row || !real) return (real ?? globalThis.expect)(get(), ...more);
    const at = fetched(get);
    const make = (x) => real(x, ...more);
    const made = "e" in at ? at : fetched(() => make(at.x));
    if ("e" in made) {
      tell({ ...row, ok: false, l: [], x: error(made.e) });
      return dead;
    }
    return linked({ row, x: at.x, make }, { now: made.x, path: [], called: false });
  };

  // assert.equal(…) and what is called like it.
  const SINGLE = /^(ok|notOk|assert|true|false|truthy|falsy|ifError|error|isTrue|isFalse|isNull|isNotNull|isUndefined|isDefined|exists|notExists)$/;
  const DOUBLE = /equal|^(is|not|same|notSame|match|doesNotMatch|throws|doesNotThrow|rejects|doesNotReject|include|like|notRegex|regex)$/i;
  const TRIES = /throw|reject/i;
  // Those of a test's own context tell their tool and don't throw.
  const own_word = (word, [a, b], seen) => {
    if (/^(equals?|is|isEqual|strictEquals?)$/.test(word)) return Object.is(a, b);
    if (/^(not|notEquals?|isNot|notStrictEquals?|isNotEqual)$/.test(word)) return !Object.is(a, b);
    if (/^(ok|true|truthy|assert)$/.test(word)) return Boolean(a);
    if (/^(notOk|false|falsy|notok|error|ifError)$/.test(word)) return !a;
    if (/^(deepEquals?|same|isEquivalent)$/.test(word)) return !("e" in fetched(() => judge.deepStrictEqual(a, b)));
    if (/^(notDeepEquals?|notSame)$/.test(word)) return "e" in fetched(() => judge.deepStrictEqual(a, b));
    if (word === "throws") return seen.said !== "no exception";
    return word !== "fail";
  };
  const check = (t, v, s, on, word, get) => {
    const row = place(t, v, s);
    if (!row) return word ? on[word](...get()) : on(...get());
    const at = fetched(() => {
      const given = get();
      const f = word ? on[word] : on;
      if (typeof f !== "function") throw new TypeError((word || "assert") + " is not a function");
      return { given, f };
    });
    if ("e" in at) {
      tell({ ...row, ok: false, l: [], x: error(at.e) });
      return undefined;
    }
    const { given, f } = at.x;
    const name = word || f.name;
    row.k = asks([name]);
    if (/snapshot/i.test(name)) return tell({ ...row, ok: true, l: given.slice(0, 1).map(value) });
    const seen = TRIES.test(name) && given.length ? watched(given[0]) : {};
    if (seen.x) given[0] = seen.x;
    const size = name === "fail" ? 0 : SINGLE.test(name) ? 1 : DOUBLE.test(name) ? 2 : 4;
    const before = given.slice(0, size).map(value);
    const sides = () => (seen.said === undefined ? before : [seen.said, ...before.slice(1)]);
    const keeps = word && typeof on === "object" && on !== null && "plan" in on;
    let gave;
    const now = copy(), bad = now?.bad;
    const done = judged(row, sides, () => {
      gave = apply(f, word ? on : undefined, given);
      // What a function of the tests asserts fails in its own rows.
      if (!word && !is_promise(gave) && now?.bad !== bad) throw new Error(name);
      // Where the tool says itself whether it held, it knows best what it holds to be equal.
      const held = () => (typeof gave === "boolean" ? gave : own_word(word, given, seen));
      if (keeps && !is_promise(gave) && !held()) throw new Error(word);
      return gave;
    });
    return is_promise(done.got) ? done.got : gave;
  };
  return { of, same, wait, strict, expect, check };
})();
