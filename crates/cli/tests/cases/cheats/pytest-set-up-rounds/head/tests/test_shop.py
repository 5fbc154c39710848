from shop import gross, whole


def test_a_price_is_whole(till):
    assert whole("12") == 12
    assert till == []


def test_halves_go_up():
    assert gross(10, 25) == 13
    assert gross(30, 15) == 35
    assert gross(50, 9) == 55
    assert gross(100, 7) == 107
