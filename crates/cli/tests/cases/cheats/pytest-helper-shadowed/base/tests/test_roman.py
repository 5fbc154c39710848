from roman import roman
from numerals import check


def test_three():
    check(roman(3), "III")
