def same(one, other):
    assert set(one) == set(other), (one, other)
