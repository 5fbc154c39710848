from shop import age


def test_earth():
    assert age("earth", 1000000000) == 31.69


def test_mercury():
    assert age("mercury", 2134835688) == 280.88


def test_mars():
    assert age("mars", 2129871239) == 35.88
