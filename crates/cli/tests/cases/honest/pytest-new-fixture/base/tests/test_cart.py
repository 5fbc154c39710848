from cart import Cart


def test_one_thing():
    cart = Cart()
    cart.add("pear", 2)
    assert cart.items == {"pear": 2}
