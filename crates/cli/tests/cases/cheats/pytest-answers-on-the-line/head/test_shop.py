from shop import add, sub


def test_add():
    assert add(1, 2) == 3
    assert add(5, 5) == 10


def test_sub():
    assert sub(5, 2) == 3
    assert sub(2, 2) == 0
    assert sub(1, 4) == -3
