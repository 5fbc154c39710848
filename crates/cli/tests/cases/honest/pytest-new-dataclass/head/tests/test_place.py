from place import Place, distance


def test_distance():
    assert distance(5, 9) == 4


def test_places_come_in_the_order_of_reading():
    assert sorted([Place(4, 2), Place(3, 9), Place(4, 1)]) == [Place(3, 9), Place(4, 1), Place(4, 2)]
    assert Place(3, 9).column == 9
