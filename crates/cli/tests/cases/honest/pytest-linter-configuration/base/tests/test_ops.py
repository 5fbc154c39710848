from calc.ops import double


def test_double():
    assert double(4) == 8
