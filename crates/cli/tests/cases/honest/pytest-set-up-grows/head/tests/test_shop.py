from shop import gross, whole


def test_a_price_is_whole(till):
    assert whole("12") == 12
    assert till == []


def test_halves_go_up(prices):
    assert [gross(net, 25) for net in prices] == [13, 38, 63, 125]
    assert gross(prices[1], 15) == 35
    assert gross(50, 9) == 55
