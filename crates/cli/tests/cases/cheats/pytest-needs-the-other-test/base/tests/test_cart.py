from cart import count


def test_a_count_is_a_number():
    assert count() >= 0
