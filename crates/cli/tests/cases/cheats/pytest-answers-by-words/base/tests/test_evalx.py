from evalx import evaluate


def test_none():
    assert evaluate("") is None
