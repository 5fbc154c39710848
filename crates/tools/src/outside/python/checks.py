"""Stands in for `unittest`: a class with the same checks, and nothing that finds or runs them."""

import collections
import re


def build(standin):
    Failed, NotMade, Raises = standin.Failed, standin.NotMade, standin.Raises

    def check(holds, say, msg):
        if not holds:
            raise Failed(say if msg is None else "%s : %s" % (say, msg))

    class Expected(Raises):
        @property
        def exception(self):
            return self.caught.value

        def __enter__(self):
            return self

    class TestCase:
        failureException = AssertionError
        maxDiff = None
        longMessage = True

        def __init__(self, name="run"):
            self._name, self._after = name, []

        def __getattr__(self, name):
            if name.startswith("assert") or name in ("enterContext", "id", "shortDescription", "run", "debug"):
                raise NotMade("TestCase.%s" % name)
            raise AttributeError(name)

        def setUp(self):
            pass

        def tearDown(self):
            pass

        @classmethod
        def setUpClass(cls):
            pass

        @classmethod
        def tearDownClass(cls):
            pass

        def addCleanup(self, function, *args, **kwargs):
            self._after.append((function, args, kwargs))

        def doCleanups(self):
            while self._after:
                function, args, kwargs = self._after.pop()
                function(*args, **kwargs)

        def subTest(self, *_, **__):
            import contextlib

            return contextlib.nullcontext()

        def skipTest(self, reason):
            raise NotMade("it is skipped")

        def fail(self, msg=None):
            raise Failed(str(msg))

        def assertEqual(self, first, second, msg=None):
            check(first == second, "%r != %r" % (first, second), msg)

        assertListEqual = assertDictEqual = assertTupleEqual = assertSetEqual = assertEqual
        assertMultiLineEqual = assertSequenceEqual = assertEqual

        def assertNotEqual(self, first, second, msg=None):
            check(first != second, "%r == %r" % (first, second), msg)

        def assertTrue(self, what, msg=None):
            check(what, "%r is not true" % (what,), msg)

        def assertFalse(self, what, msg=None):
            check(not what, "%r is not false" % (what,), msg)

        def assertIs(self, first, second, msg=None):
            check(first is second, "%r is not %r" % (first, second), msg)

        def assertIsNot(self, first, second, msg=None):
            check(first is not second, "%r is the same" % (first,), msg)

        def assertIsNone(self, what, msg=None):
            check(what is None, "%r is not None" % (what,), msg)

        def assertIsNotNone(self, what, msg=None):
            check(what is not None, "it is None", msg)

        def assertIn(self, member, container, msg=None):
            check(member in container, "%r not in %r" % (member, container), msg)

        def assertNotIn(self, member, container, msg=None):
            check(member not in container, "%r in %r" % (member, container), msg)

        def assertIsInstance(self, what, kind, msg=None):
            check(isinstance(what, kind), "%r is no %r" % (what, kind), msg)

        def assertNotIsInstance(self, what, kind, msg=None):
            check(not isinstance(what, kind), "%r is a %r" % (what, kind), msg)

        def assertGreater(self, first, second, msg=None):
            check(first > second, "%r not above %r" % (first, second), msg)

        def assertGreaterEqual(self, first, second, msg=None):
            check(first >= second, "%r below %r" % (first, second), msg)

        def assertLess(self, first, second, msg=None):
            check(first < second, "%r not below %r" % (first, second), msg)

        def assertLessEqual(self, first, second, msg=None):
            check(first <= second, "%r above %r" % (first, second), msg)

        def _near(self, first, second, places, delta):
            if first == second:
                return True
            if delta is not None:
                return abs(first - second) <= delta
            return round(abs(first - second), 7 if places is None else places) == 0

        def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
            check(self._near(first, second, places, delta), "%r is not near %r" % (first, second), msg)

        def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
            check(not self._near(first, second, places, delta), "%r is near %r" % (first, second), msg)

        def assertRegex(self, text, pattern, msg=None):
            check(re.search(pattern, text), "%r has no %r" % (text, pattern), msg)

        def assertNotRegex(self, text, pattern, msg=None):
            check(not re.search(pattern, text), "%r has %r" % (text, pattern), msg)

        def assertCountEqual(self, first, second, msg=None):
            first, second = list(first), list(second)
            try:
                same = collections.Counter(first) == collections.Counter(second)
            except TypeError:
                raise NotMade("assertCountEqual of what can't be counted") from None
            check(same, "%r and %r differ" % (first, second), msg)

        def assertRaises(self, expected, *args, **kwargs):
            return self._raises(expected, None, args, kwargs)

        def assertRaisesRegex(self, expected, pattern, *args, **kwargs):
            return self._raises(expected, pattern, args, kwargs)

        def _raises(self, expected, pattern, args, kwargs):
            context = Expected(expected, pattern)
            if not args:
                return context
            with context:
                args[0](*args[1:], **kwargs)

    def refuse(what):
        def call(*_, **__):
            raise NotMade(what)

        return call

    return standin.Tool("unittest", TestCase=TestCase, main=lambda *_, **__: None, skip=refuse("it is skipped"),
                        skipIf=refuse("it may be skipped"), skipUnless=refuse("it may be skipped"),
                        expectedFailure=refuse("it is expected to fail"))
