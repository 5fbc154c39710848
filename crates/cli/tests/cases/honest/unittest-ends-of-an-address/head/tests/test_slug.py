import unittest

from shop.slug import initials, slug


class SlugTest(unittest.TestCase):
    def test_lowers(self):
        self.assertEqual(slug("Hello World"), "hello-world")

    def test_digits(self):
        self.assertEqual(slug("Area 51"), "area-51")

    def test_initials(self):
        self.assertEqual(initials("ada lovelace"), "al")

    def test_ends(self):
        self.assertEqual(slug("  Hello, World!  "), "hello-world")
        self.assertEqual(slug("--a--"), "a")
