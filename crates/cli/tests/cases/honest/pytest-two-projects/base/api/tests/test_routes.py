from routes import path


def test_two_parts():
    assert path(["a", "b"]) == "a/b"
