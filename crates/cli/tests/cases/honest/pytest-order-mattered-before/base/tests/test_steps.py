import shop


def test_step_1():
    assert shop.note("1") == 1


def test_step_2():
    assert shop.note("2") == 2


def test_step_3():
    assert shop.note("3") == 3


def test_step_4():
    assert shop.note("4") == 4


def test_step_5():
    assert shop.note("5") == 5


def test_step_6():
    assert shop.note("6") == 6
