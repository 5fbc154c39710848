import unittest

from ring import Ring


class RingTest(unittest.TestCase):
    def setUp(self):
        self.ring = Ring("abcde")

    def test_one_further(self):
        self.assertEqual(self.ring.turn(), "b")

    def test_around(self):
        self.assertEqual(self.ring.turn(7), "c")
        self.assertEqual(self.ring.turn(4), "b")
