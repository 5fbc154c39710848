from shop import total


def test_rows_are_added_up():
    assert total([(3, 2), (5, 1)]) == 11


def test_no_rows():
    assert total([]) == 0
