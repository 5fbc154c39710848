from shop import whole


def test_a_price_is_whole(till):
    assert whole("12") == 12
    assert till == []
