def same(one, other):
    assert set(one) == set(other), (one, other)
    for name in one:
        assert one[name] == other[name], name
