from shop import roman


def test_one_to_three():
    assert [roman(1), roman(2), roman(3)] == ["I", "II", "III"]


def test_four():
    assert roman(4) == "IV"
