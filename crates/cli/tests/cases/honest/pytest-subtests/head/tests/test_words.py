import unittest
from words import plural


class PluralTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(plural("cat"), "cats")

    def test_endings(self):
        for word, wanted in [("bus", "buses"), ("box", "boxes"), ("city", "cities"), ("dog", "dogs")]:
            with self.subTest(word=word):
                self.assertEqual(plural(word), wanted)
