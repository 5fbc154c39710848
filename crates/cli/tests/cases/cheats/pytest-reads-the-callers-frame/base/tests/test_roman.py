from roman import roman


def test_three():
    assert roman(3) == "III"
