from spans import show


def test_show():
    assert show(95) == "1m35s"
