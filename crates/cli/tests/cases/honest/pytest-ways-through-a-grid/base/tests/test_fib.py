from fib import paths

def test_one():
    assert paths(1, 1) == 1
