from cart import count


def test_a_count_is_a_number():
    assert count() >= 0


def test_one_is_added():
    from cart import add

    add("pear")
    assert count() == 1


def test_two_are_counted():
    from cart import add

    add("plum")
    assert count() == 2
