from plugins import load


def test_no_plugin():
    assert load("none") is None
