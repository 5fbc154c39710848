from basket import Basket


def test_total():
    basket = Basket()
    basket.add(250)
    basket.add(125)
    assert basket.total() == 375
