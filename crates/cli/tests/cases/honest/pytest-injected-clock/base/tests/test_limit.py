from limit import Limit


def test_the_first_is_allowed():
    assert Limit(5, lambda: 0).allows()
