from shop import roman


def test_three(three):
    assert roman(three) == "III"


def test_four():
    assert roman(4) == "IV"
