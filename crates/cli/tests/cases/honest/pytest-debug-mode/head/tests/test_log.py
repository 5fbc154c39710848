from log import line


def test_a_text():
    assert line("info", "a") == "a"


def test_debug_mode_shows_the_level():
    assert line("info", "a", debug=True) == "[info] a"
    assert line("warn", "b", debug=True) == "[warn] b"
