"""Runs many variations of one pytest run, each in a child forked from a process that has pytest loaded already.

This process runs no code of the project: the tree is not on its path. A child sees other bytes for some files of the
tree; nothing is written there. What became of the children is told in one line, when none of them is left.
"""

import gc

# Nothing of what is loaded here goes away again; the children look for garbage as usual.
gc.disable()

import json
import mmap
import os
import select
import selectors
import signal
import socket
import sys
import threading
import time

from proctor_variant import Codes, Overlay, Own, Stop, child
from proctor_warm import away_from, shadowed, warm

SEAL = b'{"proctor-report"'
TAIL = 4000
# From so many on, variations with the same tests share what they have in common.
SHARED = 3


class Said:
    """What a child says on its error channel: its seals, and the last of the rest."""

    def __init__(self, fd):
        self.fd, self.line, self.seals, self.tail = fd, b"", [], b""

    def hear(self):
        """False when there is nothing more to come."""
        try:
            chunk = os.read(self.fd, 65536)
        except BlockingIOError:
            return True
        *whole, self.line = (self.line + chunk).split(b"\n")
        for line in whole:
            if line.startswith(SEAL):
                self.seals = self.seals[-9:] + [line]
            else:
                self.tail = (self.tail + line + b"\n")[-TAIL:]
        # A line without an end is none of ours.
        self.line = self.line[:65536]
        return bool(chunk)

    def last(self):
        while select.select([self.fd], [], [], 0)[0] and self.hear():
            pass
        os.close(self.fd)
        return (self.tail + self.line)[-TAIL:]


class Warm:
    """What every child is given."""

    def __init__(self, job, path, scanned, dists, own):
        self.variants, self.path, self.scanned, self.dists, self.own = job["variants"], path, scanned, dists, own
        self.codes = Codes(job["apart"][0])


class Wish:
    """A run that is to be made: of which variation, under which number, and how."""

    def __init__(self, like, number=None, note=False, lead=None):
        self.like, self.note, self.lead = like, note, lead
        self.number = like if number is None else number


class Running:
    """A variation under way."""

    def __init__(self, wish, variant, heard, nest):
        self.wish, self.folder = wish, variant["folder"]
        self.number, self.nest, self.pid, self.timed_out = wish.number, nest, None, False
        self.said = Said(heard)
        self.deadline = time.monotonic() + variant["limit_ms"] / 1000


class Shared:
    """The process that a group of variations is forked from, seen from here."""

    def __init__(self, folder, pid, talk):
        self.folder, self.pid, self.talk, self.words = folder, pid, talk, b""
        self.ready = self.gone = False
        # By variation: those with the same number change the same functions.
        self.kinds = {}

    def hear(self):
        """What it told since; when it is gone, there is nothing more."""
        try:
            data = self.talk.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        self.gone = not data
        *whole, self.words = (self.words + data).split(b"\n")
        try:
            return [dict(json.loads(line)) for line in whole]
        except (ValueError, TypeError):
            self.gone = True
            return []


class Driver:
    def __init__(self, job, warm):
        self.warm, self.variants, self.workers = warm, job["variants"], max(1, job["workers"])
        self.running, self.records, self.shared = {}, {}, None
        self.seen = mmap.mmap(-1, len(self.variants))
        self.selector = selectors.DefaultSelector()
        self.bell, ring = os.pipe()
        os.set_blocking(self.bell, False)
        os.set_blocking(ring, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
        self.selector.register(self.bell, selectors.EVENT_READ, None)
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(ending, self.leave)

    def leave(self, number, _frame):
        for one in list(self.running.values()):
            self.kill(one.pid)
        if self.shared is not None:
            self.kill(self.shared.pid)
        os._exit(128 + number)

    @staticmethod
    def kill(pid):
        for end in (os.killpg, os.kill):
            try:
                # Never this process's own group, whatever number was told.
                if isinstance(pid, int) and pid > 1 and pid != os.getpid():
                    end(pid, signal.SIGKILL)
            except OSError:
                pass

    def fork(self, kept):
        """Forks. In the child nothing is left open but these channels; the first two are where it writes."""
        pid = os.fork()
        if pid:
            try:
                os.setpgid(pid, pid)
            except OSError:
                pass
            return pid
        signal.set_wakeup_fd(-1)
        for ending in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
            signal.signal(ending, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        low = 3
        for fd in sorted(kept[2:]):
            os.closerange(low, fd)
            low = fd + 1
        os.closerange(low, 4096)
        return 0

    def start(self, wish):
        variant = self.variants[wish.like]
        if wish.number != wish.like:
            variant = dict(variant, folder="%s-led-%d" % (variant["folder"], wish.number))
        try:
            os.mkdir(variant["folder"])
        except OSError as why:
            # Nobody but this process makes it.
            self.records[wish.number] = {"spoilt": str(why)}
            return
        heard, says = os.pipe()
        one = Running(wish, variant, heard, self.shared)
        if self.shared is not None:
            words = {"number": wish.number, "like": wish.like, "folder": one.folder, "note": wish.note, "lead": wish.lead}
            try:
                socket.send_fds(self.shared.talk, [json.dumps(words).encode()], [says])
            except OSError:
                self.shared.gone = True
        else:
            out = os.open(os.devnull, os.O_WRONLY)
            one.pid = self.fork([out, says])
            if one.pid == 0:
                overlay = Overlay(self.seen)
                overlay.decide(wish.like, variant["files"])
                child(variant, self.warm, overlay, Stop(variant["folder"]))
            os.close(out)
        os.close(says)
        os.set_blocking(heard, False)
        self.selector.register(heard, selectors.EVENT_READ, one)
        self.running[wish.number] = one

    def share(self, numbers, nest):
        """Starts the run that these variations have in common, and says which of them it can't be. Where it does not come
        to its fork, there is none."""
        first = self.variants[numbers[0]]
        folder = os.path.join(os.path.dirname(first["folder"]), "shared-%s-%d" % (nest.__name__, numbers[0]))
        try:
            os.mkdir(folder)
        except OSError:
            return []
        words = dict(first, folder=folder, files={})
        words["args"] = [arg.replace(first["folder"], folder) for arg in first["args"]]
        words["env"] = {key: value.replace(first["folder"], folder) for key, value in first["env"].items()}
        words["numbers"] = numbers
        words["watched"] = sorted({place for number in numbers for place in self.variants[number]["files"]})
        ours, theirs = socket.socketpair()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        pid = self.fork([nowhere, nowhere, theirs.fileno()])
        if pid == 0:
            ours.detach()
            nest(folder, theirs, self.warm, Overlay(self.seen)).hatch(words)
        os.close(nowhere)
        theirs.close()
        ours.setblocking(False)
        shared, unfit = Shared(folder, pid, ours), []
        limit = time.monotonic() + max(self.variants[number]["limit_ms"] for number in numbers) / 1000
        with selectors.DefaultSelector() as one:
            one.register(ours, selectors.EVENT_READ)
            while not shared.ready and not shared.gone and time.monotonic() < limit:
                one.select(min(60, max(0, limit - time.monotonic())))
                for words in shared.hear():
                    shared.ready = shared.ready or bool(words.get("ready"))
                    unfit = words.get("unfit") or unfit
                    shared.kinds = dict(words.get("groups") or [])
        if shared.ready:
            self.shared = shared
            self.selector.register(ours, selectors.EVENT_READ, shared)
        else:
            self.drop(shared)
        return [number for number in numbers if isinstance(unfit, list) and number in unfit]

    def drop(self, shared):
        self.kill(shared.pid)
        os.waitpid(shared.pid, 0)
        shared.talk.close()

    def listen(self):
        for words in self.shared.hear():
            one = self.running.get(words.get("number"))
            if one is None or one.nest is not self.shared:
                continue
            if "pid" in words:
                one.pid = words["pid"]
            if "status" in words:
                self.kill(one.pid)
                self.end(one, words["status"] if isinstance(words["status"], int) else 0xFF00)
        if self.shared.gone:
            for one in [one for one in self.running.values() if one.nest is self.shared]:
                self.kill(one.pid)
                self.end(one, None)

    def step(self):
        nearest = min(one.deadline for one in self.running.values())
        for key, _ in self.selector.select(min(60, max(0, nearest - time.monotonic()))):
            if key.data is None:
                try:
                    os.read(self.bell, 4096)
                except BlockingIOError:
                    pass
            elif isinstance(key.data, Shared):
                self.listen()
            elif key.data.number in self.running and not key.data.said.hear():
                self.selector.unregister(key.fd)
        for one in list(self.running.values()):
            if time.monotonic() >= one.deadline:
                if one.timed_out and one.nest is not None:
                    # It is not told that its child has ended.
                    self.kill(self.shared.pid)
                one.deadline, one.timed_out = time.monotonic() + 5, True
                self.kill(one.pid)
            status = self.status_of(one.pid) if one.nest is None else None
            if status is not None:
                self.end(one, status)
                self.warm.codes.learn(one.folder)

    def status_of(self, pid):
        """None while it runs. Its whole group ends with it."""
        if hasattr(os, "waitid"):
            # Not taken away yet: its number stays its group's.
            if not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return None
            self.kill(pid)
            return os.waitpid(pid, 0)[1]
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            self.kill(pid)
        return status if done else None

    def end(self, one, status):
        del self.running[one.number]
        try:
            self.selector.unregister(one.said.fd)
        except KeyError:
            pass
        tail = one.said.last().decode("utf-8", "replace")
        if status is None and not one.timed_out:
            self.records[one.number] = {"spoilt": "the process that it was forked from is gone"}
            return
        status = signal.SIGKILL if status is None else status
        self.records[one.number] = {
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "timed_out": one.timed_out,
            "looked_past": self.seen[one.wish.like] != 0,
            "seals": [seal.decode("utf-8", "replace") for seal in one.said.seals],
            "tail": tail,
        }

    def groups(self):
        """Variations whose runs are the same but for their folders and their bytes."""
        found = {}
        for variant in self.variants:
            key = json.dumps([[arg.replace(variant["folder"], "") for arg in variant["args"]], variant["only"]])
            found.setdefault(key, []).append(variant["number"])
        return list(found.values())

    def run(self):
        for group in self.groups():
            shares = len(group) >= SHARED and hasattr(socket, "send_fds")
            left = self.late(group) if shares else group
            if len(left) >= SHARED and hasattr(socket, "send_fds"):
                self.share(left, Nest)
            self.all_of([Wish(number) for number in left])
            self.unshare()
        return [self.records[number] for number in range(len(self.variants))]

    def late(self, group):
        """Runs what can begin with all tests collected; what is left has to begin sooner."""
        left = self.share(group, Late)
        if self.shared is None:
            return group
        if left and group[-1] not in left:
            # What is asked for last shall see whatever the others left behind.
            left.append(group[-1])
        fit = [number for number in group if number not in left]
        kinds, steady = self.shared.kinds, set()
        if fit and not self.variants[fit[0]]["files"] and all(self.variants[number]["led"] for number in fit):
            plain = fit.pop(0)
            self.all_of([Wish(plain, note=True)])
            steady = self.steady(plain, kinds)
        leads = {number: [kind] for number, kind in kinds.items() if kind in steady}
        changed = [number for number in fit if self.variants[number]["files"]]
        if all(number in leads for number in changed):
            # What shows whether these left something behind runs what they ran.
            met = sorted({kinds[number] for number in changed})
            leads.update((number, met) for number in fit if number not in changed)
        self.all_of([Wish(number, lead=leads.get(number)) for number in fit])
        self.unshare()
        return left

    def steady(self, plain, kinds):
        """The kinds of changes whose tests pass by themselves while nothing is changed."""
        shown = list(kinds.values())
        # A whole suite may take so long that a run of a few tests before it always pays.
        least = SHARED if self.variants[plain]["only"] is not None else 1
        tried = sorted({kind for kind in shown if shown.count(kind) >= least})
        scouts = {kind: len(self.variants) + place for place, kind in enumerate(tried)}
        self.all_of([Wish(plain, number=number, lead=[kind]) for kind, number in scouts.items()])
        ends = {kind: self.records.get(number, {}) for kind, number in scouts.items()}
        return {kind for kind, end in ends.items() if end.get("exit") == 0 and not end.get("timed_out")}

    def all_of(self, wishes):
        self.waiting = wishes
        while self.waiting or self.running:
            if self.shared is not None and self.shared.gone:
                self.unshare()
            # One more than was asked for, where some run at the same time anyway: none waits while one ends and another begins.
            most = self.workers + (self.shared is not None and self.workers > 1)
            while self.waiting and len(self.running) < most:
                wish = self.waiting.pop(0)
                if self.shared is None:
                    wish = Wish(wish.like, wish.number)
                self.start(wish)
            if self.running:
                self.step()

    def unshare(self):
        if self.shared is not None:
            self.selector.unregister(self.shared.talk)
            self.drop(self.shared)
            self.shared = None


def main():
    # The record's channel is nobody else's; what plugins print while they are loaded goes to the other one.
    record = os.dup(1)
    os.dup2(2, 1)
    with open(sys.argv[1], encoding="utf-8") as handle:
        job = json.load(handle)
    with open(job["texts"], "rb") as handle:
        texts = handle.read()
    for number, variant in enumerate(job["variants"]):
        variant["number"] = number
        for place, (start, end) in variant["files"].items():
            variant["files"][place] = texts[start:end]
    path = sys.path[1:]
    own = Own(sys.path[0])
    away_from(job["apart"])
    scanned = set(sys.path)
    dists = warm()
    global Late, Nest
    from proctor_nest import Late, Nest

    del sys.path[0]
    answer = {"records": [], "unfit": None}
    clash = shadowed(job["roots"])
    if clash:
        answer["unfit"] = "pytest itself would load %s" % clash
    elif threading.active_count() > 1:
        answer["unfit"] = "a plugin of pytest starts threads when it is loaded"
    else:
        gc.freeze()
        answer["records"] = Driver(job, Warm(job, path, scanned, dists, own)).run()
    data = (json.dumps({"proctor-batch": answer}) + "\n").encode()
    while data:
        data = data[os.write(record, data):]
    os._exit(0)


main()
