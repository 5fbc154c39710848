from cache import Cache


def test_it_loads():
    assert Cache(str).get(5) == "5"


def test_it_loads_once_for_each_key():
    asked = []
    cache = Cache(lambda key: asked.append(key) or key * 2)
    assert [cache.get(2), cache.get(2), cache.get(3)] == [4, 4, 6]
    assert asked == [2, 3]
