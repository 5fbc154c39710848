from builders import row, rows
from shop import receipt


def test_one_row():
    assert receipt([row()]) == ["tea 2"]


def test_two_rows_have_a_total():
    assert receipt(rows(3, 4)) == ["thing0 3", "thing1 4", "total 7"]
