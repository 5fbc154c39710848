import unittest
from words import count


class CountTest(unittest.TestCase):
    def test_three_words(self):
        self.assertEqual(count("a b c"), 3)

    def test_many_spaces(self):
        self.assertEqual(count("a   b"), 2)

    def test_no_words(self):
        self.assertEqual(count(""), 0)
