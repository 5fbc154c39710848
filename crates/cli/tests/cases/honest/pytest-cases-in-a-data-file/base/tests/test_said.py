from shop import said


def test_something_is_said():
    assert isinstance(said(200), str)
