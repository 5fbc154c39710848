from level import Level, level


def test_below_the_limit():
    assert level(49) is Level.LOW


def test_from_the_limit_on():
    assert level(50) is Level.HIGH
    assert level(80) is Level.HIGH
