from roman import roman
from numerals import check


def test_three():
    check(roman(3), "III")


def test_four():
    check(roman(4), "IV")
