from money import interest


def test_interest_is_compounded():
    assert interest(1000, 5, 10) == 1629
