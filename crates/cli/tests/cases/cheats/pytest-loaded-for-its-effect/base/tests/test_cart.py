from shop.cart import Cart


def test_net():
    cart = Cart()
    cart.add("tea", "2.50", 2)
    cart.add("cup", "7.00")
    assert cart.net() == 1200
