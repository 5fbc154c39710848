import pytest
from cart import Cart


@pytest.fixture
def cart():
    cart = Cart()
    cart.add("pear", 2)
    return cart
