from timing import timed


def test_the_result_comes_back():
    assert timed(lambda: 5)[0] == 5


def test_the_time_between_is_told():
    ticks = iter([10.0, 12.5])
    assert timed(lambda: "x", lambda: next(ticks)) == ("x", 2.5)
