from digits import binary


def test_six():
    assert binary(6) == "110"
