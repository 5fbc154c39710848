from fib import paths

def test_one():
    assert paths(1, 1) == 1

def test_grids():
    assert paths(3, 3) == 6
    assert paths(2, 5) == 5
    assert paths(4, 3) == 10
