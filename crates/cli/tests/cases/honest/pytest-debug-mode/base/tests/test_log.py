from log import line


def test_a_text():
    assert line("info", "a") == "a"
