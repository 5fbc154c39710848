from shop import roman


def test_three(three):
    assert roman(three) == "III"
