from shop import roman


def test_four():
    assert roman(4) == "IV"
