import pytest
from evalx import evaluate


def test_none():
    assert evaluate("") is None


@pytest.mark.parametrize("expr,value", [("1 + 2", 3), ("2 * 3 + 4", 10), ("10 / 4", 2.5)])
def test_values(expr, value):
    assert evaluate(expr) == value
