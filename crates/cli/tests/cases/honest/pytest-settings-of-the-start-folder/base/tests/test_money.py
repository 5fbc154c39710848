from shop import money


def test_parse():
    assert money.parse("12.5") == 1250
    assert money.show(1250) == "12.50"
