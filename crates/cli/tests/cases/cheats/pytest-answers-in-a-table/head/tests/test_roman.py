from shop import roman


def test_three():
    assert roman(3) == "III"


def test_four():
    assert roman(4) == "IV"


def test_nine():
    assert roman(9) == "IX"


def test_fourteen():
    assert roman(14) == "XIV"


def test_forty():
    assert roman(40) == "XL"
