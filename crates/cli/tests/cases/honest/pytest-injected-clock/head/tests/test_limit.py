from limit import Limit


def test_the_first_is_allowed():
    assert Limit(5, lambda: 0).allows()


def test_the_second_has_to_wait():
    times = iter([0, 4, 5, 9])
    limit = Limit(5, lambda: next(times))
    assert [limit.allows() for _ in range(4)] == [True, False, True, False]
