from money import Money


def test_it_has_cents():
    assert Money(5, "EUR").cents == 5
