from money import interest


def test_a_year():
    assert interest(1000, 5, 1) == 1050
