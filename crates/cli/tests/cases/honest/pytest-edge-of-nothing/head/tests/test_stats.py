from stats import mean


def test_the_mean_of_three():
    assert mean([1, 2, 6]) == 3


def test_the_mean_of_nothing():
    assert mean([]) == 0


def test_the_mean_of_one():
    assert mean([4]) == 4
