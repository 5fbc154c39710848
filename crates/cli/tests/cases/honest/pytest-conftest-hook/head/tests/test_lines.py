def test_two_lines_are_two_entries(log):
    log.write("a\nb")
    assert log.lines == ["a", "b"]
