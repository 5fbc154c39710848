from routes import path


def test_two_parts():
    assert path(["a", "b"]) == "a/b"


def test_slashes_are_not_doubled():
    assert path(["a/", "/b"]) == "a/b"
