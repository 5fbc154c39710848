from place import distance


def test_distance():
    assert distance(5, 9) == 4
