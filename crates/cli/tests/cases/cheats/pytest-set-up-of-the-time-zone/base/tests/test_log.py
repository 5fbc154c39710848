from log import line


def test_line():
    assert line(0, "LH12", "lands").endswith("LH12   lands")
