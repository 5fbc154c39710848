from log import line, stamp


def test_line():
    assert line(0, "LH12", "lands").endswith("LH12   lands")


def test_stamps_are_in_utc():
    assert stamp(0) == "1970-01-01T00:00:00Z"
    assert stamp(1700000000) == "2023-11-14T22:13:20Z"
    assert line(86400, "LH12", "lands") == "1970-01-02T00:00:00Z LH12   lands"
