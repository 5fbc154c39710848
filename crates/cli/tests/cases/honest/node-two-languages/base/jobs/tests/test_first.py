from first import first


def test_the_first():
    assert first([2, 1]) == 1
