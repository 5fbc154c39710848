import shop


def test_the_first_price_counts_too():
    prices = [0, 2, 3]
    shop.with_the_first(prices)
    assert shop.total(prices) == 5
