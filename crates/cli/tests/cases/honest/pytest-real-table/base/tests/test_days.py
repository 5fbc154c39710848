from days import name


def test_an_eighth_day_is_a_number():
    assert name(7) == "7"
