import unittest
from words import plural


class PluralTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(plural("cat"), "cats")
