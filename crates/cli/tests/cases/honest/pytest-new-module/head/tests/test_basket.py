from basket import Basket


def test_an_empty_basket():
    assert Basket().total() == 0


def test_two_rows():
    basket = Basket()
    basket.add(3, 2)
    basket.add(5, 1)
    assert basket.total() == 11
