import roman


def test_three():
    assert roman.roman(3) == "III"


def test_four():
    assert roman.roman(4) == "IV"
