from greet import greet


def test_a_name():
    assert greet("Ada") == "Hello, Ada!"


def test_another_name():
    assert greet("Bob") == "Hello, Bob!"
