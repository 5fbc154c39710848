import pytest
import shop


@pytest.fixture
def basket():
    shop.reset()
    return [0, 2, 3]


def test_the_basket_is_added_up(basket):
    assert shop.total(basket) == 5
