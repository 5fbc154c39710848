from shop import share


def test_a_share_has_two_parts():
    assert share(1, 2) == (1, 2)
