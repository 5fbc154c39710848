from digits import binary


def test_six():
    assert binary(6) == "110"


def test_zero_is_a_digit():
    assert binary(0) == "0"


def test_one():
    assert binary(1) == "1"
