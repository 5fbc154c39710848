from greet import greet


def test_a_name():
    assert greet("Ada") == "Hello, Ada!"
