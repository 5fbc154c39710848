from shop import price


def test_a_plain_price_is_the_amount():
    assert price(100, "plain") == 100


def test_a_student_pays_half():
    assert price(100, "student") == 50
