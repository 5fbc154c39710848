def test_the_same_thing_twice_is_counted_together(cart):
    cart.add("pear", 3)
    assert cart.items == {"pear": 5}


def test_another_thing_is_counted_apart(cart):
    cart.add("plum", 1)
    assert cart.items == {"pear": 2, "plum": 1}
