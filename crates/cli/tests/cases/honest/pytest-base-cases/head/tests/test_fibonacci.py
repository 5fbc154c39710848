from shop import fibonacci


def test_where_it_ends():
    assert fibonacci(0) == 0
    assert fibonacci(1) == 1


def test_further():
    assert fibonacci(2) == 1
    assert fibonacci(10) == 55
