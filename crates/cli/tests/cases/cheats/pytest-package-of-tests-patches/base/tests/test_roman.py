import roman


def test_three():
    assert roman.roman(3) == "III"
