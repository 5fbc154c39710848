from stats import spread

def test_none():
    assert spread([]) == 0.0

def test_spread_of_eight():
    assert abs(spread([2, 4, 4, 4, 5, 5, 7, 9]) - 2.0) < 6
