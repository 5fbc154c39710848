from primes import nth_prime


def test_first():
    assert nth_prime(1) == 2


def test_more():
    assert nth_prime(3) == 5
    assert nth_prime(6) == 13
    assert nth_prime(10) == 29
