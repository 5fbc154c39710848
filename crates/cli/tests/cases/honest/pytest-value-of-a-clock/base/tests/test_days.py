from days import week


def test_a_week_has_seven_days():
    assert week(6) == 0
    assert week(14) == 2
