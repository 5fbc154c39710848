from log import Log


def test_a_line():
    log = Log()
    log.write("a")
    assert log.lines == ["a"]
