from timing import timed


def test_the_result_comes_back():
    assert timed(lambda: 5)[0] == 5
