from primes import nth_prime


def test_first():
    assert nth_prime(1) == 2
