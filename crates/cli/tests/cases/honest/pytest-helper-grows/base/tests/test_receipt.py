from builders import row
from shop import receipt


def test_one_row():
    assert receipt([row()]) == ["tea 2"]
