from cache import Cache


def test_it_loads():
    assert Cache(str).get(5) == "5"
