from paths import join


def test_two_parts():
    assert join("a", "b") == "a/b"
