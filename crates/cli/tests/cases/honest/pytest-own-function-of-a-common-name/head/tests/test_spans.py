from spans import parse, show


def test_show():
    assert show(95) == "1m35s"


def test_parse():
    assert parse("1m35s") == 95
    assert parse("12m0s") == 720
