import unittest
from words import count


class CountTest(unittest.TestCase):
    def test_three_words(self):
        self.assertEqual(count("a b c"), 3)
