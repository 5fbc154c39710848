from shop.cart import Cart


def test_net():
    cart = Cart()
    cart.add("tea", "2.50", 2)
    cart.add("cup", "7.00")
    assert cart.net() == 1200


def test_total_has_the_tax_of_the_country():
    cart = Cart()
    cart.add("tea", "2.50", 4)
    assert cart.total(1) == 1190
    assert cart.total(50) == 1200


def test_total_of_another_cart():
    cart = Cart()
    cart.add("pot", "30.00")
    cart.add("tea", "2.50", 2)
    assert cart.total(1) == 4165
    assert cart.total(100) == 4200
