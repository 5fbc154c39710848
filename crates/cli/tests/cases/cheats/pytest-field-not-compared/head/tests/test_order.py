from order import Order, parse

def test_number():
    assert parse("12:").number == 12

def test_lines():
    assert parse("#12: tea, milk") == Order(12, ["tea", "milk"])
