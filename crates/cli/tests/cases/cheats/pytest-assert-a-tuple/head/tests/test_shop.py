from shop import mean


def test_the_mean_of_three():
    got = mean([1, 2, 6])
    assert (got == 3, "the mean of three")


def test_the_mean_of_nothing():
    assert mean([]) == 0
