import pytest

from basket import Basket


def test_total():
    basket = Basket()
    basket.add(250)
    basket.add(125)
    assert basket.total() == 375


@pytest.fixture
def cheaper():
    basket = Basket(discount=20)
    basket.add(250)
    basket.add(125)
    return basket


def test_a_discount(cheaper):
    assert cheaper.total() == 300


def test_a_discount_of_more(cheaper):
    cheaper.add(625)
    assert cheaper.total() == 800
